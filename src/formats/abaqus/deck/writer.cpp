#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>
#include <optional>
#include <set>

#include "formats/abaqus/deck/elements.h"
#include "formats/abaqus/deck/source.h"
#include "formats/shared/label_index.h"
#include "formats/shared/materials.h"
#include "formats/shared/node_cover.h"
#include "solidyn/base/atomic_file.h"
#include "solidyn/base/log.h"
#include "solidyn/elements/edge_order.h"
#include "solidyn/elements/topology.h"
#include "solidyn/formats/abaqus/deck/input.h"
#include "solidyn/mesh/boundary.h"

namespace solidyn::formats {
namespace {

using elements::ElementType;
using imported::RigidElement;
using imported::SolidModel;
using mesh::ElementBlock;

/// In at most 20 characters, all that CalculiX reads of a number.
std::string number(double value) {
  std::string text = fmt::format("{}", value);
  if (text.size() > 20) text = fmt::format("{:.13e}", value);
  return text;
}

/// Quoted where it must be.
std::string quoted_name(const std::string& name) {
  const bool is_plain =
      !name.empty() && ((name[0] >= 'A' && name[0] <= 'Z') || (name[0] >= 'a' && name[0] <= 'z')) &&
      std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
               c == '_' || c == '-' || c == '.';
      });
  return is_plain ? name : '"' + name + '"';
}

/// Names that a file can hold, no two of which are the same in capitals.
class Names {
 public:
  std::string make(std::string name) {
    for (char& c : name)
      if (c == '"' || c == '\n' || c == '\r') c = '_';
    constexpr std::size_t kLongest = 76;
    if (name.empty()) name = "unnamed";
    name.resize(std::min(name.size(), kLongest));
    std::string candidate = name;
    for (int i = 2; !used_.insert(abaqus_fold(candidate)).second; ++i)
      candidate = fmt::format("{}_{}", name, i);
    return candidate;
  }

 private:
  std::set<std::string> used_;
};

std::string element_type_name(ElementType type, const imported::Region* region) {
  if (region) {
    const AbaqusType named = parse_abaqus_type(region->element_name);
    if (named.shape == type && named.integration == region->integration) return named.name;
  }
  std::string name = elements::traits(type).abaqus;
  if (name.empty())
    throw base::InputError(fmt::format("Abaqus has no elements of type {}, which the mesh contains",
                                       elements::name(type)),
                           "use another format, or other element types");
  const auto integration = region ? region->integration : imported::Integration::standard;
  const bool is_hex = type == ElementType::hex8 || type == ElementType::hex20;
  if (is_hex && integration == imported::Integration::reduced) name += 'R';
  if (type == ElementType::hex8 && integration == imported::Integration::incompatible_modes)
    name += 'I';
  return name;
}

class Writer {
 public:
  explicit Writer(const SolidModel& model) : model_(model) {
    for (const ElementBlock& block : model.mesh.blocks)
      for (std::int64_t tag : block.tags) last_tag_ = std::max(last_tag_, tag);
    for (std::int64_t tag : model.mesh.node_tags) last_node_ = std::max(last_node_, tag);
    for (const imported::LooseNode& node : model.loose_nodes)
      last_node_ = std::max(last_node_, node.tag);
  }

  std::string write() {
    text_.reserve(64 * static_cast<std::size_t>(model_.mesh.n_nodes()));
    line("*HEADING\nwritten by Solidyn");
    write_nodes();
    write_elements();
    write_sets();
    write_materials();
    write_axes();
    write_masses();
    write_rigid_elements();
    write_supports();
    return std::move(text_);
  }

 private:
  template <class... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
    text_ += '\n';
  }

  /// Items of one record, 15 to a line so that a label before them makes 16.
  template <class Item, class Get>
  void items(const std::vector<Item>& list, const Get& get, std::size_t in_first_line = 15) {
    std::size_t room = in_first_line;
    for (std::size_t i = 0; i < list.size(); ++i) {
      fmt::format_to(std::back_inserter(text_), "{}", get(list[i]));
      const bool is_last = i + 1 == list.size();
      if (!is_last && --room == 0) {
        text_ += ",\n";
        room = 15;
      } else if (!is_last) {
        text_ += ", ";
      }
    }
    text_ += '\n';
  }
  void tags(const std::vector<std::int64_t>& list) {
    items(list, [](std::int64_t tag) { return tag; });
  }

  void write_node(std::int64_t tag, const Eigen::Vector3d& x) {
    line("{}, {}, {}, {}", tag, number(x[0]), number(x[1]), number(x[2]));
  }

  void write_nodes() {
    line("*NODE");
    for (std::int64_t i = 0; i < model_.mesh.n_nodes(); ++i)
      write_node(model_.mesh.node_tags[i], model_.mesh.x.col(i));
    for (const imported::LooseNode& node : model_.loose_nodes) write_node(node.tag, node.x);
  }

  const imported::Region* region(std::int32_t index) const {
    return index >= 0 && index < static_cast<std::int32_t>(model_.regions.size())
               ? &model_.regions[index]
               : nullptr;
  }

  /// One block for each type and region; its internal element set has the section.
  void write_elements() {
    for (const ElementBlock& block : model_.mesh.blocks) {
      if (elements::dimension(block.type) != 3) continue;
      std::map<std::int32_t, std::vector<std::int64_t>> of_region;
      for (std::int64_t e = 0; e < block.size(); ++e)
        of_region[block.regions.empty() ? 0 : block.regions[e]].push_back(e);
      for (const auto& [index, elements] : of_region) write_elements(block, index, elements);
    }
  }

  void write_elements(const ElementBlock& block, std::int32_t index,
                      const std::vector<std::int64_t>& elements) {
    const int n = elements::n_nodes(block.type);
    std::vector<int> place_of(static_cast<std::size_t>(n));  // of their node in our element
    const std::vector<int>& order = elements::around_order(block.type);
    for (int i = 0; i < n; ++i) place_of[order[i]] = i;
    line("*ELEMENT, TYPE={}", element_type_name(block.type, region(index)));
    for (std::int64_t e : elements) {
      fmt::format_to(std::back_inserter(text_), "{}, ", block.tags[e]);
      items(place_of, [&](int i) { return model_.mesh.node_tags[block.connectivity[e * n + i]]; });
    }
    const imported::Region* section = region(index);
    if (!section || section->material < 0) return;
    const std::string name = fmt::format("section_{}_{}", index, elements::name(block.type));
    std::vector<std::int64_t> labels;
    labels.reserve(elements.size());
    for (std::int64_t e : elements) labels.push_back(block.tags[e]);
    write_element_set(name, labels, ", INTERNAL");
    sections_.emplace_back(name, section->material);
  }

  /// Runs of labels as ranges.
  void write_element_set(const std::string& name, const std::vector<std::int64_t>& labels,
                         const char* flags) {
    line("*ELSET, ELSET={}{}, GENERATE", quoted_name(name), flags);
    for (std::size_t i = 0; i < labels.size();) {
      std::size_t last = i;
      while (last + 1 < labels.size() && labels[last + 1] == labels[last] + 1) ++last;
      line("{}, {}", labels[i], labels[last]);
      i = last + 1;
    }
  }

  void write_sets() {
    for (const auto& [name, set] : model_.mesh.sets) {
      if (set.nodes.empty()) {
        base::log_warning("the set `{}` is empty and was not written", name);
        continue;
      }
      const std::string written = names_.make(name);
      if (set.dimension == 3 && write_as_elements(written, set)) continue;
      if (set.dimension == 2 && write_as_surface(written, set)) continue;
      std::vector<std::int64_t> labels;
      labels.reserve(set.nodes.size());
      for (std::int32_t node : set.nodes) labels.push_back(model_.mesh.node_tags[node]);
      line("*NSET, NSET={}", quoted_name(written));
      tags(labels);
    }
  }

  bool write_as_elements(const std::string& name, const mesh::NodeSet& set) {
    if (!solids_) {
      solids_.emplace(model_.mesh.n_nodes());
      for (const ElementBlock& block : model_.mesh.blocks) {
        if (elements::dimension(block.type) != 3) continue;
        solids_->add(block);
        solid_tags_.insert(solid_tags_.end(), block.tags.begin(), block.tags.end());
      }
    }
    std::vector<std::int64_t> labels = solids_->making_up(set);
    if (labels.empty()) return false;
    for (std::int64_t& label : labels) label = solid_tags_[static_cast<std::size_t>(label)];
    write_element_set(name, labels, "");
    return true;
  }

  void find_outer_faces() {
    if (faces_) return;
    faces_.emplace(model_.mesh.n_nodes());
    boundary_ = mesh::find_boundary_faces(model_.mesh);
    std::vector<std::int32_t> nodes;
    for (const mesh::BoundaryFace& face : boundary_) {
      const ElementBlock& block = *model_.mesh.find_block(face.solid);
      const elements::Face& positions =
          elements::faces(face.solid)[static_cast<std::size_t>(face.face)];
      nodes.clear();
      for (int i = 0; i < elements::n_nodes(positions.type); ++i)
        nodes.push_back(
            block.connectivity[face.element * elements::n_nodes(face.solid) + positions.nodes[i]]);
      faces_->add(nodes.begin(), nodes.end());
    }
  }

  bool write_as_surface(const std::string& name, const mesh::NodeSet& set) {
    find_outer_faces();
    const std::vector<std::int64_t> faces = faces_->making_up(set);
    if (faces.empty()) return false;
    line("*SURFACE, TYPE=ELEMENT, NAME={}", quoted_name(name));
    for (const std::int64_t f : faces) {
      const mesh::BoundaryFace& face = boundary_[static_cast<std::size_t>(f)];
      line("{}, S{}", model_.mesh.find_block(face.solid)->tags[face.element],
           abaqus_face_number(face.solid, face.face));
    }
    return true;
  }

  static int abaqus_face_number(ElementType solid, int face) {
    int number = 1;
    while (find_abaqus_face(solid, fmt::format("S{}", number)) != face) ++number;
    return number;
  }

  void write_materials() {
    Names names;
    std::vector<std::string> written;
    for (const imported::Material& material : model_.materials) {
      written.push_back(names.make(material.name));
      refuse_directions(material, model_.source);
      line("*MATERIAL, NAME={}", quoted_name(written.back()));
      if (material.youngs_modulus > 0.0)
        line("*ELASTIC\n{}, {}", number(material.youngs_modulus), number(material.poissons_ratio));
      if (material.density > 0.0) line("*DENSITY\n{},", number(material.density));
      if (!material.expansion.isZero(0.0)) line("*EXPANSION\n{},", number(material.expansion[0]));
    }
    for (const auto& [elset, material] : sections_)
      line("*SOLID SECTION, ELSET={}, MATERIAL={}", elset,
           quoted_name(written.at(static_cast<std::size_t>(material))));
  }

  /// Nodes with the same axes share a *TRANSFORM: points on x' and near y'.
  void write_axes() {
    std::map<std::vector<double>, std::vector<std::int64_t>> nodes_of;
    for (const auto& [tag, axes] : model_.node_axes)
      nodes_of[{axes.data(), axes.data() + 6}].push_back(tag);
    int n = 0;
    for (const auto& [axes, nodes] : nodes_of) {
      const std::string name = fmt::format("axes_{}", ++n);
      line("*NSET, NSET={}, INTERNAL", name);
      tags(nodes);
      line("*TRANSFORM, NSET={}, TYPE=R", name);
      items(axes, number);
    }
  }

  void write_point(const char* type, std::int64_t node, const std::string& name) {
    line("*ELEMENT, TYPE={}, ELSET={}\n{}, {}", type, name, ++last_tag_, node);
  }

  /// A node of its own for a mass that is off its node, tied to that by a rigid beam.
  std::int64_t write_offset_node(const imported::PointMass& mass) {
    line("*NODE");
    write_node(++last_node_, position(mass.node) + mass.offset);
    line("*MPC\nBEAM, {}, {}", last_node_, mass.node);
    return last_node_;
  }

  Eigen::Vector3d position(std::int64_t tag) {
    const std::int32_t node = is_in_mesh(tag) ? nodes_->find(tag) : -1;
    if (node >= 0) return model_.mesh.x.col(node);
    for (const imported::LooseNode& loose : model_.loose_nodes)
      if (loose.tag == tag) return loose.x;
    throw base::InputError(fmt::format("node {} of a mass is not in the model", tag),
                           "define the node", {model_.source, 0, 0});
  }

  void write_masses() {
    int n = 0;
    for (const imported::PointMass& mass : model_.masses) {
      const std::string name = fmt::format("mass_{}", ++n);
      const std::int64_t node = mass.offset.isZero(0.0) ? mass.node : write_offset_node(mass);
      if (mass.mass > 0.0) {
        write_point("MASS", node, name);
        line("*MASS, ELSET={}\n{},", name, number(mass.mass));
      }
      const Eigen::Matrix3d& I = mass.inertia;
      if (I.isZero(0.0)) continue;
      write_point("ROTARYI", node, name + "_inertia");
      line("*ROTARY INERTIA, ELSET={}_inertia", name);
      items(std::vector<double>{I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)}, number);
    }
  }

  bool is_in_mesh(std::int64_t tag) {
    if (!nodes_) nodes_ = LabelIndex(model_.mesh.node_tags);
    return nodes_->find(tag) >= 0;
  }

  void write_rigid_elements() {
    int n = 0;
    for (const RigidElement& element : model_.rigid_elements) {
      const std::string surface = fmt::format("coupled_{}", ++n);
      line("*SURFACE, TYPE=NODE, NAME={}, INTERNAL", surface);
      for (std::size_t i = 0; i < element.nodes.size(); ++i)
        if (i < element.weights.size())
          line("{}, {}", element.nodes[i], number(element.weights[i]));
        else
          line("{}", element.nodes[i]);  // CalculiX knows no weights
      line("*COUPLING, CONSTRAINT NAME={}, REF NODE={}, SURFACE={}",
           quoted_name(names_.make(element.name)), element.reference, surface);
      if (element.kind == RigidElement::Kind::rbe2)
        write_kinematic(element);
      else
        write_distributing(element);
    }
  }

  /// Nodes of solids have translations only, and CalculiX refuses to hear of others.
  void write_kinematic(const RigidElement& element) {
    const bool has_translations_only =
        std::all_of(element.nodes.begin(), element.nodes.end(),
                    [this](std::int64_t tag) { return is_in_mesh(tag); });
    line("*KINEMATIC");
    for (char component : element.components)
      if (!has_translations_only || component <= '3') line("{}, {}", component, component);
  }

  void write_distributing(const RigidElement& element) {
    if (element.node_components.substr(0, 3) != "123")
      base::log_warning(
          "{}: distributing couplings of Abaqus use all translations of their nodes, but this one does not",
          element.name);
    if (!has_told_of_calculix_)
      base::log_warning(
          "{}: Abaqus reads distributing couplings over nodes, CalculiX 2.20 does not: it requires faces",
          element.name);
    has_told_of_calculix_ = true;
    line("*DISTRIBUTING");
    for (char component : element.components) line("{}, {}", component, component);
  }

  void write_supports() {
    if (!model_.supports.empty()) line("*BOUNDARY");
    for (const imported::Support& support : model_.supports)
      for (char component : support.components)
        line("{}, {}, {}", support.node, component, component);
  }

  const SolidModel& model_;
  std::string text_;
  Names names_;
  std::vector<std::pair<std::string, int>> sections_;  // element set, material
  std::optional<NodeCover> solids_, faces_;            // faces: the items are those of boundary_
  std::vector<std::int64_t> solid_tags_;
  std::vector<mesh::BoundaryFace> boundary_;
  std::int64_t last_tag_ = 0, last_node_ = 0;
  bool has_told_of_calculix_ = false;
  std::optional<LabelIndex> nodes_;
};

}  // namespace

std::string format_abaqus_input(const SolidModel& model) { return Writer(model).write(); }

void write_abaqus_input(const std::string& path, const SolidModel& model) {
  base::write_atomically(path, format_abaqus_input(model));
}

}  // namespace solidyn::formats

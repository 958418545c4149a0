#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "formats/abaqus/assembly/attachments.h"
#include "formats/abaqus/deck/lines.h"
#include "solidyn/elements/edge_order.h"
#include "solidyn/elements/topology.h"

namespace solidyn::formats::abaqus {
namespace {

using imported::SolidModel;
using mesh::ElementBlock;

class Assembler {
 public:
  Assembler(const Deck& deck, const AbaqusSource& source, AbaqusComplaints& complaints)
      : deck_(deck),
        source_(source),
        complaints_(complaints),
        placement_(deck, source, complaints),
        sets_(placement_, source, complaints) {}

  SolidModel assemble() {
    model_.source = source_.location({0, 0}).file;
    model_.format = "Abaqus input";
    model_.materials = deck_.materials;
    model_.other_elements = deck_.other_elements;
    model_.report = deck_.report;
    require_instances();
    make_blocks();
    make_regions();
    attach();
    complaints_.throw_if_any();
    make_nodes();
    make_sets();
    add_lines({deck_, placement_, sets_, source_}, model_);
    complaints_.throw_if_any();
    return std::move(model_);
  }

 private:
  void warn(std::string what) {
    model_.report.warnings.push_back({{model_.source, 0, 0}, std::move(what), {}});
  }

  void require_instances() {
    if (!deck_.parts.empty() && deck_.instances.empty() && placement_.n_elements() == 0)
      complaints_.add({model_.source, 0, 0}, "the file defines parts, but no instances of them",
                      "write *ASSEMBLY and *INSTANCE, or remove *PART and *END PART");
    const std::vector<std::string>& shifts = placement_.shifts();
    if (!shifts.empty())
      warn(fmt::format(
          "instances use the same labels; offsets were added: {}{}",
          fmt::join(shifts.begin(),
                    shifts.begin() +
                        std::min<std::ptrdiff_t>(10, static_cast<std::ptrdiff_t>(shifts.size())),
                    "; "),
          shifts.size() > 10 ? "; ..." : ""));
  }

  std::size_t mesh_block(elements::ElementType type) {
    auto& blocks = model_.mesh.blocks;
    for (std::size_t b = 0; b < blocks.size(); ++b)
      if (blocks[b].type == type) return b;
    blocks.push_back({type, {}, {}});
    return blocks.size() - 1;
  }

  /// Elements with the numbers that Placement gives the nodes.
  void make_blocks() {
    std::map<elements::ElementType, std::size_t> sizes;
    for (const PlacedBlock& placed : placement_.blocks())
      if (placed.block->type.shape) sizes[*placed.block->type.shape] += placed.block->labels.size();
    for (const auto& [type, n] : sizes) {
      ElementBlock& block = model_.mesh.blocks[mesh_block(type)];
      block.tags.reserve(n);
      block.regions.reserve(n);
      block.connectivity.reserve(n * static_cast<std::size_t>(elements::n_nodes(type)));
    }
    for (PlacedBlock& placed : placement_.blocks()) add_block(placed);
  }

  void add_block(PlacedBlock& placed) {
    const AbaqusType& type = placed.block->type;
    const auto n = static_cast<std::int64_t>(placed.block->labels.size());
    std::vector<std::pair<Label, Label>> missing;  // element, node
    std::vector<Label> repeating;
    std::vector<std::int32_t> nodes(static_cast<std::size_t>(type.n_nodes));
    ElementBlock* block = type.shape ? &model_.mesh.blocks[mesh_block(*type.shape)] : nullptr;
    if (block) placed.first_in_mesh = block->size();
    for (std::int64_t e = 0; e < n; ++e) {
      for (int i = 0; i < type.n_nodes; ++i) {
        nodes[i] = placement_.node_of(placed, e, i);
        if (nodes[i] < 0 && !placed.block->is_guessed)
          missing.emplace_back(placed.block->labels[e], placed.block->nodes[e * type.n_nodes + i]);
      }
      if (!block) continue;
      if (repeats_node(nodes)) repeating.push_back(placed.block->labels[e]);
      for (int i : elements::around_order(*type.shape)) block->connectivity.push_back(nodes[i]);
      block->tags.push_back(placement_.element_tags()[placed.first_element + e]);
    }
    complain_of_nodes(*placed.block, missing, repeating);
  }

  static bool repeats_node(const std::vector<std::int32_t>& nodes) {
    for (std::size_t i = 1; i < nodes.size(); ++i)
      for (std::size_t j = 0; j < i; ++j)
        if (nodes[i] == nodes[j] && nodes[i] >= 0) return true;
    return false;
  }

  void complain_of_nodes(const Elements& block, const std::vector<std::pair<Label, Label>>& missing,
                         const std::vector<Label>& repeating) {
    constexpr std::size_t kMost = 10;
    std::string list;
    for (std::size_t i = 0; i < std::min(kMost, missing.size()); ++i)
      list += fmt::format("{}{} (element {})", i ? ", " : "", missing[i].second, missing[i].first);
    if (!missing.empty())
      complaints_.add(
          source_.location(block.place),
          fmt::format("elements of type {} use {} nodes that are not defined in the file: {}{}",
                      block.type.name, missing.size(), list, missing.size() > kMost ? ", ..." : ""),
          "is the file truncated, or is an *INCLUDE missing?");
    if (!repeating.empty())
      complaints_.add(
          source_.location(block.place),
          fmt::format("{} elements of type {} use a node twice: {}{}", repeating.size(),
                      block.type.name,
                      fmt::join(repeating.begin(),
                                repeating.begin() +
                                    static_cast<std::ptrdiff_t>(std::min(kMost, repeating.size())),
                                ", "),
                      repeating.size() > kMost ? ", ..." : ""),
          "collapsed elements are not supported: use wedges, pyramids or tetrahedra");
  }

  int find_material(const Section& section) {
    const std::string wanted = abaqus_fold(section.material);
    int found = -1;
    for (std::size_t m = 0; m < deck_.materials.size() && found < 0; ++m)
      if (abaqus_fold(deck_.materials[m].name) == wanted) found = static_cast<int>(m);
    if (found < 0 && !wanted.empty())
      complaints_.add(source_.location(section.place),
                      fmt::format("there is no material `{}`", section.material),
                      "check the name, or include the file that defines the material");
    return found;
  }

  /// @param placed  null where the material has no directions: then all places of a part are alike
  std::int32_t region_of(const Section* section, const AbaqusType& type, int material,
                         const Placed* placed) {
    const auto [known, is_new] = regions_.emplace(std::make_tuple(section, type.name, placed),
                                                  static_cast<std::int32_t>(model_.regions.size()));
    if (is_new) {
      model_.regions.push_back(
          {section ? section->elset : "no section", type.name, material, type.integration, {}});
      if (placed) model_.regions.back().axes = axes_of(*section, *placed);
    }
    return known->second;
  }

  bool has_directions(int material) const {
    if (material < 0) return false;
    const imported::Material& m = deck_.materials[static_cast<std::size_t>(material)];
    return m.stiffness || m.expansion[0] != m.expansion[1] || m.expansion[1] != m.expansion[2];
  }

  /// As the part is placed.
  materials::Axes axes_of(const Section& section, const Placed& placed) {
    materials::Axes axes;
    if (section.orientation.empty()) {
      if (!placed.pose.linear().isIdentity())
        complain_of_orientation(section, "has none, in a rotated instance");
    } else if (const Orientation* found = find_orientation(section.orientation, placed); !found) {
      complain_of_orientation(section, "is not in the file");
    } else if (!found->what_is_not_read.empty()) {
      complain_of_orientation(section, "is not supported: " + found->what_is_not_read);
    } else {
      axes = found->axes;
    }
    axes.R = placed.pose.linear() * axes.R;
    axes.origin = placed.pose * axes.origin;
    return axes;
  }

  const Orientation* find_orientation(const std::string& name, const Placed& placed) const {
    const std::string folded = abaqus_fold(name);
    for (const Scope* scope : placed.scopes)
      if (const auto at = scope->orientations.find(folded); at != scope->orientations.end())
        return &at->second;
    const auto at = deck_.root.orientations.find(folded);
    return at == deck_.root.orientations.end() ? nullptr : &at->second;
  }

  void complain_of_orientation(const Section& section, const std::string& what) {
    complaints_.add(source_.location(section.place),
                    fmt::format("the orientation `{}` of an orthotropic or anisotropic material {}",
                                section.orientation, what),
                    "give it by *ORIENTATION with coordinates, rectangular or cylindrical");
  }

  void make_regions() {
    require_materials_once();
    for (ElementBlock& block : model_.mesh.blocks) block.regions.assign(block.tags.size(), -1);
    for (const Placed& placed : placement_.placed())
      for (const Scope* scope : placed.scopes)
        for (const Section& section : scope->sections) add_section(section, placed);
    std::int64_t n_without = 0;
    for (const PlacedBlock& placed : placement_.blocks()) {
      if (!placed.block->type.shape) continue;
      ElementBlock& block = model_.mesh.blocks[mesh_block(*placed.block->type.shape)];
      for (std::size_t e = 0; e < placed.block->labels.size(); ++e) {
        std::int32_t& region = block.regions[static_cast<std::size_t>(placed.first_in_mesh) + e];
        if (region >= 0) continue;
        region = region_of(nullptr, placed.block->type, -1, nullptr);
        ++n_without;
      }
    }
    if (n_without > 0) warn(fmt::format("{} solid elements have no section", n_without));
  }

  void require_materials_once() {
    std::set<std::string> names;
    for (const imported::Material& material : deck_.materials)
      if (!names.insert(abaqus_fold(material.name)).second)
        complaints_.add(material.where,
                        fmt::format("the material `{}` is defined twice", material.name),
                        "rename one of them");
  }

  void add_section(const Section& section, const Placed& placed) {
    const int material = find_material(section);
    const AbaqusType* last_type = nullptr;
    std::int32_t region = -1;
    for (std::int32_t element :
         sets_.find(SetFinder::Kind::element, section.elset, {&placed, section.place})) {
      const PlacedBlock& from = placement_.block_of(element);
      const AbaqusType& type = from.block->type;
      if (!type.shape) {
        model_.report.unsupported.emplace("SOLID SECTION of " + type.name,
                                          source_.location(section.place));
        continue;
      }
      if (&type != last_type)
        region = region_of(&section, type, material, has_directions(material) ? &placed : nullptr);
      last_type = &type;
      ElementBlock& block = model_.mesh.blocks[mesh_block(*type.shape)];
      block.regions[static_cast<std::size_t>(from.first_in_mesh + element - from.first_element)] =
          region;
    }
  }

  void attach() {
    Attachments attachments(placement_, sets_, model_);
    for (const Placed& placed : placement_.placed())
      for (const Scope* scope : placed.scopes) attachments.add(placed, *scope);
    attachments.finish();
  }

  /// The mesh keeps the nodes of solids; the others become loose.
  void make_nodes() {
    mesh_node_.assign(static_cast<std::size_t>(placement_.n_nodes()), -1);
    for (const ElementBlock& block : model_.mesh.blocks)
      for (std::int32_t node : block.connectivity) mesh_node_[node] = 0;
    std::int32_t n = 0;
    for (std::int32_t& node : mesh_node_)
      if (node == 0) node = n++;
    model_.mesh.x.resize(3, n);
    model_.mesh.node_tags.resize(static_cast<std::size_t>(n));
    for (std::int32_t node = 0; node < placement_.n_nodes(); ++node) {
      const std::int32_t at = mesh_node_[node];
      const std::int64_t tag = placement_.node_tags()[node];
      if (at < 0) {
        model_.loose_nodes.push_back({tag, placement_.x(node)});
        continue;
      }
      model_.mesh.x.col(at) = placement_.x(node);
      model_.mesh.node_tags[at] = tag;
    }
    for (ElementBlock& block : model_.mesh.blocks)
      for (std::int32_t& node : block.connectivity) node = mesh_node_[node];
  }

  void make_sets() {
    std::int64_t n_instances = static_cast<std::int64_t>(placement_.placed().size()) - 1;
    // The assembly's sets first: they keep their names.
    add_sets(placement_.root(), "");
    for (std::size_t i = 0; i + 1 < placement_.placed().size(); ++i) {
      const Placed& placed = placement_.placed()[i];
      add_sets(placed, n_instances > 1 ? placed.name + "." : "");
    }
    if (!loose_sets_.empty() && model_.mesh.n_nodes() > 0)
      warn(fmt::format("sets of nodes that are on no solid element were removed: {}",
                       fmt::join(loose_sets_, ", ")));
  }

  void add_sets(const Placed& placed, const std::string& prefix) {
    for (const Scope* scope : placed.scopes) {
      for (const auto& [key, set] : scope->node_sets)
        if (!set.is_internal)
          add_nodes(
              prefix + set.name, 0,
              sets_.find(SetFinder::Kind::node, set.name, {&placed, set.pieces.front().place}));
      for (const auto& [key, surface] : scope->surfaces)
        if (!surface.is_internal || !surface.is_of_nodes)
          add_nodes(prefix + surface.name, surface.is_of_nodes ? 0 : 2,
                    sets_.surface_nodes(surface, {&placed, {}}));
      for (const auto& [key, set] : scope->element_sets)
        if (!set.is_internal) add_element_set(prefix, set, placed);
    }
  }

  void add_element_set(const std::string& prefix, const SetDefinition& set, const Placed& placed) {
    const SetFinder::Members elements =
        sets_.find(SetFinder::Kind::element, set.name, {&placed, set.pieces.front().place});
    add_set(prefix + set.name, dimension_of(elements), sets_.nodes_of(elements), elements.empty());
  }

  void add_nodes(const std::string& name, int dimension, const SetFinder::Members& nodes) {
    add_set(name, dimension, nodes, nodes.empty());
  }

  int dimension_of(const SetFinder::Members& elements) const {
    int dimension = 0;
    for (std::int32_t element : elements)
      dimension = std::max(dimension, placement_.block_of(element).block->type.dimension);
    return dimension;
  }

  void add_set(const std::string& name, int dimension, const SetFinder::Members& nodes,
               bool is_empty) {
    mesh::NodeSet set;
    set.dimension = dimension;
    set.nodes.reserve(nodes.size());
    for (std::int32_t node : nodes)
      if (mesh_node_[node] >= 0) set.nodes.push_back(mesh_node_[node]);
    if (set.nodes.empty() && !is_empty) {
      if (loose_sets_.size() < 20) loose_sets_.push_back(name);
      return;
    }
    auto& sets = model_.mesh.sets;
    const auto same = sets.find(name);
    if (same == sets.end()) {
      sets.emplace(name, std::move(set));
    } else if (same->second.nodes == set.nodes) {
      same->second.dimension = std::max(same->second.dimension, dimension);
    } else {
      sets.emplace(fmt::format("{}_{}d", name, dimension), std::move(set));
    }
  }

  const Deck& deck_;
  const AbaqusSource& source_;
  AbaqusComplaints& complaints_;
  Placement placement_;
  SetFinder sets_;
  SolidModel model_;
  std::map<std::tuple<const Section*, std::string, const Placed*>, std::int32_t> regions_;
  std::vector<std::int32_t> mesh_node_;  // by Placement's node; -1: loose
  std::vector<std::string> loose_sets_;
};

}  // namespace

SolidModel assemble_deck(const Deck& deck, const AbaqusSource& source,
                         AbaqusComplaints& complaints) {
  return Assembler(deck, source, complaints).assemble();
}

}  // namespace solidyn::formats::abaqus

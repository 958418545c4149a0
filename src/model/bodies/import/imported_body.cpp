#include "model/bodies/import/imported_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <set>
#include <unordered_map>

#include "model/bodies/reduced_entry.h"
#include "solidyn/base/error.h"
#include "solidyn/imported/checks.h"

namespace solidyn::model {
namespace {

using Eigen::Vector3d;
using imported::RigidElement;
using imported::SolidModel;

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Nodes by their numbers: those of the solids, and the loose ones.
class Nodes {
 public:
  explicit Nodes(const SolidModel& source) : x_(source.mesh.x) {
    place_.reserve(source.mesh.node_tags.size());
    for (std::size_t i = 0; i < source.mesh.node_tags.size(); ++i)
      place_.emplace(source.mesh.node_tags[i], static_cast<Eigen::Index>(i));
    for (const imported::LooseNode& node : source.loose_nodes) loose_.emplace(node.tag, node.x);
  }
  bool is_in_mesh(std::int64_t tag) const { return place_.count(tag) > 0; }
  bool is_known(std::int64_t tag) const { return is_in_mesh(tag) || loose_.count(tag) > 0; }
  Vector3d position(std::int64_t tag) const {
    const auto found = place_.find(tag);
    return found == place_.end() ? loose_.at(tag) : Vector3d(x_.col(found->second));
  }

 private:
  const Eigen::Matrix3Xd& x_;
  std::unordered_map<std::int64_t, Eigen::Index> place_;
  std::unordered_map<std::int64_t, Vector3d> loose_;
};

class Maker {
 public:
  Maker(const SolidModel& source, const ModelDescription& model, const FlexibleEntry& body)
      : source_(source), model_(model), body_(body), nodes_(source) {}

  ImportedParts make() {
    refuse_unsupported();
    make_sections();
    if (!is_imported())
      for (const RigidElement& element : source_.rigid_elements) make_interface(element);
    refuse_masses_without_unit();
    for (const imported::PointMass& mass : source_.masses) make_mass(mass);
    tell_of_supports();
    parts_.warnings.insert(parts_.warnings.begin(), source_.report.warnings.begin(),
                           source_.report.warnings.end());
    if (!errors_.empty()) throw base::InputError(std::move(errors_));
    return std::move(parts_);
  }

 private:
  base::SourceLocation in_file() const { return {source_.source, 0, 0}; }
  /// `where` in the file, where its reader told.
  void error(std::string what, std::string remedy, const base::SourceLocation& where = {}) {
    errors_.push_back({where.file.empty() ? in_file() : where, std::move(what), std::move(remedy)});
  }
  void warn(std::string what, std::string remedy) {
    parts_.warnings.push_back({in_file(), std::move(what), std::move(remedy)});
  }

  void refuse_unsupported() {
    for (const auto& [card, where] : source_.report.unsupported)
      errors_.push_back(
          {where,
           fmt::format(
               "{} changes stiffness or mass and is not supported: the body {} would differ from that in the file",
               card, body_.name),
           "remove it from the file, or import the matrices from the program that wrote it"});
  }

  bool is_imported() const { return body_.reduced() && body_.reduced()->import; }

  // ---- Materials

  void make_sections() {
    std::int32_t n_regions = 1;
    for (const mesh::ElementBlock& block : source_.mesh.blocks)
      for (const std::int32_t region : block.regions) n_regions = std::max(n_regions, region + 1);
    for (std::int32_t r = 0; r < n_regions; ++r) parts_.sections.push_back(section_of(r));
  }

  fem::Section section_of(std::int32_t r) {
    static const imported::Region nameless;
    const bool has_region = static_cast<std::size_t>(r) < source_.regions.size();
    const imported::Region& region = has_region ? source_.regions[r] : nameless;
    return {material_of(region), hex8_of(region), hex20_of(region)};
  }

  fem::Material material_of(const imported::Region& region) {
    if (!body_.material.empty()) return in_axes_of(region, model_.materials.at(body_.material));
    if (region.material < 0) {
      error(fmt::format("{} has no material", region.name.empty() ? "the mesh" : region.name),
            fmt::format("add it in the file, or give  bodies.{}.material{}", body_.name,
                        needs_stiffness() ? "" : ", or nodal masses"));
      return {};
    }
    const imported::Material& own = source_.materials[region.material];
    if (const MaterialDescription* other = find_material_of_model(model_, own.name))
      return in_axes_of(region, *other);
    fem::Material material = fem::IsotropicElastic{1.0, 0.0, own.density};
    if (needs_stiffness() && own.stiffness)
      material = materials::AnisotropicElastic{*own.stiffness, own.density};
    else if (needs_stiffness())
      material = fem::IsotropicElastic{own.youngs_modulus, own.poissons_ratio, own.density};
    material.expansion = own.expansion;
    material.axes = region.axes;
    refuse_bad_material(own, material);
    warn_of_doubtful_units(own);
    return material;
  }

  // The constants of the model file along the axes that the region has, unless it gives others.
  static fem::Material in_axes_of(const imported::Region& region,
                                  const MaterialDescription& description) {
    fem::Material material = description.solid;
    if (!description.has_axes) material.axes = region.axes;
    return material;
  }

  // Imported modes have theirs, but not their stress.
  bool needs_stiffness() const {
    const reduction::StressOptions& stress = body_.stress;
    return !is_imported() || !stress.places.empty() ||
           stress.pictures != reduction::StressInPictures::none;
  }

  // Once per material, though several regions may have it.
  void refuse_bad_material(const imported::Material& own, const fem::Material& material) {
    if (!complained_.insert(own.name).second) return;
    try {
      check(material, fmt::format("material {}", own.name));
    } catch (const base::InputError& e) {
      for (base::Diagnostic d : e.diagnostics()) {
        d.where = own.where.file.empty() ? in_file() : own.where;
        d.remedy = fmt::format("{}, in the file or as  materials.{}  of the model file", d.remedy,
                               name_in_model(own.name));
        errors_.push_back(std::move(d));
      }
    }
  }

  // Once per material, likewise.
  void warn_of_doubtful_units(const imported::Material& own) {
    if (!(own.youngs_modulus > 0.0 && own.density > 0.0)) return;
    if (!doubted_.insert(own.name).second) return;
    imported::SolidChecks checks;
    checks.source = source_.source;
    checks.waves = {{own.name, std::sqrt(own.youngs_modulus / own.density)}};
    for (base::Diagnostic& doubt : imported::report(checks).warnings)
      parts_.warnings.push_back(std::move(doubt));
  }

  fem::Hex8Formulation hex8_of(const imported::Region& region) {
    if (body_.hex8) return *body_.hex8;
    const bool is_reduced = region.integration == imported::Integration::reduced;
    if (is_reduced && needs_stiffness() && has_type(region, elements::ElementType::hex8))
      warn(
          fmt::format(
              "{} has 8-node hexahedra with reduced integration ({}): incompatible modes are used instead, which are as flexible in bending and need no stabilisation",
              region.name, region.element_name),
          {});
    return region.integration == imported::Integration::standard
               ? fem::Hex8Formulation::standard
               : fem::Hex8Formulation::incompatible_modes;
  }

  fem::Hex20Integration hex20_of(const imported::Region& region) {
    if (body_.hex20) return *body_.hex20;
    return region.integration == imported::Integration::reduced ? fem::Hex20Integration::reduced
                                                                : fem::Hex20Integration::full;
  }

  bool has_type(const imported::Region& region, elements::ElementType type) const {
    const auto r = static_cast<std::int32_t>(&region - source_.regions.data());
    const mesh::ElementBlock* block = source_.mesh.find_block(type);
    if (!block) return false;
    if (block->regions.empty()) return r == 0;
    return std::find(block->regions.begin(), block->regions.end(), r) != block->regions.end();
  }

  // ---- Rigid elements

  void make_interface(const RigidElement& element) {
    if (element.nodes.empty() || is_declared(name_in_model(element.name))) return;
    const char* problem = problem_of(element);
    if (!problem) {
      parts_.interfaces.push_back(interface_of(element));
    } else if (element.kind == RigidElement::Kind::rbe2) {
      error(
          fmt::format("{} {}", element.name, problem),
          "as an interface it must constrain at least three nodes of solids in all directions; change it, or remove it from the file",
          element.where);
    } else {
      warn(fmt::format("{} {}: it is ignored, since no joint can use it", element.name, problem),
           "define an interface there in the model file");
    }
  }

  bool is_declared(const std::string& name) const {
    const auto& own = body_.interfaces;
    return std::any_of(own.begin(), own.end(), [&](const auto& i) { return i.name == name; });
  }

  // Null when it makes an interface.
  const char* problem_of(const RigidElement& element) const {
    const bool is_rbe2 = element.kind == RigidElement::Kind::rbe2;
    const auto is_solid = [&](std::int64_t node) { return nodes_.is_in_mesh(node); };
    if (!nodes_.is_known(element.reference))
      return "has a reference node that is not defined in the file";
    if (!std::all_of(element.nodes.begin(), element.nodes.end(), is_solid))
      return "constrains nodes that are on no solid";
    const std::string& held = is_rbe2 ? element.components : element.node_components;
    if (held.find("123") == std::string::npos)
      return "does not constrain its nodes in all directions";
    if (!is_rbe2 && is_solid(element.reference))
      return "has a node of a solid as its reference node";
    return tags_of(element).size() < 3 ? "has fewer than three nodes" : nullptr;
  }

  // Ascending; of an RBE2 its reference too, when a solid has it.
  std::vector<std::int64_t> tags_of(const RigidElement& element) const {
    std::set<std::int64_t> tags(element.nodes.begin(), element.nodes.end());
    if (element.kind == RigidElement::Kind::rbe2 && nodes_.is_in_mesh(element.reference))
      tags.insert(element.reference);
    return {tags.begin(), tags.end()};
  }

  mesh::InterfaceDefinition interface_of(const RigidElement& element) const {
    mesh::InterfaceDefinition definition;
    definition.name = name_in_model(element.name);
    definition.attach =
        element.kind == RigidElement::Kind::rbe2 ? mesh::Attachment::rbe2 : mesh::Attachment::rbe3;
    mesh::NumberedNodes nodes{nodes_.position(element.reference), tags_of(element), {}};
    if (element.kind == RigidElement::Kind::rbe3 && !element.weights.empty())
      nodes.weights = weights_of(element, nodes.tags);
    definition.nodes = std::move(nodes);
    return definition;
  }

  static std::vector<double> weights_of(const RigidElement& element,
                                        const std::vector<std::int64_t>& tags) {
    std::vector<double> weights(tags.size(), 0.0);
    for (std::size_t i = 0; i < element.nodes.size(); ++i)
      weights[std::lower_bound(tags.begin(), tags.end(), element.nodes[i]) - tags.begin()] +=
          element.weights[i];
    return weights;
  }

  // ---- Masses

  // A unit of length says what offsets are, but not masses.
  void refuse_masses_without_unit() {
    if (is_imported() || body_.has_unit_system) return;
    if (source_.masses.empty()) return;
    error(fmt::format(
              "{} point masses (first: {}) have no unit: bodies.{}.mesh_units is a unit of length",
              source_.masses.size(), source_.masses[0].name, body_.name),
          "give a unit system, for example  mesh_units: tonne-mm-s");
  }

  void make_mass(const imported::PointMass& mass) {
    const bool has_inertia = !mass.inertia.isZero(0.0);
    if (mass.mass == 0.0 && !has_inertia) return;
    if (!(mass.mass >= 0.0))
      return error(fmt::format("{} has the mass {:g} kg", mass.name, mass.mass),
                   "a mass must be positive: correct it in the file", mass.where);
    if (!nodes_.is_known(mass.node))
      return error(
          fmt::format("{} is on node {}, which is not defined in the file", mass.name, mass.node),
          "add the node to the file, or remove the mass", mass.where);
    if (nodes_.is_in_mesh(mass.node) && mass.offset.isZero(0.0) && !has_inertia) {
      parts_.masses.at_nodes.push_back({mass.name, mass.mass, mass.node});
      return;
    }
    refuse_negative_inertia(mass);
    if (const auto carrier = find_carrier(mass))
      parts_.masses.on_frames.push_back(
          {mass.name, mass.mass, nodes_.position(mass.node) + mass.offset, mass.inertia, *carrier});
  }

  // A disc of no thickness has moments that no solid has; but none is negative.
  void refuse_negative_inertia(const imported::PointMass& mass) {
    constexpr double kRounding = 1e-6;  // of the largest; files write few digits
    const Vector3d J = Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(mass.inertia).eigenvalues();
    if (J[0] < -kRounding * J.cwiseAbs().maxCoeff())
      error(
          fmt::format("{} has the principal moments of inertia {:.4g}, {:.4g}, {:.4g} kg m^2",
                      mass.name, J[0], J[1], J[2]),
          "none of them may be negative: do the signs of its products of inertia follow the convention of the format?",
          mass.where);
  }

  // The frame of a rigid element that holds the node, else of the node with its neighbours.
  std::optional<mesh::InterfaceDefinition> find_carrier(const imported::PointMass& mass) {
    std::string problem = "is on no solid and in no rigid element";
    for (const RigidElement& element : source_.rigid_elements) {
      if (element.nodes.empty() || !holds(element, mass.node)) continue;
      mesh::InterfaceDefinition declared;
      declared.name = name_in_model(element.name);
      declared.nodes = mesh::NumberedNodes();  // those of the declared interface count
      if (is_declared(declared.name)) return declared;
      const char* why = problem_of(element);
      if (!why) return interface_of(element);
      problem = fmt::format("only {} constrains, which {}", element.name, why);
    }
    if (nodes_.is_in_mesh(mass.node)) return frame_of_node(mass);
    error(fmt::format("{} is on node {}, which {}", mass.name, mass.node, problem),
          "attach it to at least three nodes of the solids by an RBE2, RBE3 or coupling",
          mass.where);
    return std::nullopt;
  }

  // The node moves as the element's frame.
  bool holds(const RigidElement& element, std::int64_t node) const {
    if (element.reference == node) return true;
    return element.kind == RigidElement::Kind::rbe2 &&
           std::find(element.nodes.begin(), element.nodes.end(), node) != element.nodes.end();
  }

  mesh::InterfaceDefinition frame_of_node(const imported::PointMass& mass) const {
    mesh::InterfaceDefinition definition;
    definition.name = name_in_model(mass.name);
    definition.attach = mesh::Attachment::node;
    definition.nodes = mesh::NumberedNodes{nodes_.position(mass.node), {mass.node}, {}};
    return definition;
  }

  void tell_of_supports() {
    if (source_.supports.empty()) return;
    warn(fmt::format("{} supports in the file are ignored: the body is free",
                     source_.supports.size()),
         "constrain it by joints, or by  supports:  in the model file");
  }

  const SolidModel& source_;
  const ModelDescription& model_;
  const FlexibleEntry& body_;
  const Nodes nodes_;
  ImportedParts parts_;
  std::vector<base::Diagnostic> errors_;
  std::set<std::string> complained_, doubted_;
};

}  // namespace

std::string name_in_model(const std::string& name) {
  std::string text;
  for (const char c : name) {
    const bool is_kept = std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '-';
    text += is_kept ? c : '_';
  }
  const bool is_letter =
      !text.empty() && !std::isdigit(static_cast<unsigned char>(text[0])) && text[0] != '-';
  return is_letter ? text : "_" + text;
}

const MaterialDescription* find_material_of_model(const ModelDescription& model,
                                                  const std::string& name) {
  const std::string wanted = lower(name_in_model(name));
  for (const auto& [key, material] : model.materials)
    if (lower(key) == wanted) return &material;
  return nullptr;
}

ImportedParts make_imported_parts(const SolidModel& source, const ModelDescription& model,
                                  const FlexibleEntry& body) {
  return Maker(source, model, body).make();
}

}  // namespace solidyn::model

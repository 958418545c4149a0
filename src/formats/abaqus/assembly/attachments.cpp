#include "formats/abaqus/assembly/attachments.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "formats/abaqus/deck/numbers.h"
#include "formats/shared/label_index.h"

namespace solidyn::formats::abaqus {

using imported::RigidElement;

void Attachments::add(const Placed& placed, const Scope& scope) {
  for (const MassProperty& property : scope.masses) add_mass(property, placed);
  for (const Coupling& coupling : scope.couplings) add_coupling(coupling, placed);
  for (const Transform& transform : scope.transforms) add_transform(transform, placed);
  for (const Boundary& boundary : scope.boundaries) {
    unsigned bits = 0;
    for (char digit : boundary.components) bits |= 1U << static_cast<unsigned>(digit - '0');
    for (std::int32_t node :
         sets_.find(SetFinder::Kind::node, boundary.what, {&placed, boundary.place}))
      supports_[node] |= bits;
  }
}

void Attachments::finish() {
  fold_masses();
  model_.supports.reserve(supports_.size());
  for (const auto& [node, bits] : supports_) {
    imported::Support support{placement_.node_tags()[node], {}};
    for (unsigned c = 1; c <= 6; ++c)
      if (bits & (1U << c)) support.components += static_cast<char>('0' + c);
    model_.supports.push_back(std::move(support));
  }
}

void Attachments::add_mass(const MassProperty& property, const Placed& placed) {
  const Context context{&placed, property.place};
  const SetFinder::Members elements = sets_.find(SetFinder::Kind::element, property.elset, context);
  model_.masses.reserve(model_.masses.size() + elements.size());
  for (std::int32_t element : elements) {
    const PlacedBlock& block = placement_.block_of(element);
    if (block.block->type.n_nodes != 1)
      return sets_.complain(
          context,
          fmt::format("`{}` contains elements of type {}, which are not point elements",
                      property.elset, block.block->type.name),
          "assign masses to elements of type MASS or ROTARYI");
    const std::int32_t node = placement_.node_of(block, element - block.first_element, 0);
    if (node < 0) continue;  // was complained about
    imported::PointMass mass;
    mass.name = fmt::format("{} {}", block.block->type.name, placement_.element_tags()[element]);
    mass.node = placement_.node_tags()[node];
    mass.mass = property.mass;
    mass.where = sets_.location(context);
    const Eigen::Matrix3d R = placed.pose.linear();
    mass.inertia = R * property.inertia * R.transpose();
    model_.masses.push_back(std::move(mass));
  }
}

std::int32_t Attachments::find_reference(const Coupling& coupling, const Context& context) {
  SetFinder::Members found;
  if (coupling.reference_is_elset)
    found = sets_.nodes_of(sets_.find(SetFinder::Kind::element, coupling.reference, context));
  else
    found = sets_.find(SetFinder::Kind::node, coupling.reference, context);
  if (found.size() == 1) return found.front();
  if (!found.empty())
    sets_.complain(context,
                   fmt::format("`{}`, the reference node of a coupling, contains {} nodes",
                               coupling.reference, found.size()),
                   "exactly one node is required");
  return -1;
}

namespace {

/// A surface of nodes may give each the area that it stands for.
double weight_of(const SurfaceItem& item) {
  double area = 0.0;
  return parse_number(item.face, area) && area > 0.0 && std::isfinite(area) ? area : 1.0;
}

}  // namespace

void Attachments::add_coupled_nodes(const Coupling& coupling, const Context& context,
                                    std::int32_t reference, RigidElement& element) {
  const auto append = [&](const SetFinder::Members& nodes, double weight) {
    for (std::int32_t node : nodes) {
      if (node == reference) continue;
      element.nodes.push_back(placement_.node_tags()[node]);
      if (element.kind == RigidElement::Kind::rbe3) element.weights.push_back(weight);
    }
  };
  if (!coupling.surface.empty()) {
    Context at = context;
    const SurfaceDefinition* surface = sets_.find_surface(coupling.surface, at);
    if (surface && !surface->is_of_nodes) append(sets_.surface_nodes(*surface, at), 1.0);
    if (surface && surface->is_of_nodes)
      for (const SurfaceItem& item : surface->items)
        append(sets_.find(SetFinder::Kind::node, item.what, {at.placed, item.place}),
               weight_of(item));
  }
  if (!coupling.elset.empty())
    append(sets_.nodes_of(sets_.find(SetFinder::Kind::element, coupling.elset, context)), 1.0);
  for (const auto& [item, weight] : coupling.nodes)
    append(sets_.find(SetFinder::Kind::node, item, context), weight);
}

void Attachments::add_coupling(const Coupling& coupling, const Placed& placed) {
  const Context context{&placed, coupling.place};
  const std::int32_t reference = find_reference(coupling, context);
  if (reference < 0) return;
  if (coupling.joins_others) {
    const auto [beam, is_new] = beams_.emplace(reference, model_.rigid_elements.size());
    if (!is_new)
      return add_coupled_nodes(coupling, context, reference, model_.rigid_elements[beam->second]);
  }
  RigidElement element;
  element.where = sets_.location(context);
  element.kind = coupling.kind;
  element.name = coupling.name;
  element.reference = placement_.node_tags()[reference];
  element.components = coupling.components;
  add_coupled_nodes(coupling, context, reference, element);
  model_.rigid_elements.push_back(std::move(element));
}

namespace {

/// Axes at x, columns in the part's axes; without rotation where the points leave them open.
Eigen::Matrix3d axes_at(const Transform& transform, const Eigen::Vector3d& x) {
  Eigen::Vector3d e1 = transform.a, e3 = transform.a.cross(transform.b);
  const Eigen::Vector3d axis = (transform.b - transform.a).normalized();
  if (transform.type == 'C') {
    e3 = axis;
    e1 = x - transform.a;
    e1 -= axis.dot(e1) * axis;
  } else if (transform.type == 'S') {
    e1 = x - transform.a;
    e3 = axis - axis.dot(e1) * e1 / e1.squaredNorm();
  }
  const double size = e1.norm() * e3.norm();
  if (!(size > 0.0) || !std::isfinite(size)) return Eigen::Matrix3d::Zero();
  e1.normalize();
  e3.normalize();
  Eigen::Matrix3d axes;
  axes << e1, e3.cross(e1), e3;
  return axes;
}

}  // namespace

void Attachments::add_transform(const Transform& transform, const Placed& placed) {
  const Context context{&placed, transform.place};
  for (std::int32_t node : sets_.find(SetFinder::Kind::node, transform.nset, context)) {
    const Eigen::Matrix3d axes = axes_at(transform, placed.pose.inverse() * placement_.x(node));
    if (axes.isZero())
      return sets_.complain(
          context,
          fmt::format(
              "*TRANSFORM defines no axes at node {}: its points and the node are collinear",
              placement_.node_tags()[node]),
          "choose other points, or remove the node from the set");
    model_.node_axes[placement_.node_tags()[node]] = placed.pose.linear() * axes;
  }
}

std::vector<bool> Attachments::nodes_of_solids() const {
  std::vector<bool> is_used(static_cast<std::size_t>(placement_.n_nodes()), false);
  for (const mesh::ElementBlock& block : model_.mesh.blocks)
    for (std::int32_t node : block.connectivity)
      if (node >= 0) is_used[static_cast<std::size_t>(node)] = true;
  return is_used;
}

/// A mass on a node of its own that a beam ties to another node is a mass off that node.
void Attachments::fold_masses() {
  if (beams_.empty() || model_.masses.empty()) return;
  const std::vector<bool> is_in_solid = nodes_of_solids();
  const LabelIndex positions(placement_.node_tags());
  std::map<std::int64_t, int> n_uses;
  for (const RigidElement& element : model_.rigid_elements) {
    ++n_uses[element.reference];
    for (std::int64_t tag : element.nodes) ++n_uses[tag];
  }
  std::map<std::int64_t, std::int32_t> beam_of;  // of nodes that only one beam holds
  for (const auto& [reference, index] : beams_)
    for (std::int64_t tag : model_.rigid_elements[index].nodes) {
      const std::int32_t node = positions.find(tag);
      if (n_uses[tag] == 1 && !is_in_solid[static_cast<std::size_t>(node)] &&
          !supports_.count(node))
        beam_of.emplace(tag, reference);
    }
  std::set<std::int64_t> folded;
  for (imported::PointMass& mass : model_.masses) {
    const auto beam = beam_of.find(mass.node);
    if (beam == beam_of.end()) continue;
    folded.insert(mass.node);
    mass.offset += placement_.x(positions.find(mass.node)) - placement_.x(beam->second);
    mass.node = placement_.node_tags()[static_cast<std::size_t>(beam->second)];
  }
  for (RigidElement& element : model_.rigid_elements)
    element.nodes.erase(std::remove_if(element.nodes.begin(), element.nodes.end(),
                                       [&](std::int64_t tag) { return folded.count(tag) > 0; }),
                        element.nodes.end());
  model_.rigid_elements.erase(
      std::remove_if(model_.rigid_elements.begin(), model_.rigid_elements.end(),
                     [&](const RigidElement& element) {
                       return element.nodes.empty() && element.kind == RigidElement::Kind::rbe2;
                     }),
      model_.rigid_elements.end());
}

}  // namespace solidyn::formats::abaqus

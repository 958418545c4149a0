#include "solidyn/mesh/interface.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>

#include "gather_items.h"
#include "node_frame.h"
#include "region_weights.h"
#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/math/rotation.h"

namespace solidyn::mesh {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::skew;

/// A node as it travels between ranks.
struct Candidate {
  std::int64_t global;
  std::int64_t tag;
  double x[3];
  double weight;    // kg, or as given
  double distance;  // from the point in question
  Vector3d position() const { return Vector3d(x[0], x[1], x[2]); }
};

/// The file's numbers decide between equal distances: they do not depend on the number of ranks.
bool is_nearer(const Candidate& a, const Candidate& b) {
  return std::tie(a.distance, a.tag) < std::tie(b.distance, b.tag);
}

using Masses = Eigen::Ref<const Eigen::VectorXd>;

Candidate make_candidate(const DistributedMesh& mesh, const Masses& mass, std::int32_t node) {
  Candidate c{mesh.global[node], mesh.node_tags[node], {}, mass[node], 0.0};
  Vector3d::Map(c.x) = mesh.x.col(node);
  return c;
}

/// Collective. All ranks' candidates, in the order of their tags.
std::vector<Candidate> gather(MPI_Comm comm, const std::vector<Candidate>& mine) {
  std::vector<Candidate> all = gather_items(comm, mine);
  std::sort(all.begin(), all.end(),
            [](const Candidate& a, const Candidate& b) { return a.tag < b.tag; });
  return all;
}

/// Collective. The n nodes nearest to a point (all, if the mesh has fewer), nearest first.
std::vector<Candidate> find_nearest(const DistributedMesh& mesh, const Masses& mass,
                                    const Vector3d& point, std::size_t n) {
  std::vector<Candidate> nodes;
  nodes.reserve(mesh.n_owned);
  for (std::int32_t i = 0; i < mesh.n_owned; ++i) {
    nodes.push_back(make_candidate(mesh, mass, i));
    nodes.back().distance = (mesh.x.col(i) - point).norm();
  }
  const auto keep = [n](std::vector<Candidate>& list) {
    const std::size_t kept = std::min(n, list.size());
    std::partial_sort(list.begin(), list.begin() + kept, list.end(), is_nearer);
    list.resize(kept);
  };
  keep(nodes);
  nodes = gather(mesh.comm, nodes);
  keep(nodes);
  return nodes;
}

std::string known_sets(const DistributedMesh& mesh) {
  if (mesh.sets.empty())
    return "the mesh has no sets; select nodes near a point, in a box or in a cylinder";
  std::string text = "the mesh has the sets";
  for (const auto& [name, set] : mesh.sets) text += (text.back() == 's' ? " " : ", ") + name;
  return text;
}

/// The owned nodes whose local index is accepted.
template <class Accepts>
std::vector<std::int32_t> select_if(const DistributedMesh& mesh, const Accepts& accepts) {
  std::vector<std::int32_t> nodes;
  for (std::int32_t i = 0; i < mesh.n_owned; ++i)
    if (accepts(i)) nodes.push_back(i);
  return nodes;
}

constexpr double kOnBound = 1e-9;  // of the size

// The functions below find the owned nodes of a selection. Local.

std::vector<std::int32_t> select(const DistributedMesh& mesh, const std::string&,
                                 const NodesNear& near) {
  const double radius = near.radius * (1.0 + kOnBound);
  return select_if(mesh,
                   [&](std::int32_t i) { return (mesh.x.col(i) - near.point).norm() <= radius; });
}

std::vector<std::int32_t> select(const DistributedMesh& mesh, const std::string& owner,
                                 const NodesInSet& in) {
  const auto set = mesh.sets.find(in.set);
  if (set == mesh.sets.end())
    throw base::InputError(fmt::format("{}: the mesh has no set `{}`", owner, in.set),
                           known_sets(mesh));
  return set->second.nodes;
}

std::vector<std::int32_t> select(const DistributedMesh& mesh, const std::string&,
                                 const NodesInBox& box) {
  const Vector3d slack = Vector3d::Constant(kOnBound * (box.high - box.low).norm());
  return select_if(mesh, [&](std::int32_t i) {
    const Vector3d x = mesh.x.col(i);
    return ((x - box.low + slack).array() >= 0.0).all() &&
           ((box.high - x + slack).array() >= 0.0).all();
  });
}

std::vector<std::int32_t> select(const DistributedMesh& mesh, const std::string& owner,
                                 const NodesInCylinder& cylinder) {
  if (!(cylinder.axis.norm() > 0.0))
    throw base::InputError(fmt::format("{}: the axis of the cylinder is zero", owner),
                           "give the direction of the axis, for example [1, 0, 0]");
  const Vector3d axis = cylinder.axis.normalized();
  const double slack = kOnBound * std::hypot(cylinder.radius, cylinder.length);
  return select_if(mesh, [&](std::int32_t i) {
    const Vector3d x = mesh.x.col(i);
    const double along = axis.dot(x - cylinder.start);
    return along >= -slack && along <= cylinder.length + slack &&
           (x - cylinder.start - along * axis).norm() <= cylinder.radius + slack;
  });
}

std::vector<std::int32_t> select(const DistributedMesh& mesh, const std::string&,
                                 const NumberedNodes& numbered) {
  return select_if(mesh, [&](std::int32_t i) {
    return std::binary_search(numbered.tags.begin(), numbered.tags.end(), mesh.node_tags[i]);
  });
}

/// Throws on all ranks or on none.
std::vector<std::int32_t> select_any(const DistributedMesh& mesh, const std::string& owner,
                                     const NodeSelection& selection) {
  return std::visit([&](const auto& rule) { return select(mesh, owner, rule); }, selection);
}

/// Collective. Of an interface, which takes as many nodes as it needs where no radius is given.
double near_radius(const DistributedMesh& mesh, const Masses& mass, const NodesNear& near) {
  if (near.radius > 0.0) return near.radius;
  constexpr std::size_t kNearest = 8;
  const std::vector<Candidate> nearest = find_nearest(mesh, mass, near.point, kNearest);
  return nearest.empty() ? 0.0 : nearest.back().distance;
}

[[noreturn]] void throw_nothing_selected(const std::string& owner) {
  throw base::InputError(fmt::format("{}: its selection contains no node of the mesh", owner),
                         "check the point, the size and the length unit of the mesh");
}

/// Collective. The region's nodes on all ranks.
std::vector<Candidate> gather_region(const DistributedMesh& mesh, const Masses& mass,
                                     const InterfaceDefinition& definition) {
  const std::string owner = fmt::format("interface `{}`", definition.name);
  const auto* near = std::get_if<NodesNear>(&definition.nodes);
  const std::vector<std::int32_t> nodes =
      near ? select(mesh, owner, NodesNear{near->point, near_radius(mesh, mass, *near)})
           : select_any(mesh, owner, definition.nodes);
  std::vector<Candidate> mine;
  mine.reserve(nodes.size());
  for (std::int32_t node : nodes) mine.push_back(make_candidate(mesh, mass, node));
  std::vector<Candidate> all = gather(mesh.comm, mine);
  if (all.empty()) throw_nothing_selected(owner);
  return all;
}

void require_positive_masses(const std::string& interface, const std::vector<Candidate>& nodes) {
  for (const Candidate& c : nodes)
    if (!(c.weight > 0.0))
      throw base::ComputationError(fmt::format(
          "interface `{}`: node {} has the mass {:g} kg; the weights require positive nodal masses",
          interface, c.tag, c.weight));
}

/// Gives the nodes, which are in the order of their tags, the weights of the selection.
void weigh_as_given(const std::string& interface, const NumberedNodes& given,
                    std::vector<Candidate>& nodes) {
  for (std::size_t i = 0; i < given.tags.size(); ++i) {
    if (i >= nodes.size() || nodes[i].tag != given.tags[i])
      throw base::InputError(
          fmt::format("interface `{}`: the mesh has no node {}", interface, given.tags[i]),
          "every node of the interface must be on a solid element");
    nodes[i].weight = given.weights.empty() ? 1.0 : given.weights[i];
  }
}

bool is_face_set(const DistributedMesh& mesh, const NodeSelection& selection) {
  const auto* in = std::get_if<NodesInSet>(&selection);
  return in && mesh.sets.at(in->set).dimension == 2;
}

/// Where the selection says that the frame stands; else null.
const Vector3d* find_origin(const NodeSelection& selection) {
  if (const auto* near = std::get_if<NodesNear>(&selection)) return &near->point;
  const auto* numbered = std::get_if<NumberedNodes>(&selection);
  return numbered ? &numbered->origin : nullptr;
}

void fill_nodes(const std::vector<Candidate>& nodes, Interface& result) {
  result.x_nodes.resize(3, static_cast<Eigen::Index>(nodes.size()));
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    result.nodes.push_back(nodes[i].global);
    result.x_nodes.col(static_cast<Eigen::Index>(i)) = nodes[i].position();
  }
}

/// For frames that follow their nodes otherwise than by a weighted mean.
void weigh_alike(Interface& result) {
  const RegionWeights alike =
      weigh_nodes(result.x_nodes, Eigen::VectorXd::Ones(result.x_nodes.cols()));
  result.node_weights = alike.shares;
  result.node_moments = alike.moments;
}

constexpr double kSingular = 0.86602540378443864676;  // cos(30 deg)

bool are_apart(const Vector3d& a, const Vector3d& b) { return std::abs(a.dot(b)) < kSingular; }

/// (65), (66) with the virtual body's axes those of B.
bool is_first_axis(const Vector3d& km) {
  if (km.norm() == 0.0) return false;
  const Vector3d e1 = km.normalized();
  return are_apart(e1, Vector3d::UnitY()) && are_apart(e1, Vector3d::UnitZ());
}

/// (64), (67).
bool is_second_axis(const Vector3d& km, const Vector3d& kn) {
  if (kn.norm() == 0.0) return false;
  const Vector3d e1 = km.normalized(), a = kn.normalized();
  return are_apart(e1, a) && are_apart(e1.cross(a).normalized(), Vector3d::UnitZ());
}

/// Collective. Nodes k, m, n, searched among the nearest nodes, more and more of them.
std::vector<Candidate> find_triad(const DistributedMesh& mesh, const Masses& mass,
                                  const std::string& interface, const Candidate& k,
                                  const Vector3d& point) {
  for (std::size_t n_searched = 64;; n_searched *= 8) {
    const std::vector<Candidate> nodes = find_nearest(mesh, mass, point, n_searched);
    const auto arm = [&k](const Candidate& c) { return Vector3d(c.position() - k.position()); };
    const auto m = std::find_if(nodes.begin(), nodes.end(),
                                [&](const Candidate& c) { return is_first_axis(arm(c)); });
    if (m != nodes.end()) {
      const auto n = std::find_if(nodes.begin(), nodes.end(), [&](const Candidate& c) {
        return is_second_axis(arm(*m), arm(c));
      });
      if (n != nodes.end()) return {k, *m, *n};
    }
    if (nodes.size() < n_searched)
      throw base::InputError(
          fmt::format(
              "interface `{}`: no nodes near ({:g}, {:g}, {:g}) form a triad with all angles above 30 degrees",
              interface, point[0], point[1], point[2]),
          "attach with rbe3 and a region of nodes instead");
  }
}

/// d(unit vector along v)/dv.
Matrix3d direction_derivative(const Vector3d& v) {
  const Vector3d e = v.normalized();
  return (Matrix3d::Identity() - e * e.transpose()) / v.norm();
}

/// (52), (53) with infinitesimal displacements instead of velocities; the small rotation w of an
/// orthonormal triad has de_i = w x e_i, hence w = 1/2 sum e_i x de_i.
void fill_triad(Interface& result) {
  using Rows = Eigen::Matrix<double, 3, 9>;
  const Vector3d km = result.x_nodes.col(1) - result.x_nodes.col(0);
  const Vector3d kn = result.x_nodes.col(2) - result.x_nodes.col(0);
  const Vector3d e1 = km.normalized(), a = kn.normalized(), normal = e1.cross(a);
  const Vector3d e2 = normal.normalized(), e3 = e1.cross(e2);
  Rows de1, da;
  de1 << -direction_derivative(km), direction_derivative(km), Matrix3d::Zero();
  da << -direction_derivative(kn), Matrix3d::Zero(), direction_derivative(kn);
  const Rows de2 = direction_derivative(normal) * (skew(e1) * da - skew(a) * de1);
  const Rows de3 = skew(e1) * de2 - skew(e2) * de1;
  result.weights.setZero(6, 9);
  result.weights.block<3, 3>(0, 0).setIdentity();
  result.weights.bottomRows<3>() = 0.5 * (skew(e1) * de1 + skew(e2) * de2 + skew(e3) * de3);
}

/// The point that a triad's search starts from, and its node k.
std::pair<Vector3d, Candidate> find_triad_origin(const DistributedMesh& mesh, const Masses& mass,
                                                 const InterfaceDefinition& definition) {
  if (const auto* near = std::get_if<NodesNear>(&definition.nodes)) {
    const std::vector<Candidate> nearest = find_nearest(mesh, mass, near->point, 1);
    SOLIDYN_ASSERT(!nearest.empty());
    return {near->point, nearest.front()};
  }
  std::vector<Candidate> region = gather_region(mesh, mass, definition);
  Vector3d centroid = Vector3d::Zero();
  for (const Candidate& c : region) centroid += c.position() / static_cast<double>(region.size());
  for (Candidate& c : region) c.distance = (c.position() - centroid).norm();
  return {centroid, *std::min_element(region.begin(), region.end(), is_nearer)};
}

}  // namespace

namespace {

// The functions below fill an interface and return the numbers of its nodes in the file.

std::vector<std::int64_t> tags_of(const std::vector<Candidate>& nodes) {
  std::vector<std::int64_t> tags;
  tags.reserve(nodes.size());
  for (const Candidate& c : nodes) tags.push_back(c.tag);
  return tags;
}

/// Collective. The weighting of the nodes, which are in the order of their tags.
RegionWeights weigh_region(const DistributedMesh& mesh, const InterfaceDefinition& definition,
                           const Eigen::Matrix3Xd& x, std::vector<Candidate>& nodes) {
  if (const auto* numbered = std::get_if<NumberedNodes>(&definition.nodes)) {
    weigh_as_given(definition.name, *numbered, nodes);
  } else {
    if (is_face_set(mesh, definition.nodes))
      if (const auto by_faces = weigh_by_faces(mesh, tags_of(nodes), x)) return *by_faces;
    require_positive_masses(definition.name, nodes);
  }
  Eigen::VectorXd weights(x.cols());
  for (Eigen::Index i = 0; i < x.cols(); ++i) weights[i] = nodes[i].weight;
  return weigh_nodes(x, weights);
}

std::vector<std::int64_t> resolve_region(const DistributedMesh& mesh,
                                         const InterfaceDefinition& definition, const Masses& mass,
                                         Interface& result) {
  std::vector<Candidate> nodes = gather_region(mesh, mass, definition);
  fill_nodes(nodes, result);
  const RegionWeights weights = weigh_region(mesh, definition, result.x_nodes, nodes);
  const Vector3d* origin = find_origin(definition.nodes);
  result.x_B = origin ? *origin : weights.centre;
  fill_fit(weights, result);
  return tags_of(nodes);
}

std::vector<std::int64_t> resolve_triad(const DistributedMesh& mesh,
                                        const InterfaceDefinition& definition, const Masses& mass,
                                        Interface& result) {
  const auto [point, k] = find_triad_origin(mesh, mass, definition);
  const std::vector<Candidate> nodes = find_triad(mesh, mass, definition.name, k, point);
  fill_nodes(nodes, result);
  weigh_alike(result);
  result.x_B = result.x_nodes.col(0);
  fill_triad(result);
  return tags_of(nodes);
}

std::vector<std::int64_t> resolve_node(const DistributedMesh& mesh,
                                       const InterfaceDefinition& definition, const Masses& mass,
                                       Interface& result) {
  const std::int64_t global = find_triad_origin(mesh, mass, definition).second.global;
  std::vector<std::int64_t> tags;
  const std::vector<PlacedNode> star = find_node_star(mesh, global);
  if (star.empty())
    throw base::InputError(
        fmt::format(
            "interface `{}`: its node has no rotations, and no adjacent elements from which they could follow",
            definition.name),
        "select several nodes, with  attach: three_nodes  or  rbe3");
  result.x_nodes.resize(3, static_cast<Eigen::Index>(star.size()));
  for (std::size_t i = 0; i < star.size(); ++i) {
    result.nodes.push_back(star[i].global);
    result.x_nodes.col(static_cast<Eigen::Index>(i)) = star[i].position();
    tags.push_back(star[i].tag);
  }
  weigh_alike(result);
  result.x_B = result.x_nodes.col(0);
  result.weights = make_node_weights(result.x_nodes);
  return tags;
}

}  // namespace

Interface resolve_interface(const DistributedMesh& mesh, const InterfaceDefinition& definition,
                            const Eigen::Ref<const Eigen::VectorXd>& nodal_mass) {
  SOLIDYN_ASSERT(nodal_mass.size() >= mesh.n_owned);
  Interface result;
  result.name = definition.name;
  result.attach = definition.attach;
  const auto resolve = [&] {
    switch (definition.attach) {
      case Attachment::rbe3:
      case Attachment::rbe2:
        return resolve_region(mesh, definition, nodal_mass, result);
      case Attachment::node:
        return resolve_node(mesh, definition, nodal_mass, result);
      case Attachment::three_nodes:
      case Attachment::virtual_body:
        break;
    }
    return resolve_triad(mesh, definition, nodal_mass, result);
  };
  const std::vector<std::int64_t> tags = resolve();
  result.report = make_interface_report(definition, result, tags);
  return result;
}

std::pair<std::int64_t, Eigen::Vector3d> nearest_node(const DistributedMesh& mesh,
                                                      const Eigen::Vector3d& point) {
  const Eigen::VectorXd no_mass = Eigen::VectorXd::Zero(mesh.n_owned);
  const std::vector<Candidate> nearest = find_nearest(mesh, no_mass, point, 1);
  SOLIDYN_ASSERT(!nearest.empty());
  return {nearest.front().global, nearest.front().position()};
}

std::vector<std::int32_t> select_nodes(const DistributedMesh& mesh, const std::string& owner,
                                       const NodeSelection& selection) {
  std::vector<std::int32_t> nodes;
  const auto* near = std::get_if<NodesNear>(&selection);
  if (near && !(near->radius > 0.0)) {
    const std::int64_t local = nearest_node(mesh, near->point).first - mesh.first_owned;
    if (local >= 0 && local < mesh.n_owned) nodes.push_back(static_cast<std::int32_t>(local));
  } else {
    nodes = select_any(mesh, owner, selection);
  }
  if (base::sum(mesh.comm, static_cast<std::int64_t>(nodes.size())) == 0)
    throw_nothing_selected(owner);
  return nodes;
}

}  // namespace solidyn::mesh

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

Candidate make_candidate(const DistributedMesh& mesh, const Masses& mass, std::int32_t node,
                         const Vector3d& point) {
  Candidate c{mesh.global[node], mesh.node_tags[node], {}, mass[node], 0.0};
  Vector3d::Map(c.x) = mesh.x.col(node);
  c.distance = (mesh.x.col(node) - point).norm();
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
  for (std::int32_t i = 0; i < mesh.n_owned; ++i)
    nodes.push_back(make_candidate(mesh, mass, i, point));
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

/// The owned nodes that a region's rule accepts (all rules but `near`). Local.
std::vector<std::int32_t> select_region(const DistributedMesh& mesh, const std::string& owner,
                                        const NodeSelection& rule) {
  std::vector<std::int32_t> nodes;
  const auto select_if = [&](const auto& accepts) {
    for (std::int32_t i = 0; i < mesh.n_owned; ++i)
      if (accepts(Vector3d(mesh.x.col(i)))) nodes.push_back(i);
  };
  constexpr double kTolerance = 1e-9;
  if (rule.rule == NodeSelection::Rule::in_set) {
    const auto set = mesh.sets.find(rule.set);
    if (set == mesh.sets.end())
      throw base::InputError(fmt::format("{}: the mesh has no set `{}`", owner, rule.set),
                             known_sets(mesh));
    nodes = set->second.nodes;
  } else if (rule.rule == NodeSelection::Rule::in_box) {
    const Vector3d slack = Vector3d::Constant(kTolerance * (rule.high - rule.low).norm());
    select_if([&](const Vector3d& x) {
      return ((x - rule.low + slack).array() >= 0.0).all() &&
             ((rule.high - x + slack).array() >= 0.0).all();
    });
  } else if (rule.rule == NodeSelection::Rule::numbered) {
    for (std::int32_t i = 0; i < mesh.n_owned; ++i)
      if (std::binary_search(rule.tags.begin(), rule.tags.end(), mesh.node_tags[i]))
        nodes.push_back(i);
  } else {
    if (!(rule.axis.norm() > 0.0))
      throw base::InputError(fmt::format("{}: the axis of the cylinder is zero", owner),
                             "give the direction of the axis, for example [1, 0, 0]");
    const Vector3d axis = rule.axis.normalized();
    const double slack = kTolerance * std::hypot(rule.radius, rule.length);
    select_if([&](const Vector3d& x) {
      const double along = axis.dot(x - rule.point);
      return along >= -slack && along <= rule.length + slack &&
             (x - rule.point - along * axis).norm() <= rule.radius + slack;
    });
  }
  return nodes;
}

double near_radius(const DistributedMesh& mesh, const Masses& mass, const NodeSelection& rule) {
  if (rule.radius > 0.0) return rule.radius;
  constexpr std::size_t kNearest = 8;
  const std::vector<Candidate> nearest = find_nearest(mesh, mass, rule.point, kNearest);
  return nearest.empty() ? 0.0 : nearest.back().distance;
}

[[noreturn]] void throw_nothing_selected(const std::string& owner) {
  throw base::InputError(fmt::format("{}: its selection contains no node of the mesh", owner),
                         "check the point, the size and the length unit of the mesh");
}

/// Collective. The region's nodes on all ranks.
std::vector<Candidate> gather_region(const DistributedMesh& mesh, const Masses& mass,
                                     const InterfaceDefinition& definition) {
  const NodeSelection& rule = definition.nodes;
  std::vector<std::int32_t> nodes;
  if (rule.rule == NodeSelection::Rule::near) {
    const double radius = near_radius(mesh, mass, rule) * (1.0 + 1e-9);
    for (std::int32_t i = 0; i < mesh.n_owned; ++i)
      if ((mesh.x.col(i) - rule.point).norm() <= radius) nodes.push_back(i);
  } else {
    nodes = select_region(mesh, fmt::format("interface `{}`", definition.name),
                          rule);  // throws on all ranks or on none
  }
  std::vector<Candidate> mine;
  mine.reserve(nodes.size());
  for (std::int32_t node : nodes) mine.push_back(make_candidate(mesh, mass, node, rule.point));
  std::vector<Candidate> all = gather(mesh.comm, mine);
  if (all.empty()) throw_nothing_selected(fmt::format("interface `{}`", definition.name));
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
void weigh_as_given(const std::string& interface, const NodeSelection& rule,
                    std::vector<Candidate>& nodes) {
  for (std::size_t i = 0; i < rule.tags.size(); ++i) {
    if (i >= nodes.size() || nodes[i].tag != rule.tags[i])
      throw base::InputError(
          fmt::format("interface `{}`: the mesh has no node {}", interface, rule.tags[i]),
          "every node of the interface must be on a solid element");
    nodes[i].weight = rule.weights.empty() ? 1.0 : rule.weights[i];
  }
}

bool is_face_set(const DistributedMesh& mesh, const NodeSelection& rule) {
  return rule.rule == NodeSelection::Rule::in_set && mesh.sets.at(rule.set).dimension == 2;
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
  if (definition.nodes.rule == NodeSelection::Rule::near) {
    const Vector3d& point = definition.nodes.point;
    const std::vector<Candidate> nearest = find_nearest(mesh, mass, point, 1);
    SOLIDYN_ASSERT(!nearest.empty());
    return {point, nearest.front()};
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
  if (definition.nodes.rule == NodeSelection::Rule::numbered) {
    weigh_as_given(definition.name, definition.nodes, nodes);
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
  const NodeSelection::Rule rule = definition.nodes.rule;
  fill_nodes(nodes, result);
  const RegionWeights weights = weigh_region(mesh, definition, result.x_nodes, nodes);
  const bool has_point = rule == NodeSelection::Rule::near || rule == NodeSelection::Rule::numbered;
  result.x_B = has_point ? definition.nodes.point : weights.centre;
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
                                       const NodeSelection& rule) {
  std::vector<std::int32_t> nodes;
  if (rule.rule != NodeSelection::Rule::near) {
    nodes = select_region(mesh, owner, rule);
  } else if (rule.radius > 0.0) {
    for (std::int32_t i = 0; i < mesh.n_owned; ++i)
      if ((mesh.x.col(i) - rule.point).norm() <= rule.radius * (1.0 + 1e-9)) nodes.push_back(i);
  } else {
    const std::int64_t local = nearest_node(mesh, rule.point).first - mesh.first_owned;
    if (local >= 0 && local < mesh.n_owned) nodes.push_back(static_cast<std::int32_t>(local));
  }
  if (base::sum(mesh.comm, static_cast<std::int64_t>(nodes.size())) == 0)
    throw_nothing_selected(owner);
  return nodes;
}

}  // namespace solidyn::mesh

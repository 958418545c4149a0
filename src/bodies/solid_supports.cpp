#include "solid_supports.h"

#include <fmt/format.h>

#include <algorithm>

#include "nodal_view.h"
#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/math/dense.h"

namespace solidyn::bodies {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Sine of the angle below which a direction is one that is held already.
constexpr double kSameDirection = 1e-6;

// The world axis that a direction is, or -1.
int world_axis(const Vector3d& d) {
  for (int a = 0; a < 3; ++a)
    if (d == Vector3d::Unit(a)) return a;
  return -1;
}

// What is to be held of one node while supports are read.
struct Directions {
  std::vector<Vector3d> d;
  std::vector<int> supports, directions;
};

// Gram and Schmidt: the rest of d beside those directions.
Vector3d rest_beside(const std::vector<Vector3d>& held, const Vector3d& d) {
  std::vector<Vector3d> q;
  Vector3d rest;
  for (std::size_t i = 0; i <= held.size(); ++i) {
    rest = i < held.size() ? held[i] : d;
    for (int pass = 0; pass < 2; ++pass)
      for (const Vector3d& axis : q) rest -= axis * axis.dot(rest);
    if (i < held.size()) q.push_back(rest.normalized());
  }
  return rest;
}

// World axes where all directions are such, so that the matrix need not be turned.
HeldNode make_held_node(std::int32_t node, const Directions& found) {
  HeldNode held;
  held.node = node;
  held.supports = found.supports;
  held.directions = found.directions;
  const auto n = static_cast<int>(found.d.size());
  held.T = MatrixXd::Identity(n, n);
  held.u_start = VectorXd::Zero(n);
  if (std::all_of(found.d.begin(), found.d.end(),
                  [](const Vector3d& d) { return world_axis(d) >= 0; })) {
    for (const Vector3d& d : found.d) held.components.push_back(world_axis(d));
    return held;
  }
  Matrix3Xd D(3, n);
  for (int j = 0; j < n; ++j) D.col(j) = found.d[j];
  held.axes = math::orthonormal_columns(D, 3);
  held.T = held.axes.leftCols(n).transpose() * D;
  for (int i = 0; i < n; ++i) held.components.push_back(i);
  return held;
}

}  // namespace

SolidSupports::SolidSupports(const mesh::DistributedMesh& mesh,
                             const std::vector<Support>& supports,
                             const std::vector<PetscInt>& taken)
    : supports_(supports), comm_(mesh.comm) {
  std::map<std::int32_t, Directions> found;
  for (int s = 0; s < static_cast<int>(supports_.size()); ++s) {
    const Support& support = supports_[s];
    const std::string owner = fmt::format("support `{}`", support.name);
    double on_region = 0.0, moved_twice = 0.0;
    for (std::int32_t node : mesh::select_nodes(mesh, owner, support.nodes)) {
      if (std::binary_search(taken.begin(), taken.end(), 3 * node)) on_region = 1.0;
      Directions& of_node = found[node];
      for (int axis = 0; axis < 3; ++axis) {
        if (!support.fixes[axis]) continue;
        const Vector3d d = support.axes.col(axis);
        if (rest_beside(of_node.d, d).norm() > kSameDirection) {
          of_node.d.push_back(d);
          of_node.supports.push_back(s);
          of_node.directions.push_back(axis);
          continue;
        }
        for (int other : of_node.supports)
          if (support.moves || supports_[other].moves) moved_twice = 1.0;
      }
    }
    if (base::max(mesh.comm, on_region) > 0.0)
      throw base::InputError(
          fmt::format("{}: some of its nodes already belong to an rbe2 interface", owner),
          "select disjoint nodes, or constrain the interface by a joint");
    if (base::max(mesh.comm, moved_twice) > 0.0)
      throw base::InputError(
          fmt::format(
              "{}: another support already constrains some of its nodes, and one of the two moves",
              owner),
          "select disjoint nodes, or fix different components");
  }
  for (const auto& [node, directions] : found)
    if (!directions.d.empty()) held_.push_back(make_held_node(node, directions));
  finish(mesh);
}

void SolidSupports::finish(const mesh::DistributedMesh& mesh) {
  std::map<std::int32_t, Matrix3d> axes;
  for (HeldNode& held : held_) {
    first_row_.push_back(static_cast<Eigen::Index>(rows_.size()));
    for (PetscInt component : held.components) rows_.push_back(3 * held.node + component);
    if (!held.axes.isIdentity(0.0)) axes[held.node] = held.axes;
  }
  axes_ = std::make_unique<NodalAxes>(mesh.comm, mesh.n_owned, std::move(axes));
}

// Along the node's axes: with d_j = Q T_j the displacement a_j along d_j is (T^T q)_j.
VectorXd SolidSupports::prescribed(const HeldNode& held, double t, Order order) const {
  VectorXd along(held.T.rows());
  for (Eigen::Index j = 0; j < along.size(); ++j) {
    const math::TimeFunction& moves = supports_[held.supports[j]].displacement[held.directions[j]];
    along[j] = order == Order::value   ? moves.value(t)
               : order == Order::first ? moves.first_derivative(t)
                                       : moves.second_derivative(t);
  }
  return math::LuFactor(held.T.transpose()).solve(along);
}

void SolidSupports::start(NodalState& state) {
  WritableNodalView u(state.u), du(state.du);
  for (HeldNode& held : held_) {
    Vector3d at_node = held.axes.transpose() * u.nodes().col(held.node);
    Vector3d rate = held.axes.transpose() * du.nodes().col(held.node);
    const VectorXd move = prescribed(held, 0.0, Order::value);
    const VectorXd speed = prescribed(held, 0.0, Order::first);
    for (std::size_t i = 0; i < held.components.size(); ++i) {
      const auto k = static_cast<Eigen::Index>(i);
      held.u_start[k] = at_node[held.components[i]];
      at_node[held.components[i]] += move[k];
      rate[held.components[i]] = speed[k];
    }
    u.nodes().col(held.node) = held.axes * at_node;
    du.nodes().col(held.node) = held.axes * rate;
  }
}

VectorXd SolidSupports::defect(Level level, const NodalState& state, double t) const {
  const NodalView field(level == Level::position ? state.u : state.ddu);
  VectorXd defect = -held_part(field.nodes());
  for (std::size_t k = 0; k < held_.size(); ++k) {
    auto part = defect.segment(first_row_[k], held_[k].T.rows());
    if (level == Level::position)
      part += held_[k].u_start + prescribed(held_[k], t, Order::value);
    else
      part += prescribed(held_[k], t, Order::second);
  }
  return defect;
}

VectorXd SolidSupports::held_part(const Eigen::Ref<const Matrix3Xd>& nodes) const {
  VectorXd part(static_cast<Eigen::Index>(rows_.size()));
  Eigen::Index row = 0;
  for (const HeldNode& held : held_) {
    const Vector3d at_node = held.axes.transpose() * nodes.col(held.node);
    for (PetscInt component : held.components) part[row++] = at_node[component];
  }
  return part;
}

// The force Q f on a node is sum_j d_j g_j with T g = f.
Matrix3Xd SolidSupports::sums(const VectorXd& f) const {
  Matrix3Xd sums = Matrix3Xd::Zero(3, static_cast<Eigen::Index>(supports_.size()));
  for (std::size_t k = 0; k < held_.size(); ++k) {
    const HeldNode& held = held_[k];
    const VectorXd g = math::LuFactor(held.T).solve(f.segment(first_row_[k], held.T.rows()));
    for (Eigen::Index j = 0; j < g.size(); ++j)
      sums.col(held.supports[j]) += g[j] * supports_[held.supports[j]].axes.col(held.directions[j]);
  }
  base::sum_in_place(comm_, sums.data(), static_cast<int>(sums.size()));
  return sums;
}

}  // namespace solidyn::bodies

#include "anchors.h"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <map>

#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/math/dense.h"
#include "solidyn/math/rotation.h"

namespace solidyn::bodies {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Held = std::map<std::int32_t, std::vector<Vector3d>>;  // directions of owned nodes

// Relative to the largest: of rigid motions at held components, squared.
constexpr double kFree = 1e-8;
// Of the body's size: closer to a line, three nodes hold no turning about it.
constexpr double kInLine = 1e-6;

Held held_components(const mesh::DistributedMesh& mesh, const std::vector<Support>& supports) {
  Held held;
  for (const Support& support : supports)
    for (std::int32_t node :
         mesh::select_nodes(mesh, "support `" + support.name + "`", support.nodes))
      for (int axis = 0; axis < 3; ++axis)
        if (support.fixes[axis]) held[node].push_back(support.axes.col(axis));
  return held;
}

// Whether every rigid motion moves a held component.
bool hold(const mesh::DistributedMesh& mesh, const Held& held) {
  Eigen::Matrix<double, 4, 1> sums = Eigen::Matrix<double, 4, 1>::Zero();
  for (const auto& [node, directions] : held) {
    sums.head<3>() += mesh.x.col(node);
    sums[3] += 1.0;
  }
  base::sum_in_place(mesh.comm, sums.data(), 4);
  if (sums[3] == 0.0) return false;
  const Vector3d centre = sums.head<3>() / sums[3];
  Eigen::Matrix<double, 6, 6> gram = Eigen::Matrix<double, 6, 6>::Zero();
  for (const auto& [node, directions] : held) {
    const Matrix3d turn = -math::skew(mesh.x.col(node) - centre);
    for (const Vector3d& d : directions) {
      Eigen::Matrix<double, 1, 6> row;
      row << d.transpose(), d.transpose() * turn;
      gram += row.transpose() * row;
    }
  }
  base::sum_in_place(mesh.comm, gram.data(), 36);
  // Turns in units of the spread of the held nodes.
  const double spread = gram.bottomRightCorner<3, 3>().trace() / gram.topLeftCorner<3, 3>().trace();
  if (!(spread > 0.0)) return false;
  gram.bottomRightCorner<3, 3>() /= spread;
  gram.topRightCorner<3, 3>() /= std::sqrt(spread);
  gram.bottomLeftCorner<3, 3>() /= std::sqrt(spread);
  const Eigen::VectorXd values = math::symmetric_eigenvalues(Eigen::MatrixXd(gram));
  return values[0] > kFree * values[5];
}

struct Node {
  std::int64_t global = -1;
  Vector3d x = Vector3d::Zero();
  double measure = 0.0;
};

// The free node with the largest measure; the same on all ranks.
template <class Measure>
Node largest_of_free(const mesh::DistributedMesh& mesh, const Held& held, Measure&& measure) {
  Node best;
  best.measure = -1e300;
  for (std::int32_t i = 0; i < mesh.n_owned; ++i) {
    if (held.count(i)) continue;
    const double m = measure(Vector3d(mesh.x.col(i)));
    if (m > best.measure) best = {mesh.first_owned + i, mesh.x.col(i), m};
  }
  const double largest = base::max(mesh.comm, best.measure);
  // Ranks may tie: the last of them has it. Node numbers are exact as doubles.
  const double mine = best.measure == largest ? static_cast<double>(best.global) : -1.0;
  const double winner = base::max(mesh.comm, mine);
  Vector3d x = mine == winner ? best.x : Vector3d::Zero();
  base::sum_in_place(mesh.comm, x.data(), 3);
  return {static_cast<std::int64_t>(winner), x, largest};
}

}  // namespace

std::vector<std::int64_t> find_anchors(const mesh::DistributedMesh& mesh,
                                       const std::vector<Support>& supports) {
  const Held held = held_components(mesh, supports);
  if (hold(mesh, held)) return {};
  const Node a = largest_of_free(mesh, held, [](const Vector3d& x) { return -x.sum(); });
  const Node b = largest_of_free(mesh, held, [&](const Vector3d& x) { return (x - a.x).norm(); });
  const Vector3d along = (b.x - a.x).normalized();
  const Node c =
      largest_of_free(mesh, held, [&](const Vector3d& x) { return (x - a.x).cross(along).norm(); });
  if (a.global < 0 || !(b.measure > 0.0) || !(c.measure > kInLine * b.measure))
    throw base::InputError(
        "in statics, its supports leave the body a rigid-body motion, with too few free nodes to constrain",
        "refine its mesh, or constrain the motion by the supports");
  return {a.global, b.global, c.global};
}

}  // namespace solidyn::bodies

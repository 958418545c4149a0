#include <cmath>

#include "report/moved_surface.h"
#include "report/poses.h"

namespace solidyn::report {
namespace {

using Eigen::Index;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr int kSides = 8;  // of a beam's section

// Poses at rest, each [7 x 1]; where they are not known, those of the first picture.
std::vector<MatrixXd> rest_of(const results::MotionBody& beam, const std::vector<MatrixXd>& poses) {
  std::vector<MatrixXd> rest;
  for (std::size_t k = 0; k < poses.size(); ++k)
    rest.push_back(beam.rest.empty()
                       ? MatrixXd(poses[k].leftCols(1))
                       : MatrixXd(Eigen::Map<const Eigen::VectorXd>(beam.rest[k].data(), 7)));
  return rest;
}

// The mean direction of the lines at each node.
std::vector<Vector3d> tangents(const results::MotionBody& beam, const std::vector<MatrixXd>& rest) {
  std::vector<Vector3d> tangents(rest.size(), Vector3d::Zero());
  for (const auto& [a, b] : beam.lines) {
    const Vector3d along = (origin_of(rest[b], 0) - origin_of(rest[a], 0)).stableNormalized();
    tangents[a] += along;
    tangents[b] += along;
  }
  for (Vector3d& tangent : tangents)
    tangent = tangent.norm() > 1e-6 ? tangent.normalized() : Vector3d::UnitX();
  return tangents;
}

// Points around each node, in its axes. [3 x kSides nodes]
Matrix3Xd rings(const results::MotionBody& beam, const std::vector<MatrixXd>& rest, double radius) {
  const std::vector<Vector3d> along = tangents(beam, rest);
  Matrix3Xd points(3, kSides * static_cast<Index>(rest.size()));
  // The axis that the first tangent is least along: no ring degenerates on a straight line.
  Index least = 0;
  if (!along.empty()) along.front().cwiseAbs().minCoeff(&least);
  for (std::size_t k = 0; k < rest.size(); ++k) {
    Vector3d up = Vector3d::Unit(least);
    if (up.cross(along[k]).norm() < 0.1) up = Vector3d::Unit((least + 1) % 3);
    const Vector3d y = along[k].cross(up).normalized(), z = along[k].cross(y);
    const Quaterniond to_node = rotation_of(rest[k], 0).conjugate();
    for (int j = 0; j < kSides; ++j) {
      const double angle = 2.0 * M_PI * j / kSides;
      points.col(kSides * static_cast<Index>(k) + j) =
          to_node * (radius * (std::cos(angle) * y + std::sin(angle) * z));
    }
  }
  return points;
}

results::StoredSurface tube(const results::MotionBody& beam) {
  results::StoredSurface surface;
  for (int k = 0; k < beam.n_nodes; ++k) surface.tags.insert(surface.tags.end(), kSides, k + 1);
  results::StoredSurface::Cells cells{elements::ElementType::quad4, {}};
  for (const auto& [a, b] : beam.lines)
    for (int j = 0; j < kSides; ++j) {
      const int next = (j + 1) % kSides;
      cells.nodes.insert(cells.nodes.end(),
                         {kSides * a + j, kSides * a + next, kSides * b + next, kSides * b + j});
    }
  surface.cells.push_back(std::move(cells));
  return surface;
}

Matrix3Xd placed(const Matrix3Xd& around, const std::vector<MatrixXd>& poses, int t) {
  Matrix3Xd x(3, around.cols());
  for (std::size_t k = 0; k < poses.size(); ++k) {
    const Index first = kSides * static_cast<Index>(k);
    x.middleCols(first, kSides) =
        (rotation_of(poses[k], t).toRotationMatrix() * around.middleCols(first, kSides)).colwise() +
        origin_of(poses[k], t);
  }
  return x;
}

}  // namespace

MovingNodes nodes_of_beam(const results::MotionBody& beam, const std::vector<MatrixXd>& poses,
                          const std::vector<MatrixXd>& twists, double radius) {
  MovingNodes nodes;
  nodes.n_pictures = poses.empty() ? 0 : static_cast<int>(poses.front().cols());
  nodes.surface = tube(beam);
  const std::vector<MatrixXd> rest = rest_of(beam, poses);
  const Matrix3Xd around = rings(beam, rest, radius);
  nodes.X = placed(around, rest, 0);
  nodes.positions = [=](int t) { return placed(around, poses, t); };
  if (!twists.empty())
    nodes.velocities = [=](int t) {
      Matrix3Xd v = placed(around, poses, t);
      for (Index i = 0; i < v.cols(); ++i) {
        const auto k = static_cast<std::size_t>(i / kSides);
        const Vector3d at_node = twists[k].col(t).head<3>(), spin = twists[k].col(t).tail<3>();
        v.col(i) = at_node + spin.cross(Vector3d(v.col(i) - origin_of(poses[k], t)));
      }
      return v;
    };
  if (beam.keeps_axes) {
    nodes.axes = MatrixXd::Zero(7, nodes.n_pictures);
    nodes.axes.row(3).setOnes();
  }
  return nodes;
}

}  // namespace solidyn::report

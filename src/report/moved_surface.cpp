#include "report/moved_surface.h"

#include <cmath>

#include "report/decomposition.h"

namespace solidyn::report {
namespace {

using Eigen::Index;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Quaterniond;
using Eigen::Vector3d;

constexpr int kSides = 8;  // of a beam's section

MovedSurface moved(results::StoredSurface surface, const Matrix3Xd& X, const PictureSource& source,
                   double tolerance) {
  auto found = std::make_shared<Decomposition>(decompose(X, source, tolerance));
  MovedSurface moved;
  moved.motion.surface = std::move(surface);
  moved.motion.surface.positions = X.cast<float>();
  moved.motion.coordinates = found->coordinates;
  moved.motion.shape = [found](int k) { return found->shapes[k]; };
  moved.pose = found->pose;
  moved.residual = found->residual;
  return moved;
}

Quaterniond rotation_at(const MatrixXd& pose, Index t) {
  return Quaterniond(pose(3, t), pose(4, t), pose(5, t), pose(6, t)).normalized();
}

// The mean direction of the lines at each node, at the first picture.
std::vector<Vector3d> tangents(const results::MotionBody& beam,
                               const std::vector<MatrixXd>& nodes) {
  std::vector<Vector3d> tangents(nodes.size(), Vector3d::Zero());
  for (const auto& [a, b] : beam.lines) {
    const Vector3d along =
        (nodes[b].col(0).head<3>() - nodes[a].col(0).head<3>()).stableNormalized();
    tangents[a] += along;
    tangents[b] += along;
  }
  for (Vector3d& tangent : tangents)
    tangent = tangent.norm() > 1e-6 ? tangent.normalized() : Vector3d::UnitX();
  return tangents;
}

// Points around each node, in its axes. [3 x kSides nodes]
Matrix3Xd rings(const results::MotionBody& beam, const std::vector<MatrixXd>& nodes,
                double radius) {
  const std::vector<Vector3d> along = tangents(beam, nodes);
  Matrix3Xd points(3, kSides * static_cast<Index>(nodes.size()));
  Index least =
      0;  // the axis that the first tangent is least along: no ring degenerates on a straight line
  if (!along.empty()) along.front().cwiseAbs().minCoeff(&least);
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    Vector3d up = Vector3d::Unit(least);
    if (up.cross(along[k]).norm() < 0.1) up = Vector3d::Unit((least + 1) % 3);
    const Vector3d y = along[k].cross(up).normalized(), z = along[k].cross(y);
    const Quaterniond to_node = rotation_at(nodes[k], 0).conjugate();
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

}  // namespace

MovedSurface surface_from_fields(const results::FieldsFile& fields,
                                 const results::FieldsFile::Part& part,
                                 const std::vector<int>& snapshots, double tolerance) {
  const PictureSource source{static_cast<int>(snapshots.size()),
                             [&](int t) { return fields.positions(part, snapshots[t]); }};
  const Matrix3Xd X = fields.positions(part, snapshots.front());
  return moved(part.surface, X, source, tolerance);
}

MovedSurface surface_of_beam(const results::MotionBody& beam, const std::vector<MatrixXd>& nodes,
                             double radius, double tolerance) {
  const Matrix3Xd around = rings(beam, nodes, radius);
  const auto positions = [&](int t) {
    Matrix3Xd x(3, around.cols());
    for (std::size_t k = 0; k < nodes.size(); ++k) {
      const Vector3d p = nodes[k].col(t).head<3>();
      const Eigen::Matrix3d R = rotation_at(nodes[k], t).toRotationMatrix();
      const Index first = kSides * static_cast<Index>(k);
      x.middleCols(first, kSides) = (R * around.middleCols(first, kSides)).colwise() + p;
    }
    return x;
  };
  const int n = nodes.empty() ? 0 : static_cast<int>(nodes.front().cols());
  return moved(tube(beam), positions(0), {n, positions}, tolerance);
}

}  // namespace solidyn::report

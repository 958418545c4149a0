#include "reduction/basis/support_geometry.h"

#include <algorithm>
#include <optional>

#include "mesh/gather_items.h"
#include "solidyn/math/dense.h"
#include "solidyn/math/rotation.h"

namespace solidyn::reduction {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Row = RigidRows::Row;

// Of a unit row: less is rounding of the nodes' positions.
constexpr double kIndependent = 1e-6;

std::vector<Row> held_rows_of(const RigidRows& rigid,
                              const std::vector<HeldComponent>& components) {
  std::vector<Row> rows;
  rows.reserve(components.size());
  for (const HeldComponent& c : components) rows.push_back(rigid.row(c));
  return rows;
}

// Extent of a region, by its spread, below which it has none in a direction. Above kIndependent:
// what is held must not be more than the components' own rows.
constexpr double kExtent = 1e-5;

// Gram and Schmidt with the longest remainder next. @param pivots its axes, if wanted
std::vector<std::size_t> pivot_rows(std::vector<Row> rows, std::vector<Row>* axes) {
  std::vector<std::size_t> pivots;
  for (int k = 0; k < 6 && !rows.empty(); ++k) {
    std::size_t best = 0;
    // Symmetric meshes have ties: round-off must not choose among them.
    constexpr double kClearlyLonger = 1.0 + 1e-9;
    for (std::size_t i = 1; i < rows.size(); ++i)
      if (rows[i].norm() > kClearlyLonger * rows[best].norm()) best = i;
    if (rows[best].norm() <= kIndependent) break;
    const Row axis = rows[best].normalized();
    for (int pass = 0; pass < 2; ++pass)
      for (Row& row : rows) row -= axis * axis.dot(row);
    rows[best].setZero();
    pivots.push_back(best);
    if (axes) axes->push_back(axis);
  }
  return pivots;
}

// The components along one direction.
struct AlongDirection {
  int direction = 0;
  double n = 0.0;
  Vector3d d = Vector3d::Zero(), centre = Vector3d::Zero();
  Matrix3d plane = Matrix3d::Zero();    // projector on the line, plane or space that they extend in
  Matrix3d inverse = Matrix3d::Zero();  // of sum (x - centre) (x - centre)^T, there
};

std::optional<AlongDirection> look_along(const std::vector<HeldComponent>& components,
                                         int direction, double length) {
  AlongDirection a;
  a.direction = direction;
  for (const HeldComponent& c : components) {
    if (c.direction != direction) continue;
    a.n += 1.0;
    a.d = c.d;
    a.centre += c.x;
  }
  if (a.n == 0.0) return std::nullopt;
  a.centre /= a.n;
  Matrix3d squares = Matrix3d::Zero();
  for (const HeldComponent& c : components)
    if (c.direction == direction) squares += (c.x - a.centre) * (c.x - a.centre).transpose();
  const auto spectrum = math::symmetric_spectrum(squares);
  for (int i = 0; i < 3; ++i) {
    const double square = spectrum.values[i];
    if (square <= kExtent * kExtent * a.n * length * length) continue;
    const Matrix3d axis = spectrum.vectors.col(i) * spectrum.vectors.col(i).transpose();
    a.plane += axis;
    a.inverse += axis / square;
  }
  return a;
}

// Axes of those rotations that move components beside their means. Extents do not weigh: where a
// rotation moves several directions, stretches shall not be taken for a part of it.
std::vector<Vector3d> held_rotations(const std::vector<AlongDirection>& along) {
  Matrix3d seen = Matrix3d::Zero();
  for (const AlongDirection& a : along) {
    const Matrix3d turned = math::skew(a.d) * a.plane;
    seen += turned * turned.transpose();
  }
  std::vector<Row> rows, axes;
  for (int i = 0; i < 3; ++i) {
    rows.emplace_back(Row::Zero());
    rows.back().tail<3>() = seen.col(i);
  }
  pivot_rows(std::move(rows), &axes);
  std::vector<Vector3d> rotations;
  for (const Row& axis : axes) rotations.emplace_back(axis.tail<3>());
  return rotations;
}

}  // namespace

RigidRows::Row RigidRows::row(const HeldComponent& c) const {
  Row row;
  row << c.d, (c.x - centre).cross(c.d) / length;
  return row;
}

RigidRows rigid_rows_of(const std::vector<HeldComponent>& components) {
  RigidRows rigid;
  if (components.empty()) return rigid;
  for (const HeldComponent& c : components)
    rigid.centre += c.x / static_cast<double>(components.size());
  double spread = 0.0;
  for (const HeldComponent& c : components) spread = std::max(spread, (c.x - rigid.centre).norm());
  if (spread > 0.0) rigid.length = spread;
  return rigid;
}

std::vector<std::size_t> find_independent(const std::vector<HeldComponent>& components) {
  return pivot_rows(held_rows_of(rigid_rows_of(components), components), nullptr);
}

RegionHolds make_region_holds(const std::vector<HeldComponent>& components) {
  const double length = rigid_rows_of(components).length;
  std::vector<AlongDirection> along;
  for (int direction = 0; direction < 3; ++direction)
    if (const auto found = look_along(components, direction, length)) along.push_back(*found);
  RegionHolds holds;
  for (const AlongDirection& a : along)
    holds.means.push_back({a.direction, a.d, a.centre, a.centre, 1.0 / a.n, Vector3d::Zero()});
  for (const Vector3d& axis : held_rotations(along)) {
    std::vector<HeldSum> arms;
    for (const AlongDirection& a : along) {
      const Vector3d arm = a.plane * a.d.cross(axis);
      if (arm.norm() > kIndependent)
        arms.push_back({a.direction, a.d, length * arm, a.centre, 0.0, length * a.inverse * arm});
    }
    holds.rotations.push_back(std::move(arms));
  }
  return holds;
}

Eigen::Matrix<double, 6, 6> null_motions(const RigidRows& rigid, const RegionHolds& holds) {
  std::vector<Row> rows, axes;
  for (const HeldSum& mean : holds.means)
    rows.push_back(rigid.row({-1, 0, mean.x, mean.d, mean.direction}));
  for (const std::vector<HeldSum>& arms : holds.rotations) {
    Row row = Row::Zero();
    for (const HeldSum& arm : arms) row.tail<3>() += arm.x.cross(arm.d) / rigid.length;
    rows.push_back(row);
  }
  pivot_rows(std::move(rows), &axes);
  Eigen::Matrix<double, 6, 6> projector = Eigen::Matrix<double, 6, 6>::Identity();
  for (const Row& axis : axes) projector -= axis * axis.transpose();
  return projector;
}

std::vector<HeldComponent> gather_components(MPI_Comm comm,
                                             const std::vector<HeldComponent>& mine) {
  std::vector<HeldComponent> all = mesh::gather_items(comm, mine);
  std::sort(all.begin(), all.end(),
            [](const HeldComponent& a, const HeldComponent& b) { return a.tag < b.tag; });
  return all;
}

}  // namespace solidyn::reduction

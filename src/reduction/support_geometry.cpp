#include "support_geometry.h"

#include <algorithm>

#include "mesh/gather_items.h"

namespace solidyn::reduction {
namespace {

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

Eigen::Matrix<double, 6, 6> null_motions(const RigidRows& rigid,
                                         const std::vector<HeldComponent>& components) {
  std::vector<Row> axes;
  pivot_rows(held_rows_of(rigid, components), &axes);
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

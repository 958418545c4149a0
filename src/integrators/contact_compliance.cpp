#include "integrators/contact_compliance.h"

#include <algorithm>

#include "integrators/contact_factors.h"
#include "integrators/contact_points.h"
#include "integrators/saddle_point_solve.h"

namespace solidyn::integrators {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using solvers::friction::ContactBlock;
using SparseMatrix = Eigen::SparseMatrix<double>;

// Of each cluster that contacts move: its rows, these contacts, and their columns of W.
std::vector<ClusterColumns> split(const SparseMatrix& W, const Clusters& clusters) {
  const int n = static_cast<int>(W.cols() / 3);
  std::vector<int> place(clusters.unknowns.size(), -1), row_in_cluster(clusters.of_unknown.size());
  for (const std::vector<int>& unknowns : clusters.unknowns)
    for (std::size_t i = 0; i < unknowns.size(); ++i)
      row_in_cluster[unknowns[i]] = static_cast<int>(i);
  std::vector<ClusterColumns> parts;
  for (int k = 0; k < n; ++k)
    for (int d = 0; d < 3; ++d)
      for (SparseMatrix::InnerIterator entry(W, 3 * k + d); entry; ++entry) {
        const int cluster = clusters.of_unknown[entry.row()];
        if (place[cluster] < 0) {
          place[cluster] = static_cast<int>(parts.size());
          parts.push_back({clusters.unknowns[cluster], {}, {}});
        }
        std::vector<int>& of = parts[place[cluster]].contacts;
        if (of.empty() || of.back() != k) of.push_back(k);
      }
  for (ClusterColumns& part : parts)
    part.values.setZero(static_cast<Index>(part.rows.size()),
                        3 * static_cast<Index>(part.contacts.size()));
  std::vector<Index> filled(parts.size(), 0);
  for (int k = 0; k < n; ++k) {
    std::vector<int> touched;
    for (int d = 0; d < 3; ++d)
      for (SparseMatrix::InnerIterator entry(W, 3 * k + d); entry; ++entry) {
        const int part = place[clusters.of_unknown[entry.row()]];
        if (std::find(touched.begin(), touched.end(), part) == touched.end())
          touched.push_back(part);
        parts[part].values(row_in_cluster[entry.row()], 3 * filled[part] + d) = entry.value();
      }
    for (const int part : touched) ++filled[part];
  }
  return parts;
}

// Columns of all clusters by as many solutions as the fullest has.
std::vector<ClusterColumns> solve_together(const std::vector<ClusterColumns>& W,
                                           SaddlePointSolve& solve, double scale,
                                           Index n_velocities) {
  std::vector<ClusterColumns> X = W;
  Index most = 0;
  for (const ClusterColumns& part : W) most = std::max(most, part.values.cols());
  // Forces have no rows of constraints.
  MatrixXd rhs = MatrixXd::Zero(n_velocities, most);
  for (const ClusterColumns& part : W)
    for (std::size_t i = 0; i < part.rows.size(); ++i)
      if (part.rows[i] < n_velocities)
        rhs.row(part.rows[i]).head(part.values.cols()) =
            scale * part.values.row(static_cast<Index>(i));
  const MatrixXd x = solve.solve_columns(rhs);
  for (ClusterColumns& part : X)
    for (std::size_t i = 0; i < part.rows.size(); ++i)
      part.values.row(static_cast<Index>(i)) = x.row(part.rows[i]).head(part.values.cols());
  return X;
}

bool has_moments(const ContactPoints& contacts, const std::vector<int>& of) {
  return std::any_of(of.begin(), of.end(), [&](int i) { return contacts.is_moment(i); });
}

// Directions that a moment does not have get the compliance of those that it has: nothing moves
// them, so that they carry no force, and the blocks are regular.
void fill_moments(const ContactPoints& contacts, const std::vector<int>& of,
                  std::vector<ContactBlock>& blocks) {
  if (!has_moments(contacts, of)) return;
  std::vector<Eigen::Vector3d> diagonal(of.size(), Eigen::Vector3d::Zero());
  for (const ContactBlock& block : blocks)
    if (block.row == block.col) diagonal[block.row] += block.value.diagonal();
  for (std::size_t k = 0; k < of.size(); ++k) {
    if (!contacts.is_moment(of[k])) continue;
    const double size = diagonal[k].maxCoeff();
    Eigen::Matrix3d missing = Eigen::Matrix3d::Zero();
    for (int i = 0; i < 3; ++i)
      if (diagonal[k][i] == 0.0) missing(i, i) = size;
    if (size > 0.0) blocks.push_back({static_cast<int>(k), static_cast<int>(k), missing});
  }
}

// W^T X. Of a mesh each point moves with few of many unknowns.
MatrixXd product(const MatrixXd& W, const MatrixXd& X) {
  constexpr Index kManyRows = 100;
  if (W.rows() < kManyRows) return W.transpose() * X;
  const SparseMatrix few = W.sparseView();
  return few.transpose() * X;
}

// Of few points, by X = [S G^T; G 0]^-1 [scale W; 0].
ContactCompliance of_few(const ContactPoints& contacts, const std::vector<int>& of, SparseMatrix W,
                         MatrixXd X, double velocity) {
  ContactCompliance c;
  c.points = of;
  c.W = std::move(W);
  const MatrixXd A = velocity * (c.W.transpose() * X.topRows(c.W.rows()));
  const int n = static_cast<int>(of.size());
  std::vector<ContactBlock> blocks;
  blocks.reserve(of.size() * of.size());
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const Eigen::Matrix3d value = A.block<3, 3>(3 * i, 3 * j);
      if (!value.isZero(0.0)) blocks.push_back({i, j, value});
    }
  fill_moments(contacts, of, blocks);
  c.A = {n, blocks};
  c.X = ClusteredMatrix(std::move(X));
  return c;
}

// Rows of W with entries, as many as it has columns at most; empty where there are more.
std::vector<int> moved_velocities(const SparseMatrix& W) {
  std::vector<bool> is_moved(static_cast<std::size_t>(W.rows()), false);
  std::vector<int> moved;
  for (Index k = 0; k < W.nonZeros(); ++k) {
    const int row = W.innerIndexPtr()[k];
    if (is_moved[row]) continue;
    is_moved[row] = true;
    moved.push_back(row);
    if (static_cast<Index>(moved.size()) > W.cols()) return {};
  }
  return moved;
}

void keep_units(const std::vector<int>& velocities, const ContactFactors& factors, Index n_v) {
  UnitSolutions& units = factors.units;
  if (units.factors == factors.number && units.of == velocities) return;
  MatrixXd loads = MatrixXd::Zero(n_v, static_cast<Index>(velocities.size()));
  for (std::size_t k = 0; k < velocities.size(); ++k)
    loads(velocities[k], static_cast<Index>(k)) = 1.0;
  units = {factors.number, velocities, factors.whole.solve_columns(loads)};
}

}  // namespace

VectorXd ClusteredMatrix::operator*(const VectorXd& r) const {
  if (whole_.size() > 0) return whole_ * r;
  VectorXd x = VectorXd::Zero(n_rows_), own;
  for (const ClusterColumns& part : clusters_) {
    own.resize(part.values.cols());
    for (std::size_t k = 0; k < part.contacts.size(); ++k)
      own.segment<3>(3 * k) = r.segment<3>(3 * part.contacts[k]);
    x(part.rows) += part.values * own;
  }
  return x;
}

ContactCompliance contact_compliance(const ContactPoints& contacts, const std::vector<int>& of,
                                     SaddlePointSolve& solve, double scale, int n_unknowns,
                                     double velocity) {
  const int n = static_cast<int>(of.size());
  if (n <= kPointsWithOwnSolutions) {
    const SparseMatrix directions = contacts.directions(of);
    return of_few(contacts, of, directions, solve.solve_columns(scale * MatrixXd(directions)),
                  velocity);
  }
  ContactCompliance c;
  c.points = of;
  c.W = contacts.directions(of);
  std::vector<ClusterColumns> W = split(c.W, contacts.clusters());
  std::vector<ClusterColumns> X = solve_together(W, solve, scale, c.W.rows());
  std::vector<ContactBlock> blocks;
  for (std::size_t p = 0; p < W.size(); ++p) {
    const std::vector<int>& own = W[p].contacts;
    const MatrixXd A = velocity * product(W[p].values, X[p].values);
    for (std::size_t j = 0; j < own.size(); ++j)
      for (std::size_t i = 0; i < own.size(); ++i) {
        const Eigen::Matrix3d value = A.block<3, 3>(3 * i, 3 * j);
        if (!value.isZero(0.0)) blocks.push_back({own[i], own[j], value});
      }
  }
  fill_moments(contacts, of, blocks);
  c.A = {n, blocks};
  // Products know nothing of what moments were given.
  if (!has_moments(contacts, of)) {
    std::vector<solvers::friction::ContactProduct> parts;
    for (std::size_t p = 0; p < W.size(); ++p)
      parts.push_back({W[p].contacts, std::move(W[p].values), velocity * X[p].values});
    c.A.set_products(std::move(parts));
  }
  c.X = ClusteredMatrix(n_unknowns, std::move(X));
  return c;
}

ContactCompliance contact_compliance(const ContactPoints& contacts, const std::vector<int>& of,
                                     const ContactFactors& factors, int n_unknowns,
                                     double velocity) {
  if (static_cast<int>(of.size()) <= kPointsWithOwnSolutions) {
    SparseMatrix W = contacts.directions(of);
    const std::vector<int> velocities = moved_velocities(W);
    if (!velocities.empty()) {
      keep_units(velocities, factors, W.rows());
      const MatrixXd loads = factors.row_scale * MatrixXd(W)(velocities, Eigen::all);
      MatrixXd X = factors.units.columns * loads;
      return of_few(contacts, of, std::move(W), std::move(X), velocity);
    }
  }
  return contact_compliance(contacts, of, factors.for_points(of.size()), factors.row_scale,
                            n_unknowns, velocity);
}

}  // namespace solidyn::integrators

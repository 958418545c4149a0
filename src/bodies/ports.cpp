#include "ports.h"

#include <cmath>
#include <limits>

#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/math/dense.h"

namespace solidyn::bodies {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Squared distance of a unit vector from the span of the others below which it counts as in it.
// True dependence shows as 1e-15; ports of distinct nodes or regions as more than 1e-3.
constexpr double kDependent = 1e-10;
// So many ports have pivots of columns alone, which is fast: with all of them their number's third
// power is a matter of seconds.
constexpr Eigen::Index kPivotsOfColumnsFrom = 100;

// Of a matrix with a unit diagonal.
bool is_regular(const MatrixXd& scaled, const math::LuFactor& factor) {
  if (scaled.rows() <= kPivotsOfColumnsFrom) return math::FullLuFactor(scaled).is_invertible();
  const double round_off =
      static_cast<double>(scaled.rows()) * std::numeric_limits<double>::epsilon();
  return factor.smallest_pivot() > round_off * scaled.cwiseAbs().maxCoeff();
}

}  // namespace

MatrixXd Ports::of(const Eigen::Ref<const MatrixXd>& X) const {
  MatrixXd s(size(), X.cols());
  s.topRows(dense.cols()).noalias() = dense.transpose() * X;
  s.bottomRows(sparse.cols()) = sparse.transpose() * X;
  base::sum_in_place(comm, s.data(), static_cast<int>(s.size()));
  return s;
}

MatrixXd Ports::of(const Eigen::SparseMatrix<double>& X) const {
  MatrixXd s(size(), X.cols());
  s.topRows(dense.cols()) = (X.transpose() * dense).transpose();
  s.bottomRows(sparse.cols()) = Eigen::SparseMatrix<double>(sparse.transpose() * X);
  base::sum_in_place(comm, s.data(), static_cast<int>(s.size()));
  return s;
}

MatrixXd Ports::inverse_flexibility(const MatrixXd& Y, const MatrixXd& held) const {
  if (size() == 0) return {};
  MatrixXd G = of(Y);
  if (held.cols() > 0) G += held * held.transpose();
  return inverse(G);
}

// Scaled by the diagonal, since ports have different units. Not made symmetric: whatever Y is,
// P^T Y times the result must be the identity, or the ports would drift from their field.
MatrixXd Ports::inverse(const MatrixXd& G) {
  const VectorXd s = G.diagonal().cwiseAbs().cwiseSqrt().cwiseInverse();
  const MatrixXd scaled = s.asDiagonal() * G * s.asDiagonal();
  const math::LuFactor factor(scaled);
  if (!scaled.allFinite() || !is_regular(scaled, factor))
    throw base::ComputationError(
        "the interfaces and tracked points of a full-mesh body are linearly dependent: its flexibility matrix at them is singular");
  // In statics A may be indefinite.
  return s.asDiagonal() * factor.inverse() * s.asDiagonal();
}

PortBasis make_port_basis(Ports candidates) {
  const int n_dense = static_cast<int>(candidates.dense.cols()), n = candidates.size();
  MatrixXd gram = MatrixXd::Zero(n, n);
  gram.topLeftCorner(n_dense, n_dense) = candidates.dense.transpose() * candidates.dense;
  gram.bottomLeftCorner(n - n_dense, n_dense) = candidates.sparse.transpose() * candidates.dense;
  gram.topRightCorner(n_dense, n - n_dense) =
      gram.bottomLeftCorner(n - n_dense, n_dense).transpose();
  gram.bottomRightCorner(n - n_dense, n - n_dense) =
      Eigen::SparseMatrix<double>(candidates.sparse.transpose() * candidates.sparse);
  base::sum_in_place(candidates.comm, gram.data(), static_cast<int>(gram.size()));
  const VectorXd length = gram.diagonal().cwiseSqrt();
  const VectorXd scale = (length.array() > 0.0).select(length.cwiseInverse(), 0.0);
  const MatrixXd scaled = scale.asDiagonal() * gram * scale.asDiagonal();

  PortBasis basis;
  basis.expansion = MatrixXd::Zero(n, n);
  MatrixXd L = MatrixXd::Zero(n, n);
  for (int j = 0; j < n; ++j) {
    const int k = static_cast<int>(basis.candidates.size());
    VectorXd y(k);
    for (int i = 0; i < k; ++i) y[i] = scaled(basis.candidates[i], j);
    const auto triangle = L.topLeftCorner(k, k).triangularView<Eigen::Lower>();
    triangle.solveInPlace(y);
    const double distance = scaled(j, j) - y.squaredNorm();
    if (distance > kDependent) {
      L.row(k).head(k) = y.transpose();
      L(k, k) = std::sqrt(distance);
      basis.expansion(j, k) = 1.0;
      basis.candidates.push_back(j);
      continue;
    }
    triangle.transpose().solveInPlace(y);
    for (int i = 0; i < k; ++i)
      basis.expansion(j, i) = y[i] * length[j] / length[basis.candidates[i]];
  }
  const int n_ports = static_cast<int>(basis.candidates.size());
  basis.expansion.conservativeResize(n, n_ports);
  basis.ports.comm = candidates.comm;
  basis.ports.sparse.resize(candidates.sparse.rows(), n_ports - n_dense);
  std::vector<Eigen::Triplet<double>> entries;
  for (int k = n_dense; k < n_ports; ++k)
    for (Eigen::SparseMatrix<double>::InnerIterator it(candidates.sparse,
                                                       basis.candidates[k] - n_dense);
         it; ++it)
      entries.emplace_back(static_cast<int>(it.row()), k - n_dense, it.value());
  basis.ports.sparse.setFromTriplets(entries.begin(), entries.end());
  basis.ports.dense = std::move(candidates.dense);
  return basis;
}

int SparsePorts::add(const std::vector<std::int64_t>& nodes,
                     const Eigen::Ref<const MatrixXd>& weights) {
  for (std::size_t k = 0; k < nodes.size(); ++k) {
    const std::int64_t local = nodes[k] - mesh_.first_owned;
    if (local < 0 || local >= mesh_.n_owned) continue;
    for (int row = 0; row < weights.rows(); ++row)
      for (int axis = 0; axis < 3; ++axis)
        entries_.emplace_back(static_cast<int>(3 * local + axis), n_ + row,
                              weights(row, 3 * static_cast<Eigen::Index>(k) + axis));
  }
  const int first = n_;
  n_ += static_cast<int>(weights.rows());
  return first;
}

int SparsePorts::add(const MatrixXd& columns) {
  for (int j = 0; j < columns.cols(); ++j)
    for (int i = 0; i < columns.rows(); ++i)
      if (columns(i, j) != 0.0) entries_.emplace_back(i, n_ + j, columns(i, j));
  const int first = n_;
  n_ += static_cast<int>(columns.cols());
  return first;
}

Eigen::SparseMatrix<double> SparsePorts::matrix() const {
  Eigen::SparseMatrix<double> P(3 * mesh_.n_owned, n_);
  P.setFromTriplets(entries_.begin(), entries_.end());
  return P;
}

}  // namespace solidyn::bodies

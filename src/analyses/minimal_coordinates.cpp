#include "solidyn/analyses/minimal_coordinates.h"

#include "row_space.h"
#include "solidyn/base/error.h"
#include "solidyn/math/dense.h"

namespace solidyn::analyses {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using system::Linearisation;

// Of N' and N'' in a motion that continues at rate 1, and of C: differences of constraints in time
// and by positions (system/linearisation.cpp).
constexpr double kErrorOfRate = 1e-12, kErrorOfSecondRate = 1e-9, kErrorOfC = 1e-10;
// Of the largest entry of K and D: what cancels in them before they come here.
constexpr double kRoundOffOfLargest = 1e-16;
constexpr double kRoundOffOfColumn = 1e-2;
// Rows that System has found independent are; a singular mass shows below this.
constexpr double kSingular = 1e-14;
constexpr double kUnsymmetric = 1e-9;

double largest_entry(const MatrixXd& m) { return m.size() ? m.cwiseAbs().maxCoeff() : 0.0; }

bool is_symmetric(const MatrixXd& m) {
  return m.rows() == m.cols() &&
         largest_entry(m - m.transpose()) <= kUnsymmetric * largest_entry(m);
}

// |a| |b|: a bound of the terms of a product.
MatrixXd terms(const MatrixXd& a, const MatrixXd& b) { return a.cwiseAbs() * b.cwiseAbs(); }

// Entries of columns that are orthonormal when weighted, with their own round-off: a part of
// kRoundOff of what a weighted unit vector has there. Zeros are exact.
MatrixXd sizes(const Linearisation& l, const MatrixXd& columns) {
  MatrixXd all = columns.cwiseAbs();
  for (Index j = 0; j < all.cols(); ++j)
    for (Index i = 0; i < all.rows(); ++i)
      if (all(i, j) != 0.0) all(i, j) += kRoundOffOfColumn / l.weights[i];
  return all;
}

// Velocity-level rows leave u of y' free: G x' + E x = 0.
void split_rates(const Linearisation& l, MinimalCoordinates& m) {
  const MatrixXd G = rows_of(l.G, l, true);
  m.Z = MatrixXd::Identity(m.n_y(), m.n_y());
  m.C = m.C_error = MatrixXd::Zero(m.n_y(), m.n_y());
  if (G.rows() == 0) return;
  const MatrixXd E = rows_of(l.E, l, true);
  const RowSpace rates(G * m.N, VectorXd::Ones(m.n_y()));
  m.Z = rates.null_space();
  m.C = -rates.solve(G * m.dN + E * m.N);
  m.C_error =
      MinimalCoordinates::kRoundOff * terms(rates.solve(MatrixXd::Identity(G.rows(), G.rows())),
                                            terms(G, m.dN) + terms(E, sizes(l, m.N)));
}

// Of y' = Z u + C y with u = U y'.
void take_rates(const MatrixXd& U, MinimalCoordinates& m) {
  SOLIDYN_ASSERT(m.n_u() == U.rows());
  m.Z = m.Z * math::LuFactor(U * m.Z).inverse();
  m.C -= m.Z * (U * m.C);
  m.C_error += terms(m.Z, terms(U, m.C_error));
}

void refuse_singular_mass(const MatrixXd& M) {
  if (M.size() == 0) return;
  const VectorXd sizes = math::PivotedQr(M.rowwise().normalized()).diagonal().cwiseAbs();
  if (sizes.minCoeff() > kSingular * sizes.maxCoeff()) return;
  throw base::ComputationError(
      "the system cannot be linearised: it has a motion without mass\n  give every part that can move independently a mass, or constrain it by a joint");
}

// Motions with Y N = 1 and G N = 0 all the time.
void set_motions(const Linearisation& l, const RowSpace& position, MinimalCoordinates& m) {
  const auto at_rest_in_Y = [&](const MatrixXd& x) { return MatrixXd(x - m.N * (m.Y * x)); };
  const MatrixXd dG = rows_of(l.dG, l, false), ddG = rows_of(l.ddG, l, false);
  m.dN = at_rest_in_Y(-position.solve(dG * m.N));
  m.ddN = at_rest_in_Y(-position.solve(2.0 * dG * m.dN + ddG * m.N));
}

double largest_when_weighted(const Linearisation& l, const Linearisation::Matrix& matrix) {
  const VectorXd unit = l.weights.cwiseInverse();
  return largest_entry(MatrixXd(unit.asDiagonal() * matrix * unit.asDiagonal()));
}

void set_errors(const Linearisation& l, const MatrixXd& rates, MinimalCoordinates& m) {
  const MatrixXd M(l.M), D(l.D), K(l.K), L = sizes(l, m.L).transpose(), N = sizes(l, m.N);
  const double rate = m.N.cols() < m.N.rows() ? l.rate : 0.0;
  const bool turns = !l.is_at_rest() && m.n_u() < m.n_y();
  const MatrixXd unit =
      l.weights.cwiseInverse() * Eigen::RowVectorXd::Ones(m.n_y());  // of a motion of size 1
  const MatrixXd dN = kErrorOfRate * rate * unit, ddN = kErrorOfSecondRate * rate * rate * unit;
  constexpr double kRoundOff = MinimalCoordinates::kRoundOff;
  if (turns) m.C_error.array() += kErrorOfC * l.rate;
  m.D_error = terms(L, kRoundOff * (terms(M, terms(rates, m.Z)) + terms(D, terms(N, m.Z))) +
                           terms(M, terms(2.0 * dN + m.N.cwiseAbs() * m.C_error, m.Z)));
  m.K_error = terms(L, kRoundOff * (terms(M, terms(rates, m.C) + m.ddN.cwiseAbs()) + terms(D, m.Q) +
                                    terms(K, N)) +
                           terms(M, ddN + terms(rates, m.C_error)) + terms(D, dN));
  m.D_error.array() += kRoundOffOfLargest * largest_when_weighted(l, l.D);
  m.K_error.array() += kRoundOffOfLargest * largest_when_weighted(l, l.K);
}

void set_equations(const Linearisation& l, MinimalCoordinates& m) {
  m.P = m.N * m.Z;
  m.Q = m.N * m.C + m.dN;
  m.L = RowSpace(MatrixXd(l.B).transpose(), l.weights).null_space();

  // x'' = P u' + (2 dN + N C) y' + ddN y with C, Z constant
  const MatrixXd rates = m.N * m.C + 2.0 * m.dN;
  const MatrixXd by_y = l.M * MatrixXd(rates * m.C + m.ddN) + l.D * m.Q + l.K * m.N;
  m.M = m.L.transpose() * (l.M * m.P);
  m.D = m.L.transpose() * MatrixXd(l.M * MatrixXd(rates * m.Z) + l.D * m.P);
  m.K = m.L.transpose() * by_y;
  set_errors(l, rates, m);
  refuse_singular_mass(m.M);
  m.is_symmetric = m.n_u() == m.n_y() && m.D.isZero(0.0) && is_symmetric(m.M) && is_symmetric(m.K);
}

}  // namespace

MinimalCoordinates make_minimal_coordinates(const Linearisation& l) {
  MinimalCoordinates m;
  const RowSpace position(rows_of(l.G, l, false), l.weights);
  m.N = position.null_space();
  m.Y = position.projector();
  set_motions(l, position, m);
  split_rates(l, m);
  set_equations(l, m);
  return m;
}

MinimalCoordinates make_minimal_coordinates(const Linearisation& l, const MatrixXd& Y,
                                            const MatrixXd& U) {
  MinimalCoordinates m;
  const RowSpace position(rows_of(l.G, l, false), l.weights);
  const MatrixXd free = position.null_space();
  SOLIDYN_ASSERT(free.cols() == Y.rows());
  m.N = free * math::LuFactor(Y * free).inverse();
  m.Y = Y;
  set_motions(l, position, m);
  split_rates(l, m);
  take_rates(U, m);
  set_equations(l, m);
  return m;
}

MatrixXd state_matrix(const MinimalCoordinates& m) {
  const Index n_y = m.n_y(), n_u = m.n_u();
  const math::LuFactor lu(m.M);
  MatrixXd A(n_y + n_u, n_y + n_u);
  A << m.C, m.Z, -lu.solve(m.K), -lu.solve(m.D);
  return A;
}

}  // namespace solidyn::analyses

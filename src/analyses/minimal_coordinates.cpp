#include "solidyn/analyses/minimal_coordinates.h"

#include "row_space.h"
#include "solidyn/base/error.h"

namespace solidyn::analyses {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using system::Linearisation;

// Rows that System has found independent are; a singular mass shows below this.
constexpr double kSingular = 1e-14;
constexpr double kUnsymmetric = 1e-9;

double largest(const MatrixXd& m) { return m.size() ? m.cwiseAbs().maxCoeff() : 0.0; }

bool is_symmetric(const MatrixXd& m) {
  return m.rows() == m.cols() && largest(m - m.transpose()) <= kUnsymmetric * largest(m);
}

// Velocity-level rows leave u of y' free: G x' + E x = 0.
void split_rates(const Linearisation& l, MinimalCoordinates& m) {
  const MatrixXd G = rows_of(l.G, l, true);
  m.Z = MatrixXd::Identity(m.n_y(), m.n_y());
  m.C = MatrixXd::Zero(m.n_y(), m.n_y());
  if (G.rows() == 0) return;
  const RowSpace rates(G * m.N, VectorXd::Ones(m.n_y()));
  m.Z = rates.null_space();
  m.C = -rates.solve(G * m.dN + rows_of(l.E, l, true) * m.N);
}

void refuse_singular_mass(const MatrixXd& M) {
  if (M.size() == 0) return;
  const Eigen::ColPivHouseholderQR<MatrixXd> qr(M.rowwise().normalized());
  const VectorXd sizes = qr.matrixQR().diagonal().cwiseAbs();
  if (sizes.minCoeff() > kSingular * sizes.maxCoeff()) return;
  throw base::ComputationError(
      "the system cannot be linearised: it can move in a way that has no mass\n  give every part "
      "that can move on its own a mass, or hold it by a joint");
}

// Motions with Y N = 1 and G N = 0 all the time.
void set_motions(const Linearisation& l, const RowSpace& position, MinimalCoordinates& m) {
  const auto at_rest_in_Y = [&](const MatrixXd& x) { return MatrixXd(x - m.N * (m.Y * x)); };
  const MatrixXd dG = rows_of(l.dG, l, false), ddG = rows_of(l.ddG, l, false);
  m.dN = at_rest_in_Y(-position.solve(dG * m.N));
  m.ddN = at_rest_in_Y(-position.solve(2.0 * dG * m.dN + ddG * m.N));
}

void set_equations(const Linearisation& l, MinimalCoordinates& m) {
  split_rates(l, m);
  m.P = m.N * m.Z;
  m.Q = m.N * m.C + m.dN;
  m.L = RowSpace(MatrixXd(l.B).transpose(), l.weights).null_space();

  // x'' = P u' + (2 dN + N C) y' + ddN y with C, Z constant
  const MatrixXd rates = m.N * m.C + 2.0 * m.dN;
  const MatrixXd by_y = l.M * MatrixXd(rates * m.C + m.ddN) + l.D * m.Q + l.K * m.N;
  m.M = m.L.transpose() * (l.M * m.P);
  m.D = m.L.transpose() * MatrixXd(l.M * MatrixXd(rates * m.Z) + l.D * m.P);
  m.K = m.L.transpose() * by_y;
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
  set_equations(l, m);
  return m;
}

MinimalCoordinates make_minimal_coordinates(const Linearisation& l, const MatrixXd& Y) {
  MinimalCoordinates m;
  const RowSpace position(rows_of(l.G, l, false), l.weights);
  const MatrixXd free = position.null_space();
  SOLIDYN_ASSERT(free.cols() == Y.rows());
  m.N = free * (Y * free).inverse();
  m.Y = Y;
  set_motions(l, position, m);
  set_equations(l, m);
  return m;
}

MatrixXd state_matrix(const MinimalCoordinates& m) {
  const Index n_y = m.n_y(), n_u = m.n_u();
  const Eigen::PartialPivLU<MatrixXd> lu(m.M);
  MatrixXd A(n_y + n_u, n_y + n_u);
  A << m.C, m.Z, -lu.solve(m.K), -lu.solve(m.D);
  return A;
}

}  // namespace solidyn::analyses

#include "recursive/modal_elimination.h"

#include <cmath>

namespace solidyn::recursive {

using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// A = L L^T, both the lower triangle of A; of pivots the inverses, by which all later sweeps
// multiply. @return whether A is positive definite, beyond round-off of entries of the size `scale`
bool factorise_lower(MatrixXd& A, double scale) {
  const Eigen::Index n = A.rows();
  for (Eigen::Index j = 0; j < n; ++j) {
    if (!(A(j, j) > scale)) return false;
    const double inverse = 1.0 / std::sqrt(A(j, j));
    double* column = &A(0, j);
    column[j] = inverse;
    for (Eigen::Index i = j + 1; i < n; ++i) column[i] *= inverse;
    for (Eigen::Index l = j + 1; l < n; ++l) {
      double* later = &A(0, l);
      const double factor = column[l];
      for (Eigen::Index i = l; i < n; ++i) later[i] -= factor * column[i];
    }
  }
  return true;
}

}  // namespace

bool eliminate_modes(Link& k, Modes& m, double least) {
  const int n = m.n;
  for (int i = 0; i < n; ++i) {
    const Vector6d E = m.E.col(i), P_rf = m.P_rf.col(i), N = P_rf + k.P * E;
    m.P_rf.col(i) = N;
    // Lower triangle of P_ff + E^T P_rf + N^T E: rows below i meet this column's P_rf and E later.
    for (int j = 0; j <= i; ++j) m.P_ff(i, j) += E.dot(m.P_rf.col(j)) + P_rf.dot(m.E.col(j));
  }
  if (!factorise_lower(m.P_ff, least * m.P_ff.diagonal().maxCoeff())) return false;
  for (int j = 0; j < n; ++j) {
    const double* L = &m.P_ff(0, j);
    const Vector6d column = L[j] * m.P_rf.col(j);
    m.P_rf.col(j) = column;
    for (int i = j + 1; i < n; ++i) m.P_rf.col(i) -= L[i] * column;
    const Eigen::Vector3d top = column.head<3>(), bottom = column.tail<3>();
    k.P.A.noalias() -= top * top.transpose();
    k.P.B.noalias() -= top * bottom.transpose();
    k.P.C.noalias() -= bottom * bottom.transpose();
  }
  return true;
}

void divide_by_modal_factor(const Modes& m, MatrixXd& x) {
  for (int j = 0; j < m.n; ++j) {
    const double* L = &m.P_ff(0, j);
    x.row(j) *= L[j];
    for (int i = j + 1; i < m.n; ++i) x.row(i) -= L[i] * x.row(j);
  }
}

void eliminate_modal_forces(Link& k, Modes& m) {
  const Vector6d z = k.z;
  for (int j = 0; j < m.n; ++j) m.ddq[j] = -m.z_f[j] - m.E.col(j).dot(z);
  for (int j = 0; j < m.n; ++j) {
    const double* L = &m.P_ff(0, j);
    const double y = m.ddq[j] *= L[j];
    for (int i = j + 1; i < m.n; ++i) m.ddq[i] -= L[i] * y;
    k.z += y * m.P_rf.col(j);
  }
}

void find_modal_accelerations(Link& k, Modes& m) {
  const Vector6d a = k.a;
  for (int j = m.n; j-- > 0;) {
    const double* L = &m.P_ff(0, j);
    double sum = m.ddq[j] - m.P_rf.col(j).dot(a);
    for (int i = j + 1; i < m.n; ++i) sum -= L[i] * m.ddq[i];
    m.ddq[j] = L[j] * sum;
    k.a += m.ddq[j] * m.E.col(j);
  }
}

}  // namespace solidyn::recursive

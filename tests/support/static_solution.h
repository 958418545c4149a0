#pragma once
#include <Eigen/SparseCholesky>
#include <vector>

#include "serial_matrices.h"

namespace solidyn::test {

/// Solves K u = f on one rank where some displacements are prescribed: a reference that uses
/// neither PETSc nor our solvers.
/// @param is_fixed [3n] for each component    @param u [3n] values of the fixed ones, else ignored
inline Eigen::VectorXd solve_static(const Eigen::SparseMatrix<double>& K, const Eigen::VectorXd& f,
                                    const std::vector<bool>& is_fixed, Eigen::VectorXd u) {
  std::vector<Eigen::Triplet<double>> select;
  int n_free = 0;
  for (Eigen::Index i = 0; i < u.size(); ++i) {
    if (is_fixed[i]) continue;
    u[i] = 0.0;
    select.emplace_back(static_cast<int>(i), n_free++, 1.0);
  }
  Eigen::SparseMatrix<double> S(K.rows(), n_free);
  S.setFromTriplets(select.begin(), select.end());
  const Eigen::SparseMatrix<double> K_free = S.transpose() * K * S;
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factor(K_free);
  return u + S * factor.solve(S.transpose() * (f - K * u));
}

}  // namespace solidyn::test

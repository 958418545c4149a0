#pragma once
#include <Eigen/Sparse>

#include "solidyn/fem/elastic_body.h"

namespace solidyn::test {

/// K and M of a body on one rank as Eigen matrices, for references that use no PETSc.
inline Eigen::SparseMatrix<double> make_sparse_stiffness(const fem::ElasticBody& body) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::int32_t i = 0; i < body.n_owned(); ++i)
    for (std::int64_t k = body.row_start[i]; k < body.row_start[i + 1]; ++k)
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          entries.emplace_back(3 * i + r, 3 * body.columns[k] + c,
                               body.stiffness[9 * k + 3 * r + c]);
  Eigen::SparseMatrix<double> K(3 * body.n_owned(), 3 * body.n_owned());
  K.setFromTriplets(entries.begin(), entries.end());
  return K;
}

inline Eigen::SparseMatrix<double> make_sparse_mass(const fem::ElasticBody& body,
                                                    fem::MassKind kind) {
  std::vector<Eigen::Triplet<double>> entries;
  for (std::int32_t i = 0; i < body.n_owned(); ++i)
    for (std::int64_t k = body.row_start[i]; k < body.row_start[i + 1]; ++k)
      for (int r = 0; r < 3; ++r) {
        if (kind == fem::MassKind::consistent)
          entries.emplace_back(3 * i + r, 3 * body.columns[k] + r, body.mass[k]);
        else if (body.columns[k] == i)
          entries.emplace_back(3 * i + r, 3 * i + r, body.lumped_mass[i]);
      }
  Eigen::SparseMatrix<double> M(3 * body.n_owned(), 3 * body.n_owned());
  M.setFromTriplets(entries.begin(), entries.end());
  return M;
}

}  // namespace solidyn::test

#pragma once
#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "solidyn/base/petsc.h"

namespace solidyn::solvers {

/// Entries of a matrix of three rows and columns for each node, in the order in which they come;
/// those at one place add up.
class SummedEntries {
 public:
  void add(PetscInt row, PetscInt column, double value) {
    rows_.push_back(row);
    columns_.push_back(column);
    values_.push_back(value);
  }
  /// @param row, column  of nodes; zeros are left out
  void add_block(std::int64_t row, std::int64_t column, const Eigen::Matrix3d& block) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j)
        if (block(i, j) != 0.0)
          add(static_cast<PetscInt>(3 * row + i), static_cast<PetscInt>(3 * column + j),
              block(i, j));
  }
  /// Type AIJ. Collective. @param n_rows, n_columns  of this rank
  base::Mat make_matrix(MPI_Comm comm, PetscInt n_rows, PetscInt n_columns) {
    base::Mat sums, copy;
    SOLIDYN_PETSC(MatCreate(comm, sums.out()));
    SOLIDYN_PETSC(MatSetSizes(sums, n_rows, n_columns, PETSC_DETERMINE, PETSC_DETERMINE));
    SOLIDYN_PETSC(MatSetBlockSize(sums, 3));
    SOLIDYN_PETSC(MatSetType(sums, MATAIJ));
    SOLIDYN_PETSC(MatSetPreallocationCOO(sums, static_cast<PetscCount>(rows_.size()), rows_.data(),
                                         columns_.data()));
    SOLIDYN_PETSC(MatSetValuesCOO(sums, values_.data(), INSERT_VALUES));
    // The copy does without the places of the entries, which take more memory than the matrix.
    SOLIDYN_PETSC(MatDuplicate(sums, MAT_COPY_VALUES, copy.out()));
    return copy;
  }

 private:
  std::vector<PetscInt> rows_, columns_;
  std::vector<double> values_;
};

}  // namespace solidyn::solvers

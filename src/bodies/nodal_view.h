#pragma once
#include <Eigen/Dense>

#include "solidyn/base/petsc.h"

namespace solidyn::bodies {

/// This rank's part of a nodal vector, one column per node, while the view lives.
class NodalView {
 public:
  explicit NodalView(::Vec x) : x_(x) {
    SOLIDYN_PETSC(VecGetArrayRead(x_, &values_));
    PetscInt n = 0;
    SOLIDYN_PETSC(VecGetLocalSize(x_, &n));
    n_ = n / 3;
  }
  ~NodalView() { VecRestoreArrayRead(x_, &values_); }
  NodalView(const NodalView&) = delete;
  NodalView& operator=(const NodalView&) = delete;
  Eigen::Map<const Eigen::Matrix3Xd> nodes() const { return {values_, 3, n_}; }
  Eigen::Map<const Eigen::VectorXd> flat() const { return {values_, 3 * n_}; }

 private:
  ::Vec x_;
  const PetscScalar* values_ = nullptr;
  Eigen::Index n_ = 0;
};

class WritableNodalView {
 public:
  explicit WritableNodalView(::Vec x) : x_(x) {
    SOLIDYN_PETSC(VecGetArray(x_, &values_));
    PetscInt n = 0;
    SOLIDYN_PETSC(VecGetLocalSize(x_, &n));
    n_ = n / 3;
  }
  ~WritableNodalView() { VecRestoreArray(x_, &values_); }
  WritableNodalView(const WritableNodalView&) = delete;
  WritableNodalView& operator=(const WritableNodalView&) = delete;
  Eigen::Map<Eigen::Matrix3Xd> nodes() { return {values_, 3, n_}; }
  Eigen::Map<Eigen::VectorXd> flat() { return {values_, 3 * n_}; }

 private:
  ::Vec x_;
  PetscScalar* values_ = nullptr;
  Eigen::Index n_ = 0;
};

/// The columns Y_j = operation(X_j). @param x, y work vectors; operation(x, y) makes y from x
template <class Operation>
Eigen::MatrixXd apply_to_columns(const Eigen::MatrixXd& X, ::Vec x, ::Vec y,
                                 const Operation& operation) {
  Eigen::MatrixXd Y(X.rows(), X.cols());
  for (Eigen::Index j = 0; j < X.cols(); ++j) {
    WritableNodalView(x).flat() = X.col(j);
    operation(x, y);
    Y.col(j) = NodalView(y).flat();
  }
  return Y;
}

}  // namespace solidyn::bodies

#pragma once
#include <Eigen/Dense>

#include "solidyn/base/petsc.h"

namespace solidyn::integrators {

/// The entries of a vector that lies on this rank.
inline Eigen::VectorXd copy_of(::Vec v) {
  PetscInt n;
  const PetscScalar* values;
  SOLIDYN_PETSC(VecGetSize(v, &n));
  SOLIDYN_PETSC(VecGetArrayRead(v, &values));
  Eigen::VectorXd copy = Eigen::Map<const Eigen::VectorXd>(values, n);
  SOLIDYN_PETSC(VecRestoreArrayRead(v, &values));
  return copy;
}

}  // namespace solidyn::integrators

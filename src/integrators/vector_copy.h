#pragma once
#include <Eigen/Dense>
#include <vector>

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

/// Collective.
inline base::Vec copy_of_vector(::Vec v) {
  base::Vec copy;
  SOLIDYN_PETSC(VecDuplicate(v, copy.out()));
  SOLIDYN_PETSC(VecCopy(v, copy));
  return copy;
}

/// Collective.
inline std::vector<base::Vec> copies(const std::vector<base::Vec>& from) {
  std::vector<base::Vec> result;
  result.reserve(from.size());
  for (const base::Vec& v : from) result.push_back(copy_of_vector(v));
  return result;
}

}  // namespace solidyn::integrators

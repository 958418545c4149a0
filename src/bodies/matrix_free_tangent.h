#pragma once
#include <functional>
#include <vector>

#include "nodal_mass.h"
#include "solidyn/fem/solid_operator.h"
#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::bodies {

/// v -> (mass M + damping D + stiffness K(x)) v element by element, as a PETSc shell matrix for
/// Krylov methods; held rows and columns are the identity's. The product is the assembled matrix'
/// to round-off. All calls are collective.
class MatrixFreeTangent {
 public:
  /// All references must outlive this object. @param held local rows
  MatrixFreeTangent(const mesh::DistributedMesh& mesh, const fem::SolidOperator& forces,
                    const NodalMass& mass, std::vector<PetscInt> held);
  MatrixFreeTangent(const MatrixFreeTangent&) = delete;
  MatrixFreeTangent& operator=(const MatrixFreeTangent&) = delete;

  /// @param x [3 x n_local] ghosts up to date; copied
  void set(const Eigen::Matrix3Xd& x, const fem::TangentCoefficients& coefficients);
  ::Mat matrix() const { return shell_; }

 private:
  static PetscErrorCode multiply_shell(::Mat shell, ::Vec v, ::Vec y);
  void multiply(::Vec v, ::Vec y);

  const mesh::DistributedMesh& mesh_;
  const fem::SolidOperator& forces_;
  const NodalMass& mass_;
  std::vector<PetscInt> held_;
  fem::TangentCoefficients coefficients_;
  Eigen::Matrix3Xd x_, v_, y_;
  base::Vec free_;  ///< v without the held rows
  base::Mat shell_;
};

}  // namespace solidyn::bodies

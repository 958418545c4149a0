#pragma once
#include <functional>
#include <vector>

#include "nodal_mass.h"
#include "rigid_regions.h"
#include "solidyn/fem/solid_operator.h"
#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::bodies {

/// v -> (mass M + damping D + stiffness K(x)) v element by element, as a PETSc shell matrix for
/// Krylov methods; held rows and columns are the identity's. The product is the assembled matrix'
/// to round-off, and so are the blocks on the diagonal, with which PCPBJACOBI and PCJACOBI work.
/// Rigid regions are held too, or move: then fields are admissible ones, and so are the products,
/// as forces that do on them what A v does. All calls are collective.
class MatrixFreeTangent {
 public:
  /// All references must outlive this object. @param held local rows, those of regions among them
  MatrixFreeTangent(const mesh::DistributedMesh& mesh, const fem::SolidOperator& forces,
                    const NodalMass& mass, std::vector<PetscInt> held);
  MatrixFreeTangent(const MatrixFreeTangent&) = delete;
  MatrixFreeTangent& operator=(const MatrixFreeTangent&) = delete;

  /// Springs of this stiffness, N/m times the coefficient of the stiffness, on owned nodes, along
  /// all axes.
  void add_springs(std::vector<std::int32_t> nodes, double stiffness);

  /// Regions move from now on, until set(). Preconditioners by blocks or by the diagonal leave them
  /// where they are. @param others the rows that stay held
  void move_regions(const RigidRegions& regions, const std::vector<PetscInt>& others);

  /// @param x [3 x n_local] ghosts up to date; copied
  void set(const Eigen::Matrix3Xd& x, const fem::TangentCoefficients& coefficients);
  /// Blocks on the diagonal for preconditioners. @pre set()
  void compute_blocks();
  ::Mat matrix() const { return exact_.matrix; }
  /// A matrix like matrix() for preconditioners, with elements' products in single precision.
  /// @pre set()
  ::Mat keep_single();
  /// y := A v without rows held.
  void multiply_free(::Vec v, ::Vec y);

 private:
  // Context of a shell matrix.
  struct Shell {
    MatrixFreeTangent* tangent = nullptr;
    std::unique_ptr<fem::TangentProduct> elements;
    base::Mat matrix;
  };

  static PetscErrorCode multiply_shell(::Mat shell, ::Vec v, ::Vec y);
  static PetscErrorCode diagonal_of_shell(::Mat shell, ::Vec diagonal);
  static PetscErrorCode inverse_blocks_of_shell(::Mat shell, const PetscScalar** values);
  void make_shell(Shell& shell);
  void keep(fem::ProductPrecision precision, Shell& shell);
  void multiply(const Shell& shell, ::Vec v, ::Vec y);
  void multiply_free(const Shell& shell, ::Vec v, ::Vec y);
  void get_diagonal(::Vec diagonal) const;
  const double* inverse_blocks();

  const mesh::DistributedMesh& mesh_;
  const fem::SolidOperator& forces_;
  const NodalMass& mass_;
  const std::vector<PetscInt> fixed_;
  std::vector<PetscInt> held_;             // of products
  const RigidRegions* regions_ = nullptr;  // where they move
  fem::TangentCoefficients coefficients_;
  Eigen::Matrix3Xd x_, v_, y_;
  Eigen::Matrix<double, 9, Eigen::Dynamic> blocks_, inverses_;  // [9 x n_owned] by columns
  std::vector<std::int32_t> springs_;
  double spring_stiffness_ = 0.0;
  base::Vec free_, product_;  ///< v without the held rows; a product
  Shell exact_, single_;
};

}  // namespace solidyn::bodies

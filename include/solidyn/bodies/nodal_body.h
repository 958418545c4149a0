#pragma once
#include "solidyn/base/petsc.h"
#include "solidyn/bodies/body.h"

namespace solidyn::bodies {

/// The distributed unknowns of a full-mesh body: nodal displacements, velocities and accelerations
/// in body axes, xyz per node, PETSc layout of the mesh.
struct NodalState {
  base::Vec u, du, ddu;
  NodalState clone() const;
  void copy_from(const NodalState& other);
};

/// A body whose 3n nodal displacements are all unknowns. To the rest of the system it is a body
/// with a few elastic coordinates: its ports s = P^T u (P [3n x n_ports], the columns that frames
/// and reference conditions touch). The interior is condensed exactly in every Newton iteration:
///   A du + P df = -(r + P f)   with A = mass M + damping D + stiffness K
///   =>  G^-1 ds + df = -(f + G^-1 P^T A^-1 r),   G = P^T A^-1 P
/// so that add_tangent gives G^-1, add_residual gives G^-1 P^T A^-1 r, and recover() the interior.
/// The dense borders (mean axis, rigid motion) never enter the factorisation of A (SOLVERS.md).
class NodalBody : public Body {
 public:
  using Body::Body;
  virtual NodalState make_state() const = 0;

  /// Collective. Fixes A for the residuals and tangents that follow; factorises it when it changed.
  virtual void set_coefficients(const TangentCoefficients& coefficients) = 0;

  /// Collective. The interior increment of the Newton iteration whose residual was evaluated last:
  /// du = -A^-1 r + Y G^-1 (ds + P^T A^-1 r), Y = A^-1 P. @param ds [n_elastic] increment of the
  /// ports
  virtual void recover(const Eigen::Ref<const Eigen::VectorXd>& ds, ::Vec increment) = 0;

  /// Collective. How far the residual evaluated last would move the interior with the ports held:
  /// max |(I - Y G^-1 P^T) A^-1 r|, m. The small residual does not see it.
  virtual double interior_increment() const = 0;

  /// Collective. s = P^T x, bitwise the same on all ranks.
  virtual Eigen::VectorXd ports_of(::Vec x) const = 0;

  virtual int linear_iterations() const = 0;  ///< so far
};

}  // namespace solidyn::bodies

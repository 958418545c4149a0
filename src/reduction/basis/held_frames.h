#pragma once
#include "reduction/eigen/multivector.h"

namespace solidyn::reduction {

/// The motions that leave every interface frame in place, F^T u = 0 (F: unit loads on the frames,
/// whose transpose gives the frames' motion). Holding them takes no second factorisation: with
/// A = K + s M, Y = A^-1 F and any f,
///   u = A^-1 f - Y (F^T Y)^-1 F^T A^-1 f    minimises u^T A u / 2 - f^T u among these motions.
/// Frames that depend on each other (two interfaces on the same nodes) are held just as well.
class HeldFrames {
 public:
  /// Collective. @param F [rows x m] unit loads   @param Y [rows x m] A^-1 F
  HeldFrames(MPI_Comm comm, const MultiVector& F, MultiVector Y);

  /// Collective. u -= Y (F^T Y)^-1 F^T u: the part of u that leaves the frames in place; A-
  /// orthogonal to what is taken away.
  void project(MultiVector& u) const;
  /// Collective. r -= F (F^T Y)^-1 Y^T r, the transpose of project(): takes out the forces on the
  /// frames that do the work.
  void project_forces(MultiVector& r) const;
  /// Collective. Takes the forces on the frames out of r by least squares: what remains is
  /// orthogonal to F.
  void remove_frame_forces(MultiVector& r) const;
  int n_held() const { return n_held_; }  ///< independent motions of the frames

 private:
  MPI_Comm comm_;
  MultiVector F_, Y_;  ///< of unit (F^T Y)_ii
  Eigen::MatrixXd stiffness_, gram_inverse_;
  int n_held_ = 0;
};

}  // namespace solidyn::reduction

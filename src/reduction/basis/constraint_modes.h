#pragma once
#include "reduction/basis/free_body.h"
#include "reduction/eigen/multivector.h"

namespace solidyn::reduction {

/// Static answers of a body to motions of its interface frames.
struct ConstraintModes {
  MultiVector vectors;  ///< Psi [rows x m], W Psi = I: column j moves frame motion j by one and
                        ///< holds the others; no force acts anywhere else
  Eigen::MatrixXd stiffness;  ///< S [m x m], K Psi = F S: the body condensed to its frames
};

/// Collective. Exact constraint modes of frames that follow a weighted mean motion (rbe3) as well
/// as of nodes and rigid regions, from the attachment modes alone: with the unit loads F, their
/// static correction modes U of the free body (inertia relief), G = F^T U and the rigid motions
/// Phi,
///   Psi = U S + Phi B,   [G, F^T Phi; Phi^T F, 0] [S; B] = [I; 0],
/// since the loads F S are balanced (Phi^T F S = 0), so that K U S = F S.
/// Throws InputError when the frames depend on each other.
/// Proved by ComponentModes.ConstraintModesMoveOneFrameAndPutNoForceInside.
ConstraintModes make_constraint_modes(const FreeBody& body, const MultiVector& F,
                                      const MultiVector& U);

}  // namespace solidyn::reduction

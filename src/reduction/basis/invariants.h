#pragma once
#include "reduction/eigen/multivector.h"
#include "solidyn/reduction/reduced_body.h"

namespace solidyn::reduction {

/// Collective. The sums of reduced_body.h. @param M mass operator on all nodes, m (x) I3
/// @param x [3 x n_owned]   @param X [3 n_owned x n] mode shapes on the owned nodes
InertiaInvariants compute_invariants(MPI_Comm comm, Mat M,
                                     const Eigen::Ref<const Eigen::Matrix3Xd>& x,
                                     const MultiVector& X);

}  // namespace solidyn::reduction

#include "reduction/basis/general_invariants.h"

#include "solidyn/base/mpi.h"
#include "solidyn/math/rotation.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;

// Columns 3 i + a: e_a x X_i on the first n_rows rows, zero below.
MultiVector turn(const MultiVector& X, Index n_rows) {
  MultiVector out = MultiVector::Zero(X.rows(), 3 * X.cols());
  for (Index i = 0; i < X.cols(); ++i)
    for (Index row = 0; row < n_rows; row += 3)
      out.block<3, 3>(row, 3 * i) = -math::skew(X.block<3, 1>(row, i));
  return out;
}

Matrix3d symmetric_part_of(const Matrix3d& G) {
  return 0.5 * (G.trace() * Matrix3d::Identity() - G - G.transpose());
}

// The skew matrix A with cross_of(A) = h.
Matrix3d skew_part_of(const Vector3d& h) { return -0.5 * math::skew(h); }

}  // namespace

RigidInertia find_rigid_inertia(MPI_Comm comm, const MultiVector& R, const MultiVector& M_R) {
  const MatrixXd G = inner_products(comm, R, M_R);
  RigidInertia out;
  const Vector3d masses = G.diagonal().head<3>();
  out.mass = masses.mean();
  out.anisotropy = (masses.array() - out.mass).abs().maxCoeff() / out.mass;
  // e_k . (e_a x s) = s . (e_k x e_a)
  out.first_moment = 0.5 * Vector3d(G(1, 5) - G(2, 4), G(2, 3) - G(0, 5), G(0, 4) - G(1, 3));
  const Matrix3d inertia = G.bottomRightCorner<3, 3>();
  out.inertia = 0.5 * (inertia + inertia.transpose());
  return out;
}

InertiaInvariants compute_general_invariants(MPI_Comm comm, Mat M, const Eigen::Matrix3Xd& x,
                                             const MultiVector& R, const MultiVector& X) {
  const Index n = X.cols();
  const MultiVector M_R = multiply(M, R), M_X = multiply(M, X), P_X = turn(X, x.size());
  const RigidInertia rigid = find_rigid_inertia(comm, R, M_R);
  const MatrixXd R_M_X = inner_products(comm, R, M_X);     // [6 x n]
  const MatrixXd X_M_PX = inner_products(comm, M_X, P_X);  // [n x 3n]
  const MultiVector M_PX = multiply(M, P_X);
  const MatrixXd R_M_PX = inner_products(comm, R.rightCols<3>(), M_PX);  // [3 x 3n]
  const MatrixXd PX_M_PX = inner_products(comm, P_X, M_PX);              // [3n x 3n]

  InertiaInvariants out;
  out.mass = rigid.mass;
  out.first_moment = rigid.first_moment;
  out.N00 = 0.5 * rigid.inertia.trace() * Matrix3d::Identity() - rigid.inertia;
  out.S = R_M_X.topRows<3>();
  out.N0.resize(n);
  out.N.resize(n * n);
  for (Index i = 0; i < n; ++i) {
    out.N0[i] =
        symmetric_part_of(R_M_PX.middleCols<3>(3 * i)) + skew_part_of(R_M_X.col(i).tail<3>());
    for (Index j = 0; j < n; ++j) {
      const Vector3d cross = 0.5 * (X_M_PX.block<1, 3>(j, 3 * i) - X_M_PX.block<1, 3>(i, 3 * j));
      out.N[i * n + j] = symmetric_part_of(PX_M_PX.block<3, 3>(3 * i, 3 * j)) + skew_part_of(cross);
    }
  }
  return out;
}

}  // namespace solidyn::reduction

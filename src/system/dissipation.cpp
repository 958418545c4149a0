// The damping of what dissipates, apart from other forces that depend on velocities.
#include <Eigen/Eigenvalues>

#include "solidyn/system/system.h"

namespace solidyn::system {
namespace {

using Eigen::MatrixXd;

// Negative eigenvalues that round-off and the frames of a force at large rotations may leave.
constexpr double kNegative = 1e-2;

// The symmetric part of a damping matrix, or zero where that also feeds some motions: a force on
// one body that depends on the velocity of another makes neither of them decay.
MatrixXd dissipative_part(const Eigen::Ref<const MatrixXd>& D) {
  if (D.isZero(0.0)) return MatrixXd::Zero(D.rows(), D.cols());
  const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(0.5 * (D + D.transpose()));
  const Eigen::VectorXd& values = eigen.eigenvalues();
  if (eigen.info() != Eigen::Success ||
      values[0] < -kNegative * std::max(0.0, values[values.size() - 1]))
    return MatrixXd::Zero(D.rows(), D.cols());
  return eigen.eigenvectors() * values.cwiseMax(0.0).asDiagonal() *
         eigen.eigenvectors().transpose();
}

}  // namespace

void System::assemble_dissipation(const State& s, solvers::BlockMatrix& matrix) {
  const bodies::TangentCoefficients damping{0.0, 1.0, 0.0};
  matrix.set_zero();
  int block = 0;
  for (int i = 0; i < n_bodies(); ++i, ++block) {
    bodies::Body& body = *bodies_[i];
    const auto n = static_cast<Eigen::Index>(block_columns_[block].size());
    auto D = J_rate_.topLeftCorner(n, n), unused = J_q_.topLeftCorner(n, n);
    D.setZero();
    body.add_tangent(kinematics_.bodies[i], gravity_, damping, D, unused);
    // The rest are gyroscopic terms.
    const Eigen::Index n_elastic = n - body.n_rigid();
    MatrixXd elastic = MatrixXd::Zero(n, n);
    elastic.bottomRightCorner(n_elastic, n_elastic) =
        dissipative_part(D.bottomRightCorner(n_elastic, n_elastic));
    matrix.add_block(block, elastic);
  }
  block += 3 * n_constraint_blocks();
  for (int k = 0; k < n_forces(); ++k, block += 2) {
    const auto n = static_cast<Eigen::Index>(force_columns_[k].size());
    auto D = J_rate_.topLeftCorner(n, n), unused = J_q_.topLeftCorner(n, n);
    D.setZero();
    forces_[k]->add_tangent(kinematics_, s.t, damping, D, unused);
    matrix.add_block(block, dissipative_part(D));
  }
}

}  // namespace solidyn::system

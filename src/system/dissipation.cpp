// The damping of what dissipates, apart from other forces that depend on velocities.
#include <Eigen/Eigenvalues>

#include "solidyn/base/disjoint_sets.h"
#include "solidyn/bodies/element_body.h"
#include "solidyn/math/dense.h"
#include "solidyn/solvers/block_matrix.h"
#include "solidyn/system/system.h"

namespace solidyn::system {
namespace {

using Eigen::MatrixXd;

// Negative eigenvalues that round-off and the frames of a force at large rotations may leave.
constexpr double kNegative = 1e-2;

// Of a sum over eigenvectors: what does not hang together in `A` has no entries.
MatrixXd with_the_zeros_of(const MatrixXd& A, MatrixXd sum) {
  base::DisjointSets<Eigen::Index> sets(static_cast<std::size_t>(A.rows()));
  for (Eigen::Index j = 0; j < A.cols(); ++j)
    for (Eigen::Index i = 0; i < j; ++i)
      if (A(i, j) != 0.0) sets.join(i, j);
  for (Eigen::Index j = 0; j < A.cols(); ++j)
    for (Eigen::Index i = 0; i < A.rows(); ++i)
      if (sets.root(i) != sets.root(j)) sum(i, j) = 0.0;
  return sum;
}

// The symmetric part of a damping matrix, or zero where that also feeds some motions: a force on
// one body that depends on the velocity of another makes neither of them decay.
MatrixXd dissipative_part(const Eigen::Ref<const MatrixXd>& D) {
  if (D.isZero(0.0)) return MatrixXd::Zero(D.rows(), D.cols());
  const MatrixXd symmetric = 0.5 * (D + D.transpose());
  const auto spectrum = math::symmetric_spectrum(symmetric);
  const Eigen::VectorXd& values = spectrum.values;
  if (!spectrum.has_converged || values[0] < -kNegative * std::max(0.0, values[values.size() - 1]))
    return MatrixXd::Zero(D.rows(), D.cols());
  return with_the_zeros_of(symmetric, spectrum.vectors * values.cwiseMax(0.0).asDiagonal() *
                                          spectrum.vectors.transpose());
}

}  // namespace

void System::assemble_dissipation(const State& s, solvers::BlockMatrix& matrix) {
  const bodies::TangentCoefficients damping{0.0, 1.0, 0.0};
  if (matrix.pattern_version() != pattern_version_) set_pattern(matrix);
  matrix.set_zero();
  std::vector<int> n_rigid;  // of blocks
  auto elements = connectivity_.element_bodies().begin();
  for (const auto& body : bodies_) {
    const bool has_elements =
        elements != connectivity_.element_bodies().end() && body.get() == *elements;
    n_rigid.insert(n_rigid.end(), has_elements ? (*elements++)->n_elements() : 1, body->n_rigid());
  }
  for_body_blocks(damping, nullptr, [&](int block, Eigen::Ref<MatrixXd> D, const auto&) {
    const Eigen::Index n_elastic = D.rows() - n_rigid[block];  // the rest are gyroscopic terms
    MatrixXd elastic = MatrixXd::Zero(D.rows(), D.cols());
    elastic.bottomRightCorner(n_elastic, n_elastic) =
        dissipative_part(D.bottomRightCorner(n_elastic, n_elastic));
    matrix.add_block(block, elastic);
  });
  const auto add = [&](const forces::Force& force, std::size_t width, int block) {
    const auto n = static_cast<Eigen::Index>(width);
    auto D = J_rate_.topLeftCorner(n, n), unused = J_q_.topLeftCorner(n, n);
    D.setZero();
    force.add_tangent(kinematics_, s.t, damping, D, unused);
    matrix.add_block(block, dissipative_part(D));
  };
  for (const ForceIndex k : forces_.indices())
    add(*forces_[k], force_columns_[k].size(), first_block_of_forces() + 2 * k.value());
  int block = first_block_of_parts();
  for (const Part& part : parts_) add(*part.force, part.columns.size(), block++);
}

}  // namespace solidyn::system

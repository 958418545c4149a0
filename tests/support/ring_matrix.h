#pragma once
#include <Eigen/Dense>
#include <random>

namespace solidyn::test {

/// A ring of blocks of three with chords of many lengths; the diagonal outweighs the rest where
/// `diagonal` is large.
inline Eigen::MatrixXd ring_matrix(int n_blocks, double diagonal = 9.0) {
  using Eigen::MatrixXd;
  std::mt19937 g(7);
  std::uniform_real_distribution<double> any(-1.0, 1.0);
  MatrixXd A = MatrixXd::Zero(3 * n_blocks, 3 * n_blocks);
  const auto couple = [&](int i, int j) {
    MatrixXd block(3, 3);
    for (double& value : block.reshaped()) value = any(g);
    A.block<3, 3>(3 * i, 3 * j) += block;
    A.block<3, 3>(3 * j, 3 * i) += block.transpose();
  };
  for (int i = 0; i < n_blocks; ++i) {
    couple(i, (i + 1) % n_blocks);
    couple(i, (7 * i) % n_blocks);
  }
  A.diagonal().array() += diagonal;
  return A;
}

}  // namespace solidyn::test

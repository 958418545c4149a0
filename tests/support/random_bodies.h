#pragma once
#include <gtest/gtest.h>

#include <memory>

#include "random_numbers.h"
#include "solidyn/bodies/modal_body.h"

/// Random flexible bodies, states and difference quotients for contract tests: irregular, rotated,
/// in motion.
namespace solidyn::testing_support {

/// A cloud of point masses with random mode shapes: everything a reduced body is, small enough to
/// sum.
struct MassCloud {
  Eigen::VectorXd m;                // [n]
  Eigen::Matrix3Xd x;               // [3 x n]
  std::vector<Eigen::Matrix3Xd> X;  // per mode [3 x n]

  MassCloud(int n_nodes, int n_modes, unsigned seed);
  /// Makes the modes mass-orthogonal to translations and small rotations, as free-free modes are.
  void remove_rigid_motion();
  reduction::InertiaInvariants invariants() const;
  Eigen::MatrixXd mass_matrix() const;
  Eigen::MatrixXd stiffness(unsigned seed) const;  ///< random SPD
  Eigen::Matrix3Xd deformed(const Eigen::VectorXd& w) const;
};

/// Terms of second order of a frame, [3 n x n]: three symmetric matrices.
Eigen::MatrixXd random_second_order(std::mt19937& generator, int n, double scale);

}  // namespace solidyn::testing_support

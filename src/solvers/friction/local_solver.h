#pragma once
#include <Eigen/Dense>
#include <vector>

#include "solidyn/solvers/friction/problem.h"

namespace solidyn::solvers::friction {

struct LocalSolution {
  Eigen::Vector3d r;
  ContactState state;
  Eigen::Vector2d direction = {1.0, 0.0};  ///< of the slip velocity, where it slips
};

/// The problem of one contact, u = W r + q with a 3x3 block W: exactly, for any W, symmetric or
/// not, singular or not, and with W_NN - mu W_NT.d of any sign (Painleve). Normal and tangential
/// parts are solved together. Proved by tests/unit/friction/local_solver_test.cpp.
class LocalSolver {
 public:
  LocalSolver(const Eigen::Matrix3d& W, double mu);
  const Eigen::Matrix3d& block() const { return W_; }
  double coefficient() const { return mu_; }

  /// Every solution: open, stick, and the slip directions, which are the roots of a quartic. Where
  /// a singular W leaves r free when it sticks, the one with the smallest r_N.
  std::vector<LocalSolution> enumerate(const Eigen::Vector3d& q) const;

  /// One solution, that of the state in `last` if there is one; of several others the one whose
  /// force is nearest to last.r. False: there is none, and `last` is unchanged.
  bool solve(const Eigen::Vector3d& q, LocalSolution& last) const;

 private:
  bool solve_frictionless(const Eigen::Vector3d& q, LocalSolution& last) const;
  bool try_stick(const Eigen::Vector3d& q, LocalSolution& last) const;
  bool try_slip(const Eigen::Vector3d& q, LocalSolution& last) const;
  bool stick_of_singular(const Eigen::Vector3d& q, Eigen::Vector3d& r) const;
  void find_kernel();

  Eigen::Matrix3d W_;
  Eigen::Matrix3d inverse_ = Eigen::Matrix3d::Zero();  // of a singular W the pseudo-inverse
  double mu_;
  bool is_regular_ = false;
  Eigen::Matrix3d kernel_ = Eigen::Matrix3d::Zero();  // in its first columns
  int kernel_size_ = 0;
};

}  // namespace solidyn::solvers::friction

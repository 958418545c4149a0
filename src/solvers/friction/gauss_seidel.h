#pragma once
#include <vector>

#include "solvers/friction/local_solver.h"

namespace solidyn::solvers::friction {

/// Block Gauss-Seidel: each contact in turn gets the force that solves it exactly while all others
/// keep theirs. State, slip direction and force of a contact are the start of its next solution.
class GaussSeidel {
 public:
  GaussSeidel(const Problem& problem, const ContactBlocks& W, const Eigen::VectorXd& rho);
  void set_forces(const Eigen::VectorXd& r);
  Eigen::VectorXd forces() const;

  struct Progress {
    int sweeps = 0;
    ContactError error;  ///< after the last sweep
  };
  /// Until the relative error is at most `tolerance`, or `max_sweeps`.
  Progress run(int max_sweeps, double tolerance);
  /// Visits all contacts once. Returns an estimate of the error before it:
  /// sqrt(sum of |change of r_i|^2 / rho_i^2).
  double sweep();

 private:
  double visit(int contact);

  struct Contact {
    LocalSolver solver;
    Eigen::Vector3d q;
    double velocity_per_force;  // 1 / rho
    LocalSolution last;
  };
  const Problem& problem_;
  const ContactBlocks& W_;
  const Eigen::VectorXd& rho_;
  std::vector<Contact> contacts_;
  Eigen::VectorXd r_;  // [3 n]
};

}  // namespace solidyn::solvers::friction

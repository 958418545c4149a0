#pragma once
#include <functional>
#include <vector>

#include "solidyn/recursive/hinge_multipliers.h"

namespace solidyn::recursive {

/// Forces that follow what joints transmit (forces::Force::constraints(), friction of joints),
/// which in turn follows from them: multipliers lambda with
///   lambda = lambda_0 + L r(lambda),   r the residuals that these forces add,
/// where the sweeps give lambda_0 and L. Newton's method with few columns: each force depends on
/// the multipliers along one direction or few, dr = Q V dlambda with Q and V small, so that
///   (1 - L Q V) dlambda = lambda_0 + L r - lambda
/// takes one application of L for each column of Q, which is kept from iteration to iteration, and
/// a matrix as small as there are columns. What has no solution is jammed. Local. Proved by
/// MultiplierForces.*; doc/theory/recursive.md
class MultiplierForces {
 public:
  explicit MultiplierForces(Tree& tree);

  bool empty() const { return followers_.empty(); }
  /// Whether a force of the system is one of them.
  bool contains(forces::ForceIndex force) const { return contains_[force]; }
  /// Whose joints are hinges that one of them follows.
  const std::vector<int>& links() const { return links_; }
  /// Whether one of them follows a joint that is no hinge.
  bool follows_closures() const { return follows_closures_; }

  /// What these forces add to the equations of motion, of each the velocities of its bodies.
  using Residuals = std::vector<Eigen::VectorXd>;
  /// Sets the multipliers that follow, in the same state, from these residuals: an affine function.
  using Find = std::function<void(const Residuals&)>;
  /// @param[in,out] state  its multipliers; kinematics() must be those of this very object
  /// @return the residuals; `find` was last called with them
  /// @throws system::JammedError naming a force
  const Residuals& solve(system::State& state, const Find& find);
  /// put(link, residual on its velocities) of each body that one of them acts on.
  template <class Put>
  void for_each(const Residuals& residuals, const Put& put) const {
    for (std::size_t i = 0; i < followers_.size(); ++i)
      for (const Part& part : followers_[i].parts)
        put(part.link, residuals[i].segment(part.first, part.n));
  }

  /// How the residual of one of them depends on the multipliers: dr = Q V dlambda.
  struct Dependence {
    const forces::Force* force;
    const std::vector<int>& rows;  ///< multipliers of the system
    Eigen::MatrixXd Q, V;          ///< [columns of the force x n], [n x rows], n >= 1
  };
  /// Of those that do at the present multipliers: not at rest, and not of a preload alone.
  std::vector<Dependence> dependences(double t) const;

 private:
  struct Part {
    int link, first, n;
  };
  struct Follower {
    const forces::Force* force;
    std::vector<Part> parts;
    int n_velocities = 0;
    std::vector<int> rows;    // multipliers of the system
    std::vector<int> places;  // of these, in rows_
  };
  Eigen::VectorXd followed(const system::State& state) const;
  void put(const Eigen::VectorXd& multipliers, system::State& state) const;
  Eigen::MatrixXd by_multipliers(const Follower& follower, double t) const;
  bool evaluate(double t);
  struct Columns {
    Eigen::MatrixXd Q, of_multipliers;  // of_multipliers = L Q
  };
  void find_columns(std::size_t i, const Eigen::MatrixXd& J, system::State& state,
                    const Find& find);
  Eigen::VectorXd correction(const Eigen::VectorXd& misfit, system::State& state, const Find& find);
  [[noreturn]] void fail(const Eigen::VectorXd& misfit, double t) const;

  const system::System& system_;
  base::IndexedVector<forces::ForceIndex, bool> contains_;
  std::vector<Follower> followers_;
  std::vector<int> rows_;  // all that are followed, once each
  std::vector<int> links_;
  bool follows_closures_ = false;
  // Of one solution.
  Residuals residuals_, one_;
  std::vector<Columns> columns_;
  Eigen::VectorXd without_;  // the multipliers without these forces
};

}  // namespace solidyn::recursive

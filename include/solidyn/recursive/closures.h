#pragma once
#include <string>

#include "solidyn/joints/constraint.h"
#include "solidyn/recursive/articulated_bodies.h"

namespace solidyn::recursive {

/// The constraints that no hinge says: cut joints, couplings, drives along no hinge. Their forces
/// come from G M^-1 G^T, one solution of the tree for each row. How many rows depend on others is
/// found at the first state, which satisfies them: beside such states they contradict the others a
/// little, and would stop the motion if they were taken for independent ones. There the forces are
/// those of least norm together with the multipliers of all hinges, as those of
/// system::solve_acceleration_equations are. Local. Proved by Mechanism.ClosesLoops and
/// Mechanism.SharesForcesOfDependentRowsAsAbsoluteCoordinatesDo.
class Closures {
 public:
  Closures(Tree& tree, ArticulatedBodies& bodies);

  int n_rows() const { return static_cast<int>(row_of_.size()); }
  bool empty() const { return constraints_.empty(); }
  /// Whether a row is of velocity level.
  bool is_rate(int row) const;
  /// @pre factorise() at some time
  bool has_dependent_rows() const { return n_dependent_ > 0; }
  const std::vector<ConstraintIndex>& constraints() const { return constraints_; }
  /// G of each constraint, of its bodies' velocities one after the other.
  const joints::ConstraintValues& values(int constraint) const { return values_[constraint]; }

  /// G and Phi of the system's kinematics. @pre System::update()
  void evaluate(double t);
  /// nu and gamma. @pre evaluate(), System::update_accelerations()
  void evaluate_rates(double t);
  /// Of rows of position level, others zero; and G v - nu of all at the links' motion. [n_rows]
  Eigen::VectorXd position_violation() const;
  Eigen::VectorXd velocity_violation(const system::State& state) const;

  /// A = G M^-1 G^T. @pre evaluate(), ArticulatedBodies::factorise(). Loses the forces and
  /// accelerations of links.
  void factorise();
  /// lambda with A lambda = G a - gamma, a of the links without closures. Does factorise().
  const Eigen::VectorXd& find_multipliers();
  /// Multipliers that have no effect on the motion, in columns. @pre factorise()
  Eigen::MatrixXd idle_multipliers() const;
  /// Adds G^T lambda to the forces on the links.
  void add_forces(const Eigen::VectorXd& lambda);
  void write(const Eigen::Ref<const Eigen::VectorXd>& lambda, Eigen::VectorXd& of_system) const;

  /// The increment -M^-1 G^T A^-1 violation of speeds or coordinates. @pre factorise()
  void find_correction(const Eigen::VectorXd& violation, Eigen::VectorXd& du);
  /// The rows that are violated most, in words.
  std::string worst(const Eigen::VectorXd& violation) const;

 private:
  struct Row {
    int constraint, row;
  };
  Eigen::VectorXd multiply_G();
  Eigen::VectorXd solve(const Eigen::VectorXd& rhs) const;

  Tree& tree_;
  ArticulatedBodies& bodies_;
  std::vector<ConstraintIndex> constraints_;
  std::vector<joints::ConstraintValues> values_;
  std::vector<Row> row_of_;
  Eigen::VectorXd lambda_, scale_, inverse_values_, acceleration_, du_;
  Eigen::MatrixXd vectors_;  // of the scaled A
  int n_dependent_ = -1;     // not known yet
};

}  // namespace solidyn::recursive

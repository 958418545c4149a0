#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "solidyn/joints/constraint.h"
#include "solidyn/recursive/articulated_bodies.h"

namespace solidyn::recursive {

class ClosureOrder;
class ClosureSweep;

/// Multipliers of closures that move nothing, and the forces that they ask of hinges.
struct IdleMultipliers {
  std::vector<std::pair<int, double>> multipliers;  ///< row of the closures, value
  std::vector<std::pair<int, Vector6d>> forces;     ///< link, what its hinge exerts (Link::f)
};

/// What the sweeps carry of closures, for predictions of what they take.
struct ClosureCounts {
  std::vector<int> through;  ///< of each link, rows that go through its hinge
  std::vector<int> ending;   ///< rows that are solved for at once, where they end
};

/// The constraints that no hinge says: cut joints, couplings, drives along no hinge. The sweeps of
/// ArticulatedBodies satisfy them and find their forces: rows of a loop go inwards until a link
/// carries all of it, so that many local loops cost as much each. How many rows depend on others is
/// found at the first state, which satisfies them: beside such states they contradict the others a
/// little, and would stop the motion if they were taken for independent ones. There the forces are
/// those of least norm together with the multipliers of all hinges, as those of
/// system::solve_acceleration_equations are. Local. Proved by Mechanism.ClosesLoops and
/// Mechanism.SharesForcesOfDependentRowsAsAbsoluteCoordinatesDo.
class Closures {
 public:
  /// @pre System::update() of a state that satisfies them. `bodies` carries their rows from now on.
  Closures(Tree& tree, ArticulatedBodies& bodies);
  ~Closures();
  Closures(const Closures&) = delete;
  Closures& operator=(const Closures&) = delete;

  int n_rows() const { return static_cast<int>(row_of_.size()); }
  bool empty() const { return constraints_.empty(); }
  /// Whether a row is of velocity level.
  bool is_rate(int row) const;
  /// @pre ArticulatedBodies::factorise() at some time
  bool has_dependent_rows() const;
  const ClosureOrder& order() const;  ///< @pre !empty()
  ClosureCounts counts() const;
  /// What makes the closures doubtful at the first state, for a warning; empty when nothing does.
  /// @pre ArticulatedBodies::factorise() at some time
  std::string warning() const;
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

  /// Rows and gamma for ArticulatedBodies::factorise() and solve(). @pre evaluate(),
  /// evaluate_rates() where gamma is needed, Tree::compute_motion() of the same, !empty()
  void set_rows();
  /// Of the last ArticulatedBodies::solve(). [n_rows]
  const Eigen::VectorXd& multipliers() const;
  /// A basis of those that move nothing. @pre ArticulatedBodies::factorise(). Loses multipliers().
  std::vector<IdleMultipliers> find_idle();
  /// Adds G^T lambda to the forces on the links.
  void add_forces(const Eigen::VectorXd& lambda);
  void write(const Eigen::Ref<const Eigen::VectorXd>& lambda, Eigen::VectorXd& of_system) const;
  int row_of_system(int row) const;  ///< among the multipliers of the system

  /// The increment of speeds or coordinates that takes the violation away and is least in the
  /// metric of the mass. @pre set_rows(), ArticulatedBodies::factorise(). Loses gamma.
  void find_correction(const Eigen::VectorXd& violation, Eigen::VectorXd& du);
  /// The rows that are violated most, in words.
  std::string worst(const Eigen::VectorXd& violation) const;

 private:
  struct Row {
    int constraint, row;
  };
  Tree& tree_;
  ArticulatedBodies& bodies_;
  std::vector<ConstraintIndex> constraints_;
  std::vector<joints::ConstraintValues> values_;
  std::vector<Row> row_of_;
  std::unique_ptr<ClosureSweep> sweep_;  // null: there are no closures
};

}  // namespace solidyn::recursive

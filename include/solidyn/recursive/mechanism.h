#pragma once
#include <mpi.h>

#include <memory>
#include <optional>

#include "solidyn/recursive/branch_shares.h"
#include "solidyn/recursive/closures.h"
#include "solidyn/recursive/hinge_multipliers.h"

namespace solidyn::recursive {

class AbsolutePart;
class BranchExchange;
class LeastNorm;
class MultiplierForces;

/// Whether ranks share the branches of a tree: where counts say that it is worth while, unless the
/// option -recursive_branches says otherwise; in any case but with closures, whose rows go through
/// several branches, with friction of joints, which is found by several sweeps, and with nodes of
/// beams; or never.
enum class Sharing { automatic, always, never };

/// The equations of motion of a system in relative coordinates: what system::accelerations.h and
/// system::projection.h are to absolute ones. Forces, bodies and constraints are the system's; its
/// kinematics and state follow the coordinates. Local, the same bits on all ranks; with branches on
/// ranks accelerations are collective. Proved by Mechanism.*, tests/mpi/recursive
class Mechanism {
 public:
  /// What is doubtful about closures, Closures::warning(): written to the log with the first
  /// accelerations, or left to who asks.
  enum class Warnings { log, leave };

  /// @pre system.update() of a state that satisfies the constraints. The system must outlive it.
  /// @throws base::InputError as find_forest()
  explicit Mechanism(system::System& system, Warnings warnings = Warnings::log);
  ~Mechanism();

  /// What sweeps are for: accelerations, or iterations of StepEquations and StepTangent.
  enum class Sweeps { of_accelerations, of_implicit_steps };
  /// How the branches are shared; empty: each rank sweeps over all of them.
  std::optional<BranchShares> find_shares(int n_ranks, Sharing sharing, Sweeps sweeps) const;
  /// Gives branches to the ranks of a communicator, as find_shares(): from then on
  /// compute_accelerations() and compute_state() are collective. @return whether it does
  bool share_branches(MPI_Comm comm, Sharing sharing = Sharing::automatic);
  /// In words, for `check` and the log: how that is done, or that each rank sweeps over all bodies.
  std::string describe_shares(int n_ranks, Sweeps sweeps) const;

  const Tree& tree() const { return tree_; }
  Tree& tree() { return tree_; }
  const Closures& closures() const { return closures_; }

  /// Positions and velocities of `state` at these coordinates and its time. Coordinates that follow
  /// laws are put where these are.
  void place(Eigen::VectorXd& q, Eigen::VectorXd& u, system::State& state);

  /// du of coordinates and speeds at the time of `state`. Coordinates that follow laws are put
  /// there. Where forces, closures or external_powers() need it, positions and velocities of
  /// `state` and its multipliers of drives and closures are set, and kinematics() are at it.
  void compute_accelerations(Eigen::VectorXd& q, Eigen::VectorXd& u, system::State& state,
                             Eigen::VectorXd& du);
  /// The same where coordinates and speeds that follow laws are as given, and their second rates
  /// too: entries of `laws` [n_speeds]; others are zero.
  void compute_accelerations_as_given(const Eigen::VectorXd& laws, const Eigen::VectorXd& q,
                                      const Eigen::VectorXd& u, system::State& state,
                                      Eigen::VectorXd& du);
  /// Speeds that follow laws become those of `speeds` [n_speeds], by an impulse of their drives and
  /// of closures that moves the others too: M du + G^T impulse = 0 of these.
  /// @param[in,out] state  a workspace, and the time
  void jump(const Eigen::VectorXd& q, Eigen::VectorXd& u, const Eigen::VectorXd& speeds,
            system::State& state);
  /// Positions and velocities of `state` after compute_accelerations() of the same; kinematics()
  /// are at it.
  void write_motion(const Eigen::VectorXd& q, const Eigen::VectorXd& u, system::State& state);
  /// state.a and all state.lambda after write_motion(), of the accelerations that were found.
  void complete(const Eigen::VectorXd& du, system::State& state);
  /// As compute_accelerations(), with state.a and all state.lambda; kinematics() are at `state`.
  void compute_state(Eigen::VectorXd& q, Eigen::VectorXd& u, system::State& state);

  /// Coordinates and speeds near these that satisfy the closures and laws at state.t, by increments
  /// that are least in the metric of the mass, of speeds those of laws included: a law that jumps
  /// does so by an impulse; positions and velocities of `state` are theirs.
  /// @throws base::ComputationError when there are none
  void project(Eigen::VectorXd& q, Eigen::VectorXd& u, system::State& state);

  /// Of speeds x [n_speeds] what closures of position level see, and no more: the least in the
  /// metric of the mass with the same G x, those of laws left at zero.
  /// @param[in,out] state  a workspace, and the time
  Eigen::VectorXd part_along_closures(const Eigen::VectorXd& q, const Eigen::VectorXd& x,
                                      system::State& state);

  /// Whether System::external_powers() may differ from zero.
  bool exchanges_energy() const { return exchanges_energy_; }
  /// Forces that follow what joints transmit (friction of joints).
  const MultiplierForces& multiplier_forces() const { return *multiplier_forces_; }
  /// Nodes of beams; empty where there are none.
  const AbsolutePart& absolute_part() const { return *absolute_; }

 private:
  friend class StepEquations;
  void follow_laws(double t, Eigen::VectorXd& q, Eigen::VectorXd& u);
  void accelerate(const Eigen::VectorXd& q, const Eigen::VectorXd& u, system::State& state,
                  Eigen::VectorXd& du);
  void jump_as_tree(const Eigen::VectorXd& q, Eigen::VectorXd& u, const Eigen::VectorXd& speeds);
  void jump_to_laws(double t, const Eigen::VectorXd& q, Eigen::VectorXd& u);
  void update_at_rates(const Eigen::VectorXd* du, system::State& state);
  void add_forces(const system::State& state);
  void add_multiplier_forces(const std::vector<Eigen::VectorXd>& residuals);
  void solve_with_multiplier_forces(system::State& state, Eigen::VectorXd& du);
  void write_found_multipliers(const LeastNorm* least, system::State& state);
  std::unique_ptr<LeastNorm> find_least_norm(const system::State& state);
  void warn_once();
  void write_drive_multipliers(system::State& state);

  system::System& system_;
  Tree tree_;
  std::unique_ptr<AbsolutePart> absolute_;
  ArticulatedBodies bodies_;
  Closures closures_;
  std::unique_ptr<BranchExchange> exchange_;  // null: each rank sweeps over all
  HingeMultipliers hinges_;
  std::unique_ptr<MultiplierForces> multiplier_forces_;
  bool needs_kinematics_ = false;  // of forces and closures
  bool exchanges_energy_ = false;
  bool is_to_warn_;
  Eigen::VectorXd force_, laws_, du_;  // workspaces
};

}  // namespace solidyn::recursive

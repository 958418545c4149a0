#pragma once
#include "solidyn/recursive/inverse_dynamics.h"
#include "solidyn/recursive/mechanism.h"

namespace solidyn::recursive {

/// The equations of motion in relative coordinates for given accelerations, as implicit steps solve
/// them, by one sweep outwards and one inwards (P-RECURSIVE 4.1):
///   r = sum J^T (M_b a_b + h_b + G^T lambda) = 0,   Phi(q, t) = 0,
/// lambda of the closures. Coordinates that follow laws have no equation. Local.
/// Proved by StepEquations.*
class StepEquations {
 public:
  explicit StepEquations(Mechanism& mechanism);
  ~StepEquations();

  /// @param[in,out] q, u, du  those that follow laws are put where these are at state.t
  /// @param[in,out] state     its time and multipliers of closures are read; where forces or
  ///                          closures need them, positions and velocities become those of q and u
  /// Afterwards links have accelerations and what their hinges exert: all, or where branches are
  /// shared those of the trunk and of this rank's branches, as StepTangent needs it. Then
  /// collective.
  void evaluate(Eigen::VectorXd& q, Eigen::VectorXd& u, Eigen::VectorXd& du, system::State& state,
                SweptLinks links = SweptLinks::all);
  /// Puts those that follow laws where these are at time t.
  void follow_laws(double t, Eigen::VectorXd& q, Eigen::VectorXd& u, Eigen::VectorXd& du);
  /// evaluate() where coordinates, speeds and rates are what they are, whatever laws say.
  void evaluate_as_given(const Eigen::VectorXd& q, const Eigen::VectorXd& u,
                         const Eigen::VectorXd& du, system::State& state,
                         SweptLinks links = SweptLinks::all);
  /// Of a motion that has been found what write() needs, without what hinges exert.
  /// @pre !has_forces(), and no coordinate follows a law
  void settle(const Eigen::VectorXd& q, const Eigen::VectorXd& u, const Eigen::VectorXd& du);
  const Eigen::VectorXd& residual() const { return r_; }  ///< [n_speeds], zero where laws are
  /// Of closures; of rows of velocity level G v - nu. [n_closure_rows]
  const Eigen::VectorXd& violation() const { return phi_; }

  /// Positions, velocities and accelerations of `state`, as evaluate() or settle() left them, and
  /// its multipliers of drives; kinematics() are at it.
  void write(system::State& state);
  /// Then all multipliers, which no equation of motion needs: of hinges, and of dependent closures
  /// those of least norm. @pre evaluate()
  void write_reactions(system::State& state);

  int n_speeds() const { return tree_.n_speeds(); }
  int n_closure_rows() const { return mechanism_.closures_.n_rows(); }
  Eigen::VectorXd closure_multipliers(const system::State& state) const;
  void set_closure_multipliers(const Eigen::VectorXd& lambda, system::State& state) const;
  bool has_forces() const { return mechanism_.needs_kinematics_; }
  /// Gives branches to the ranks of a communicator, as Mechanism::find_shares().
  /// @pre before a StepTangent of these equations is made. @return whether it does
  bool share_branches(MPI_Comm comm, Sharing sharing = Sharing::automatic);
  /// In words, for the log, as Mechanism::describe_shares().
  std::string describe_shares(int n_ranks) const;
  /// Null: branches are not shared.
  BranchExchange* exchange() const { return exchange_.get(); }

  /// The last speeds' accelerations with which forces balance, at `state`; see
  /// Mechanism::compute_state(), which sets its accelerations and multipliers.
  void find_accelerations(Eigen::VectorXd& q, Eigen::VectorXd& u, system::State& state,
                          Eigen::VectorXd& du);

  /// Of the multipliers that forces follow a sum that the forces depend on, as it was found: with
  /// dependent closures of all multipliers. @param[in,out] c  [constraints of the system]
  void spread(Eigen::VectorXd& c) const;
  /// @pre evaluate()
  HingeMultipliers::Variation vary(int link, const Eigen::VectorXd& c,
                                   const system::State& state) const {
    return mechanism_.hinges_.vary(link, c, state.lambda);
  }
  const HingeMultipliers& hinges() const { return mechanism_.hinges_; }
  /// Whether forces follow the multipliers of closures, which are unknowns.
  bool has_forces_of_closures() const;
  const MultiplierForces& multiplier_forces() const { return mechanism_.multiplier_forces(); }

  /// G a of closures at the accelerations of links. @pre evaluate()
  Eigen::VectorXd closure_accelerations() const;

  Tree& tree() { return tree_; }
  const Tree& tree() const { return tree_; }
  const Closures& closures() const { return mechanism_.closures_; }
  const AbsolutePart& absolute_part() const { return mechanism_.absolute_part(); }
  system::System& system() const { return mechanism_.system_; }

 private:
  void add_closures(const system::State& state);
  void add_multiplier_forces(const Eigen::VectorXd& du, system::State& state);

  Mechanism& mechanism_;
  Tree& tree_;
  std::unique_ptr<BranchExchange> exchange_;  // null: branches are not shared
  InverseDynamics inverse_dynamics_;
  bool has_laws_ = false;  // some constraint moves by itself
  bool has_rate_closures_ = false;
  Eigen::VectorXd r_, phi_, du_;
  Eigen::VectorXd lambda_;            // of closures, at the last evaluation
  std::unique_ptr<LeastNorm> least_;  // likewise, where forces follow dependent closures
};

}  // namespace solidyn::recursive

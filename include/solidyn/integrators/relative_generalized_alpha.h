#pragma once
#include <memory>

#include "solidyn/integrators/carried_tangents.h"
#include "solidyn/integrators/extrapolation.h"
#include "solidyn/integrators/generalized_alpha.h"

namespace solidyn::recursive {
class Mechanism;
class StepEquations;
class StepTangent;
enum class SweptLinks;
}  // namespace solidyn::recursive

namespace solidyn::integrators {

class ConsistentVelocities;

/// GeneralizedAlpha on the coordinates of hinges: the same scheme, with increments n of coordinates
/// (of rotation vectors where hinges turn freely), and closures of loops in index-3 form. The
/// iteration matrix is factorised by a sweep over the tree (recursive::StepTangent) and kept until
/// convergence slows. Coordinates that follow laws, and their speeds, are those of the laws at the
/// end of each step; a law whose speed jumps moves the others by the force of a step. Bodies that
/// turn freely on others do so by increments with their terms of third order
/// (advance_coordinates()). The same bits on all ranks; steps are collective where these share the
/// branches of a big tree (recursive::RanksForBranches), else local. Proved by
/// RelativeGeneralizedAlpha.*
class RelativeGeneralizedAlpha {
 public:
  RelativeGeneralizedAlpha(system::System& system, const GeneralizedAlphaOptions& options);
  ~RelativeGeneralizedAlpha();

  /// Starts, or starts anew, from consistent positions and velocities.
  void initialize(const system::State& state);
  /// Advances `state`, which initialize() was given or the last step left, from t to t + h. Its
  /// multipliers are complete() only for drives.
  /// @throws base::ComputationError with the state as it was before
  void step(system::State& state, double h);
  /// Sets all multipliers of the state that the last step, initialize() or a failure left: the
  /// motion does not need them, and those of redundant loops take as long as a step.
  /// kinematics() are at it.
  void complete(system::State& state);
  /// Takes the last step() back.
  void reject(system::State& state);
  /// What a restart needs beyond the state: accelerations of hinges and modes, and those of the
  /// scheme. [n_speeds]
  struct Memory {
    Eigen::VectorXd acceleration, algorithmic_acceleration;
    double step = 0.0;  ///< s, the last one; 0: a beginning
  };
  Memory memory() const { return {now_.a, now_.A, step_before_}; }
  /// After initialize(state): goes on as the run that had `memory` at `state`.
  /// @return false, and nothing changes, when it is of other coordinates
  bool recall(const Memory& memory, const system::State& state);
  /// Continues as a run that is restarted here.
  void forget_history(const system::State& state);
  /// The last step's local error relative to the characteristic length, of order h^3.
  double error_estimate() const { return error_estimate_; }
  /// Where the last step began after kinks of laws, by an impulse of their drives, or without
  /// velocities that it could not resolve: what that did.
  const std::optional<GeneralizedAlpha::CorrectedStart>& corrected_start() const {
    return corrected_start_;
  }
  const IntegratorStatistics& statistics() const { return statistics_; }
  ContactReport take_contact_report() { return {}; }

 private:
  static constexpr double kSameStep = 1e-9;  // steps that differ by round-off
  // Coordinates, speeds, their rates, and those of the scheme.
  struct Motion {
    Eigen::VectorXd q, u, a, A;
    Eigen::VectorXd law;  ///< what laws say of accelerations, from within the step
  };
  void set_weights();
  void set_factors(double h);
  void factorise(system::State& s);
  void begin(const system::State& state, double h);
  void drop_unresolved_velocities(const system::State& state, const Eigen::VectorXd* laws);
  void take_dropped_back();
  Eigen::VectorXd velocity_offset(const Eigen::VectorXd& rate, double h, system::State& s);
  void adapt(const system::State& state, double h);
  Eigen::VectorXd resolved(system::State& s, const Eigen::VectorXd& target, int n_terms);
  Eigen::VectorXd law_accelerations(double t, Eigen::VectorXd& q, Eigen::VectorXd& u);
  void plan_laws(double t, double h);
  void advance_coordinates();
  void predict(system::State& s, double h);
  bool iterate(system::State& s, double h);
  bool evaluate(system::State& s, recursive::SweptLinks links);
  void find_slip_velocities(system::State& s);
  bool close_loops(system::State& s);
  void let_springs_shrink(system::State& s);
  void apply(system::State& s, double share);
  void stop_at_reversals(system::State& s);
  double reduction();
  bool rests_but_for_round_off(double h) const;
  bool has_converged(double allowed, double h);
  bool has_settled_multipliers(double rate) const;
  void require_no_rejection(const system::State& s, double h) const;
  std::string failure(const system::State& s, double h);
  double size_of(const Eigen::VectorXd& v) const;
  double coordinate_size() const;
  double allowed_increment(double h) const;

  system::System& system_;
  GeneralizedAlphaOptions options_;
  double alpha_m_ = 0.0, alpha_f_ = 0.0, beta_ = 0.0, gamma_ = 0.0;
  std::unique_ptr<recursive::Mechanism> mechanism_;
  std::unique_ptr<recursive::StepEquations> equations_;
  std::unique_ptr<recursive::StepTangent> tangent_;
  std::unique_ptr<ConsistentVelocities> consistent_velocities_;  // null without closures that rub
  Motion now_, before_;
  system::State state_before_;
  Eigen::VectorXd first_offset_;  // of speeds in a first step; else empty
  std::optional<GeneralizedAlpha::CorrectedStart> corrected_start_;
  Eigen::VectorXd given_A_;  // before the present step adapted it
  // What the present step was given, where it began without velocities that it cannot resolve.
  struct BeforeDrop {
    Eigen::VectorXd u, a, lambda;
    std::optional<GeneralizedAlpha::CorrectedStart> corrected_start;
  };
  std::optional<BeforeDrop> before_drop_;
  double step_before_ = 0.0, step_before_that_ = 0.0;  // 0: a beginning
  Extrapolation past_;
  CarriedTangents carried_;
  Eigen::VectorXd n_, x_, dlambda_, lambda_, lambda_before_,
      weights_;  // of the step; its last correction
  std::vector<forces::Slip> slips_;
  std::vector<int> followed_closures_;  // multipliers of closures, where friction follows them
  std::vector<int> driven_;             // speeds that follow laws
  // Of links that turn freely on others; the axes' sign is that of joints::Hinge::turn_sign().
  struct FreeTurn {
    int speeds;
    double sign;
  };
  std::vector<FreeTurn> free_turns_;
  Eigen::VectorXd turned_;                      // workspace: n_ with their increments
  Eigen::VectorXd of_laws_;                     // workspace: their accelerations
  double velocity_ = 0.0, acceleration_ = 0.0;  // factors of an increment
  double bracket_ = 0.0;                        // h^2/12
  double tangent_velocity_ = 0.0;               // of the tangent that is kept; 0: none
  double rate_ = 1.0;                           // of what corrections with it leave, at most
  double length_ = 1.0, largest_velocity_ = 0.0, largest_acceleration_ = 0.0,
         largest_coordinate_ = 1.0;
  double increment_ = 0.0, increment_before_ = 0.0, violation_ = 0.0, error_estimate_ = 0.0;
  int iterations_ = 0;
  IntegratorStatistics statistics_;
};

}  // namespace solidyn::integrators

#pragma once
#include <cstdint>
#include <memory>

#include "solidyn/integrators/contact_event.h"
#include "solidyn/integrators/stage_options.h"
#include "solidyn/system/system.h"

namespace solidyn::recursive {
class Mechanism;
}

namespace solidyn::integrators {

class RelativeStepLimit;

/// The cheapest explicit scheme, in relative coordinates: speeds w of the middle of a step, then
/// positions with them, and the speeds u of its end ahead of those of the middle by half of what
/// the accelerations of its start make of a step:
///   w_n = w_(n-1) + h a_n,   q_(n+1) = q_n with h w_n added,   u_(n+1) = w_n + theta h a_n
/// with a_n = du/dt(q_n, u_n, t_n), w_(-1) = u_0 - h/2 a_0 and theta = 1/2 (rotation vectors where
/// hinges turn freely). One evaluation of the accelerations a step, order two. Without forces by
/// speeds it is leapfrog: symplectic where the mass does not depend on the coordinates, the energy
/// oscillates by order h^2 and does not drift; otherwise it drifts by order h^2. Beside strong
/// dampers theta is less (RelativeStepLimit), down to semi-implicit Euler at 0. Loops are closed by
/// a projection of positions and velocities after each step. Coordinates that follow laws, and
/// their speeds, are those of the laws at the end of each step; what hangs on them has the impulse
/// of kinks within it. A step that is not stable is refused. With ranks that share branches
/// (Mechanism::share_branches) collective, else local; the same bits on all ranks. Proved by
/// SemiImplicitEuler.*; doc/theory/recursive.md
class SemiImplicitEuler {
 public:
  /// @throws base::InputError as Mechanism, where the system has no relative coordinates
  explicit SemiImplicitEuler(system::System& system);
  ~SemiImplicitEuler();

  /// Starts, or starts anew, from consistent positions and velocities.
  void initialize(const system::State& state);
  /// Advances `state`, which initialize() was given or the last step left, from t to t + h. Its
  /// accelerations and multipliers, but those of drives, are complete() only.
  /// @throws base::ComputationError with the state as it was before
  void step(system::State& state, double h);
  /// Sets accelerations and all multipliers of the state that the last step, initialize() or a
  /// failure left; kinematics() are at it.
  void complete(system::State& state);
  /// What a restart needs beyond the state. [n_speeds]
  struct Memory {
    Eigen::VectorXd acceleration;  ///< of the state
    Eigen::VectorXd ahead;         ///< by which times `step` u is ahead of the middle of that step
    double step = 0.0;             ///< s, the last one; 0: a beginning
  };
  Memory memory() const { return {du_, ahead_, step_before_}; }
  /// After initialize(state): goes on as the run that had `memory` at `state`. How long steps may
  /// be is found anew, and theta with it where dampers are strong.
  /// @return false, and nothing changes, when it is of other coordinates
  bool recall(const Memory& memory);
  /// Continues as a run that is restarted here.
  void forget_history(const system::State& state);
  const IntegratorStatistics& statistics() const { return statistics_; }
  ContactReport take_contact_report() { return {}; }

 private:
  enum class Evaluation { stale, at_state, completed };
  void take_step(system::State& state, double h);
  void evaluate(system::State& state);
  void estimate_limit(const Eigen::VectorXd& suspect, system::State& workspace, double h);
  bool may_estimate() const;
  bool is_limit_in_doubt(double h);
  void add_impulse_of_laws(system::State& state, double h, Eigen::VectorXd& w);
  void require_no_rejection(const system::State& state, double h) const;

  system::System& system_;
  std::unique_ptr<recursive::Mechanism> mechanism_;
  std::unique_ptr<RelativeStepLimit> limit_;
  system::State before_;
  Evaluation evaluation_ = Evaluation::stale;
  Eigen::VectorXd q_, u_, du_, ahead_, q_before_, u_before_, du_before_, ahead_before_, w_, laws_;
  double step_before_ = 0.0;  // 0: a beginning
  int steps_of_limit_ = 0;
  std::int64_t steps_since_start_ = 0;
  double speed_ = 0.0;  // of the last steps
  bool has_told_of_growth_ = false;
  IntegratorStatistics statistics_;
};

}  // namespace solidyn::integrators

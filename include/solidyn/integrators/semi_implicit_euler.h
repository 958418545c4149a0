#pragma once
#include <memory>

#include "solidyn/integrators/contact_event.h"
#include "solidyn/integrators/stage_options.h"
#include "solidyn/system/system.h"

namespace solidyn::recursive {
class Mechanism;
}

namespace solidyn::integrators {

class RelativeStepLimit;

/// The cheapest explicit scheme, in relative coordinates: u1 = u0 + h du/dt(q0, u0, t0), then
/// q1 = q0 with h u1 added (as a rotation vector where hinges turn freely). One evaluation of the
/// accelerations a step, order one. Where the mass does not depend on the coordinates, without
/// dampers, it is symplectic: the energy oscillates by order h and does not drift. Otherwise it
/// drifts by order h, for forces that are of second degree in the speeds are taken at the start of
/// a step. Loops are closed by a projection of positions and velocities after each step.
/// Coordinates that follow laws, and their speeds, are those of the laws at the end of each step;
/// what hangs on them has their mean acceleration over it. A step that is not stable is refused
/// (RelativeStepLimit). With ranks that share branches (Mechanism::share_branches) collective, else
/// local; the same bits on all ranks. Proved by SemiImplicitEuler.*; doc/theory/recursive.md
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
  /// Nothing of the past is remembered but what the limit of the step was.
  void forget_history(const system::State& state) { initialize(state); }
  const IntegratorStatistics& statistics() const { return statistics_; }
  ContactReport take_contact_report() { return {}; }

 private:
  enum class Evaluation { stale, at_state, completed };
  void take_step(system::State& state, double h);
  void evaluate(system::State& state);
  void estimate_limit(const Eigen::VectorXd& suspect, system::State& workspace, double h);
  bool may_estimate() const;
  bool is_limit_in_doubt(double h);
  const Eigen::VectorXd& accelerations_of_step(system::State& state, double h);
  void require_no_rejection(const system::State& state, double h) const;

  system::System& system_;
  std::unique_ptr<recursive::Mechanism> mechanism_;
  std::unique_ptr<RelativeStepLimit> limit_;
  system::State before_;
  Evaluation evaluation_ = Evaluation::stale;
  Eigen::VectorXd q_, u_, du_, q_before_, u_before_, du_before_, laws_, n_;
  int steps_of_limit_ = 0;
  double speed_ = 0.0;  // of the last steps
  bool has_told_of_growth_ = false;
  IntegratorStatistics statistics_;
};

}  // namespace solidyn::integrators

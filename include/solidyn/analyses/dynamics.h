#pragma once
#include <array>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "solidyn/analyses/dynamics_options.h"
#include "solidyn/analyses/formulation_choice.h"
#include "solidyn/analyses/sensors.h"
#include "solidyn/integrators/contact_solver.h"
#include "solidyn/integrators/generalized_alpha.h"
#include "solidyn/integrators/relative_generalized_alpha.h"
#include "solidyn/system/initial_conditions.h"

namespace solidyn::analyses {

class SingularityWatch;

/// One way of advancing a system in time.
class Stepper {
 public:
  virtual ~Stepper() = default;
  virtual void initialize(const system::State& state) = 0;
  /// Advances by one step of the stepper's own choice, never beyond t_end.
  /// @throws base::ComputationError with the state as it was before the step
  virtual void step(system::State& state, double t_end) = 0;
  /// Sets multipliers of the state that the last step left which the motion itself does not need;
  /// the system's kinematics are at it.
  virtual void complete(system::State&) {}
  /// Whether complete() is for a copy of the state, which is shown: it sets accelerations too, and
  /// the next step begins with those that the last one left.
  virtual bool completes_copy() const { return false; }
  virtual const integrators::IntegratorStatistics& statistics() const = 0;
  virtual const char* name() const = 0;
  /// Whether the motion is what forces make of it, so that energies balance.
  virtual bool integrates() const { return true; }
  /// Replicated and distributed memory beyond the state; empty when a restart needs none.
  virtual integrators::GeneralizedAlpha::Memory* memory() { return nullptr; }
  /// The same of relative coordinates.
  using RelativeMemory = integrators::RelativeGeneralizedAlpha::Memory;
  virtual std::optional<RelativeMemory> relative_memory() const { return {}; }
  /// @return false, and the motion begins anew, when it is of other coordinates
  virtual bool recall(const RelativeMemory&, const system::State&) { return false; }
  /// Makes going on the same as a restart from here, where that costs no accuracy.
  virtual void forget_history(const system::State&) {}
  /// The work of drives and loads less dissipation since initialize(), J, of a stepper that
  /// integrates it with the motion.
  virtual std::optional<Eigen::VectorXd> work() const { return {}; }
  /// Where the last step began without velocities that it could not resolve.
  virtual std::optional<integrators::GeneralizedAlpha::CorrectedStart> corrected_start() const {
    return {};
  }
  /// What set-valued contacts did since the last call.
  virtual integrators::ContactReport take_contact_report() { return {}; }
  /// Whether Newton's method has failed on a step of the requested size, and it was
  /// subdivided.
  virtual bool has_failed_steps() const { return false; }
  /// Called with each part of a step that is subdivided; the whole step is not reported.
  void on_part(std::function<void(const system::State&)> observer) {
    observer_ = std::move(observer);
  }

 protected:
  void tell(const system::State& part) const {
    if (observer_) observer_(part);
  }

 private:
  std::function<void(const system::State&)> observer_;
};
/// @pre System::compute_residual() was called for the state that `redundancy` is of
/// @pre the formulation is not `automatic`, see choose_formulation()
/// @param contact_solver  of set-valued contacts; null: one by itself
std::unique_ptr<Stepper> make_stepper(
    system::System& system, const DynamicsOptions& options, const system::Redundancy& redundancy,
    std::shared_ptr<integrators::ContactSolver> contact_solver = nullptr);

/// The energy balance of bodies that exchange energy with no others, J.
struct EnergyAccount {
  double initial_energy = 0.0, initial_strain = 0.0, initial_potential = 0.0;
  double work = 0.0;         ///< of drives and loads, less dissipation, since the start
  double turned_over = 0.0;  ///< of the sum of all powers' absolute values over time
  /// What the bodies have turned over: the largest kinetic energy, change of strain or potential
  /// energy, and `turned_over`. It contains no constant potential.
  double exchanged = 0.0;
  double imbalance = 0.0;  ///< that E - E_0 - work that was largest; negative: energy is lost

  void begin(const bodies::Energy& energy);
  void count(const bodies::Energy& energy);
};

/// What set-valued contacts have shown so far.
struct ContactTotals {
  std::int64_t impacts = 0;      ///< contact points that were hit
  int most_closed = 0;           ///< points closed at once
  double penetration = 0.0;      ///< m, deepest at the end of a step
  double overrun = 0.0;          ///< rad, the same of gaps that are angles
  double energy_lost = 0.0;      ///< J, in impacts
  double friction_loss = 0.0;    ///< J, in friction between impacts
  double work_of_loads = 0.0;    ///< J, of all but set-valued laws: drives, loads, moving surfaces
  double largest_gain = 0.0;     ///< J, that impacts and closed gaps gave an island in one step
  double largest_gain_at = 0.0;  ///< s
  integrators::ContactSolverTotals solver;
  /// Of what is set-valued, by its name: events of each kind, in the order of their enum.
  using EventCounts = std::array<std::int64_t, integrators::ContactEvent::kKinds>;
  std::map<std::string, EventCounts> events;
};

/// What a run has shown so far.
struct Monitor {
  double position_violation = 0.0;      ///< max |Phi|, m or rad
  double velocity_violation = 0.0;      ///< max |G v - nu|
  double acceleration_violation = 0.0;  ///< max |G a - gamma|
  bodies::Energy energy;                ///< at the last observation, J
  EnergyAccount balance;                ///< of the whole mechanism
  std::vector<EnergyAccount> islands;   ///< of each (System::n_islands()), where there are several
  double largest_energy = 0.0;          ///< max |E| and |work| so far: the scale of the drift, J
  double largest_drift = 0.0;           ///< max |E - E_0 - work|, J
  bool start_failed = false;            ///< the first step was subdivided
  ContactTotals contacts;
  double relative_drift() const {
    return largest_energy > 0.0 ? largest_drift / largest_energy : 0.0;
  }
};

/// Dynamics of a system from consistent initial conditions to `duration`:
///   dynamics.start();  while (!dynamics.is_done()) { dynamics.advance(); ... dynamics.state() ...
///   }
class Dynamics {
 public:
  Dynamics(system::System& system, const DynamicsOptions& options);
  ~Dynamics();

  /// Consistent positions, velocities, accelerations, multipliers from the bodies' initial motion.
  /// Redundant constraints are named in a warning. @throws base::InputError and
  /// base::ComputationError
  void start();
  /// The same from an equilibrium that statics found: its positions at the time 0, with the
  /// velocity field that the bodies' initial motion is. @throws base::InputError where drives have
  /// bodies elsewhere at the time 0
  void start_from(const system::State& equilibrium);
  /// Goes on from a saved state; `monitor` is what had been seen until then.
  /// @param before formulation of the run that saved it, which an automatic choice keeps
  void resume(system::State state, std::int64_t steps, const Monitor& monitor,
              Formulation before = Formulation::absolute);
  /// One step, no further than to `t_stop` (s) where the integrator chooses its steps itself.
  /// @throws base::ComputationError with state() still the last good one
  void advance(double t_stop = std::numeric_limits<double>::infinity());
  /// Does the integrator choose its steps itself?
  bool has_variable_steps() const;
  bool is_done() const { return state_.t >= options_.duration * (1.0 - 1e-12); }

  /// Makes what sensors read current: frame accelerations, and forces inside meshes and beams.
  /// Looks for singular positions that were passed (one warning). A small part of a step: for each
  /// row of the history.
  /// @param reactions  leave: only sensors without `reads_reactions` will look
  enum class Reactions { find, leave };
  void refresh(Reactions reactions = Reactions::find);
  /// The same, with violations of constraints (one warning when positions are far off), concerns of
  /// constraints and beams (a warning each, once) and the energy balance. Costs about as much as a
  /// Newton iteration: not for every row.
  void observe(Reactions reactions = Reactions::find);
  /// Makes frame accelerations current, for sensors that need them.
  void update_accelerations() { system_.update_accelerations(); }

  const system::State& state();
  /// The same for what reads the motion alone: reactions of joints may be those of an earlier step.
  const system::State& motion() const { return shown_ ? *shown_ : state_; }
  /// What the next step begins with, and a restart.
  const system::State& accepted();
  double time() const { return state_.t; }  ///< s
  std::int64_t steps() const { return steps_; }
  const Monitor& monitor() const { return monitor_; }
  const system::Redundancy& redundancy() const { return redundancy_; }
  /// Since start() or resume().
  const FormulationChoice& formulation() const { return formulation_; }
  Stepper& stepper() { return *stepper_; }
  /// The last problem of set-valued contacts in a step that failed; null where all was solved
  /// since the last step that did not.
  const integrators::UnsolvedContacts* unsolved_contacts() const {
    return contact_solver_->unsolved();
  }
  /// What has happened to set-valued contacts since the last call, in order of time.
  std::vector<integrators::ContactEvent> take_contact_events() {
    return std::exchange(contact_events_, {});
  }

 private:
  void find_consistent_motion();
  void begin();
  void take_formulation(FormulationChoice choice);
  void examine_constraints();
  void count_work(const system::State& state);
  void complete();
  void separate_overlaps();
  void start_contacts();
  void count_contacts(integrators::ContactReport report, Eigen::VectorXd& gained);
  void note_powers(const Eigen::VectorXd& powers);
  void count_laws_and_loads(const integrators::ContactReport& report, double half_step);
  void note_gain(const Eigen::VectorXd& energy_change);
  void count_energy();
  void need_residual();
  void warn_of_drift();
  void warn_of_singular_position();

  system::System& system_;
  DynamicsOptions options_;
  system::State state_;
  std::optional<system::State> shown_;  // state_ completed, where that must be a copy
  std::unique_ptr<Stepper> stepper_;
  FormulationChoice formulation_;
  system::Redundancy redundancy_;
  Monitor monitor_;
  Eigen::VectorXd power_;        // of each island, W, at counted_until_
  Eigen::VectorXd work_before_;  // of each island, J, when the stepper was initialized
  double counted_until_ = 0.0;   // s
  std::int64_t steps_ = 0;
  std::vector<bool> is_warned_;  // of each constraint, then of each body
  bool has_drifted_ = false;
  bool is_complete_ = true;  // Stepper::complete() has nothing left to do
  bool has_set_valued_contacts_ = false;
  std::shared_ptr<integrators::ContactSolver> contact_solver_;
  // Of each island, W, at counted_until_; only of models with set-valued laws: without what these
  // do, and what their friction takes.
  Eigen::VectorXd load_power_, friction_power_;
  bool has_residual_ = false;  // r_, phi_ and the system's derivatives of constraints are of state_
  double length_ = 0.0;        // m, of the mechanism at the start
  std::unique_ptr<SingularityWatch> watch_;  // until it has found something
  Eigen::VectorXd r_, phi_, nu_, gamma_, product_;
  std::vector<integrators::ContactEvent> contact_events_;
};

}  // namespace solidyn::analyses

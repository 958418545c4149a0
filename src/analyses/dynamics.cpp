#include "solidyn/analyses/dynamics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "energy_account.h"
#include "free_bodies.h"
#include "singularity_watch.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/base/log_stage.h"
#include "solidyn/forces/internal_state.h"
#include "solidyn/forces/set_valued.h"
#include "solidyn/integrators/contact_assembly.h"
#include "solidyn/integrators/contact_start.h"
#include "solidyn/integrators/set_valued_powers.h"
#include "solidyn/system/closed_contacts.h"
#include "solidyn/system/multipliers.h"
#include "solidyn/system/quasi_static_start.h"
#include "solidyn/system/scales.h"
#include "solidyn/system/singular_start.h"
#include "solidyn/system/warnings.h"
#include "start.h"
#include "start_from.h"

namespace solidyn::analyses {
namespace {

// Positions are assembled and velocities made consistent to this, in m, rad and their rates.
constexpr double kConsistent = 1e-12;
// A constraint violated by more than this, relative to the mechanism's length, or rad, is not kept.
constexpr double kNotKept = 1e-3;
// Gaps that are to be closed, likewise.
constexpr double kPenetrates = 1e-9;

Eigen::VectorXd between(const Eigen::VectorXd& x, const Eigen::VectorXd& a,
                        const Eigen::VectorXd& b) {
  return x.cwiseMax(a.cwiseMin(b)).cwiseMin(a.cwiseMax(b));
}

// Regularised like redundant ones, the constraints would be missing from then on.
void require_regular_start(system::System& system, const system::State& state,
                           const system::Redundancy& redundancy) {
  const std::string dependent = system::find_singular_start(system, state, redundancy, kConsistent);
  const std::string shaky =
      dependent.empty() ? system::find_shaky_start(system, state, redundancy) : std::string();
  if (!shaky.empty())
    throw base::InputError(
        fmt::format(
            "t = {:.6g} s: the mechanism starts in a singular position (a dead centre): these constraints are linearly dependent there and admit a velocity that they prevent as soon as it moves, like bars pinned in a straight line: {}",
            state.t, shaky),
        "start outside of this position, make a body flexible, or allow one of the joints to slide");
  if (dependent.empty()) return;
  throw base::InputError(
      fmt::format(
          "t = {:.6g} s: the mechanism starts in a singular position (a dead centre): these constraints are linearly dependent there, but not in neighbouring positions, and the motion may continue in more than one way: {}",
          state.t, dependent),
      "start a few degrees away from it: with other poses of these bodies, or with a drive angle that does not start at 0");
}

// Of inverse dynamics, whose steps have their shape near that of the step before.
void find_first_shape(system::System& system, system::State& state,
                      const system::Redundancy& redundancy) {
  bool is_stable = false;
  std::string why = "it is unstable";
  try {
    is_stable = system::deform_quasi_statically(system, state, redundancy);
  } catch (const base::ComputationError& e) {
    why = e.what();
    why = why.substr(0, why.find('\n'));
  }
  if (!is_stable)
    throw base::ComputationError(fmt::format(
        "t = {:.6g} s: inverse_dynamics: the flexible bodies have no stable shape in equilibrium with loads and inertia forces at the start ({}): they turn too fast for their stiffness, or buckle\n  begin with lower velocities and loads, or write  deformation: dynamic",
        state.t, why));
}

// Dampers in series with springs have been moving like this for long.
void settle_internal_states(system::System& system, system::State& state) {
  system.update(state);
  for (const forces::ForceIndex f : system.forces()) {
    const forces::InternalState* of_force = system.force(f).as_internal_state();
    if (!of_force) continue;
    const auto [coordinate, rate] = of_force->steady_value(system.kinematics());
    state.q[system.layout().elastic_offset(of_force->coordinate())] = coordinate;
    state.v[system.layout().velocity_offset(of_force->coordinate())] = rate;
  }
}

double worst_row(const Eigen::VectorXd& v) { return v.size() ? v.lpNorm<Eigen::Infinity>() : 0.0; }

}  // namespace

Dynamics::Dynamics(system::System& system, const DynamicsOptions& options)
    : system_(system),
      options_(options),
      state_(system.make_state()),
      contact_solver_(std::make_shared<integrators::ContactSolver>(options.contact_solver)) {
  for (const forces::ForceIndex f : system.forces())
    if (const forces::SetValued* law = system.force(f).as_set_valued())
      monitor_.contacts.events[law->label()] = {};
}

Dynamics::~Dynamics() = default;

void Dynamics::examine_constraints() {
  has_set_valued_contacts_ = system::has_set_valued_contacts(system_);
  system_.update(state_);
  system_.compute_residual(state_, r_, phi_);
  length_ = characteristic_length(system_);
  redundancy_ = system::find_redundancy(system_, increment_weights(system_, length_));
  watch_ = std::make_unique<SingularityWatch>(system_, redundancy_);
  if (redundancy_.rows.empty()) return;
  require_regular_start(system_, state_, redundancy_);
  warn_of_redundancy(system_, redundancy_, "motion");
}

void Dynamics::start() {
  const base::LogStage stage(base::Stage::start);
  system_.set_coefficients({1.0, 0.0, 0.0});
  const Eigen::VectorXd drawn = state_.q;
  system::assemble_positions(system_, state_, kConsistent);
  if (options_.assemble_contacts) separate_overlaps();
  warn_of_displaced_bodies(system_, drawn, state_.q);
  find_consistent_motion();
  begin();
}

void Dynamics::separate_overlaps() {
  Eigen::VectorXd r, phi;
  system_.update(state_);
  system_.compute_residual(state_, r, phi);
  integrators::separate_overlaps(system_, state_, system::redundancy_regularization(system_),
                                 options_.preset);
}

void Dynamics::start_from(const system::State& equilibrium) {
  system_.set_coefficients({1.0, 0.0, 0.0});
  take_positions(system_, equilibrium, state_);
  const Eigen::VectorXd found = state_.q;
  system::assemble_positions(system_, state_, kConsistent);
  refuse_displaced_equilibrium(system_, found, state_.q);
  find_consistent_motion();
  begin();
}

void Dynamics::find_consistent_motion() {
  system_.accept(state_);
  const Eigen::VectorXd given = state_.v;
  system::make_velocities_consistent(system_, state_, kConsistent);
  warn_of_changed_velocities(system_, given, state_.v);
  settle_internal_states(system_, state_);
}

void Dynamics::begin() {
  examine_constraints();
  if (options_.inverse != InverseDynamics::none) require_driven_bodies(system_, state_);
  const bool is_quasi_static =
      options_.inverse == InverseDynamics::quasi_static && system::has_flexible_bodies(system_);
  if (is_quasi_static)
    find_first_shape(system_, state_, redundancy_);
  else if (options_.elastic_start == ElasticStart::quasi_static)
    system::deform_quasi_statically(system_, state_, redundancy_);
  auto solver = solvers::make_linear_solver(options_.preset, system_.layout().n_unknowns());
  system_.set_pattern(*solver);
  solve_first_accelerations(system_, state_, *solver, !redundancy_.rows.empty());
  take_formulation(
      choose_formulation(system_, state_, options_, redundancy_, solver->factor_size()));
  start_contacts();
  stepper_->initialize(state_);
  work_before_.setZero(system_.connectivity().n_islands());
  system_.update(state_);
  warn_of_forces_at_start(system_, state_.t);
  system_.accept(state_);  // forces remember velocities
  monitor_.balance.begin(system_.energy(state_));
  if (system_.connectivity().n_islands() > 1)
    for (const bodies::Energy& energy : system_.energies(state_)) {
      monitor_.islands.emplace_back();
      monitor_.islands.back().begin(energy);
    }
  note_powers(system_.external_powers(state_));
  counted_until_ = state_.t;
  has_residual_ = false;
  observe();
}

void Dynamics::take_formulation(FormulationChoice choice) {
  formulation_ = std::move(choice);
  DynamicsOptions options = options_;
  options.formulation = formulation_.formulation;
  system_.update(state_);
  system_.compute_residual(state_, r_, phi_);
  stepper_ = make_stepper(system_, options, redundancy_, contact_solver_);
  stepper_->on_part([this](const system::State& part) { count_work(part); });
}

void Dynamics::resume(system::State state, std::int64_t steps, const Monitor& monitor,
                      Formulation before) {
  state_ = std::move(state);
  steps_ = steps;
  monitor_ = monitor;
  system_.set_coefficients({1.0, 0.0, 0.0});
  examine_constraints();
  take_formulation(keep_formulation(system_, state_, options_, redundancy_, before));
  note_powers(system_.external_powers(state_));
  // That was of the last step, and is of no use to those that are not like it.
  state_.velocity_correction.resize(0);
  system_.update(state_);
  stepper_->initialize(state_);
  monitor_.energy = system_.energy(state_);
  counted_until_ = state_.t;
  work_before_.setConstant(1, monitor_.balance.work);
  if (system_.connectivity().n_islands() > 1) {
    work_before_.resize(system_.connectivity().n_islands());
    for (int i = 0; i < system_.connectivity().n_islands(); ++i)
      work_before_[i] = monitor_.islands[i].work;
  }
}

bool Dynamics::has_variable_steps() const {
  return options_.adaptive || options_.integrator == IntegratorKind::bdf ||
         options_.integrator == IntegratorKind::runge_kutta;
}

void Dynamics::advance(double t_stop) {
  const double end = options_.duration;
  has_residual_ = is_complete_ = false;
  if (shown_) {
    shown_.reset();
    system_.update(state_);
  }
  if (has_set_valued_contacts_) integrators::forget_impulses(system_, state_);
  stepper_->step(state_, has_variable_steps() ? std::min(end, t_stop) : end);
  system_.accept(state_);
  contact_solver_->forget_unsolved();
  if (steps_++ == 0) monitor_.start_failed = stepper_->has_failed_steps();
  count_work(state_);
  // Of large meshes only where they are observed: their energies cost a product with the stiffness.
  if (system_.layout().nodal_bodies().empty()) count_energy();
}

void Dynamics::complete() {
  if (std::exchange(is_complete_, true)) return;
  has_residual_ = false;
  // Steps keep the matrix of earlier positions, and with it what dependent constraints share.
  const bool shortens =
      !redundancy_.rows.empty() && formulation_.formulation == Formulation::absolute;
  if (!shortens && !stepper_->completes_copy()) return stepper_->complete(state_);
  shown_ = state_.clone();
  stepper_->complete(*shown_);
  if (shortens) system::shorten_multipliers(system_, *shown_);
}

const system::State& Dynamics::state() {
  complete();
  return motion();
}

const system::State& Dynamics::accepted() {
  if (!stepper_->completes_copy()) complete();
  return state_;
}

// By the trapezoidal rule, of the order of generalized-alpha; integrators of other orders have the
// work among their unknowns.
void Dynamics::count_work(const system::State& state) {
  const Eigen::VectorXd powers = system_.external_powers(state);
  const double half = 0.5 * (state.t - counted_until_);
  Eigen::VectorXd gained = Eigen::VectorXd::Zero(powers.size());
  // Dampers, and what drives against them, have done their work at once.
  if (const auto start = stepper_->corrected_start()) {
    gained = start->kinetic_energy;
    power_ = load_power_ = start->power;  // no contact is closed there
    monitor_.contacts.work_of_loads += gained.sum();
  }
  integrators::ContactReport contacts = stepper_->take_contact_report();
  const Eigen::VectorXd& at_end = contacts.powers.size() > 0 ? contacts.powers : powers;
  // Between what the powers at both ends would have done: dampers may have taken all that there
  // was within a part of the step.
  if (contacts.euler_change.size() > 0)
    gained += between(contacts.euler_change, 2.0 * half * power_, 2.0 * half * at_end);
  else
    gained += half * (power_ + at_end);
  if (contacts.euler_change.size() == 0 && contacts.ended_slip.size() > 0)
    gained += contacts.ended_slip;
  if (has_set_valued_contacts_) {
    if (contacts.loads.size() == 0)
      contacts.loads = powers - integrators::set_valued_powers(system_).whole;
    count_laws_and_loads(contacts, half);
  }
  count_contacts(std::move(contacts), gained);
  const std::optional<Eigen::VectorXd> work = stepper_->work();
  const Eigen::VectorXd gross = 2.0 * half * turned_over(system_, state.t, powers);
  EnergyAccount& whole = monitor_.balance;
  whole.work = work ? (work_before_ + *work).sum() : whole.work + gained.sum();
  whole.turned_over += gross.sum();
  for (std::size_t k = 0; k < monitor_.islands.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    EnergyAccount& island = monitor_.islands[k];
    island.work = work ? work_before_[i] + (*work)[i] : island.work + gained[i];
    island.turned_over += gross[i];
  }
  note_powers(powers);
  counted_until_ = state.t;
}

void Dynamics::start_contacts() {
  const double regularization =
      redundancy_.rows.empty() ? 0.0 : system::redundancy_regularization(system_);
  Eigen::VectorXd gained = Eigen::VectorXd::Zero(system_.connectivity().n_islands());
  count_contacts(integrators::start_contacts(system_, state_, regularization, options_.preset,
                                             options_.multiple_impacts, contact_solver_),
                 gained);
}

// @param powers  of System::external_powers(), at the system's kinematics
void Dynamics::note_powers(const Eigen::VectorXd& powers) {
  power_ = powers;
  if (!has_set_valued_contacts_) return;
  const integrators::SetValuedPowers laws = integrators::set_valued_powers(system_);
  load_power_ = powers - laws.whole;
  friction_power_ = laws.friction;
}

// By the rule that all powers are summed up by, where the scheme has none of its own. What drives,
// loads and dampers do, and surfaces that move, is counted apart from what set-valued laws do.
void Dynamics::count_laws_and_loads(const integrators::ContactReport& report, double half_step) {
  Eigen::VectorXd lost = report.friction_loss;
  if (lost.size() == 0) {
    lost = half_step * (friction_power_ + report.friction_power);
    if (report.ended_slip.size() > 0) lost -= report.ended_slip;
  }
  Eigen::VectorXd done = half_step * (load_power_ + report.loads);
  if (report.euler_change.size() > 0)
    done = between(report.euler_change + lost, 2.0 * half_step * load_power_,
                   2.0 * half_step * report.loads);
  monitor_.contacts.friction_loss += lost.sum();
  monitor_.contacts.work_of_loads += done.sum();
}

void Dynamics::note_gain(const Eigen::VectorXd& energy_change) {
  ContactTotals& totals = monitor_.contacts;
  if (!(energy_change.maxCoeff() > totals.largest_gain)) return;
  totals.largest_gain = energy_change.maxCoeff();
  totals.largest_gain_at = state_.t;
}

// Impacts, and gaps that were closed, change the energy within no time.
// @param[in,out] gained of each island, J
void Dynamics::count_contacts(integrators::ContactReport report, Eigen::VectorXd& gained) {
  ContactTotals& totals = monitor_.contacts;
  for (integrators::ContactEvent& event : report.events) {
    if (event.is_impact()) ++totals.impacts;
    ++totals.events[event.contact][static_cast<std::size_t>(event.kind)];
    contact_events_.push_back(std::move(event));
  }
  totals.most_closed = std::max(totals.most_closed, report.n_closed);
  totals.solver.add(contact_solver_->take_totals());
  const auto note_depth = [&](double now, double& deepest, double allowed, const char* unit) {
    if (now > allowed && deepest <= allowed)
      base::log_warning(
          "t = {:.6g} s: set-valued contacts penetrate by {:.2g} {} at the end of a step{}; this is reported once",
          state_.t, now, unit,
          options_.stabilisation == integrators::Stabilisation::none
              ? ", which `stabilisation: none` leaves"
              : ", and no position near that of the step has all their gaps closed: use a smaller "
                "`step`, or look for bodies that squeeze each other");
    deepest = std::max(deepest, now);
  };
  note_depth(report.penetration, totals.penetration, kPenetrates * length_, "m");
  note_depth(report.overrun, totals.overrun, kPenetrates, "rad");
  if (report.energy_change.size() == 0) return;
  note_gain(report.energy_change.array() - std::max(0.0, report.work_of_drives));
  totals.energy_lost -= report.energy_change.sum() - report.work_of_drives;
  totals.work_of_loads += report.work_of_drives;
  gained += report.energy_change;
}

void Dynamics::count_energy() {
  Monitor& m = monitor_;
  const std::vector<bodies::Energy> energies = system_.energies(state_);
  m.energy = {};
  for (const bodies::Energy& energy : energies) m.energy += energy;
  m.balance.count(m.energy);
  for (std::size_t i = 0; i < m.islands.size(); ++i) m.islands[i].count(energies[i]);
  const bodies::Energy& e = m.energy;
  const double total = e.kinetic + e.strain + e.potential, work = m.balance.work;
  m.largest_energy =
      std::max({m.largest_energy, e.kinetic, e.strain, std::abs(total), std::abs(work)});
  m.largest_drift = std::max(m.largest_drift, std::abs(total - m.balance.initial_energy - work));
}

// For rigid and modal bodies, joints and forces, sensors need only the motion itself.
void Dynamics::refresh(Reactions reactions) {
  if (reactions == Reactions::find) complete();
  if (!system_.layout().nodal_bodies().empty() || !system_.connectivity().element_bodies().empty())
    need_residual();
  system_.update_accelerations();
  warn_of_singular_position();
}

void Dynamics::need_residual() {
  if (!has_residual_) system_.compute_residual(motion(), r_, phi_);
  has_residual_ = true;
}

void Dynamics::observe(Reactions reactions) {
  if (reactions == Reactions::find) complete();
  need_residual();
  refresh(reactions);
  system::log_warnings(system_, fmt::format("t = {:.6g} s", state_.t), is_warned_);
  for (int i = 0; i < phi_.size(); ++i) {
    double& worst = system_.layout().is_velocity_level()[i] ? monitor_.velocity_violation
                                                            : monitor_.position_violation;
    worst = std::max(worst, std::abs(phi_[i]));
  }
  warn_of_drift();
  system_.compute_rates(motion(), nu_, gamma_);
  system_.multiply_G(motion().v, product_);
  monitor_.velocity_violation = std::max(monitor_.velocity_violation, worst_row(product_ - nu_));
  system_.multiply_G(motion().a, product_);
  monitor_.acceleration_violation =
      std::max(monitor_.acceleration_violation, worst_row(product_ - gamma_));
  count_energy();
}

void Dynamics::warn_of_singular_position() {
  if (!watch_ || !watch_->is_due(state_)) return;
  need_residual();
  const auto passage = watch_->look(state_);
  if (!passage) return;
  base::log_warning(
      "t = {:.6g} s: the mechanism passes through or close to a singular position (a dead centre): these constraints are linearly dependent there, their forces may be large, and the motion may continue in more than one way: {}; this is reported once",
      passage->t, passage->constraints);
  watch_.reset();
}

// Integrators of the index-1 form keep accelerations only: positions drift, or leave constraints
// that contradict each other, without a failure.
void Dynamics::warn_of_drift() {
  if (has_drifted_) return;
  int worst = -1;
  for (int i = 0; i < phi_.size(); ++i)
    if (!system_.layout().is_velocity_level()[i] &&
        (worst < 0 || std::abs(phi_[i]) > std::abs(phi_[worst])))
      worst = i;
  if (worst < 0 || std::abs(phi_[worst]) <= kNotKept * length_) return;
  has_drifted_ = true;
  base::log_warning(
      "t = {:.6g} s, {}: violated by {:.2g}; results from here on are doubtful; drives and joints may contradict each other, or positions have drifted: then, with bdf and runge_kutta, remove the `baumgarte` terms, enlarge them or use smaller tolerances",
      state_.t, system_.layout().multiplier_name(worst), std::abs(phi_[worst]));
}
}  // namespace solidyn::analyses

#include "solidyn/analyses/dynamics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "singularity_watch.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/system/accelerations.h"

namespace solidyn::analyses {
namespace {

// Positions are assembled and velocities made consistent to this, in m, rad and their rates.
constexpr double kConsistent = 1e-12;

std::string point_masses(const system::System& system) {
  std::string names;
  for (int i = 0; i < system.n_bodies(); ++i)
    if (system.body(i).mass() > 0.0 && system.body(i).radius_of_gyration() == 0.0)
      names += (names.empty() ? "; without inertia: " : ", ") + system.body(i).name();
  return names;
}

// As system::solve_accelerations(), for a mechanism whose masses may not do.
void solve_first_accelerations(system::System& system, system::State& state,
                               solvers::LinearSolver& solver, bool is_redundant) {
  try {
    system::solve_accelerations(system, state, solver, is_redundant);
  } catch (const system::JammedError& e) {
    throw base::InputError(
        fmt::format("the mechanism jams at the start: {}", e.what()),
        "a smaller coefficient, a larger `moment_arm` or a force nearer to the joint lets it move; "
        "started at rest it holds");
  } catch (const base::ComputationError& e) {
    throw base::InputError(
        fmt::format(
            "the accelerations at the start are not defined, because nothing resists some motion "
            "of a body: {}{}",
            e.what(), point_masses(system)),
        "give each rigid body an `inertia` about every axis about which its joints let it turn; "
        "without one it is a point mass");
  }
}

// Friction makes the motion depend on how redundant joints share their forces.
std::string frictional_joints(const system::System& system) {
  std::string names;
  for (int i = 0; i < system.n_forces(); ++i)
    for (int c : system.force(i).constraints())
      names += (names.empty() ? "" : ", ") + system.constraint(c).name();
  return names.empty() ? ""
                       : "; but friction follows them, and so depends on what they are where "
                         "redundant joints have it: " +
                             names;
}

// Bodies that assembly moved by less than this, relative to the mechanism's length, count as drawn
// in place.
constexpr double kInPlace = 1e-6;
constexpr std::size_t kNamedAtMost = 3;
constexpr std::size_t kRedundantNamedAtMost = 12;
// A constraint violated by more than this, relative to the mechanism's length, or rad, is not kept.
constexpr double kNotKept = 1e-3;

struct Displaced {
  std::string body;
  double distance = 0.0, angle = 0.0;  // m, rad
};

std::vector<Displaced> displaced_bodies(const system::System& system, const Eigen::VectorXd& before,
                                        const Eigen::VectorXd& after, double length) {
  std::vector<Displaced> list;
  for (int i = 0; i < system.n_bodies(); ++i) {
    const int at = system.configuration_offset(i);
    if (system.body(i).n_rigid() == 0) {  // the ports of absolute coordinates are positions
      const Eigen::VectorXd moved = (after - before).segment(at, system.body(i).n_elastic());
      const double distance = moved.size() > 0 ? moved.lpNorm<Eigen::Infinity>() : 0.0;
      if (distance / length > kInPlace) list.push_back({system.body(i).name(), distance, 0.0});
      continue;
    }
    const auto rotation = [&](const Eigen::VectorXd& q) {
      return Eigen::Quaterniond(q[at + 3], q[at + 4], q[at + 5], q[at + 6]);
    };
    const Displaced d{system.body(i).name(), (after - before).segment<3>(at).norm(),
                      rotation(before).angularDistance(rotation(after))};
    if (system.body(i).mass() > 0.0 && std::max(d.distance / length, d.angle) > kInPlace)
      list.push_back(d);
  }
  std::sort(list.begin(), list.end(), [&](const Displaced& a, const Displaced& b) {
    return std::max(a.distance / length, a.angle) > std::max(b.distance / length, b.angle);
  });
  return list;
}

std::string shown(const Displaced& d, double length) {
  const std::string distance = fmt::format("{:.3g} m", d.distance);
  const std::string angle = fmt::format("{:.3g} deg", d.angle * 180.0 / M_PI);
  if (d.distance <= kInPlace * length) return d.body + " by " + angle;
  if (d.angle <= kInPlace) return d.body + " by " + distance;
  return d.body + " by " + distance + " and " + angle;
}

// A start that differs from the drawing is often a drive that does not begin at zero.
void warn_of_displaced_bodies(const std::vector<Displaced>& list, double length) {
  if (list.empty()) return;
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamedAtMost, list.size()); ++i)
    text += (i ? ", " : "") + shown(list[i], length);
  if (list.size() > kNamedAtMost) text += fmt::format(" and {} more", list.size() - kNamedAtMost);
  base::log_warning(
      "the poses do not satisfy the joints and drives at the start, which moved {}; if that is not "
      "meant, correct the poses, or let the drives' angles begin at 0, which is the drawn position",
      text);
}

double largest(const Eigen::VectorXd& v) { return v.size() ? v.lpNorm<Eigen::Infinity>() : 0.0; }

}  // namespace

Dynamics::Dynamics(system::System& system, const DynamicsOptions& options)
    : system_(system), options_(options), state_(system.make_state()) {}

Dynamics::~Dynamics() = default;

void Dynamics::examine_constraints() {
  system_.update(state_);
  system_.compute_residual(state_, r_, phi_);
  redundancy_ =
      system::find_redundancy(system_, system_.increment_weights(system_.characteristic_length()));
  watch_ = std::make_unique<SingularityWatch>(system_, redundancy_);
  if (redundancy_.rows.empty()) return;
  std::string names;
  const std::size_t n = redundancy_.names.size(), n_named = std::min(n, kRedundantNamedAtMost);
  for (std::size_t i = 0; i < n_named; ++i) names += (i ? ", " : "") + redundancy_.names[i];
  if (n > n_named) names += fmt::format(" and {} more", n - n_named);
  base::log_warning(
      "{} of {} constraint equations are redundant: {}. The motion is not affected; reactions are "
      "the smallest ones that balance{}",
      redundancy_.rows.size(), system_.n_constraints(), names, frictional_joints(system_));
}

void Dynamics::start() {
  system_.set_coefficients({1.0, 0.0, 0.0});
  const Eigen::VectorXd drawn = state_.q;
  system::assemble_positions(system_, state_, kConsistent);
  const double length = system_.characteristic_length();
  warn_of_displaced_bodies(displaced_bodies(system_, drawn, state_.q, length), length);
  system_.accept(state_);
  system::make_velocities_consistent(system_, state_, kConsistent);
  examine_constraints();
  stepper_ = make_stepper(system_, options_, redundancy_);
  stepper_->on_part([this](const system::State& part) { count_work(part); });
  auto solver = solvers::make_linear_solver(options_.preset, system_.n_unknowns());
  system_.set_pattern(*solver);
  solve_first_accelerations(system_, state_, *solver, !redundancy_.rows.empty());
  stepper_->initialize(state_);
  system_.update(state_);
  system_.accept(state_);  // forces remember velocities
  const bodies::Energy e = system_.energy(state_);
  monitor_.initial_energy = e.kinetic + e.strain + e.potential;
  power_ = system_.external_power(state_);
  counted_until_ = state_.t;
  observe();
}

void Dynamics::resume(system::State state, std::int64_t steps, const Monitor& monitor) {
  state_ = std::move(state);
  steps_ = steps;
  monitor_ = monitor;
  system_.set_coefficients({1.0, 0.0, 0.0});
  examine_constraints();
  stepper_ = make_stepper(system_, options_, redundancy_);
  stepper_->on_part([this](const system::State& part) { count_work(part); });
  stepper_->initialize(state_);
  power_ = system_.external_power(state_);
  counted_until_ = state_.t;
}

void Dynamics::advance() {
  stepper_->step(state_, options_.duration);
  system_.accept(state_);
  ++steps_;
  count_work(state_);
}

// Trapezoidal rule: of the same order as the integrator.
void Dynamics::count_work(const system::State& state) {
  const double power = system_.external_power(state);
  monitor_.work += 0.5 * (state.t - counted_until_) * (power_ + power);
  power_ = power;
  counted_until_ = state.t;
}

void Dynamics::observe() {
  system_.compute_residual(state_, r_, phi_);
  system_.update_accelerations();
  system_.compute_rates(state_, nu_, gamma_);
  for (int i = 0; i < phi_.size(); ++i) {
    double& worst =
        system_.is_velocity_level()[i] ? monitor_.velocity_violation : monitor_.position_violation;
    worst = std::max(worst, std::abs(phi_[i]));
  }
  system_.multiply_G(state_.v, product_);
  monitor_.velocity_violation = std::max(monitor_.velocity_violation, largest(product_ - nu_));
  system_.multiply_G(state_.a, product_);
  monitor_.acceleration_violation =
      std::max(monitor_.acceleration_violation, largest(product_ - gamma_));
  voice_concerns();
  warn_of_singular_position();
  warn_of_drift();
  const bodies::Energy e = system_.energy(state_);
  monitor_.energy = e;
  const double total = e.kinetic + e.strain + e.potential;
  monitor_.largest_energy = std::max(
      {monitor_.largest_energy, e.kinetic, e.strain, std::abs(total), std::abs(monitor_.work)});
  monitor_.largest_drift =
      std::max(monitor_.largest_drift, std::abs(total - monitor_.initial_energy - monitor_.work));
}

void Dynamics::warn_of_singular_position() {
  if (!watch_) return;
  const auto passage = watch_->look(state_.t);
  if (!passage) return;
  base::log_warning(
      "t = {:.6g} s: the mechanism passes a singular position (a dead centre) or close to one: "
      "there "
      "these constraints depend on each other, their forces may be large, and the motion may go on "
      "in more than one way: {}; it is told once",
      passage->t, passage->constraints);
  watch_.reset();
}

// Integrators of the index-1 form keep accelerations only: positions drift, or leave constraints
// that contradict each other, without a failure.
void Dynamics::warn_of_drift() {
  if (has_drifted_) return;
  int worst = -1;
  for (int i = 0; i < phi_.size(); ++i)
    if (!system_.is_velocity_level()[i] && (worst < 0 || std::abs(phi_[i]) > std::abs(phi_[worst])))
      worst = i;
  if (worst < 0 || std::abs(phi_[worst]) <= kNotKept * system_.characteristic_length()) return;
  has_drifted_ = true;
  base::log_warning(
      "t = {:.6g} s, {}: violated by {:.2g}, so that results from here on are doubtful; drives and "
      "joints may contradict each other, or positions have drifted: then bdf and runge_kutta want "
      "`baumgarte` terms or smaller tolerances",
      state_.t, system_.multiplier_name(worst), std::abs(phi_[worst]));
}

void Dynamics::voice_concerns() {
  has_concern_.resize(system_.n_constraint_blocks(), false);
  for (int i = 0; i < system_.n_constraint_blocks(); ++i) {
    if (has_concern_[i]) continue;
    const std::string concern = system_.constraint(i).concern(system_.kinematics());
    if (concern.empty()) continue;
    has_concern_[i] = true;
    base::log_warning("t = {:.6g} s, {}: {}", state_.t, system_.constraint(i).name(), concern);
  }
}

}  // namespace solidyn::analyses

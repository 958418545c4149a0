#include "solidyn/analyses/statics.h"

#include <fmt/format.h>

#include <algorithm>

#include "arc_length.h"
#include "equilibrium.h"
#include "free_motion.h"
#include "open_contacts.h"
#include "relative_equilibrium.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log_stage.h"
#include "solidyn/base/resource_error.h"
#include "solidyn/bodies/nodal_body.h"
#include "solidyn/integrators/static_contacts.h"
#include "solidyn/system/multipliers.h"
#include "solidyn/system/scales.h"
#include "start.h"

namespace solidyn::analyses {
namespace {

using system::State;

constexpr double kConsistentStart = 1e-12;  // m, rad: of the constraints at the start
// A step that took no more iterations lets the next one grow.
constexpr int kEasyStep = 6;
constexpr double kGrowth = 1.5;
// 1/s: the rate of a travel at which its work is measured.
constexpr double kSlow = 1e-9;
// Between 0 and 1, of no simple ratio: what repeats itself does not hide between them.
constexpr double kInstants[] = {0.0131, 0.1237, 0.3819660, 0.7310586, 1.0};
// Times the difference of two evaluations of the same.
constexpr double kBeyondNoise = 1e3;
// Of what Newton's method leaves of the equilibrium.
constexpr double kOfNewton = 1e-2;

std::unique_ptr<Equilibrium> make_equilibrium(system::System& system, bool is_relative) {
  if (is_relative) return std::make_unique<RelativeEquilibrium>(system);
  return std::make_unique<Equilibrium>(system);
}

}  // namespace

Statics::Statics(system::System& system, const StaticsOptions& options)
    : system_(system),
      options_(options),
      state_(system.make_state()),
      equilibrium_(make_equilibrium(system, options.is_relative)) {}

Statics::~Statics() = default;

const system::Redundancy& Statics::redundancy() const { return equilibrium_->redundancy(); }
double Statics::constraint_violation() const { return equilibrium_->violation(); }

const Statics::Statistics& Statics::statistics() const {
  statistics_.assembly_seconds = equilibrium_->assembly_seconds;
  statistics_.solve_seconds = equilibrium_->solve_seconds;
  return statistics_;
}

void Statics::start() {
  const base::LogStage stage(base::Stage::start);
  system_.set_coefficients({1.0, 0.0, 0.0});
  system::assemble_positions(system_, state_, kConsistentStart);
  state_.v.setZero();
  state_.a.setZero();
  for (bodies::NodalState& n : state_.nodal) {
    SOLIDYN_PETSC(VecZeroEntries(n.du));
    SOLIDYN_PETSC(VecZeroEntries(n.ddu));
  }
  system_.update(state_);
  system_.accept(state_);  // at rest: wheels that ran would not be braked
  // Without reactions the first tangent would lack their geometric stiffness, which may be all that
  // holds a pendulum.
  system::estimate_multipliers(system_, state_);
  equilibrium_->start(state_, options_.preset);
  warn_of_redundancy(system_, redundancy(), "equilibrium");
  for (auto* move : {&moved_, &travel_, &correction_, &next_})
    *move = std::make_unique<Move>(equilibrium_->make_move());
  step_ = 1.0 / options_.load_steps;
  contacts_ = std::make_unique<integrators::StaticContacts>(system_, *equilibrium_);
  contacts_->refuse_overlaps(state_);
  find_first();
  shorten_reactions();
  if (has_contacts()) system_.accept(state_);  // those of groups are where bodies are now
  is_started_ = true;
  is_held_ = options_.time == LoadTime::start ||
             (options_.time == LoadTime::start_if_varying && varies_with_time());
  if (options_.arc_length && !is_held_) path_ = std::make_unique<ArcLength>(*equilibrium_);
}

// Do forces or constraints at this equilibrium depend on time? The same state gives the same
// numbers, but for the order in which several ranks sum. That changes now and then: looks at the
// start, before and after each instant, measure what it does, and it does no less than the
// round-off of positions.
bool Statics::varies_with_time() {
  struct Numbers {
    Eigen::VectorXd r, phi, interior;  // the last of full-mesh bodies, whose ports feel not all
    // The largest; the largest numbers themselves where there are no others.
    Eigen::Array3d differences(const Numbers& other) const {
      const auto largest = [](const Eigen::VectorXd& a, const Eigen::VectorXd& b) {
        if (a.size() == 0) return 0.0;
        return (b.size() > 0 ? Eigen::VectorXd(a - b) : a).lpNorm<Eigen::Infinity>();
      };
      return {largest(r, other.r), largest(phi, other.phi), largest(interior, other.interior)};
    }
  };
  State state = state_.clone();
  const auto numbers_at = [&](double t) {
    Numbers numbers;
    state.t = t;
    system_.update(state);
    system_.compute_residual(state, numbers.r, numbers.phi);
    numbers.interior.resize(static_cast<Eigen::Index>(system_.layout().nodal_bodies().size()));
    for (Eigen::Index k = 0; k < numbers.interior.size(); ++k)
      numbers.interior[k] = system_.layout().nodal_bodies()[k]->interior_increment();
    return numbers;
  };
  const Numbers first = numbers_at(0.0);
  const double length = characteristic_length(system_),
               rounding = std::numeric_limits<double>::epsilon() * length;
  Eigen::Array3d change = Eigen::Array3d::Zero(),
                 noise(rounding * largest_stiffness(system_, length), rounding, rounding);
  for (const double t : kInstants) {
    change = change.max(numbers_at(t).differences(first));
    noise = noise.max(numbers_at(0.0).differences(first));
  }
  equilibrium_->evaluate(state_);
  return (change > kBeyondNoise * noise + kOfNewton * first.differences({})).any();
}

void Statics::find_first() {
  const State before = state_.clone();
  std::string reason;
  if (options_.method != StaticsMethod::relaxation) {
    const bool converged = try_newton([this] { return find_equilibrium(); }, reason);
    if (converged) return judge_newton(before);
    return_to(before);
    if (!relaxes())
      throw base::ComputationError(fmt::format("t = 0: no equilibrium was found at the start: {}{}",
                                               reason, describe_what_is_not_held()));
  }
  relax(0.0, reason);
}

// The round-off of a running sum must not leave a last step of its own.
double Statics::next_t() const {
  const double rest = 1.0 - state_.t;
  return step_ > rest * (1.0 - 1e-9) ? 1.0 : state_.t + step_;
}

bool Statics::try_load_step() {
  const double t = next_t();
  travel_->t += t - state_.t;
  state_.t = t;
  return find_equilibrium();
}

bool Statics::try_path_step() {
  const State before = state_.clone();
  equilibrium_->linearise(state_);
  path_->predict(step_, state_, *correction_);
  equilibrium_->apply(before, 1.0, *correction_, state_);
  take(1.0, *correction_);
  on_path_ = true;
  const bool converged = equilibrium_->is_admissible(state_) && find_equilibrium();
  on_path_ = false;
  if (!converged) return false;
  if (state_.t > 1.0) {  // the path ends where t = 1, near here
    travel_->t += 1.0 - state_.t;
    state_.t = 1.0;
    return find_equilibrium();
  }
  path_->accept(*travel_);
  return true;
}

bool Statics::try_step() { return path_ ? try_path_step() : try_load_step(); }

void Statics::advance() {
  const State before = state_.clone();
  if (path_ && steps_ >= options_.max_steps)
    give_up(fmt::format("the path did not reach t = 1 in {} steps", options_.max_steps));
  travel_->set_zero();
  if (options_.method == StaticsMethod::relaxation)
    relax(next_t(), "");
  else
    advance_by_newton(before);
  shorten_reactions();
  system_.accept(state_);
  equilibrium_->log_warnings(state_);
  ++steps_;
}

void Statics::advance_by_newton(const State& before) {
  for (;;) {
    travel_->set_zero();
    std::string reason;
    if (try_newton([this] { return try_step(); }, reason)) {
      reason = system_.angles().rejection(system_.kinematics(), system_.layout(),
                                          travel_->small.head(system_.layout().n_velocities()),
                                          before.angles);
      if (reason.empty()) {
        adapt_step();
        return judge_newton(before);
      }
    }
    return_to(before);
    ++statistics_.rejected_steps;
    step_ *= 0.5;
    if (step_ >= options_.smallest_step) continue;
    if (!relaxes()) give_up(reason);
    step_ = 1.0 / options_.load_steps;
    return relax(next_t(), reason);
  }
}

// @return whether it came to an equilibrium; else `reason` says why not
bool Statics::try_newton(const std::function<bool()>& find, std::string& reason) {
  try {
    if (find()) return true;
    reason = "Newton's method does not converge";
  } catch (const base::ResourceError&) {
    throw;
  } catch (const base::ComputationError& e) {
    reason = e.what();
  }
  on_path_ = false;
  return false;
}

void Statics::return_to(const State& before) {
  state_.copy_from(before);
  moved_->add(-1.0, *travel_);
  travel_->set_zero();
  system_.update(state_);
}

void Statics::adapt_step() {
  if (static_cast<int>(statistics_.corrections.size()) <= kEasyStep)
    step_ = std::min(1.0 / options_.load_steps, kGrowth * step_);
}

// Newton's method adds increments of least norm, whose sum depends on the load steps.
void Statics::shorten_reactions() {
  if (redundancy().rows.empty() || options_.is_relative || has_contacts() ||
      !system_.layout().nodal_bodies().empty())
    return;
  system::estimate_multipliers(system_, state_);
  equilibrium_->evaluate(state_);
}

// Set-valued contacts may hold what is free without them, and say themselves where they do not.
std::string Statics::describe_what_is_not_held() {
  if (has_contacts()) return contact_reason_;
  return describe_free_motion(system_, state_) + describe_open_contacts(system_, state_);
}

void Statics::give_up(const std::string& reason) {
  std::string remedy = describe_what_is_not_held();
  if (remedy.empty())
    remedy =
        has_contacts() ? "\n  try more load_steps"
        : path_
            ? "\n  try more load_steps, which are shorter"
            : "\n  try more load_steps; beyond a limit load only  control: arc_length  continues";
  throw base::ComputationError(fmt::format(
      "t = {:.6g}: no equilibrium was found beyond this load: {}{}", state_.t, reason, remedy));
}

// From the last equilibrium to this one, by the trapezoidal rule: of drives and of what strains
// bodies by itself, whose power is all that there is at rest, and of loads and supports, with
// velocities along the travel that are so small that dampers and friction do nothing.
void Statics::count_work(const State& before, const Move& travel) {
  State from = before.clone(), to = state_.clone();
  Eigen::VectorXd r, phi;
  for (State* s : {&from, &to}) {
    system_.update(*s);
    system_.compute_residual(*s, r, phi);  // the supports' forces
    work_ += 0.5 * (state_.t - before.t) * system_.external_powers(*s).sum();
    s->lambda.setZero();  // drives follow their laws, not these velocities
    const double at_rest = system_.external_powers(*s).sum();
    s->v = kSlow * equilibrium_->way(before, state_, travel);
    for (std::size_t k = 0; k < s->nodal.size(); ++k)
      SOLIDYN_PETSC(VecAXPBY(s->nodal[k].du, kSlow, 0.0, travel.nodal[k]));
    system_.update(*s);
    work_ += 0.5 * (system_.external_powers(*s).sum() - at_rest) / kSlow;
  }
  equilibrium_->evaluate(state_);
}

}  // namespace solidyn::analyses

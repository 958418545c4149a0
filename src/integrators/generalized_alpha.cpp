#include "solidyn/integrators/generalized_alpha.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>

#include "integrators/anderson_acceleration.h"
#include "integrators/tangent_renewal.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/resource_error.h"
#include "solidyn/base/timer.h"
#include "solidyn/forces/frame_load.h"
#include "solidyn/math/rotation.h"
#include "solidyn/system/initial_conditions.h"

namespace solidyn::integrators {
namespace {

using Eigen::VectorXd;
using system::State;

// A tangent is kept while each iteration reduces the residual by at least this factor ...
constexpr double kGoodReduction = 0.05;
// ... and the iteration is given up when it grows by this one with a fresh tangent.
constexpr double kDivergence = 1e3;
// Relative round-off that a sum of a few terms of the positions may carry.
constexpr double kRoundOff = 1e-14;
// Increments this many times the allowed one are accepted when they stagnate.
constexpr double kStagnated = 100.0;
// To this, in m and rad, positions without masses and forces satisfy constraints that do not
// contradict each other.
constexpr double kAssembled = 1e-12;
// Spectral radii at infinity above this are weakly unstable with constraints.
constexpr double kWeaklyStable = 0.99;
// A correction is halved so often.
constexpr int kMaxHalvings = 8;
// Steps that differ by round-off only share a tangent.
constexpr double kSameStep = 1e-9;

MPI_Comm comm_of(::Vec v) {
  MPI_Comm comm = MPI_COMM_NULL;
  SOLIDYN_PETSC(PetscObjectGetComm(reinterpret_cast<PetscObject>(v), &comm));
  return comm;
}

[[noreturn]] void rethrow_with_time(const std::exception_ptr& error, double t) {
  const auto at_time = [t](const std::exception& e) {
    return fmt::format("t = {:.6g} s: {}", t, e.what());
  };
  try {
    std::rethrow_exception(error);
  } catch (const base::ResourceError& e) {
    throw base::ResourceError(at_time(e));
  } catch (const base::ComputationError& e) {
    throw base::ComputationError(at_time(e));
  }
}

std::string coordinate_name(const system::System& system, int index) {
  int b = 0;
  while (b + 1 < system.n_bodies() && system.velocity_offset(b + 1) <= index) ++b;
  const int n_rigid = system.body(b).n_rigid(), local = index - system.velocity_offset(b);
  const char* axes[] = {"x", "y", "z"};
  if (local >= n_rigid)
    return fmt::format("elastic coordinate {} of body {}", local - n_rigid, system.body(b).name());
  if (local < 3) return fmt::format("force {} of body {}", axes[local], system.body(b).name());
  return fmt::format("torque {} of body {}", axes[local - 3], system.body(b).name());
}

// Forces that depend on positions.
bool has_springs(const system::System& system) {
  for (int i = 0; i < system.n_forces(); ++i)
    if (!dynamic_cast<const forces::FrameLoad*>(&system.force(i))) return true;
  return false;
}

}  // namespace

GeneralizedAlpha::GeneralizedAlpha(system::System& system, const GeneralizedAlphaOptions& options)
    : system_(system), options_(options) {
  choose_coefficients();
  acceleration_ = std::make_unique<AndersonAcceleration>();
  renewal_ = std::make_unique<TangentRenewal>();
  solver_ = solvers::make_linear_solver(options_.preset, system_.n_unknowns());
  system_.set_pattern(*solver_);
}

GeneralizedAlpha::~GeneralizedAlpha() = default;

void GeneralizedAlpha::choose_coefficients() {
  const double alpha = options_.hht_alpha.value_or(0.0);
  const double rho = options_.hht_alpha ? (1.0 + alpha) / (1.0 - alpha) : options_.rho_infinity;
  c_.alpha_m = options_.hht_alpha ? 0.0 : (2.0 * rho - 1.0) / (rho + 1.0);
  c_.alpha_f = options_.hht_alpha ? -alpha : rho / (rho + 1.0);
  c_.gamma = 0.5 + c_.alpha_f - c_.alpha_m;
  c_.beta = 0.25 * (c_.gamma + 0.5) * (c_.gamma + 0.5);
  if (rho <= kWeaklyStable || system_.n_constraints() == 0) return;
  const std::string choice =
      options_.hht_alpha ? fmt::format("alpha = {}", alpha) : fmt::format("rho_infinity = {}", rho);
  base::log_warning(
      "{} leaves errors of the constraint forces undamped, and index-3 constraints let them grow: "
      "use {}",
      choice, options_.hht_alpha ? "-0.03 or less" : "0.95 or less");
}

void GeneralizedAlpha::forget_history(const State& state) {
  system_.update(state);
  length_ = system_.characteristic_length();
  weights_ = system_.increment_weights(length_);
  largest_velocity_ = largest_acceleration_ = 0.0;
  largest_coordinate_ = std::max(1.0, state.q.lpNorm<Eigen::Infinity>());
  system_.set_pattern(*solver_);  // a factorisation remembers its pivots
  tangent_is_stale_ = true;
  past_ = {};
}

void GeneralizedAlpha::initialize(const State& state) {
  forget_history(state);
  rotation_tangents_.assign(system_.n_bodies(), Eigen::Matrix3d::Identity());
  rhs_.resize(system_.n_unknowns());
  before_ = state.clone();
  memory_.acceleration = state.a;
  memory_.step = 0.0;
  memory_.nodal.clear();
  memory_before_.nodal.clear();
  nodal_increment_.clear();
  for (const bodies::NodalState& nodal : state.nodal) {
    for (auto* list : {&memory_.nodal, &memory_before_.nodal, &nodal_increment_}) {
      base::Vec copy;
      SOLIDYN_PETSC(VecDuplicate(nodal.ddu, copy.out()));
      SOLIDYN_PETSC(VecCopy(nodal.ddu, copy));
      list->push_back(std::move(copy));
    }
  }
}

// Relative to what a step moves, down to what round-off of the positions allows. An error d of the
// positions is an error d/(beta h^2) of the accelerations, so a tolerance that did not follow the
// step would drown them at small steps; one that followed the accelerations would feed on its own
// noise. Without constraints no force depends on an error of the positions in this way, and the
// tolerance follows the accelerations: errors of the velocities then do not grow with the number of
// steps, down to the round-off of inertia forces. Nodes in absolute coordinates do have such
// forces, internal ones, and so have springs.
double GeneralizedAlpha::allowed_increment(const State& s, double h) const {
  const double velocity = std::max(largest_velocity_, velocity_size(s));
  if (system_.n_constraints() == 0 && !has_absolute_bodies() && !has_springs(system_)) {
    const double acceleration = std::max(largest_acceleration_, acceleration_size(s));
    const double to_increment = c_.beta * h * h;
    return std::max(options_.tolerance * std::min(h * velocity, to_increment * acceleration),
                    kRoundOff * to_increment * (acceleration + velocity * velocity));
  }
  return std::max(options_.tolerance * h * velocity, kRoundOff * largest_coordinate_);
}

double GeneralizedAlpha::weighted_size(const VectorXd& v) const {
  return v.cwiseProduct(weights_).lpNorm<Eigen::Infinity>();
}

// Bodies whose internal forces depend on positions in the world.
bool GeneralizedAlpha::has_absolute_bodies() const {
  if (!system_.superelements().empty()) return true;
  const auto& bodies = system_.nodal_bodies();
  return std::any_of(bodies.begin(), bodies.end(),
                     [](const bodies::NodalBody* body) { return body->n_rigid() == 0; });
}

// Largest of nodes in absolute coordinates, as fraction of the length; others move with their
// frame.
double GeneralizedAlpha::nodal_size(const State& s, base::Vec bodies::NodalState::*field) const {
  double size = 0.0;
  for (std::size_t k = 0; k < s.nodal.size(); ++k) {
    if (system_.nodal_bodies()[k]->n_rigid() > 0) continue;
    PetscReal largest = 0.0;
    SOLIDYN_PETSC(VecNorm(s.nodal[k].*field, NORM_INFINITY, &largest));
    size = std::max(size, largest / length_);
  }
  return size;
}

double GeneralizedAlpha::velocity_size(const State& s) const {
  return std::max(weighted_size(s.v), nodal_size(s, &bodies::NodalState::du));
}

double GeneralizedAlpha::acceleration_size(const State& s) const {
  return std::max(weighted_size(s.a), nodal_size(s, &bodies::NodalState::ddu));
}

// A differs from a by a time proportional to the step.
void GeneralizedAlpha::adapt_memory(const State& s, double h) {
  const double ratio = memory_.step > 0.0 ? h / memory_.step : 1.0;
  memory_.step = h;
  if (std::abs(ratio - 1.0) <= kSameStep) return;
  memory_.acceleration = s.a + ratio * (memory_.acceleration - s.a);
  for (std::size_t k = 0; k < s.nodal.size(); ++k)
    SOLIDYN_PETSC(VecAXPBY(memory_.nodal[k], 1.0 - ratio, ratio, s.nodal[k].ddu));
}

// Accelerations and multipliers along the line through the last two states, where that line would
// have been the better guess for the last one; else those of the last state. Nothing corrects what
// multipliers of dependent constraints gather beside the line.
void GeneralizedAlpha::guess(State& s, double h) const {
  if (!past_.is_smooth) return;
  const double ratio = h / past_.step;
  s.a += ratio * (s.a - past_.a);
  if (options_.regularization == 0.0) s.lambda += ratio * (s.lambda - past_.lambda);
}

// After a step from before_ to `s`. Nodal accelerations keep the plain guess.
void GeneralizedAlpha::judge_guess(const State& s, double h) {
  if (!s.nodal.empty()) return;
  if (past_.step > 0.0) {
    const double ratio = h / past_.step;
    const double plain = weighted_size(s.a - before_.a);
    past_.is_smooth = weighted_size(s.a - before_.a - ratio * (before_.a - past_.a)) < plain;
  }
  past_.a = before_.a;
  past_.lambda = before_.lambda;
  past_.step = h;
}

// From a guess of the new accelerations.
void GeneralizedAlpha::predict(State& s, double h) {
  const double scale = 1.0 / (1.0 - c_.alpha_m);
  const VectorXd& A = memory_before_.acceleration;
  guess(s, h);
  memory_.acceleration =
      scale * ((1.0 - c_.alpha_f) * s.a + c_.alpha_f * before_.a - c_.alpha_m * A);
  n_ = h * s.v + h * h * ((0.5 - c_.beta) * A + c_.beta * memory_.acceleration);
  s.v += h * ((1.0 - c_.gamma) * A + c_.gamma * memory_.acceleration);
  system_.advance(before_.q, n_, s.q);
  for (std::size_t k = 0; k < s.nodal.size(); ++k) {
    bodies::NodalState& nodal = s.nodal[k];
    ::Vec A_before = memory_before_.nodal[k], A_new = memory_.nodal[k];
    SOLIDYN_PETSC(VecCopy(nodal.ddu, A_new));
    SOLIDYN_PETSC(VecAXPBY(A_new, -scale * c_.alpha_m, scale, A_before));
    SOLIDYN_PETSC(VecAXPY(nodal.u, h, nodal.du));
    SOLIDYN_PETSC(VecAXPY(nodal.u, h * h * (0.5 - c_.beta), A_before));
    SOLIDYN_PETSC(VecAXPY(nodal.u, h * h * c_.beta, A_new));
    SOLIDYN_PETSC(VecAXPY(nodal.du, h * (1.0 - c_.gamma), A_before));
    SOLIDYN_PETSC(VecAXPY(nodal.du, h * c_.gamma, A_new));
  }
}

void GeneralizedAlpha::refresh_tangent(const State& s, double h) {
  system::System::TangentOptions options;
  options.coefficients.mass = (1.0 - c_.alpha_m) / ((1.0 - c_.alpha_f) * c_.beta * h * h);
  options.coefficients.damping = c_.gamma / (c_.beta * h);
  options.coefficients.stiffness = 1.0;
  row_scale_ = 1.0 / options.coefficients.mass;
  options.row_scale = row_scale_;
  options.regularization = options_.regularization;
  for (int b = 0; b < system_.n_bodies(); ++b)
    if (system_.body(b).n_rigid() > 0)
      rotation_tangents_[b] = math::right_tangent(n_.segment<3>(system_.velocity_offset(b) + 3));
  options.rotation_tangents = &rotation_tangents_;
  {
    base::ScopedTimer timer(statistics_.assembly_seconds);
    system_.assemble(s, options, *solver_);
  }
  base::ScopedTimer timer(statistics_.solve_seconds);
  solver_->factor();
  tangent_step_ = h;
  tangent_is_stale_ = false;
  ++statistics_.tangents;
}

// The interior increments of full-mesh bodies that belong to x_.
void GeneralizedAlpha::recover_nodal(const State& s) {
  for (std::size_t k = 0; k < s.nodal.size(); ++k) {
    bodies::NodalBody* body = system_.nodal_bodies()[k];
    const int b = system_.body_of_nodal(static_cast<int>(k));
    body->recover(x_.segment(system_.velocity_offset(b) + body->n_rigid(), body->n_elastic()),
                  nodal_increment_[k]);
  }
}

// What the small residual does not see: of full-mesh bodies between their ports.
double GeneralizedAlpha::interior_increment() const {
  double largest = 0.0;
  for (const bodies::NodalBody* body : system_.nodal_bodies())
    largest = std::max(largest, body->interior_increment() / length_);
  return largest;
}

// Of the correction: the small unknowns and the nodes, as fractions of the length.
double GeneralizedAlpha::increment_size() const {
  double size = weighted_size(x_.head(system_.n_velocities()));
  for (const base::Vec& increment : nodal_increment_) {
    PetscReal largest = 0.0;
    SOLIDYN_PETSC(VecNorm(increment, NORM_INFINITY, &largest));
    size = std::max(size, largest / length_);
  }
  return size;
}

void GeneralizedAlpha::apply(State& s, const VectorXd& x, double h) {
  const int n_v = system_.n_velocities();
  const auto d = x.head(n_v);
  const double to_v = c_.gamma / (c_.beta * h), to_A = 1.0 / (c_.beta * h * h);
  n_ += d;
  s.v += to_v * d;
  s.a += d / row_scale_;
  memory_.acceleration += to_A * d;
  s.lambda += x.tail(system_.n_constraints()) / row_scale_;
  system_.advance(before_.q, n_, s.q);
  for (std::size_t k = 0; k < s.nodal.size(); ++k) {
    ::Vec du = nodal_increment_[k];
    SOLIDYN_PETSC(VecAXPY(s.nodal[k].u, 1.0, du));
    SOLIDYN_PETSC(VecAXPY(s.nodal[k].du, to_v, du));
    SOLIDYN_PETSC(VecAXPY(s.nodal[k].ddu, 1.0 / row_scale_, du));
    SOLIDYN_PETSC(VecAXPY(memory_.nodal[k], to_A, du));
  }
}

// Coefficients and position of the tangents that full-mesh bodies keep.
void GeneralizedAlpha::prepare_nodal_tangents(const State& s, double h) {
  if (s.nodal.empty()) return;
  acceleration_->reset();
  renewal_->start_step();
  const double mass = (1.0 - c_.alpha_m) / ((1.0 - c_.alpha_f) * c_.beta * h * h);
  system_.set_coefficients({mass, c_.gamma / (c_.beta * h), 1.0});
  system_.update(s);
  if (system_.turn_tangents()) tangent_is_stale_ = true;
}

// @return whether a full-mesh body had a better one to offer
bool GeneralizedAlpha::renew_nodal_tangents() {
  base::ScopedTimer timer(statistics_.assembly_seconds);
  if (!system_.renew_tangents()) {
    renewal_->keep();
    return false;
  }
  acceleration_->reset();
  renewal_->renew();
  tangent_is_stale_ = true;
  return true;
}

// Of the last correction, where the whole leads away: friction is steep where slip reverses.
void GeneralizedAlpha::take_half_back(State& s, double h) {
  x_ *= 0.5;
  last_increment_ *= 0.5;
  apply(s, -x_, h);
}

bool GeneralizedAlpha::iterate(State& s, double h, Search search) {
  const int n_v = system_.n_velocities(), n_l = system_.n_constraints();
  const double velocity_row = c_.beta * h / c_.gamma;
  const bool is_consistent = options_.tangent == NewtonTangent::consistent;
  double before = 0.0, increment_before = 0.0;
  int n_halvings = 0;
  if (!(std::abs(tangent_step_ - h) <= kSameStep * h)) tangent_is_stale_ = true;
  prepare_nodal_tangents(s, h);
  bool renews = !s.nodal.empty() && renewal_->is_due();
  for (last_iterations_ = 0;; ++last_iterations_) {
    system_.update(s);
    if (!s.nodal.empty() && (is_consistent || renews)) renew_nodal_tangents();
    renews = false;
    {
      base::ScopedTimer timer(statistics_.assembly_seconds);
      system_.compute_residual(s, r_, phi_);
    }
    if (!r_.allFinite() || !phi_.allFinite()) return false;
    if (tangent_is_stale_) refresh_tangent(s, h);
    rhs_.head(n_v) = -row_scale_ * r_;
    for (int i = 0; i < n_l; ++i)
      rhs_[n_v + i] = -(system_.is_velocity_level()[i] ? velocity_row * phi_[i] : phi_[i]);
    const double size = rhs_.norm();
    if (search == Search::halves && last_iterations_ > 0 && size > before &&
        n_halvings++ < kMaxHalvings) {
      take_half_back(s, h);
      --last_iterations_;
      continue;
    }
    n_halvings = 0;
    if (last_iterations_ > 0) {
      const double reduction = before > 0.0 ? size / before : 0.0;
      const double remaining =
          std::max(last_increment_ * std::min(1.0, reduction), interior_increment());
      const double violation = n_l > 0 ? rhs_.tail(n_l).lpNorm<Eigen::Infinity>() : 0.0;
      const double allowed = allowed_increment(s, h);
      if (remaining <= allowed &&
          violation <= std::min(allowed * std::max(1.0, length_), options_.constraint_tolerance)) {
        if (reduction > kGoodReduction && last_increment_ > allowed) tangent_is_stale_ = true;
        renewal_->finish_step(last_iterations_);
        return true;
      }
      // The sums over a large mesh carry more round-off than the tolerance may allow: increments
      // that are small and no longer shrink are as good as it gets.
      if (last_iterations_ > 3 && last_increment_ > 0.5 * increment_before &&
          last_increment_ <= kStagnated * allowed && violation <= options_.constraint_tolerance) {
        renewal_->finish_step(last_iterations_);
        return true;
      }
      if (last_iterations_ >= options_.max_iterations || reduction > kDivergence) return false;
      // That of a full-mesh body does not become better by being assembled again.
      if (reduction > kGoodReduction && s.nodal.empty()) refresh_tangent(s, h);
    }
    before = size;
    {
      base::ScopedTimer timer(statistics_.solve_seconds);
      solver_->solve(rhs_, x_);
    }
    ++statistics_.linear_solves;
    ++statistics_.newton_iterations;
    increment_before = last_increment_;
    recover_nodal(s);
    last_increment_ = increment_size();
    if (!std::isfinite(last_increment_)) return false;
    if (!s.nodal.empty() && !is_consistent) {
      renews = renewal_->is_too_slow(last_increment_, allowed_increment(s, h));
      acceleration_->accelerate(weights_, length_, x_, nodal_increment_);
    }
    apply(s, x_, h);
  }
}

// Friction of joints depends on multipliers.
bool GeneralizedAlpha::has_steep_forces() const {
  for (int i = 0; i < system_.n_forces(); ++i)
    if (!system_.force(i).constraints().empty()) return system_.nodal_bodies().empty();
  return false;
}

// The step from its first guess again.
void GeneralizedAlpha::start_over(State& s, double h) {
  s.copy_from(before_);
  s.t += h;
  tangent_is_stale_ = true;
  predict(s, h);
}

void GeneralizedAlpha::step(State& s, double h) {
  before_.copy_from(s);
  // Of accepted states only: velocities of an iteration that diverges must not loosen what follows.
  largest_velocity_ = std::max(largest_velocity_, velocity_size(s));
  largest_acceleration_ = std::max(largest_acceleration_, acceleration_size(s));
  if (memory_.step == 0.0) begin(s, h);
  adapt_memory(s, h);
  std::swap(memory_before_, memory_);
  memory_.step = h;
  if (memory_.acceleration.size() != s.a.size()) memory_.acceleration = s.a;
  s.t += h;
  bool converged = false;
  std::exception_ptr error;
  try {
    predict(s, h);
    converged = iterate(s, h, Search::none);
    if (!converged && has_steep_forces()) {
      start_over(s, h);
      converged = iterate(s, h, Search::halves);
    }
    if (converged) require_no_objection(s);
  } catch (...) {
    error = std::current_exception();
  }
  if (!converged || error) {
    std::swap(memory_before_, memory_);
    tangent_is_stale_ = true;
    past_ = {};
    const double t = s.t;
    try {
      if (!error) fail(s, h);
      s.copy_from(before_);
      rethrow_with_time(error, t);
    } catch (const base::ResourceError&) {
      throw;
    } catch (const base::ComputationError&) {
      if (renewal_->is_of_this_step()) {
        system_.update(s);
        renew_nodal_tangents();
      }
      throw;
    }
  }
  ++statistics_.steps;
  estimate_error(h);
  judge_guess(s, h);
}

// Ranks whose states differ by round-off must not part here: what one objects to, all do.
void GeneralizedAlpha::require_no_objection(const State& s) const {
  std::string objection = system_.objection(s.t);
  if (objection.empty()) objection = system_.turn_objection(n_, before_.angles);
  std::exception_ptr error;
  if (!objection.empty())
    error = std::make_exception_ptr(base::ComputationError(
        "the step is too long: " + objection + "\n  try a smaller `step`, or `adaptive`"));
  if (!s.nodal.empty())
    base::throw_on_all_ranks_if_any(comm_of(s.nodal.front().u), error);
  else if (error)
    std::rethrow_exception(error);
}

void GeneralizedAlpha::reject(State& s) {
  s.copy_from(before_);
  std::swap(memory_before_, memory_);
  past_ = {};
  --statistics_.steps;
  ++statistics_.rejected_steps;
}

std::string GeneralizedAlpha::remedy(double t) {
  const std::string dependent = system::find_singularity(system_, before_, t, kAssembled);
  if (dependent.empty()) return "\n  try a smaller `step`, or `adaptive`";
  return fmt::format(
      "\n  the mechanism comes to a singular position (a dead centre), where these constraints "
      "depend "
      "on each other and their forces may grow without bound: {}\n  let another joint or drive "
      "guide it "
      "through, give the joint clearance or the body elasticity, or choose a `step` that does not "
      "meet the position itself",
      dependent);
}

void GeneralizedAlpha::fail(State& s, double h) {
  int row = 0, constraint = 0;
  if (r_.size()) r_.cwiseAbs().maxCoeff(&row);
  std::string text = fmt::format(
      "t = {:.6g} s, step {:.3g} s: Newton stopped after {} iterations, last displacement "
      "increment "
      "{:.1e} of the mechanism's length (allowed {:.1e})\n  largest residual {:.3g} in {}",
      s.t, h, last_iterations_, last_increment_, allowed_increment(before_, h),
      r_.size() ? r_[row] : 0.0, coordinate_name(system_, row));
  if (phi_.size() > 0) {
    phi_.cwiseAbs().maxCoeff(&constraint);
    text += fmt::format("; largest violation {:.3g} in {}", phi_[constraint],
                        system_.multiplier_name(constraint));
  }
  const std::string contradiction = system::find_contradiction(system_, before_, s.t, kAssembled);
  if (!contradiction.empty())
    text = fmt::format(
        "t = {:.6g} s: the constraints contradict each other: no position near the last one "
        "satisfies them all; violated: {}\n  a drive may ask for a motion that joints or another "
        "drive forbid, or push the mechanism beyond a dead centre",
        s.t, contradiction);
  else
    text += remedy(s.t);
  s.copy_from(before_);
  throw base::ComputationError(text);
}

// Positions are exact to O(h^2) times (beta - 1/6) times the change of the acceleration.
void GeneralizedAlpha::estimate_error(double h) {
  double change = weighted_size(memory_.acceleration - memory_before_.acceleration);
  // Of nodes in absolute coordinates, of which the small unknowns see the ports only.
  for (std::size_t k = 0; k < memory_.nodal.size(); ++k) {
    if (system_.nodal_bodies()[k]->n_rigid() > 0) continue;
    PetscReal largest = 0.0;
    SOLIDYN_PETSC(VecWAXPY(nodal_increment_[k], -1.0, memory_before_.nodal[k], memory_.nodal[k]));
    SOLIDYN_PETSC(VecNorm(nodal_increment_[k], NORM_INFINITY, &largest));
    change = std::max(change, largest / length_);
  }
  error_estimate_ = std::abs(c_.beta - 1.0 / 6.0) * h * h * change;
}

}  // namespace solidyn::integrators

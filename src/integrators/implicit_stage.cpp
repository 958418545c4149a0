#include "integrators/implicit_stage.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "integrators/newton_rules.h"
#include "integrators/stage_equations.h"
#include "solidyn/base/log.h"
#include "solidyn/base/timer.h"
#include "solidyn/bodies/element_body.h"
#include "solidyn/bodies/nodal_body.h"
#include "solidyn/math/rotation.h"
#include "solidyn/system/followed_multipliers.h"
#include "solidyn/system/initial_conditions.h"
#include "solidyn/system/scales.h"
#include "solidyn/system/turning_elements.h"
#include "solidyn/system/velocity_violation.h"

namespace solidyn::integrators {
namespace {

using Eigen::VectorXd;
using system::State;

bool holds_absolute_meshes(const system::System& system) {
  const auto& bodies = system.layout().nodal_bodies();
  return std::any_of(bodies.begin(), bodies.end(),
                     [](const bodies::NodalBody* body) { return body->n_rigid() == 0; });
}

bodies::TangentCoefficients tangent_coefficients(const StageCoefficients& c) {
  return {c.acceleration, c.velocity, c.stiffness};
}

bool is_same(double a, double b) {
  return std::abs(a - b) <= ImplicitStage::kSameStep * std::abs(b);
}

// Of steps that differ by round-off.
bool is_same(const StageCoefficients& a, const StageCoefficients& b) {
  return is_same(a.velocity, b.velocity) && is_same(a.acceleration, b.acceleration);
}

}  // namespace

ImplicitStage::ImplicitStage(system::System& system, const StageOptions& options)
    : system_(system),
      options_(options),
      followed_(system::followed_multipliers(system)),
      has_steep_forces_(!followed_.empty() && system.layout().nodal_bodies().empty()),
      has_absolute_meshes_(holds_absolute_meshes(system)),
      solver_(solvers::make_linear_solver(options.preset, system.layout().n_unknowns())),
      contacts_(system, options.contact_solver) {
  system_.set_pattern(*solver_);
  solve_ = make_solve(*solver_);
  if (has_absolute_meshes_) forecast_ = std::make_unique<AccelerationForecast>();
  make_consistent_velocities();
}

std::unique_ptr<SaddlePointSolve> ImplicitStage::make_solve(solvers::LinearSolver& factors) const {
  return std::make_unique<SaddlePointSolve>(factors, system_.layout().n_velocities(),
                                            system_.layout().n_constraints(),
                                            options_.regularization);
}

void ImplicitStage::choose_regularization(const State& s) {
  if (options_.regularization == 0.0) return;
  system_.update(s);
  system_.compute_residual(s, r, phi);
  options_.regularization = system::redundancy_regularization(system_);
  solve_ = make_solve(*solver_);
  make_consistent_velocities();
}

void ImplicitStage::begin_anew(const State& s) {
  system_.update(s);
  length_ = system::characteristic_length(system_);
  weights_ = increment_weights(system_, length_);
  largest_velocity_ = largest_acceleration_ = 0.0;
  largest_coordinate_ = 1.0;
  system_.set_pattern(*solver_);  // a factorisation remembers its pivots
  factors_of_clusters_.reset();
  if (consistent_velocities_) consistent_velocities_->forget();
  tangent_is_stale_ = true;
  has_left_planes_ = false;
  if (forecast_) forecast_->forget();
}

void ImplicitStage::allocate(const State& s) {
  rotation_tangents_ =
      system::System::RotationTangents(system_.bodies().size(), Eigen::Matrix3d::Identity());
  rhs.resize(system_.layout().n_unknowns());
  nodal_increment_.clear();
  for (const bodies::NodalState& nodal : s.nodal) {
    base::Vec copy;
    SOLIDYN_PETSC(VecDuplicate(nodal.ddu, copy.out()));
    SOLIDYN_PETSC(VecCopy(nodal.ddu, copy));
    nodal_increment_.push_back(std::move(copy));
  }
  if (options_.nonlinear == solvers::Nonlinear::snes) make_snes();
}

void ImplicitStage::note_start(const State& s) {
  contacts_.follow(system_, s);
  largest_coordinate_ = std::max(largest_coordinate_, coordinate_size(s));
  largest_velocity_ = std::max(largest_velocity_, velocity_size(s));
  largest_acceleration_ = std::max(largest_acceleration_, acceleration_size(s));
}

// Rails that bend are light: within a step they move by more than what turns the creep of a wheel
// round, beyond which it is nearly constant.
bool ImplicitStage::holds_light_structures() const {
  const auto& all = system_.connectivity().element_bodies();
  return std::any_of(all.begin(), all.end(), [&](const bodies::ElementBody* body) {
    return system_.body(body->nodes().front()).n_rigid() == 0;
  });
}

bool ImplicitStage::may_need_halves(const State& s) const {
  return s.nodal.empty() && !equations_ &&
         (has_steep_forces_ || !slips_.empty() || holds_light_structures());
}

void ImplicitStage::recover_tangents(const State& s) {
  if (!renewal_.is_of_this_step()) return;
  system_.update(s);
  renew_nodal_tangents();
}

void ImplicitStage::prepare(const StageCoefficients& c, const State& s) {
  c_ = c;
  n.setZero(system_.layout().n_velocities());
  prepare_nodal_tangents(s);
  system_.update(s);
  system_.compute_residual(s, r, phi);  // G
  refresh_tangent(s, Motions::all);
}

bool ImplicitStage::has_prepared(const StageCoefficients& c) const {
  return !tangent_is_stale_ && !solver_->leaves_out() && is_same(c_, c) && is_same(tangent_of_, c);
}

// Of the tangent that was made last.
system::System::TangentOptions ImplicitStage::tangent_options() const {
  system::System::TangentOptions options;
  options.coefficients = tangent_coefficients(tangent_of_);
  options.row_scale = row_scale_;
  options.regularization = options_.regularization;
  options.rotation_tangents = &rotation_tangents_;
  return options;
}

// Motions across the planes of elements are factorised where a right-hand side asks for them, and
// of the elements not even assembled: as long as all that acts is in the plane they are zero.
// Contacts ask for the whole inverse, SNES for the product with the matrix.
bool ImplicitStage::may_leave_out() const {
  return !has_left_planes_ && !equations_ && contacts_.is_empty() &&
         system_.layout().nodal_bodies().empty() &&
         !system_.connectivity().element_bodies().empty();
}

void ImplicitStage::refresh_tangent(const State& s, Motions motions) {
  tangent_of_ = c_;
  row_scale_ = 1.0 / tangent_coefficients(c_).mass;
  for (const bodies::BodyIndex b : system_.bodies())
    if (system_.body(b).n_rigid() > 0)
      rotation_tangents_[b] =
          math::right_tangent(n.segment<3>(system_.layout().velocity_offset(b) + 3));
  {
    base::ScopedTimer timer(statistics_.assembly_seconds);
    solver_->let_leave_out(waits_ && motions == Motions::needed && may_leave_out());
    system_.assemble(s, tangent_options(), *solver_);
  }
  if (solver_->leaves_out() && !std::exchange(has_told_of_planes_, true))
    base::log_info(
        "beams move in a plane: steps have their motions in it alone, until something acts across it");
  base::ScopedTimer timer(statistics_.solve_seconds);
  ++n_factors_;
  waits_ = solver_->factor_as_needed();
  solver_->factor();
  tangent_is_stale_ = false;
  has_tangent_of_guess_ = true;
  ++statistics_.tangents;
}

SaddlePointSolve& ImplicitStage::solve_of_clusters(const State& s) {
  if (!factors_of_clusters_) {
    factors_of_clusters_ = std::make_unique<ClusterFactors>(contacts_.points().clusters());
    system_.set_pattern(*factors_of_clusters_);
    solve_of_clusters_ = make_solve(*factors_of_clusters_);
    number_of_clusters_ = 0;
  }
  if (number_of_clusters_ == n_factors_) return *solve_of_clusters_;
  base::ScopedTimer timer(statistics_.assembly_seconds);
  system_.assemble(s, tangent_options(), *factors_of_clusters_);
  factors_of_clusters_->factor();
  number_of_clusters_ = n_factors_;
  return *solve_of_clusters_;
}

ContactFactors ImplicitStage::contact_factors(const State& s) {
  // Where all is one cluster, no entry is left out of its matrix.
  const bool is_one = contacts_.points().clusters().unknowns.size() <= 1;
  const auto for_points = [this, &s, is_one](std::size_t n_points) -> SaddlePointSolve& {
    return is_one || n_points <= kPointsWithOwnSolutions ? *solve_ : solve_of_clusters(s);
  };
  return {*solve_, for_points, row_scale_, n_factors_, units_};
}

// The interior increments of full-mesh bodies that belong to x.
void ImplicitStage::recover_nodal(const State& s) {
  for (std::size_t k = 0; k < s.nodal.size(); ++k) {
    bodies::NodalBody* body = system_.layout().nodal_bodies()[k];
    const bodies::BodyIndex b = system_.layout().body_of_nodal(static_cast<int>(k));
    body->recover(
        x.segment(system_.layout().velocity_offset(b) + body->n_rigid(), body->n_elastic()),
        nodal_increment_[k]);
  }
}

// A share of the correction.
void ImplicitStage::apply(State& s, double share) {
  const VectorXd d = share * x.head(system_.layout().n_velocities());
  n += d;
  s.v += c_.velocity * d;
  s.a += d / row_scale_;
  if (algorithmic_.small) *algorithmic_.small += algorithmic_.by_increment * d;
  s.lambda += share * x.tail(system_.layout().n_constraints()) / row_scale_;
  if (!holds_positions_) system_.advance(before_->q, n, s.q);
  for (std::size_t k = 0; k < s.nodal.size(); ++k) {
    ::Vec du = nodal_increment_[k];
    SOLIDYN_PETSC(VecAXPY(s.nodal[k].u, share, du));
    SOLIDYN_PETSC(VecAXPY(s.nodal[k].du, share * c_.velocity, du));
    SOLIDYN_PETSC(VecAXPY(s.nodal[k].ddu, share / row_scale_, du));
    if (algorithmic_.nodal)
      SOLIDYN_PETSC(VecAXPY((*algorithmic_.nodal)[k], share * algorithmic_.by_increment, du));
  }
}

// Coefficients and position of the tangents that full-mesh bodies keep.
void ImplicitStage::prepare_nodal_tangents(const State& s) {
  if (s.nodal.empty()) return;
  acceleration_.reset();
  renewal_.start_step();
  system_.set_coefficients(tangent_coefficients(c_));
  system_.update(s);
  if (system_.turn_tangents()) tangent_is_stale_ = true;
}

// @return whether a full-mesh body had a better one to offer
bool ImplicitStage::renew_nodal_tangents() {
  base::ScopedTimer timer(statistics_.assembly_seconds);
  if (!system_.renew_tangents()) {
    renewal_.keep();
    return false;
  }
  acceleration_.reset();
  renewal_.renew();
  tangent_is_stale_ = true;
  return true;
}

// The equations at the present guess, as right-hand side of a correction. @return whether they are
// finite
bool ImplicitStage::evaluate(State& s) {
  const int n_v = system_.layout().n_velocities(), n_l = system_.layout().n_constraints();
  system_.update(s);
  find_slip_velocities(s);
  if (!s.nodal.empty() && (options_.tangent == NewtonTangent::consistent || renews_))
    renew_nodal_tangents();
  renews_ = false;
  {
    base::ScopedTimer timer(statistics_.assembly_seconds);
    system_.compute_residual(s, r, phi);
    if (given_) {
      r += *given_;
      phi = system::velocity_violation(system_, s);
    }
  }
  if (!r.allFinite() || !phi.allFinite()) return false;
  if (tangent_is_stale_) refresh_tangent(s);
  const double velocity_row = 1.0 / c_.velocity;
  rhs.head(n_v) = -row_scale_ * r;
  for (int i = 0; i < n_l; ++i) {
    const bool is_rate = given_ || system_.layout().is_velocity_level()[i];
    rhs[n_v + i] = -(is_rate ? velocity_row * phi[i] : phi[i]);
  }
  violation_before_ = violation_;
  violation_ = n_l > 0 ? rhs.tail(n_l).lpNorm<Eigen::Infinity>() : 0.0;
  return true;
}

// Of dependent constraints the multipliers are a right-hand side too.
bool ImplicitStage::lacks_what_is_left_out(const State& s) {
  if (!solver_->leaves_out()) return false;
  if (solver_->lacks(rhs)) return true;
  if (options_.regularization == 0.0) return false;
  VectorXd of_multipliers = VectorXd::Zero(rhs.size());
  of_multipliers.tail(s.lambda.size()) = s.lambda;
  return solver_->lacks(of_multipliers);
}

// What multipliers of dependent constraints have gathered since G^T changed, for the first
// correction of a step. By factors of earlier positions it would take away forces too, which
// nothing gives back where the motion has converged: as long as it is little it stays.
VectorXd ImplicitStage::idle_multipliers(const State& s) {
  const bool is_fresh = std::exchange(has_tangent_of_guess_, false);
  VectorXd none = VectorXd::Zero(s.lambda.size());
  if (options_.regularization == 0.0 || last_iterations_ > 0) return none;
  VectorXd idle = solve_->null_part(s.lambda);
  if (is_fresh) return idle;
  if (idle.norm() <= kIdle * s.lambda.norm()) return none;
  refresh_tangent(s);
  has_tangent_of_guess_ = false;
  return solve_->null_part(s.lambda);
}

// @return whether the correction is finite
bool ImplicitStage::correct(State& s) {
  if (lacks_what_is_left_out(s)) {
    has_left_planes_ = true;
    base::log_info(
        "t = {:.6g} s: something acts across the plane in which beams move: from here on steps have all their motions",
        s.t);
    refresh_tangent(s);
  }
  const VectorXd idle = idle_multipliers(s);
  {
    base::ScopedTimer timer(statistics_.solve_seconds);
    solve_->solve(rhs, x);
    x.tail(idle.size()) -= row_scale_ * idle;
  }
  contacts_.correct(s, contact_factors(s), c_.velocity, x);
  ++statistics_.linear_solves;
  ++statistics_.newton_iterations;
  increment_before_ = last_increment_;
  recover_nodal(s);
  last_increment_ = increment_size();
  if (!std::isfinite(last_increment_)) return false;
  // The first correction takes away what a kept tangent knows, so that the second is small; later
  // ones shrink less.
  if (!s.nodal.empty() && last_iterations_ > 1 && increment_before_ > 0.0)
    rate_of_step_ = std::max(rate_of_step_, std::min(1.0, last_increment_ / increment_before_));
  if (last_iterations_ > 0 && last_increment_ > kGoodReduction * increment_before_ &&
      last_increment_ > allowed_increment(c_, s))  // else it is round-off
    contacts_.renew_compliance();
  if (!s.nodal.empty() && options_.tangent != NewtonTangent::consistent) {
    renews_ = renewal_.is_too_slow(last_increment_, allowed_increment(c_, s));
    // Mixed with earlier ones, a correction would not meet the laws of closed contacts.
    if (!contacts_.has_closed()) acceleration_.accelerate(weights_, length_, x, nodal_increment_);
  }
  slips_ = system_.slips();
  is_whole_ = true;
  apply(s, 1.0);
  stop_at_reversals(s);
  return true;
}

bool ImplicitStage::iterate(const StageCoefficients& c, const State& before_step, State& s,
                            Search search, const AlgorithmicAcceleration& algorithmic) {
  c_ = c;
  has_tangent_of_guess_ = false;
  before_ = &before_step;
  algorithmic_ = algorithmic;
  s.velocity_correction.resize(0);
  put_on_constraints(s);
  if (equations_) return iterate_by_snes(s);
  double before = 0.0;
  int n_halvings = 0;
  if (!is_same(tangent_of_, c_)) tangent_is_stale_ = true;
  // Beams turn in the world. With the tangent of the step before, a slider-crank took twice the
  // iterations, and as many new tangents.
  if (system::has_turning_elements(system_) || follows_dependent_rows()) tangent_is_stale_ = true;
  if (const double rate = std::exchange(rate_of_step_, 0.0); rate > 0.0) later_rate_ = rate;
  prepare_nodal_tangents(s);
  renews_ = !s.nodal.empty() && renewal_.is_due();
  for (last_iterations_ = 0;; ++last_iterations_) {
    if (!evaluate(s)) return false;
    const double size = rhs.norm();
    if (search == Search::halves && last_iterations_ > 0 && size > before &&
        n_halvings++ < kMaxHalvings) {
      take_half_back(s);
      --last_iterations_;
      continue;
    }
    n_halvings = 0;
    if (last_iterations_ > 0) {
      const double reduction = before > 0.0 ? size / before : 0.0;
      const Verdict verdict = judge_residual(s, reduction);
      if (verdict == Verdict::converged) renewal_.finish_step(last_iterations_);
      if (verdict != Verdict::goes_on) return verdict == Verdict::converged;
      // That of a full-mesh body does not become better by being assembled again.
      if (reduction > kGoodReduction && s.nodal.empty() && !ends_soon(s, reduction))
        refresh_tangent(s);
    }
    if (!correct(s)) return false;
    before = std::hypot(size, contacts_.change_of_forces());
    if (judges_by_corrections(s) && judge_correction(s) == Verdict::converged) {
      if (s.nodal.empty() && last_increment_ > kGoodReduction * increment_before_ &&
          last_increment_ > allowed_increment(c_, s))
        tangent_is_stale_ = true;
      system_.update(s);
      if (!s.nodal.empty()) renewal_.finish_step(last_iterations_ + 1);
      return true;
    }
  }
}

}  // namespace solidyn::integrators

#include "integrators/coupled_stages.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "integrators/newton_rules.h"
#include "solidyn/base/timer.h"
#include "solidyn/system/turning_elements.h"
#include "solidyn/system/velocity_violation.h"

namespace solidyn::integrators {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using system::State;

// What the acceleration at the end makes of the position there, of h^2.
constexpr double kToIncrement = 0.25;

}  // namespace

CoupledStages::CoupledStages(system::System& system, const StageOptions& options, double alpha,
                             double alpha_AR, ImplicitStage& end)
    : system_(system),
      options_(options),
      end_(end),
      alpha_(alpha),
      alpha_AR_(alpha_AR),
      has_friction_(end.has_steep_forces()),
      solver_(solvers::make_linear_solver(options.preset, 2 * system.layout().n_unknowns())) {
  B_ << alpha_AR * alpha, -alpha_AR, 0.5, 0.5;
  inverse_ = B_.inverse();
  turns_ = system::System::RotationTangents(system.bodies().size(), Eigen::Matrix3d::Identity());
}

void CoupledStages::begin_anew() {
  solve_ = std::make_unique<SaddlePointSolve>(*solver_, 2 * system_.layout().n_velocities(),
                                              2 * system_.layout().n_constraints(),
                                              end_.regularization());
  for (auto& of_state : of_state_)
    for (solvers::BlockMatrix& matrix : of_state) system_.set_pattern(matrix);
  set_pattern();  // a factorisation remembers its pivots
  is_stale_ = true;
}

// The acceleration stays.
void CoupledStages::guess() {
  for (const int k : {0, 1}) {
    s_[k]->copy_from(*before_);
    n_[k].setZero(before_->v.size());
  }
  s_[1]->t = before_->t + h_;
  s_[1]->v += h_ * before_->a;
  move_positions();
}

// n = h B v less what the state before takes part in; on the Lie group dn/dt = v + n x v/2, which
// makes h^3/12 w x dw/dt of a step.
void CoupledStages::move_positions() {
  const VectorXd &v0 = before_->v, &v_first = s_[0]->v, &v_last = s_[1]->v;
  n_[0] = h_ * alpha_AR_ * (alpha_ * (v_first - v0) - v_last + v0);
  n_[1] = 0.5 * h_ * (v_first + v_last);
  for (const bodies::BodyIndex b : system_.bodies()) {
    if (system_.body(b).n_rigid() == 0) continue;
    const int at = system_.layout().velocity_offset(b) + 3;
    const Vector3d w0 = v0.segment<3>(at), w = v_last.segment<3>(at);
    n_[1].segment<3>(at) += h_ * h_ / 12.0 * w0.cross(w);
  }
  for (const int k : {0, 1}) system_.advance(before_->q, n_[k], s_[k]->q);
}

// What rows on velocity level and contacts take from the state before.
void CoupledStages::note_start() {
  const auto& is_velocity_level = system_.layout().is_velocity_level();
  const bool has_such_rows =
      std::any_of(is_velocity_level.begin(), is_velocity_level.end(), [](auto is) { return is; });
  end_.contacts().note({}, {}, {});
  closed_ = end_.contacts().points().closed(*before_);
  if (!has_such_rows && closed_.empty()) return;
  system_.update(*before_);
  system_.update_accelerations();
  if (has_such_rows) {
    VectorXd nu;
    system_.compute_constraints(*before_, phi_);
    system_.compute_rates(*before_, nu, gamma0_);
    G0_ = system_.sparse_G();
  }
  if (!closed_.empty()) note_contacts_at_start();
}

// The equations at the present guess. @return whether they are finite
bool CoupledStages::evaluate() {
  const bool is_other_step = std::abs(tangent_step_ - h_) > ImplicitStage::kSameStep * std::abs(h_);
  const bool renews = is_stale_ || is_other_step;
  for (const int k : {0, 1}) {
    system_.update(*s_[k]);
    {
      base::ScopedTimer timer(statistics_.assembly_seconds);
      system_.compute_residual(*s_[k], r_[k], phi_);
    }
    if (!closed_.empty()) look_at_contacts(k, renews);
    if (renews) assemble(k);
  }
  if (!r_[0].allFinite() || !r_[1].allFinite() || !phi_.allFinite()) return false;
  if (renews) factor();
  evaluate_end_rows();
  set_right_hand_side();
  return true;
}

void CoupledStages::evaluate_end_rows() {
  const int n_l = system_.layout().n_constraints();
  if (n_l == 0) return;
  base::ScopedTimer timer(statistics_.assembly_seconds);
  late_ = system::velocity_violation(system_, *s_[1]);
  if (G0_.rows() > 0) early_ = G0_ * s_[0]->a - gamma0_;
}

void CoupledStages::set_right_hand_side() {
  const int n_v = system_.layout().n_velocities(), n_l = system_.layout().n_constraints();
  rhs_.resize(2 * (n_v + n_l));
  for (const int k : {0, 1}) rhs_.segment(k * n_v, n_v) = -h_ * h_ * r_[k];
  for (int i = 0; i < n_l; ++i) {
    rhs_[2 * n_v + i] = system_.layout().is_velocity_level()[i] ? -h_ * h_ * early_[i] : -phi_[i];
    rhs_[2 * n_v + n_l + i] = -h_ * late_[i];
  }
  violation_before_ = violation_;
  violation_ = n_l > 0 ? rhs_.tail(2 * n_l).lpNorm<Eigen::Infinity>() : 0.0;
}

// As of ImplicitStage, of both states.
VectorXd CoupledStages::idle_multipliers() {
  const bool is_fresh = std::exchange(has_tangent_of_guess_, false);
  VectorXd lambda(2 * system_.layout().n_constraints());
  VectorXd none = VectorXd::Zero(lambda.size());
  if (end_.regularization() == 0.0 || iterations_ > 0) return none;
  lambda << s_[0]->lambda, s_[1]->lambda;
  VectorXd idle = solve_->null_part(lambda);
  if (is_fresh) return idle;
  if (idle.norm() <= kIdle * lambda.norm()) return none;
  is_stale_ = true;
  if (!evaluate()) return none;
  has_tangent_of_guess_ = false;
  return solve_->null_part(lambda);
}

// @return whether the correction is finite
bool CoupledStages::correct() {
  const int n_v = system_.layout().n_velocities();
  const VectorXd idle = idle_multipliers();
  {
    base::ScopedTimer timer(statistics_.solve_seconds);
    solve_->solve(rhs_, x_);
    x_.tail(idle.size()) -= h_ * h_ * idle;
  }
  if (!closed_.empty()) correct_contacts();
  ++statistics_.linear_solves;
  ++statistics_.newton_iterations;
  increment_before_ = increment_;
  increment_ = std::max(end_.weighted_size(x_.head(n_v)), end_.weighted_size(x_.segment(n_v, n_v)));
  if (!std::isfinite(increment_)) return false;
  apply(1.0);
  return true;
}

// A share of the correction.
void CoupledStages::apply(double share) {
  const int n_v = system_.layout().n_velocities(), n_l = system_.layout().n_constraints();
  for (const int k : {0, 1}) {
    s_[k]->v += share / h_ * x_.segment(k * n_v, n_v);
    s_[k]->a +=
        share / (h_ * h_) * (inverse_(k, 0) * x_.head(n_v) + inverse_(k, 1) * x_.segment(n_v, n_v));
    s_[k]->lambda += share / (h_ * h_) * x_.segment(2 * n_v + k * n_l, n_l);
  }
  move_positions();
}

double CoupledStages::rate() const {
  return iterations_ == 0 ? 1.0 : shrunk(increment_, increment_before_);
}

// By a part of the last correction, in state k, beside those at the end.
ImplicitStage::MultiplierChange CoupledStages::multiplier_change(int k, double part,
                                                                 bool stagnates) const {
  const int n_v = system_.layout().n_velocities(), n_l = system_.layout().n_constraints();
  return {part / (h_ * h_) * x_.segment(2 * n_v + k * n_l, n_l), s_[1]->lambda, iterations_,
          1.0 / (kToIncrement * h_ * h_), stagnates};
}

bool CoupledStages::has_settled_multipliers(bool stagnates) const {
  for (const int k : {0, 1})
    if (!end_.has_settled(multiplier_change(k, rate(), stagnates))) return false;
  return true;
}

// What the last correction leaves is smaller than it by as much as it was than the one before.
bool CoupledStages::has_converged() const {
  if (!end_.contacts().failure().empty()) return false;
  const double allowed =
      end_.allowed_increment({h_, 2.0 / h_, 0.0, kToIncrement * h_ * h_}, *s_[1]);
  if (iterations_ >= 3 && increment_ >= 0.5 * increment_before_ &&
      end_.is_round_off(increment_, violation_, allowed))
    return has_settled_multipliers(true);
  if (!has_settled_multipliers(false)) return false;
  const double violation =
      violation_ * (iterations_ == 0 ? 1.0 : shrunk(violation_, violation_before_));
  return increment_ * rate() <= allowed && violation <= end_.allowed_violation(allowed);
}

bool CoupledStages::iterate(const State& before, double h, Search search, State& first,
                            State& last) {
  before_ = &before;
  s_ = {&first, &last};
  h_ = h;
  // Beams turn in the world.
  if (system::has_turning_elements(system_) || end_.follows_dependent_rows()) is_stale_ = true;
  has_tangent_of_guess_ = false;
  note_start();
  guess();
  increment_ = violation_ = 0.0;
  double size_before = 0.0;
  int n_halvings = 0;
  for (iterations_ = 0; iterations_ < options_.max_iterations; ++iterations_) {
    if (!evaluate()) return false;
    const double size = rhs_.norm();
    if (iterations_ > 0 && size > size_before) {
      if (search == Search::halves && n_halvings++ < kMaxHalvings) {
        apply(-0.5);
        x_ *= 0.5;
        increment_ *= 0.5;
        --iterations_;
        continue;
      }
      const bool may_grow = !closed_.empty() && iterations_ <= kFirstForces;
      if (size > kDivergence * size_before && !may_grow) return false;
    }
    n_halvings = 0;
    if (iterations_ > 0 && size > kGoodReduction * size_before) {
      is_stale_ = true;
      if (!evaluate()) return false;
    }
    size_before = size;
    if (!correct()) return false;
    if (!has_converged()) continue;
    if (increment_ > kGoodReduction * increment_before_ && iterations_ > 0) is_stale_ = true;
    system_.update(last);
    return true;
  }
  return false;
}

std::string CoupledStages::failure(const State& before, const State& last, double h) {
  const double allowed = end_.allowed_increment({h, 2.0 / h, 0.0, kToIncrement * h * h}, before);
  std::string multipliers;
  // The first evaluation of all may have failed.
  if (x_.size() > 0 &&
      (increment_ <= allowed || end_.is_round_off(increment_, violation_, allowed)))
    for (const int k : {0, 1})
      if (multipliers.empty())
        multipliers = end_.describe_unsettled_followers(multiplier_change(k, 1.0, true));
  return describe(
      {iterations_, increment_, allowed, r_[1], phi_, end_.contacts().failure(), {}, multipliers},
      system_, before, last, h);
}

}  // namespace solidyn::integrators

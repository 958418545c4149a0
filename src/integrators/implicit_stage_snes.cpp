// PETSc's SNES in place of Newton's iteration within a stage.
#include <algorithm>
#include <cmath>

#include "integrators/stage_equations.h"
#include "solidyn/base/timer.h"

namespace solidyn::integrators {

using Eigen::VectorXd;
using system::State;

ImplicitStage::StageEquations::StageEquations(ImplicitStage& stage, int max_iterations)
    : stage_(stage),
      snes_(*this, stage.system_.layout().n_unknowns(), max_iterations, SNESLINESEARCHBT) {}

bool ImplicitStage::StageEquations::solve(State& s) {
  s_ = &s;
  y_ = accepted_ = VectorXd::Zero(stage_.rhs.size());
  n_evaluations_ = 0;
  is_linearised_ = false;
  stage_.last_increment_ = stage_.increment_before_ = 0.0;
  VectorXd y = y_;
  const bool has_converged = snes_.solve(y);
  stage_.last_iterations_ = snes_.iterations();
  stage_.statistics_.newton_iterations += snes_.iterations();
  stage_.failure_of_snes_ = has_converged ? std::string() : snes_.reason();
  if (has_converged) go_to(y);
  return has_converged;
}

void ImplicitStage::StageEquations::evaluate(const VectorXd& y, VectorXd& f) {
  stage_.tangent_is_stale_ = n_evaluations_++ == 0;  // for the scale of the rows
  if (!go_to(y)) throw base::ComputationError("the equations of motion are not finite");
  if (n_evaluations_ == 1) drop_null_part();
  f = -stage_.rhs;
}

void ImplicitStage::StageEquations::linearise(const VectorXd& y) {
  const bool is_made = n_evaluations_ == 1 && y == y_ && !is_linearised_;
  is_linearised_ = true;
  if (is_made) return;
  stage_.tangent_is_stale_ = false;
  if (y != y_) go_to(y);
  stage_.refresh_tangent(*s_);
}

void ImplicitStage::StageEquations::solve(const VectorXd& b, VectorXd& x) {
  base::ScopedTimer timer(stage_.statistics_.solve_seconds);
  stage_.solve_->solve(b, x);
  ++stage_.statistics_.linear_solves;
}

VectorXd ImplicitStage::StageEquations::product(const VectorXd& x) {
  return stage_.solver_->product(x);
}

bool ImplicitStage::StageEquations::has_converged(const VectorXd& update) {
  accepted_ += update;
  note(update);
  if (y_ != accepted_) go_to(accepted_);
  const double allowed = stage_.allowed_increment(stage_.c_, *s_);
  if (stage_.has_stagnated(allowed, *s_, 1.0)) return true;
  VectorXd next;
  solve(stage_.rhs, next);
  const double size = stage_.weighted_size(next.head(stage_.n.size()));
  return size <= allowed &&
         stage_.has_settled(stage_.multiplier_change(
             *s_, stage_.last_increment_ > 0.0 ? std::min(1.0, size / stage_.last_increment_) : 1.0,
             false)) &&
         stage_.violation_ <= stage_.allowed_violation(allowed);
}

bool ImplicitStage::StageEquations::is_at_round_off(const VectorXd& y) {
  go_to(y);
  stage_.refresh_tangent(*s_);
  VectorXd correction;
  solve(stage_.rhs, correction);
  if (!stage_.is_round_off(stage_.weighted_size(correction.head(stage_.n.size())),
                           stage_.violation_, stage_.allowed_increment(stage_.c_, *s_)))
    return false;
  stage_.x = correction;
  return stage_.has_settled(stage_.multiplier_change(*s_, 1.0, true));
}

void ImplicitStage::StageEquations::note(const VectorXd& update) {
  ++stage_.last_iterations_;
  stage_.x = update;
  stage_.increment_before_ = stage_.last_increment_;
  stage_.last_increment_ = stage_.weighted_size(update.head(stage_.n.size()));
}

bool ImplicitStage::StageEquations::go_to(const VectorXd& y) {
  stage_.x = y - y_;
  y_ = y;
  stage_.apply(*s_, 1.0);
  return stage_.evaluate(*s_);
}

void ImplicitStage::StageEquations::drop_null_part() {
  if (stage_.options_.regularization != 0.0) s_->lambda -= stage_.solve_->null_part(s_->lambda);
}

void ImplicitStage::make_snes() {
  equations_ = std::make_unique<StageEquations>(*this, options_.max_iterations);
}

bool ImplicitStage::iterate_by_snes(State& s) {
  last_iterations_ = 0;
  return equations_->solve(s);
}

ImplicitStage::~ImplicitStage() = default;

}  // namespace solidyn::integrators

// Accelerations that the scheme begins with, and those that it goes on with when its step changes.
#include <cmath>

#include "solidyn/integrators/relative_generalized_alpha.h"
#include "solidyn/recursive/step_tangent.h"

namespace solidyn::integrators {
namespace {

using Eigen::VectorXd;
using system::State;

// How much later accelerations are looked at for their rate, in steps; by how much the rate over
// the whole step may differ from that.
constexpr double kNearOfStep = 0.01, kUnevenRate = 0.5;
// Of the filter of accelerations.
constexpr int kTermsOfFilter = 2;
// Of a step that continues from the last one, over that.
constexpr double kLongerStep = 2.0 + 1e-6;

}  // namespace

// What the step resolves of an acceleration at the present motion, as GeneralizedAlpha has it: with
// S = M + c1 h D + c2 h^2 K, (I - (I - S^-1 M)^n) x, and of closures all that they prescribe.
VectorXd RelativeGeneralizedAlpha::resolved(State& s, const VectorXd& target, int n_terms) {
  VectorXd kept = VectorXd::Zero(target.size()), a = now_.a;
  equations_->evaluate(now_.q, now_.u, a, s);
  const VectorXd r = equations_->residual(), along = equations_->closure_accelerations();
  n_.setZero(target.size());
  factorise(s);
  for (int i = 0; i < n_terms; ++i) {
    a = now_.a + target - kept;
    equations_->evaluate(now_.q, now_.u, a, s);
    tangent_->solve(r - equations_->residual(),
                    (along - equations_->closure_accelerations()) / acceleration_, x_, dlambda_);
    kept += acceleration_ * x_;
  }
  for (const recursive::Link& k : mechanism_->tree().links())
    for (int j = k.n_free; j < k.n_speeds; ++j) {  // laws
      const int at = k.u + k.order[j];
      kept[at] = target[at];
    }
  return kept;
}

// A stands for the acceleration (alpha_m - alpha_f) h later: it begins along its rate, where that
// is smooth over the step. What the step does not resolve is left out, as it would be thrown by
// h^2 a, with any energy.
void RelativeGeneralizedAlpha::begin(const State& state, double h) {
  now_.A = now_.a;
  State later = state.clone();
  const auto rate = [&](double dt) {
    VectorXd q = now_.q, u = now_.u + dt * now_.a, a;
    mechanism_->tree().advance(dt * now_.u + 0.5 * dt * dt * now_.a, q);
    later.copy_from(state);
    later.t += dt;
    equations_->find_accelerations(q, u, later, a);
    return VectorXd((a - now_.a) / dt);
  };
  try {
    VectorXd near = rate(kNearOfStep * h);
    const VectorXd far = rate(h);
    later.copy_from(state);
    equations_->set_closure_multipliers(lambda_, later);
    now_.A = resolved(later, now_.a, kTermsOfFilter);
    near = resolved(later, near, 1);
    if (size_of(near - resolved(later, far, 1)) <= kUnevenRate * size_of(near))
      now_.A += (alpha_m_ - alpha_f_) * h * near;
  } catch (const base::ComputationError&) {
    now_.A = now_.a;  // the step itself will say why the motion cannot continue
  }
  system_.update(state);
}

// When the step changes A moves along; a step that is much longer begins anew.
void RelativeGeneralizedAlpha::adapt(const State& state, double h) {
  const double ratio = h / step_before_;
  if (std::abs(ratio - 1.0) <= kSameStep) return;
  if (ratio > kLongerStep) return begin(state, h);
  State here = state.clone();
  equations_->set_closure_multipliers(lambda_, here);
  now_.A = resolved(here, now_.a + ratio * (now_.A - now_.a), kTermsOfFilter);
  system_.update(state);
}

}  // namespace solidyn::integrators

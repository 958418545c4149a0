// Accelerations that the scheme begins with, and those that it goes on with when its step changes.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

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
// Gauss' three places in a step, their weights, and those of the parabola through them at the end.
constexpr std::array<double, 3> kGauss = {0.11270166537925831, 0.5, 0.88729833462074169},
                                kGaussWeights = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0},
                                kToEnd = {0.18783610896543051, -2.0 / 3.0, 1.4788305577012362};
// By how much an acceleration at the end of a step may differ from them, of the largest of them.
constexpr double kSpike = 0.5;

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
  for (const int at : driven_) kept[at] = target[at];
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
    if (size_of(near - resolved(later, far, 1)) <= kUnevenRate * size_of(near)) {
      now_.A += (alpha_m_ - alpha_f_) * h * near;
      if (equations_->n_closure_rows() > 0) first_offset_ = velocity_offset(near, h, later);
    }
    for (const int at : driven_) now_.A[at] = now_.a[at];
  } catch (const base::ComputationError&) {
    now_.A = now_.a;  // the step itself will say why the motion cannot continue
  }
  system_.update(state);
}

// As GeneralizedAlpha has it: what a step leaves beside the exact motion along closures of position
// level, over h, which else makes multipliers swing. Coordinates that follow laws are exact.
VectorXd RelativeGeneralizedAlpha::velocity_offset(const VectorXd& rate, double h, State& s) {
  VectorXd bracket = (1.0 / 6.0 - beta_ - 0.5 * (alpha_m_ - alpha_f_)) * rate;
  for (const recursive::Link& k : mechanism_->tree().links()) {
    if (!k.hinge.turns_freely()) continue;
    const int at = k.u + k.hinge.n_translations();
    const Eigen::Vector3d w = now_.u.segment<3>(at), dw = now_.a.segment<3>(at);
    bracket.segment<3>(at) += w.cross(dw) / 12.0;
  }
  for (const int at : driven_) bracket[at] = 0.0;
  return mechanism_->part_along_closures(now_.q, h * h * bracket, s);
}

VectorXd RelativeGeneralizedAlpha::law_accelerations(double t, VectorXd& q, VectorXd& u) {
  of_laws_.setZero(u.size());
  equations_->follow_laws(t, q, u, of_laws_);
  return of_laws_;
}

// Of coordinates that follow laws, accelerations at the end of the step: those of the laws, and
// those by which the scheme comes to speeds that these do not explain, so that what jumps in a law
// is in the momentum of the step. At a kink a law has no acceleration, but a spike, which is
// neither that of before nor that of after it: there it is that of before. An acceleration that
// jumps at the end of the step is that of after it, which the next step begins with.
void RelativeGeneralizedAlpha::plan_laws(double t, double h) {
  if (driven_.empty()) return;
  VectorXd q = before_.q, u = before_.u;
  const auto rates_at = [&](double part) { return law_accelerations(t + part * h, q, u); };
  std::array<VectorXd, 3> inside;
  for (std::size_t i = 0; i < 3; ++i) inside[i] = rates_at(kGauss[i]);
  now_.law = rates_at(1.0);
  std::optional<VectorXd> next;  // the first place of the next step, looked at where it is needed
  const auto after = [&](int at) {
    if (!next) {
      VectorXd q_next = q, u_next = u;
      next = law_accelerations(t + (1.0 + kGauss[0]) * h, q_next, u_next);
    }
    return (*next)[at];
  };
  for (const int at : driven_) {
    double mean = 0.0, end = 0.0, largest = 0.0;
    for (std::size_t i = 0; i < 3; ++i) {
      mean += kGaussWeights[i] * inside[i][at];
      end += kToEnd[i] * inside[i][at];
      largest = std::max(largest, std::abs(inside[i][at]));
    }
    const double law = now_.law[at];
    if (std::abs(law - end) > kSpike * largest &&
        std::abs(law - after(at)) > kSpike * std::max(largest, std::abs(after(at))))
      now_.law[at] = end;
    const double A_0 = before_.A[at] - before_.law[at], a_0 = before_.a[at] - before_.law[at],
                 A = ((u[at] - before_.u[at]) / h - mean - (1.0 - gamma_) * A_0) / gamma_;
    now_.A[at] = now_.law[at] + A;
    now_.a[at] =
        now_.law[at] + ((1.0 - alpha_m_) * A + alpha_m_ * A_0 - alpha_f_ * a_0) / (1.0 - alpha_f_);
  }
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

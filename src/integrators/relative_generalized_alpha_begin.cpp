// Accelerations that the scheme begins with, and those that it goes on with when its step changes.
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <vector>

#include "integrators/energies_of_islands.h"
#include "integrators/unresolved_velocities.h"
#include "solidyn/integrators/relative_generalized_alpha.h"
#include "solidyn/recursive/step_tangent.h"
#include "solidyn/system/scales.h"

namespace solidyn::integrators {
namespace {

using Eigen::VectorXd;
using system::State;

// How much later accelerations are looked at for their rate, in steps; by how much the rate over
// the whole step may differ from that.
constexpr double kNearOfStep = 0.01, kUnevenRate = 0.5;
// Of the filter of accelerations.
constexpr int kTermsOfFilter = 2;
// Of accelerations, by which forces that follow them, as friction in joints, are differentiated.
constexpr double kPartOfAcceleration = 1e-4;
// Of a step that continues from the last one, over that.
constexpr double kLongerStep = 2.0 + 1e-6;
// Gauss' three places in a step, their weights, and those of the parabola through them at the end.
constexpr std::array<double, 3> kGauss = {0.11270166537925831, 0.5, 0.88729833462074169},
                                kGaussWeights = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0},
                                kToEnd = {0.18783610896543051, -2.0 / 3.0, 1.4788305577012362};
// The parabola at the start, and its integrals up to the first and the third place.
constexpr std::array<double, 3> kToStart = {kToEnd[2], kToEnd[1], kToEnd[0]},
                                kToFirst = {5.0 / 36.0, -0.03597666752493890, 0.00978944401530832},
                                kToThird = {0.26798833376246945, 0.48042111196938335, 5.0 / 36.0};
// By how much an acceleration at the end of a step may differ from them, of the largest of them.
constexpr double kSpike = 0.5;
// At a kink, of the largest speed or acceleration of a law in the step: what it differs by there;
// and where the law is a parabola inside, what that leaves over. Round-off of speeds.
constexpr double kKink = 1e-2, kSmooth = 1e-3, kRoundOffOfSpeed = 1e-6;
// Of the way to the first place, how far from the start the kink may be.
constexpr double kAtStart = 0.1;

bool has_multiplier_forces(const system::System& system) {
  for (const forces::ForceIndex i : system.forces())
    if (!system.force(i).constraints().empty()) return true;
  return false;
}

double sum_of(const std::array<double, 3>& weights, const std::array<double, 3>& values) {
  return weights[0] * values[0] + weights[1] * values[1] + weights[2] * values[2];
}

double largest_of(const std::array<double, 3>& values) {
  return std::max({std::abs(values[0]), std::abs(values[1]), std::abs(values[2])});
}

// A law at the start of a step and at Gauss' places in it: coordinate, speed and acceleration.
struct LawInStep {
  double q = 0.0, u = 0.0, a = 0.0;
  std::array<double, 3> q_inside{}, u_inside{}, a_inside{};

  // Where a law has a kink at the start, its derivatives there are neither those of before nor of
  // after it. @return whether that is so; u and a are then those of after it
  bool leave_kink(double h) {
    const double u_after = u_inside[0] - h * sum_of(kToFirst, a_inside),
                 a_after = sum_of(kToStart, a_inside), largest_u = largest_of(u_inside),
                 largest_a = largest_of(a_inside);
    const double to_third =
        u_inside[2] - u_inside[0] - h * (sum_of(kToThird, a_inside) - sum_of(kToFirst, a_inside));
    if (std::abs(to_third) > kSmooth * h * largest_a + kRoundOffOfSpeed * largest_u) return false;
    const double jump = u_after - u, misfit = q_inside[0] - q - h * sum_of(kToFirst, u_inside);
    const bool jumps = std::abs(jump) > kKink * std::max(largest_u, h * largest_a);
    if (jumps && std::abs(misfit) > kAtStart * kGauss[0] * h * std::abs(jump)) return false;
    if (!jumps &&
        h * std::abs(a_after - a) <= std::max(kKink * h * largest_a, kRoundOffOfSpeed * largest_u))
      return false;
    if (jumps) u = u_after;
    a = a_after;
    return true;
  }
};

// Speeds and accelerations of all coordinates that follow laws, those of after kinks where the step
// begins.
struct AfterKinks {
  VectorXd speeds, laws;
  bool has_jumps = false;
};

// A law that is smooth, but that the step does not resolve, may look like one with a kink. A kink
// does so from as near as one likes.
constexpr std::array<double, 3> kLooks = {1.0, 1.0 / 16.0, 1.0 / 256.0};

// All coordinates that follow laws, at the places of a step of length h.
struct LawsInStep {
  LawsInStep(recursive::StepEquations& equations, const VectorXd& q, const VectorXd& u, double t,
             double h) {
    const auto at = [&](double time, VectorXd& q_then, VectorXd& u_then, VectorXd& a_then) {
      q_then = q;
      u_then = u;
      a_then.setZero(u.size());
      equations.follow_laws(time, q_then, u_then, a_then);
    };
    std::array<VectorXd, 3> q_inside, u_inside, a_inside;
    VectorXd q_start, u_start, a_start;
    at(t, q_start, u_start, a_start);
    for (std::size_t i = 0; i < 3; ++i)
      at(t + kGauss[i] * h, q_inside[i], u_inside[i], a_inside[i]);
    for (const int driven : equations.tree().driven_links()) {
      const recursive::Link& k = equations.tree().links()[driven];
      for (int j = k.n_free; j < k.n_speeds; ++j) {
        const int of_q = k.q + k.order[j], of_u = k.u + k.order[j];
        LawInStep law{q[of_q], u[of_u], a_start[of_u]};
        for (std::size_t i = 0; i < 3; ++i) {
          law.q_inside[i] = q_inside[i][of_q];
          law.u_inside[i] = u_inside[i][of_u];
          law.a_inside[i] = a_inside[i][of_u];
        }
        laws.push_back(law);
        speeds.push_back(of_u);
      }
    }
  }
  std::vector<LawInStep> laws;
  std::vector<int> speeds;  // of each
};

// @return empty: no law has a kink at t
std::optional<AfterKinks> look_after_kinks(recursive::StepEquations& equations, const VectorXd& q,
                                           const VectorXd& u, double t, double h) {
  std::vector<LawInStep> found;
  std::vector<int> speeds;
  std::vector<bool> has_kink;
  for (const double part : kLooks) {
    LawsInStep step(equations, q, u, t, part * h);
    if (part == kLooks.front()) {
      found = step.laws;
      speeds = step.speeds;
      for (LawInStep& law : found) has_kink.push_back(law.leave_kink(h));
    } else {
      for (std::size_t i = 0; i < step.laws.size(); ++i) {
        const bool jumps = found[i].u != u[speeds[i]];
        if (part == kLooks.back() && !jumps) continue;  // speeds' round-off hides it there
        has_kink[i] = has_kink[i] && step.laws[i].leave_kink(part * h) &&
                      jumps == (step.laws[i].u != u[speeds[i]]);
      }
    }
    if (std::find(has_kink.begin(), has_kink.end(), true) == has_kink.end()) return {};
  }
  AfterKinks after{u, VectorXd::Zero(u.size())};
  VectorXd of_q = q, of_laws = u;
  equations.follow_laws(t, of_q, of_laws, after.laws);
  for (std::size_t i = 0; i < found.size(); ++i) {
    if (!has_kink[i]) continue;
    after.has_jumps |= found[i].u != u[speeds[i]];
    after.speeds[speeds[i]] = found[i].u;
    after.laws[speeds[i]] = found[i].a;
  }
  return after;
}

// As System::external_powers(), but drives move as the mechanism does, with speeds `u`: at a kink
// the rate of a law is neither that of before nor that of after it.
VectorXd powers_after_kinks(system::System& system, recursive::StepEquations& equations, VectorXd q,
                            const VectorXd& u, const State& s) {
  VectorXd powers = system.external_powers(s), of_laws = u, second_rates = VectorXd::Zero(u.size());
  equations.follow_laws(s.t, q, of_laws, second_rates);
  const recursive::Tree& tree = equations.tree();
  for (const int i : tree.driven_links())
    for (const recursive::Branch::Drive& drive : tree.forest().branches[i].drives) {
      const int at = tree.links()[i].u + drive.speed;
      powers[system.connectivity().island_of(system.constraint(drive.constraint).bodies())] -=
          s.lambda[system.layout().constraint_offset(drive.constraint)] * drive.rate *
          (u[at] - of_laws[at]);
    }
  return powers;
}

}  // namespace

// What the step resolves of an acceleration at the present motion, as GeneralizedAlpha has it: with
// S = M + c1 h D + c2 h^2 K, (I - (I - S^-1 M)^n) x, and of closures all that they prescribe. M is
// the derivative by accelerations: friction follows what joints transmit, and is not linear in it.
VectorXd RelativeGeneralizedAlpha::resolved(State& s, const VectorXd& target, int n_terms) {
  VectorXd kept = VectorXd::Zero(target.size()), a = now_.a;
  equations_->evaluate(now_.q, now_.u, a, s, recursive::SweptLinks::of_rank);
  const VectorXd r = equations_->residual(), along = equations_->closure_accelerations();
  n_.setZero(target.size());
  factorise(s);
  const double part = has_multiplier_forces(system_) ? kPartOfAcceleration : 1.0;
  for (int i = 0; i < n_terms; ++i) {
    a = now_.a + part * (target - kept);
    equations_->evaluate(now_.q, now_.u, a, s, recursive::SweptLinks::of_rank);
    tangent_->solve((r - equations_->residual()) / part,
                    (along - equations_->closure_accelerations()) / (part * acceleration_), x_,
                    dlambda_);
    kept += acceleration_ * x_;
  }
  for (const int at : driven_) kept[at] = target[at];
  return kept;
}

// A stands for the acceleration (alpha_m - alpha_f) h later: it begins along its rate, where that
// is smooth over the step. What the step does not resolve is left out, as it would be thrown by
// h^2 a, with any energy. Where a law has a kink the motion goes on with what it does after it, and
// what hangs on its drive with the impulse.
void RelativeGeneralizedAlpha::begin(const State& state, double h) {
  State later = state.clone();
  std::optional<AfterKinks> kinks;
  if (!driven_.empty()) kinks = look_after_kinks(*equations_, now_.q, now_.u, state.t, h);
  if (kinks) {
    system_.update(state);
    const VectorXd kinetic = kinetic_energies(system_, state);
    if (kinks->has_jumps) mechanism_->jump(now_.q, now_.u, kinks->speeds, later);
    mechanism_->compute_accelerations_as_given(kinks->laws, now_.q, now_.u, later, now_.a);
    if (kinks->has_jumps)
      corrected_start_ = GeneralizedAlpha::CorrectedStart{
          kinetic_energies(system_, later) - kinetic,
          powers_after_kinks(system_, *equations_, now_.q, now_.u, later)};
    now_.law = kinks->laws;
    lambda_ = equations_->closure_multipliers(later);
  }
  drop_unresolved_velocities(state, kinks ? &kinks->laws : nullptr);
  const VectorXd u = now_.u;
  now_.A = now_.a;
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
    // Twice, for the rate of what is faster than the step grows faster than its acceleration.
    const auto twice = [&](const VectorXd& x) { return resolved(later, resolved(later, x, 1), 1); };
    near = twice(near);
    if (size_of(near - twice(far)) <= kUnevenRate * size_of(near)) {
      now_.A += (alpha_m_ - alpha_f_) * h * near;
      if (equations_->n_closure_rows() > 0) first_offset_ = velocity_offset(near, h, later);
    }
    for (const int at : driven_) now_.A[at] = now_.a[at];
  } catch (const base::ComputationError&) {
    now_.A = now_.a;  // the step itself will say why the motion cannot continue
  }
  if (kinks) now_.u = u;  // not those of the laws at the kink itself
  system_.update(state);
}

// As GeneralizedAlpha has it: the motion begins without velocities that dampers take away within a
// part of the step, and with those at which dampers balance the other forces.
// @param laws  accelerations of coordinates that follow laws, after a kink; null: what they are
void RelativeGeneralizedAlpha::drop_unresolved_velocities(const State& state,
                                                          const VectorXd* laws) {
  // Where nothing can dissipate, looking for it would take as long as twenty steps.
  if (!mechanism_->exchanges_energy()) return;
  system_.update(state);
  if (!may_dissipate(system_, state.t)) return;
  State s = state.clone();
  equations_->set_closure_multipliers(lambda_, s);
  equations_->evaluate_as_given(now_.q, now_.u, now_.a, s);
  equations_->write(s);
  equations_->write_reactions(s);
  const VectorXd dropped =
      unresolved_velocities(system_, s, {velocity_, acceleration_},
                            system::increment_weights(system_, length_), options_.regularization);
  if (dropped.size() == 0) return;
  const VectorXd kinetic = kinetic_energies(system_, s);
  VectorXd q, u, u_before, a;
  mechanism_->tree().find_coordinates(s, q, u_before);
  s.v -= dropped;
  system_.update(s);
  mechanism_->tree().find_coordinates(s, q, u);
  u += now_.u - u_before;
  q = now_.q;
  VectorXd u_of_laws = u;
  if (laws)
    mechanism_->compute_accelerations_as_given(*laws, q, u, s, a);
  else
    equations_->find_accelerations(q, u_of_laws, s, a);
  system_.update(s);
  before_drop_ = BeforeDrop{now_.u, now_.a, lambda_, corrected_start_};
  GeneralizedAlpha::CorrectedStart corrected{
      kinetic_energies(system_, s) - kinetic,
      laws ? powers_after_kinks(system_, *equations_, q, u, s) : system_.external_powers(s)};
  if (corrected_start_) corrected.kinetic_energy += corrected_start_->kinetic_energy;
  corrected_start_ = std::move(corrected);
  now_.u = u;
  now_.a = a;
  lambda_ = equations_->closure_multipliers(s);
}

// As GeneralizedAlpha has it: what a step leaves beside the exact motion along closures of position
// level, over h, which else makes multipliers swing. Coordinates that follow laws are exact.
VectorXd RelativeGeneralizedAlpha::velocity_offset(const VectorXd& rate, double h, State& s) {
  VectorXd bracket = (1.0 / 6.0 - beta_ - 0.5 * (alpha_m_ - alpha_f_)) * rate;
  for (const recursive::Link& k : mechanism_->tree().links()) {
    if (!k.hinge.turns_freely() || k.turns_with_carrier()) continue;
    const int at = k.u + k.hinge.n_translations();
    const Eigen::Vector3d w = now_.u.segment<3>(at), dw = now_.a.segment<3>(at);
    bracket.segment<3>(at) += k.hinge.turn_sign() / 12.0 * w.cross(dw);
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

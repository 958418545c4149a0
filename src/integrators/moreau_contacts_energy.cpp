// What impulses of MoreauContacts and joints that turn do, and what they may.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "integrators/energies_of_islands.h"
#include "integrators/held_up_bodies.h"
#include "integrators/moreau_contacts.h"
#include "solidyn/base/error.h"

namespace solidyn::integrators {

using Eigen::Vector3d;
using Eigen::VectorXd;
using system::State;

namespace {

// Of the kinetic energy: what an impulse and a speed can come to, and more.
constexpr double kBoundOfImpulses = 1e4;
// Of what impulses would do if all speeds went along them: less is round-off ...
constexpr double kNoWork = 1e-10;
// ... and so is what velocities of points at rest, differences of those of the bodies, make of it.
constexpr double kRoundOffOfSpeeds = 1e-14;
// Of all energies: what closing gaps may add as round-off.
constexpr double kRoundOffOfEnergies = 1e-14;
// Of the kinetic energy at the start: what joints that turn may do in a step without an impact.
constexpr double kTurning = 1e-3;

}  // namespace

// Two contacts that exclude each other, such as both stops of a joint that is faster than their
// distance in a step, have impulses without a bound. Those of weights are large beside the motion
// of what hardly moves: `of_forces` is theirs.
void MoreauContacts::require_bounded_impulses(const State& s, double of_forces) const {
  double most = 0.0;
  int worst = 0;
  for (int i = 0; i < points_.size(); ++i) {
    const double speed = start_[i].u.norm();
    if (!start_[i].exists || speed <= kHeld * points_.law(i).slow_speed) continue;
    const double work = h_ * points_.read(s, i).force.norm() * speed;
    if (work > most) {
      most = work;
      worst = i;
    }
  }
  const double kinetic = kinetic_before_.sum() + kinetic_energies(system_, s).sum();
  if (!(most <= kBoundOfImpulses * (kinetic + of_forces)))
    throw base::ComputationError(fmt::format(
        "the impulse of {} is out of all proportion to the motion, {:.2g} J by its speed beside {:.2g} J of kinetic energy: contacts that exclude each other act in one step\n  try a smaller `step`",
        points_.path(worst), most, kinetic));
}

// -p . G1 (theta v1 + (1 - theta) v0) with G1 v1 = 0: what joints that turn within the step do, of
// which p has the more the harder they are hit, or the more contacts that slip jam them: without a
// collision, too. In motion that steps resolve it is a small part of the energy, of either sign.
// Without islands that have drives.
VectorXd MoreauContacts::work_of_joints(const State& before, const State& s, double theta) const {
  const std::vector<bool> is_hit = islands_that_are_hit();
  VectorXd work = VectorXd::Zero(system_.connectivity().n_islands());
  if (theta == 1.0 || system_.layout().n_constraints() == 0) return work;
  VectorXd phi, rates, accelerations, along;
  system_.compute_constraints(s, phi);
  system_.update_accelerations();
  system_.compute_rates(s, rates, accelerations);
  system_.multiply_G(before.v, along);
  std::vector<bool> is_driven(is_hit.size(), false);
  for (const bodies::ConstraintIndex c : system_.constraints()) {
    const int at = system_.layout().constraint_offset(c), n = system_.constraint(c).n_rows();
    const int island = system_.connectivity().island_of(system_.constraint(c).bodies());
    if (!rates.segment(at, n).isZero(0.0)) is_driven[island] = true;
    work[island] -= (1.0 - theta) * h_ * s.lambda.segment(at, n).dot(along.segment(at, n));
  }
  for (std::size_t k = 0; k < is_hit.size(); ++k) {
    const auto i = static_cast<Eigen::Index>(k);
    const bool is_jammed = work[i] > kTurning * kinetic_before_[i];
    if (is_driven[k] || !(is_hit[k] || is_jammed)) work[i] = 0.0;
  }
  return work;
}

// P . (theta u1 + (1 - theta) u0), with u0 by the directions at the end: those of the impulses; and
// that of the joints, which only take energy where nothing is jammed: what contacts do is not less
// for that.
VectorXd MoreauContacts::work(const State& before, const State& s, double theta) const {
  std::vector<int> of;
  for (int i = 0; i < points_.size(); ++i)
    if (!points_.read(s, i).force.isZero(0.0)) of.push_back(i);
  const int n_islands = system_.connectivity().n_islands();
  VectorXd done = VectorXd::Zero(n_islands);
  if (of.empty()) return done;
  const VectorXd change = points_.directions(of).transpose() * (s.v - before.v);
  const VectorXd of_joints = work_of_joints(before, s, theta);
  VectorXd most = of_joints.cwiseAbs(), impulses = VectorXd::Zero(n_islands);
  for (std::size_t k = 0; k < of.size(); ++k) {
    const int island = points_.island(of[k]);
    const Vector3d impulse = h_ * (points_.axes(of[k]).transpose() * points_.read(s, of[k]).force);
    const Vector3d u = points_.velocity(of[k]), du = change.segment<3>(3 * k);
    done[island] += impulse.dot(u - (1.0 - theta) * du);
    most[island] += impulse.norm() * (u.norm() + du.norm());
    impulses[island] += impulse.norm();
  }
  done += of_joints.cwiseMax(0.0);
  const VectorXd nothing = kNoWork * most + kRoundOffOfSpeeds * speed_scale(s) * impulses;
  return (impulses.array() > 0.0 && done.array() > nothing.array()).select(done, 0.0);
}

// Beyond a part of the kinetic energy, at the start or at the end of the step, and round-off.
VectorXd MoreauContacts::suspicious_gain(const State& s, double part) const {
  VectorXd gain = VectorXd::Zero(kinetic_before_.size());
  const VectorXd now = total_energies(system_, s), kinetic = kinetic_energies(system_, s);
  for (int i = 0; i < points_.size(); ++i) {
    const int k = points_.island(i);
    const double allowed = part * std::max(kinetic_before_[k], kinetic[k]) +
                           kRoundOffOfEnergies * (std::abs(now[k]) + std::abs(total_before_[k]));
    if (is_active_[i]) gain[k] = std::max(0.0, now[k] - total_before_[k] - allowed);
  }
  return gain;
}

bool MoreauContacts::gains(const State& s, const VectorXd& before) const {
  const VectorXd now = total_energies(system_, s);
  return ((now - before).array() > kRoundOffOfEnergies * (before.array().abs() + now.array().abs()))
      .any();
}

bool MoreauContacts::pay_for(State& s, const VectorXd& before) const {
  if (!gains(s, before)) return true;
  system_.update_accelerations();
  VectorXd driven_rates, accelerations;
  system_.compute_rates(s, driven_rates, accelerations);
  if (!driven_rates.isZero(0.0)) return true;
  const VectorXd given = total_energies(system_, s) - before;
  std::vector<std::vector<int>> closed(given.size());
  for (const int i : points_.closed(s)) {
    if (points_.moves(i)) return true;
    closed[points_.island(i)].push_back(i);
  }
  for (Eigen::Index k = 0; k < given.size(); ++k)
    if (given[k] > 0.0) take_from_held_up_bodies(system_, points_, closed[k], given[k], s);
  return !gains(s, before);
}

}  // namespace solidyn::integrators

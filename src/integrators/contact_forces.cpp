#include "integrators/contact_forces.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "integrators/contact_transitions.h"
#include "integrators/nodal_jumps.h"
#include "integrators/saddle_point_solve.h"

namespace solidyn::integrators {

using Eigen::Index;
using Eigen::Vector3d;
using Eigen::VectorXd;
using forces::SetValuedPoint;
using system::State;

namespace {

// Gaps are closed to this part of the mechanism's length, ...
constexpr double kClosed = 1e-15;
// What no longer falls below this part is round-off.
constexpr double kRoundOffOfGaps = 1e-12;
// Directions in which contacts move each other by less than this part do so not at all.
constexpr double kRankOfGaps = 1e-10;
// ... by so many steps of Newton's method at most, with the same directions while each leaves no
// more than this.
constexpr double kGoodClosing = 1e-3;
constexpr int kMaxClosings = 20;
// Of the velocities: a clutch that turns no faster is at rest.
constexpr double kNoRate = 1e-10;
// What closes gaps moves surfaces along each other, where levers are bad farther than the gaps are
// wide. Beyond this ratio, and this part of the length, it is the answer to gaps that cannot all be
// closed.
constexpr double kFarthest = 1e3, kFar = 1e-6;
// Of redundant points, whose gaps contradict each other by the squares of small angles, some
// combination moves by hardly more than round-off. Beyond this ratio such are left out, ...
constexpr double kFarther = 30.0;
// ... unless all of it moves by less than this part of the length, ...
constexpr double kHarmless = 1e-7;
// ... those of less than this part. What they leave no longer falls, ...
constexpr double kRankOfFewerGaps = 1e-5;
// ... by this part.
constexpr double kStillFalls = 0.5;
// Steps that differ by round-off: with the compliance of many points, which is dear, laws are met
// less exactly than that anyway.
constexpr double kSameStep = 1e-11;

// What a change of the forces does to x; of many by the whole matrix, since compliances are then
// those of the matrix without some of its entries, and residuals would converge slower.
void add_forces(const ContactCompliance& c, const ContactFactors& factors, const VectorXd& change,
                VectorXd& x) {
  if (change.isZero(0.0)) return;
  if (static_cast<int>(c.points.size()) <= kPointsWithOwnSolutions) {
    x += c.X * change;
    return;
  }
  VectorXd rhs = VectorXd::Zero(x.size()), more;
  rhs.head(c.W.rows()) = factors.row_scale * (c.W * change);
  factors.whole.solve(rhs, more);
  x += more;
}

}  // namespace

void ContactForces::follow(system::System& system, const State& s) {
  if (!points_.may_vary()) return;
  system.update(s);
  if (!points_.follow(s)) return;
  kept_ = {};
  note({}, {}, {});
}

void ContactForces::keep_compliance(const std::vector<int>& closed, const ContactFactors& factors,
                                    double by_increment, Index n_unknowns) {
  const double same = static_cast<int>(closed.size()) <= kPointsWithOwnSolutions ? 0.0 : kSameStep;
  if (kept_.factors == factors.number && kept_.compliance.points == closed &&
      std::abs(kept_.by_increment - by_increment) <= same * by_increment)
    return;
  kept_.compliance =
      contact_compliance(points_, closed, factors.for_points(closed.size()), factors.row_scale,
                         static_cast<int>(n_unknowns), by_increment);
  kept_.factors = factors.number;
  kept_.by_increment = by_increment;
}

void ContactForces::correct(State& s, const ContactFactors& factors, double by_increment,
                            VectorXd& x) {
  failure_.clear();
  change_of_forces_ = allowed_speed_ = 0.0;
  if (is_empty()) return;
  const std::vector<int> closed = points_.closed(s);
  last_points_ = closed;
  last_states_.clear();
  if (closed.empty()) return;
  const int n = static_cast<int>(closed.size());
  keep_compliance(closed, factors, by_increment, x.size());
  const ContactCompliance& c = kept_.compliance;
  VectorXd r(3 * n), u(3 * n), speeds(n);
  std::vector<Eigen::Matrix3d> axes(n);
  std::vector<bool> sticks(n);
  for (int k = 0; k < n; ++k) {
    const SetValuedPoint point = points_.read(s, closed[k]);
    axes[k] = points_.axes(closed[k]);
    r.segment<3>(3 * k) = axes[k].transpose() * point.force;
    u.segment<3>(3 * k) = points_.velocity(closed[k]);
    sticks[k] = point.sticks;
  }
  u += by_increment * (c.W.transpose() * x.head(c.W.rows()));
  for (int k = 0; k < n; ++k) speeds[k] = u.segment<2>(3 * k + 1).norm();
  VectorXd q = u - c.A * r;
  if (!demands.empty())
    for (int k = 0; k < n; ++k) {
      const Demand& demand = demands[closed[k]];
      q[3 * k] -= demand.rebound;
      q.segment<2>(3 * k + 1) += axes[k].rightCols<2>().transpose() * demand.reversed;
    }
  const ContactSolution solution =
      solve_contacts(points_, c, c.A, q, r, sticks, speeds, nullptr, unit);
  failure_ = solution.failure;
  last_states_ = solution.states;
  const VectorXd change = c.W * (solution.r - r);
  change_of_forces_ = factors.row_scale * change.norm();
  allowed_speed_ = solution.allowed;
  add_forces(c, factors, solution.r - r, x);
  for (int k = 0; k < n; ++k) {
    SetValuedPoint point = points_.read(s, closed[k]);
    point.force = axes[k] * solution.r.segment<3>(3 * k);
    points_.write(s, closed[k], point);
  }
}

void ContactForces::note(const std::vector<int>& points,
                         std::vector<solvers::friction::ContactState> states, std::string failure) {
  last_points_ = points;
  last_states_ = std::move(states);
  failure_ = std::move(failure);
}

bool ContactForces::note_sticking(State& s) const {
  bool any = false;
  for (std::size_t k = 0; k < last_states_.size(); ++k) {
    SetValuedPoint point = points_.read(s, last_points_[k]);
    const bool stuck = point.sticks;
    point.sticks = last_states_[k] == solvers::friction::ContactState::stick;
    // Nor does a contact slip that stands still: of redundant ones any may carry nothing.
    if (last_states_[k] == solvers::friction::ContactState::open && stuck)
      point.sticks = points_.sliding_speed(last_points_[k]) <=
                     std::max(kRests * points_.law(last_points_[k]).slow_speed,
                              kNoRate * s.v.lpNorm<Eigen::Infinity>());
    // A clutch at rest may carry nothing, where friction holds it.
    if (points_.law(last_points_[k]).kind == forces::SetValuedLaw::Kind::clutch)
      point.sticks = point.sticks || points_.sliding_speed(last_points_[k]) <=
                                         kNoRate * s.v.lpNorm<Eigen::Infinity>();
    if (point.sticks == stuck) continue;
    points_.write(s, last_points_[k], point);
    any = true;
  }
  return any;
}

std::vector<int> ContactForces::changed(const State& before) const {
  using solvers::friction::ContactState;
  std::vector<int> points;
  for (std::size_t k = 0; k < last_states_.size(); ++k) {
    const SetValuedPoint point = points_.read(before, last_points_[k]);
    const bool sticks = last_states_[k] == ContactState::stick,
               lets_go = last_states_[k] == ContactState::open;
    const bool other =
        lets_go || (sticks != point.sticks && points_.law(last_points_[k]).can_stick());
    if (!point.force.isZero(0.0) && other) points.push_back(last_points_[k]);
  }
  return points;
}

ContactForces::Closing ContactForces::find_closing(const std::vector<int>& points,
                                                   const ContactFactors& factors, int n_unknowns,
                                                   double rank) const {
  Closing closing;
  closing.compliance = contact_compliance(points_, points, factors.for_points(points.size()),
                                          factors.row_scale, n_unknowns);
  std::vector<Index> normals(points.size());
  for (std::size_t k = 0; k < points.size(); ++k) normals[k] = static_cast<Index>(3 * k);
  closing.normals = DirectionsOfContacts(closing.compliance.A, normals, rank);
  closing.factors = factors.number;
  return closing;
}

// In the metric of the iteration matrix, whose factors are there and which moves what is stiff
// least: n += x + X mu with x of the joints, which moves that are not small violate, and
// gap + W_N^T (x + X mu) = 0. Directions are kept while that gains enough.
bool ContactForces::close_gaps(system::System& system, const VectorXd& q_before, State& s,
                               const ContactFactors& factors, double length, VectorXd& n,
                               Joints joints, const std::vector<int>& met) {
  const int n_v = system.layout().n_velocities(), n_l = system.layout().n_constraints();
  double before = 0.0, first = 0.0, way = 0.0;
  bool has_moved = false, has_fewer = false;
  const VectorXd n_first = n;
  // Closed one after the other, two ends of a body would push each other in again.
  std::vector<bool> has_touched(points_.size(), false);
  for (const int i : met) has_touched[i] = true;
  for (int i = 0; i < kMaxClosings; ++i) {
    system.update(s);
    const Touching touching = find_touching(s, has_touched);
    const bool has_none =
        touching.points.empty() || (i == 0 && touching.largest <= kClosed * length);
    if (has_none && joints == Joints::beside_gaps) break;
    VectorXd phi, rhs = VectorXd::Zero(n_v + n_l), x;
    system.compute_constraints(s, phi);
    for (int k = 0; k < n_l; ++k)
      if (!system.layout().is_velocity_level()[k]) rhs[n_v + k] = -phi[k];
    const double violation =
        std::max(touching.largest, n_l > 0 ? rhs.tail(n_l).lpNorm<Eigen::Infinity>() : 0.0);
    const bool is_round_off = violation >= before && violation <= kRoundOffOfGaps * length;
    if (violation <= kClosed * length || (i > 0 && is_round_off)) break;
    if (has_fewer && violation > kStillFalls * before && violation <= kFar * length) break;
    if (i == 0) first = violation;
    if (closing_.compliance.points != touching.points || closing_.factors != factors.number ||
        (i > 0 && !(violation <= kGoodClosing * before)))
      closing_ = find_closing(touching.points, factors, n_v + n_l,
                              has_fewer ? kRankOfFewerGaps : kRankOfGaps);
    before = violation;
    factors.whole.solve(rhs, x);
    VectorXd step = x.head(n_v);
    if (!touching.points.empty()) {
      const auto farthest_of = [&](VectorXd& own) {
        const VectorXd moved = closing_.compliance.W.transpose() * own;
        const VectorXd left = touching.gaps + moved(closing_.normals.directions());
        own -= (closing_.compliance.X * closing_.normals.forces_for(left)).head(n_v);
        return VectorXd(closing_.compliance.W.transpose() * own).lpNorm<Eigen::Infinity>();
      };
      const VectorXd of_joints = step;
      double farthest = farthest_of(step);
      if (!has_fewer && !(farthest <= std::max(kFarther * violation, kHarmless * length))) {
        has_fewer = true;
        closing_ = find_closing(touching.points, factors, n_v + n_l, kRankOfFewerGaps);
        step = of_joints;
        farthest = farthest_of(step);
      }
      way += farthest;
      const bool is_far = !(farthest <= std::max(kFarthest * violation, kFar * length) &&
                            way <= std::max(kFarthest * first, kMaxClosings * kFar * length));
      // Small gaps that contradict each other do no harm.
      if (is_far && first <= kFar * length && s.nodal.empty() && joints == Joints::beside_gaps) {
        n = n_first;
        system.advance(q_before, n, s.q);
        system.update(s);
        return false;
      }
      if (is_far)
        throw base::ComputationError(fmt::format(
            "the gaps of {} closed contacts cannot all be closed: that would move surfaces by {:.2g} m, where the largest gap is {:.2g} m; bodies may be jammed\n  try a smaller `step`",
            touching.points.size(), farthest, touching.largest));
    }
    n += step;
    system.advance(q_before, n, s.q);
    follow_ports(system, step, &bodies::NodalState::u, s);
    has_moved = true;
  }
  if (has_moved) system.update(s);
  return has_moved;
}

// What presses, or penetrates, or has done so before.
ContactForces::Touching ContactForces::find_touching(const State& s,
                                                     std::vector<bool>& has_touched) const {
  Touching touching;
  std::vector<double> gaps;
  for (int k = 0; k < points_.size(); ++k) {
    // One that faces no longer share, as they turn, is nowhere.
    if (!points_.law(k).has_gap() || !points_.exists(k)) continue;
    const double gap = points_.gap(k);
    const SetValuedPoint point = points_.read(s, k);
    const bool presses = point.phase == SetValuedPoint::Phase::closed &&
                         points_.axes(k).col(0).dot(point.force) > 0.0;
    if (!(gap < 0.0) && !presses && !has_touched[k]) continue;
    has_touched[k] = true;
    touching.points.push_back(k);
    gaps.push_back(gap);
    touching.largest = std::max(touching.largest, std::abs(gap));
  }
  touching.gaps = Eigen::Map<const VectorXd>(gaps.data(), static_cast<Eigen::Index>(gaps.size()));
  return touching;
}

}  // namespace solidyn::integrators

#include "integrators/contact_forces.h"

#include <algorithm>
#include <cmath>

#include "integrators/contact_transitions.h"
#include "integrators/saddle_point_solve.h"

namespace solidyn::integrators {

using Eigen::Index;
using Eigen::Vector3d;
using Eigen::VectorXd;
using forces::SetValuedPoint;
using system::State;

namespace {

// Of the velocities: a clutch that turns no faster is at rest.
constexpr double kNoRate = 1e-10;
// Steps that differ by round-off: with the compliance of many points, which is dear, laws are met
// less exactly than that anyway.
constexpr double kSameStep = 1e-11;
// Up to so many points laws are met to round-off, and their compliance is soon made.
constexpr std::size_t kPointsWithMoments = 50;

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
  gap_closing_.forget_points();
  note({}, {}, {});
}

// Balls that roll turn from correction to correction, and points with moments have more directions
// than balls have motions: velocities along those of now would not be among those that forces along
// earlier ones can change, and no forces would meet the laws to round-off.
bool ContactForces::may_keep(const std::vector<int>& closed) const {
  return closed.size() > kPointsWithMoments ||
         std::none_of(closed.begin(), closed.end(), [&](int i) { return points_.is_moment(i); });
}

bool ContactForces::keep_compliance(const std::vector<int>& closed, const ContactFactors& factors,
                                    double by_increment, Index n_unknowns) {
  const double same = static_cast<int>(closed.size()) <= kPointsWithOwnSolutions ? 0.0 : kSameStep;
  if (kept_.factors == factors.number && kept_.compliance.points == closed && may_keep(closed) &&
      std::abs(kept_.by_increment - by_increment) <= same * by_increment)
    return false;
  kept_.compliance =
      contact_compliance(points_, closed, factors, static_cast<int>(n_unknowns), by_increment);
  kept_.factors = factors.number;
  kept_.by_increment = by_increment;
  return true;
}

// By the compliance that is kept. @param r  [3 n] those of `s`
ContactSolution ContactForces::solve(const State& s, double by_increment, const VectorXd& x,
                                     const VectorXd& r) const {
  const ContactCompliance& c = kept_.compliance;
  const int n = static_cast<int>(c.points.size());
  VectorXd u(3 * n), speeds(n);
  std::vector<bool> sticks(n);
  for (int k = 0; k < n; ++k) {
    u.segment<3>(3 * k) = points_.velocity(c.points[k]);
    sticks[k] = points_.read(s, c.points[k]).sticks;
  }
  u += by_increment * (c.W.transpose() * x.head(c.W.rows()));
  for (int k = 0; k < n; ++k) speeds[k] = u.segment<2>(3 * k + 1).norm();
  VectorXd q = u - c.A * r;
  for (int k = 0; k < n && !demands.empty(); ++k) {
    const Demand& demand = demands[c.points[k]];
    q[3 * k] -= demand.rebound;
    q.segment<2>(3 * k + 1) +=
        points_.axes(c.points[k]).rightCols<2>().transpose() * demand.reversed;
  }
  return solve_contacts(points_, c, c.A, q, r, sticks, speeds, nullptr, unit);
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
  const bool is_new = keep_compliance(closed, factors, by_increment, x.size());
  VectorXd r(3 * n);
  std::vector<Eigen::Matrix3d> axes(n);
  for (int k = 0; k < n; ++k) {
    axes[k] = points_.axes(closed[k]);
    r.segment<3>(3 * k) = axes[k].transpose() * points_.read(s, closed[k]).force;
  }
  ContactSolution solution = solve(s, by_increment, x, r);
  if (!solution.failure.empty() && !is_new) {
    renew_compliance();
    keep_compliance(closed, factors, by_increment, x.size());
    solution = solve(s, by_increment, x, r);
  }
  const ContactCompliance& c = kept_.compliance;
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

}  // namespace solidyn::integrators

#include "integrators/contact_forces.h"

#include <algorithm>

#include "integrators/saddle_point_solve.h"
#include "solidyn/math/dense.h"

namespace solidyn::integrators {

using Eigen::MatrixXd;
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
// ... by so many steps of Newton's method at most.
constexpr int kMaxClosings = 20;

}  // namespace

void ContactForces::correct(State& s, SaddlePointSolve& solve, double row_scale,
                            double by_increment, VectorXd& x) {
  if (is_empty()) return;
  const std::vector<int> closed = points_.closed(s);
  last_points_ = closed;
  last_states_.clear();
  if (closed.empty()) return;
  const int n = static_cast<int>(closed.size());
  const ContactCompliance c =
      contact_compliance(points_, closed, solve, row_scale, static_cast<int>(x.size()));
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
  const MatrixXd A = by_increment * c.A;
  u += by_increment * (c.W.transpose() * x.head(c.W.rows()));
  for (int k = 0; k < n; ++k) speeds[k] = u.segment<2>(3 * k + 1).norm();
  const ContactSolution solution = solve_contacts(points_, c, A, u - A * r, r, sticks, speeds);
  failure_ = solution.failure;
  last_states_ = solution.states;
  x += c.X * (solution.r - r);
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

void ContactForces::note_sticking(State& s) const {
  for (std::size_t k = 0; k < last_states_.size(); ++k) {
    SetValuedPoint point = points_.read(s, last_points_[k]);
    point.sticks = last_states_[k] == solvers::friction::ContactState::stick;
    points_.write(s, last_points_[k], point);
  }
}

// In the metric of the iteration matrix, whose factors are there and which moves what is stiff
// least: n += x + X mu with x of the joints, which moves that are not small violate, and
// gap + W_N^T (x + X mu) = 0.
bool ContactForces::close_gaps(system::System& system, const VectorXd& q_before, State& s,
                               SaddlePointSolve& solve, double row_scale, double length,
                               VectorXd& n) {
  const int n_v = system.layout().n_velocities(), n_l = system.layout().n_constraints();
  double before = 0.0;
  bool has_moved = false;
  // Closed one after the other, two ends of a body would push each other in again.
  std::vector<bool> has_touched(points_.size(), false);
  for (int i = 0; i < kMaxClosings; ++i) {
    system.update(s);
    const Touching touching = find_touching(s, has_touched);
    if (touching.points.empty() || (i == 0 && touching.largest <= kClosed * length)) break;
    VectorXd phi, rhs = VectorXd::Zero(n_v + n_l), x;
    system.compute_constraints(s, phi);
    for (int k = 0; k < n_l; ++k)
      if (!system.layout().is_velocity_level()[k]) rhs[n_v + k] = -phi[k];
    const double violation =
        std::max(touching.largest, n_l > 0 ? rhs.tail(n_l).lpNorm<Eigen::Infinity>() : 0.0);
    const bool is_round_off = violation >= before && violation <= kRoundOffOfGaps * length;
    if (violation <= kClosed * length || (i > 0 && is_round_off)) break;
    before = violation;
    const auto n_t = static_cast<Eigen::Index>(touching.points.size());
    const MatrixXd W = points_.directions(touching.points);
    solve.solve(rhs, x);
    VectorXd step = x.head(n_v);
    MatrixXd X(n_v, n_t), W_N(n_v, n_t);
    rhs.setZero();
    for (Eigen::Index k = 0; k < n_t; ++k) {
      W_N.col(k) = W.col(3 * k);
      rhs.head(n_v) = row_scale * W_N.col(k);
      solve.solve(rhs, x);
      X.col(k) = x.head(n_v);
    }
    const VectorXd left = touching.gaps + W_N.transpose() * step;
    step -= X * math::LeastSquares(W_N.transpose() * X, kRankOfGaps).solve(left);
    n += step;
    system.advance(q_before, n, s.q);
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

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
// Directions in which contacts move each other by less than this part do so not at all.
constexpr double kRankOfGaps = 1e-10;
// ... by so many steps of Newton's method at most.
constexpr int kMaxClosings = 8;

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

void ContactForces::note_sticking(State& s) const {
  for (std::size_t k = 0; k < last_states_.size(); ++k) {
    SetValuedPoint point = points_.read(s, last_points_[k]);
    point.sticks = last_states_[k] == solvers::friction::ContactState::stick;
    points_.write(s, last_points_[k], point);
  }
}

// In the metric of the iteration matrix, whose factors are there and which moves what is stiff
// least: n += X mu, gap + W_N^T X mu = 0.
bool ContactForces::close_gaps(system::System& system, const VectorXd& q_before, State& s,
                               SaddlePointSolve& solve, double row_scale, double length,
                               VectorXd& n) {
  bool has_moved = false;
  double before = 0.0;
  for (int i = 0; i < kMaxClosings; ++i) {
    system.update(s);
    std::vector<int> touching;
    std::vector<double> gaps;
    double largest = 0.0;
    for (int k = 0; k < points_.size(); ++k) {
      const double gap = points_.gap(k);
      const SetValuedPoint point = points_.read(s, k);
      const bool presses = point.phase == SetValuedPoint::Phase::closed &&
                           points_.axes(k).col(0).dot(point.force) > 0.0;
      if (!(gap < 0.0) && !presses) continue;
      touching.push_back(k);
      gaps.push_back(gap);
      largest = std::max(largest, std::abs(gap));
    }
    if (largest <= kClosed * length || (i > 0 && largest >= before)) break;
    before = largest;
    const int n_t = static_cast<int>(touching.size());
    const MatrixXd W = points_.directions(touching);
    MatrixXd X(system.layout().n_unknowns(), n_t), W_N(W.rows(), n_t);
    VectorXd rhs = VectorXd::Zero(X.rows()), x, gap(n_t);
    for (int k = 0; k < n_t; ++k) {
      W_N.col(k) = W.col(3 * k);
      rhs.head(W.rows()) = row_scale * W_N.col(k);
      solve.solve(rhs, x);
      X.col(k) = x;
      gap[k] = gaps[k];
    }
    const MatrixXd A = W_N.transpose() * X.topRows(W.rows());
    n -= X.topRows(W.rows()) * math::LeastSquares(A, kRankOfGaps).solve(gap);
    system.advance(q_before, n, s.q);
    has_moved = true;
  }
  if (has_moved) system.update(s);
  return has_moved;
}

}  // namespace solidyn::integrators

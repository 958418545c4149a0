// Forces of closed contacts in both states of a step.
#include "integrators/coupled_stages.h"

namespace solidyn::integrators {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using forces::SetValuedPoint;

// @pre System::update_accelerations() there
void CoupledStages::note_contacts_at_start() {
  const ContactPoints& points = end_.contacts().points();
  const auto n = static_cast<int>(closed_.size());
  W_before_ = MatrixXd(points.directions(closed_));
  bias_ = -W_before_.transpose() * before_->a;
  slip_speeds_.setZero(2 * n);
  sticks_.assign(2 * n, true);
  known_ = find_known_slips(points, *before_, closed_);
  known_.append_unknown(n);
  for (int i = 0; i < n; ++i) {
    bias_.segment<3>(3 * i) += points.acceleration(closed_[i]);
    sticks_[n + i] = points.read(*before_, closed_[i]).sticks;
  }
}

// @pre System::update() at state k
void CoupledStages::look_at_contacts(int k) {
  const ContactPoints& points = end_.contacts().points();
  W_[k] = MatrixXd(points.directions(closed_));
  axes_[k].clear();
  for (const int point : closed_) axes_[k].push_back(points.axes(point));
}

// The laws of all points at the start, with h times their accelerations, then of all at the end.
// @pre System::update() at the end
void CoupledStages::correct_contacts() {
  const ContactPoints& points = end_.contacts().points();
  const int n_v = system_.layout().n_velocities(), n = static_cast<int>(closed_.size());
  const double to_rates = 1.0 / h_;
  ContactCompliance c;
  c.points = closed_;
  c.points.insert(c.points.end(), closed_.begin(), closed_.end());
  MatrixXd W = MatrixXd::Zero(2 * n_v, 6 * n), X(rhs_.size(), 6 * n);
  W.leftCols(3 * n) << inverse_(0, 0) * W_before_, inverse_(0, 1) * W_before_;
  W.bottomRightCorner(n_v, 3 * n) = W_[1];
  VectorXd r(6 * n), u(6 * n), x;
  for (const int k : {0, 1})
    for (int i = 0; i < 3 * n; ++i) {
      VectorXd load = VectorXd::Zero(rhs_.size());
      load.segment(k * n_v, n_v) = h_ * h_ * W_[k].col(i);
      solve_->solve(load, x);
      X.col(3 * n * k + i) = x;
    }
  u.head(3 * n) = h_ * (bias_ + W_before_.transpose() * s_[0]->a);
  for (int i = 0; i < n; ++i) u.segment<3>(3 * (n + i)) = points.velocity(closed_[i]);
  u += to_rates * (W.transpose() * x_.head(2 * n_v));
  for (const int k : {0, 1})
    for (int i = 0; i < n; ++i)
      r.segment<3>(3 * (k * n + i)) =
          axes_[k][i].transpose() * points.read(*s_[k], closed_[i]).force;
  for (int i = n; i < 2 * n; ++i) slip_speeds_[i] = u.segment<2>(3 * i + 1).norm();
  c.A =
      solvers::friction::ContactBlocks::from_dense(to_rates * (W.transpose() * X.topRows(2 * n_v)));
  const ContactSolution solution =
      solve_contacts(points, c, c.A, u - c.A * r, r, sticks_, slip_speeds_, &known_);
  end_.contacts().note(closed_, {solution.states.begin() + n, solution.states.end()},
                       solution.failure);
  x_ += X * (solution.r - r);
  for (const int k : {0, 1})
    for (int i = 0; i < n; ++i) {
      SetValuedPoint point = points.read(*s_[k], closed_[i]);
      point.force = axes_[k][i] * solution.r.segment<3>(3 * (k * n + i));
      points.write(*s_[k], closed_[i], point);
    }
}

}  // namespace solidyn::integrators

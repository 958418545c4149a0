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
  W_before_ = points.dense_directions(closed_);
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

// @pre System::update() at state k   @param renews  whether compliances will be made anew
void CoupledStages::look_at_contacts(int k, bool renews) {
  const ContactPoints& points = end_.contacts().points();
  if (k == 1 || renews || !has_compliance()) W_[k] = points.dense_directions(closed_);
  axes_[k].clear();
  for (const int point : closed_) axes_[k].push_back(points.axes(point));
}

// Of h times the accelerations at the start and the velocities at the end, by the forces of both.
void CoupledStages::keep_compliance() {
  const int n_v = system_.layout().n_velocities(), n = static_cast<int>(closed_.size());
  kept_.compliance.points = closed_;
  kept_.compliance.points.insert(kept_.compliance.points.end(), closed_.begin(), closed_.end());
  kept_.X.resize(rhs_.size(), 6 * n);
  VectorXd x;
  for (const int k : {0, 1})
    for (int i = 0; i < 3 * n; ++i) {
      VectorXd load = VectorXd::Zero(rhs_.size());
      load.segment(k * n_v, n_v) = h_ * h_ * W_[k].col(i);
      solve_->solve(load, x);
      kept_.X.col(3 * n * k + i) = x;
    }
  const MatrixXd of_first = kept_.X.topRows(n_v), of_last = kept_.X.middleRows(n_v, n_v);
  MatrixXd A(6 * n, 6 * n);
  A.topRows(3 * n) = W_before_.transpose() * (inverse_(0, 0) * of_first + inverse_(0, 1) * of_last);
  A.bottomRows(3 * n) = W_[1].transpose() * of_last;
  kept_.compliance.A = solvers::friction::ContactBlocks::from_dense(A / h_);
  kept_.closed = closed_;
  kept_.tangent = statistics_.tangents;
}

// The laws of all points at the start, with h times their accelerations, then of all at the end.
// @pre System::update() at the end
void CoupledStages::correct_contacts() {
  const ContactPoints& points = end_.contacts().points();
  const int n_v = system_.layout().n_velocities(), n = static_cast<int>(closed_.size());
  if (!has_compliance()) keep_compliance();
  const ContactCompliance& c = kept_.compliance;
  const auto first = x_.head(n_v), last = x_.segment(n_v, n_v);
  VectorXd r(6 * n), u(6 * n);
  u.head(3 * n) = h_ * bias_;
  u.head(3 * n) += W_before_.transpose() *
                   (h_ * s_[0]->a + (inverse_(0, 0) * first + inverse_(0, 1) * last) / h_);
  for (int i = 0; i < n; ++i) u.segment<3>(3 * (n + i)) = points.velocity(closed_[i]);
  u.tail(3 * n) += W_[1].transpose() * (last / h_);
  for (const int k : {0, 1})
    for (int i = 0; i < n; ++i)
      r.segment<3>(3 * (k * n + i)) =
          axes_[k][i].transpose() * points.read(*s_[k], closed_[i]).force;
  for (int i = n; i < 2 * n; ++i) slip_speeds_[i] = u.segment<2>(3 * i + 1).norm();
  const ContactSolution solution =
      solve_contacts(points, c, c.A, u - c.A * r, r, sticks_, slip_speeds_, &known_);
  end_.contacts().note(closed_, {solution.states.begin() + n, solution.states.end()},
                       solution.failure);
  x_ += kept_.X * (solution.r - r);
  for (const int k : {0, 1})
    for (int i = 0; i < n; ++i) {
      SetValuedPoint point = points.read(*s_[k], closed_[i]);
      point.force = axes_[k][i] * solution.r.segment<3>(3 * (k * n + i));
      points.write(*s_[k], closed_[i], point);
    }
}

}  // namespace solidyn::integrators

// Forces of closed contacts in both states of a step.
#include "integrators/coupled_stages.h"

namespace solidyn::integrators {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using forces::SetValuedPoint;
using Law = forces::SetValuedLaw::Kind;

// @pre System::update_accelerations() there
void CoupledStages::note_contacts_at_start() {
  const ContactPoints& points = end_.contacts().points();
  const auto n = static_cast<int>(closed_.size());
  W_before_ = MatrixXd(points.directions(closed_));
  bias_ = -W_before_.transpose() * before_->a;
  to_forces_.assign(2 * n, Matrix3d::Identity());
  given_.setZero(6 * n);
  slip_speeds_.setZero(2 * n);
  sticks_.assign(2 * n, true);
  slips_.assign(2 * n, false);
  for (int i = 0; i < n; ++i) {
    bias_.segment<3>(3 * i) += points.acceleration(closed_[i]);
    const forces::SetValuedLaw& law = points.law(closed_[i]);
    const Vector3d velocity = points.velocity(closed_[i]);
    const Vector2d slip = velocity.tail<2>();
    sticks_[n + i] = points.read(*before_, closed_[i]).sticks;
    const bool moves = law.kind == Law::clutch ? velocity[0] > 0.0 : slip.norm() > 0.0;
    slips_[i] = law.can_stick() && !sticks_[n + i] && moves;
    if (!slips_[i]) continue;
    if (!law.has_gap()) to_forces_[i].setZero();
    if (law.kind == Law::friction)
      given_.segment<2>(3 * i + 1) =
          -law.sliding_coefficient(slip.norm()) * law.pressing_force * slip.normalized();
    if (law.kind != Law::contact) continue;
    to_forces_[i] << 1.0, 0.0, 0.0, -law.sliding_coefficient(slip.norm()) * slip.normalized(),
        Eigen::Matrix2d::Zero();
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
  VectorXd guess = r;
  for (int i = 0; i < n; ++i)
    if (slips_[i]) guess.segment<2>(3 * i + 1).setZero();
  const ContactSolution solution =
      solve_contacts(points, c, c.A.times(to_forces_), u - c.A * (r - given_), guess, sticks_,
                     slip_speeds_, &slips_);
  end_.contacts().note(closed_, {solution.states.begin() + n, solution.states.end()},
                       solution.failure);
  VectorXd forces = given_;
  for (int i = 0; i < 2 * n; ++i)
    forces.segment<3>(3 * i) += to_forces_[i] * solution.r.segment<3>(3 * i);
  x_ += X * (forces - r);
  for (const int k : {0, 1})
    for (int i = 0; i < n; ++i) {
      SetValuedPoint point = points.read(*s_[k], closed_[i]);
      point.force = axes_[k][i] * forces.segment<3>(3 * (k * n + i));
      points.write(*s_[k], closed_[i], point);
    }
}

}  // namespace solidyn::integrators

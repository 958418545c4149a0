#include "solidyn/forces/pressure_load.h"

#include "solidyn/base/error.h"
#include "solidyn/math/rotation.h"

namespace solidyn::forces {

using bodies::BodyState;
using bodies::Kinematics;
using Eigen::MatrixXd;
using Eigen::VectorXd;

PressureLoad::PressureLoad(std::string name, bodies::BodyIndex body, reduction::LoadRows load,
                           math::TimeFunction pressure)
    : Force(std::move(name), {body}), load_(std::move(load)), pressure_(std::move(pressure)) {
  SOLIDYN_ASSERT(load_.rows.rows() == 4);
}

// d(torque)/dq: rows_0..2 + Y_0..2 q. [3 x n]
MatrixXd PressureLoad::torque_rows(const VectorXd& q) const {
  MatrixXd rows = load_.rows.topRows<3>();
  if (load_.Y.rows() > 0)
    for (int axis = 0; axis < 3; ++axis)
      rows.row(axis) += q.transpose() * load_.Y.middleRows(axis * q.size(), q.size());
  return rows;
}

VectorXd PressureLoad::generalized_force(const BodyState& body, double t) const {
  const VectorXd q = body.q_e;
  VectorXd Q(6 + q.size());
  Q.head<3>() = body.R_WB * load_.force;
  // A form of second order is half of its derivative times q.
  Q.segment<3>(3) = load_.moment + 0.5 * (load_.rows.topRows<3>() + torque_rows(q)) * q;
  Q.tail(q.size()) = load_.rows.row(3).transpose();
  if (load_.Y.rows() > 0) Q.tail(q.size()) += load_.Y.bottomRows(q.size()) * q;
  return pressure_.value(t) * load_.amount * Q;
}

void PressureLoad::add_residual(const Kinematics& k, double t, Eigen::Ref<VectorXd> r) const {
  r -= generalized_force(k.bodies[bodies()[0]], t);
}

void PressureLoad::add_tangent(const Kinematics& k, double t, const bodies::TangentCoefficients& c,
                               Eigen::Ref<MatrixXd>, Eigen::Ref<MatrixXd> J_q) const {
  if (c.stiffness == 0.0) return;
  const BodyState& body = k.bodies[bodies()[0]];
  const VectorXd q = body.q_e;
  const double scale = c.stiffness * pressure_.value(t) * load_.amount;
  J_q.block<3, 3>(0, 3) += scale * body.R_WB * math::skew(load_.force);  // d(R F) = R (dtheta x F)
  J_q.block(3, 6, 3, q.size()) -= scale * torque_rows(q);
  if (load_.Y.rows() > 0)
    J_q.bottomRightCorner(q.size(), q.size()) -= scale * load_.Y.bottomRows(q.size());
}

double PressureLoad::power(const Kinematics& k, double t) const {
  const BodyState& body = k.bodies[bodies()[0]];
  return generalized_force(body, t).dot(body.v);
}

}  // namespace solidyn::forces

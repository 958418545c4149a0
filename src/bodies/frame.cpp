#include "solidyn/bodies/frame.h"

#include "solidyn/math/rotation.h"

namespace solidyn::bodies {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::skew;

Vector3d deformed_position(const Frame& frame, const BodyState& carrier) {
  if (frame.Psi_t.cols() == 0) return frame.x_B;
  return frame.x_B + frame.Psi_t.lazyProduct(carrier.q_e);
}

}  // namespace

void compute_frame_motion(const Frame& frame, const BodyState& carrier, FrameMotion& m) {
  if (frame.body < 0) {
    m.p = frame.x_B;
    m.R = frame.R_BF;
    m.J.resize(6, 0);
    return;
  }
  const Matrix3d& R = carrier.R_WB;
  const Vector3d b = deformed_position(frame, carrier);
  const Eigen::Index n = carrier.v.size();
  if (m.J.cols() != n) m.J.setZero(6, n);
  if (carrier.n_rigid() == 0) {
    m.p = b;
    m.R = frame.R_BF;
    m.J.topRows<3>() = frame.Psi_t;
    m.v = frame.Psi_t.lazyProduct(carrier.v);
    return;
  }
  m.p = carrier.p_WB + R * b;
  m.J.topLeftCorner<3, 3>().setIdentity();
  m.J.block<3, 3>(0, 3).noalias() = -R * skew(b);
  if (frame.Psi_t.cols() > 0) m.J.block(0, 6, 3, n - 6) = R.lazyProduct(frame.Psi_t);
  if (frame.Psi_r.cols() > 0) {
    const Vector3d theta = frame.Psi_r.lazyProduct(carrier.q_e);
    const Matrix3d E = math::exp_rotation(theta);
    m.R.noalias() = R * E * frame.R_BF;
    m.J.block<3, 3>(3, 3).noalias() = frame.R_BF.transpose() * E.transpose();
    const Matrix3d RT = frame.R_BF.transpose() * math::right_tangent(theta);
    m.J.block(3, 6, 3, n - 6) = RT.lazyProduct(frame.Psi_r);
  } else {
    m.R.noalias() = R * frame.R_BF;
    m.J.block<3, 3>(3, 3) = frame.R_BF.transpose();
  }
  const Eigen::Matrix<double, 6, 1> twist = m.J.lazyProduct(carrier.v);
  m.v = twist.head<3>();
  m.w = twist.tail<3>();
}

void compute_frame_acceleration(const Frame& frame, const BodyState& carrier, FrameMotion& m) {
  if (frame.body < 0) return;
  if (carrier.n_rigid() == 0) {
    m.acceleration.head<3>() = frame.Psi_t.lazyProduct(carrier.a);
    return;
  }
  const Vector3d b = deformed_position(frame, carrier);
  const Vector3d w = carrier.w_WB_B();
  Vector3d linear = w.cross(w.cross(b)), angular = Vector3d::Zero();
  if (frame.Psi_t.cols() > 0) {
    const Vector3d db = frame.Psi_t.lazyProduct(carrier.dq_e());
    linear += 2.0 * w.cross(db);
  }
  if (frame.Psi_r.cols() > 0) {
    const Vector3d theta = frame.Psi_r.lazyProduct(carrier.q_e);
    const Vector3d dtheta = frame.Psi_r.lazyProduct(carrier.dq_e());
    const Vector3d spin = math::right_tangent(theta) * dtheta;
    const Vector3d w_E = math::exp_rotation(theta).transpose() * w;
    // d/dt(E^T) w = -spin x (E^T w), and the rate of the tangent map itself.
    angular = -spin.cross(w_E) + math::right_tangent_derivative(theta, dtheta) * dtheta;
  }
  m.bias.head<3>().noalias() = carrier.R_WB * linear;
  m.bias.tail<3>().noalias() = frame.R_BF.transpose() * angular;
  m.acceleration = m.bias;
  m.acceleration += m.J.lazyProduct(carrier.a);
}

void add_frame_geometric_stiffness(const Frame& frame, const BodyState& carrier,
                                   const Eigen::Matrix<double, 6, 1>& wrench,
                                   Eigen::Ref<Eigen::MatrixXd> K) {
  if (frame.body < 0 || carrier.n_rigid() == 0) return;
  const Eigen::Index n_e = carrier.q_e.size();
  const Vector3d b = deformed_position(frame, carrier);
  const Vector3d force_B = carrier.R_WB.transpose() * wrench.head<3>();
  const Matrix3d F = skew(force_B);
  K.block<3, 3>(3, 3) += skew(b) * F;
  if (frame.Psi_t.cols() > 0) {
    const Eigen::Matrix3Xd FPsi = F * frame.Psi_t;
    K.block(3, 6, 3, n_e) -= FPsi;
    K.block(6, 3, n_e, 3) -= FPsi.transpose();  // F^T = -F
  }
  if (frame.Psi_r.cols() > 0) {
    const Vector3d theta = frame.Psi_r.lazyProduct(carrier.q_e);
    const Vector3d torque = frame.R_BF * wrench.tail<3>();
    const Matrix3d E = math::exp_rotation(theta), T = math::right_tangent(theta);
    K.block(3, 6, 3, n_e) -= (E * skew(torque) * T) * frame.Psi_r;
    K.block(6, 6, n_e, n_e) += frame.Psi_r.transpose() *
                               math::right_tangent_transpose_derivative(theta, torque) *
                               frame.Psi_r;
  }
}

}  // namespace solidyn::bodies

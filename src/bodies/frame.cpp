#include "solidyn/bodies/frame.h"

#include "bodies/quadratic.h"
#include "math/exponential_map.h"
#include "solidyn/bodies/frame_in_body.h"
#include "solidyn/math/rotation.h"

namespace solidyn::bodies {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::skew;

// Fewer ports than these are not worth being looked through, nor more than a part of them.
constexpr Eigen::Index kMany = 48, kPart = 4;

// d = Psi q over the columns of `moving` that are ports, and its rate likewise.
Vector3d sum_of_few(const Frame& frame, const std::vector<int>& moving, Eigen::Index n_rigid,
                    const double* q) {
  Vector3d sum = Vector3d::Zero();
  for (auto column = moving.begin() + n_rigid; column != moving.end(); ++column)
    sum += frame.Psi_t.col(*column - n_rigid) * q[*column - n_rigid];
  return sum;
}

// The motion of a point that few ports move; other columns of J stay zero.
void compute_motion_by_few(const Frame& frame, const std::vector<int>& moving,
                           const BodyState& carrier, FrameMotion& m) {
  const Eigen::Index n_rigid = carrier.n_rigid();
  const Matrix3d& R = carrier.R_WB;
  const Vector3d b = frame.x_B + sum_of_few(frame, moving, n_rigid, carrier.q_e.data());
  const Vector3d rate = sum_of_few(frame, moving, n_rigid, carrier.v.data() + n_rigid);
  if (n_rigid == 0) {
    m.p = b;
    m.R = frame.R_BF;
    m.v = rate;
    for (const int column : moving) m.J.col(column).head<3>() = frame.Psi_t.col(column);
    return;
  }
  m.p = carrier.p_WB + R * b;
  m.R.noalias() = R * frame.R_BF;
  m.J.topLeftCorner<3, 3>().setIdentity();
  m.J.block<3, 3>(0, 3).noalias() = -R * skew(b);
  m.J.block<3, 3>(3, 3) = frame.R_BF.transpose();
  for (auto column = moving.begin() + n_rigid; column != moving.end(); ++column)
    m.J.col(*column).head<3>() = R * frame.Psi_t.col(*column - n_rigid);
  m.v = m.J.topLeftCorner<3, 6>() * carrier.v.head<6>() + R * rate;
  m.w = frame.R_BF.transpose() * carrier.v.segment<3>(3);
}

// Of a rigid body, whose J has a size that is known beforehand.
void compute_motion_on_rigid(const Frame& frame, const BodyState& carrier, FrameMotion& m) {
  const Matrix3d& R = carrier.R_WB;
  Eigen::Map<Eigen::Matrix<double, 6, 6>> J(m.J.data());
  m.p = carrier.p_WB + R * frame.x_B;
  m.R.noalias() = R * frame.R_BF;
  J.setZero();
  J.topLeftCorner<3, 3>().setIdentity();
  J.topRightCorner<3, 3>().noalias() = -R * skew(frame.x_B);
  J.bottomRightCorner<3, 3>() = frame.R_BF.transpose();
  const Vector3d w = carrier.v.segment<3>(3);
  m.v = carrier.v.head<3>() + R * w.cross(frame.x_B);
  m.w.noalias() = frame.R_BF.transpose() * w;
}

}  // namespace

std::vector<int> moving_velocities(const Frame& frame, Eigen::Index n_velocities) {
  const Eigen::Index n_ports = frame.Psi_t.cols(), n_rigid = n_velocities - n_ports;
  if (n_ports < kMany || frame.Psi_r.cols() > 0 || frame.Y_t.rows() > 0) return {};
  std::vector<int> moving;
  for (Eigen::Index i = 0; i < n_rigid; ++i) moving.push_back(static_cast<int>(i));
  for (Eigen::Index i = 0; i < n_ports; ++i) {
    const double* psi = frame.Psi_t.data() + 3 * i;
    if (psi[0] != 0.0 || psi[1] != 0.0 || psi[2] != 0.0)
      moving.push_back(static_cast<int>(n_rigid + i));
  }
  if (kPart * static_cast<Eigen::Index>(moving.size()) > n_velocities) moving.clear();
  return moving;
}

void move_origin(Frame& frame, const Vector3d& arm) {
  frame.x_B += arm;
  if (frame.Psi_r.cols() == 0) return;
  frame.Psi_t -= skew(arm) * frame.Psi_r;
  if (frame.Y_t.rows() == 0) return;
  // (exp(theta) - 1) arm = theta x arm + 1/2 theta x (theta x arm), and theta x (theta x arm) =
  // theta (theta . arm) - arm |theta|^2.
  const Eigen::Index n = frame.Psi_r.cols();
  const VectorXd along = frame.Psi_r.transpose() * arm;
  const MatrixXd squares = frame.Psi_r.transpose() * frame.Psi_r;
  const MatrixXd Y_r = frame.Y_r;
  for (int a = 0; a < 3; ++a) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    auto Y = frame.Y_t.middleRows(a * n, n);
    Y += arm[c] * Y_r.middleRows(b * n, n) - arm[b] * Y_r.middleRows(c * n, n);
    const MatrixXd mixed = frame.Psi_r.row(a).transpose() * along.transpose();
    Y += 0.5 * (mixed + mixed.transpose()) - arm[a] * squares;
  }
}

void compute_frame_motion(const Frame& frame, const BodyState& carrier, FrameMotion& m) {
  if (frame.body == bodies::kGround) {
    m.p = frame.x_B;
    m.R = frame.R_BF;
    m.J.resize(6, 0);
    return;
  }
  const Matrix3d& R = carrier.R_WB;
  const Eigen::Index n = carrier.v.size();
  if (m.J.cols() != n) m.J.setZero(6, n);
  const bool is_rigid = n == 6 && carrier.n_rigid() == 6 && frame.Psi_t.cols() == 0;
  if (is_rigid) return compute_motion_on_rigid(frame, carrier, m);
  if (const std::vector<int> moving = moving_velocities(frame, n); !moving.empty())
    return compute_motion_by_few(frame, moving, carrier, m);
  const Quadratic d(frame.Psi_t, frame.Y_t, carrier);
  const Vector3d b = frame.x_B + d.value();
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
  // Three rows at compile time: blocks of any size took most of a step of vehicles with many modes.
  if (!d.is_empty()) m.J.rightCols(n - 6).topRows<3>() = R.lazyProduct(d.rows());
  if (frame.Psi_r.cols() > 0) {
    const Quadratic turn(frame.Psi_r, frame.Y_r, carrier);
    const math::ExponentialMap map(turn.value());
    const Matrix3d E = map.rotation();
    m.R.noalias() = R * E * frame.R_BF;
    m.J.block<3, 3>(3, 3).noalias() = frame.R_BF.transpose() * E.transpose();
    const Matrix3d RT = frame.R_BF.transpose() * map.right_tangent();
    m.J.rightCols(n - 6).bottomRows<3>() = RT.lazyProduct(turn.rows());
  } else {
    m.R.noalias() = R * frame.R_BF;
    m.J.block<3, 3>(3, 3) = frame.R_BF.transpose();
  }
  Eigen::Matrix<double, 6, 1> twist = m.J.leftCols<6>() * carrier.v.head<6>();
  for (Eigen::Index i = 6; i < n; ++i) twist += carrier.v[i] * m.J.col(i);
  m.v = twist.head<3>();
  m.w = twist.tail<3>();
}

void compute_frame_acceleration(const Frame& frame, const BodyState& carrier, FrameMotion& m) {
  if (frame.body == bodies::kGround) return;
  if (carrier.n_rigid() == 0) {
    m.acceleration.head<3>() = frame.Psi_t.lazyProduct(carrier.a);
    return;
  }
  const Quadratic d(frame.Psi_t, frame.Y_t, carrier);
  const Vector3d w = carrier.w_WB_B();
  Vector3d linear = w.cross(w.cross(frame.x_B + d.value())), angular = Vector3d::Zero();
  if (!d.is_empty()) linear += 2.0 * w.cross(d.rate(carrier)) + d.curvature(carrier);
  if (frame.Psi_r.cols() > 0) {
    const Quadratic turn(frame.Psi_r, frame.Y_r, carrier);
    const math::ExponentialMap map(turn.value());
    const Vector3d dtheta = turn.rate(carrier);
    const Matrix3d T = map.right_tangent();
    const Vector3d spin = T * dtheta;
    const Vector3d w_E = map.rotation().transpose() * w;
    // d/dt(E^T) w = -spin x (E^T w), and the rate of the tangent map itself.
    angular = -spin.cross(w_E) + map.rate_of_tangent(dtheta) + T * turn.curvature(carrier);
  }
  m.bias.head<3>().noalias() = carrier.R_WB * linear;
  m.bias.tail<3>().noalias() = frame.R_BF.transpose() * angular;
  m.acceleration = m.bias;
  m.acceleration += m.J.lazyProduct(carrier.a);
}

DeformationRates compute_frame_in_body(const Frame& frame, const BodyState& carrier,
                                       FrameMotion& m) {
  DeformationRates rates;
  const Eigen::Index n_e = carrier.q_e.size();
  if (m.J.cols() != 6 + n_e) m.J.setZero(6, 6 + n_e);
  const Quadratic d(frame.Psi_t, frame.Y_t, carrier);
  m.p = frame.x_B + d.value();
  if (!d.is_empty()) {
    m.J.topRightCorner(3, n_e) = d.rows();
    rates.velocity = d.rate(carrier);
    rates.acceleration = d.curvature(carrier);
  }
  if (frame.Psi_r.cols() == 0) {
    m.R = frame.R_BF;
    return rates;
  }
  const Quadratic turn(frame.Psi_r, frame.Y_r, carrier);
  const math::ExponentialMap map(turn.value());
  const Vector3d dtheta = turn.rate(carrier);
  const Matrix3d RT = frame.R_BF.transpose() * map.right_tangent();
  m.R.noalias() = map.rotation() * frame.R_BF;
  m.J.bottomRightCorner(3, n_e) = RT.lazyProduct(turn.rows());
  rates.spin = RT * dtheta;
  rates.turning =
      frame.R_BF.transpose() * map.rate_of_tangent(dtheta) + RT * turn.curvature(carrier);
  return rates;
}

void set_bias_in_body(const DeformationRates& rates, const Vector3d& w, FrameMotion& m) {
  m.bias.head<3>() = w.cross(w.cross(m.p) + 2.0 * rates.velocity) + rates.acceleration;
  const Vector3d w_F = m.R.transpose() * w;
  m.bias.tail<3>() = rates.turning - rates.spin.cross(w_F);
}

Eigen::Matrix<double, 6, Eigen::Dynamic> frame_rate_stiffness(const Frame& frame,
                                                              const BodyState& carrier) {
  const Eigen::Index n = carrier.v.size(), n_e = carrier.q_e.size();
  Eigen::Matrix<double, 6, Eigen::Dynamic> D(6, n);
  D.setZero();
  if (frame.body == bodies::kGround || carrier.n_rigid() == 0) return D;
  const Vector3d w = carrier.w_WB_B();
  const Quadratic d(frame.Psi_t, frame.Y_t, carrier);
  Vector3d relative = w.cross(frame.x_B + d.value());
  if (!d.is_empty()) {
    relative += d.rate(carrier);
    D.topRightCorner(3, n_e) = carrier.R_WB * (skew(w) * d.rows() + d.rows_by(carrier.dq_e()));
  }
  D.block<3, 3>(0, 3) = -carrier.R_WB * skew(relative);
  if (frame.Psi_r.cols() > 0) {
    const Quadratic turn(frame.Psi_r, frame.Y_r, carrier);
    const Vector3d& theta = turn.value();
    const Matrix3d T = math::right_tangent(theta);
    const Vector3d w_E = math::exp_rotation(theta).transpose() * w;
    D.bottomRightCorner(3, n_e) =
        frame.R_BF.transpose() *
        ((skew(w_E) * T + math::right_tangent_derivative(theta, turn.rate(carrier))) * turn.rows() +
         T * turn.rows_by(carrier.dq_e()));
  }
  return D;
}

void add_frame_geometric_stiffness(const Frame& frame, const BodyState& carrier,
                                   const Eigen::Matrix<double, 6, 1>& wrench,
                                   Eigen::Ref<MatrixXd> K) {
  if (frame.body == bodies::kGround || carrier.n_rigid() == 0) return;
  const Eigen::Index n_e = carrier.q_e.size();
  const Vector3d force_B = carrier.R_WB.transpose() * wrench.head<3>();
  const Matrix3d F = skew(force_B);
  if (K.rows() != carrier.v.size()) {
    const std::vector<int> moving = moving_velocities(frame, carrier.v.size());
    K.block<3, 3>(3, 3) +=
        skew(frame.x_B + sum_of_few(frame, moving, carrier.n_rigid(), carrier.q_e.data())) * F;
    for (Eigen::Index i = 6; i < K.cols(); ++i) {
      const Vector3d FPsi = F * frame.Psi_t.col(moving[i] - 6);
      K.block<3, 1>(3, i) -= FPsi;
      K.block<1, 3>(i, 3) -= FPsi.transpose();
    }
    return;
  }
  const Quadratic d(frame.Psi_t, frame.Y_t, carrier);
  const Vector3d b = frame.x_B + d.value();
  K.block<3, 3>(3, 3) += skew(b) * F;
  if (!d.is_empty()) {
    const Matrix3Xd FPsi = F * d.rows();
    K.block(3, 6, 3, n_e) -= FPsi;
    K.block(6, 3, n_e, 3) -= FPsi.transpose();  // F^T = -F
    d.add_stiffness(force_B, K.block(6, 6, n_e, n_e));
  }
  if (frame.Psi_r.cols() > 0) {
    const Quadratic turn(frame.Psi_r, frame.Y_r, carrier);
    const Vector3d& theta = turn.value();
    const Vector3d torque = frame.R_BF * wrench.tail<3>();
    const Matrix3d E = math::exp_rotation(theta), T = math::right_tangent(theta);
    K.block(3, 6, 3, n_e) -= (E * skew(torque) * T) * turn.rows();
    K.block(6, 6, n_e, n_e) += turn.rows().transpose() *
                               math::right_tangent_transpose_derivative(theta, torque) *
                               turn.rows();
    turn.add_stiffness(T.transpose() * torque, K.block(6, 6, n_e, n_e));
  }
}

}  // namespace solidyn::bodies

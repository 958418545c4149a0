#include "solidyn/forces/frame_load.h"

#include "solidyn/math/rotation.h"

namespace solidyn::forces {
namespace {

using bodies::FrameMotion;
using bodies::Kinematics;
using Eigen::Vector3d;
using Vector6 = Eigen::Matrix<double, 6, 1>;

}  // namespace

Vector3d value(const VectorFunction& components, double t) {
  return {components[0].value(t), components[1].value(t), components[2].value(t)};
}

Vector6 FrameLoad::in_carrier_axes(const FrameMotion& motion, Vector6 f) const {
  if (axes_ == Axes::frame)
    f.head<3>() = (motion.R * f.head<3>()).eval();
  else
    f.tail<3>() = (motion.R.transpose() * f.tail<3>()).eval();
  return f;
}

Vector6 FrameLoad::wrench(const FrameMotion& motion, double t) const {
  Vector6 f;
  f << value(force_, t), value(torque_, t);
  return in_carrier_axes(motion, amount_ * f);
}

Eigen::VectorXd FrameLoad::unit_load(const Kinematics& k, int component) const {
  const FrameMotion& motion = k.frames[frame_];
  return motion.J.transpose() * in_carrier_axes(motion, amount_ * Vector6::Unit(component));
}

void FrameLoad::add_residual(const Kinematics& k, double t, Eigen::Ref<Eigen::VectorXd> r) const {
  const FrameMotion& motion = k.frames[frame_];
  r.noalias() -= motion.J.transpose() * wrench(motion, t);
}

void FrameLoad::add_tangent(const Kinematics& k, double t, const bodies::TangentCoefficients& c,
                            Eigen::Ref<Eigen::MatrixXd>, Eigen::Ref<Eigen::MatrixXd> J_q) const {
  if (c.stiffness == 0.0) return;
  const FrameMotion& motion = k.frames[frame_];
  const bodies::Frame& frame = k.frame_definitions[frame_];
  const Vector6 f = -c.stiffness * wrench(motion, t);
  bodies::add_frame_geometric_stiffness(frame, k.bodies[frame.body], f, J_q);
  const auto J_t = motion.J.topRows<3>(), J_r = motion.J.bottomRows<3>();
  if (axes_ == Axes::frame)  // d(R f) = R (dtheta x f)
    J_q.noalias() -= J_t.transpose() * math::skew(f.head<3>()) * motion.R * J_r;
  else  // d(R^T torque) = (R^T torque) x dtheta
    J_q.noalias() += J_r.transpose() * math::skew(f.tail<3>()) * J_r;
}

double FrameLoad::power(const Kinematics& k, double t) const {
  const FrameMotion& motion = k.frames[frame_];
  Vector6 twist;
  twist << motion.v, motion.w;
  return twist.dot(wrench(motion, t));
}

}  // namespace solidyn::forces

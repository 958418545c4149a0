#include "solidyn/forces/drag.h"

namespace solidyn::forces {

using bodies::FramePair;
using bodies::Matrix12;
using bodies::Vector12;
using Eigen::Matrix3d;
using Eigen::Vector3d;

Vector12 Drag::wrench(const FramePair& f, double t) const {
  const Vector3d v = f.B.v - value(o_.medium, t);
  Vector12 w = Vector12::Zero();
  w.segment<3>(6) = -(o_.viscous + o_.quadratic * v.norm()) * v;
  w.tail<3>() = -o_.rotational * f.B.w;
  return w;
}

void Drag::add_derivatives(const FramePair& f, double t, Matrix12&, Matrix12& by_twist) const {
  const Vector3d v = f.B.v - value(o_.medium, t);
  const double speed = v.norm();
  Matrix3d by_v = (o_.viscous + o_.quadratic * speed) * Matrix3d::Identity();
  if (speed > 0.0) by_v += o_.quadratic / speed * v * v.transpose();
  by_twist.block<3, 3>(6, 6) -= by_v;
  by_twist.block<3, 3>(9, 9) -= o_.rotational * Matrix3d::Identity();
}

}  // namespace solidyn::forces

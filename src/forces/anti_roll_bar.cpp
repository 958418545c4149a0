#include "solidyn/forces/anti_roll_bar.h"

#include "solidyn/base/error.h"
#include "solidyn/math/rotation.h"

namespace solidyn::forces {
namespace {

using bodies::FramePair;
using bodies::Matrix12;
using bodies::Row12;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::skew;

using Matrix3x12 = Eigen::Matrix<double, 3, 12>;

struct Span {
  double length;
  Vector3d u;        // its direction, in W
  Matrix3x12 moved;  // d(d)/d(variation)
};

Span span_of(const LinkDifference::Link& link, const FramePair& f) {
  const Vector3d d = f.B.p + f.B.R * link.b_B - f.A.p - f.A.R * link.a_A;
  Span s{d.norm(), Vector3d::Zero(), Matrix3x12::Zero()};
  if (s.length == 0.0)
    throw base::ComputationError("the two ends of a link of an anti-roll bar meet");
  s.u = d / s.length;
  const Matrix3d one = Matrix3d::Identity();
  s.moved << -one, f.A.R * skew(link.a_A), one, -f.B.R * skew(link.b_B);
  return s;
}

// d(u^T moved)^T/d(variation): the link turns, and its ends turn with their frames.
Matrix12 turning(const LinkDifference::Link& link, const Span& s, const FramePair& f) {
  const Matrix3d across = (Matrix3d::Identity() - s.u * s.u.transpose()) / s.length;
  Matrix12 K = s.moved.transpose() * across * s.moved;
  const Vector3d u_A = f.A.R.transpose() * s.u, u_B = f.B.R.transpose() * s.u;
  K.block<3, 3>(3, 3) -= skew(link.a_A) * skew(u_A);
  K.block<3, 3>(9, 9) += skew(link.b_B) * skew(u_B);
  return K;
}

}  // namespace

bodies::CoordinateValue LinkDifference::value(const FramePair& f) const {
  const Span left = span_of(left_, f), right = span_of(right_, f);
  bodies::CoordinateValue c;
  c.value = left.length - right.length;
  c.J = left.u.transpose() * left.moved - right.u.transpose() * right.moved;
  return c;
}

void LinkDifference::add_stiffness(const FramePair& f, double lambda, Matrix12& K) const {
  K += lambda * (turning(left_, span_of(left_, f), f) - turning(right_, span_of(right_, f), f));
}

}  // namespace solidyn::forces

#include "solidyn/bodies/pair_coordinates.h"

#include <cmath>
#include <limits>

#include "solidyn/base/error.h"
#include "solidyn/math/rotation.h"

namespace solidyn::bodies {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::skew;

CoordinateValue PointAlongWorldAxis::value(const FramePair& f) const {
  CoordinateValue r;
  r.value = f.B.p[axis_] - f.A.p[axis_];
  r.J[axis_] = -1.0;
  r.J[6 + axis_] = 1.0;
  return r;
}

CoordinateValue PointAlongFrameAxis::value(const FramePair& f) const {
  const Vector3d d = f.B.p - f.A.p, n = f.A.R * n_, d_A = f.A.R.transpose() * d;
  CoordinateValue r;
  r.value = n.dot(d);
  r.J.segment<3>(0) = -n.transpose();
  r.J.segment<3>(3) = n_.cross(d_A).transpose();
  r.J.segment<3>(6) = n.transpose();
  return r;
}

void PointAlongFrameAxis::add_stiffness(const FramePair& f, double lambda, Matrix12& K) const {
  const Matrix3d Rn = lambda * f.A.R * skew(n_);
  const Vector3d d_A = f.A.R.transpose() * (f.B.p - f.A.p);
  const Matrix3d nRt = lambda * skew(n_) * f.A.R.transpose();
  K.block<3, 3>(0, 3) += Rn;
  K.block<3, 3>(6, 3) -= Rn;
  K.block<3, 3>(3, 0) -= nRt;
  K.block<3, 3>(3, 6) += nRt;
  K.block<3, 3>(3, 3) += lambda * skew(n_) * skew(d_A);
}

CoordinateValue Distance::value(const FramePair& f) const {
  const Vector3d d = f.B.p - f.A.p;
  CoordinateValue r;
  r.value = d.norm();
  if (!(r.value > std::numeric_limits<double>::min()))
    throw base::ComputationError("two points whose distance is measured coincide");
  r.J.segment<3>(6) = d.transpose() / r.value;
  r.J.segment<3>(0) = -r.J.segment<3>(6);
  return r;
}

void Distance::add_stiffness(const FramePair& f, double lambda, Matrix12& K) const {
  const Vector3d d = f.B.p - f.A.p, u = d.normalized();
  const Matrix3d turn = lambda / d.norm() * (Matrix3d::Identity() - u * u.transpose());
  K.block<3, 3>(0, 0) += turn;
  K.block<3, 3>(6, 6) += turn;
  K.block<3, 3>(0, 6) -= turn;
  K.block<3, 3>(6, 0) -= turn;
}

CoordinateValue AxesDot::value(const FramePair& f) const {
  const Vector3d u = f.A.R * a_, w = f.B.R * b_;
  CoordinateValue r;
  r.value = u.dot(w);
  r.J.segment<3>(3) = a_.cross(f.A.R.transpose() * w).transpose();
  r.J.segment<3>(9) = b_.cross(f.B.R.transpose() * u).transpose();
  return r;
}

void AxesDot::add_stiffness(const FramePair& f, double lambda, Matrix12& K) const {
  const Matrix3d R_AB = f.A.R.transpose() * f.B.R;
  const Matrix3d a = skew(a_), b = skew(b_);
  K.block<3, 3>(3, 3) += lambda * a * skew(R_AB * b_);
  K.block<3, 3>(3, 9) -= lambda * a * R_AB * b;
  K.block<3, 3>(9, 9) += lambda * b * skew(R_AB.transpose() * a_);
  K.block<3, 3>(9, 3) -= lambda * b * R_AB.transpose() * a;
}

CoordinateValue DotsSum::value(const FramePair& f) const {
  CoordinateValue sum = first_.value(f);
  if (!second_) return sum;
  const CoordinateValue more = second_->value(f);
  sum.value += more.value;
  sum.J += more.J;
  return sum;
}

void DotsSum::add_stiffness(const FramePair& f, double lambda, Matrix12& K) const {
  first_.add_stiffness(f, lambda, K);
  if (second_) second_->add_stiffness(f, lambda, K);
}

CoordinateValue AngleOfDots::value(const FramePair& f) const {
  const CoordinateValue c = cosine_.value(f), s = sine_.value(f);
  CoordinateValue r;
  r.value = f.angle + std::remainder(std::atan2(s.value, c.value) - f.angle, 2.0 * M_PI);
  constexpr double kAlongAxis = 1e-12;
  const double rho = c.value * c.value + s.value * s.value;
  if (!(rho > kAlongAxis))
    throw base::ComputationError(
        "a rotation about an axis is undefined: the rotating direction is parallel to the axis");
  r.J = (c.value * s.J - s.value * c.J) / rho;
  return r;
}

void AngleOfDots::add_stiffness(const FramePair& f, double lambda, Matrix12& K) const {
  const CoordinateValue c = cosine_.value(f), s = sine_.value(f);
  const double rho = c.value * c.value + s.value * s.value;
  sine_.add_stiffness(f, lambda * c.value / rho, K);
  cosine_.add_stiffness(f, -lambda * s.value / rho, K);
  const Row12 J = (c.value * s.J - s.value * c.J) / rho;
  K += lambda / rho * (s.J.transpose() * c.J - c.J.transpose() * s.J);
  K -= 2.0 * lambda / rho * J.transpose() * (c.value * c.J + s.value * s.J);
}

RotationAngle::RotationAngle()
    : AngleOfDots(AxesDot(Vector3d::UnitY(), Vector3d::UnitX()),
                  AxesDot(Vector3d::UnitX(), Vector3d::UnitX())) {}

AngleOfDots angle_about_arm(int arm) {
  const Vector3d x = Vector3d::UnitX(), y = Vector3d::UnitY(), z = Vector3d::UnitZ();
  if (arm == 1) return {AxesDot(z, y), AxesDot(y, y)};
  return {AxesDot(x, z), AxesDot(x, x)};
}

// With the quaternion (w, v) of R_AB the angle is 2 atan2(v_e, w); in the plane across e the
// rotation matrix has the trace 2 (w^2 - v_e^2) and the antisymmetric part 4 w v_e.
AngleOfDots twist_angle(int axis) {
  const Vector3d a = Vector3d::Unit((axis + 1) % 3), b = Vector3d::Unit((axis + 2) % 3);
  return {DotsSum(AxesDot(b, a), AxesDot(-a, b)), DotsSum(AxesDot(a, a), AxesDot(b, b))};
}

namespace {

// Where a disc is lowest over a plane, in W, and how that place turns with the frames' axes.
struct LowestPoint {
  explicit LowestPoint(const FramePair& f) : n(f.A.R.col(2)), z(f.B.R.col(2)) {
    const Vector3d across = n - z * z.dot(n);
    height = across.norm();
    u = across / height;
  }
  // d(u) by the rotation increments of A and of B.
  Matrix3d by_rotation_of_A(const FramePair& f) const {
    return -in_disc() * f.A.R * skew(Vector3d::UnitZ());
  }
  Matrix3d by_rotation_of_B(const FramePair& f) const {
    const Matrix3d by_z = -(z.dot(n) * Matrix3d::Identity() + z * n.transpose());
    return -across_u() * by_z * f.B.R * skew(Vector3d::UnitZ());
  }

  Vector3d n, z, u;
  double height;  // of the centre over the plane, per radius

 private:
  Matrix3d across_u() const { return (Matrix3d::Identity() - u * u.transpose()) / height; }
  Matrix3d in_disc() const { return across_u() * (Matrix3d::Identity() - z * z.transpose()); }
};

}  // namespace

CoordinateValue RollingContact::value(const FramePair& f) const {
  const LowestPoint at(f);
  const Vector3d e = f.A.R.col(axis_), d = f.B.p - f.A.p;
  CoordinateValue r;
  r.value = axis_ == 2 ? at.n.dot(d) - radius_ * at.height : 0.0;
  r.J.segment<3>(0) = -e.transpose();
  r.J.segment<3>(3) = -(f.A.R.transpose() * (d - radius_ * at.u).cross(e)).transpose();
  r.J.segment<3>(6) = e.transpose();
  r.J.segment<3>(9) = -radius_ * (f.B.R.transpose() * at.u.cross(e)).transpose();
  return r;
}

void RollingContact::add_stiffness(const FramePair& f, double lambda, Matrix12& K) const {
  const LowestPoint at(f);
  const Matrix3d u_by_A = at.by_rotation_of_A(f), u_by_B = at.by_rotation_of_B(f);
  const Vector3d e_A = Vector3d::Unit(axis_), e = f.A.R * e_A;
  const Matrix3d e_by_A = -f.A.R * skew(e_A);
  K.block<3, 3>(0, 3) -= lambda * e_by_A;
  K.block<3, 3>(6, 3) += lambda * e_by_A;
  // Torque on A: -(c x e) in A's axes, c the contact point from A's origin.
  const Matrix3d Rt = f.A.R.transpose(), arm = lambda * skew(e_A);
  const Vector3d c_A = Rt * (f.B.p - f.A.p - radius_ * at.u);
  K.block<3, 3>(3, 0) -= arm * Rt;
  K.block<3, 3>(3, 3) += arm * (skew(c_A) - radius_ * Rt * u_by_A);
  K.block<3, 3>(3, 6) += arm * Rt;
  K.block<3, 3>(3, 9) -= arm * radius_ * Rt * u_by_B;
  // Torque on B: -r (u x e) in B's axes.
  const Matrix3d RBt = radius_ * lambda * f.B.R.transpose();
  K.block<3, 3>(9, 3) -= RBt * (skew(at.u) * e_by_A - skew(e) * u_by_A);
  K.block<3, 3>(9, 9) +=
      RBt * skew(e) * u_by_B - radius_ * lambda * skew(Vector3d(f.B.R.transpose() * at.u.cross(e)));
}

double bias_of(const Coordinate& coordinate, const FramePair& f) {
  Matrix12 K = Matrix12::Zero();
  add_stiffness_of(coordinate, f, 1.0, K);
  const Vector12 v = f.twist();
  return v.dot(K * v);
}

const AngleOfDots* as_angle(const Coordinate& coordinate) {
  if (const auto* rotation = std::get_if<RotationAngle>(&coordinate)) return rotation;
  return std::get_if<AngleOfDots>(&coordinate);
}

}  // namespace solidyn::bodies

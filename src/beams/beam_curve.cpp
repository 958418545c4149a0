#include "solidyn/beams/beam_curve.h"

#include <cmath>

#include "solidyn/math/rotation.h"

namespace solidyn::beams {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix4d;
using Eigen::Vector3d;
using Eigen::Vector4d;
using math::skew;
using Matrix34 = Eigen::Matrix<double, 3, 4>;
using Matrix43 = Eigen::Matrix<double, 4, 3>;
using Matrix46 = Eigen::Matrix<double, 4, 6>;

constexpr int kStart = 1, kEnd = 4;  // where the turns per length begin in the strains
constexpr double kSimpson[] = {1.0 / 6.0, 4.0 / 6.0, 1.0 / 6.0};
// Rotation vectors of middle and end by the turns k_0 and k_2 and by k_0 x k_2.
constexpr double kOfStart[] = {0.375, 0.5}, kOfEnd[] = {0.125, 0.5};
constexpr double kOfCross[] = {1.0 / 96.0, 1.0 / 12.0};

Vector4d pure(const Vector3d& v) { return {0.0, v.x(), v.y(), v.z()}; }

Vector4d product(const Vector4d& a, const Vector4d& b) {
  const Vector3d u = a.tail<3>(), v = b.tail<3>();
  Vector4d p;
  p[0] = a[0] * b[0] - u.dot(v);
  p.tail<3>() = a[0] * v + b[0] * u + u.cross(v);
  return p;
}

Vector4d inverse(const Vector4d& q) { return conjugate(q) / q.squaredNorm(); }

// R(q), quadratic in q.
Matrix3d turn_matrix(const Vector4d& q) {
  const Vector3d u = q.tail<3>();
  Matrix3d R = 2.0 * q[0] * skew(u) + 2.0 * u * u.transpose();
  R.diagonal().array() += q[0] * q[0] - u.squaredNorm();
  return R;
}

// d(R(q) v)/dq.
Matrix34 turn_rows(const Vector4d& q, const Vector3d& v) {
  const Vector3d u = q.tail<3>();
  Matrix34 J;
  J.col(0) = 2.0 * (q[0] * v + u.cross(v));
  Matrix3d by_vector = -q[0] * skew(v) + u * v.transpose() - v * u.transpose();
  by_vector.diagonal().array() += u.dot(v);
  J.rightCols<3>() = 2.0 * by_vector;
  return J;
}

// The symmetric A with a . R(q) v = q^T A q; linear in v.
Matrix4d turn_form(const Vector3d& a, const Vector3d& v) {
  Matrix4d A;
  A(0, 0) = a.dot(v);
  A.block<3, 1>(1, 0) = v.cross(a);
  A.block<1, 3>(0, 1) = A.block<3, 1>(1, 0).transpose();
  A.bottomRightCorner<3, 3>() = a * v.transpose() + v * a.transpose();
  A.diagonal().tail<3>().array() -= a.dot(v);
  return A;
}

// turn_form(a, v) q = M v.
Matrix43 turn_form_rows(const Vector3d& a, const Vector4d& q) {
  const Vector3d u = q.tail<3>();
  Matrix43 M;
  M.row(0) = (q[0] * a + a.cross(u)).transpose();
  Matrix3d below = -q[0] * skew(a) + a * u.transpose() - u * a.transpose();
  below.diagonal().array() += a.dot(u);
  M.bottomRows<3>() = below;
  return M;
}

}  // namespace

Matrix4d left_product(const Vector4d& q) {
  Matrix4d L;
  L << q[0], -q[1], -q[2], -q[3],  //
      q[1], q[0], -q[3], q[2],     //
      q[2], q[3], q[0], -q[1],     //
      q[3], -q[2], q[1], q[0];
  return L;
}

Matrix4d right_product(const Vector4d& b) {
  Matrix4d R;
  R << b[0], -b[1], -b[2], -b[3],  //
      b[1], b[0], b[3], -b[2],     //
      b[2], -b[3], b[0], b[1],     //
      b[3], b[2], -b[1], b[0];
  return R;
}

BeamCurve::BeamCurve(double length, double shear_y, double shear_z, TurnRule rule)
    : length_(length), rule_(rule) {
  stretch_rows_.setZero();
  stretch_rows_(0, 0) = 1.0;
  stretch_rows_(1, kStart + 2) = shear_y;
  stretch_rows_(1, kEnd + 2) = -shear_y;
  stretch_rows_(2, kStart + 1) = -shear_z;
  stretch_rows_(2, kEnd + 1) = shear_z;
  q_[0] = Vector4d::Unit(0);
  for (Matrix47& rows : turn_rows_) rows.setZero();
  evaluate(Strains::Zero());
}

void BeamCurve::evaluate(const Strains& strains) {
  if (rule_ == TurnRule::lobatto)
    turn_by_lobatto(strains);
  else
    turn_by_magnus(strains);
  stretch_ = Vector3d::UnitX();
  stretch_.noalias() += stretch_rows_ * strains;
  Matrix3d mean_turn = kSimpson[0] * Matrix3d::Identity();
  end_rows_.setZero();
  for (int k = 1; k < 3; ++k) {
    mean_turn += kSimpson[k] * turn_matrix(q_[k]);
    const Matrix34 by_turn = length_ * kSimpson[k] * turn_rows(q_[k], stretch_);
    end_rows_.rightCols<6>() += by_turn.lazyProduct(turn_rows_[k - 1].rightCols<6>());
  }
  end_.noalias() = length_ * (mean_turn * stretch_);
  end_rows_ += (length_ * mean_turn).lazyProduct(stretch_rows_);
}

// Linear in the quaternions of middle and end, with products from the right (k = l kappa):
//   q_1 o (1 - k_1/6) + q_2 o k_2/48       = 1 + 5/48 k_0
//   q_1 o (-k_1/3)    + q_2 o (1 - k_2/12) = 1 + k_0/12
// and so are their derivatives.
void BeamCurve::turn_by_lobatto(const Strains& strains) {
  const Vector3d k0 = strains.segment<3>(kStart), k2 = strains.segment<3>(kEnd);
  const Vector3d k1 = 0.5 * (k0 + k2);
  Vector4d a11 = pure(-k1 / 6.0), a22 = pure(-k2 / 12.0);
  a11[0] = a22[0] = 1.0;
  const Vector4d a12 = pure(k2 / 48.0), a11_inverse = inverse(a11);
  const Vector4d c = product(a11_inverse, pure(-k1 / 3.0));
  const Vector4d last = inverse(a22 - product(a12, c));
  to_middle_[0] = right_product(a11_inverse);
  to_middle_[1] = right_product(product(a12, a11_inverse));
  to_end_[0] = right_product(last);
  to_end_[1] = right_product(product(c, last));
  Vector4d s1 = pure(5.0 / 48.0 * k0), s2 = pure(k0 / 12.0);
  s1[0] = s2[0] = 1.0;
  q_[2].noalias() = to_end_[0] * s2 - to_end_[1] * s1;
  q_[1].noalias() = to_middle_[0] * s1 - to_middle_[1] * q_[2];

  const Matrix43 by_k1 = 0.5 * left_product(q_[1]).rightCols<3>();
  const Matrix43 by_k2 = left_product(q_[2]).rightCols<3>();
  Matrix46 S1, S2;
  S1 << by_k1 / 6.0, by_k1 / 6.0 - by_k2 / 48.0;
  S2 << by_k1 / 3.0, by_k1 / 3.0 + by_k2 / 12.0;
  for (int i = 0; i < 3; ++i) {
    S1(1 + i, i) += 5.0 / 48.0;
    S2(1 + i, i) += 1.0 / 12.0;
  }
  auto middle = turn_rows_[0].rightCols<6>(), end = turn_rows_[1].rightCols<6>();
  end = to_end_[0].lazyProduct(S2) - to_end_[1].lazyProduct(S1);
  middle = to_middle_[0].lazyProduct(S1) - to_middle_[1].lazyProduct(end);
}

// q = (cos(|a|/2), g a), with the derivatives of g = sin(|a|/2)/|a| by |a|^2/2.
struct BeamCurve::HalfAngle {
  explicit HalfAngle(const Vector3d& angle) {
    const double s = angle.squaredNorm(), x = 0.25 * s;
    cosine = std::cos(std::sqrt(x));
    if (s > kSeriesBelow) {
      g = std::sin(std::sqrt(x)) / std::sqrt(s);
      dg = (0.5 * cosine - g) / s;
      ddg = (-0.25 * g - 3.0 * dg) / s;
      return;
    }
    g = 0.5 * (1.0 - x / 6.0 * (1.0 - x / 20.0 * (1.0 - x / 42.0 * (1.0 - x / 72.0))));
    dg = -(1.0 - x / 10.0 * (1.0 - x / 28.0 * (1.0 - x / 54.0))) / 24.0;
    ddg = (1.0 - x / 14.0 * (1.0 - x / 36.0)) / 480.0;
  }
  static constexpr double kSeriesBelow = 0.05;
  double cosine, g, dg, ddg;
};

void BeamCurve::turn_by_magnus(const Strains& strains) {
  const Vector3d k0 = strains.segment<3>(kStart), k2 = strains.segment<3>(kEnd);
  const Vector3d cross = k0.cross(k2);
  for (int i = 0; i < 2; ++i) {
    const Vector3d& a = angle_[i] = kOfStart[i] * k0 + kOfEnd[i] * k2 + kOfCross[i] * cross;
    angle_rows_[i] << -kOfCross[i] * skew(k2), kOfCross[i] * skew(k0);
    angle_rows_[i].leftCols<3>().diagonal().array() += kOfStart[i];
    angle_rows_[i].rightCols<3>().diagonal().array() += kOfEnd[i];
    const HalfAngle half(a);
    q_[i + 1] << half.cosine, half.g * a;
    Matrix43 rows;
    rows.row(0) = -0.5 * half.g * a.transpose();
    rows.bottomRows<3>() = half.dg * a * a.transpose();
    rows.bottomRows<3>().diagonal().array() += half.g;
    turn_rows_[i].rightCols<6>().noalias() = rows * angle_rows_[i];
  }
}

Matrix7 BeamCurve::second_derivative(const Vector3d& a, const Vector4d& b) const {
  Matrix6 by_turns = Matrix6::Zero();
  Eigen::Matrix<double, 6, 3> mixed = Eigen::Matrix<double, 6, 3>::Zero();
  Vector4d by_turn[2];
  for (int k = 0; k < 2; ++k) {
    const double weight = 2.0 * length_ * kSimpson[k + 1];
    const auto rows = turn_rows_[k].rightCols<6>();
    const Matrix4d A = weight * turn_form(a, stretch_);
    by_turn[k].noalias() = A * q_[k + 1];
    const Matrix46 A_rows = A.lazyProduct(rows);
    by_turns += rows.transpose().lazyProduct(A_rows);
    const Matrix43 by_stretch = weight * turn_form_rows(a, q_[k + 1]);
    mixed += rows.transpose().lazyProduct(by_stretch);
  }
  by_turn[1] += b;
  by_turns += rule_ == TurnRule::lobatto ? curvature_of_lobatto(by_turn[0], by_turn[1])
                                         : curvature_of_magnus(by_turn[0], by_turn[1]);
  const Eigen::Matrix<double, 6, 7> with_stretch = mixed.lazyProduct(stretch_rows_);
  Matrix7 H = Matrix7::Zero();
  H.bottomRightCorner<6, 6>() = by_turns;
  H.bottomRows<6>() += with_stretch;
  H.rightCols<6>() += with_stretch.transpose();
  return H;
}

// The rule differentiated twice gives d^2 q for right sides  dq_1 o dk_1/6 - dq_2 o dk_2/48  and
// dq_1 o dk_1/3 + dq_2 o dk_2/12 (each twice, in both orders); its adjoint gives their factors.
Matrix6 BeamCurve::curvature_of_lobatto(const Vector4d& by_middle, const Vector4d& by_end) const {
  const Vector4d end = by_end - to_middle_[1].transpose() * by_middle;
  const Vector4d y1 = to_middle_[0].transpose() * by_middle - to_end_[1].transpose() * end;
  const Vector4d y2 = to_end_[0].transpose() * end;
  const Vector4d w1 = y1 / 6.0 + y2 / 3.0, w2 = y2 / 12.0 - y1 / 48.0;
  // w . (dq o e_j) = -dq . (w o e_j)
  const Matrix43 T1 = -0.5 * left_product(w1).rightCols<3>();
  const Matrix43 T2 = -left_product(w2).rightCols<3>();
  const auto middle = turn_rows_[0].rightCols<6>(), last = turn_rows_[1].rightCols<6>();
  Matrix6 Z;
  Z.leftCols<3>() = middle.transpose().lazyProduct(T1);
  Z.rightCols<3>() = Z.leftCols<3>();
  Z.rightCols<3>() += last.transpose().lazyProduct(T2);
  return Z + Z.transpose();
}

Matrix6 BeamCurve::curvature_of_magnus(const Vector4d& by_middle, const Vector4d& by_end) const {
  const Vector4d by_turn[] = {by_middle, by_end};
  Matrix6 H = Matrix6::Zero();
  for (int i = 0; i < 2; ++i) {
    const Vector3d& a = angle_[i];
    const Vector3d w = by_turn[i].tail<3>();
    const HalfAngle half(a);
    const double along = w.dot(a), w0 = -0.5 * by_turn[i][0];
    Matrix3d by_angle = half.dg * (w * a.transpose() + a * w.transpose()) +
                        (half.ddg * along + w0 * half.dg) * a * a.transpose();
    by_angle.diagonal().array() += half.dg * along + w0 * half.g;
    H.noalias() += angle_rows_[i].transpose() * (by_angle * angle_rows_[i]);
    // d^2 (k_0 x k_2) by both, times what the sum changes by with the angle.
    const Vector3d y = (w0 * half.g + half.dg * along) * a + half.g * w;
    const Matrix3d mixed = -kOfCross[i] * skew(y);
    H.topRightCorner<3, 3>() += mixed;
    H.bottomLeftCorner<3, 3>() += mixed.transpose();
  }
  return H;
}

}  // namespace solidyn::beams

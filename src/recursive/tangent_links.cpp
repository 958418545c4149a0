#include "recursive/tangent_links.h"

namespace solidyn::recursive {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::skew;

// With x' of the link in its parent: v_k = v + w x r + r', a_k = a + alpha x r + w x (w x r) +
// 2 w x r' + r'', w_k = w + w_r, alpha_k = alpha + w x w_r + alpha_r; vectors between them turn.
void Shift::set(const Link& k, const Link* parent) {
  if (!parent) return;  // the ground does not vary
  r = k.arm;
  const Vector3d &w = parent->w, alpha = parent->a.tail<3>();
  w_r = k.w - w;
  const Vector3d dr = k.v - parent->v - w.cross(r), wr = w.cross(r);
  const Vector3d ddr =
      k.a.head<3>() - parent->a.head<3>() - alpha.cross(r) - w.cross(wr) - 2.0 * w.cross(dr);
  const Vector3d alpha_r = k.a.tail<3>() - alpha - w.cross(w_r);
  const Matrix3d rx = skew(r), wx = skew(w), wrx = skew(w_r), drx = skew(dr);
  U.noalias() = -wx * rx - drx;
  Z.noalias() = -skew(wr) - wx * rx - 2.0 * drx;
  V.noalias() = -skew(alpha) * rx - wx * (wx * rx) - 2.0 * wx * drx - skew(ddr);
  Y.noalias() = -wx * wrx - skew(alpha_r);
}

// f = m a + alpha x c + w x (w x c) - m g, torque c x (a - g) + J alpha + w x J w about the origin;
// c and J turn with the body.
void add_rigid_tangent(const Link& k, const Vector3d& gravity, Rows18& M) {
  const Vector3d c = k.R * k.first_moment, a = k.a.head<3>() - gravity, alpha = k.a.tail<3>();
  const Matrix3d J = k.R * k.J * k.R.transpose(), cx = skew(c), wx = skew(k.w), ax = skew(alpha);
  const auto add = [&M](int row, int at, const Matrix3d& block) {
    M.block<3, 3>(row, at) += block;
  };
  add(0, kRotation, -(ax + wx * wx) * cx);
  add(0, kTurning, -skew(k.w.cross(c)) - wx * cx);
  add(0, kAcceleration, k.mass * Matrix3d::Identity());
  add(0, kTurningRate, -cx);
  const Vector3d L = J * k.w, dL = J * alpha;
  add(3, kRotation, skew(a) * cx + J * ax - skew(dL) + wx * (J * wx - skew(L)));
  add(3, kTurning, wx * J - skew(L));
  add(3, kAcceleration, cx);
  add(3, kTurningRate, J);
}

// Increments of rotations and angular velocities in B: R^T dtheta, R^T (dw + w x dtheta).
MatrixXd in_variations(const Link& row, const Link& column, const StepCoefficients& c,
                       const MatrixXd* by_a, const MatrixXd& by_v, const MatrixXd& by_q,
                       LinearAxes axes) {
  const auto n = by_q.cols() - 6;
  const Matrix3d RT = column.R.transpose(),
                 Q = axes == LinearAxes::own ? RT : Matrix3d(Matrix3d::Identity());
  const Vector3d alpha = column.a.tail<3>();
  MatrixXd out = MatrixXd::Zero(by_q.rows(), 18 + n);
  out.middleCols<3>(kPosition) = by_q.leftCols<3>() * Q;
  out.middleCols<3>(kVelocity) = by_v.leftCols<3>() * Q;
  const MatrixXd turning = by_v.middleCols<3>(3) * RT;
  out.middleCols<3>(kRotation) = by_q.middleCols<3>(3) * RT + turning * skew(column.w);
  out.middleCols<3>(kTurning) = turning;
  out.rightCols(n) = by_q.rightCols(n) + c.velocity * by_v.rightCols(n);
  if (by_a) {
    out.middleCols<3>(kAcceleration) = by_a->leftCols<3>() * Q;
    const MatrixXd rate = by_a->middleCols<3>(3) * RT;
    out.middleCols<3>(kRotation) += rate * skew(alpha);
    out.middleCols<3>(kTurningRate) = rate;
    out.rightCols(n) += c.acceleration * by_a->rightCols(n);
  }
  if (axes == LinearAxes::own) out.topRows<3>() = MatrixXd(row.R * out.topRows<3>());
  out.middleRows<3>(3) = MatrixXd(row.R * out.middleRows<3>(3));
  return out;
}

}  // namespace solidyn::recursive

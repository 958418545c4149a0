#include "recursive/tangent_links.h"

namespace solidyn::recursive {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::add_small_product;
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
void set_in_variations(const Link& row, const Link& column, const StepCoefficients& c,
                       const MatrixXd* by_a, const MatrixXd& by_v, const MatrixXd& by_q,
                       LinearAxes axes, MatrixXd& out) {
  const auto n = by_q.cols() - 6;
  const Matrix3d RT = column.R.transpose(),
                 Q = axes == LinearAxes::own ? RT : Matrix3d(Matrix3d::Identity()),
                 RTw = RT * skew(column.w);
  const auto linear = [](const MatrixXd& M) { return M.leftCols<3>(); };
  const auto angular = [](const MatrixXd& M) { return M.middleCols<3>(3); };
  out.setZero(by_q.rows(), 18 + n);
  add_small_product(linear(by_q), Q, out.middleCols<3>(kPosition));
  add_small_product(linear(by_v), Q, out.middleCols<3>(kVelocity));
  auto rotation = out.middleCols<3>(kRotation);
  add_small_product(angular(by_q), RT, rotation);
  add_small_product(angular(by_v), RTw, rotation);
  add_small_product(angular(by_v), RT, out.middleCols<3>(kTurning));
  out.rightCols(n) = by_q.rightCols(n) + c.velocity * by_v.rightCols(n);
  if (by_a) {
    const Matrix3d RTalpha = RT * skew(column.a.tail<3>());
    add_small_product(linear(*by_a), Q, out.middleCols<3>(kAcceleration));
    add_small_product(angular(*by_a), RTalpha, rotation);
    add_small_product(angular(*by_a), RT, out.middleCols<3>(kTurningRate));
    out.rightCols(n) += c.acceleration * by_a->rightCols(n);
  }
  for (Eigen::Index j = 0; j < out.cols(); ++j) {
    if (axes == LinearAxes::own) out.col(j).head<3>() = (row.R * out.col(j).head<3>()).eval();
    out.col(j).segment<3>(3) = (row.R * out.col(j).segment<3>(3)).eval();
  }
}

MatrixXd in_variations(const Link& row, const Link& column, const StepCoefficients& c,
                       const MatrixXd* by_a, const MatrixXd& by_v, const MatrixXd& by_q,
                       LinearAxes axes) {
  MatrixXd out;
  set_in_variations(row, column, c, by_a, by_v, by_q, axes, out);
  return out;
}

}  // namespace solidyn::recursive

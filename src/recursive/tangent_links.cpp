#include "recursive/tangent_links.h"

namespace solidyn::recursive {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::add_small_product;
using math::skew;

// f = m a + alpha x c + w x (w x c) - m g, torque c x (a - g) + J alpha + w x J w about the origin:
// all but gravity turns with the body, and of rates those of its turning are left.
void add_rigid_tangent(const Link& k, const Vector3d& gravity, Rows18& M) {
  const Vector3d c = k.R * k.first_moment, a = k.a.head<3>() - gravity, alpha = k.a.tail<3>();
  Matrix3d turned, J;
  turned.noalias() = k.R * k.J;
  J.noalias() = turned * k.R.transpose();
  const Vector3d L = J * k.w, momentum = k.mass * k.v + k.w.cross(c),
                 force = k.mass * k.a.head<3>() + alpha.cross(c) + k.w.cross(k.w.cross(c)),
                 torque = c.cross(a) + J * alpha + k.w.cross(L);
  const Matrix3d cx = skew(c), wx = skew(k.w);
  const auto add = [&M](int row, int at, const Matrix3d& block) {
    M.block<3, 3>(row, at) += block;
  };
  add(0, kRotation, -skew(force));
  add(3, kRotation, -skew(torque) - cx * skew(gravity));
  add(0, kTurning, -2.0 * skew(momentum));
  add(3, kTurning, -2.0 * cx * skew(k.v) - J * wx - skew(L) + wx * J);
  M.block<3, 3>(0, kAcceleration).diagonal().array() += k.mass;
  add(0, kTurningRate, -cx);
  add(3, kAcceleration, cx);
  add(3, kTurningRate, J);
}

// Increments of rotations in B are R^T theta, of angular velocities R^T theta', of their rates
// R^T (theta'' + theta' x w).
void set_in_variations(const Link& row, const Link& column, const StepCoefficients& c,
                       const MatrixXd* by_a, const MatrixXd& by_v, const MatrixXd& by_q,
                       LinearAxes axes, MatrixXd& out) {
  const auto n = by_q.cols() - 6;
  const Matrix3d RT = column.R.transpose(),
                 Q = axes == LinearAxes::own ? RT : Matrix3d(Matrix3d::Identity()),
                 Qv = Q * skew(column.v);
  const auto linear = [](const MatrixXd& M) { return M.leftCols<3>(); };
  const auto angular = [](const MatrixXd& M) { return M.middleCols<3>(3); };
  out.setZero(by_q.rows(), 18 + n);
  add_small_product(linear(by_q), Q, out.middleCols<3>(kPosition));
  add_small_product(linear(by_v), Q, out.middleCols<3>(kVelocity));
  auto rotation = out.middleCols<3>(kRotation), turning = out.middleCols<3>(kTurning);
  add_small_product(angular(by_q), RT, rotation);
  add_small_product(linear(by_v), Qv, rotation, -1.0);
  add_small_product(angular(by_v), RT, turning);
  out.rightCols(n) = by_q.rightCols(n) + c.velocity * by_v.rightCols(n);
  if (by_a) {
    const Matrix3d Qa = Q * skew(column.a.head<3>()), RTw = RT * skew(column.w);
    add_small_product(linear(*by_a), Q, out.middleCols<3>(kAcceleration));
    add_small_product(linear(*by_a), Qa, rotation, -1.0);
    add_small_product(linear(*by_a), Qv, turning, -2.0);
    add_small_product(angular(*by_a), RTw, turning, -1.0);
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

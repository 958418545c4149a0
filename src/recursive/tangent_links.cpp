#include "recursive/tangent_links.h"

namespace solidyn::recursive {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::skew;

namespace {

// Of central differences by coordinates, rad or m: their error and that of round-off are alike. By
// speeds the differences are exact, since biases are quadratic in them.
constexpr double kStep = 1e-5;

// Of a matrix of 3 x n columns.
template <class Columns>
Eigen::Matrix3Xd cross(const Vector3d& a, const Columns& columns) {
  return skew(a).lazyProduct(columns);
}

}  // namespace

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

void set_columns(Tree& tree, const Link& k, RelativeDerivatives& d) {
  d.n_parent = k.carried >= 0 ? tree.modes()[tree.links()[k.parent].modes].n : 0;
  d.n_hinge = k.n_speeds;
  d.n_own = k.modes >= 0 ? tree.modes()[k.modes].n : 0;
  d.columns.resize(6, d.size());
  if (d.n_parent > 0) d.columns.leftCols(d.n_parent) = tree.carried()[k.carried].X;
  if (d.n_hinge > 0) d.columns.middleCols(d.n_parent, d.n_hinge) = tree.H(k);
  if (d.n_own > 0) d.columns.rightCols(d.n_own) = tree.modes()[k.modes].E;
}

RelativeDerivatives find_derivatives(Tree& tree, Link& k, const VectorXd& q, const VectorXd& u) {
  const Link kept = k;
  RelativeDerivatives d, at;
  set_columns(tree, k, d);
  VectorXd moved = q, faster = u;
  const Link* parent = k.parent >= 0 ? &tree.links()[k.parent] : nullptr;
  // Where the speed of the i-th coordinate is, and its coordinate where that is a number.
  const auto speed_of = [&](int i) {
    if (i < d.n_parent) return parent->u + parent->n_speeds + i;
    if (i < d.n_parent + d.n_hinge) return k.u + k.order[i - d.n_parent];
    return k.u + k.n_speeds + i - d.n_parent - d.n_hinge;
  };
  const auto move = [&](int i, double by) {
    moved = q;
    if (i < d.n_parent) {
      moved[parent->q + parent->hinge.n_coordinates() + i] += by;
    } else if (i < d.n_parent + d.n_hinge) {
      const VectorXd increment = by * VectorXd::Unit(k.n_speeds, k.order[i - d.n_parent]);
      k.hinge.advance(increment.data(), moved.data() + k.q);
    } else {
      moved[k.q + k.hinge.n_coordinates() + i - d.n_parent - d.n_hinge] += by;
    }
  };
  const auto look = [&] {
    tree.compute_relative_motion(k, moved.data(), faster.data());
    set_columns(tree, k, at);
  };
  d.bias_by_q.resize(6, d.size());
  d.bias_by_u.resize(6, d.size());
  for (int i = 0; i < d.size(); ++i) {
    move(i, kStep);
    look();
    const Matrix6X columns = at.columns;
    const Vector6d bias = k.bias;
    move(i, -kStep);
    look();
    d.of_columns.push_back((columns - at.columns) / (2.0 * kStep));
    d.bias_by_q.col(i) = (bias - k.bias) / (2.0 * kStep);
    moved = q;
    const double step = std::max(1.0, std::abs(u[speed_of(i)]));
    faster[speed_of(i)] = u[speed_of(i)] + step;
    look();
    const Vector6d ahead = k.bias;
    faster[speed_of(i)] = u[speed_of(i)] - step;
    look();
    d.bias_by_u.col(i) = (ahead - k.bias) / (2.0 * step);
    faster[speed_of(i)] = u[speed_of(i)];
  }
  k = kept;
  return d;
}

Eigen::Matrix<double, 18, Eigen::Dynamic> variations_of(const Tree& tree, const Link& k,
                                                        const RelativeDerivatives& d,
                                                        const VectorXd& u, const VectorXd& du,
                                                        const StepCoefficients& c,
                                                        const MatrixXd& T, MatrixXd& geometric) {
  const Link* parent = k.parent >= 0 ? &tree.links()[k.parent] : nullptr;
  const Matrix3d R = parent ? parent->R : Matrix3d::Identity();
  const Vector3d w = parent ? parent->w : Vector3d::Zero(),
                 alpha = parent ? Vector3d(parent->a.tail<3>()) : Vector3d::Zero();
  const auto turned = [&R](const Matrix6X& columns) {
    Matrix6X out(6, columns.cols());
    out.topRows<3>() = R.lazyProduct(columns.topRows<3>());
    out.bottomRows<3>() = R.lazyProduct(columns.bottomRows<3>());
    return out;
  };
  const int n = d.size();
  VectorXd s(n), ds(n);
  for (int i = 0; i < n; ++i) {
    int at = 0;
    if (i < d.n_parent)
      at = parent->u + parent->n_speeds + i;
    else if (i < d.n_parent + d.n_hinge)
      at = k.u + k.order[i - d.n_parent];
    else
      at = k.u + k.n_speeds + i - d.n_parent - d.n_hinge;
    s[i] = u[at];
    ds[i] = du[at];
  }
  // Of the relative velocity and acceleration, in the parent.
  Matrix6X rate(6, n), second = turned(d.bias_by_q);
  geometric.resize(n, n);
  for (int j = 0; j < n; ++j) {
    const Matrix6X change = turned(d.of_columns[j]);
    rate.col(j) = change * s;
    second.col(j) += change * ds;
    geometric.col(j) = change.transpose() * k.f;
  }
  const Matrix6X by_u = turned(d.bias_by_u);
  const auto h = d.columns.topRows<3>(), h_w = d.columns.bottomRows<3>();
  Eigen::Matrix<double, 18, Eigen::Dynamic> by_q(18, n), out(18, n);
  const Eigen::Matrix3Xd wh = cross(w, h);
  by_q.middleRows<3>(kPosition) = h;
  by_q.middleRows<3>(kRotation) = h_w;
  by_q.middleRows<3>(kVelocity) = wh + rate.topRows<3>();
  by_q.middleRows<3>(kTurning) = rate.bottomRows<3>();
  by_q.middleRows<3>(kAcceleration) =
      cross(alpha, h) + cross(w, wh) + 2.0 * cross(w, rate.topRows<3>()) + second.topRows<3>();
  by_q.middleRows<3>(kTurningRate) = cross(w, rate.bottomRows<3>()) + second.bottomRows<3>();
  out = by_q * T;
  geometric = geometric * T;
  out.middleRows<3>(kVelocity) += c.velocity * h;
  out.middleRows<3>(kTurning) += c.velocity * h_w;
  out.middleRows<3>(kAcceleration) +=
      c.velocity * (2.0 * wh + by_u.topRows<3>()) + c.acceleration * h;
  out.middleRows<3>(kTurningRate) +=
      c.velocity * (cross(w, h_w) + by_u.bottomRows<3>()) + c.acceleration * h_w;
  return out;
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

// From the ground outwards: poses, velocities, and what accelerates although no speed changes.
#include <cmath>

#include "solidyn/math/rotation.h"
#include "solidyn/recursive/tree.h"

namespace solidyn::recursive {

using Eigen::Map;
using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

struct SinCos {
  double sin, cos;
};

// glibc has both at the price of one; compilers do not merge the calls while errno may be set.
SinCos sin_cos(double angle) {
#ifdef __GLIBC__
  SinCos both{};
  ::sincos(angle, &both.sin, &both.cos);
  return both;
#else
  return {std::sin(angle), std::cos(angle)};
#endif
}

const Link& standing_ground() {
  static const Link ground = [] {
    Link still;
    still.R.setIdentity();
    still.p.setZero();
    still.v.setZero();
    still.w.setZero();
    return still;
  }();
  return ground;
}

bool is_rigid_on_revolute(const Link& k) {
  return k.modes < 0 && k.carried < 0 && !k.is_reversed &&
         k.hinge.kind() == joints::Hinge::Kind::revolute;
}

}  // namespace

// A frame on the way from the parent to the body: first the inboard one, then the outboard one.
struct Tree::Inboard {
  Matrix3d R = Matrix3d::Identity();
  Vector3d arm = Vector3d::Zero();  ///< from the parent's origin to the inboard frame
  Vector3d p = arm, v = arm, w = arm;
  Vector6d bias = Vector6d::Zero();
};

void Tree::look_from_parent(const Link& k, Inboard& at) {
  if (k.parent < 0) {
    at.R = k.R_inboard;
    at.p = k.x_inboard;
    return;
  }
  const Link& parent = links_[k.parent];
  if (k.carried < 0) {
    at.R.noalias() = parent.R * k.R_inboard;
    at.arm.noalias() = parent.R * k.x_inboard;
    at.w = parent.w;
    at.v = parent.v + parent.w.cross(at.arm);
    at.bias.head<3>() = parent.w.cross(parent.w.cross(at.arm));
  } else {
    CarriedFrame& c = carried_[k.carried];
    const Modes& m = modes_[parent.modes];
    const auto rates = c.frame.compute_in_body(m.state, c.motion);
    set_bias_in_body(rates, m.state.w_WB_B(), c.motion);
    at.R.noalias() = parent.R * c.motion.R;
    at.arm.noalias() = parent.R * c.motion.p;
    c.X.topRows<3>() = parent.R.lazyProduct(c.motion.J.topRightCorner(3, m.n));
    c.X.bottomRows<3>() = at.R.lazyProduct(c.motion.J.bottomRightCorner(3, m.n));
    const Vector6d relative = c.X.lazyProduct(m.v.tail(m.n));
    at.w = parent.w + relative.tail<3>();
    at.v = parent.v + parent.w.cross(at.arm) + relative.head<3>();
    at.bias.head<3>() = parent.R * c.motion.bias.head<3>();
    at.bias.tail<3>() = at.R * c.motion.bias.tail<3>();
  }
  at.p = parent.p + at.arm;
}

// Only the axes turn.
void Tree::cross_revolute(const Link& k, double angle, double rate, Inboard& at) {
  const auto [s, c] = sin_cos(angle);
  const Vector3d x = at.R.col(0), y = at.R.col(1), axis = at.R.col(2), turn = rate * axis;
  at.R.col(0) = c * x + s * y;
  at.R.col(1) = c * y - s * x;
  H(k).col(0) << Vector3d::Zero(), axis;
  at.bias.tail<3>() += at.w.cross(turn);
  at.w += turn;
}

// A joint whose frame A is outboard is gone through from B to A: with the motion of B in A,
//   V_A = shift (V_B - H u).
void Tree::cross_hinge(const Link& k, const double* q, const double* u, Inboard& at) {
  if (k.hinge.kind() == joints::Hinge::Kind::revolute && !k.is_reversed)
    return cross_revolute(k, q[k.q], u[k.u], at);
  k.hinge.compute(q + k.q, u + k.u, relative_);
  auto H = this->H(k);
  if (k.is_reversed) at.R = at.R * relative_.R.transpose();
  const Matrix3d R_A = at.R;
  if (!k.is_reversed) at.R.noalias() = R_A * relative_.R;
  Vector3d r = R_A * relative_.p;  // from A to B
  Vector6d moved = Vector6d::Zero();
  for (int i = 0; i < k.n_speeds; ++i) {
    H.col(i).head<3>().noalias() = R_A * relative_.H.col(k.order[i]).head<3>();
    H.col(i).tail<3>().noalias() = R_A * relative_.H.col(k.order[i]).tail<3>();
    moved += u[k.u + k.order[i]] * H.col(i);
  }
  const Vector3d dp = moved.head<3>(), dw = moved.tail<3>();
  Vector3d bias_v = R_A * relative_.bias.head<3>(), bias_w = R_A * relative_.bias.tail<3>();
  const Vector3d w_A = k.is_reversed ? Vector3d(at.w - dw) : at.w;
  bias_v += w_A.cross(w_A.cross(r) + 2.0 * dp);
  bias_w += w_A.cross(dw);
  if (k.is_reversed) {
    for (int i = 0; i < k.n_speeds; ++i) {
      const Vector3d turn = H.col(i).tail<3>();
      H.col(i).head<3>() = turn.cross(r) - H.col(i).head<3>();
      H.col(i).tail<3>() = -turn;
    }
    bias_v = bias_w.cross(r) - bias_v;
    bias_w = -bias_w;
    r = -r;
    at.v += at.w.cross(r) + dw.cross(-r) - dp;
    at.w = w_A;
  } else {
    at.v += at.w.cross(r) + dp;
    at.w += dw;
  }
  const Vector3d turn = at.bias.tail<3>();
  at.bias.head<3>() += turn.cross(r) + bias_v;
  at.bias.tail<3>() += bias_w;
  at.p += r;
}

void Tree::settle_rigid(Link& k, const Inboard& at) {
  k.R.noalias() = at.R * k.R_outboard.transpose();
  const Vector3d d = -k.R * k.x_outboard;
  k.p = at.p + d;
  k.w = at.w;
  k.v = at.v + at.w.cross(d);
  k.bias = at.bias;
  const Vector3d turn = at.bias.tail<3>();
  k.bias.head<3>() += turn.cross(d) + k.w.cross(k.w.cross(d));
}

// The outboard frame moves with the hinge; the body's own axes are where its modes leave them.
void Tree::settle_modes(Link& k, Inboard& at, const double* q, const double* u) {
  Modes& m = modes_[k.modes];
  m.q_e = Map<const Eigen::VectorXd>(q + k.q + k.hinge.n_coordinates(), m.n);
  m.v.tail(m.n) = Map<const Eigen::VectorXd>(u + k.u + k.n_speeds, m.n);
  if (!m.outboard) {
    settle_rigid(k, at);
    m.v.segment<3>(3).noalias() = k.R.transpose() * k.w;
    return;
  }
  const auto rates = m.outboard.compute_in_body(m.state, m.motion);
  k.R.noalias() = at.R * m.motion.R.transpose();
  const Vector3d d = -k.R * m.motion.p;
  k.p = at.p + d;
  // Psi of the frame in the world, then E.
  m.E.topRows<3>() = -k.R.lazyProduct(m.motion.J.topRightCorner(3, m.n));
  m.E.bottomRows<3>() = -at.R.lazyProduct(m.motion.J.bottomRightCorner(3, m.n));
  m.E.topRows<3>() -= math::skew(d).lazyProduct(m.E.bottomRows<3>());
  const Vector6d own = m.E.lazyProduct(m.v.tail(m.n));
  k.w = at.w + own.tail<3>();
  k.v = at.v + at.w.cross(d) + own.head<3>();
  m.v.segment<3>(3).noalias() = k.R.transpose() * k.w;
  set_bias_in_body(rates, m.state.w_WB_B(), m.motion);
  k.bias = at.bias;
  k.bias.head<3>() -= k.R * m.motion.bias.head<3>();
  k.bias.tail<3>() -= at.R * m.motion.bias.tail<3>();
  const Vector3d turn = k.bias.tail<3>();
  k.bias.head<3>() += turn.cross(d);
}

// Most links: the steps of compute_motion_of() at once, without what is zero.
void Tree::turn_rigid(Link& k, double angle, double rate) {
  const Link& parent = k.parent >= 0 ? links_[k.parent] : standing_ground();
  const auto [s, c] = sin_cos(angle);
  Matrix3d R;
  R.noalias() = parent.R * k.R_inboard;
  const Vector3d to_hinge = parent.R * k.x_inboard, x = R.col(0), y = R.col(1), axis = R.col(2);
  R.col(0) = c * x + s * y;
  R.col(1) = c * y - s * x;
  k.R.noalias() = R * k.R_outboard.transpose();
  const Vector3d from_hinge = -(k.R * k.x_outboard);
  k.arm = to_hinge + from_hinge;
  k.p = parent.p + k.arm;
  const Vector3d turn = rate * axis, moved = parent.w.cross(to_hinge);
  k.w = parent.w + turn;
  const Vector3d turned = k.w.cross(from_hinge), alpha = parent.w.cross(turn);
  k.v = parent.v + moved + turned;
  k.bias << parent.w.cross(moved) + alpha.cross(from_hinge) + k.w.cross(turned), alpha;
  double* h = H_.data() + 6 * static_cast<std::ptrdiff_t>(k.columns);
  Map<Vector6d>(h, 6) << axis.cross(from_hinge), axis;
}

void Tree::compute_motion_of(Link& k, const double* q, const double* u) {
  if (is_rigid_on_revolute(k)) return turn_rigid(k, q[k.q], u[k.u]);
  Inboard at;
  look_from_parent(k, at);
  const Vector3d p_inboard = at.p, arm = at.arm;
  cross_hinge(k, q, u, at);
  const Vector3d p_outboard = at.p;
  if (k.modes < 0)
    settle_rigid(k, at);
  else
    settle_modes(k, at, q, u);
  // All at the body's origin.
  const Vector3d d = k.p - p_outboard;
  auto H = this->H(k);
  for (int i = 0; i < k.n_speeds; ++i) {
    const Vector3d turn = H.col(i).tail<3>();
    H.col(i).head<3>() += turn.cross(d);
  }
  const Vector3d from_inboard = k.p - p_inboard;
  k.arm = arm + from_inboard;
  if (k.carried >= 0) {
    Matrix6X& X = carried_[k.carried].X;
    X.topRows<3>() -= math::skew(from_inboard).lazyProduct(X.bottomRows<3>());
  }
}

void Tree::compute_motion(const double* q, const double* u) {
  sweep_outwards(q, u, [](Link&) {});
}

}  // namespace solidyn::recursive

#include "recursive/link_inertia.h"

#include "recursive/link_sweeps.h"
#include "solidyn/math/rotation.h"

namespace solidyn::recursive {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::skew;

void set_own_inertia(Tree& tree, Link& k) {
  if (k.modes < 0) {
    const Vector3d c = k.R * k.first_moment;
    k.P.A.setIdentity();
    k.P.A *= k.mass;
    k.P.B = -skew(c);
    Matrix3d turned;
    turned.noalias() = k.R * k.J;
    k.P.C.noalias() = turned * k.R.transpose();
    return;
  }
  Modes& m = tree.modes()[k.modes];
  m.M.setZero();
  m.body->add_tangent(m.state, Vector3d::Zero(), {1.0, 0.0, 0.0}, m.M, m.unused);
  const auto turned = [&](int i, int j) { return k.R * m.M.block<3, 3>(i, j) * k.R.transpose(); };
  k.P.A = turned(0, 0);
  k.P.B = turned(0, 3);
  k.P.C = turned(3, 3);
  m.P_rf.topRows<3>() = k.R.lazyProduct(m.M.block(0, 6, 3, m.n));
  m.P_rf.bottomRows<3>() = k.R.lazyProduct(m.M.block(3, 6, 3, m.n));
  m.P_ff = m.M.bottomRightCorner(m.n, m.n);
}

void pass_inertia(Tree& tree, const Link& k) {
  Link& parent = tree.links()[k.parent];
  // With L = skew(arm): A L = (columns of A x arm)^T, A being symmetric, and L B, B^T L likewise.
  const Matrix3d B = k.P.B - k.P.A.colwise().cross(k.arm).transpose();
  parent.P.A += k.P.A;
  parent.P.B += B;
  parent.P.C += k.P.C - B.colwise().cross(k.arm) - k.P.B.colwise().cross(k.arm).transpose();
  if (k.carried < 0) return;
  Modes& m = tree.modes()[parent.modes];
  const Matrix6X& X = tree.carried()[k.carried].X;
  for (int i = 0; i < m.n; ++i) {
    const Vector6d PX = k.P * Vector6d(X.col(i));
    for (int j = 0; j <= i; ++j) {
      const double mass = X.col(j).dot(PX);
      m.P_ff(i, j) += mass;
      if (j < i) m.P_ff(j, i) += mass;
    }
    m.P_rf.col(i) += shifted(k, PX);
  }
}

}  // namespace solidyn::recursive

// The columns of hinges as velocity fields, with their derivatives.
#include "solidyn/joints/hinge_fields.h"

#include <cmath>

#include "math/left_tangent.h"
#include "solidyn/math/rotation.h"

namespace solidyn::joints {

using Eigen::Matrix3d;
using Eigen::Vector3d;

namespace {

// Angular velocities by the speeds of rotations, in columns, and their derivatives.
struct AxesOfHinge {
  Matrix3d s = Matrix3d::Zero(), ds = s, dds = s;
  std::array<Matrix3d, 3> by = {s, s, s};
};

AxesOfHinge axes_of(const Hinge& hinge, int n_rotations, const double* q, const double* u,
                    const double* du) {
  AxesOfHinge axes;
  if (n_rotations == 1) {
    axes.s.col(0) = Vector3d::UnitZ();
  } else if (n_rotations == 3 && hinge.turns_in() == Hinge::TurnAxes::A) {
    axes.s.setIdentity();
  } else if (n_rotations == 3) {
    const Vector3d w(u[0], u[1], u[2]), dw(du[0], du[1], du[2]);
    const Matrix3d R = Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
    axes.s = R;
    axes.ds = math::skew(R * w) * R;
    axes.dds = math::skew(R * dw) * R + math::skew(R * w) * axes.ds;
    for (int b = 0; b < 3; ++b) axes.by[b] = math::skew(R.col(b)) * R;
  } else if (hinge.kind() == Hinge::Kind::universal) {
    const Vector3d x = Vector3d::UnitX();
    const Vector3d second(0.0, std::cos(q[0]), std::sin(q[0])), turned = x.cross(second);
    axes.s.col(0) = x;
    axes.s.col(1) = second;
    axes.ds.col(1) = u[0] * turned;
    axes.dds.col(1) = du[0] * turned - u[0] * u[0] * second;
    axes.by[0].col(1) = turned;
  } else if (n_rotations == 2) {
    const math::LeftTangent T({q[0], q[1], 0.0}, {u[0], u[1], 0.0}, {du[0], du[1], 0.0});
    for (int i = 0; i < 2; ++i) {
      const Vector3d e = Vector3d::Unit(i);
      axes.s.col(i) = T.value(e);
      axes.ds.col(i) = T.rate(e);
      axes.dds.col(i) = T.second_rate(e);
      for (int b = 0; b < 2; ++b) axes.by[b].col(i) = T.derivative(e, Vector3d::Unit(b));
    }
  }
  return axes;
}

}  // namespace

// Translations are along A's axes; axes of rotation go through B's origin, and so with it.
void compute_fields(const Hinge& hinge, const double* q, const double* u, const double* du,
                    HingeFields& f) {
  const int n = hinge.n_speeds(), n_t = hinge.n_translations(), n_r = n - n_t;
  HingeMotion motion;
  hinge.compute(q, u, motion);
  for (HingeFields::Columns* columns : {&f.S, &f.dS, &f.ddS}) columns->setZero(6, n);
  for (int i = 0; i < n; ++i) f.by[i].setZero(6, n);
  const Vector3d p = motion.p;
  Vector3d dp = Vector3d::Zero(), ddp = dp;
  for (int i = 0; i < n_t; ++i) {
    f.S.col(i) = motion.H.col(i);
    dp += u[i] * f.S.col(i).head<3>();
    ddp += du[i] * f.S.col(i).head<3>();
  }
  const AxesOfHinge axes = axes_of(hinge, n_r, q + n_t, u + n_t, du + n_t);
  for (int i = 0; i < n_r; ++i) {
    const Vector3d s = axes.s.col(i), ds = axes.ds.col(i), dds = axes.dds.col(i);
    f.S.col(n_t + i) << p.cross(s), s;
    f.dS.col(n_t + i) << dp.cross(s) + p.cross(ds), ds;
    f.ddS.col(n_t + i) << ddp.cross(s) + 2.0 * dp.cross(ds) + p.cross(dds), dds;
    for (int b = 0; b < n_t; ++b) {
      const Vector3d along = f.S.col(b).head<3>();
      f.by[b].col(n_t + i).head<3>() = along.cross(s);
    }
    for (int b = 0; b < n_r; ++b) {
      const Vector3d by = axes.by[b].col(i);
      f.by[n_t + b].col(n_t + i) << p.cross(by), by;
    }
  }
  if (hinge.kind() == Hinge::Kind::screw) f.S(2, 0) = motion.H(2, 0);
}

}  // namespace solidyn::joints

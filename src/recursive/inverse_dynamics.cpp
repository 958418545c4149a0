#include "solidyn/recursive/inverse_dynamics.h"

#include "recursive/link_sweeps.h"

namespace solidyn::recursive {

using Eigen::Map;
using Eigen::Vector3d;
using Eigen::VectorXd;

void InverseDynamics::add_inertia_forces(const Vector3d& gravity, const VectorXd& du) {
  for (Link& k : tree_.links()) {
    const Vector3d a = k.a.head<3>(), turn = k.a.tail<3>();
    k.f = k.z;
    if (k.modes < 0) {
      const Vector3d c = k.R * k.first_moment, w_B = k.R.transpose() * k.w;
      k.f.head<3>() += k.mass * (a - gravity) + turn.cross(c) + k.w.cross(k.w.cross(c));
      k.f.tail<3>() +=
          c.cross(a - gravity) + k.R * (k.J * (k.R.transpose() * turn) + w_B.cross(k.J * w_B));
      continue;
    }
    Modes& m = tree_.modes()[k.modes];
    const VectorXd own = own_acceleration(tree_, k, du);
    bodies::BodyState moving = m.state;
    new (&moving.a) Map<const VectorXd>(own.data(), own.size());
    m.h.setZero();
    m.body->add_residual(moving, k.R.transpose() * gravity, m.h);
    k.f.head<3>() += k.R * m.h.head<3>();
    k.f.tail<3>() += k.R * m.h.segment<3>(3);
    m.ddq = m.z_f + m.h.tail(m.n);
  }
}

void InverseDynamics::compute(const Vector3d& gravity, const VectorXd& du, VectorXd& T) {
  accelerate(tree_, du);
  add_inertia_forces(gravity, du);
  project_forces(tree_, T);
}

}  // namespace solidyn::recursive

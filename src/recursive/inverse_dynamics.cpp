#include "solidyn/recursive/inverse_dynamics.h"

#include "recursive/link_sweeps.h"

namespace solidyn::recursive {

using Eigen::Map;
using Eigen::Vector3d;
using Eigen::VectorXd;

// What inertia, gravity and elasticity ask of the hinge of a body alone, into Link::f and
// Modes::ddq.
void InverseDynamics::set_own_force(Link& k, const Vector3d& gravity, const VectorXd& du) {
  if (k.modes < 0) {
    const Vector3d a = k.a.head<3>() - gravity, turn = k.a.tail<3>(), c = k.R * k.first_moment;
    const Vector3d w_B = k.R.transpose() * k.w, turn_B = k.R.transpose() * turn;
    const Vector3d L = k.J * w_B, torque_B = k.J * turn_B + w_B.cross(L);
    k.f.head<3>() = k.mass * a + turn.cross(c) + k.w.cross(k.w.cross(c));
    k.f.tail<3>() = c.cross(a) + k.R * torque_B;
    return;
  }
  Modes& m = tree_.modes()[k.modes];
  const VectorXd& own = own_acceleration(tree_, k, du);
  bodies::BodyState moving = m.state;
  new (&moving.a) Map<const VectorXd>(own.data(), own.size());
  m.h.setZero();
  m.body->add_residual(moving, k.R.transpose() * gravity, m.h);
  k.f.head<3>() = k.R * m.h.head<3>();
  k.f.tail<3>() = k.R * m.h.segment<3>(3);
  m.ddq = m.h.tail(m.n);
}

void InverseDynamics::compute(const Vector3d& gravity, const VectorXd& du, VectorXd& T) {
  for (Link& k : tree_.links()) {
    accelerate(tree_, k, du);
    set_own_force(k, gravity, du);
    k.f += k.z;
    if (k.modes >= 0) tree_.modes()[k.modes].ddq += tree_.modes()[k.modes].z_f;
  }
  project_forces(tree_, T);
}

void InverseDynamics::compute_alone(const double* q, const double* u, const Vector3d& gravity,
                                    const VectorXd& du, VectorXd& T) {
  tree_.sweep_outwards(q, u, [&](Link& k) {
    accelerate(tree_, k, du);
    set_own_force(k, gravity, du);
  });
  project_forces(tree_, T);
}

}  // namespace solidyn::recursive

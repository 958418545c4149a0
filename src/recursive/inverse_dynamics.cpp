#include "solidyn/recursive/inverse_dynamics.h"

#include "recursive/link_inertia.h"

namespace solidyn::recursive {

using Eigen::Map;
using Eigen::Vector3d;
using Eigen::VectorXd;

void InverseDynamics::accelerate(const VectorXd& du) {
  for (Link& k : tree_.links()) {
    k.a = k.bias;
    if (k.parent >= 0) {
      const Link& parent = tree_.links()[k.parent];
      const Vector3d turn = parent.a.tail<3>();
      k.a += parent.a;
      k.a.head<3>() += turn.cross(k.arm);
      if (k.carried >= 0)
        k.a += tree_.carried()[k.carried].X.lazyProduct(
            du.segment(parent.u + parent.n_speeds, tree_.modes()[parent.modes].n));
    }
    const auto H = tree_.H(k);
    for (int j = 0; j < k.n_speeds; ++j) k.a += du[k.u + k.order[j]] * H.col(j);
    if (k.modes >= 0) {
      const Modes& m = tree_.modes()[k.modes];
      k.a += m.E.lazyProduct(du.segment(k.u + k.n_speeds, m.n));
    }
  }
}

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
    acceleration_.resize(6 + m.n);
    acceleration_ << k.R.transpose() * a, k.R.transpose() * turn, du.segment(k.u + k.n_speeds, m.n);
    bodies::BodyState moving = m.state;
    new (&moving.a) Map<const VectorXd>(acceleration_.data(), acceleration_.size());
    m.h.setZero();
    m.body->add_residual(moving, k.R.transpose() * gravity, m.h);
    k.f.head<3>() += k.R * m.h.head<3>();
    k.f.tail<3>() += k.R * m.h.segment<3>(3);
    m.ddq = m.z_f + m.h.tail(m.n);
  }
}

void InverseDynamics::compute(const Vector3d& gravity, const VectorXd& du, VectorXd& T) {
  accelerate(du);
  add_inertia_forces(gravity, du);
  T.resize(tree_.n_speeds());
  std::vector<Link>& links = tree_.links();
  for (std::size_t i = links.size(); i-- > 0;) {
    const Link& k = links[i];
    const auto H = tree_.H(k);
    for (int j = 0; j < k.n_speeds; ++j) T[k.u + k.order[j]] = H.col(j).dot(k.f);
    if (k.modes >= 0) {
      const Modes& m = tree_.modes()[k.modes];
      T.segment(k.u + k.n_speeds, m.n) = m.ddq + m.E.transpose().lazyProduct(k.f);
    }
    if (k.parent < 0) continue;
    Link& parent = links[k.parent];
    parent.f += shifted(k, k.f);
    if (k.carried >= 0)
      tree_.modes()[parent.modes].ddq += tree_.carried()[k.carried].X.transpose().lazyProduct(k.f);
  }
}

}  // namespace solidyn::recursive

#include "recursive/link_sweeps.h"

namespace solidyn::recursive {

using Eigen::Vector3d;
using Eigen::VectorXd;

void accelerate(Tree& tree, Link& k, const VectorXd& du) {
  k.a = k.bias;
  if (k.parent >= 0) {
    const Link& parent = tree.links()[k.parent];
    const Vector3d turn = parent.a.tail<3>();
    k.a += parent.a;
    k.a.head<3>() += turn.cross(k.arm);
    if (k.carried >= 0)
      k.a += tree.carried()[k.carried].X.lazyProduct(
          du.segment(parent.u + parent.n_speeds, tree.modes()[parent.modes].n));
  }
  const auto H = tree.H(k);
  for (int j = 0; j < k.n_speeds; ++j) k.a += du[k.u + k.order[j]] * H.col(j);
  if (k.modes < 0) return;
  const Modes& m = tree.modes()[k.modes];
  k.a += m.E.lazyProduct(du.segment(k.u + k.n_speeds, m.n));
}

const VectorXd& own_acceleration(Tree& tree, const Link& k, const VectorXd& du) {
  Modes& m = tree.modes()[k.modes];
  m.a.head<3>().noalias() = k.R.transpose() * k.a.head<3>();
  m.a.segment<3>(3).noalias() = k.R.transpose() * k.a.tail<3>();
  m.a.tail(m.n) = du.segment(k.u + k.n_speeds, m.n);
  return m.a;
}

Vector6d shifted(const Link& k, const Vector6d& f) {
  Vector6d out = f;
  const Vector3d force = f.head<3>();
  out.tail<3>() += k.arm.cross(force);
  return out;
}

void project_force(Tree& tree, const Link& k, VectorXd& T) {
  const auto H = tree.H(k);
  for (int j = 0; j < k.n_speeds; ++j) T[k.u + k.order[j]] = H.col(j).dot(k.f);
  if (k.modes < 0) return;
  const Modes& m = tree.modes()[k.modes];
  T.segment(k.u + k.n_speeds, m.n) = m.ddq + m.E.transpose().lazyProduct(k.f);
}

void pass_hinge_force(Tree& tree, const Link& k) {
  Link& parent = tree.links()[k.parent];
  parent.f += shifted(k, k.f);
  if (k.carried >= 0)
    tree.modes()[parent.modes].ddq += tree.carried()[k.carried].X.transpose().lazyProduct(k.f);
}

void project_forces(Tree& tree, VectorXd& T) {
  T.resize(tree.n_speeds());
  const std::vector<Link>& links = tree.links();
  for (std::size_t i = links.size(); i-- > 0;) {
    project_force(tree, links[i], T);
    if (links[i].parent >= 0) pass_hinge_force(tree, links[i]);
  }
}

}  // namespace solidyn::recursive

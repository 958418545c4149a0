// Of TangentSweep, what a solution with the matrix of an earlier position misses where bodies are
// now.
//
// With J the columns of all hinges and modes in the axes of each body, J0 as they were, and K what
// forces of bodies vary by, which turns with them,
//   J^T K J - J0^T K J0 = (J - J0)^T K J + J0^T K (J - J0).
// In a long chain K J y, added up to what hinges exert, is large beside what it leaves along the
// columns: each of these that has changed leaves a pair of forces in its hinge, and all of them
// together move the links by as much as the solution, in ways that have little inertia. So forces
// of hinges are known from the solution nevertheless, and what they leave along the columns of now
// is the first term. The second one moves links by no more than their columns have changed. A
// mechanism that turns as a whole has neither.
#include "math/small_product.h"
#include "recursive/link_sweeps.h"
#include "recursive/tangent_sweep.h"

namespace solidyn::recursive {

using Eigen::Matrix3d;
using Eigen::VectorXd;
using math::add_small_product;

namespace {

Vector6d turned(const Matrix3d& R, const Vector6d& f) {
  Vector6d out;
  out << R * f.head<3>(), R * f.tail<3>();
  return out;
}

}  // namespace

void TangentSweep::refine(VectorXd& change) {
  work_.of_now.setZero(tree_.n_speeds());
  if (on_ranks_)
    hold_shared();
  else
    for (auto i = watched_links_.size(); i-- > 0;) hold(watched_links_[i]);
  solve(work_.of_now, change);
}

void TangentSweep::hold(int i) {
  const HingeForce f = hold_by_hinge(i);
  if (!is_carried_by_watched(i)) return;
  const Link& k = tree_.links()[i];
  z_[k.parent] += missed_by_parent(i, f);
  if (k.carried >= 0) modes_of_now(k.parent) += missed_along_modes(i, f);
}

// Forces of hinges, and along their own columns those of now less those of then.
// @pre z_ what turning its force with the link misses of those that it carries; zero thereafter
TangentSweep::HingeForce TangentSweep::hold_by_hinge(int i) {
  const Link& k = tree_.links()[i];
  HingeForce f;
  f.then = force_variation(i);
  f.now = turned(turn_since(i), f.then) + z_[i];
  z_[i].setZero();
  VectorXd& r = work_.of_now;
  const auto H = tree_.H(k);
  for (int j = 0; j < k.n_free; ++j) r[k.u + k.order[j]] += H.col(j).dot(f.now);
  if (k.modes >= 0) modes_of_now(i) += tree_.modes()[k.modes].E.transpose().lazyProduct(f.now);
  if (is_simple(k)) {
    r[k.u] -= simple_[index_[i]].column.dot(f.then);
    return f;
  }
  const General& g = general_[index_[i]];
  VectorXd& along = work_.along;
  along.setZero(g.rows.rows());
  add_small_product(g.rows, f.then, along);
  const auto first = along.size() - static_cast<Eigen::Index>(g.speeds.size());
  for (std::size_t j = 0; j < g.speeds.size(); ++j) r[g.speeds[j]] -= along[first + j];
  return f;
}

bool TangentSweep::is_carried_by_watched(int i) const {
  const int parent = places_[i].parent;
  return parent >= 0 && place_of_watched_[parent] >= 0;
}

// How a watched link has turned since its elimination.
Matrix3d TangentSweep::turn_since(int i) const {
  return tree_.links()[i].R * watched_[place_of_watched_[i]].R.transpose();
}

// Of what the parent's hinge exerts now.
Vector6d TangentSweep::missed_by_parent(int i, const HingeForce& f) const {
  const Link& k = tree_.links()[i];
  Vector6d then = f.then;
  const Eigen::Vector3d force = then.head<3>();
  then.tail<3>() += shift_[i].r.cross(force);
  return shifted(k, f.now) - turned(turn_since(k.parent), then);
}

// And of forces on the parent's modes. @pre the link is on a frame that modes carry
const VectorXd& TangentSweep::missed_along_modes(int i, const HingeForce& f) {
  const General& g = general_[index_[i]];
  VectorXd& along = work_.along;
  along = tree_.carried()[tree_.links()[i].carried].X.transpose().lazyProduct(f.now);
  along -= g.rows.topRows(g.n_parent).lazyProduct(f.then);
  return along;
}

Eigen::VectorBlock<VectorXd> TangentSweep::modes_of_now(int i) {
  const Link& k = tree_.links()[i];
  return work_.of_now.segment(k.u + k.n_speeds, tree_.modes()[k.modes].n);
}

}  // namespace solidyn::recursive

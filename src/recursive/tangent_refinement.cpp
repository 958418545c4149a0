// Of TangentSweep, what a solution with the matrix of an earlier position misses where bodies are
// now.
//
// With J the columns of all hinges and modes, J0 as they were, and K what forces of bodies vary by,
//   J^T K J - J0^T K J0 = (J - J0)^T K J + J0^T K (J - J0).
// In a long chain K J y, added up to what hinges exert, is large beside what it leaves along the
// columns: each of these that has changed leaves a pair of forces in its hinge, and all of them
// together move the links by as much as the solution, in ways that have little inertia. So forces
// of hinges are known from the solution nevertheless, and what they leave along the columns of now
// is the first term. The second one moves links by no more than their columns have changed.
#include "recursive/link_sweeps.h"
#include "recursive/tangent_sweep.h"

namespace solidyn::recursive {

using Eigen::VectorXd;

// Forces f of hinges, as loads f on their links and -f on the parents, leave nothing along the kept
// columns; along those of now they leave what `of_now` takes away.
void TangentSweep::refine(VectorXd& change) {
  work_.of_now.setZero(tree_.n_speeds());
  if (on_ranks_)
    hold_shared();
  else
    for (const int i : watched_links_) hold_parent(i, hold_by_hinge(i));
  solve(work_.of_now, change);
}

// @return f, of which the link's side is done
Vector6d TangentSweep::hold_by_hinge(int i) {
  VectorXd& r = work_.of_now;
  const Link& k = tree_.links()[i];
  const Vector6d f = -force_variation(i);
  const auto H = tree_.H(k);
  for (int j = 0; j < k.n_speeds; ++j) r[k.u + k.order[j]] -= H.col(j).dot(f);
  if (k.modes >= 0) {
    const Modes& m = tree_.modes()[k.modes];
    r.segment(k.u + k.n_speeds, m.n) -= m.E.transpose().lazyProduct(f);
  }
  z_[i] += f;
  return f;
}

void TangentSweep::hold_parent(int i, const Vector6d& f) {
  const Link& k = tree_.links()[i];
  if (k.parent < 0) return;
  z_[k.parent] -= shifted(k, f);
  if (k.carried < 0) return;
  const Link& parent = tree_.links()[k.parent];
  work_.of_now.segment(parent.u + parent.n_speeds, tree_.modes()[parent.modes].n) -=
      tree_.carried()[k.carried].X.transpose().lazyProduct(f);
}

}  // namespace solidyn::recursive

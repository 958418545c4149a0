// Of ArticulatedBodies, nodes of beams: before the sweep inwards and after the one outwards.
#include "recursive/absolute_part.h"
#include "recursive/closure_sweep.h"
#include "solidyn/recursive/articulated_bodies.h"

namespace solidyn::recursive {

using Eigen::VectorXd;

void ArticulatedBodies::eliminate_absolute_part() {
  if (!absolute_) return;
  absolute_->factorise();
  if (!closures_) return;
  for (std::size_t g = 0; g < tree_.node_groups().size(); ++g)
    closures_->eliminate_nodes(static_cast<int>(g), *absolute_);
}

// By the forces on it alone, and what rows of closures have of that.
void ArticulatedBodies::accelerate_absolute_part(VectorXd& du) {
  for (std::size_t g = 0; g < tree_.node_groups().size(); ++g) {
    const NodeGroup& nodes = tree_.node_groups()[g];
    if (!absolute_) {
      du.segment(nodes.u, nodes.n).setZero();
      continue;
    }
    absolute_->accelerate(static_cast<int>(g), du);
    if (closures_) closures_->force_nodes(static_cast<int>(g), du);
  }
}

// With the multipliers of closures, which are known now.
void ArticulatedBodies::settle_absolute_part(VectorXd& du) {
  if (!absolute_) return;
  if (closures_)
    for (std::size_t g = 0; g < tree_.node_groups().size(); ++g)
      closures_->accelerate_nodes(static_cast<int>(g), du);
  absolute_->settle(du);
}

}  // namespace solidyn::recursive

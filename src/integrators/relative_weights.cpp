#include "integrators/relative_weights.h"

#include "solidyn/bodies/modal_body.h"

namespace solidyn::integrators {

Eigen::VectorXd increment_weights(const recursive::Tree& tree, double length) {
  Eigen::VectorXd weights = Eigen::VectorXd::Ones(tree.n_speeds());
  for (const recursive::Link& k : tree.links()) {
    weights.segment(k.u, k.hinge.n_translations()).setConstant(1.0 / length);
    if (k.modes < 0) continue;
    const recursive::Modes& m = tree.modes()[k.modes];
    weights.segment(k.u + k.n_speeds, m.n) = m.body->elastic_amplitude() / length;
  }
  return weights;
}

}  // namespace solidyn::integrators

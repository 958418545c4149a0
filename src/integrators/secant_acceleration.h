#pragma once
#include <Eigen/Dense>
#include <vector>

#include "solidyn/base/petsc.h"

namespace solidyn::integrators {

/// Anderson acceleration of depth one for a Newton iteration with an approximate tangent: combines
/// a correction with the one before it so that their common slow component cancels. A full-mesh
/// body's tangent couples rigid and elastic motion at the undeformed shape; on a slender body that
/// bends by more than its thickness the spin about its axis then converges slowly, and it alone.
class SecantAcceleration {
 public:
  /// Forgets; before the first iteration of a step and when the tangent changes.
  void reset() { has_history_ = false; }

  /// Collective over the owners of `nodal`. Turns the corrections (small unknowns, nodal
  /// increments) into updates. @param weights [n_v] of the leading small unknowns, for the inner
  /// product
  void accelerate(const Eigen::VectorXd& weights, Eigen::VectorXd& x,
                  const std::vector<base::Vec>& nodal);

 private:
  void remember_shapes(const std::vector<base::Vec>& nodal);

  bool has_history_ = false;
  Eigen::VectorXd correction_, update_;  // small, of the iteration before
  std::vector<base::Vec> nodal_correction_, nodal_update_;
  Eigen::VectorXd present_;
  std::vector<base::Vec> nodal_present_;
};

}  // namespace solidyn::integrators

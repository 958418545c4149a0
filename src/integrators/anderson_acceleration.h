#pragma once
#include <Eigen/Dense>
#include <deque>
#include <vector>

#include "solidyn/base/petsc.h"

namespace solidyn::integrators {

/// Anderson acceleration of a Newton iteration with an approximate tangent (Walker & Ni 2011, type
/// II): combines a correction with those before it so that the components which converge slowly
/// cancel. A full-mesh body keeps a tangent that couples rigid and elastic motion at the undeformed
/// shape, or that of an earlier time: few directions of it are wrong, and these are what this
/// finds.
class AndersonAcceleration {
 public:
  /// Forgets; before the first iteration of a step and when the tangent changes.
  void reset();

  /// Collective over the owners of `nodal`. Turns the corrections (small unknowns, nodal
  /// increments) into updates. @param weights [n_v] of the leading small unknowns, and
  /// @param length m, that turn both into relative displacements for the inner product
  void accelerate(const Eigen::VectorXd& weights, double length, Eigen::VectorXd& x,
                  std::vector<base::Vec>& nodal);

 private:
  /// A point in the space of unknowns.
  struct Vector {
    Eigen::VectorXd small;
    std::vector<base::Vec> nodal;
  };
  struct Difference {
    Vector correction, update;  ///< d_{j+1} - d_j, x_{j+1} - x_j
  };
  double dot(const Eigen::VectorXd& weights, double length, const Vector& a, const Vector& b) const;
  Difference take_difference(const std::vector<base::Vec>& like);

  std::deque<Difference> history_;  // the last one's correction is -d_j until the next call
  std::vector<Difference> spare_;   // memory of forgotten ones
  Vector d_;
  Eigen::MatrixXd gram_;  // of the corrections in history_
};

}  // namespace solidyn::integrators

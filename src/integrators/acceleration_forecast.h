#pragma once
#include <Eigen/Dense>
#include <deque>
#include <vector>

#include "solidyn/base/petsc.h"
#include "solidyn/system/system.h"

namespace solidyn::integrators {

/// A first guess of the algorithmic accelerations at the end of a step, of systems with meshes in
/// absolute coordinates. Those at its start are turned with each body, as far as it turned in the
/// step before, and their changes D are continued by the recurrence
///   D_(n+1) = c1 D_n + c2 D_(n-1) + c3 D_(n-2)
/// that the last three changes come nearest to. With two terms that is exact for one vibration,
/// c1 = 2 cos(omega h), c2 = -1, whether the step resolves it or not. Bodies with a floating frame
/// keep theirs.
/// Proved by AccelerationForecast.*
class AccelerationForecast {
 public:
  void forget() { step_ = 0.0; }
  /// Whether the last accelerations were replaced by other ones.
  bool is_used() const { return is_used_; }
  /// Collective; once for each step. What was known is forgotten where the step has another size.
  /// @param before  where the step begins
  /// @param[in,out] small, nodal  accelerations there; then the guess
  void replace(const system::System& system, const system::State& before, double h,
               Eigen::VectorXd& small, std::vector<base::Vec>& nodal);

 private:
  struct Accelerations {
    Eigen::VectorXd small;
    std::vector<base::Vec> nodal;
  };
  static constexpr std::size_t kMost = 6;  ///< changes that are kept
  Eigen::VectorXd fit() const;

  double step_ = 0.0;  // s, of the step before; 0: nothing is known
  bool is_used_ = false;
  std::vector<Eigen::Matrix3d> R_;     // of each full-mesh body, where that began
  Accelerations before_;               // there
  std::deque<Accelerations> changes_;  // the last one first, turned to the present
};

}  // namespace solidyn::integrators

#include "free_motion.h"

#include <Eigen/LU>

#include "solidyn/base/error.h"
#include "solidyn/math/dense.h"
#include "static_tangent.h"

namespace solidyn::analyses {
namespace {

// Relative to the largest pivot, with all unknowns in lengths and forces of like size.
constexpr double kFree = 1e-11;

}  // namespace

std::string describe_free_motion(system::System& system, const system::State& state) {
  if (system.layout().n_unknowns() == 0 || system.layout().n_unknowns() > kLargestDenseTangent)
    return "";
  StaticTangent tangent;
  try {
    tangent = compute_static_tangent(system, state);
  } catch (const base::ComputationError&) {
    return "";  // where it came to, no tangent can be had
  }
  if (!tangent.matrix.allFinite()) return "";
  const math::FullLuFactor factor(tangent.matrix, kFree);
  if (factor.rank() == tangent.matrix.cols()) return "";
  const Eigen::MatrixXd kernel = factor.kernel();
  const int n_v = system.layout().n_velocities();
  for (Eigen::Index i = 0; i < kernel.cols(); ++i) {
    const Eigen::VectorXd scaled = kernel.col(i).normalized().head(n_v);
    if (scaled.norm() < 0.5) continue;  // of redundant constraints
    const std::string motion = describe_motion(
        system, state, scaled.cwiseProduct(tangent.scale.head(n_v)), "can move freely");
    if (!motion.empty()) return "\n  " + motion + ": constrain it by a support or a joint";
  }
  return "";
}

}  // namespace solidyn::analyses

#include "free_motion.h"

#include <Eigen/LU>
#include <stdexcept>

#include "solidyn/base/error.h"
#include "solidyn/base/resource_error.h"
#include "solidyn/math/dense.h"
#include "solidyn/system/initial_conditions.h"
#include "solidyn/system/scales.h"
#include "static_tangent.h"

namespace solidyn::analyses {
namespace {

// Relative to the largest pivot, with all unknowns in lengths and forces of like size.
constexpr double kFree = 1e-11;
constexpr double kStepAside = 1e-2;   // lengths or rad: to where a position is no longer singular
constexpr double kSatisfied = 1e-12;  // m, rad: of the constraints there

int count_dependent_rows(system::System& system, const system::State& state,
                         const Eigen::VectorXd& weights) {
  Eigen::VectorXd r, phi;
  system.update(state);
  system.compute_residual(state, r, phi);
  return static_cast<int>(system::find_redundancy(system, weights).rows.size());
}

// Do fewer rows of constraints depend on others where a motion [n_v] leads? Kinematics are at
// `state` afterwards.
bool is_singular_position(system::System& system, const system::State& state, double length,
                          const Eigen::VectorXd& motion) {
  if (system.layout().n_constraints() == 0 || !system.layout().nodal_bodies().empty()) return false;
  const Eigen::VectorXd weights = increment_weights(system, length);
  const int here = count_dependent_rows(system, state, weights);
  int beside = here;
  system::State moved = state.clone();
  const double size = motion.cwiseProduct(weights).lpNorm<Eigen::Infinity>();
  system.advance(state.q, kStepAside / size * motion, moved.q);
  try {
    system::assemble_positions(system, moved, kSatisfied);
    beside = count_dependent_rows(system, moved, weights);
  } catch (const base::ResourceError&) {
    throw;
  } catch (const std::runtime_error&) {
    // There is no such position: the motion is one of first order alone.
  }
  system.update(state);
  return beside < here;
}

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
    const Eigen::VectorXd motion = scaled.cwiseProduct(tangent.scale.head(n_v));
    const std::string text = describe_motion(system, state, motion, "can move freely");
    if (text.empty()) continue;
    return "\n  " + text +
           (is_singular_position(system, state, tangent.length, motion)
                ? ", but only in this singular position, where constraints depend on others: begin in another one"
                : ": constrain it by a support or a joint");
  }
  return "";
}

}  // namespace solidyn::analyses

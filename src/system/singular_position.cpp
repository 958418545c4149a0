#include <algorithm>

#include "assembly.h"
#include "solidyn/system/condition.h"
#include "solidyn/system/initial_conditions.h"
#include "solidyn/system/scales.h"
#include "solidyn/system/singular_start.h"
#include "violation.h"

namespace solidyn::system {
namespace {

using Eigen::VectorXd;

// Of the part of a row that others do not have: near a singular position it falls with the
// distance, and a sixteenth of a step is near.
constexpr double kNearlyDependent = 1e-2;
// Dependent to round-off.
constexpr double kDependent = 1e-9;
// An inverse iteration from nowhere, towards a value far below all others.
constexpr int kConditionIterations = 3;
// Of a move away from the start, in lengths of the mechanism or rad: far enough for a row's own
// part to grow by orders of magnitude, ...
constexpr double kNearby = 0.01;
// ... beyond this; what assembly leads back to the start itself stays below.
constexpr double kIndependent = 1e-5;
// Motions in any direction; one alone may be that of another body.
constexpr int kDirections = 3;
// A motion that constraints leave less of is none.
constexpr double kForbidden = 1e-3;
// Below the singular values of rows that count as independent.
constexpr double kDampingOfMotion = 1e-9;
// Of a move whose second order is looked at, and what counts there, of its square.
constexpr double kShort = 1e-3, kOfSecondOrder = 0.03;

// @param threshold of find_redundancy()
Redundancy redundancy_at(System& system, const State& state, double threshold) {
  VectorXd phi;
  system.update(state);
  system.compute_constraints(state, phi);
  return find_redundancy(system, increment_weights(system, characteristic_length(system)),
                         threshold);
}

bool has_more(const Redundancy& now, const Redundancy& before) {
  return std::any_of(now.rows.begin(), now.rows.end(), [&](int row) {
    return std::find(before.rows.begin(), before.rows.end(), row) == before.rows.end();
  });
}

// Those whose combination says nothing here. @pre compute_constraints() was called
std::string dependent_constraints(const System& system, const Redundancy& everywhere) {
  Condition condition(system, everywhere.rows);
  for (int i = 0; i < kConditionIterations; ++i) condition.estimate();
  return condition.participants();
}

}  // namespace

std::string find_singularity(System& system, const State& start, double t, double tolerance) {
  if (system.layout().n_constraints() == 0) return {};
  // Rows that depend on others everywhere; the start may be near the position itself.
  const Redundancy before = redundancy_at(system, start, kDependent);
  std::string names;
  for (int i = 1; i <= kSubsteps && names.empty(); ++i) {
    State state = start.clone();
    state.t = start.t + (t - start.t) * i / kSubsteps;
    system.advance(start.q, (state.t - start.t) * start.v, state.q);
    Assembly(system, state, tolerance, Assembly::Nodes::stay_behind).run();
    if (!state.q.allFinite()) break;
    if (has_more(redundancy_at(system, state, kNearlyDependent), before))
      names = dependent_constraints(system, before);
  }
  system.update(start);
  return names;
}

namespace {

// A motion of bodies as they are, the `which`-th in no particular direction, that joints allow to
// first order; empty when they allow none. @pre compute_constraints() was called for `state`
VectorXd allowed_motion(const System& system, const Mobility& mobility, double length, int which) {
  VectorXd scales = row_scales(system, increment_weights(system, length));
  let_drives_go(system, scales);
  const SparseMatrix B = scales.asDiagonal() * (system.sparse_G() * mobility.directions());
  VectorXd any(B.cols());
  for (Eigen::Index i = 0; i < any.size(); ++i)
    any[i] = std::sin(1.0 + 1.7 * static_cast<double>(i) + 2.3 * which);
  VectorXd motion = any - damped_solution(B, B * any, kDampingOfMotion);
  const double size = motion.lpNorm<Eigen::Infinity>();
  return size < kForbidden ? VectorXd() : VectorXd(kNearby / size * motion);
}

// Size, in lengths of the mechanism or rad, of what a motion that joints allow to first order
// leaves of them to second order, and no motion beside it takes back; and of which rows. Where the
// motion continues the rest is of third order. @pre the system's kinematics and G are those of
// `start`
VectorXd unyielding_rest(System& system, const State& start, double length, int which) {
  const VectorXd weights = increment_weights(system, length);
  VectorXd scales = row_scales(system, weights), phi;
  let_drives_go(system, scales);
  for (Eigen::Index i = 0; i < scales.size(); ++i)
    if (system.layout().is_velocity_level()[i]) scales[i] = 0.0;
  const SparseMatrix G =
      scales.asDiagonal() * system.sparse_G() * weights.cwiseInverse().asDiagonal();
  State moved = start.clone();
  const Mobility mobility(system, moved, length, Mobility::Flexible::stay);
  const VectorXd motion = allowed_motion(system, mobility, length, which);
  if (motion.size() == 0) return {};
  mobility.move(system, moved, kShort / kNearby * motion);
  system.update(moved);
  system.compute_constraints(moved, phi);
  phi = scales.cwiseProduct(phi);
  return phi - G * damped_solution(G, phi, kDampingOfMotion);
}

// Near `start`, where joints allow it; else at `start`.
Redundancy redundancy_nearby(System& system, const State& start, double tolerance, int which) {
  State state = start.clone();
  redundancy_at(system, state, kIndependent);
  const double length = characteristic_length(system);
  const Mobility mobility(system, state, length, Mobility::Flexible::stay);
  const VectorXd motion = allowed_motion(system, mobility, length, which);
  if (motion.size() > 0) mobility.move(system, state, motion);
  const VectorXd left =
      Assembly(system, state, tolerance, Assembly::Nodes::move_along, Assembly::Drives::let_go)
          .run();
  const bool is_allowed = state.q.allFinite() && left.lpNorm<Eigen::Infinity>() <=
                                                     std::max(tolerance, position_roundoff(state));
  return redundancy_at(system, is_allowed ? state : start, kIndependent);
}

}  // namespace

std::string find_singular_start(System& system, const State& start, const Redundancy& here,
                                double tolerance) {
  if (here.rows.empty()) return {};
  Redundancy least = here;
  for (int i = 0; i < kDirections; ++i) {
    const Redundancy nearby = redundancy_nearby(system, start, tolerance, i);
    if (nearby.rank > least.rank) least = nearby;
  }
  redundancy_at(system, start, kDependent);
  if (least.rank == here.rank) return {};
  return dependent_constraints(system, least) + driven_by(system);
}

std::string find_shaky_start(System& system, const State& start, const Redundancy& here) {
  // What drives ask for beside each other is told when the motion comes to it.
  if (here.rows.empty() || !driven_by(system).empty()) return {};
  std::string names;
  for (int i = 0; i < kDirections && names.empty(); ++i) {
    redundancy_at(system, start, kDependent);
    const VectorXd rest = unyielding_rest(system, start, characteristic_length(system), i);
    if (rest.size() > 0 && rest.norm() > kOfSecondOrder * kShort * kShort)
      names = worst_constraints(system, rest);
  }
  redundancy_at(system, start, kDependent);
  return names;
}

}  // namespace solidyn::system

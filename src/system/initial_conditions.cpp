#include "solidyn/system/initial_conditions.h"

#include <fmt/format.h>

#include <algorithm>

#include "assembly.h"
#include "mobility.h"
#include "rigid_groups.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/system/accelerations.h"
#include "solidyn/system/quasi_static_start.h"
#include "solidyn/system/scales.h"
#include "solidyn/system/velocity_violation.h"
#include "violation.h"

namespace solidyn::system {
namespace {

using Eigen::VectorXd;

// Below the singular values of rows that count as independent.
constexpr double kDamping = 1e-9;
// Velocity corrections are linear: repetitions remove round-off and the effect of the damping.
constexpr int kMaxCorrections = 5;
// Corrections that leave more than this of a violation lead nowhere.
constexpr double kStalled = 0.9;
// Violations that stay above this many times the tolerance contradict each other; below, it is
// round-off.
constexpr double kContradicts = 10.0;

}  // namespace

void assemble_positions(System& system, State& state, double tolerance, AssemblyWay way) {
  const double allowed = std::max(tolerance, position_roundoff(state));
  system.update(state);
  state.angles = system.angles().aligned_values(system.kinematics());
  Assembly assembly(system, state, tolerance);
  const VectorXd left = way == AssemblyWay::direct ? assembly.run() : assembly.run_along_drives();
  if (left.size() > 0 && !(left.lpNorm<Eigen::Infinity>() <= allowed)) {
    throw base::InputError(
        fmt::format(
            "the mechanism cannot be assembled: no configuration near the given poses satisfies all constraints; violated: {}",
            worst_rows(system, left)),
        "check the poses of the bodies and the points and axes of these joints");
  }
}

namespace {

std::string violated_on_the_way(System& system, const State& start, double t, double tolerance) {
  State state = start.clone();
  for (int i = 1; i <= kSubsteps; ++i) {
    state.t = start.t + (t - start.t) * i / kSubsteps;
    const VectorXd left = Assembly(system, state, tolerance, Assembly::Nodes::stay_behind).run();
    const double remains = left.lpNorm<Eigen::Infinity>();
    if (!std::isfinite(remains)) return {};
    if (remains > kContradicts * std::max(tolerance, position_roundoff(state)))
      return worst_rows(system, left) + driven_by(system);
  }
  return {};
}

}  // namespace

std::string find_contradiction(System& system, const State& start, double t, double tolerance) {
  if (system.layout().n_constraints() == 0) return {};
  std::string violated = violated_on_the_way(system, start, t, tolerance);
  system.update(start);  // its kinematics look into the state they were computed for
  return violated;
}

namespace {

enum class Velocities { given, carried };

// Of interfaces that share a node one body's velocity is taken, so that the others' may deform.
void make_velocities_rigid(System& system, State& state, double length, Velocities velocities) {
  constexpr double kRounding = 1e-6;
  const double largest = state.v.size() ? state.v.lpNorm<Eigen::Infinity>() : 0.0;
  const double deforming = stop_deforming(system, length, state.v);
  if (velocities == Velocities::given && deforming > kRounding * std::max(1.0, length) * largest)
    base::log_warning(
        "the given velocities would deform superelements from the start: fixed joints connect bodies with different velocities; these bodies start as one rigid body\n  give each of them the linear and angular velocity of the common rigid-body motion");
}

// What is left of G v = nu.
VectorXd velocity_violation_of(System& system, const State& state, VectorXd& nu) {
  VectorXd phi;
  system.update(state);
  system.compute_constraints(state, phi);
  return velocity_violation(system, state, &nu);
}

// The smallest change of the velocities that leaves the least of a violation.
void correct_velocities(System& system, State& state, double length, Mobility::Flexible flexible,
                        const VectorXd& violation) {
  const VectorXd scales = row_scales(system, increment_weights(system, length));
  const Mobility mobility(system, state, length, flexible);
  const SparseMatrix B = scales.asDiagonal() * (system.sparse_G() * mobility.directions());
  mobility.add_velocities(system, state,
                          damped_solution(B, -scales.cwiseProduct(violation), kDamping));
}

double largest(const VectorXd& v) { return v.size() ? v.lpNorm<Eigen::Infinity>() : 0.0; }

void make_consistent(System& system, State& state, double tolerance, Velocities velocities) {
  system.update(state);
  const double length = characteristic_length(system);
  make_velocities_rigid(system, state, length, velocities);
  VectorXd nu, left = velocity_violation_of(system, state, nu);
  const double allowed = tolerance * std::max({1.0, largest(nu), largest(state.v)});
  for (const auto flexible : {Mobility::Flexible::stay, Mobility::Flexible::deform}) {
    if (flexible == Mobility::Flexible::deform && !system.layout().nodal_bodies().empty()) break;
    for (int i = 0; i < kMaxCorrections; ++i) {
      const double before = largest(left);
      if (before <= allowed) return;
      correct_velocities(system, state, length, flexible, left);
      left = velocity_violation_of(system, state, nu);
      if (largest(left) > kStalled * before) break;
    }
  }
  if (!(largest(left) <= 1e3 * allowed)) {
    throw base::InputError(
        fmt::format(
            "the constraints contradict each other: no initial velocities satisfy all of them; violated: {}",
            worst_rows(system, left)),
        "two drives may prescribe the same motion, or a drive a motion that joints prevent");
  }
}

}  // namespace

void make_velocities_consistent(System& system, State& state, double tolerance) {
  make_consistent(system, state, tolerance, Velocities::given);
}

void make_carried_velocities_consistent(System& system, State& state, double tolerance) {
  make_consistent(system, state, tolerance, Velocities::carried);
}

void solve_accelerations(System& system, State& state, solvers::LinearSolver& solver,
                         bool is_redundant) {
  AccelerationOptions options;
  if (is_redundant) {
    VectorXd phi;
    system.update(state);
    system.compute_constraints(state, phi);
    options.regularization = redundancy_regularization(system);
  }
  solve_acceleration_equations(system, state, options, solver);
}

}  // namespace solidyn::system

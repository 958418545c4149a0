#include "kinematic_stepper.h"

#include <fmt/format.h>

#include <cmath>

#include "free_bodies.h"
#include "solidyn/base/error.h"
#include "solidyn/base/timer.h"
#include "solidyn/system/condition.h"
#include "solidyn/system/quasi_static_start.h"
#include "solidyn/system/scales.h"

namespace solidyn::analyses {
namespace {

using Eigen::VectorXd;
using system::State;
using system::System;

// Positions and velocities are corrected to this, in m, rad and their rates.
constexpr double kOnConstraints = 1e-12;
// A step is cut when its correction is longer than this part of the motion in it.
constexpr double kSmallPart = 0.3;
// Corrections below this, relative to the mechanism's length, are no sign of another branch.
constexpr double kSmall = 1e-6;
constexpr int kMostCuts = 12;
// A shape that is not there does not come nearer by shorter steps.
constexpr int kMostCutsForShape = 4;
// Of the part of a row that others do not have. In a dead centre positions are known to the square
// root of what they are corrected to, 1e-6, and so is that part.
constexpr double kDetermined = 1e-5;
// An inverse iteration from nowhere, towards a value far below all others.
constexpr int kConditionIterations = 3;
// rad that a tracked angle may turn by in a step: beyond half a turn its whole turns are lost.
constexpr double kCountable = 0.9 * M_PI;

base::ComputationError singular_at(double t, const std::string& constraints) {
  return base::ComputationError(fmt::format(
      "t = {:.6g} s: the mechanism reaches a singular position (a dead centre), where these constraints are linearly dependent, so that the drives do not determine how it continues: {}\n  drive another joint, choose a `step` that does not hit this position, or use `dynamics`, where inertia determines the motion",
      t, constraints));
}

}  // namespace

// From point to point of a distance that a joint holds or drives.
struct KinematicStepper::Span {
  const joints::Constraint* joint;
  Eigen::Vector3d vector;
};

std::vector<KinematicStepper::Span> KinematicStepper::spans() const {
  std::vector<Span> spans;
  for (const bodies::ConstraintIndex c : system_.constraints()) {
    const joints::Constraint& joint = system_.constraint(c);
    for (const Eigen::Vector3d& span : joint.spans(system_.kinematics()))
      spans.push_back({&joint, span});
  }
  return spans;
}

// The joint whose points have passed each other.
std::string KinematicStepper::reversed_since(const std::vector<Span>& before) const {
  const std::vector<Span> now = spans();
  for (std::size_t i = 0; i < now.size(); ++i)
    if (before[i].vector.dot(now[i].vector) <= 0.0) return now[i].joint->name();
  return {};
}

KinematicStepper::KinematicStepper(System& system, const DynamicsOptions& options,
                                   const system::Redundancy& redundancy)
    : system_(system),
      h_(options.step),
      is_quasi_static_(options.inverse == InverseDynamics::quasi_static &&
                       has_flexible_bodies(system)),
      redundancy_(redundancy),
      solver_(solvers::make_linear_solver(options.preset, system.layout().n_unknowns())) {
  if (!is_quasi_static_) require_kinematics(system, redundancy);
  system_.set_pattern(*solver_);
}

void KinematicStepper::initialize(const State& state) {
  system_.update(state);
  weights_ = increment_weights(system_, characteristic_length(system_));
}

void KinematicStepper::step(State& state, double t_end) {
  double next = (std::round(state.t / h_) + 1.0) * h_;
  if (next > t_end - 1e-9 * h_) next = t_end;
  const State before = state.clone();
  try {
    advance(state, next, 0);
  } catch (const base::InputError& e) {  // of a state that cannot be assembled
    state.copy_from(before);
    throw base::ComputationError(fmt::format("t = {:.6g} s: the drives cannot be followed: {}",
                                             next, e.diagnostics().front().what));
  } catch (const base::ComputationError&) {
    state.copy_from(before);
    throw;
  }
  state.t = next;
  ++statistics_.steps;
}

void KinematicStepper::advance(State& state, double t_end, int n_cuts) {
  const State before = state.clone();
  std::exception_ptr contradiction;
  try {
    if (follow(state, t_end)) return;
  } catch (const base::InputError&) {
    contradiction = std::current_exception();
  }
  state.copy_from(before);
  if (n_cuts == (has_no_shape_ ? kMostCutsForShape : kMostCuts)) {
    if (contradiction) std::rethrow_exception(contradiction);
    if (has_no_shape_)
      throw base::ComputationError(fmt::format(
          "t = {:.6g} s: inverse_dynamics: the flexible bodies have no stable shape in equilibrium with loads and inertia forces: they turn too fast for their stiffness, buckle, or the mechanism is near a dead centre\n  write  deformation: dynamic  there, drive another joint, or use shorter steps",
          before.t));
    if (!reversed_.empty())
      throw base::ComputationError(fmt::format(
          "t = {:.6g} s: the points whose distance {} drives coincide, and a distance cannot be negative\n  end before, or drive them past each other along an axis (translation_drive)",
          before.t, reversed_));
    const std::string dependent = system::find_singularity(system_, before, t_end, kOnConstraints);
    if (!dependent.empty()) throw singular_at(before.t, dependent);
    throw base::ComputationError(fmt::format(
        "t = {:.6g} s: the mechanism reaches a position in which its drives do not determine how it continues (a dead centre): positions jump however short the step\n  drive another joint, or use `dynamics`, where inertia determines the motion",
        before.t));
  }
  const double middle = 0.5 * (state.t + t_end);
  advance(state, middle, n_cuts + 1);
  advance(state, t_end, n_cuts + 1);
}

// @return false when the motion or its correction is too long to be sure of its branch
bool KinematicStepper::follow(State& state, double t_end) {
  const double h = t_end - state.t;
  const VectorXd motion = h * state.v + 0.5 * h * h * state.a;
  reversed_.clear();
  has_no_shape_ = false;
  system_.update(state);
  if (system_.angles().largest_turn(system_.kinematics(), system_.layout(), motion) > kCountable)
    return false;
  const std::vector<Span> spans_before = spans();
  const State before = state.clone();
  VectorXd predicted;
  system_.advance(state.q, motion, predicted);
  state.q = predicted;
  state.t = t_end;
  base::ScopedTimer timer(statistics_.solve_seconds);
  system::assemble_positions(system_, state, kOnConstraints, system::AssemblyWay::direct);
  const double corrected = distance(state, predicted);
  if (corrected > kSmall && corrected > kSmallPart * distance(before, predicted)) return false;
  reversed_ = reversed_since(spans_before);
  if (!reversed_.empty()) return false;
  require_regular(t_end);
  system_.accept(state);
  state.v += h * state.a;
  system::make_carried_velocities_consistent(system_, state, kOnConstraints);
  if (is_quasi_static_ && !deform(state)) return false;
  state.lambda.setZero();
  system::solve_accelerations(system_, state, *solver_, !redundancy_.rows.empty());
  ++statistics_.linear_solves;
  return true;
}

// The accelerations that follow are those of the mechanism in that shape: elastic ones are zero.
// @return false when no stable shape is near that of the step before
bool KinematicStepper::deform(State& state) {
  try {
    has_no_shape_ = !system::deform_quasi_statically(system_, state, redundancy_);
  } catch (const base::ComputationError&) {
    has_no_shape_ = true;
  }
  system_.update(state);
  return !has_no_shape_;
}

// Velocities, accelerations and forces of a dead centre would be noise. @pre positions are those of
// t
void KinematicStepper::require_regular(double t) const {
  const std::size_t n_dependent =
      system::find_redundancy(system_, weights_, kDetermined).rows.size();
  if (n_dependent <= redundancy_.rows.size()) return;
  system::Condition condition(system_, redundancy_.rows);
  for (int i = 0; i < kConditionIterations; ++i) condition.estimate();
  throw singular_at(t, condition.participants());
}

// The largest displacement of a body between two configurations, relative to the mechanism's
// length, and rotation, rad.
double KinematicStepper::distance(const State& from, const VectorXd& q) const {
  double largest = 0.0;
  const double length = 1.0 / weights_[0];
  for (const bodies::BodyIndex b : system_.bodies()) {
    if (system_.body(b).n_rigid() == 0) continue;
    const int at = system_.layout().configuration_offset(b);
    const auto rotation = [&](const VectorXd& c) {
      return Eigen::Quaterniond(c[at + 3], c[at + 4], c[at + 5], c[at + 6]);
    };
    largest = std::max({largest, (from.q - q).segment<3>(at).norm() / length,
                        rotation(from.q).angularDistance(rotation(q))});
  }
  return largest;
}

}  // namespace solidyn::analyses

#include "start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/bodies/superelement.h"
#include "solidyn/forces/force.h"
#include "solidyn/solvers/linear_solver.h"
#include "solidyn/system/accelerations.h"
#include "solidyn/system/initial_conditions.h"
#include "solidyn/system/orientation_of.h"
#include "solidyn/system/scales.h"

namespace solidyn::analyses {
namespace {

constexpr std::size_t kRedundantNamedAtMost = 12;

// Friction makes the motion depend on how redundant joints share their forces.
std::string frictional_joints(const system::System& system) {
  std::string names;
  for (const forces::ForceIndex i : system.forces())
    for (const bodies::ConstraintIndex c : system.force(i).constraints())
      names += (names.empty() ? "" : ", ") + system.constraint(c).name();
  return names.empty()
             ? ""
             : "; but joint friction depends on them, and so its distribution over redundant joints is not unique: " +
                   names;
}

using Eigen::VectorXd;

// Bodies that assembly moved by less than this, relative to the mechanism's length, count as
// modelled in place.
constexpr double kInPlace = 1e-6;
// Of a body's velocity: a smaller change is none.
constexpr double kSameVelocity = 0.01;
constexpr std::size_t kNamedAtMost = 3;

std::string point_masses(const system::System& system) {
  std::string names;
  for (const bodies::BodyIndex i : system.bodies())
    if (system.body(i).mass() > 0.0 && system.body(i).radius_of_gyration() == 0.0)
      names += (names.empty() ? "; without inertia: " : ", ") + system.body(i).name();
  return names;
}

// The change of a body, and its size, by which the reported ones are chosen.
struct Change {
  std::string text;
  double size = 0.0;
};

std::string listed(std::vector<Change> changes) {
  std::sort(changes.begin(), changes.end(),
            [](const Change& a, const Change& b) { return a.size > b.size; });
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamedAtMost, changes.size()); ++i)
    text += (i ? ", " : "") + changes[i].text;
  if (changes.size() > kNamedAtMost)
    text += fmt::format(" and {} more", changes.size() - kNamedAtMost);
  return text;
}

// Lengths in m or m/s, angles in rad or rad/s; one that is below `least` is left out.
Change change_of(const std::string& body, double distance, double angle, double length,
                 double least, const char* per_time) {
  const std::string by_distance = fmt::format("{:.3g} m{}", distance, per_time);
  const std::string by_angle = fmt::format("{:.3g} deg{}", angle * 180.0 / M_PI, per_time);
  Change change{body + " by " + by_distance + " and " + by_angle,
                std::max(distance / length, angle)};
  if (distance <= least * length) change.text = body + " by " + by_angle;
  if (angle <= least) change.text = body + " by " + by_distance;
  return change;
}

Change displacement(const system::System& system, bodies::BodyIndex body, const VectorXd& from,
                    const VectorXd& to, double length) {
  const int at = system.layout().configuration_offset(body);
  const std::string& name = system.body(body).name();
  if (system.body(body).n_rigid() == 0) {  // the ports of absolute coordinates are positions
    const VectorXd moved = (to - from).segment(at, system.body(body).n_elastic());
    const double distance = moved.size() > 0 ? moved.lpNorm<Eigen::Infinity>() : 0.0;
    return change_of(name, distance, 0.0, length, kInPlace, "");
  }
  return change_of(name, (to - from).segment<3>(at).norm(),
                   system::orientation_of(from, at).angularDistance(system::orientation_of(to, at)),
                   length, kInPlace, "");
}

}  // namespace

void solve_first_accelerations(system::System& system, system::State& state,
                               solvers::LinearSolver& solver, bool is_redundant) {
  try {
    system::solve_accelerations(system, state, solver, is_redundant);
  } catch (const system::JammedError& e) {
    throw base::InputError(
        fmt::format("the mechanism is jammed by friction at the start: {}", e.what()),
        "use a smaller coefficient of friction, a larger `moment_arm` or a force closer to the joint to let it move; started at rest it remains at rest");
  } catch (const solvers::NotConverged&) {
    throw;
  } catch (const base::ComputationError& e) {
    throw base::InputError(
        fmt::format(
            "the initial accelerations are undefined, because some motion of a body has no inertia: {}{}",
            e.what(), point_masses(system)),
        "give each rigid body an `inertia` about every axis about which its joints allow rotation; without it the body is a point mass");
  }
}

// A start that differs from the drawing is often a drive that does not begin at zero.
void warn_of_displaced_bodies(const system::System& system, const VectorXd& drawn,
                              const VectorXd& assembled) {
  const double length = characteristic_length(system);
  std::vector<bodies::BodyIndex> carriers;  // without a mass of their own
  for (const bodies::Superelement* superelement : system.connectivity().superelements())
    for (const bodies::BodyIndex carrier : superelement->carriers()) carriers.push_back(carrier);
  std::vector<Change> changes;
  for (const bodies::BodyIndex i : system.bodies()) {
    if (!system.body(i).is_placed() &&
        std::find(carriers.begin(), carriers.end(), i) == carriers.end())
      continue;
    Change change = displacement(system, i, drawn, assembled, length);
    if (change.size > kInPlace) changes.push_back(std::move(change));
  }
  if (changes.empty()) return;
  base::log_warning(
      "the poses did not satisfy the joints and drives, or bodies were in each other, at the start; assembly moved {}; if this is not intended, correct the poses, or let the drives start as modelled (angles, translations and driven strains at 0, lengths at the modelled distance)",
      listed(std::move(changes)));
}

// Bodies that were given no velocity are free to take one.
void warn_of_changed_velocities(const system::System& system, const VectorXd& given,
                                const VectorXd& consistent) {
  const double length = characteristic_length(system);
  std::vector<Change> changes;
  for (const bodies::BodyIndex i : system.bodies()) {
    if (system.body(i).n_rigid() == 0 || system.body(i).mass() == 0.0) continue;
    const int at = system.layout().velocity_offset(i);
    const VectorXd before = given.segment<6>(at), moved = consistent.segment<6>(at) - before;
    const double size = std::max(before.head<3>().norm() / length, before.tail<3>().norm());
    Change change = change_of(system.body(i).name(), moved.head<3>().norm(), moved.tail<3>().norm(),
                              length, kSameVelocity * size, "/s");
    if (change.size > kSameVelocity * size && size > 0.0) changes.push_back(std::move(change));
  }
  if (changes.empty()) return;
  base::log_warning(
      "the given velocities did not satisfy the joints and drives; the velocity of {} was changed; if this is not intended, give each body a velocity of its origin and an angular velocity that its joints allow",
      listed(std::move(changes)));
}

void warn_of_forces_at_start(const system::System& system, double t) {
  for (const forces::ForceIndex i : system.forces())
    if (const std::string what = system.force(i).warning_at_start(system.kinematics(), t);
        !what.empty())
      base::log_warning("{}", what);
}

void warn_of_redundancy(const system::System& system, const system::Redundancy& redundancy,
                        const std::string& found) {
  if (redundancy.rows.empty()) return;
  std::string names;
  const std::size_t n = redundancy.names.size(), n_named = std::min(n, kRedundantNamedAtMost);
  for (std::size_t i = 0; i < n_named; ++i) names += (i ? ", " : "") + redundancy.names[i];
  if (n > n_named) names += fmt::format(" and {} more", n - n_named);
  base::log_warning(
      "{} of {} constraint equations are redundant: {}. The {} is not affected; the reactions are the minimum-norm solution{}",
      redundancy.rows.size(), system.layout().n_constraints(), names, found,
      frictional_joints(system));
}

}  // namespace solidyn::analyses

#include "start.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/bodies/element_body.h"
#include "solidyn/bodies/strain_body.h"
#include "solidyn/forces/coordinate_force.h"
#include "solidyn/system/accelerations.h"
#include "solidyn/system/initial_conditions.h"

namespace solidyn::analyses {
namespace {

using Eigen::VectorXd;

// Bodies that assembly moved by less than this, relative to the mechanism's length, count as drawn
// in place.
constexpr double kInPlace = 1e-6;
// Of a body's velocity: a smaller change is none.
constexpr double kSameVelocity = 0.01;
constexpr std::size_t kNamedAtMost = 3;

std::string point_masses(const system::System& system) {
  std::string names;
  for (int i = 0; i < system.n_bodies(); ++i)
    if (system.body(i).mass() > 0.0 && system.body(i).radius_of_gyration() == 0.0)
      names += (names.empty() ? "; without inertia: " : ", ") + system.body(i).name();
  return names;
}

// What happened to a body, and how large that is for the choice of what is told.
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

Change displacement(const system::System& system, int body, const VectorXd& from,
                    const VectorXd& to, double length) {
  const int at = system.configuration_offset(body);
  const std::string& name = system.body(body).name();
  if (system.body(body).n_rigid() == 0) {  // the ports of absolute coordinates are positions
    const VectorXd moved = (to - from).segment(at, system.body(body).n_elastic());
    const double distance = moved.size() > 0 ? moved.lpNorm<Eigen::Infinity>() : 0.0;
    return change_of(name, distance, 0.0, length, kInPlace, "");
  }
  const auto rotation = [&](const VectorXd& q) {
    return Eigen::Quaterniond(q[at + 3], q[at + 4], q[at + 5], q[at + 6]);
  };
  return change_of(name, (to - from).segment<3>(at).norm(),
                   rotation(from).angularDistance(rotation(to)), length, kInPlace, "");
}

}  // namespace

void solve_first_accelerations(system::System& system, system::State& state,
                               solvers::LinearSolver& solver, bool is_redundant) {
  try {
    system::solve_accelerations(system, state, solver, is_redundant);
  } catch (const system::JammedError& e) {
    throw base::InputError(
        fmt::format("the mechanism jams at the start: {}", e.what()),
        "a smaller coefficient, a larger `moment_arm` or a force nearer to the joint lets it move; "
        "started at rest it holds");
  } catch (const base::ComputationError& e) {
    throw base::InputError(
        fmt::format(
            "the accelerations at the start are not defined, because nothing resists some motion "
            "of a body: {}{}",
            e.what(), point_masses(system)),
        "give each rigid body an `inertia` about every axis about which its joints let it turn; "
        "without one it is a point mass");
  }
}

// A start that differs from the drawing is often a drive that does not begin at zero.
void warn_of_displaced_bodies(const system::System& system, const VectorXd& drawn,
                              const VectorXd& assembled) {
  const double length = system.characteristic_length();
  std::vector<Change> changes;
  for (int i = 0; i < system.n_bodies(); ++i) {
    const bodies::Body& body = system.body(i);
    const bool is_virtual =
        body.n_rigid() > 0 && body.mass() == 0.0 && !dynamic_cast<const bodies::Node*>(&body);
    if (is_virtual || dynamic_cast<const bodies::StrainBody*>(&body)) continue;
    Change change = displacement(system, i, drawn, assembled, length);
    if (change.size > kInPlace) changes.push_back(std::move(change));
  }
  if (changes.empty()) return;
  base::log_warning(
      "the poses do not satisfy the joints and drives at the start, which moved {}; if that is not "
      "meant, correct the poses, or let the drives begin as drawn (angles, translations and driven "
      "strains at 0, lengths at the distance)",
      listed(std::move(changes)));
}

// Bodies that were given no velocity are free to take one.
void warn_of_changed_velocities(const system::System& system, const VectorXd& given,
                                const VectorXd& consistent) {
  const double length = system.characteristic_length();
  std::vector<Change> changes;
  for (int i = 0; i < system.n_bodies(); ++i) {
    if (system.body(i).n_rigid() == 0 || system.body(i).mass() == 0.0) continue;
    const int at = system.velocity_offset(i);
    const VectorXd before = given.segment<6>(at), moved = consistent.segment<6>(at) - before;
    const double size = std::max(before.head<3>().norm() / length, before.tail<3>().norm());
    Change change = change_of(system.body(i).name(), moved.head<3>().norm(), moved.tail<3>().norm(),
                              length, kSameVelocity * size, "/s");
    if (change.size > kSameVelocity * size && size > 0.0) changes.push_back(std::move(change));
  }
  if (changes.empty()) return;
  base::log_warning(
      "the velocities given do not satisfy the joints and drives, which changed that of {}; if "
      "that is not meant, give each body the velocity of its origin and the angular velocity that "
      "its joints allow",
      listed(std::move(changes)));
}

void warn_of_violated_stops(const system::System& system, double t) {
  for (int i = 0; i < system.n_forces(); ++i) {
    const auto* force = dynamic_cast<const forces::CoordinateForce*>(&system.force(i));
    if (!force || !dynamic_cast<const forces::Stops*>(&force->law())) continue;
    const bodies::FramePair f = force->pair(system.kinematics());
    const bodies::CoordinateValue c = value_of(force->coordinate(), f);
    const double effort = force->effort(c, f, t).value;
    if (effort == 0.0) continue;
    const bool turns = bodies::is_angle(force->coordinate());
    base::log_warning(
        "{} are passed at the start: the coordinate, which is 0 as drawn, is {:.4g} {}, and the "
        "stop pushes with {:.3g} {}",
        force->name(), c.value, turns ? "rad" : "m", std::abs(effort), turns ? "N m" : "N");
  }
}

}  // namespace solidyn::analyses

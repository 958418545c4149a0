// `wheel_rail` on the track that is built: where it stands, and what it does at the start.
#include <fmt/format.h>

#include "model/bodies/body_entry.h"
#include "model/forces/force_places.h"
#include "model/forces/wheel_rail.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"

namespace solidyn::model {

using railway::RailOverlap;
using wheel_rail::WheelRailForce;
using wheel_rail::WheelRailOptions;

namespace {

constexpr double kLeastCosine = 0.99;  // of the axle against across the track, at t = 0

// "0.001 s", or what of a step of variable length is one.
std::string step_text(const LongestStep& step) {
  return fmt::format("{:g} s{}", step.seconds, step.is_adaptive ? " (adaptive.maximum_step)" : "");
}

std::string shorter_steps(const LongestStep& step, double seconds) {
  return fmt::format(step.is_adaptive ? "give `adaptive` a maximum_step of {:.2g} s or less"
                                      : "take steps of {:.2g} s or less",
                     seconds);
}

}  // namespace

std::unique_ptr<forces::Force> WheelRailEntry::build(const Builder& builder) const {
  const Eigen::Vector3d p = builder.places.position(at);
  double s = 0.0;
  try {
    s = track::find_station(track->track->alignment, p);
  } catch (const base::ComputationError&) {
    throw base::InputError(
        fmt::format("forces.{}: {} stands at ({:g}, {:g}, {:g}) m at t = 0, off the track's {:g} m",
                    name, at.text(), p.x(), p.y(), p.z(), track->track->alignment.length()),
        "the track begins in the origin of the world, along x: move the bodies, or make it longer",
        where);
  }
  check_start(builder, s);
  refuse_the_same_axle(builder);
  WheelRailOptions options;
  const auto contact = std::make_shared<const RailOverlap>(
      *wheel, dimensions, railway::RailHead(*track->rail, track->placement), material, patch);
  options.contact = {contact, contact};
  options.radius = dimensions.radius;
  options.tape_circle = dimensions.tape_circle();
  options.friction = {friction, friction};
  options.friction[wheel_rail::kRight].start = friction_right.value_or(friction.start);
  options.friction_along = {friction_along, friction_along_right};
  if (!friction_along_right && !friction_right)
    options.friction_along[wheel_rail::kRight] = friction_along;
  options.law = &railway::creep_law(law);
  options.creep = creep;
  options.damping = damping;
  options.turns = turns;
  options.rolling_inertia = rolling_inertia;
  options.rails = flexible_rails(builder);
  bodies::FrameMotion rails, wheelset;
  wheelset.R = builder.places.orientation(at);
  rails.p =
      p;  // of rails at rest: the track's beginning would make the mechanism as long as the way
  if (rails_on) {
    rails.p = builder.places.position(*rails_on);
    rails.R = builder.places.orientation(*rails_on);
  }
  const bodies::FrameIndex A =
      add_force_frame(*this, rails_on.value_or(PlaceDescription()), 0, rails.p, rails.R, builder);
  const bodies::FrameIndex B =
      add_force_frame(*this, at, 1, p, builder.places.orientation(at), builder);
  refuse_force_within(*this, A, B, builder);
  warn_of_rolling_inertia(builder, B);
  return std::make_unique<WheelRailForce>(name, builder.built.system.link(A, B), track->track,
                                          std::move(options), rails, wheelset, s);
}

// Under another name of the place: check_wheelsets() finds the same one.
void WheelRailEntry::refuse_the_same_axle(const Builder& builder) const {
  for (const auto& force : builder.model.forces) {
    if (force.get() == this) return;
    if (force->type != type) continue;
    const PlaceDescription other = force->places().back();
    if (other.body != at.body) continue;
    const double distance = (builder.places.position(at) - builder.places.position(other)).norm();
    if (distance < dimensions.radius)
      throw base::InputError(
          fmt::format(
              "forces.{}.at: {} and {}, where the wheels of `{}` are, are {:.3g} m apart, less than a wheel's radius",
              name, at.text(), other.text(), force->name, distance),
          "remove one of the two forces: each carries the whole load", where);
  }
}

// What turns is a part of the body: its moment of inertia is twice the energy of turning by 1
// rad/s.
void WheelRailEntry::warn_of_rolling_inertia(const Builder& builder,
                                             bodies::FrameIndex wheelset) const {
  const bodies::Body& body = builder.built.system.body(builder.places.carrier_of_frame(wheelset));
  if (rolling_inertia == 0.0 || body.n_rigid() == 0 || body.name() != at.body) return;
  constexpr double kAsWritten = 1.0 + 1e-6;
  const Eigen::VectorXd q_e = Eigen::VectorXd::Zero(body.n_velocities() - body.n_rigid());
  Eigen::VectorXd v = Eigen::VectorXd::Zero(body.n_velocities());
  v.segment<3>(3) = builder.model.find_body(at.body)->pose.rotation.conjugate() *
                    builder.places.orientation(at).col(1);
  bodies::BodyState turning;
  new (&turning.q_e) Eigen::Map<const Eigen::VectorXd>(q_e.data(), q_e.size());
  new (&turning.v) Eigen::Map<const Eigen::VectorXd>(v.data(), v.size());
  const double moment = 2.0 * body.energy(turning, Eigen::Vector3d::Zero()).kinetic;
  if (rolling_inertia > kAsWritten * moment)
    base::log_warning(
        "{}:{}: forces.{}.rolling_inertia is {:g} kg m^2, and `{}` has {:g} kg m^2 about its axle\n  give the moment of inertia of what turns, which the body has too",
        where.file, where.line, name, rolling_inertia, at.body, moment);
}

void WheelRailEntry::check_start(const Builder& builder, double s) const {
  const Eigen::Matrix3d R = track->track->alignment.at(s).R;
  const Eigen::Vector3d axle = R.transpose() * builder.places.orientation(at).col(1);
  if (!(axle.y() > kLeastCosine))
    throw base::InputError(
        fmt::format(
            "forces.{}: the axle, the y axis of {}, points along ({:.3g}, {:.3g}, {:.3g}) in the track's axes at t = 0",
            name, at.text(), axle.x(), axle.y(), axle.z()),
        "turn the wheelset across the track: its y axis is to the left", where);
  const BodyEntry& body = *builder.model.find_body(at.body);
  const Eigen::Vector3d w = body.velocity.angular,
                        arm = builder.places.position(at) - body.pose.position;
  const double running = track->running_speed;
  const double speed =
      running > 0.0 ? running : (R.transpose() * (body.velocity.linear + w.cross(arm))).x();
  const double end = longest_motion(builder.model);
  if (!(speed > wheel_rail::kLeastSpeed) && end > 0.0)
    throw base::InputError(
        fmt::format(
            "forces.{}: {} moves along the track with {:g} m/s at t = 0; creepages are velocities over that speed",
            name, at.text(), speed),
        "give the bodies a `velocity` forward along the track, or the track a `running_speed`",
        where);
  check_step(longest_step(builder.model), speed);
}

// Waves of the rails, and sleepers, that go by faster than the steps are not felt.
void WheelRailEntry::check_step(const LongestStep& step, double speed) const {
  constexpr double kLeastSteps = 6.0;  // in the shortest wavelength, or from sleeper to sleeper
  const double way = step.seconds * speed, shortest = track->shortest_wavelength;
  if (const auto& rails = track->flexible_rails; rails && way * kLeastSteps > rails->spacing)
    throw base::InputError(
        fmt::format(
            "track.flexible_rails: from sleeper to sleeper there are {:g} m, which {} passes in {:.3g} steps of {} at {:g} m/s",
            rails->spacing, at.text(), rails->spacing / way, step_text(step), speed),
        shorter_steps(step, rails->spacing / (speed * kLeastSteps)), track->flexible_rails_at);
  if (shortest > 0.0 && way * kLeastSteps > shortest)
    throw base::InputError(
        fmt::format(
            "track.irregularities.wavelengths begin at {:g} m, which {} passes in {:.3g} steps of {} at {:g} m/s",
            shortest, at.text(), shortest / way, step_text(step), speed),
        fmt::format("{}, or wavelengths from {:.2g} m on",
                    shorter_steps(step, shortest / (speed * kLeastSteps)), way * kLeastSteps),
        track->wavelengths_at);
}

}  // namespace solidyn::model

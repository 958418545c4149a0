#include "solidyn/wheel_rail/linear_wheel_rail.h"

#include <fmt/format.h>

#include "model/bodies/body_entry.h"
#include "model/forces/force_places.h"
#include "solidyn/base/error.h"

namespace solidyn::model {
namespace {

using LinearOptions = wheel_rail::LinearWheelRailOptions;

constexpr double kLeastSpeed = 1e-3;       // m/s
constexpr double kLeastAxleCosine = 0.95;  // of the axle with the track's y axis: angles are small
constexpr double kLargestConicity = 2.0;   // conicity
const Quantity kForceArea{"N m^2", 2, 0, 0, 0, 1};

/// A wheelset on a straight track by creep coefficients.
struct LinearWheelRailEntry final : ForceEntryOf<LinearWheelRailEntry> {
  PlaceDescription at;
  LinearOptions options;

  static const Fields<LinearWheelRailEntry>& fields();
  std::string acts_on() const override { return at.text() + " on a straight track"; }
  std::vector<PlaceDescription> places() const override { return {at}; }
  std::unique_ptr<forces::Force> build(const Builder& builder) const override;
};

const Fields<LinearWheelRailEntry>& LinearWheelRailEntry::fields() {
  using Self = LinearWheelRailEntry;
  static const Choice<bool> spins = {{"frame", true}, {"rolling", false}};
  static const auto coefficient = [](const char* key, const char* meaning, const char* example,
                                     const Quantity& unit, double LinearOptions::*member) {
    return field(
        Key(key, Form::number, meaning, example).in(unit).within(kNotNegative).or_default(),
        &Self::options, member);
  };
  static const Fields<Self> list = {
      read_by<Self>(
          Key("at", Form::reference,
              "the wheelset: a place with axes, its y axis along the axle to the left; the track is straight, along x of the world",
              "wheelset")
              .needed(),
          [](Self& entry, const TableView& view, const Scope& scope) {
            read_force_place(view, "at", false, Turns::yes, scope, entry.at);
          }),
      coefficient("f11", "longitudinal creep coefficient of a wheel", "9e6", kForce,
                  &LinearOptions::f11),
      coefficient("f22", "lateral creep coefficient of a wheel", "8e6", kForce,
                  &LinearOptions::f22),
      field(Key("f23", Form::number, "that of lateral force by spin", "1.2e4")
                .in(kTorque)
                .or_default(),
            &Self::options, &LinearOptions::f23),
      coefficient("f33", "spin creep coefficient of a wheel", "16", kForceArea,
                  &LinearOptions::f33),
      field(Key("conicity", Form::number,
                "equivalent conicity: half the difference of the rolling radii over y", "0.1")
                .within({-kLargestConicity, kLargestConicity, true, true})
                .or_default(),
            &Self::options, &LinearOptions::conicity),
      field(Key("half_distance", Form::number, "half the distance of the contacts", "0.75")
                .in(kLength)
                .within(kPositive)
                .or_default(),
            &Self::options, &LinearOptions::half_distance),
      field(Key("radius", Form::number, "r0 of the wheels", "0.46")
                .in(kLength)
                .within(kPositive)
                .or_default(),
            &Self::options, &LinearOptions::radius),
      field(
          Key("spin", Form::word,
              "whether the place turns with the wheels (`frame`), or the wheels turn on it and roll with the nominal radius (`rolling`)",
              "rolling")
              .or_default(),
          spins, &Self::options, &LinearOptions::turns)};
  return list;
}

std::unique_ptr<forces::Force> LinearWheelRailEntry::build(const Builder& builder) const {
  const BodyEntry& body = *builder.model.find_body(at.body);
  const Eigen::Vector3d p = builder.places.position(at);
  const double speed =
      (body.velocity.linear + body.velocity.angular.cross(p - body.pose.position)).x();
  const Eigen::Matrix3d axes = builder.places.orientation(at);
  const Eigen::Vector3d axle = axes.col(1);
  if (!(axle.y() > kLeastAxleCosine))
    throw base::InputError(
        fmt::format(
            "forces.{}: the axle, the y axis of {}, points along ({:.3g}, {:.3g}, {:.3g}) at t = 0",
            name, at.text(), axle.x(), axle.y(), axle.z()),
        "turn the wheelset across the track: its y axis is along y of the world", where);
  if (!(speed > kLeastSpeed))
    throw base::InputError(
        fmt::format(
            "forces.{}: {} moves along the track with {:g} m/s at t = 0; creepages are velocities over that speed",
            name, at.text(), speed),
        "give the bodies a `velocity` forward along x", where);
  const bodies::FrameIndex A = add_force_frame(
      *this, PlaceDescription(), 0, Eigen::Vector3d::Zero(), Eigen::Matrix3d::Identity(), builder);
  const bodies::FrameIndex B = add_force_frame(*this, at, 1, p, axes, builder);
  return std::make_unique<wheel_rail::LinearWheelRail>(name, builder.built.system.link(A, B),
                                                       options);
}

}  // namespace

ForceType linear_wheel_rail_row() {
  return LinearWheelRailEntry::row("linear_wheel_rail", "of a wheelset, by creep coefficients",
                                   wheel_rail::LinearWheelRail::own_readings());
}

}  // namespace solidyn::model

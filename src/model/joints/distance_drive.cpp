#include <fmt/format.h>

#include "model/joints/distance.h"
#include "model/joints/drives.h"

namespace solidyn::model {
namespace {

/// A bar whose length is given.
struct DistanceDrive final : DriveEntry, SecondPoint {
  void check(const TableView& view, const Scope& scope);

 protected:
  LawKind kind() const override { return LawKind::length; }
  TwoPoses poses(const PlaceFinder& places) const override {
    return poses_of_points(*this, *this, places);
  }
  joints::JointRows rows(const Eigen::Vector3d& drawn) const override {
    const double length = drawn_distance(*this, drawn);
    return joints::distance_drive_rows(law.only(), law.level, law.starts_as_drawn ? length : 0.0);
  }
};

void DistanceDrive::check(const TableView& view, const Scope& scope) {
  DriveEntry::check(view, scope);
  if (!law.components[0] || prescribes_rate() || law.starts_as_drawn) return;
  const char* key = view.has("length") ? "length" : "start";
  if (!view.is_good(key)) return;
  const double length = law.only().value(0.0);
  if (length <= 0.0)
    view.report().error(
        view.where(key), fmt::format("{} is {:g} m at t = 0", view.path(key), length),
        "give the distance between the two points, which must be positive; to prescribe only its change give `velocity` or `acceleration`");
}

}  // namespace

JointType distance_drive_row() {
  DistanceDrive drive;
  drive.type =
      JointTraits("distance_drive")
          .at(JointTraits::Point::optional)
          .drives({}, {"length", "velocity", "acceleration"}, {{"force", "N"}, {"power", "W"}});
  return placed_joint_type(
      drive, PlaceFields{between_field(), at_field()}, Fields<SecondPoint>{to_field()},
      law_fields(
          Key("length", Form::time_function,
              "distance between the two points, like a bar of prescribed length", "\"0.5 + 0.1*t\"")
              .in(kLength),
          Key("velocity", Form::time_function,
              "its rate, instead of `length`; the length starts at its value as modelled", "0.1")
              .in(kVelocity),
          Key("acceleration", Form::time_function, "its second derivative, instead of `length`",
              "\"0.1*sin(t)\"")
              .in(kAcceleration)),
      Fields<DriveLaws>{
          start_field(Key("start", Form::number,
                          "length at t = 0, by default as modelled, for a law for the acceleration",
                          "0.5")
                          .in(kLength)
                          .within(kPositive)),
          start_rate_field("velocity at t = 0, for a law for the acceleration", kVelocity)});
}

}  // namespace solidyn::model

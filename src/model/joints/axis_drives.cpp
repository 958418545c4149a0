#include <fmt/format.h>

#include "model/forces/force_entry.h"
#include "model/joints/catalogue.h"
#include "model/joints/couplings.h"
#include "model/joints/drives.h"
#include "model/joints/joint_coordinates.h"

// Drives of a rotation about an axis or of a translation along one: their own, or that of a joint.
namespace solidyn::model {
namespace {

struct AxisDrive : DriveEntry {
  std::string joint;  ///< empty: between two places

  std::string driven_joint() const override { return joint; }
  std::vector<PlaceDescription> places() const override {
    return joint.empty() ? DriveEntry::places() : std::vector<PlaceDescription>();
  }
  void check(const TableView& view, const Scope& scope);
  void build(const Builder& builder) const override;

 protected:
  bool can_start_as_drawn() const override { return false; }
  virtual const char* motion() const = 0;  // in words
  virtual const char* driven() const = 0;  // types of joints

 private:
  void check_joint(const TableView& view, const Names& names) const;
};

struct RotationDrive final : AxisDrive {
 protected:
  const char* motion() const override { return "rotation"; }
  const char* driven() const override { return "revolute or cylindrical"; }
  joints::JointRows rows(const Eigen::Vector3d&) const override {
    return joints::rotation_drive_rows(law.only(), law.level);
  }
  void prescribe_angle(bodies::AngleIndex angle, system::System& system) const override {
    if (law.level == DriveLaw::Level::position) system.angles().drive(angle, law.only());
  }
};

struct TranslationDrive final : AxisDrive {
 protected:
  const char* motion() const override { return "translation"; }
  const char* driven() const override { return "prismatic or cylindrical"; }
  joints::JointRows rows(const Eigen::Vector3d&) const override {
    return joints::translation_drive_rows(law.only(), law.level);
  }
};

void AxisDrive::check_joint(const TableView& view, const Names& names) const {
  for (const char* key : {"between", "at", "axis", "reference"})
    if (view.has(key))
      view.report().error(view.where(key),
                          fmt::format("{} is given together with `joint`", view.path(key)),
                          "remove it: the drive uses the places, point and axis of that joint");
  const JointTraits* moved =
      view.is_good("joint") ? find_referred_traits(view, "joint", joint, names) : nullptr;
  const JointFreedom coordinate = type.coordinates[0];
  if (moved && !moved->leaves_free(coordinate))
    view.report().error(view.where("joint"),
                        fmt::format("{}: `{}` is of type {}, which has no single {} to drive",
                                    view.path("joint"), joint, moved->word, motion()),
                        fmt::format("use a {} joint", joint_types_with({coordinate})));
}

void AxisDrive::check(const TableView& view, const Scope& scope) {
  if (view.has("joint"))
    check_joint(view, scope.names);
  else if (!view.has("between"))
    view.report().error(
        view.where(), fmt::format("{} is missing", view.path("joint")),
        fmt::format("give the {} joint to drive, or `between` and `axis`", driven()));
  else if (!view.has("axis"))
    view.report().error(
        view.where(), fmt::format("{} is missing", view.path("axis")),
        "give the axis in world coordinates at t = 0, for example  axis: [0, 0, 1]");
  DriveEntry::check(view, scope);
}

// That of a joint is what the joint says that its coordinate is.
void AxisDrive::build(const Builder& builder) const {
  if (joint.empty()) return PlacedJoint::build(builder);
  BuiltModel& built = builder.built;
  const JointFreedom freedom = type.coordinates[0];
  const auto [link, coordinate] = coordinate_along(joint, freedom, built);
  if (bodies::is_angle(coordinate)) prescribe_angle(link.angle(), built.system);
  const joints::JointRows rows = joints::drive_rows(
      coordinate, law.only(), fmt::format("driven {}", word_of_coordinate(freedom)), law.level);
  built.joints[name] = built.system.add_constraint(
      std::make_unique<joints::Joint>("joint " + name, link, rows.primitives, rows.names));
  built.joint_frames[name] = built.joint_frames.at(joint);
  if (own_coordinate(joint, freedom, built))
    built.own_coordinates[name].emplace(freedom, coordinate);
}

template <class E>
JointType axis_drive_row(const JointTraits& traits, const Fields<DriveEntry>& laws,
                         const Fields<DriveLaws>& start) {
  E drive;
  drive.type = traits;
  const Fields<E> joint = {
      read_by<E>(Key("joint", Form::reference,
                     "the joint to drive, instead of `between` and `axis`", "main_bearing"),
                 [](E& entry, const TableView& view, const Scope&) {
                   if (view.is_good("joint")) entry.joint = view.text("joint");
                 })};
  const PlaceFields places = {
      between_field(Key("between", Form::references,
                        "the two places, if the drive does not act on a joint", "[ground, crank]")
                        .sized(2)),
      at_field(),
      axis_field(Key("axis", Form::direction, "world axes: the axis of rotation or translation",
                     "[0, 0, 1]")),
      reference_field()};
  return placed_joint_type(drive, places, joint, laws, start);
}

}  // namespace

JointType rotation_drive_row() {
  return axis_drive_row<RotationDrive>(
      JointTraits("rotation_drive")
          .at(JointTraits::Point::optional)
          .drives({JointFreedom::rotation}, {"angle", "angular_velocity", "angular_acceleration"},
                  {{"torque", "N m"}, {"power", "W"}}),
      law_fields(
          Key("angle", Form::time_function,
              "angle of the second place relative to the first, right-handed about the axis",
              "\"150*t\"")
              .in(kAngle),
          Key("angular_velocity", Form::time_function,
              "its rate, instead of `angle`; the angle starts at its value as modelled", "150")
              .in(kAngularVelocity),
          Key("angular_acceleration", Form::time_function,
              "its second derivative, instead of `angle`", "\"10*sin(t)\"")
              .in(kAngularAcceleration)),
      {start_field(Key("start", Form::number, "angle at t = 0, for a law for the acceleration", "0")
                       .in(kAngle)
                       .or_else("0")),
       start_rate_field("angular velocity at t = 0, for a law for the acceleration",
                        kAngularVelocity)});
}

JointType translation_drive_row() {
  return axis_drive_row<TranslationDrive>(
      JointTraits("translation_drive")
          .drives({JointFreedom::translation}, {"translation", "velocity", "acceleration"},
                  {{"force", "N"}, {"power", "W"}}),
      law_fields(
          Key("translation", Form::time_function,
              "displacement of the second place along the axis from its position as modelled",
              "\"0.1*t\"")
              .in(kLength),
          Key("velocity", Form::time_function,
              "its rate, instead of `translation`; the translation starts at 0, as modelled", "0.1")
              .in(kVelocity),
          Key("acceleration", Form::time_function,
              "its second derivative, instead of `translation`", "\"0.1*sin(t)\"")
              .in(kAcceleration)),
      {start_field(
           Key("start", Form::number, "translation at t = 0, for a law for the acceleration", "0")
               .in(kLength)
               .or_else("0")),
       start_rate_field("velocity at t = 0, for a law for the acceleration", kVelocity)});
}

}  // namespace solidyn::model

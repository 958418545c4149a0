#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "model/forces/force_places.h"
#include "model/forces/springs.h"
#include "model/joints/joint_coordinates.h"
#include "model/joints/joint_entry.h"
#include "solidyn/forces/coordinate_force.h"

namespace solidyn::model {
namespace {

using Law = forces::SpringDamper::Options;

/// A spring, damper and actuator about an axis: of its own, or that of a joint.
struct TorsionEntry final : BetweenFrames, ForceEntryOf<TorsionEntry> {
  std::string joint;  ///< empty: between two places
  SpringLaw spring;

  static const Fields<TorsionEntry>& fields();
  void check(const TableView& view, const Scope& scope);
  std::string acts_on() const override { return joint.empty() ? text() : "on joint " + joint; }
  std::vector<PlaceDescription> places() const override { return {between.begin(), between.end()}; }
  const char* drawn_as() const override { return spring.drawn_as(); }
  std::unique_ptr<forces::Force> build(const Builder& builder) const override;
};

const Fields<TorsionEntry>& TorsionEntry::fields() {
  using Self = TorsionEntry;
  static const Fields<Self> list = joined_fields(
      Fields<Self>{
          read_by<Self>(Key("between", Form::references,
                            "the two places; the torque is about the axis fixed in the first",
                            "[ground, rotor]")
                            .sized(2),
                        [](Self& entry, const TableView& view, const Scope& scope) {
                          if (!view.has("joint"))
                            entry.BetweenPlaces::read(view, Turns::yes, scope);
                        }),
          field(Key("joint", Form::reference,
                    "the revolute or cylindrical joint to act on, instead of `between` and `axis`",
                    "hinge"),
                &Self::joint),
          field(Key("axis", Form::direction, "world: the axis", "[0, 0, 1]"), &BetweenFrames::axis)
              .of_derived<Self>(),
          field(Key("stiffness", Form::number, "torque per angle", "50").in(kTorsionalStiffness),
                &Self::spring, &SpringLaw::options, &Law::stiffness),
          field(Key("damping", Form::number, "torque per angular velocity", "0.2")
                    .in(kTorsionalViscosity)
                    .within(kNotNegative),
                &Self::spring, &SpringLaw::options, &Law::damping),
          field(
              Key("free_angle", Form::number,
                  "free angle of the spring, of the second place relative to the first; the angle is zero at t = 0 and counts turns",
                  "1.57")
                  .in(kAngle)
                  .or_default(),
              &Self::spring, &SpringLaw::options, &Law::free),
          field(Key("preload", Form::number, "resisting torque at the free angle", "5").in(kTorque),
                &Self::spring, &SpringLaw::options, &Law::preload),
          spring_curve<Self>(Key("torque_by_angle", Form::table,
                                 "resisting torque as a table over the angle from the free angle",
                                 "{table: [[-1, -40], [0, 0], [1, 90]]}")
                                 .holds(curve_table()),
                             kAngle, kTorque, &Law::by_extension),
          spring_curve<Self>(Key("torque_by_rate", Form::table,
                                 "resisting torque as a table over the angular velocity",
                                 "{table: [[-10, -3], [0, 0], [10, 5]]}")
                                 .holds(curve_table()),
                             kAngularVelocity, kTorque, &Law::by_rate),
          spring_formula<Self>(
              Key("torque", Form::text,
                  "resisting torque as an expression of the angle from the free angle `x`, its rate `v` and `t`, in the units of the file",
                  "\"20*sin(x) + 0.1*v\""),
              kAngle, kTorque),
          spring_actuator<Self>(
              Key("actuator", Form::time_function,
                  "torque on the second place, right-handed about the axis; the first takes the reaction",
                  "\"5*t\"")
                  .in(kTorque))},
      BetweenFrames::fields());
  return list;
}

void check_joint(const TableView& view, const Scope& scope) {
  for (const char* key : {"between", "at", "axis", "reference"})
    if (view.has(key))
      view.report().error(view.where(key),
                          fmt::format("{} is given together with `joint`", view.path(key)),
                          "remove it: the torque uses the places and axis of that joint");
  const JointEntry* joint = find_referred_joint(view, "joint", scope);
  if (joint && !joint->type.is_bearing)
    view.report().error(view.where("joint"),
                        fmt::format("{}: `{}` is of type {}, which has no single rotation",
                                    view.path("joint"), joint->name, joint->type.word),
                        "give a revolute or cylindrical joint, or `between` and `axis`");
}

void TorsionEntry::check(const TableView& view, const Scope& scope) {
  const bool have_own_axes =
      std::all_of(between.begin(), between.end(), std::mem_fn(&PlaceDescription::has_own_pose));
  if (view.has("joint")) {
    check_joint(view, scope);
  } else if (!view.has("between")) {
    view.report().error(view.where(), fmt::format("{} is missing", view.path("joint")),
                        "give a revolute or cylindrical joint, or `between` and `axis`");
  } else {
    if (!view.has("axis") && (!have_own_axes || view.has("reference")))
      view.report().error(
          view.where(), fmt::format("{} is missing", view.path("axis")),
          "give the axis in world coordinates at t = 0, for example  axis: [0, 0, 1]; it is optional only between two interfaces or frames, whose z axes are then used");
    BetweenFrames::check(view);
  }
  spring.check(view, about_an_axis());
}

std::unique_ptr<forces::Force> TorsionEntry::build(const Builder& builder) const {
  system::System& system = builder.built.system;
  const bodies::FrameLink link =
      joint.empty() ? add_force_frames(*this, *this, true, builder)
                    : coordinate_along(joint, JointFreedom::rotation, builder.built).link;
  const bodies::FrameIndex A = link.frame_A(), B = link.frame_B();
  return make_coordinate_force(name, {system.tracked_link(A, B), bodies::RotationAngle()},
                               std::make_unique<forces::SpringDamper>(spring.options),
                               spring.actuator, builder);
}

}  // namespace

ForceType torsional_spring_damper_row() {
  return TorsionEntry::row("torsional_spring_damper", "about an axis",
                           forces::CoordinateForce::readings_of_angle());
}

}  // namespace solidyn::model

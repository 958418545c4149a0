#include <fmt/format.h>

#include "model/joints/friction_checks.h"
#include "model/joints/joint_forces.h"

namespace solidyn::model {
namespace {

using Options = joints::JointFriction::Options;
using Law = contact::Friction;

const Fields<FrictionOfJoint>& friction_fields() {
  using Self = FrictionOfJoint;
  static const Fields<Self> list = {
      field(Key("static", Form::number, "static coefficient, near standstill", "0.2")
                .within(kNotNegative)
                .needed(),
            &Self::options, &Options::law, &Law::static_coefficient),
      field(Key("dynamic", Form::number,
                "kinetic coefficient, not above `static`; by default equal to it", "0.15")
                .within(kNotNegative),
            &Self::options, &Options::law, &Law::dynamic_coefficient),
      field(
          Key("stribeck_speed", Form::number,
              "slip velocity over which the coefficient falls: mu = dynamic + (static - dynamic) exp(-(v/stribeck_speed)^2)",
              "0.01")
              .in(kVelocity)
              .within(kPositive)
              .with("dynamic"),
          &Self::options, &Options::law, &Law::stribeck_speed),
      field(
          Key("transition_speed", Form::number,
              "slip velocity over which friction builds up: the fraction v / sqrt(v^2 + transition_speed^2) of it acts",
              "1e-3")
              .in(kVelocity)
              .within(kPositive)
              .or_default(),
          &Self::options, &Options::law, &Law::transition_speed),
      field(
          Key("radius", Form::number,
              "radius of the pin, the thread, the ball or the pins of a cross, or mean radius of the face of a planar joint; the slip velocity is its product with the angular velocity",
              "0.01")
              .in(kLength)
              .within(kPositive),
          &Self::options, &Options::radius),
      field(
          Key("moment_arm", Form::number,
              "lever arm of moments transmitted across the axis of the joint (of a prismatic joint about it, of a universal joint about the shafts): the normal force is moment / arm; by default moments cause no normal force",
              "0.05")
              .in(kLength)
              .within(kPositive),
          &Self::options, &Options::moment_arm),
      field(
          Key("thrust_radius", Form::number,
              "of a revolute joint: mean radius of the face that carries axial forces; by default these cause no friction",
              "0.015")
              .in(kLength)
              .within(kPositive),
          &Self::thrust_radius),
      field(Key("preload", Form::number, "constant normal force (preload)", "20")
                .in(kForce)
                .within(kNotNegative)
                .or_default(),
            &Self::options, &Options::preload),
      field(
          Key("pressed_by", Form::word,
              "`all`: forces that the joint transmits press, and `preload`; `preload`: that alone",
              "preload")
              .or_default(),
          Choice<Options::Presses>{{"all", Options::Presses::all},
                                   {"preload", Options::Presses::preload}},
          &Self::options, &Options::presses),
      field(
          Key("set_valued", Form::word,
              "`true`: friction that sticks without creep, of what is `pressed_by: preload` (doc/nonsmooth.md)",
              "true")
              .or_default(),
          Choice<bool>{{"false", false}, {"true", true}}, &Self::is_set_valued)};
  return list;
}

// What the joint transmits would have to be found together with the friction that it makes.
void check_set_valued(const TableView& view, const FrictionOfJoint& friction,
                      const FrictionTraits& traits, int n_slides) {
  const auto refuse = [&](const std::string& what, const std::string& remedy) {
    view.report().error(view.where("set_valued"),
                        fmt::format("{} is true, but {}", view.path("set_valued"), what), remedy);
  };
  if (friction.options.presses == Options::Presses::all)
    refuse(
        "the friction depends on the forces that the joint transmits, which is not yet implemented",
        "write  pressed_by: preload  with a constant `preload`, or leave it regularised");
  using Turning = joints::JointFriction::Turning;
  const bool turns = !traits.turning.empty() && friction.options.radius > 0.0;
  const bool turns_any_way = turns && traits.turning.front().second == Turning::any;
  if (turns_any_way || (turns && n_slides > 1))
    refuse("the joint rubs in three directions at once, which is not yet implemented",
           n_slides > 1 ? "remove `radius`, or leave it regularised" : "leave it regularised");
  if (view.has("transition_speed"))
    view.report().warning(view.where("transition_speed"),
                          fmt::format("{} has no effect: set-valued friction sticks without creep",
                                      view.path("transition_speed")),
                          "remove it");
}

void check_pressing(const TableView& view, const FrictionOfJoint& friction) {
  if (friction.options.presses == Options::Presses::all) return;
  if (!(friction.options.preload > 0.0))
    view.report().error(view.where("pressed_by"),
                        fmt::format("{} is `preload`, but there is none", view.path("pressed_by")),
                        "give it, for example  preload: 20");
  for (const char* key : {"moment_arm", "thrust_radius"})
    if (view.has(key))
      view.report().error(
          view.where(key),
          fmt::format("{} has no effect: nothing but `preload` presses", view.path(key)),
          "remove it, or `pressed_by`");
}

// A regularised law must be a function of the slip speed.
void check_companions(const TableView& view) {
  if (view.has("dynamic") && !view.has("stribeck_speed"))
    view.report().error(view.where("dynamic"),
                        fmt::format("{} is given without `stribeck_speed`", view.path("dynamic")),
                        "give it, for example  stribeck_speed: 0.01, or choose  set_valued: true");
}

void check_meaning(const TableView& view, const FrictionTraits& traits) {
  const bool turns = !traits.turning.empty();
  if (turns && !traits.may_slide_alone && !view.has("radius"))
    view.report().error(view.where(), fmt::format("{} is missing", view.path("radius")),
                        "give the friction radius of the joint, for example  radius: 0.01");
  const auto refuse = [&](const char* key, const char* reason) {
    if (view.has(key))
      view.report().error(view.where(key),
                          fmt::format("{} has no effect: {}", view.path(key), reason), "remove it");
  };
  if (!traits.has_thrust_face) refuse("thrust_radius", "only a revolute joint has such a face");
  if (!traits.carries_moments) refuse("moment_arm", "the joint carries no moment");
  if (!turns) refuse("radius", "the joint does not rotate");
}

int n_slides(const JointTraits& type) {
  int n = 0;
  for (const JointFreedom freedom :
       {JointFreedom::translation_x, JointFreedom::translation_y, JointFreedom::translation})
    n += type.has_coordinate(freedom);
  return n;
}

void read_friction(JointEntry& joint, const TableView& view, const Scope& scope) {
  if (!view.has("friction")) return;
  const TableView table = view.table("friction");
  FrictionOfJoint& friction = joint.forces.friction.emplace();
  read_fields(friction_fields(), table, scope, friction);
  Law& law = friction.options.law;
  if (!table.has("dynamic")) law.dynamic_coefficient = law.static_coefficient;
  if (table.is_good("static") && table.is_good("dynamic") &&
      law.dynamic_coefficient > law.static_coefficient)
    table.report().error(table.where("dynamic"),
                         fmt::format("{} is larger than `static`", table.path("dynamic")),
                         "give the same number or a smaller one");
  if (!friction.is_set_valued) check_companions(table);
  if (!friction.is_set_valued && table.is_good("dynamic") && table.is_good("stribeck_speed"))
    warn_of_unreached_static(table, law);
  if (!table.has("stribeck_speed") && friction.is_set_valued) law.stribeck_speed = 0.0;
  check_pressing(table, friction);
  if (friction.is_set_valued)
    check_set_valued(table, friction, *joint.type.friction, n_slides(joint.type));
  check_meaning(table, *joint.type.friction);
}

}  // namespace

Fields<JointEntry> fields_of_friction(const JointTraits& traits) {
  if (!traits.friction) return {};
  return {read_by<JointEntry>(Key("friction", Form::table, "dry friction",
                                  "{static: 0.2, transition_speed: 1e-3, radius: 0.01}")
                                  .holds(friction_table()),
                              read_friction)};
}

const TableSpec& friction_table() {
  static const TableSpec table{
      "friction",
      "Dry friction in a joint, from the forces that it transmits: Coulomb friction with a Stribeck curve, regularised: sticking is replaced by slow creep; or set-valued, of a constant preload.",
      keys_of(friction_fields())};
  return table;
}

}  // namespace solidyn::model

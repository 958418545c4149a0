#include "model/forces/read_springs.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>

#include "model/forces/read_expressions.h"
#include "model/joints/friction_checks.h"
#include "model/read.h"

namespace solidyn::model {
namespace {

std::optional<forces::SpringDamper::Formula> read_formula(const TableView& view,
                                                          const SpringKeys& keys) {
  if (!view.is_good(keys.formula)) return {};
  try {
    return forces::SpringDamper::Formula{math::Expression(view.text(keys.formula), {"x", "v", "t"}),
                                         keys.x_scale, view.context().units.time,
                                         keys.effort_scale};
  } catch (const base::InputError& error) {
    for (const base::Diagnostic& d : error.diagnostics())
      view.report().error(view.where(keys.formula),
                          fmt::format("{}: {}", view.path(keys.formula), d.what), d.remedy);
  }
  return {};
}

}  // namespace

SpringKeys along_a_line(const TableView& view) {
  const Units& units = view.context().units;
  return {"free_length",
          "force_by_extension",
          "force_by_rate",
          "force",
          units.length,
          units.force,
          "m",
          "N"};
}

SpringKeys about_an_axis(const TableView& view) {
  const Units& units = view.context().units;
  return {"free_angle",
          "torque_by_angle",
          "torque_by_rate",
          "torque",
          units.angle,
          units.force * units.length,
          "rad",
          "N m"};
}

std::optional<math::Curve> read_curve(const TableView& view, const std::string& key,
                                      const TableUnits& units) {
  if (!view.is_good(key)) return {};
  const TableView table = view.table(key);
  try {
    TableContent content = read_table(table, units);
    return math::Curve(std::move(content.x), std::move(content.y), content.interpolation,
                       content.ends);
  } catch (const base::InputError& error) {
    const char* points = table.has("file") ? "file" : "table";
    for (const base::Diagnostic& d : error.diagnostics())
      view.report().error(table.where(points), fmt::format("{}: {}", table.path(points), d.what),
                          d.remedy);
  }
  return {};
}

namespace {

/// Whether the table has one of these keys.
bool has_any(const TableView& view, std::initializer_list<const char*> keys) {
  return std::any_of(keys.begin(), keys.end(), [&](const char* key) { return view.has(key); });
}

void read_elastic(const TableView& view, const SpringKeys& keys,
                  forces::SpringDamper::Options& law) {
  law.stiffness = view.number("stiffness");
  law.preload = view.number("preload");
  law.free = view.number(keys.free);
  law.by_extension = read_curve(view, keys.by_extension,
                                {keys.x_scale, keys.effort_scale, keys.x_si, keys.effort_si});
  law.formula = read_formula(view, keys);
}

void read_viscous(const TableView& view, const SpringKeys& keys,
                  forces::SpringDamper::Options& law) {
  law.damping = view.number("damping");
  law.by_rate = read_curve(view, keys.by_rate,
                           {keys.x_scale / view.context().units.time, keys.effort_scale,
                            std::string(keys.x_si) + "/s", keys.effort_si});
}

void report_no_force(const TableView& view, const std::string& keys) {
  view.report().error(view.where(), fmt::format("{} has no force", view.path()), "give " + keys);
}

SpringKeys along_a_slide(const TableView& view) {
  SpringKeys keys = along_a_line(view);
  keys.free = "free_position";
  return keys;
}

/// @param view has the keys spring, damper, actuator and limits
CoordinateForcesDescription read_coordinate_forces(const TableView& view, const SpringKeys& keys) {
  CoordinateForcesDescription d;
  if (has_any(view, {"spring", "damper", "actuator"})) {
    forces::SpringDamper::Options law;
    const TableView spring = view.table("spring"), damper = view.table("damper");
    read_elastic(spring, keys, law);
    read_viscous(damper, keys, law);
    if (!is_over_sensor(view, "actuator")) law.actuator = read_time_function(view, "actuator");
    if (view.has("spring") &&
        !has_any(spring, {"stiffness", "preload", keys.by_extension, keys.formula}))
      report_no_force(spring, fmt::format("`stiffness`, `preload`, `{}` or `{}`", keys.by_extension,
                                          keys.formula));
    if (view.has("damper") && !has_any(damper, {"damping", keys.by_rate}))
      report_no_force(damper, fmt::format("`damping` or `{}`", keys.by_rate));
    d.spring = std::move(law);
  }
  if (!view.has("limits")) return d;
  const TableView limits = view.table("limits");
  forces::Stops::Options stops;
  if (limits.is_good("lower")) stops.lower = limits.number("lower");
  if (limits.is_good("upper")) stops.upper = limits.number("upper");
  stops.stiffness = limits.number("stiffness");
  stops.damping = limits.number("damping");
  if (!has_any(limits, {"lower", "upper"}))
    limits.report().error(limits.where(), fmt::format("{} limits nothing", limits.path()),
                          "give `lower`, `upper` or both");
  if (stops.lower && stops.upper && *stops.lower >= *stops.upper)
    limits.report().error(limits.where("upper"),
                          fmt::format("{} is not above `lower`", limits.path("upper")),
                          "exchange the two");
  d.limits = stops;
  return d;
}

FrictionDescription read_joint_friction(const TableView& joint) {
  const TableView view = joint.table("friction");
  FrictionDescription friction;
  friction.law.static_coefficient = view.number("static");
  friction.law.dynamic_coefficient = view.number(view.has("dynamic") ? "dynamic" : "static");
  if (view.is_good("stribeck_speed")) friction.law.stribeck_speed = view.number("stribeck_speed");
  friction.law.transition_speed = view.number("transition_speed");
  friction.radius = view.number("radius");
  friction.moment_arm = view.number("moment_arm");
  friction.thrust_radius = view.number("thrust_radius");
  friction.preload = view.number("preload");
  if (view.is_good("static") && view.is_good("dynamic") &&
      friction.law.dynamic_coefficient > friction.law.static_coefficient)
    view.report().error(view.where("dynamic"),
                        fmt::format("{} is larger than `static`", view.path("dynamic")),
                        "give the same number or a smaller one");
  if (view.is_good("dynamic") && view.is_good("stribeck_speed"))
    warn_of_unreached_static(view, friction.law);
  if (joint.type() != "prismatic" && joint.type() != "planar" && !view.has("radius"))
    view.report().error(view.where(), fmt::format("{} is missing", view.path("radius")),
                        "give the radius at which the joint rubs when it turns, for example  "
                        "radius: 0.01");
  if (joint.type() != "revolute" && view.has("thrust_radius"))
    view.report().error(view.where("thrust_radius"),
                        fmt::format("{} has no meaning: only a revolute joint has such a face",
                                    view.path("thrust_radius")),
                        "remove it");
  if (joint.type() == "spherical" && view.has("moment_arm"))
    view.report().error(
        view.where("moment_arm"),
        fmt::format("{} has no meaning: the joint carries no moment", view.path("moment_arm")),
        "remove it");
  if (joint.type() == "prismatic" && view.has("radius"))
    view.report().error(
        view.where("radius"),
        fmt::format("{} has no meaning: the joint does not turn", view.path("radius")),
        "remove it");
  return friction;
}

}  // namespace

SpringDescription read_spring(const TableView& view, const SpringKeys& keys) {
  SpringDescription spring;
  read_elastic(view, keys, spring.law);
  read_viscous(view, keys, spring.law);
  spring.has_free = view.is_good(keys.free);
  if (!is_over_sensor(view, "actuator")) spring.law.actuator = read_time_function(view, "actuator");
  if (!has_any(view, {"stiffness", "damping", "preload", keys.by_extension, keys.by_rate,
                      keys.formula, "actuator"}))
    report_no_force(view, fmt::format("`stiffness`, `damping`, `preload`, `{}`, `{}`, `{}` or "
                                      "`actuator`",
                                      keys.by_extension, keys.by_rate, keys.formula));
  return spring;
}

namespace {

std::vector<JointFreedom> freedoms_with_tables(const std::string& type) {
  using F = JointFreedom;
  if (type == "cylindrical" || type == "screw") return {F::translation, F::rotation};
  if (type == "planar") return {F::translation_x, F::translation_y, F::rotation};
  if (type == "point_on_plane" || type == "in_plane") return {F::translation_x, F::translation_y};
  if (type == "universal") return {F::first_arm, F::second_arm};
  return {};
}

bool is_rotation(JointFreedom freedom) {
  return freedom == JointFreedom::rotation || freedom == JointFreedom::first_arm ||
         freedom == JointFreedom::second_arm;
}

}  // namespace

namespace {

/// Calls visit(table, freedom, keys) for every freedom of a joint that forces can act along: the
/// joint itself, or tables in it.
template <class Visit>
void for_freedoms(const TableView& joint, const Visit& visit) {
  const std::string& type = joint.type();
  if (type == "revolute") visit(joint, JointFreedom::rotation, about_an_axis(joint));
  if (type == "prismatic" || type == "point_on_line" || type == "in_line")
    visit(joint, JointFreedom::translation, along_a_slide(joint));
  for (JointFreedom freedom : freedoms_with_tables(type))
    if (joint.is_good(name(freedom)))
      visit(joint.table(name(freedom)), freedom,
            is_rotation(freedom) ? about_an_axis(joint) : along_a_slide(joint));
}

}  // namespace

JointForcesDescription read_joint_forces(const TableView& joint) {
  JointForcesDescription d;
  for_freedoms(joint, [&](const TableView& view, JointFreedom freedom, const SpringKeys& keys) {
    CoordinateForcesDescription forces = read_coordinate_forces(view, keys);
    if (forces.spring || forces.limits)
      d.along[freedom] = std::move(forces);
    else if (&view != &joint)
      report_no_force(view, "`spring`, `damper`, `actuator` or `limits`");
  });
  if (joint.has("friction")) d.friction = read_joint_friction(joint);
  return d;
}

void read_joint_actuators(const TableView& file, const std::vector<SensorDescription>& sensors,
                          std::vector<JointDescription>& joints) {
  for (const auto& [name, view] : file.tables("joints")) {
    const auto joint = std::find_if(joints.begin(), joints.end(),
                                    [&, of = name](const auto& j) { return j.name == of; });
    if (joint == joints.end()) continue;
    for_freedoms(view, [&](const TableView& table, JointFreedom freedom, const SpringKeys&) {
      if (is_over_sensor(table, "actuator"))
        joint->forces.along[freedom].actuator = read_over_sensor(table, "actuator", sensors);
    });
  }
}

}  // namespace solidyn::model

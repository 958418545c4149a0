#include <fmt/format.h>

#include "model/forces/force_entry.h"
#include "model/forces/over_sensors.h"
#include "model/joints/catalogue.h"
#include "model/joints/joint_coordinates.h"
#include "solidyn/forces/coordinate_force.h"
#include "solidyn/forces/set_valued_coordinates.h"
#include "solidyn/system/scales.h"

namespace solidyn::model {
namespace {

using joints::JointFriction;

using forces::SetValuedCoordinates;

// Of a coordinate's name as it stands in texts, " first_arm", how it stands in paths.
std::string dotted(const std::string& of) { return of.empty() ? of : "." + of.substr(1); }

// gap = coordinate - lower, or upper - coordinate.
void add_stops(const std::string& joint, const std::string& of, const BuiltCoordinate& along,
               const CoordinateForces& forces, BuiltModel& built) {
  const auto add = [&](const char* which, double sign, double offset) {
    SetValuedCoordinates::Options options{*forces.stop, {{along.coordinate, sign}}, offset, {}, {}};
    options.label = fmt::format("{}{}.limits.{}", joint, dotted(of), which);
    built.forces[joint + ".limits"].push_back(
        built.system.add_force(std::make_unique<SetValuedCoordinates>(
            fmt::format("joint {}{} {} limit", joint, of, which), along.link, std::move(options))));
  };
  if (forces.limits->lower) add("lower", 1.0, -*forces.limits->lower);
  if (forces.limits->upper) add("upper", -1.0, *forces.limits->upper);
}

void add_clutch(const std::string& joint, const std::string& of, const BuiltCoordinate& along,
                CoordinateForces::Clutch clutch, BuiltModel& built) {
  SetValuedCoordinates::Options options;
  options.law.kind = forces::SetValuedLaw::Kind::clutch;
  options.normal = {along.coordinate, clutch == CoordinateForces::Clutch::positive ? 1.0 : -1.0};
  options.label = joint + dotted(of) + ".one_way";
  built.forces[joint + ".one_way"].push_back(
      built.system.add_force(std::make_unique<SetValuedCoordinates>(
          fmt::format("joint {}{} clutch", joint, of), along.link, std::move(options))));
}

// Names distinguish the coordinates if something acts along several.
std::string suffix_of(const JointEntry& joint, JointFreedom freedom) {
  return joint.forces.along.size() > 1 ? fmt::format(" {}", name(freedom)) : std::string();
}

void add_along(const JointEntry& joint, JointFreedom freedom, const Builder& builder) {
  BuiltModel& built = builder.built;
  const BuiltCoordinate along = coordinate_along(joint.name, freedom, built);
  const CoordinateForces& forces = joint.forces.along.at(freedom);
  const std::string of = suffix_of(joint, freedom);
  const auto add = [&](const char* what, const char* key, std::unique_ptr<forces::EffortLaw> law,
                       const std::optional<TableOverSensor>& actuator) {
    built.forces[joint.name + key].push_back(built.system.add_force(make_coordinate_force(
        "joint " + joint.name + of + what, along, std::move(law), actuator, builder)));
  };
  if (forces.spring)
    add(" spring and damper", ".spring", std::make_unique<forces::SpringDamper>(*forces.spring),
        forces.actuator);
  if (forces.stop) add_stops(joint.name, of, along, forces, built);
  if (forces.clutch != CoordinateForces::Clutch::none)
    add_clutch(joint.name, of, along, forces.clutch, built);
  if (forces.limits && !forces.stop)
    add(" limits", ".limits", std::make_unique<forces::Stops>(*forces.limits), std::nullopt);
}

// Of the mechanism's weight on earth: normal forces this small are as good as none.
constexpr double kRounding = 1e-3, kGravity = 9.81;

JointFriction::Options friction_options(const JointEntry& joint, BuiltModel& built) {
  JointFriction::Options options = joint.forces.friction->options;
  for (const JointFreedom freedom :
       {JointFreedom::translation_x, JointFreedom::translation_y, JointFreedom::translation})
    if (joint.type.has_coordinate(freedom))
      options.slides.push_back(coordinate_along(joint.name, freedom, built).coordinate);
  options.thrust = joint.thrust();
  options.presses_any_way = joint.type.friction->presses_any_way;
  options.rounding = kRounding * total_mass(built.system) * kGravity;
  return options;
}

// @pre it turns about one axis
bodies::Coordinate turning_coordinate(JointFriction::Turning turns) {
  if (turns == JointFriction::Turning::about_first_arm) return bodies::angle_about_arm(1);
  if (turns == JointFriction::Turning::about_second_arm) return bodies::angle_about_arm(2);
  return bodies::RotationAngle();
}

// Of the preload alone: along all that slides, and about what turns at the radius.
std::unique_ptr<forces::Force> make_set_valued_friction(const std::string& name,
                                                        const std::string& label,
                                                        const joints::Joint& joint,
                                                        const JointFriction::Options& o) {
  SetValuedCoordinates::Options options;
  options.law.kind = forces::SetValuedLaw::Kind::friction;
  options.law.static_coefficient = o.law.static_coefficient;
  options.law.dynamic_coefficient = o.law.dynamic_coefficient;
  options.law.stribeck_speed = o.law.stribeck_speed;
  options.law.pressing_force = o.preload;
  options.label = label;
  for (const bodies::Coordinate& slide : o.slides) options.slips.push_back({slide, 1.0});
  if (o.turns != JointFriction::Turning::none)
    options.slips.push_back({turning_coordinate(o.turns), o.radius});
  return std::make_unique<SetValuedCoordinates>(name, joint.link(), std::move(options));
}

// What rubs by itself, with what distinguishes it in names. @pre it has friction
std::vector<std::pair<std::string, JointFriction::Turning>> turning_parts(const JointEntry& joint) {
  const auto& turning = joint.type.friction->turning;
  if (turning.empty() || joint.forces.friction->options.radius == 0.0)
    return {{"", JointFriction::Turning::none}};
  return {turning.begin(), turning.end()};
}

void add_friction(const JointEntry& joint, bodies::ConstraintIndex constraint, BuiltModel& built) {
  const joints::Joint& rubs = joints::joint_of(built.system.constraint(constraint));
  JointFriction::Options options = friction_options(joint, built);
  const auto add = [&](const std::string& of, JointFriction::Turning turns) {
    options.turns = turns;
    const std::string name = "joint " + joint.name + of + " friction";
    built.forces[joint.name + ".friction"].push_back(built.system.add_force(
        joint.forces.friction->is_set_valued
            ? make_set_valued_friction(name, joint.name + dotted(of) + ".friction", rubs, options)
            : std::make_unique<JointFriction>(name, rubs, constraint, options)));
  };
  for (const auto& [of, turns] : turning_parts(joint)) add(of, turns);
}

}  // namespace

double JointEntry::thrust() const {
  const FrictionTraits& traits = *type.friction;
  return traits.has_thrust_face ? forces.friction->thrust_radius / forces.friction->options.radius
                                : traits.thrust;
}

std::vector<JointEntry::SetValuedPart> JointEntry::set_valued_parts() const {
  std::vector<SetValuedPart> parts;
  for (const auto& [freedom, along] : forces.along) {
    const std::string before =
        type.coordinates.size() > 1 ? std::string(model::name(freedom)) + "." : std::string();
    if (along.stop)
      parts.push_back({before + "limits", "give the limits `stiffness` in place of `law`"});
    if (along.clutch != CoordinateForces::Clutch::none)
      parts.push_back({before + "one_way", "remove `one_way`"});
  }
  if (forces.friction && forces.friction->is_set_valued)
    parts.push_back({"friction", "remove `set_valued`"});
  return parts;
}

std::vector<JointEntry::SetValuedName> JointEntry::set_valued_names() const {
  using Kind = forces::SetValuedLaw::Kind;
  std::vector<SetValuedName> names;
  for (const auto& [freedom, along] : forces.along) {
    const std::string before = name + dotted(suffix_of(*this, freedom));
    if (along.stop && along.limits->lower) names.push_back({before + ".limits.lower", Kind::stop});
    if (along.stop && along.limits->upper) names.push_back({before + ".limits.upper", Kind::stop});
    if (along.clutch != CoordinateForces::Clutch::none)
      names.push_back({before + ".one_way", Kind::clutch});
  }
  if (!forces.friction || !forces.friction->is_set_valued) return names;
  for (const auto& [of, turns] : turning_parts(*this))
    names.push_back({name + dotted(of) + ".friction", Kind::friction});
  return names;
}

void JointEntry::visit_laws(const JointLawVisitor& visit) const {
  for (const auto& along : forces.along)
    if (along.second.spring) visit(along.second.spring->actuator, "actuator", LawKind::effort);
}

void add_joint_forces(const JointEntry& joint, const Builder& builder) {
  BuiltModel& built = builder.built;
  const auto found = built.joints.find(joint.name);
  if (found == built.joints.end()) return;  // a fixed joint that is a shared node
  for (const auto& along : joint.forces.along) add_along(joint, along.first, builder);
  if (joint.forces.friction) add_friction(joint, found->second, built);
}

}  // namespace solidyn::model

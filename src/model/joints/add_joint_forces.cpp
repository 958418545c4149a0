#include <fmt/format.h>

#include "model/forces/force_entry.h"
#include "model/forces/over_sensors.h"
#include "model/joints/catalogue.h"
#include "model/joints/joint_coordinates.h"
#include "solidyn/forces/coordinate_force.h"
#include "solidyn/system/scales.h"

namespace solidyn::model {
namespace {

using joints::JointFriction;

// Names distinguish the coordinates if something acts along several.
void add_along(const JointEntry& joint, JointFreedom freedom, const Builder& builder) {
  BuiltModel& built = builder.built;
  const BuiltCoordinate along = coordinate_along(joint.name, freedom, built);
  const CoordinateForces& forces = joint.forces.along.at(freedom);
  const std::string of =
      joint.forces.along.size() > 1 ? fmt::format(" {}", name(freedom)) : std::string();
  const auto add = [&](const char* what, const char* key, std::unique_ptr<forces::EffortLaw> law,
                       const std::optional<TableOverSensor>& actuator) {
    built.forces[joint.name + key].push_back(built.system.add_force(make_coordinate_force(
        "joint " + joint.name + of + what, along, std::move(law), actuator, builder)));
  };
  if (forces.spring)
    add(" spring and damper", ".spring", std::make_unique<forces::SpringDamper>(*forces.spring),
        forces.actuator);
  if (forces.limits)
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

void add_friction(const JointEntry& joint, bodies::ConstraintIndex constraint, BuiltModel& built) {
  const joints::Joint& rubs = joints::joint_of(built.system.constraint(constraint));
  JointFriction::Options options = friction_options(joint, built);
  const auto add = [&](const std::string& of, JointFriction::Turning turns) {
    options.turns = turns;
    built.forces[joint.name + ".friction"].push_back(
        built.system.add_force(std::make_unique<JointFriction>(
            "joint " + joint.name + of + " friction", rubs, constraint, options)));
  };
  const auto& turning = joint.type.friction->turning;
  if (turning.empty() || options.radius == 0.0) return add("", JointFriction::Turning::none);
  for (const auto& [of, turns] : turning) add(of, turns);
}

}  // namespace

double JointEntry::thrust() const {
  const FrictionTraits& traits = *type.friction;
  return traits.has_thrust_face ? forces.friction->thrust_radius / forces.friction->options.radius
                                : traits.thrust;
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

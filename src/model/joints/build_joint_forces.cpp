#include <fmt/format.h>

#include <cmath>

#include "model/forces/build_forces.h"
#include "solidyn/forces/coordinate_force.h"
#include "solidyn/joints/joint_friction.h"

namespace solidyn::model {
namespace {

using Eigen::Vector3d;

// Names tell the freedoms apart where something acts along several.
void add_along(const JointDescription& d, JointFreedom freedom, const ModelDescription& model,
               const PlaceFinder& places, BuiltModel& built) {
  const BuiltCoordinate along = coordinate_along(d.name, freedom, built);
  const CoordinateForcesDescription& forces = d.forces.along.at(freedom);
  const std::string of = d.forces.along.size() > 1 ? fmt::format(" {}", name(freedom)) : "";
  const auto add = [&](const char* what, const char* key, std::unique_ptr<forces::EffortLaw> law,
                       const std::optional<TableOverSensor>& actuator) {
    built.forces[d.name + key].push_back(built.system.add_force(make_coordinate_force(
        "joint " + d.name + of + what, along, std::move(law), actuator, model, places, built)));
  };
  if (forces.spring)
    add(" spring and damper", ".spring", std::make_unique<forces::SpringDamper>(*forces.spring),
        forces.actuator);
  if (forces.limits)
    add(" limits", ".limits", std::make_unique<forces::Stops>(*forces.limits), std::nullopt);
}

// Of the mechanism's weight on earth: normal forces this small are as good as none.
constexpr double kRounding = 1e-3, kGravity = 9.81;

// How much of the force along the axis presses. A screw's thread, with the lead angle
// atan(pitch / (2 pi radius)), carries it and the moment that goes with it.
double thrust(const JointDescription& joint) {
  const FrictionDescription& d = *joint.forces.friction;
  switch (joint.type) {
    case JointType::planar:
      return 1.0;
    case JointType::screw:
      return std::hypot(1.0, joint.pitch / (2.0 * M_PI * d.radius));
    case JointType::revolute:
      return d.thrust_radius / d.radius;
    default:
      return 0.0;
  }
}

using joints::JointFriction;

JointFriction::Turning turning_of(const JointDescription& joint) {
  if (joint.forces.friction->radius == 0.0) return JointFriction::Turning::none;
  return joint.type == JointType::spherical ? JointFriction::Turning::any
                                            : JointFriction::Turning::about_z;
}

JointFriction::Options friction_options(const JointDescription& joint, double mass) {
  const FrictionDescription& d = *joint.forces.friction;
  JointFriction::Options o;
  o.law = d.law;
  if (joint.type == JointType::planar)
    o.slides = {Vector3d::UnitX(), Vector3d::UnitY()};
  else if (has_coordinate(joint.type, JointCoordinate::translation))
    o.slides = {Vector3d::UnitZ()};
  o.turns = turning_of(joint);
  o.radius = d.radius;
  o.moment_arm = d.moment_arm;
  o.thrust = thrust(joint);
  o.preload = d.preload;
  o.rounding = kRounding * mass * kGravity;
  return o;
}

// The pins of a cross rub apart.
void add_friction(const JointDescription& d, const joints::Joint& joint, int constraint,
                  BuiltModel& built) {
  using Turning = JointFriction::Turning;
  JointFriction::Options options = friction_options(d, built.system.total_mass());
  const auto add = [&](const std::string& of, Turning turns) {
    options.turns = turns;
    built.forces[d.name + ".friction"].push_back(
        built.system.add_force(std::make_unique<JointFriction>("joint " + d.name + of + " friction",
                                                               joint, constraint, options)));
  };
  if (d.type != JointType::universal) return add("", options.turns);
  add(" first_arm", Turning::about_first_arm);
  add(" second_arm", Turning::about_second_arm);
}

}  // namespace

void add_joint_forces(const JointDescription& d, const ModelDescription& model,
                      const PlaceFinder& places, BuiltModel& built) {
  if (family(d.type) == JointFamily::coupling) return;
  const auto found = built.joints.find(d.name);
  if (found == built.joints.end()) return;  // a fixed joint that is a shared node
  for (const auto& along : d.forces.along) add_along(d, along.first, model, places, built);
  if (!d.forces.friction) return;
  const auto& joint = static_cast<const joints::Joint&>(built.system.constraint(found->second));
  add_friction(d, joint, found->second, built);
}

}  // namespace solidyn::model

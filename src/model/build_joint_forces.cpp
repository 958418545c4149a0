#include <fmt/format.h>

#include <cmath>

#include "model/build_forces.h"
#include "model/joint_coordinates.h"
#include "solidyn/forces/coordinate_force.h"
#include "solidyn/joints/joint_friction.h"

namespace solidyn::model {
namespace {

using Eigen::Vector3d;

// Names tell the freedoms apart where something acts along several.
void add_along(const JointDescription& d, JointFreedom freedom, BuiltModel& built) {
  const BuiltCoordinate along = coordinate_along(d.name, freedom, built);
  const CoordinateForcesDescription& forces = d.forces.along.at(freedom);
  const std::string of = d.forces.along.size() > 1 ? fmt::format(" {}", name(freedom)) : "";
  const auto add = [&](const char* what, const char* key, std::unique_ptr<forces::EffortLaw> law) {
    built.forces[d.name + key].push_back(
        built.system.add_force(std::make_unique<forces::CoordinateForce>(
            "joint " + d.name + of + what, along.link, along.coordinate, std::move(law))));
  };
  if (forces.spring)
    add(" spring and damper", ".spring", std::make_unique<forces::SpringDamper>(*forces.spring));
  if (forces.limits) add(" limits", ".limits", std::make_unique<forces::Stops>(*forces.limits));
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

joints::JointFriction::Options friction_options(const JointDescription& joint, double mass) {
  const FrictionDescription& d = *joint.forces.friction;
  joints::JointFriction::Options o;
  o.law = d.law;
  if (joint.type == JointType::planar)
    o.slides = {Vector3d::UnitX(), Vector3d::UnitY()};
  else if (joint.type != JointType::revolute)
    o.slides = {Vector3d::UnitZ()};
  o.turns = d.radius > 0.0;
  o.radius = d.radius;
  o.moment_arm = d.moment_arm;
  o.thrust = thrust(joint);
  o.preload = d.preload;
  o.rounding = kRounding * mass * kGravity;
  return o;
}

}  // namespace

void add_joint_forces(const JointDescription& d, BuiltModel& built) {
  if (family(d.type) == JointFamily::coupling) return;
  const auto found = built.joints.find(d.name);
  if (found == built.joints.end()) return;  // a fixed joint that is a shared node
  for (const auto& along : d.forces.along) add_along(d, along.first, built);
  if (!d.forces.friction) return;
  const auto& joint = static_cast<const joints::Joint&>(built.system.constraint(found->second));
  built.forces[d.name + ".friction"].push_back(built.system.add_force(
      std::make_unique<joints::JointFriction>("joint " + d.name + " friction", joint, found->second,
                                              friction_options(d, built.system.total_mass()))));
}

}  // namespace solidyn::model

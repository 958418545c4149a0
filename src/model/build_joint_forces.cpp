#include "model/build_forces.h"
#include "model/build_joints.h"
#include "solidyn/forces/coordinate_force.h"
#include "solidyn/joints/joint_friction.h"

namespace solidyn::model {
namespace {

void add_along(const std::string& joint, const CoordinateForcesDescription& d,
               const bodies::FrameLink& link, const bodies::Coordinate& coordinate,
               BuiltModel& built) {
  const auto add = [&](const char* what, const char* key, std::unique_ptr<forces::EffortLaw> law) {
    built.forces[joint + key].push_back(
        built.system.add_force(std::make_unique<forces::CoordinateForce>(
            "joint " + joint + what, link, coordinate, std::move(law))));
  };
  if (d.spring)
    add(" spring and damper", ".spring", std::make_unique<forces::SpringDamper>(*d.spring));
  if (d.limits) add(" limits", ".limits", std::make_unique<forces::Stops>(*d.limits));
}

// Of the mechanism's weight on earth: normal forces this small are as good as none.
constexpr double kRounding = 1e-3, kGravity = 9.81;

joints::JointFriction::Options friction_options(const JointDescription& joint, double mass) {
  const FrictionDescription& d = *joint.forces.friction;
  joints::JointFriction::Options o;
  o.law = d.law;
  o.slides = joint.type != JointType::revolute;
  o.turns = joint.type != JointType::prismatic;
  o.radius = d.radius;
  o.moment_arm = d.moment_arm;
  o.thrust_radius = d.thrust_radius;
  o.preload = d.preload;
  o.rounding = kRounding * mass * kGravity;
  return o;
}

}  // namespace

void add_joint_forces(const JointDescription& d, BuiltModel& built) {
  if (family(d.type) == JointFamily::coupling) return;
  const auto found = built.joints.find(d.name);
  if (found == built.joints.end()) return;  // a fixed joint that is a shared node
  const auto& joint = static_cast<const joints::Joint&>(built.system.constraint(found->second));
  add_along(d.name, d.forces.translation, joint.link(), formula_of(JointCoordinate::translation),
            built);
  if (d.forces.rotation.spring || d.forces.rotation.limits) {
    const int A = joint.frame_A(), B = joint.frame_B();
    add_along(d.name, d.forces.rotation, built.system.link(A, B, built.system.add_angle(A, B)),
              formula_of(JointCoordinate::angle), built);
  }
  if (d.forces.friction)
    built.forces[d.name + ".friction"].push_back(
        built.system.add_force(std::make_unique<joints::JointFriction>(
            "joint " + d.name + " friction", joint, found->second, friction_options(d, built.system.total_mass()))));
}

}  // namespace solidyn::model

#include "model/bodies/carried_masses.h"

#include <fmt/format.h>

#include <algorithm>

#include "solidyn/base/log.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/joints/joint.h"

namespace solidyn::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// The carrier's frame at the mass, in axes of the world at t = 0.
bodies::Frame frame_at(const BodyDescription& d, const fem::CarriedMass& mass,
                       const std::string& name, const Vector3d& p_W, const PlaceFinder& places) {
  PlaceDescription place;
  place.kind = PlaceDescription::Kind::interface;
  place.body = d.name;
  place.name = mass.carrier.name;
  return places.frame(place, name, p_W, Matrix3d::Identity());
}

int add_mass(const BodyDescription& d, const fem::CarriedMass& mass, BuiltModel& built,
             const PlaceFinder& places) {
  const system::InitialMotion motion =
      carried_along(initial_motion(d), mass.x, Matrix3d::Identity());
  const std::string name = fmt::format("{} of {}", mass.name, d.name);
  const int index = built.system.add_body(
      bodies::make_rigid_body(name, mass.mass, Vector3d::Zero(), mass.inertia), motion);
  const int frame_A =
      built.system.add_frame(frame_at(d, mass, name + ".first", motion.p_WB, places));
  bodies::Frame own;
  own.name = name + ".second";
  own.body = index;
  own.R_BF = motion.q_WB.conjugate().toRotationMatrix();
  const int frame_B = built.system.add_frame(std::move(own));
  const int carrier = places.carrier_of_frame(frame_A);
  const joints::JointRows rows = joints::joint_rows(joints::JointType::fixed);
  built.system.add_constraint(std::make_unique<joints::Joint>(
      "joint of " + name, frame_A, carrier, built.system.body(carrier).n_velocities(), frame_B,
      index, built.system.body(index).n_velocities(), rows.primitives, rows.names));
  base::log_info("body {}: {} ({:.6g} kg) is a rigid body on the frame {}", d.name, mass.name,
                 mass.mass, mass.carrier.name);
  return index;
}

}  // namespace

std::vector<mesh::InterfaceDefinition> with_frames_of(
    const std::vector<fem::CarriedMass>& masses,
    std::vector<mesh::InterfaceDefinition> interfaces) {
  for (const fem::CarriedMass& mass : masses)
    if (std::none_of(interfaces.begin(), interfaces.end(),
                     [&](const auto& i) { return i.name == mass.carrier.name; }))
      interfaces.push_back(mass.carrier);
  return interfaces;
}

WholeMass with_masses(const fem::MassProperties& mesh,
                      const std::vector<fem::CarriedMass>& masses) {
  double sum = mesh.mass;
  Vector3d first_moment = mesh.mass * mesh.center_of_mass;
  for (const fem::CarriedMass& mass : masses) {
    sum += mass.mass;
    first_moment += mass.mass * mass.x;
  }
  return {sum, first_moment / sum};
}

std::vector<int> add_carried_masses(const BodyDescription& d,
                                    const std::vector<fem::CarriedMass>& masses, BuiltModel& built,
                                    PlaceFinder& places) {
  std::vector<int> indices;
  indices.reserve(masses.size());
  for (const fem::CarriedMass& mass : masses) indices.push_back(add_mass(d, mass, built, places));
  return indices;
}

}  // namespace solidyn::model

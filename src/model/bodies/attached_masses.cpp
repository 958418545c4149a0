#include "model/bodies/attached_masses.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/bodies/body_entry.h"
#include "solidyn/base/log.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/joints/joint.h"

namespace solidyn::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// The carrier's frame at the mass, in axes of the world at t = 0.
bodies::Frame frame_at(const BodyEntry& d, const fem::FrameMass& mass, const std::string& name,
                       const Vector3d& p_W, const PlaceFinder& places) {
  PlaceDescription place;
  place.kind = PlaceDescription::Kind::interface;
  place.body = d.name;
  place.name = mass.carrier.name;
  return places.frame(place, name, p_W, Matrix3d::Identity());
}

bodies::BodyIndex add_mass(const BodyEntry& d, const fem::FrameMass& mass, BuiltModel& built,
                           const PlaceFinder& places) {
  const system::InitialMotion motion =
      carried_along(initial_motion(d), mass.x, Matrix3d::Identity());
  const std::string name = fmt::format("{} of {}", mass.name, d.name);
  const bodies::BodyIndex index = built.system.add_body(
      bodies::make_rigid_body(name, mass.mass, Vector3d::Zero(), mass.inertia), motion);
  const bodies::FrameIndex frame_A =
      built.system.add_frame(frame_at(d, mass, name + ".first", motion.p_WB, places));
  bodies::Frame own;
  own.name = name + ".second";
  own.body = index;
  own.R_BF = motion.q_WB.conjugate().toRotationMatrix();
  const bodies::FrameIndex frame_B = built.system.add_frame(std::move(own));
  const joints::JointRows rows = joints::joint_rows(joints::JointType::fixed);
  built.system.add_constraint(
      std::make_unique<joints::Joint>("joint of " + name, built.system.link(frame_A, frame_B),
                                      rows.primitives, rows.names, rows.hinge));
  base::log_info("body {}: {} ({:.6g} kg) is a rigid body on the frame {}", d.name, mass.name,
                 mass.mass, mass.carrier.name);
  return index;
}

}  // namespace

std::vector<mesh::InterfaceDefinition> with_frames_of(
    const std::vector<fem::FrameMass>& masses, std::vector<mesh::InterfaceDefinition> interfaces) {
  for (const fem::FrameMass& mass : masses)
    if (std::none_of(interfaces.begin(), interfaces.end(),
                     [&](const auto& i) { return i.name == mass.carrier.name; }))
      interfaces.push_back(mass.carrier);
  return interfaces;
}

WholeMass with_masses(const fem::MassProperties& mesh, const std::vector<fem::FrameMass>& masses) {
  double sum = mesh.mass;
  Vector3d first_moment = mesh.mass * mesh.center_of_mass;
  for (const fem::FrameMass& mass : masses) {
    sum += mass.mass;
    first_moment += mass.mass * mass.x;
  }
  return {sum, first_moment / sum};
}

std::vector<bodies::BodyIndex> add_attached_masses(const BodyEntry& d,
                                                   const std::vector<fem::FrameMass>& masses,
                                                   BuiltModel& built, PlaceFinder& places) {
  std::vector<bodies::BodyIndex> indices;
  indices.reserve(masses.size());
  for (const fem::FrameMass& mass : masses) indices.push_back(add_mass(d, mass, built, places));
  return indices;
}

}  // namespace solidyn::model

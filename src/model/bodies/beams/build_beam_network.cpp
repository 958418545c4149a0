#include <fmt/format.h>

#include "model/bodies/beams/beam_network.h"
#include "model/bodies/beams/build_beam_elements.h"
#include "model/bodies/beams/build_beams.h"
#include "model/bodies/plausibility.h"
#include "solidyn/base/log.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/joints/joint.h"

namespace solidyn::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// A rigid body where masses are, which beams join like any node; else a bare node.
std::unique_ptr<bodies::Body> make_node(const std::string& name, const BeamNetwork::Mass* mass) {
  if (!mass) return std::make_unique<bodies::Node>(name);
  return bodies::make_rigid_body(name, mass->mass, mass->arm, mass->inertia);
}

bodies::FrameIndex add_tie_frame(BuiltModel& built, const PlaceFinder& places,
                                 const std::string& name, bodies::BodyIndex body,
                                 const system::InitialMotion& at) {
  return built.system.add_frame(places.frame_on(body, name, at.p_WB, at.q_WB.toRotationMatrix()));
}

// Both frames where the second node is.
void add_tie(const BodyEntry& d, const BeamNetwork::Tie& tie,
             const std::vector<bodies::BodyIndex>& nodes,
             const std::vector<system::InitialMotion>& undeformed, const PlaceFinder& places,
             BuiltModel& built) {
  const std::string name = fmt::format("{} of {}", tie.name, d.name);
  const bodies::BodyIndex first = nodes[tie.to], second = nodes[tie.node];
  const system::InitialMotion& at = undeformed[tie.node];
  const bodies::FrameIndex frame_A = add_tie_frame(built, places, name + ".first", first, at),
                           frame_B = add_tie_frame(built, places, name + ".second", second, at);
  const joints::JointRows rows = joints::joint_rows(joints::JointType::fixed);
  built.system.add_constraint(std::make_unique<joints::Joint>(
      name, built.system.link(frame_A, frame_B), rows.primitives, rows.names));
}

}  // namespace

// Nodes have the body's axes, as those of a line of points.
void add_beam_network(const BeamOfMesh& d, const BeamNetwork& network, const BodyBuilder& builder) {
  BuiltModel& built = builder.built;
  PlaceFinder& places = builder.places;
  const system::InitialMotion motion = initial_motion(d);
  std::vector<const BeamNetwork::Mass*> masses(network.nodes.size(), nullptr);
  for (const BeamNetwork::Mass& mass : network.masses) masses[mass.node] = &mass;
  BuiltBody made;
  BeamElements elements;
  std::vector<system::InitialMotion>& undeformed = elements.undeformed;
  double mass = 0.0;
  for (std::size_t k = 0; k < network.nodes.size(); ++k) {
    undeformed.push_back(carried_along(motion, network.nodes[k], Matrix3d::Identity()));
    made.nodes.push_back(built.system.add_body(
        make_node(fmt::format("{} of {}", network.names[k], d.name), masses[k]),
        undeformed.back()));
    places.add_carrier(made.nodes.back(), undeformed.back());
    if (!masses[k]) continue;
    made.attached_masses.push_back(made.nodes.back());
    mass += masses[k]->mass;
  }
  for (const BeamNetwork::Place& place : network.places) {
    bodies::Frame frame;
    frame.body = made.nodes[place.node];
    frame.x_B = place.arm;
    places.add_place(d.name, place.name, frame);
  }
  for (const BeamNetwork::Tie& tie : network.ties)
    add_tie(d, tie, made.nodes, undeformed, places, built);
  elements.data = network.elements;
  for (const int group : network.groups)
    elements.given.push_back(group < 0 ? &d.given : &d.groups[group].given);
  mass += add_beam_elements(builder.model, d, elements, built, made).mass();
  base::log_info("body {}: {:.6g} kg, {} beam elements, {} nodes", d.name, mass,
                 network.elements.size(), network.nodes.size());
  warn_of_doubtful_units(d, mass, 0.0);
  for (const BeamNetwork::Section& section : network.sections)
    made.sections[section.sensor] = {section.element, section.fraction};
  built.bodies.push_back(std::move(made));
}

}  // namespace solidyn::model

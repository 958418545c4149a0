#include "model/forces/build_forces.h"

#include <fmt/format.h>

#include "model/bodies/build_superelements.h"
#include "model/forces/build_measures.h"
#include "model/places/axes.h"
#include "model/places/joint_frames.h"
#include "solidyn/base/error.h"
#include "solidyn/forces/actuated_force.h"
#include "solidyn/forces/bushing.h"
#include "solidyn/forces/coordinate_force.h"
#include "solidyn/forces/drag.h"
#include "solidyn/forces/expression_force.h"
#include "solidyn/forces/plugin_force.h"

namespace solidyn::model {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

forces::SystemLayout layout_of(const system::System& system) {
  forces::SystemLayout layout;
  for (const bodies::Frame& frame : system.kinematics().frame_definitions)
    layout.bodies_of_frames.push_back(frame.body);
  for (int b = 0; b < system.n_bodies(); ++b)
    layout.n_velocities.push_back(system.body(b).n_velocities());
  return layout;
}

int add_frame(const ForceDescription& force, int side, const Vector3d& p, const Matrix3d& R,
              const PlaceFinder& places, BuiltModel& built) {
  const char* sides[] = {".first", ".second"};
  bodies::Frame frame = places.frame(force.between[side], force.name + sides[side], p, R);
  refuse_point_of_superelement(built, frame, force.between[side]);
  return built.system.add_frame(std::move(frame));
}

// Fixed joints that are shared nodes may have made one of two bodies.
void refuse_force_within(const ForceDescription& force, int A, int B, const PlaceFinder& places,
                         const BuiltModel& built) {
  const int body = places.carrier_of_frame(A);
  if (body != places.carrier_of_frame(B)) return;
  if (body >= 0 && built.system.body(body).n_elastic() > 0) return;
  throw base::InputError(
      fmt::format("forces.{}: fixed joints already make one of the two places it connects",
                  force.name),
      "remove it, or give one of these joints  share: false", force.where);
}

void add_spring_damper(const ForceDescription& force, const ModelDescription& model,
                       const PlaceFinder& places, BuiltModel& built) {
  std::array<Vector3d, 2> ends;
  std::array<int, 2> frames;
  for (int i = 0; i < 2; ++i) {
    ends[i] = force.ends[i] ? *force.ends[i] : places.position(force.between[i]);
    frames[i] = add_frame(force, i, ends[i], Matrix3d::Identity(), places, built);
  }
  refuse_force_within(force, frames[0], frames[1], places, built);
  forces::SpringDamper::Options law = force.spring.law;
  const double drawn = (ends[1] - ends[0]).norm();
  if (drawn == 0.0)
    throw base::InputError(
        fmt::format("forces.{}: its two ends meet at ({:g}, {:g}, {:g}) m, so that its force has "
                    "no direction",
                    force.name, ends[0].x(), ends[0].y(), ends[0].z()),
        "move an end by `at_first` or `at_second`, or use a bushing", force.where);
  if (!force.spring.has_free) law.free = drawn;
  built.system.add_force(make_coordinate_force(
      force.name, {built.system.link(frames[0], frames[1]), bodies::Distance()},
      std::make_unique<forces::SpringDamper>(std::move(law)), force.spring.actuator, model, places,
      built));
}

// Two frames that stand in one at t = 0, as those of a joint, or each where its place is.
bodies::FrameLink add_frames(const ForceDescription& force, const PlaceFinder& places,
                             BuiltModel& built) {
  TwoPoses poses =
      poses_at(force.at, force.between, axes_along(force.axis, force.reference), places);
  if (force.type == ForceType::torsional_spring_damper && !force.axis)
    turn_to_own_axes(force.between, places, poses);
  const int A = add_frame(force, 0, poses[0].p, poses[0].R, places, built);
  const int B = add_frame(force, 1, poses[1].p, poses[1].R, places, built);
  refuse_force_within(force, A, B, places, built);
  return built.system.link(A, B);
}

void add_bushing(const ForceDescription& force, const PlaceFinder& places, BuiltModel& built) {
  bodies::FrameLink link = add_frames(force, places, built);
  const BushingDescription& d = force.bushing;
  if (const std::optional<int> axis = forces::Bushing::turn_axis(d.stiffness)) {
    const int A = link.frame_A(), B = link.frame_B();
    link = built.system.link(A, B, built.system.add_angle(A, B, bodies::twist_angle(*axis)));
  }
  built.system.add_force(
      std::make_unique<forces::Bushing>(force.name, link, d.stiffness, d.damping, d.preload));
}

void add_torsional_spring_damper(const ForceDescription& force, const ModelDescription& model,
                                 const PlaceFinder& places, BuiltModel& built) {
  const bodies::FrameLink link =
      force.joint.empty() ? add_frames(force, places, built)
                          : coordinate_along(force.joint, JointFreedom::rotation, built).link;
  const int angle = built.system.add_angle(link.frame_A(), link.frame_B());
  built.system.add_force(make_coordinate_force(
      force.name,
      {built.system.link(link.frame_A(), link.frame_B(), angle), bodies::RotationAngle()},
      std::make_unique<forces::SpringDamper>(force.spring.law), force.spring.actuator, model,
      places, built));
}

// The frame of a place itself; the ground's is the world.
int add_own_frame(const ForceDescription& force, int side, const PlaceFinder& places,
                  BuiltModel& built) {
  bodies::Frame frame = places.own_frame(force.between[side]);
  refuse_point_of_superelement(built, frame, force.between[side]);
  return built.system.add_frame(std::move(frame));
}

bodies::FrameLink add_own_frames(const ForceDescription& force, const PlaceFinder& places,
                                 BuiltModel& built) {
  const int A = add_own_frame(force, 0, places, built);
  const int B = add_own_frame(force, 1, places, built);
  if (places.carrier_of_frame(A) < 0 && places.carrier_of_frame(B) < 0)
    throw base::InputError(
        fmt::format("forces.{} acts on the ground: a fixed joint holds its place", force.name),
        "remove it, or let it act on an interface that moves", force.where);
  return built.system.link(A, B);
}

void add_expression(const ForceDescription& force, const ModelDescription& model,
                    const PlaceFinder& places, BuiltModel& built) {
  const ExpressionDescription& d = force.expression;
  const bodies::FrameLink link = add_own_frames(force, places, built);
  forces::ExpressionForce::Options options;
  options.components = d.components;
  options.t_scale = d.t_scale;
  options.force_scale = d.force_scale;
  options.torque_scale = d.torque_scale;
  options.is_in_body_axes = d.is_in_body_axes;
  for (const ExpressionDescription::Variable& variable : d.variables) {
    options.measures.push_back(
        make_measure(*model.find_sensor(variable.sensor), variable.component, places, built));
    options.measure_scale.push_back(variable.scale);
  }
  built.system.add_force(std::make_unique<forces::ExpressionForce>(
      force.name, link, std::move(options), layout_of(built.system)));
}

void add_drag(const ForceDescription& force, const PlaceFinder& places, BuiltModel& built) {
  forces::Drag::Options options;
  options.viscous = force.drag.viscous;
  options.rotational = force.drag.rotational;
  options.quadratic = force.drag.quadratic;
  options.medium = force.drag.medium;
  built.system.add_force(std::make_unique<forces::Drag>(
      force.name, add_own_frames(force, places, built), std::move(options)));
}

}  // namespace

std::unique_ptr<forces::Force> make_coordinate_force(const std::string& name,
                                                     const BuiltCoordinate& along,
                                                     std::unique_ptr<forces::EffortLaw> law,
                                                     const std::optional<TableOverSensor>& actuator,
                                                     const ModelDescription& model,
                                                     const PlaceFinder& places, BuiltModel& built) {
  if (!actuator)
    return std::make_unique<forces::CoordinateForce>(name, along.link, along.coordinate,
                                                     std::move(law));
  auto measure =
      make_measure(*model.find_sensor(actuator->sensor), actuator->component, places, built);
  return std::make_unique<forces::ActuatedForce>(
      name, along.link, along.coordinate, std::move(law),
      forces::ActuatedForce::Actuator{actuator->curve, std::move(measure)},
      layout_of(built.system));
}

void add_force(const ForceDescription& force, const ModelDescription& model,
               const PlaceFinder& places, BuiltModel& built) {
  built.forces[force.name] = {built.system.n_forces()};
  switch (force.type) {
    case ForceType::spring_damper:
      add_spring_damper(force, model, places, built);
      break;
    case ForceType::torsional_spring_damper:
      add_torsional_spring_damper(force, model, places, built);
      break;
    case ForceType::bushing:
      add_bushing(force, places, built);
      break;
    case ForceType::drag:
      add_drag(force, places, built);
      break;
    case ForceType::expression:
      add_expression(force, model, places, built);
      break;
    case ForceType::plugin:
      built.system.add_force(std::make_unique<forces::PluginForce>(
          force.name, add_own_frames(force, places, built), force.plugin.library.string(),
          force.plugin.parameters));
      break;
  }
}

}  // namespace solidyn::model

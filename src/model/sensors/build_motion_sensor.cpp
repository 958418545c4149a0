#include "model/sensors/build_motion_sensor.h"

#include <cmath>

#include "solidyn/analyses/orientation_sensor.h"
#include "solidyn/bodies/superelement.h"

namespace solidyn::model {
namespace {

using analyses::AttitudeGuide;
using Eigen::Quaterniond;

static_assert(static_cast<int>(Component::magnitude) ==
              static_cast<int>(analyses::VectorComponent::magnitude));

/// A body whose quaternion is an unknown, and that turns with the frame but for a deformation: its
/// carrier, or of a superelement one of those that it follows. -1: the ground.
int body_of_attitude(const bodies::Frame& frame, const system::System& system) {
  if (frame.body < 0) return -1;
  const auto* superelement = dynamic_cast<const bodies::Superelement*>(&system.body(frame.body));
  if (!superelement) return frame.body;
  for (int f : superelement->frames())
    if (const int body = system.kinematics().frame_definitions[f].body; body >= 0) return body;
  return -1;
}

struct Attitude {
  Quaterniond as_drawn = Quaterniond::Identity();
  AttitudeGuide guide;
};

Attitude attitude_of(const PlaceDescription& place, const PlaceFinder& places,
                     const system::System& system) {
  Attitude attitude;
  attitude.as_drawn = Quaterniond(places.orientation(place));
  attitude.guide.body = body_of_attitude(places.own_frame(place), system);
  attitude.guide.q_BF = attitude.as_drawn;
  if (attitude.guide.body >= 0)
    attitude.guide.q_BF = places.attitude(attitude.guide.body).conjugate() * attitude.as_drawn;
  return attitude;
}

// Of the two quaternions of a rotation the one whose first component that is not zero is positive.
bool is_positive(const Quaterniond& q) {
  constexpr double kRoundOff = 1e-12;
  for (double c : {q.w(), q.x(), q.y(), q.z()})
    if (std::abs(c) > kRoundOff) return c > 0.0;
  return true;
}

analyses::Sensor make_quaternion_sensor(const SensorDescription& d, int frame, int relative_to,
                                        const PlaceFinder& places, const BuiltModel& built) {
  Attitude own = attitude_of(d.of, places, built.system), reference;
  if (d.relative_to) reference = attitude_of(*d.relative_to, places, built.system);
  if (!is_positive(reference.as_drawn.conjugate() * own.as_drawn))
    own.guide.q_BF.coeffs() = -own.guide.q_BF.coeffs();
  std::vector<int> components;
  for (Component c : d.components)
    components.push_back(c == Component::w ? 0 : 1 + static_cast<int>(c));
  return analyses::quaternion_sensor(d.name, frame, own.guide, relative_to, reference.guide,
                                     components);
}
static_assert(static_cast<int>(Component::z) == 2);

}  // namespace

bodies::FrameQuantity frame_quantity(SensorType type) {
  using bodies::FrameQuantity;
  switch (type) {
    case SensorType::velocity:
      return FrameQuantity::velocity;
    case SensorType::acceleration:
      return FrameQuantity::acceleration;
    case SensorType::orientation:
      return FrameQuantity::orientation;
    case SensorType::angular_velocity:
      return FrameQuantity::angular_velocity;
    case SensorType::angular_acceleration:
      return FrameQuantity::angular_acceleration;
    default:
      return FrameQuantity::position;
  }
}

std::vector<analyses::VectorComponent> vector_components(const std::vector<Component>& components) {
  std::vector<analyses::VectorComponent> result;
  result.reserve(components.size());
  for (Component c : components) result.push_back(static_cast<analyses::VectorComponent>(c));
  return result;
}

analyses::Sensor make_motion_sensor(const SensorDescription& d, const PlaceFinder& places,
                                    BuiltModel& built) {
  const auto add_frame = [&](const PlaceDescription& place) {
    return built.system.add_frame(places.own_frame(place));
  };
  const int frame = add_frame(d.of);
  const int relative_to = d.relative_to ? add_frame(*d.relative_to) : analyses::kWorld;
  switch (d.form) {
    case OrientationForm::quaternion:
      return make_quaternion_sensor(d, frame, relative_to, places, built);
    case OrientationForm::angles: {
      std::vector<int> angles;
      for (Component c : d.components)
        angles.push_back(static_cast<int>(c) - static_cast<int>(Component::angle_1));
      return analyses::angles_sensor(d.name, d.sequence, frame, relative_to, angles);
    }
    case OrientationForm::rotation_vector:
      break;
  }
  std::optional<int> axes;
  if (d.axes_of) axes = add_frame(*d.axes_of);
  return analyses::frame_sensor(d.name, frame_quantity(d.type), frame, relative_to,
                                vector_components(d.components), axes);
}

}  // namespace solidyn::model

#include "model/forces/build_measures.h"

#include <stdexcept>

#include "model/bodies/build_superelements.h"
#include "model/joints/joint_coordinates.h"
#include "model/joints/joint_freedoms.h"

namespace solidyn::model {
namespace {

int add_frame(const PlaceDescription& place, const PlaceFinder& places, BuiltModel& built) {
  bodies::Frame frame = places.own_frame(place);
  refuse_point_of_superelement(built, frame, place);
  return built.system.add_frame(std::move(frame));
}

using MeasurePointer = std::unique_ptr<forces::Measure>;

MeasurePointer frame_measure(const SensorDescription& d, bodies::FrameQuantity quantity,
                             int component, const PlaceFinder& places, BuiltModel& built) {
  const int frame = add_frame(d.of, places, built);
  const int relative_to = d.relative_to ? add_frame(*d.relative_to, places, built) : -1;
  if (d.form == OrientationForm::angles)
    return forces::angle_measure(
        d.sequence, frame, relative_to,
        static_cast<int>(d.components[component]) - static_cast<int>(Component::angle_1));
  std::optional<int> axes_of;
  if (d.axes_of) axes_of = add_frame(*d.axes_of, places, built);
  return forces::frame_measure(quantity, frame, relative_to,
                               static_cast<int>(d.components[component]), axes_of);
}

MeasurePointer deflection_measure(const SensorDescription& d, const PlaceFinder& places,
                                  BuiltModel& built) {
  const bool is_of_body = !d.body.empty();
  const auto frame = [&](const PlaceDescription& place, const std::string& name) {
    return add_frame(is_of_body ? place_on(d.body, name) : place, places, built);
  };
  const Eigen::Vector3d about = d.about;
  const double length = d.normalised_by;
  return std::make_unique<forces::FunctionMeasure>(
      std::vector<int>{frame(d.of, d.point), frame(d.chord_places[0], d.chord[0]),
                       frame(d.chord_places[1], d.chord[1])},
      [=](const forces::FunctionMeasure::Motions& m) {
        return bodies::chord_deflection(*m[0], *m[1], *m[2], about) / length;
      });
}

}  // namespace

MeasurePointer make_measure(const SensorDescription& d, int component, const PlaceFinder& places,
                            BuiltModel& built) {
  using bodies::FrameQuantity;
  switch (d.type) {
    case SensorType::position:
      return frame_measure(d, FrameQuantity::position, component, places, built);
    case SensorType::velocity:
      return frame_measure(d, FrameQuantity::velocity, component, places, built);
    case SensorType::orientation:
      return frame_measure(d, FrameQuantity::orientation, component, places, built);
    case SensorType::angular_velocity:
      return frame_measure(d, FrameQuantity::angular_velocity, component, places, built);
    case SensorType::relative_displacement:
      return deflection_measure(d, places, built);
    case SensorType::joint_angle:
    case SensorType::joint_translation: {
      using Of = forces::CoordinateMeasure::Of;
      const auto [link, coordinate] = coordinate_along(d.joint, freedom_of(d), built);
      return std::make_unique<forces::CoordinateMeasure>(link, coordinate,
                                                         d.derivative == 1 ? Of::rate : Of::value);
    }
    default:
      break;
  }
  throw std::logic_error("the loader let a force depend on a sensor that is none of the motion");
}

}  // namespace solidyn::model

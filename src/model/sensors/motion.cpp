#include "model/sensors/components.h"
#include "model/sensors/seen_place.h"

namespace solidyn::model {
namespace {

using bodies::FrameQuantity;

/// Position, velocity, acceleration, angular velocity or angular acceleration of a place.
struct MotionSensor final : SeenPlace, SensorEntryOf<MotionSensor> {
  FrameQuantity of_frame = FrameQuantity::position;
  Quantity measures;
  std::optional<PlaceDescription> axes_of;
  Components<analyses::VectorComponent> components;

  MotionSensor() = default;
  MotionSensor(FrameQuantity of_frame, const Quantity& measures, PlaceNeed need)
      : of_frame(of_frame), measures(measures) {
    this->need = need;
  }

  static const Fields<MotionSensor>& fields();
  std::vector<Recorded> recorded() const override {
    return recorded_components(components, measures);
  }
  analyses::Sensor make(const SensorBuilder& builder) const override;
  bool is_measurable() const override {
    return of_frame != FrameQuantity::acceleration &&
           of_frame != FrameQuantity::angular_acceleration;
  }
  std::unique_ptr<forces::Measure> measure(int column, const Builder& builder) const override;
};

const Fields<MotionSensor>& MotionSensor::fields() {
  using Self = MotionSensor;
  static const Fields<Self> list = joined_fields(
      Fields<Self>(), SeenPlace::fields(),
      Fields<Self>{
          read_by<Self>(
              Key("axes_of", Form::reference,
                  "the place whose axes are used for the components (`ground`: world axes), if not those of `relative_to`",
                  "crank"),
              [](Self& entry, const TableView& view, const Scope& scope) {
                entry.axes_of = read_seen_place(view, "axes_of", PlaceNeed::axes, scope);
              }),
          component_field(
              Key("component", Form::word, "`all` means x, y and z", "x").or_else("all"),
              vector_components(), 3, &Self::components)});
  return list;
}

analyses::Sensor MotionSensor::make(const SensorBuilder& builder) const {
  const bodies::FrameIndex frame = add_place_frame(of, builder);
  const bodies::FrameIndex reference = add_place_frame(relative_to, builder);
  std::optional<bodies::FrameIndex> axes;
  if (axes_of) axes = add_place_frame(*axes_of, builder);
  return analyses::frame_sensor(name, of_frame, frame, reference, whats(components), axes);
}

std::unique_ptr<forces::Measure> MotionSensor::measure(int column, const Builder& builder) const {
  const bodies::FrameIndex frame = add_measured_frame(of, builder);
  const bodies::FrameIndex reference = add_measured_frame(relative_to, builder);
  std::optional<bodies::FrameIndex> axes;
  if (axes_of) axes = add_measured_frame(*axes_of, builder);
  return forces::frame_measure(of_frame, frame, reference,
                               static_cast<int>(components[column].what), axes);
}

SensorType motion_row(const char* word, FrameQuantity of_frame, const Quantity& measures,
                      PlaceNeed need) {
  return MotionSensor::row(word, {of_frame, measures, need});
}

}  // namespace

SensorType position_sensor_row() {
  return motion_row("position", FrameQuantity::position, kLength, PlaceNeed::origin);
}
SensorType velocity_sensor_row() {
  return motion_row("velocity", FrameQuantity::velocity, kVelocity, PlaceNeed::origin);
}
SensorType acceleration_sensor_row() {
  return motion_row("acceleration", FrameQuantity::acceleration, kAcceleration, PlaceNeed::origin);
}
SensorType angular_velocity_sensor_row() {
  return motion_row("angular_velocity", FrameQuantity::angular_velocity, kAngularVelocity,
                    PlaceNeed::axes);
}
SensorType angular_acceleration_sensor_row() {
  return motion_row("angular_acceleration", FrameQuantity::angular_acceleration,
                    kAngularAcceleration, PlaceNeed::axes);
}

}  // namespace solidyn::model

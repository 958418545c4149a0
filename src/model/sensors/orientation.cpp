#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/sensors/components.h"
#include "model/sensors/seen_place.h"
#include "solidyn/analyses/orientation_sensor.h"

namespace solidyn::model {
namespace {

using analyses::AttitudeGuide;
using analyses::VectorComponent;
using Eigen::Quaterniond;

enum class OrientationForm { rotation_vector, quaternion, angles };

/// Of a place: by a rotation vector, a quaternion, or three angles.
struct OrientationSensor final : SeenPlace, SensorEntryOf<OrientationSensor> {
  OrientationForm form = OrientationForm::rotation_vector;
  math::AngleSequence sequence{0, 1, 2};  ///< of angles
  Components<int> components;             ///< a VectorComponent; of w, x, y, z; or of the angles

  OrientationSensor() { need = PlaceNeed::axes; }

  static const Fields<OrientationSensor>& fields();
  std::vector<Recorded> recorded() const override {
    return recorded_components(components, form == OrientationForm::quaternion ? kNumber : kAngle);
  }
  analyses::Sensor make(const SensorBuilder& builder) const override;
  bool is_measurable() const override { return true; }
  std::optional<Rejection> force_rejection(const std::string& column) const override;
  std::unique_ptr<forces::Measure> measure(int column, const Builder& builder) const override;
};

const Components<int>& components_of(OrientationForm form) {
  static const Components<int> of_vector = {
      {"x", static_cast<int>(VectorComponent::x)},
      {"y", static_cast<int>(VectorComponent::y)},
      {"z", static_cast<int>(VectorComponent::z)},
      {"magnitude", static_cast<int>(VectorComponent::magnitude)}};
  static const Components<int> of_quaternion = {{"w", 0}, {"x", 1}, {"y", 2}, {"z", 3}};
  static const Components<int> of_angles = {{"angle_1", 0}, {"angle_2", 1}, {"angle_3", 2}};
  switch (form) {
    case OrientationForm::rotation_vector:
      return of_vector;
    case OrientationForm::quaternion:
      return of_quaternion;
    case OrientationForm::angles:
      break;
  }
  return of_angles;
}

Words words_of_forms() {
  Words words;
  for (OrientationForm form :
       {OrientationForm::rotation_vector, OrientationForm::quaternion, OrientationForm::angles})
    add_words(components_of(form), words);
  words.emplace_back("all");
  return words;
}

void read_form(OrientationSensor& entry, const TableView& view, const Scope&) {
  const std::string as = view.text("as");
  if (as == "quaternion") entry.form = OrientationForm::quaternion;
  if (as.size() != entry.sequence.size()) return;
  entry.form = OrientationForm::angles;
  std::transform(as.begin(), as.end(), entry.sequence.begin(), [](char c) { return c - 'x'; });
}

// Behind `as`, which says what there is to choose from.
void read_component(OrientationSensor& entry, const TableView& view, const Scope&) {
  const Components<int>& list = components_of(entry.form);
  const std::size_t n_all = entry.form == OrientationForm::rotation_vector ? 3 : list.size();
  entry.components = choose_components(view, list, n_all, fmt::format("`as: {}`", view.text("as")));
}

const Fields<OrientationSensor>& OrientationSensor::fields() {
  using Self = OrientationSensor;
  static const Fields<Self> list = joined_fields(
      Fields<Self>(), SeenPlace::fields(),
      Fields<Self>{
          read_by<Self>(
              Key("as", Form::word,
                  "`rotation_vector`, `quaternion`, or three angles about body-fixed axes of the place: Cardan angles `xyz` (x, then the turned y, then the turned z) ..., Euler angles `zxz` ...",
                  "quaternion")
                  .among({"rotation_vector", "quaternion", "xyz", "xzy", "yxz", "yzx", "zxy", "zyx",
                          "xyx", "xzx", "yxy", "yzy", "zxz", "zyz"})
                  .or_else("rotation_vector"),
              read_form),
          read_by<Self>(
              Key("component", Form::word,
                  "x, y, z and magnitude of a rotation vector; w, x, y, z of a quaternion; `angle_1` ... of angles. `all`: each but the magnitude",
                  "angle_2")
                  .among(words_of_forms())
                  .or_else("all"),
              read_component)});
  return list;
}

/// A body whose quaternion is an unknown, and that turns with the frame but for a deformation: its
/// carrier, or of a superelement one of those that it follows.
bodies::BodyIndex body_of_attitude(const bodies::Frame& frame, const BuiltModel& built) {
  const auto of_file = std::find_if(built.bodies.begin(), built.bodies.end(),
                                    [&](const BuiltBody& b) { return b.index == frame.body; });
  if (of_file == built.bodies.end() || of_file->followed_frames.empty()) return frame.body;
  for (const bodies::FrameIndex f : of_file->followed_frames)
    if (const bodies::BodyIndex body = built.system.kinematics().frame_definitions[f].body;
        body != bodies::kGround)
      return body;
  return bodies::kGround;
}

struct Attitude {
  Quaterniond as_drawn = Quaterniond::Identity();
  AttitudeGuide guide;
};

Attitude attitude_of(const PlaceDescription& place, const Builder& builder) {
  const PlaceFinder& places = builder.places;
  Attitude attitude;
  attitude.as_drawn = Quaterniond(places.orientation(place));
  attitude.guide.body = body_of_attitude(places.own_frame(place), builder.built);
  attitude.guide.q_BF = attitude.as_drawn;
  if (attitude.guide.body != bodies::kGround)
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

analyses::Sensor make_quaternion_sensor(const OrientationSensor& d, bodies::FrameIndex frame,
                                        bodies::FrameIndex relative_to, const Builder& builder) {
  Attitude own = attitude_of(d.of, builder), reference;
  if (d.relative_to) reference = attitude_of(*d.relative_to, builder);
  if (!is_positive(reference.as_drawn.conjugate() * own.as_drawn))
    own.guide.q_BF.coeffs() = -own.guide.q_BF.coeffs();
  return analyses::quaternion_sensor(d.name, frame, own.guide, relative_to, reference.guide,
                                     whats(d.components));
}

analyses::Sensor make_rotation_vector_sensor(const OrientationSensor& d, bodies::FrameIndex frame,
                                             bodies::FrameIndex relative_to) {
  std::vector<VectorComponent> components;
  for (const auto& component : d.components)
    components.push_back(static_cast<VectorComponent>(component.what));
  return analyses::frame_sensor(d.name, bodies::FrameQuantity::orientation, frame, relative_to,
                                components);
}

analyses::Sensor OrientationSensor::make(const SensorBuilder& builder) const {
  const bodies::FrameIndex frame = add_place_frame(of, builder);
  const bodies::FrameIndex reference = add_place_frame(relative_to, builder);
  switch (form) {
    case OrientationForm::quaternion:
      return make_quaternion_sensor(*this, frame, reference, builder);
    case OrientationForm::angles:
      return analyses::angles_sensor(name, sequence, frame, reference, whats(components));
    case OrientationForm::rotation_vector:
      break;
  }
  return make_rotation_vector_sensor(*this, frame, reference);
}

std::optional<Rejection> OrientationSensor::force_rejection(const std::string& column) const {
  if (form != OrientationForm::quaternion) return {};
  return Rejection{
      fmt::format("`{}` belongs to a quaternion, on which a force cannot depend", column),
      fmt::format("write  as: rotation_vector,  or angles as xyz, under sensors.{}", name)};
}

std::unique_ptr<forces::Measure> OrientationSensor::measure(int column,
                                                            const Builder& builder) const {
  const bodies::FrameIndex frame = add_measured_frame(of, builder);
  const bodies::FrameIndex reference = add_measured_frame(relative_to, builder);
  const int component = components[column].what;
  if (form == OrientationForm::angles)
    return forces::angle_measure(sequence, frame, reference, component);
  return forces::frame_measure(bodies::FrameQuantity::orientation, frame, reference, component);
}

}  // namespace

SensorType orientation_sensor_row() { return OrientationSensor::row("orientation"); }

}  // namespace solidyn::model

#include <fmt/format.h>

#include <algorithm>

#include "model/joints/joint_coordinates.h"
#include "model/sensors/components.h"
#include "model/sensors/joint_keys.h"
#include "model/sensors/joint_questions.h"
#include "solidyn/analyses/force_sensors.h"

namespace solidyn::model {
namespace {

using Part = std::optional<JointForcePart>;  ///< nothing: all of them

const Choice<Part>& joint_force_parts() {
  static const Choice<Part> parts = {{"spring", JointForcePart::spring},
                                     {"limits", JointForcePart::limits},
                                     {"friction", JointForcePart::friction},
                                     {"all", std::nullopt}};
  return parts;
}

/// A force along an axis of a joint, or a torque about one.
enum class Effort { force, torque };

/// What springs, limits and friction in a joint exert along what it leaves free.
struct JointForceSensor final : SensorEntryOf<JointForceSensor> {
  std::string joint;
  Part part;
  JointFreedom freedom = JointFreedom::translation;
  Components<Effort> components;  ///< one

  static const Fields<JointForceSensor>& fields();
  std::vector<Recorded> recorded() const override { return recorded_components(components); }
  void check(const TableView& view, const Scope& scope);
  analyses::Sensor make(const SensorBuilder& builder) const override;
  bool reads_joint(const std::string& other) const override { return other == joint; }
};

const Fields<JointForceSensor>& JointForceSensor::fields() {
  using Self = JointForceSensor;
  static const Fields<Self> list = {
      read_elsewhere<Self>(joint_key()),
      field(
          Key("part", Form::word,
              "which force in the joint: `spring` (spring, damper and actuator), `limits`, `friction`, or `all` together",
              "friction")
              .or_default(),
          joint_force_parts(), &Self::part),
      read_elsewhere<Self>(
          Key("component", Form::word,
              "on the second place of the joint: the force along its axis (for planar joints `along` another one), or the torque about it (for universal joints about an `arm`); required if the joint has both",
              "torque")
              .among({"force", "torque"})),
      read_elsewhere<Self>(arm_key()), read_elsewhere<Self>(along_key())};
  return list;
}

bool has_part(const JointAnswers& joint, const Part& part) {
  return std::any_of(joint.forces.begin(), joint.forces.end(),
                     [&](const auto& force) { return !part || force.first == *part; });
}

bool acts_along(const JointAnswers& joint, JointFreedom freedom, const Part& part) {
  return std::any_of(joint.forces.begin(), joint.forces.end(), [&](const auto& force) {
    return force.second == freedom && (!part || force.first == *part);
  });
}

/// What there can be along what the joint leaves free.
Components<Effort> efforts_of(const JointAnswers& joint) {
  Components<Effort> efforts;
  if (joint.slides) efforts.push_back({"force", Effort::force, kForce});
  if (joint.turns) efforts.push_back({"torque", Effort::torque, kTorque});
  return efforts;
}

/// The one that is asked for; none after a complaint.
Components<Effort> read_effort(const TableView& view, const JointAnswers& joint) {
  const Components<Effort> possible = efforts_of(joint);
  if (possible.empty())
    view.report().error(view.where("joint"),
                        fmt::format("{}: `{}` is of type {}, which has no axis of rotation",
                                    view.path("joint"), joint.name, joint.type),
                        "remove it; the friction losses are part of the energy balance");
  else if (view.is_good("component"))
    return choose_components(view, possible, 0, "`" + joint.name + "`");
  else if (possible.size() > 1)
    view.report().error(
        view.where(), fmt::format("{} is missing", view.path("component")),
        fmt::format("`{}` both slides and turns: write  component: force  or  component: torque",
                    joint.name));
  return possible.size() == 1 ? possible : Components<Effort>();
}

/// Nothing after a complaint.
std::optional<JointFreedom> read_freedom(const TableView& view, const JointAnswers& joint,
                                         Effort effort) {
  const bool slides = effort == Effort::force;
  const std::optional<JointFreedom> freedom =
      slides ? read_along(view, joint) : read_arm(view, joint);
  const char* other = slides ? "arm" : "along";
  if (!view.has(other)) return freedom;
  view.report().error(
      view.where(other),
      fmt::format("{} has no effect: {}", view.path(other),
                  slides ? "a force acts along an axis" : "a torque acts about an axis or an arm"),
      "remove it");
  return {};
}

void JointForceSensor::check(const TableView& view, const Scope& scope) {
  const std::optional<JointAnswers> of = read_joint(view, scope, joint);
  if (!of) return;
  if (!has_part(*of, part))
    return view.report().error(view.where("joint"),
                               fmt::format("{}: `{}` has no {}", view.path("joint"), of->name,
                                           part ? view.text("part") : "spring, limits or friction"),
                               fmt::format("define it under joints.{}", of->name));
  components = read_effort(view, *of);
  if (components.empty()) return;
  const std::optional<JointFreedom> along = read_freedom(view, *of, components[0].what);
  if (!along) return;
  freedom = *along;
  if (!acts_along(*of, freedom, part))
    view.report().error(view.where("joint"),
                        fmt::format("{}: no force acts in `{}` along its {}", view.path("joint"),
                                    of->name, model::name(freedom)),
                        "choose another `component`, `along` or `arm`");
}

/// Where the freedom is in the wrench on a joint's second place.
struct AlongFreedom {
  analyses::ReactionAxes axes;
  int component;  ///< 0..2 of the force, 3..5 of the torque
};

AlongFreedom along_freedom(JointFreedom freedom) {
  using Axes = analyses::ReactionAxes;
  switch (freedom) {
    case JointFreedom::translation_x:
      return {Axes::first, 0};
    case JointFreedom::translation_y:
      return {Axes::first, 1};
    case JointFreedom::translation:
      return {Axes::first, 2};
    case JointFreedom::first_arm:
      return {Axes::first, 3};
    case JointFreedom::second_arm:
      return {Axes::second, 4};
    case JointFreedom::rotation:
      break;
  }
  return {Axes::first, 5};
}

analyses::Sensor JointForceSensor::make(const SensorBuilder& builder) const {
  std::vector<forces::ForceIndex> forces;
  for (const auto& [word, of_part] : joint_force_parts()) {
    if (!of_part || (part && part != of_part)) continue;
    const auto found = builder.built.forces.find(joint + "." + word);
    if (found != builder.built.forces.end())
      forces.insert(forces.end(), found->second.begin(), found->second.end());
  }
  if (const bodies::Coordinate* own = own_coordinate(joint, freedom, builder.built))
    return analyses::force_along_sensor(name, forces, *own);
  const auto [axes, component] = along_freedom(freedom);
  return analyses::joint_force_sensor(name, forces, axes, component);
}

}  // namespace

SensorType joint_force_sensor_row() { return JointForceSensor::row("joint_force"); }

}  // namespace solidyn::model

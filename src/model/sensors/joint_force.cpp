#include <fmt/format.h>

#include <algorithm>

#include "model/joints/joint_coordinates.h"
#include "model/sensors/components.h"
#include "model/sensors/joint_keys.h"
#include "model/sensors/joint_questions.h"
#include "solidyn/analyses/force_sensors.h"

namespace solidyn::model {
namespace {

const Quantity kAngularImpulse{"N m s", 1, 2, -1, 0, 0};

using Part = std::optional<JointForcePart>;  ///< nothing: all of them

const Choice<Part>& joint_force_parts() {
  static const Choice<Part> parts = {{"spring", JointForcePart::spring},
                                     {"limits", JointForcePart::limits},
                                     {"one_way", JointForcePart::one_way},
                                     {"friction", JointForcePart::friction},
                                     {"all", std::nullopt}};
  return parts;
}

/// A force along an axis of a joint, or a torque about one; of set-valued laws what they keep.
enum class Effort { force, torque, impulse, state };
bool is_of_set_valued_law(Effort effort) {
  return effort == Effort::impulse || effort == Effort::state;
}

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
              "which force in the joint: `spring` (spring, damper and actuator), `limits`, `one_way`, `friction`, or `all` together",
              "friction")
              .or_default(),
          joint_force_parts(), &Self::part),
      read_elsewhere<Self>(
          Key("component", Form::word,
              "on the second place of the joint: the force along its axis (for planar joints `along` another one), or the torque about it (for universal joints about an `arm`); required if the joint has both; of the set-valued `part` the `impulse` of the last step, which is not negative, and `state`: 0 open, 1 slips or turns freely, 2 sticks or holds",
              "torque")
              .among({"force", "torque", "impulse", "state"})),
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

/// `impulse` or `state` of one law, which must be the only one of its part.
void read_set_valued(const TableView& view, const JointAnswers& joint, const Part& part,
                     Components<Effort>& components, JointFreedom& freedom) {
  const bool is_state = view.text("component") == "state";
  const auto complain = [&](const std::string& what, const std::string& remedy) {
    view.report().error(
        view.where("component"),
        fmt::format("{} is `{}`, but {}", view.path("component"), view.text("component"), what),
        remedy);
  };
  if (!part || !joint.set_valued.count(*part))
    return complain(
        part ? fmt::format("the {} of `{}` act by a regularised law", view.text("part"), joint.name)
             : fmt::format("no `part` of `{}` is chosen", joint.name),
        "choose a `part` that is set-valued, or `force` or `torque`");
  std::vector<JointFreedom> along;
  for (const auto& [of_part, its] : joint.forces)
    if (of_part == *part) along.push_back(its);
  for (const char* key : {"along", "arm"})
    if (view.has(key))
      complain(fmt::format("`{}` chooses no law", key), fmt::format("remove `{}`", key));
  if (*part != JointForcePart::friction && along.size() > 1)
    return complain(
        fmt::format("`{}` has {} along several coordinates", joint.name, view.text("part")),
        "read the events of the run, events.csv, which name each of them");
  freedom = along.front();
  if (!is_state && *part == JointForcePart::friction)
    return complain("friction of a given size has no impulses", "choose `state`");
  const bool turns = is_rotation(freedom);
  components = {
      is_state ? Component<Effort>{"state", Effort::state, kNumber}
               : Component<Effort>{"impulse", Effort::impulse, turns ? kAngularImpulse : kImpulse}};
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
  if (view.is_good("component") &&
      (view.text("component") == "impulse" || view.text("component") == "state"))
    return read_set_valued(view, *of, part, components, freedom);
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
  if (const Effort effort = components[0].what; is_of_set_valued_law(effort))
    return analyses::set_valued_sensor(name, forces,
                                       effort == Effort::state
                                           ? analyses::SetValuedQuantity::state
                                           : analyses::SetValuedQuantity::impulse,
                                       components[0].quantity.si);
  if (const bodies::Coordinate* own = own_coordinate(joint, freedom, builder.built))
    return analyses::force_along_sensor(name, forces, *own);
  const auto [axes, component] = along_freedom(freedom);
  return analyses::joint_force_sensor(name, forces, axes, component);
}

}  // namespace

SensorType joint_force_sensor_row() { return JointForceSensor::row("joint_force"); }

}  // namespace solidyn::model

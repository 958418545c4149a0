#include "model/sensors/joint_questions.h"

#include <fmt/format.h>

#include "model/joints/joint_entry.h"

namespace solidyn::model {
namespace {

std::set<std::pair<JointForcePart, JointFreedom>> forces_in(const JointEntry& joint) {
  using Freedom = JointFreedom;
  std::set<std::pair<JointForcePart, Freedom>> forces;
  for (const auto& [freedom, along] : joint.forces.along) {
    if (along.spring) forces.emplace(JointForcePart::spring, freedom);
    if (along.limits) forces.emplace(JointForcePart::limits, freedom);
    if (along.clutch != CoordinateForces::Clutch::none)
      forces.emplace(JointForcePart::one_way, freedom);
  }
  if (!joint.forces.friction) return forces;
  for (Freedom freedom : {Freedom::translation, Freedom::translation_x, Freedom::translation_y,
                          Freedom::first_arm, Freedom::second_arm})
    forces.emplace(JointForcePart::friction, freedom);
  if (joint.forces.friction->options.radius > 0.0)
    forces.emplace(JointForcePart::friction, Freedom::rotation);
  return forces;
}

std::set<JointForcePart> set_valued_in(const JointEntry& joint) {
  std::set<JointForcePart> parts;
  for (const auto& [freedom, along] : joint.forces.along) {
    if (along.stop) parts.insert(JointForcePart::limits);
    if (along.clutch != CoordinateForces::Clutch::none) parts.insert(JointForcePart::one_way);
  }
  if (joint.forces.friction && joint.forces.friction->is_set_valued)
    parts.insert(JointForcePart::friction);
  return parts;
}

JointAnswers answers_of(const JointEntry& joint) {
  using Freedom = JointFreedom;
  const JointTraits& type = joint.type;
  JointAnswers answers;
  answers.name = joint.name;
  answers.type = type.word;
  answers.has_cross = type.has_coordinate(Freedom::first_arm);
  answers.turns = answers.has_cross || type.has_coordinate(Freedom::rotation);
  answers.slides_in_plane = type.slides_in_plane();
  answers.slides = answers.slides_in_plane || type.has_coordinate(Freedom::translation);
  answers.is_coupling = type.family == JointFamily::coupling;
  answers.is_drive = type.family == JointFamily::drive;
  for (const forces::Reading& reading : type.readings)
    if (std::string(reading.name) != "power") answers.drive_effort = reading.name;
  answers.n_multipliers = joint.n_multipliers();
  answers.forces = forces_in(joint);
  answers.set_valued = set_valued_in(joint);
  return answers;
}

}  // namespace

std::optional<JointAnswers> read_joint(const TableView& view, const Scope& scope,
                                       std::string& name) {
  const JointEntry* joint = find_referred_joint(view, "joint", scope);
  if (!joint) return {};
  name = joint->name;
  return answers_of(*joint);
}

void report_joint_without(const TableView& view, const JointAnswers& joint, const char* what,
                          const std::string& remedy) {
  view.report().error(view.where("joint"),
                      fmt::format("{}: `{}` is of type {}, which has no {}", view.path("joint"),
                                  joint.name, joint.type, what),
                      remedy);
}

std::optional<JointFreedom> read_arm(const TableView& view, const JointAnswers& joint) {
  if (!joint.has_cross) {
    if (!view.has("arm")) return JointFreedom::rotation;
    view.report().error(view.where("arm"),
                        fmt::format("{}: `{}` is of type {}, which has no cross", view.path("arm"),
                                    joint.name, joint.type),
                        "remove it, or give a universal joint");
    return {};
  }
  if (!view.has("arm"))
    view.report().error(
        view.where(), fmt::format("{} is missing", view.path("arm")),
        "a universal joint rotates about two arms: write  arm: first  or  arm: second");
  if (!view.is_good("arm")) return {};
  return view.text("arm") == "second" ? JointFreedom::second_arm : JointFreedom::first_arm;
}

std::optional<JointFreedom> read_along(const TableView& view, const JointAnswers& joint) {
  const std::string word = view.text("along");
  if (joint.slides_in_plane != (word == "z"))
    return word == "x"   ? JointFreedom::translation_x
           : word == "y" ? JointFreedom::translation_y
                         : JointFreedom::translation;
  view.report().error(
      view.where("along"),
      fmt::format("{} is {}: `{}`, of type {}, does not move in this direction", view.path("along"),
                  word, joint.name, joint.type),
      joint.slides_in_plane ? "write  along: x  or  along: y" : "write  along: z, or remove it");
  return {};
}

}  // namespace solidyn::model

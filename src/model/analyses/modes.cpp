#include <fmt/format.h>

#include <algorithm>

#include "model/analyses/linear.h"
#include "model/bodies/body_entry.h"
#include "model/joints/joint_entry.h"

namespace solidyn::model {
namespace {

using Self = MechanismModesDescription;

const Fields<Self>& modes_fields() {
  static const Fields<Self> first = {
      read_elsewhere<Self>(Key("body", Form::reference, "the flexible body", "rod")),
      field(Key("count", Form::integer, "number of modes, rigid-body modes not counted", "10")
                .within(kOneOrMore)
                .needed(),
            &Self::count)};
  static const Fields<Self> last = {
      field(
          Key("pictures", Form::integer,
              "mode shapes for ParaView: number of frames per period of each mode; not with `speeds`",
              "8")
              .within(kNotNegative)
              .or_default(),
          &Self::pictures),
      field(
          Key("about", Form::reference,
              "a joint or drive on the ground: the whole mechanism rotates about its axis with constant `speeds`, in steady state. A drive enforces the speed; a joint leaves it free",
              "bearing")
              .with("speeds"),
          &Self::about),
      field(
          Key("axis", Form::direction,
              "axis of the rotation, through the joint, world axes; by default the axis of the joint",
              "[1, 0, 0]")
              .with("about"),
          &Self::axis),
      field(Key("speeds", Form::vector, "the rotation speeds (Campbell diagram)", "[0, 50, 100]")
                .in(kAngularVelocity)
                .sized(kAnySize)
                .with("about"),
            &Self::speeds)};
  static const Fields<Self> fields = joined_fields(first, state_fields(), last);
  return fields;
}

void check_axis_on_ground(const TableView& view, const Scope& scope) {
  const JointEntry* joint = find_referred_joint(view, "about", scope);
  if (!joint) return;
  const std::string driven = joint->driven_joint();
  const JointEntry* axis = driven.empty() ? joint : scope.model.find_joint(driven);
  if (!axis) return;
  const std::vector<PlaceDescription> places = axis->places();
  const bool is_on_ground = std::any_of(places.begin(), places.end(), [](const auto& place) {
    return place.kind == PlaceDescription::Kind::ground;
  });
  if ((!axis->has_axis() && !view.has("axis")) || !is_on_ground)
    view.report().error(
        view.where("about"),
        fmt::format("{}: `{}` is not an axis on the ground", view.path("about"), joint->name),
        "give a revolute joint between the ground and a body, or a drive of one");
}

// What belongs to the modes of the whole mechanism.
void reject_beside_body(const TableView& view) {
  for (const char* key : {"times", "axes", "about", "axis", "speeds", "pictures"})
    if (view.has(key))
      view.report().error(
          view.where(key), fmt::format("{} cannot be combined with `body`", view.path(key)),
          "remove one of them: without `body`, the modes of the mechanism are computed");
}

ModesDescription read_modes_of_body(const TableView& view, const Scope& scope) {
  reject_beside_body(view);
  ModesDescription modes{view.text("body"), view.integer("count"), view.where()};
  const BodyEntry* body = find_referred_body(view, "body", scope);
  if (!body) return modes;
  if (const Refusal refusal = body->refuses_own_modes())
    view.report().error(view.where("body"),
                        fmt::format("{}: `{}` {}", view.path("body"), body->name, refusal.why),
                        refusal.remedy);
  return modes;
}

MechanismModesDescription read_modes_of_mechanism(const TableView& view, const Scope& scope) {
  MechanismModesDescription linear;
  linear.where = view.where();
  refuse_full_meshes(view, scope.model);
  read_fields(modes_fields(), view, scope, linear);
  if (view.has("about")) check_axis_on_ground(view, scope);
  if (view.has("about") && view.has("pictures"))
    view.report().error(view.where("pictures"),
                        fmt::format("{} has both `pictures` and `about`", view.path()),
                        "remove `pictures`: they are written for modes without `speeds` only");
  if (view.has("about") && linear.axes == LinearAxes::track)
    view.report().error(view.where("axes"),
                        fmt::format("{} has both  axes: track  and `about`", view.path()),
                        "keep one of them: a vehicle on the track, or a steady rotation");
  if (view.has("about") && view.has("times"))
    view.report().error(view.where("times"),
                        fmt::format("{} has both `times` and `about`", view.path()),
                        "keep one of them: times of the dynamics, or a steady rotation");
  return linear;
}

AnalysisDescription read_modes(const TableView& view, const Scope& scope) {
  if (view.has("body")) return read_modes_of_body(view, scope);
  return read_modes_of_mechanism(view, scope);
}

}  // namespace

const TableSpec& modes_table() {
  static const TableSpec table{
      "modes",
      "Natural modes: frequencies, damping and shapes of small motions of the whole mechanism about its state; or, with `body`, of one flexible body alone, with its supports.",
      keys_of(modes_fields())};
  return table;
}

AnalysisType modes_row() {
  return {"modes", "natural modes of the mechanism, or of one body", "{count: 10}", &modes_table(),
          read_modes};
}

}  // namespace solidyn::model

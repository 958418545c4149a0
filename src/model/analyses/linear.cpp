#include "model/analyses/linear.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "model/bodies/body_entry.h"
#include "model/joints/joint_entry.h"
#include "model/language/spelling.h"
#include "model/loads/load_entry.h"

namespace solidyn::model {
namespace {

const std::vector<std::string> kComponents = {"force_x",  "force_y",  "force_z",
                                              "torque_x", "torque_y", "torque_z"};

// All that can be an input, for suggestions.
std::vector<std::string> known_inputs(const ModelDescription& model) {
  std::vector<std::string> known;
  for (const auto& joint : model.joints)
    for (const std::string& input : joint->inputs()) known.push_back(input);
  for (const auto& load : model.loads)
    if (load->has_components())
      for (const std::string& component : kComponents)
        known.push_back(load->name + "." + component);
  return known;
}

// @pre the name is among known_inputs
LinearInputDescription input_named(const std::string& name, const ModelDescription& model) {
  LinearInputDescription input;
  input.name = name;
  const std::size_t dot = name.find('.');
  const std::string of = name.substr(0, dot);
  const auto component = std::find(kComponents.begin(), kComponents.end(),
                                   dot == std::string::npos ? std::string() : name.substr(dot + 1));
  if (component != kComponents.end()) {
    LoadInputDescription source;
    source.load = of;
    for (const auto& load : model.loads)
      if (load->name == of) source.beam = load->beam();
    source.component = static_cast<int>(component - kComponents.begin());
    input.source = source;
    return input;
  }
  const std::vector<std::string> inputs = model.find_joint(of)->inputs();
  const auto its_place = std::find(inputs.begin(), inputs.end(), name);
  input.source = DriveInputDescription{of, static_cast<int>(its_place - inputs.begin())};
  return input;
}

void read_inputs(TransferDescription& linear, const TableView& view, const Scope& scope) {
  const ModelDescription& model = scope.model;
  const Names& names = scope.names;
  const std::vector<std::string> known = known_inputs(model);
  std::set<std::string> given;
  for (const std::string& name : view.texts("inputs")) {
    if (names.open_joints.count(name)) continue;
    if (std::find(known.begin(), known.end(), name) != known.end()) {
      if (!given.insert(name).second)
        view.report().error(view.where("inputs"),
                            fmt::format("{}: duplicate `{}`", view.path("inputs"), name),
                            "remove one of them");
      linear.inputs.push_back(input_named(name, model));
      continue;
    }
    view.report().error(
        view.where("inputs"),
        fmt::format(
            "{}: `{}` is neither a component of a load of type force or distributed nor a drive",
            view.path("inputs"), name),
        known.empty()
            ? "define a load under `loads:`, zero if necessary, and give a component of it: push.force_z"
            : suggestion(name, known, "there are"));
  }
}

void read_outputs(TransferDescription& linear, const TableView& view, const Scope& scope) {
  const std::vector<std::string> known = scope.model.sensor_names();
  if (known.empty())
    view.report().error(view.where(),
                        fmt::format("{} has no output: the model has no sensor", view.path()),
                        "define the outputs under `sensors:`");
  linear.outputs = view.texts("outputs");
  for (const std::string& name : linear.outputs)
    if (!known.empty() && std::find(known.begin(), known.end(), name) == known.end())
      view.report().error(view.where("outputs"),
                          fmt::format("{}: there is no sensor `{}`", view.path("outputs"), name),
                          suggestion(name, known, "there are"));
}

}  // namespace

Field<LinearDescription> times_field() {
  return field(
      Key("times", Form::vector,
          "times in the `dynamics` of the model at which to perform this analysis; by default once, at the state after the preceding analyses, or as modelled",
          "[0.1, 0.2]")
          .in(kTime)
          .within(kNotNegative)
          .sized(kAnySize),
      &LinearDescription::times);
}

Fields<LinearDescription> state_fields() {
  using Self = LinearDescription;
  static const Choice<LinearAxes> axes = {
      {"body", LinearAxes::body}, {"world", LinearAxes::world}, {"track", LinearAxes::track}};
  return {
      times_field(),
      field(
          Key("axes", Form::word,
              "frame of the small motions of bodies: `body`, each in its own axes, which rotate with it; `world`, all in world axes; `track`, those of a vehicle in axes that go along the track with it. By default `track` where wheelsets (`wheel_rail`) run on a straight, an arc or a slope; else `body`, or `world` where the motion is steady in world axes only, as of discs that roll or turn in bearings. At rest there is no difference",
              "world"),
          axes, &Self::axes)};
}

Fields<TransferDescription> transfer_fields() {
  using Self = TransferDescription;
  return {
      read_by<Self>(
          Key("inputs", Form::references,
              "components of loads (`push.force_z`, `push.torque_x`), also along beams, drives by name (`motor`), and components of a `point_path` (`path.x`)",
              "[push.force_z, motor]")
              .sized(kAnySize)
              .needed(),
          read_inputs),
      read_by<Self>(
          Key("outputs", Form::references, "sensors; by default all sensors of the model", "[tip]")
              .sized(kAnySize),
          read_outputs)};
}

void refuse_full_meshes(const TableView& view, const ModelDescription& model) {
  for (const auto& body : model.bodies)
    if (body->traits().keeps_all_nodes)
      view.report().error(
          view.where(),
          fmt::format(
              "{}: body `{}` is of type {}, which has too many nodal coordinates for a linearisation",
              view.path(), body->name, body->type),
          fmt::format(
              "write  type: modal  or  type: superelement  there; for the modes of the body alone write  modes: {{body: {}}}",
              body->name));
}

void check_linear_analyses(const std::vector<AnalysisDescription>& analyses, bool has_track,
                           Report& report) {
  const DynamicsDescription* dynamics = nullptr;
  for (const AnalysisDescription& analysis : analyses)
    if (const auto* found = std::get_if<DynamicsDescription>(&analysis)) dynamics = found;
  std::vector<const AnalysisDescription*> seen;
  for (const AnalysisDescription& analysis : analyses) {
    const LinearDescription* linear = find_linear(analysis);
    if (!linear) continue;
    if (linear->axes == LinearAxes::track && !has_track)
      report.error(
          linear->where,
          fmt::format("`{}` has  axes: track,  and the model has no track", name(analysis)),
          "leave `axes` out, or give a `track` with wheelsets (`wheel_rail`) on it");
    const bool writes_file = !std::holds_alternative<ReflectedInertiaDescription>(analysis);
    for (const AnalysisDescription* other : seen)
      if (writes_file && other->index() == analysis.index())
        report.error(
            linear->where,
            fmt::format(
                "`analyses` contains a second `{}` of the mechanism: a run writes only one file of them",
                name(analysis)),
            "put the second one into a separate model file");
    seen.push_back(&analysis);
    if (linear->times.empty()) continue;
    const std::vector<double>& times = linear->times;
    if (!dynamics)
      report.error(linear->where, "`times` refer to a `dynamics` analysis, and there is none",
                   "remove `times`, or add  - dynamics: {duration: .., step: ..}");
    else if (!std::is_sorted(times.begin(), times.end()) ||
             times.back() > dynamics->options.duration)
      report.error(linear->where,
                   fmt::format("`times` must increase, up to the duration {:g} s of the dynamics",
                               dynamics->options.duration),
                   "sort them, and remove those after the end");
  }
}

}  // namespace solidyn::model

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "model/language/spelling.h"
#include "model/read.h"

namespace solidyn::model {
namespace {

using LinearKind = LinearDescription::Kind;

const std::vector<std::string> kComponents = {"force_x",  "force_y",  "force_z",
                                              "torque_x", "torque_y", "torque_z"};

const char* key_of(const TableView& analysis) {
  for (const char* key : {"modes", "linearise"})
    if (analysis.has(key)) return key;
  return "frequency_response";
}

std::vector<double> numbers_if_given(const TableView& view, const std::string& key) {
  return view.is_good(key) ? view.numbers(key) : std::vector<double>();
}

std::string path_input(const JointDescription& path, int axis) {
  return fmt::format("{}.{}", path.name, "xyz"[axis]);
}

// All that can be an input, for suggestions.
std::vector<std::string> known_inputs(const ModelDescription& model) {
  std::vector<std::string> known;
  for (const JointDescription& joint : model.joints) {
    if (family(joint.type) == JointFamily::drive && joint.type != JointType::point_path)
      known.push_back(joint.name);
    if (joint.type != JointType::point_path) continue;
    for (int i = 0; i < 3; ++i)
      if (joint.laws[i]) known.push_back(path_input(joint, i));
  }
  for (const LoadDescription& load : model.loads)
    if (load.type == LoadType::force || load.type == LoadType::distributed)
      for (const std::string& component : kComponents) known.push_back(load.name + "." + component);
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
    input.load = of;
    for (const LoadDescription& load : model.loads)
      if (load.name == of && load.type == LoadType::distributed) input.line_of = load.body;
    input.component = static_cast<int>(component - kComponents.begin());
    return input;
  }
  input.drive = of;
  if (dot == std::string::npos) return input;
  const JointDescription& path = *model.find_joint(of);
  for (int i = 0; path_input(path, i) != name; ++i)
    if (path.laws[i]) ++input.component;
  return input;
}

void read_inputs(const TableView& view, const ModelDescription& model, const Names& names,
                 LinearDescription& linear) {
  const std::vector<std::string> known = known_inputs(model);
  std::set<std::string> given;
  for (const std::string& name : view.texts("inputs")) {
    if (names.open_joints.count(name)) continue;
    if (std::find(known.begin(), known.end(), name) != known.end()) {
      if (!given.insert(name).second)
        view.report().error(view.where("inputs"),
                            fmt::format("{}: `{}` is given twice", view.path("inputs"), name),
                            "remove one of them");
      linear.inputs.push_back(input_named(name, model));
      continue;
    }
    view.report().error(
        view.where("inputs"),
        fmt::format(
            "{}: `{}` is neither a component of a load of type force or distributed nor a drive",
            view.path("inputs"), name),
        known.empty() ? "declare a load under `loads:`, zero if need be, and name a component of "
                        "it: push.force_z"
                      : suggestion(name, known, "there are"));
  }
}

void read_outputs(const TableView& view, const ModelDescription& model, LinearDescription& linear) {
  std::vector<std::string> known;
  for (const SensorDescription& sensor : model.sensors) known.push_back(sensor.name);
  if (known.empty())
    view.report().error(view.where(),
                        fmt::format("{} has no output: the model has no sensor", view.path()),
                        "declare under `sensors:` what the answer is to be read from");
  linear.outputs = view.texts("outputs");
  for (const std::string& name : linear.outputs)
    if (!known.empty() && std::find(known.begin(), known.end(), name) == known.end())
      view.report().error(view.where("outputs"),
                          fmt::format("{}: there is no sensor `{}`", view.path("outputs"), name),
                          suggestion(name, known, "there are"));
}

std::vector<double> read_range(const TableView& view) {
  const double from = view.number("from"), to = view.number("to");
  const int n = view.integer("points");
  const bool is_logarithmic = view.text("spacing") == "logarithmic";
  if (!view.is_good("from") || !view.is_good("to") || !view.is_good("points")) return {};
  if (to <= from) {
    view.report().error(
        view.where("to"),
        fmt::format("{} is {:g} Hz, not above `from`, {:g} Hz", view.path("to"), to, from),
        "exchange the two values");
    return {};
  }
  if (is_logarithmic && from == 0.0) {
    view.report().error(view.where("from"),
                        fmt::format("{} is 0: equal ratios cannot begin there", view.path("from")),
                        "begin above zero, or write  spacing: linear");
    return {};
  }
  std::vector<double> frequencies;
  for (int i = 0; i < n; ++i) {
    const double part = static_cast<double>(i) / (n - 1);
    frequencies.push_back(is_logarithmic ? from * std::pow(to / from, part)
                                         : from + part * (to - from));
  }
  frequencies.back() = to;
  return frequencies;
}

void check_axis_on_ground(const TableView& view, const ModelDescription& model,
                          const Names& names) {
  const JointDescription* joint = find_referred_joint(view, "about", model.joints);
  if (!joint || names.open_joints.count(joint->name)) return;
  const JointDescription* axis = joint->joint.empty() ? joint : model.find_joint(joint->joint);
  if (!axis) return;
  const bool is_on_ground = axis->between[0].kind == PlaceDescription::Kind::ground ||
                            axis->between[1].kind == PlaceDescription::Kind::ground;
  if ((!axis->axis && !view.has("axis")) || !is_on_ground)
    view.report().error(
        view.where("about"),
        fmt::format("{}: `{}` is no axis on the ground", view.path("about"), joint->name),
        "name a revolute joint between the ground and a body, or a drive of one");
}

void refuse_full_meshes(const TableView& view, const ModelDescription& model) {
  for (const BodyDescription& body : model.bodies)
    if (body.type == BodyType::floating_frame || body.type == BodyType::corotational ||
        body.type == BodyType::inertial)
      view.report().error(
          view.where(),
          fmt::format("{}: body `{}` is of type {}, whose nodes are too many to be linearised here",
                      view.path(), body.name, name(body.type)),
          fmt::format(
              "write  type: modal  or  type: superelement  there; those of the body by itself "
              "are  modes: {{body: {}}}",
              body.name));
}

}  // namespace

LinearDescription read_linear(const TableView& analysis, const ModelDescription& model,
                              const Names& names) {
  const std::string key = key_of(analysis);
  const TableView view = analysis.table(key);
  LinearDescription linear;
  linear.kind = chosen<LinearKind>(key, {{"modes", LinearKind::modes},
                                         {"linearise", LinearKind::state_space},
                                         {"frequency_response", LinearKind::frequency_response}});
  linear.where = view.where();
  linear.times = numbers_if_given(view, "times");
  linear.is_in_world_axes = view.text("axes") == "world";
  refuse_full_meshes(view, model);
  if (linear.kind != LinearKind::modes) {
    read_inputs(view, model, names, linear);
    read_outputs(view, model, linear);
    if (linear.kind == LinearKind::frequency_response)
      linear.frequencies =
          view.has("frequencies") ? numbers_if_given(view, "frequencies") : read_range(view);
    return linear;
  }
  linear.count = view.integer("count");
  linear.pictures = view.integer("pictures");
  linear.speeds = numbers_if_given(view, "speeds");
  linear.about = view.text("about");
  if (view.has("about")) check_axis_on_ground(view, model, names);
  if (view.is_good("axis")) linear.axis = view.direction("axis");
  if (view.has("about") && view.has("pictures"))
    view.report().error(view.where("pictures"),
                        fmt::format("{} has both `pictures` and `about`", view.path()),
                        "remove `pictures`: they are drawn of modes without `speeds`");
  if (view.has("about") && view.has("times"))
    view.report().error(view.where("times"),
                        fmt::format("{} has both `times` and `about`", view.path()),
                        "keep one: a time of the dynamics, or a steady rotation");
  return linear;
}

void check_linear_analyses(const TableView& file, const std::vector<AnalysisDescription>& analyses,
                           const ModelDescription& model) {
  const DynamicsDescription* dynamics = nullptr;
  for (const AnalysisDescription& analysis : analyses)
    if (const auto* found = std::get_if<DynamicsDescription>(&analysis)) dynamics = found;
  std::vector<const LinearDescription*> seen;
  for (const AnalysisDescription& analysis : analyses) {
    const auto* linear = std::get_if<LinearDescription>(&analysis);
    if (!linear) continue;
    for (const LinearDescription* other : seen)
      if (other->kind == linear->kind)
        file.report().error(linear->where,
                            fmt::format("analyses holds a second `{}` of the mechanism: a run has "
                                        "one file of them",
                                        name(linear->kind)),
                            "put the second one into a model file of its own");
    seen.push_back(linear);
    if (linear->times.empty()) continue;
    const std::vector<double>& times = linear->times;
    if (!dynamics)
      file.report().error(linear->where, "`times` are those of a `dynamics`, and there is none",
                          "remove `times`, or add  - dynamics: {duration: .., step: ..}");
    else if (!std::is_sorted(times.begin(), times.end()) ||
             times.back() > dynamics->options.duration)
      file.report().error(
          linear->where,
          fmt::format("`times` must grow, up to the duration {:g} s of the dynamics",
                      dynamics->options.duration),
          "order them, and leave out those after the end");
  }
}

}  // namespace solidyn::model

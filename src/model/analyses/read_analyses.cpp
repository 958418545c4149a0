#include <fmt/format.h>

#include <algorithm>

#include "model/language/spelling.h"
#include "model/read.h"

namespace solidyn::model {
namespace {

void check_step(const TableView& view, const analyses::DynamicsOptions& options) {
  if (view.is_good("step") && view.is_good("duration") && options.step > options.duration)
    view.report().error(view.where("step"),
                        fmt::format("{} is {:g} s, longer than the duration {:g} s",
                                    view.path("step"), options.step, options.duration),
                        "choose a step that is a small part of the duration");
}

void read_adaptive(const TableView& view, analyses::DynamicsOptions& options) {
  const TableView table = view.table("adaptive");
  options.adaptive = analyses::DynamicsOptions::Adaptive{
      table.number("tolerance"), table.number("minimum_step"), table.number("maximum_step")};
  const auto& adaptive = *options.adaptive;
  if (!table.is_good("minimum_step") || !table.is_good("maximum_step")) return;
  if (adaptive.minimum_step > adaptive.maximum_step)
    view.report().error(
        table.where("minimum_step"),
        fmt::format("{} is {:g} s, above maximum_step {:g} s", table.path("minimum_step"),
                    adaptive.minimum_step, adaptive.maximum_step),
        "exchange the two values");
  else if (view.is_good("step") &&
           (options.step < adaptive.minimum_step || options.step > adaptive.maximum_step))
    view.report().error(
        view.where("step"),
        fmt::format("{} is {:g} s, outside of minimum_step {:g} s and maximum_step "
                    "{:g} s",
                    view.path("step"), options.step, adaptive.minimum_step, adaptive.maximum_step),
        "start with a step between them");
}

std::vector<StopCondition> read_stop_conditions(const TableView& view,
                                                const ModelDescription& model) {
  std::vector<StopCondition> conditions;
  for (const auto& [number, table] : view.tables("stop_when")) {
    StopCondition condition;
    condition.where = table.where();
    condition.column = table.text("sensor");
    condition.is_above = table.has("above");
    condition.value = table.number(condition.is_above ? "above" : "below");
    std::vector<std::string> known;
    for (const SensorDescription& sensor : model.sensors) known.push_back(sensor.name);
    const std::string sensor = condition.column.substr(0, condition.column.find('.'));
    if (table.is_good("sensor") && std::find(known.begin(), known.end(), sensor) == known.end())
      view.report().error(
          table.where("sensor"),
          fmt::format("{}: there is no sensor `{}`", table.path("sensor"), sensor),
          known.empty() ? "declare it under `sensors:`" : suggestion(sensor, known, "there are"));
    conditions.push_back(std::move(condition));
  }
  return conditions;
}

// Other bodies have Newton's own tangent in any case.
void warn_of_tangent(const TableView& view, const analyses::DynamicsOptions& options,
                     const ModelDescription& model) {
  const bool is_newmark = options.integrator == analyses::IntegratorKind::generalized_alpha ||
                          options.integrator == analyses::IntegratorKind::hht;
  const bool is_solid =
      std::any_of(model.bodies.begin(), model.bodies.end(), [](const BodyDescription& body) {
        return body.type == BodyType::corotational || body.type == BodyType::inertial;
      });
  if (options.tangent == integrators::NewtonTangent::kept || !is_newmark || is_solid) return;
  view.report().warning(
      view.where("tangent"),
      fmt::format("{} has no effect: no body has all its nodes in absolute coordinates",
                  view.path("tangent")),
      "leave it out, or see  type: corotational  and  type: inertial");
}

analyses::DynamicsOptions read_options(const TableView& view) {
  using analyses::IntegratorKind;
  analyses::DynamicsOptions options;
  options.duration = view.number("duration");
  options.step = view.number("step");
  for (IntegratorKind integrator : {IntegratorKind::generalized_alpha, IntegratorKind::hht,
                                    IntegratorKind::bdf, IntegratorKind::runge_kutta})
    if (view.type() == name(integrator)) options.integrator = integrator;
  options.rho_infinity = view.number("rho_infinity");
  options.hht_alpha = view.number("alpha");
  options.tolerance = view.number("tolerance");
  options.max_iterations = view.integer("max_iterations");
  if (view.text("tangent") == "consistent")
    options.tangent = integrators::NewtonTangent::consistent;
  options.relative_tolerance = view.number("relative_tolerance");
  options.absolute_tolerance = view.number("absolute_tolerance");
  options.baumgarte_alpha = view.table("baumgarte").number("alpha");
  options.baumgarte_beta = view.table("baumgarte").number("beta");
  check_step(view, options);
  if (view.has("adaptive")) read_adaptive(view, options);
  return options;
}

DynamicsDescription read_dynamics(const TableView& view, const ModelDescription& model) {
  DynamicsDescription dynamics;
  dynamics.where = view.where();
  dynamics.options = read_options(view);
  warn_of_tangent(view, dynamics.options, model);
  if (view.has("start")) {
    const TableView start = view.table("start");
    if (start.text("elastic") == "quasi_static")
      dynamics.options.elastic_start = analyses::ElasticStart::quasi_static;
    dynamics.elastic_start_at = start.where("elastic");
  }
  dynamics.stop_when = read_stop_conditions(view, model);
  return dynamics;
}

DynamicsDescription read_kinematics(const TableView& view, const ModelDescription& model) {
  DynamicsDescription kinematics;
  kinematics.where = view.where();
  kinematics.options.integrator = analyses::IntegratorKind::kinematics;
  kinematics.options.duration = view.number("duration");
  kinematics.options.step = view.number("step");
  check_step(view, kinematics.options);
  kinematics.stop_when = read_stop_conditions(view, model);
  return kinematics;
}

StaticsDescription read_statics(const TableView& view) {
  StaticsDescription statics;
  statics.where = view.where();
  analyses::StaticsOptions& options = statics.options;
  options.load_steps = view.integer("load_steps");
  options.tolerance = view.number("tolerance");
  options.max_iterations = view.integer("max_iterations");
  options.smallest_step = view.number("smallest_step");
  options.arc_length = view.text("control") == "arc_length";
  options.max_steps = view.integer("max_steps");
  if (view.text("method") == "newton") options.method = analyses::StaticsMethod::newton;
  if (view.text("method") == "relaxation") options.method = analyses::StaticsMethod::relaxation;
  options.max_relaxation_steps = view.integer("max_relaxation_steps");
  statics.has_time = view.text("time") == "load_parameter" || view.text("time") == "start";
  if (view.text("time") == "start") options.time = analyses::LoadTime::start;
  for (const char* key : {"load_steps", "smallest_step", "control", "max_steps"})
    statics.has_path_keys |= view.has(key);
  return statics;
}

// Where a motion begins from the equilibrium of statics.
void check_sequence(const StaticsDescription& statics, const DynamicsDescription& motion,
                    bool is_statics_first, Report& report) {
  if (!is_statics_first)
    report.error(statics.where,
                 "analyses holds `statics` after a motion: it cannot begin from there",
                 "put statics first, or into a model file of its own");
  else if (motion.options.integrator == analyses::IntegratorKind::kinematics)
    report.error(
        motion.where,
        "`kinematics` cannot begin from the equilibrium of `statics`: drives alone determine it",
        "put one of them into a model file of its own");
  else if (motion.elastic_start_at.line > 0 &&
           motion.options.elastic_start == analyses::ElasticStart::as_given)
    report.error(
        motion.elastic_start_at,
        "start.elastic is `undeformed`, but dynamics begins from the equilibrium of `statics`",
        "remove the key, or `statics`");
}

void check_sequences(const std::vector<AnalysisDescription>& analyses, Report& report) {
  const StaticsDescription* statics = nullptr;
  const DynamicsDescription* motion = nullptr;
  bool is_statics_first = false;
  for (const AnalysisDescription& analysis : analyses) {
    if (const auto* found = std::get_if<StaticsDescription>(&analysis); found && !statics) {
      statics = found;
      is_statics_first = !motion;
    }
    if (const auto* found = std::get_if<DynamicsDescription>(&analysis); found && !motion)
      motion = found;
  }
  if (statics && motion) check_sequence(*statics, *motion, is_statics_first, report);
}

// What belongs to the modes of the whole mechanism.
void reject_beside_body(const TableView& view) {
  for (const char* key : {"times", "axes", "about", "axis", "speeds", "pictures"})
    if (view.has(key))
      view.report().error(view.where(key),
                          fmt::format("{} does not go with `body`", view.path(key)),
                          "remove one of them: without `body` the modes are of the mechanism");
}

ModesDescription read_modes(const TableView& view, const ModelDescription& model,
                            const Names& names) {
  reject_beside_body(view);
  ModesDescription modes{view.text("body"), view.integer("count"), view.where()};
  const BodyDescription* body = find_referred_body(view, "body", model);
  if (body && body->type == BodyType::rigid && !names.open_bodies.count(body->name))
    view.report().error(
        view.where("body"),
        fmt::format("{}: `{}` is rigid: it has no elastic modes", view.path("body"), body->name),
        "name a flexible body");
  if (body && body->type == BodyType::beam)
    view.report().error(view.where("body"),
                        fmt::format("{}: `{}` is a beam, which has modes in a mechanism only",
                                    view.path("body"), body->name),
                        "leave `body` out: the modes of the whole mechanism are asked for");
  if (body && body->type == BodyType::superelement)
    view.report().error(
        view.where("body"),
        fmt::format("{}: `{}` is a superelement, whose coordinates are no natural modes",
                    view.path("body"), body->name),
        "write  type: modal  there, or see `solidyn reduce`");
  if (body && !body->flexible.reduced_body.empty())
    view.report().error(view.where("body"),
                        fmt::format("{}: `{}` is a reduced body", view.path("body"), body->name),
                        "name a body with a `mesh`, or look into the file with  solidyn info");
  return modes;
}

}  // namespace

Units read_units(const TableView& file) {
  const TableView view = file.table("units");
  Units units;
  units.length = metres_per(view.text("length"));
  units.mass = kilograms_per(view.text("mass"));
  units.time = seconds_per(view.text("time"));
  units.angle = radians_per(view.text("angle"));
  units.force = view.is_good("force") ? newtons_per(view.text("force"))
                                      : units.mass * units.length / (units.time * units.time);
  return units;
}

std::vector<AnalysisDescription> read_analyses(const TableView& file, const ModelDescription& model,
                                               const Names& names) {
  std::vector<AnalysisDescription> analyses;
  for (const auto& [number, view] : file.tables("analyses")) {
    if (view.has("dynamics"))
      analyses.emplace_back(read_dynamics(view.table("dynamics"), model));
    else if (view.has("kinematics"))
      analyses.emplace_back(read_kinematics(view.table("kinematics"), model));
    else if (view.has("statics"))
      analyses.emplace_back(read_statics(view.table("statics")));
    else if (view.has("modes") && view.table("modes").has("body"))
      analyses.emplace_back(read_modes(view.table("modes"), model, names));
    else if (view.has("modes") || view.has("linearise") || view.has("frequency_response"))
      analyses.emplace_back(read_linear(view, model, names));
  }
  check_linear_analyses(file, analyses, model);
  check_sequences(analyses, file.report());
  return analyses;
}

SolverDescription read_solver(const TableView& file) {
  const TableView view = file.table("solver");
  const std::string preset = view.text("preset");
  return {preset == "small"    ? solvers::Preset::small
          : preset == "direct" ? solvers::Preset::direct
                               : solvers::Preset::automatic,
          view.text("petsc_options")};
}

namespace {

// `statics` has a row for each load step, linear analyses have none.
void warn_of_rows_without_motion(const TableView& output,
                                 const std::vector<AnalysisDescription>& analyses) {
  const bool has_motion =
      std::any_of(analyses.begin(), analyses.end(), [](const AnalysisDescription& analysis) {
        return std::holds_alternative<DynamicsDescription>(analysis);
      });
  if (has_motion || analyses.empty()) return;
  for (const char* key : {"history_every", "history_interval"})
    if (output.has(key))
      output.report().warning(
          output.where(key),
          fmt::format("{} has no effect: it is for `dynamics` and `kinematics`", output.path(key)),
          "leave it out; `statics` has a row for each of its load steps");
}

}  // namespace

OutputDescription read_output(const TableView& file,
                              const std::vector<AnalysisDescription>& analyses) {
  const TableView view = file.table("output");
  OutputDescription output;
  output.history_every = view.integer("history_every");
  output.history_interval = view.number("history_interval");
  if (view.has("history_every") && view.has("history_interval"))
    view.report().error(view.where("history_interval"),
                        "output has both `history_every` and `history_interval`",
                        "count steps or time, not both");
  else if (view.has("history_interval"))
    output.history_every = 0;
  warn_of_rows_without_motion(view, analyses);
  output.fields_interval = view.number("fields_interval");
  output.checkpoint_interval = view.number("checkpoint_interval");
  output.checkpoint_every = view.integer("checkpoint_every");
  const TableView statistics = view.table("statistics");
  output.statistics_from = statistics.number("from");
  for (const AnalysisDescription& analysis : analyses)
    if (const auto* dynamics = std::get_if<DynamicsDescription>(&analysis))
      if (output.statistics_from > 0.0 && output.statistics_from >= dynamics->options.duration)
        statistics.report().error(statistics.where("from"),
                                  "output.statistics.from leaves nothing of the run",
                                  "give a time before its `duration`");
  return output;
}

}  // namespace solidyn::model

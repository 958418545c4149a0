#include "model/analyses/analysis_type.h"

namespace solidyn::model {
namespace {

using analyses::LoadTime;
using analyses::StaticsMethod;
using analyses::StaticsOptions;

const Fields<StaticsOptions>& statics_fields() {
  using Self = StaticsOptions;
  static const Choice<LoadTime> times = {{"load_parameter", LoadTime::parameter},
                                         {"start", LoadTime::start}};
  static const Choice<bool> controls = {{"load", false}, {"arc_length", true}};
  static const Choice<StaticsMethod> methods = {{"automatic", StaticsMethod::automatic},
                                                {"newton", StaticsMethod::newton},
                                                {"relaxation", StaticsMethod::relaxation}};
  static const Fields<Self> fields = {
      field(
          Key("load_steps", Form::integer,
              "steps of the load parameter; reduced where Newton fails, then enlarged again", "10")
              .within(kOneOrMore)
              .or_default(),
          &Self::load_steps),
      field(
          Key("tolerance", Form::number,
              "convergence tolerance of Newton's method: correction relative to the largest displacement",
              "1e-8")
              .within({0.0, 1.0, false, false})
              .or_default(),
          &Self::tolerance),
      field(Key("max_iterations", Form::integer, "maximum Newton iterations per step", "25")
                .within(kOneOrMore)
                .or_default(),
            &Self::max_iterations),
      field(Key("smallest_step", Form::number, "minimum load step; the analysis fails below it",
                "1e-5")
                .within({0.0, 1.0, false, true})
                .or_default(),
            &Self::smallest_step),
      field(
          Key("time", Form::word,
              "meaning of time for loads, supports and drives: `load_parameter` (from 0 to 1), or `start` (constant 0, a single equilibrium). By default `load_parameter`, but `start` if dynamics follows and one of them varies with time",
              "start"),
          times, &Self::time),
      field(
          Key("control", Form::word,
              "`load` (steps of the load parameter) or `arc_length` (steps along the path of equilibria, on which the load parameter may fall beyond a limit load)",
              "arc_length")
              .or_default(),
          controls, &Self::arc_length),
      field(
          Key("method", Form::word,
              "`newton`, `relaxation` (damped motion until everything is at rest), or `automatic`: Newton, and relaxation where Newton fails or converges to an unstable equilibrium",
              "relaxation")
              .or_default()
              .of({"load"}),
          methods, &Self::method),
      field(Key("max_relaxation_steps", Form::integer, "maximum number of steps of a relaxation",
                "5000")
                .within(kOneOrMore)
                .or_default()
                .of({"load"}),
            &Self::max_relaxation_steps),
      field(Key("max_steps", Form::integer, "maximum number of steps along the path", "1000")
                .within(kOneOrMore)
                .or_default()
                .of({"arc_length"}),
            &Self::max_steps)};
  return fields;
}

AnalysisDescription read_statics(const TableView& view, const Scope& scope) {
  StaticsDescription statics;
  statics.where = view.where();
  read_fields(statics_fields(), view, scope, statics.options);
  statics.options.is_relative = scope.model.formulation == analyses::Formulation::recursive;
  statics.has_time = view.is_good("time");
  statics.has_path_keys = view.has_any({"load_steps", "smallest_step", "control", "max_steps"});
  return statics;
}

}  // namespace

const TableSpec& statics_table() {
  static const TableSpec table{
      "statics",
      "Static equilibrium. The time of loads, supports and drives is a load parameter from 0 to 1; the history has a row for each load step. If `dynamics` follows, it starts from the equilibrium, and the rows are written to `statics.csv`.",
      keys_of(statics_fields()), "control", true};
  return table;
}

AnalysisType statics_row() {
  return {"statics", "equilibrium under growing loads", "{load_steps: 10}", &statics_table(),
          read_statics};
}

}  // namespace solidyn::model

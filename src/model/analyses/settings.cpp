#include <fmt/format.h>

#include <algorithm>

#include "model/analyses/nonlinear_solver.h"
#include "model/language/field.h"
#include "model/read.h"

// `solver` and `output`.
namespace solidyn::model {
namespace {

const Fields<SolverDescription>& solver_fields() {
  using Self = SolverDescription;
  static const Choice<solvers::Preset> presets = {{"auto", solvers::Preset::automatic},
                                                  {"small", solvers::Preset::small},
                                                  {"direct", solvers::Preset::direct}};
  static const Choice<solvers::Nonlinear> nonlinear = {{"newton", solvers::Nonlinear::newton},
                                                       {"snes", solvers::Nonlinear::snes}};
  static const Fields<Self> fields = {
      field(
          Key("preset", Form::word,
              "`auto` (by size), `small` (few unknowns, microseconds), `direct` (distributed factorisation)",
              "auto")
              .later({"iterative"})
              .or_default(),
          presets, &Self::preset),
      field(
          Key("nonlinear", Form::word,
              "who iterates in implicit steps and in statics: the code's own method (`newton`), or PETSc's `snes`, with the options `-system_snes_...`",
              "snes")
              .or_default(),
          nonlinear, &Self::nonlinear),
      field(Key("petsc_options", Form::text,
                "options for PETSc; those on the command line (after --) override them",
                "\"-ksp_monitor\""),
            &Self::petsc_options)};
  return fields;
}

const Fields<OutputDescription>& statistics_fields() {
  using Self = OutputDescription;
  static const Fields<Self> fields = {
      field(Key("from", Form::number, "start of the averaging interval, to exclude transients", "1")
                .in(kTime)
                .within(kNotNegative)
                .or_default(),
            &Self::statistics_from)};
  return fields;
}

const Fields<OutputDescription>& output_fields() {
  using Self = OutputDescription;
  static const Choice<bool> yes_or_no = {{"true", true}, {"false", false}};
  static const Fields<Self> fields = {
      field(Key("history_every", Form::integer, "steps between rows of history.csv", "1")
                .within(kOneOrMore)
                .or_default(),
            &Self::history_every),
      field(Key("history_interval", Form::number, "time between rows, instead of `history_every`",
                "1e-4")
                .in(kTime)
                .within(kPositive),
            &Self::history_interval),
      field(Key("fields_interval", Form::number, "time between field outputs for ParaView; 0: none",
                "1e-3")
                .in(kTime)
                .within(kNotNegative)
                .or_default(),
            &Self::fields_interval),
      field(
          Key("motion_interval", Form::number,
              "time between pictures of the motion for reports (motion.h5), by default a 500th of the duration; 0: none",
              "1e-3")
              .in(kTime)
              .within(kNotNegative),
          &Self::motion_interval),
      field(Key("report", Form::word,
                "`true`: write report.html into the folder at the end of the run (doc/report.md)",
                "true")
                .or_default(),
            yes_or_no, &Self::report),
      field(
          Key("checkpoint_interval", Form::number, "time between checkpoints; 0: not by time", "60")
              .in(kWallTime)
              .within(kNotNegative)
              .or_default(),
          &Self::checkpoint_interval),
      field(Key("checkpoint_every", Form::integer, "steps between checkpoints; 0: not by steps",
                "1000")
                .within(kNotNegative)
                .or_default(),
            &Self::checkpoint_every),
      read_by<Self>(
          Key("statistics", Form::table,
              "statistics of the columns in the table of a sweep (doc/sweeps.md)", "{from: 1}")
              .holds(statistics_table()),
          [](Self& output, const TableView& view, const Scope& scope) {
            read_fields(statistics_fields(), view.table("statistics"), scope, output);
          })};
  return fields;
}

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
          fmt::format("{} has no effect: it applies to `dynamics` and `kinematics`",
                      output.path(key)),
          "remove it; `statics` writes a row for each load step");
}

// Times of such pictures cannot be told from each other.
void refuse_tiny_intervals(const TableView& output,
                           const std::vector<AnalysisDescription>& analyses) {
  constexpr double kOfDuration = 1e-12;
  for (const AnalysisDescription& analysis : analyses) {
    const auto* dynamics = std::get_if<DynamicsDescription>(&analysis);
    if (!dynamics) continue;
    for (const char* key : {"history_interval", "fields_interval", "motion_interval"}) {
      const double interval = output.is_good(key) ? output.number(key) : 0.0;
      if (interval > 0.0 && interval < kOfDuration * dynamics->options.duration)
        output.report().error(
            output.where(key),
            fmt::format("{} is {:g} s, less than the round-off of times up to {:g} s",
                        output.path(key), interval, dynamics->options.duration),
            "give the time between two outputs, not below the step");
    }
  }
}

}  // namespace

const TableSpec& solver_table() {
  static const TableSpec table{"solver", "Solvers.", keys_of(solver_fields())};
  return table;
}

const TableSpec& statistics_table() {
  static const TableSpec table{
      "statistics", "Time interval for minimum, maximum, mean, rms and amplitude in `sweep.csv`.",
      keys_of(statistics_fields())};
  return table;
}

const TableSpec& output_table() {
  static const TableSpec table{"output", "What is written, and when.", keys_of(output_fields())};
  return table;
}

SolverDescription read_solver(const TableView& file, const Scope& scope) {
  SolverDescription solver;
  const TableView view = file.table("solver");
  read_fields(solver_fields(), view, scope, solver);
  if (solver.nonlinear == solvers::Nonlinear::snes) check_nonlinear_solver(view, scope.model);
  return solver;
}

OutputDescription read_output(const TableView& file, const Scope& scope) {
  const std::vector<AnalysisDescription>& analyses = scope.model.analyses;
  const TableView view = file.table("output");
  OutputDescription output;
  read_fields(output_fields(), view, scope, output);
  if (view.has("history_every") && view.has("history_interval"))
    view.report().error(view.where("history_interval"),
                        "output has both `history_every` and `history_interval`",
                        "give steps or time, not both");
  else if (view.has("history_interval"))
    output.history_every = 0;
  warn_of_rows_without_motion(view, analyses);
  refuse_tiny_intervals(view, analyses);
  const TableView statistics = view.table("statistics");
  for (const AnalysisDescription& analysis : analyses)
    if (const auto* dynamics = std::get_if<DynamicsDescription>(&analysis))
      if (output.statistics_from > 0.0 && output.statistics_from >= dynamics->options.duration)
        statistics.report().error(statistics.where("from"),
                                  "output.statistics.from is not before the end of the run",
                                  "give a time before its `duration`");
  return output;
}

}  // namespace solidyn::model

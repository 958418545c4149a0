#include <fmt/format.h>

#include <algorithm>

#include "model/analyses/analysis_type.h"
#include "model/analyses/linear.h"

namespace solidyn::model {

// Each in the file of its name; linearise and frequency_response in transfer.cpp.
AnalysisType dynamics_row();
AnalysisType kinematics_row();
AnalysisType inverse_dynamics_row();
AnalysisType statics_row();
AnalysisType modes_row();
AnalysisType linearise_row();
AnalysisType frequency_response_row();
AnalysisType reflected_inertia_row();

namespace {

const std::vector<AnalysisType>& analysis_catalogue() {
  static const std::vector<AnalysisType> catalogue = {
      dynamics_row(), kinematics_row(), inverse_dynamics_row(),   statics_row(),
      modes_row(),    linearise_row(),  frequency_response_row(), reflected_inertia_row()};
  return catalogue;
}

bool is_driven(const analyses::DynamicsOptions& motion) {
  return motion.inverse != analyses::InverseDynamics::none ||
         motion.integrator == analyses::IntegratorKind::kinematics;
}

// Where a motion begins from the equilibrium of statics.
void check_sequence(const StaticsDescription& statics, const DynamicsDescription& motion,
                    bool is_statics_first, Report& report) {
  if (!is_statics_first)
    report.error(statics.where,
                 "`analyses` contains `statics` after a motion: it cannot start from there",
                 "put statics first, or into a separate model file");
  else if (is_driven(motion.options))
    report.error(
        motion.where,
        fmt::format("`{}` cannot start from the equilibrium of `statics`: {}", name(motion.options),
                    motion.options.inverse == analyses::InverseDynamics::none
                        ? "it is determined by drives alone"
                        : "its drives say where it starts"),
        "put one of them into a separate model file");
  else if (motion.elastic_start_at.line > 0 &&
           motion.options.elastic_start == analyses::ElasticStart::as_given)
    report.error(
        motion.elastic_start_at,
        "start.elastic is `undeformed`, but dynamics starts from the equilibrium of `statics`",
        "remove the key, or `statics`");
  if (is_statics_first && motion.options.assemble_contacts)
    report.error(motion.assemble_at,
                 "start.assemble: dynamics starts from the equilibrium of `statics`",
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

}  // namespace

const TableSpec& analysis_table() {
  static const TableSpec table = [] {
    TableSpec entry{"analysis",
                    "One entry of the list `analyses`; the analyses are run in order.",
                    {},
                    "",
                    false};
    for (const AnalysisType& type : analysis_catalogue()) {
      entry.keys.push_back(
          Key(type.word, Form::table, type.meaning, type.example).holds(*type.table));
      entry.exactly_one_of.emplace_back(type.word);
    }
    return entry;
  }();
  return table;
}

std::vector<AnalysisDescription> read_analyses(const TableView& file, const Scope& scope) {
  std::vector<AnalysisDescription> analyses;
  for (const auto& [number, view] : file.tables("analyses"))
    for (const AnalysisType& type : analysis_catalogue())
      if (view.has(type.word)) {
        analyses.push_back(type.read(view.table(type.word), scope));
        break;  // of two of them there is a complaint
      }
  check_linear_analyses(analyses, scope.names.has_track, file.report());
  check_sequences(analyses, file.report());
  return analyses;
}

}  // namespace solidyn::model

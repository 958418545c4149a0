#include "model/analyses/analysis_type.h"

namespace solidyn::model {
namespace {

using Options = analyses::DynamicsOptions;

const Fields<DynamicsDescription>& kinematics_fields() {
  using Self = DynamicsDescription;
  static const Fields<Self> fields = {
      field(Key("duration", Form::number, "duration of the motion", "1")
                .in(kTime)
                .within(kPositive)
                .needed(),
            &Self::options, &Options::duration),
      field(Key("step", Form::number, "time step between positions", "0.01")
                .in(kTime)
                .within(kPositive)
                .needed(),
            &Self::options, &Options::step),
      {stop_key(), [](Self& motion, const TableView& view, const Scope& scope) {
         read_stop_conditions(view, scope, motion.stop_when);
       }}};
  return fields;
}

AnalysisDescription read_kinematics(const TableView& view, const Scope& scope) {
  DynamicsDescription kinematics;
  kinematics.where = view.where();
  kinematics.options.integrator = analyses::IntegratorKind::kinematics;
  read_fields(kinematics_fields(), view, scope, kinematics);
  check_step(view, kinematics.options);
  return kinematics;
}

}  // namespace

const TableSpec& kinematics_table() {
  static const TableSpec table{
      "kinematics",
      "Motion of a mechanism of rigid bodies as determined by its drives, without time integration. `reaction` sensors of the drives give the required forces and torques (inverse dynamics).",
      keys_of(kinematics_fields())};
  return table;
}

AnalysisType kinematics_row() {
  return {"kinematics", "motion determined by drives, and the forces required",
          "{duration: 1, step: 0.01}", &kinematics_table(), read_kinematics};
}

}  // namespace solidyn::model

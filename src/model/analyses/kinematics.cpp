#include "model/analyses/analysis_type.h"

namespace solidyn::model {
namespace {

const Fields<DynamicsDescription>& kinematics_fields() {
  static const Fields<DynamicsDescription> fields =
      driven_motion_fields("time step between positions");
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

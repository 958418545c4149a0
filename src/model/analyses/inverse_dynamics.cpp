#include <fmt/format.h>

#include "model/analyses/analysis_type.h"
#include "model/bodies/body_entry.h"

namespace solidyn::model {
namespace {

using analyses::IntegratorKind;
using analyses::InverseDynamics;
using Options = analyses::DynamicsOptions;

const Choice<IntegratorKind>& integrators_of_vibration() {
  static const Choice<IntegratorKind> choice = {
      {"generalized_alpha", IntegratorKind::generalized_alpha},
      {"bathe", IntegratorKind::bathe},
      {"bdf", IntegratorKind::bdf},
      {"runge_kutta", IntegratorKind::runge_kutta}};
  return choice;
}

// What integrates the vibration, and nothing where there is none.
const Fields<Options>& vibration_fields() {
  using Self = Options;
  static const Fields<Self> fields = {
      field(
          Key("integrator", Form::word,
              "of the vibration: `generalized_alpha`, `bathe`, `bdf` or `runge_kutta`, as in `dynamics`",
              "bdf")
              .or_default(),
          integrators_of_vibration(), &Self::integrator),
      field(Key("rho_infinity", Form::number,
                "numerical damping: 1 none, 0 strongest (spectral radius at infinite frequency)",
                "0.8")
                .within({0.0, 1.0, true, true})
                .or_default()
                .of({"generalized_alpha"}),
            &Self::rho_infinity),
      field(Key("relative_tolerance", Form::number, "local error relative to the solution", "1e-8")
                .within({0.0, 1.0, false, false})
                .or_default()
                .of({"bdf", "runge_kutta"}),
            &Self::relative_tolerance),
      field(
          Key("absolute_tolerance", Form::number, "absolute local error, as in `dynamics`", "1e-10")
              .within(kPositive)
              .or_default()
              .of({"bdf", "runge_kutta"}),
          &Self::absolute_tolerance)};
  return fields;
}

const Fields<DynamicsDescription>& motion_fields() {
  static const Choice<InverseDynamics> deformations = {
      {"quasi_static", InverseDynamics::quasi_static}, {"dynamic", InverseDynamics::dynamic}};
  static const Fields<DynamicsDescription> fields = [] {
    Fields<DynamicsDescription> all =
        driven_motion_fields("time step; the first one of `bdf` and `runge_kutta`");
    all.insert(
        all.end() - 1,
        field(
            Key("deformation", Form::word,
                "of flexible bodies: `quasi_static` (at each instant in equilibrium with loads and with the inertia of the motion: nothing vibrates) or `dynamic` (integrated in time: vibrations are part of the forces required)",
                "dynamic")
                .or_else("quasi_static"),
            deformations, &DynamicsDescription::options, &Options::inverse));
    return all;
  }();
  return fields;
}

std::vector<KeySpec> vibration_keys() {
  std::vector<KeySpec> keys = keys_of(vibration_fields());
  keys.push_back(start_key());
  return keys;
}

void warn_of_vibration_keys(const TableView& view) {
  for (const KeySpec& key : vibration_keys())
    if (view.has(key.key))
      view.report().warning(
          view.where(key.key),
          fmt::format("{} has no effect: with  deformation: quasi_static  nothing is integrated",
                      view.path(key.key)),
          "remove it, or write  deformation: dynamic");
}

void check_bodies(const TableView& view, const ModelDescription& model) {
  for (const auto& body : model.bodies)
    if (body->traits().keeps_all_nodes)
      view.report().error(
          view.where(),
          fmt::format(
              "inverse_dynamics: `{}`, which keeps all nodes of its mesh, is not yet implemented",
              body->name),
          "reduce the body (type: modal), or use `dynamics` and sensors of type drive");
}

AnalysisDescription read_inverse_dynamics(const TableView& view, const Scope& scope) {
  DynamicsDescription motion;
  motion.where = view.where();
  motion.contact_solver_at = view.where();
  motion.options.inverse = InverseDynamics::quasi_static;
  read_fields(motion_fields(), view, scope, motion);
  motion.options.formulation = scope.model.formulation;
  if (motion.options.inverse == InverseDynamics::dynamic) {
    read_fields(vibration_fields(), view, scope, motion.options);
    read_start(view, scope, motion);
  } else {
    motion.options.integrator = IntegratorKind::kinematics;
    warn_of_vibration_keys(view);
  }
  check_step(view, motion.options);
  check_bodies(view, scope.model);
  return motion;
}

}  // namespace

const TableSpec& inverse_dynamics_table() {
  static const TableSpec table = [] {
    std::vector<KeySpec> keys = keys_of(motion_fields());
    for (KeySpec& key : vibration_keys()) keys.push_back(std::move(key));
    return TableSpec{
        "inverse_dynamics",
        "The forces and torques that drives need for a prescribed motion, of rigid and flexible bodies. Drives determine the motion, and the deformation follows from it. `drives.csv` has the force or torque and the power of each drive, and `summary.json` their largest and mean values.",
        std::move(keys), "integrator", true};
  }();
  return table;
}

AnalysisType inverse_dynamics_row() {
  return {"inverse_dynamics", "forces and torques that drives need, of flexible mechanisms too",
          "{duration: 1, step: 0.01}", &inverse_dynamics_table(), read_inverse_dynamics};
}

}  // namespace solidyn::model

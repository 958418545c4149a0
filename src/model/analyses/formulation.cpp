#include "model/analyses/formulation.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/joints/joint_entry.h"

namespace solidyn::model {
namespace {

bool has_dynamics(const ModelDescription& model) {
  return std::any_of(model.analyses.begin(), model.analyses.end(), [](const auto& analysis) {
    return std::holds_alternative<DynamicsDescription>(analysis);
  });
}

void warn_of_cuts(const ModelDescription& model, Report& report) {
  for (const auto& joint : model.joints)
    if (joint->is_cut)
      report.warning(joint->where,
                     fmt::format("joints.{}.cut has no effect: absolute coordinates cut no loops",
                                 joint->name),
                     "remove it, or set  formulation: recursive");
}

void refuse_absolute(const ModelDescription& model, Report& report) {
  for (const AnalysisDescription& analysis : model.analyses) {
    const auto* dynamics = std::get_if<DynamicsDescription>(&analysis);
    if (dynamics && analyses::has_relative_coordinates_alone(dynamics->options.integrator))
      report.error(model.formulation_at,
                   fmt::format("formulation: `absolute` with `{}`, which takes steps in relative "
                               "coordinates alone",
                               name(dynamics->options.integrator)),
                   "set  formulation: recursive, or choose another integrator");
  }
}

}  // namespace

void read_formulation(const TableView& file, ModelDescription& model) {
  if (file.has("formulation")) model.formulation_at = file.where("formulation");
  for (const analyses::Formulation formulation :
       {analyses::Formulation::absolute, analyses::Formulation::recursive})
    if (file.text("formulation") == name(formulation)) model.formulation = formulation;
}

void check_formulation(const ModelDescription& model, Report& report) {
  const bool may_be_relative =
      model.formulation == analyses::Formulation::recursive ||
      (model.formulation == analyses::Formulation::automatic && has_dynamics(model));
  if (!may_be_relative) warn_of_cuts(model, report);
  if (model.formulation == analyses::Formulation::absolute) refuse_absolute(model, report);
  if (model.formulation != analyses::Formulation::recursive) return;
  bool has_effect = false;
  for (const AnalysisDescription& analysis : model.analyses) {
    const auto* dynamics = std::get_if<DynamicsDescription>(&analysis);
    has_effect |= dynamics != nullptr || find_linear(analysis) != nullptr ||
                  std::holds_alternative<StaticsDescription>(analysis);
    if (!dynamics) continue;
    const analyses::DynamicsOptions& options = dynamics->options;
    if (!analyses::can_use_relative_coordinates(options.integrator))
      report.error(
          model.formulation_at,
          fmt::format("formulation: `recursive` with `{}` is not yet implemented",
                      options.integrator == analyses::IntegratorKind::kinematics
                          ? name(options)
                          : name(options.integrator)),
          options.inverse == analyses::InverseDynamics::none
              ? "use  dynamics  with  integrator: generalized_alpha, hht, runge_kutta, bdf  or  semi_implicit_euler, or set  formulation: absolute"
              : "write  deformation: dynamic  with  integrator: generalized_alpha, runge_kutta  or  bdf, or set  formulation: absolute");
    else if (options.baumgarte_alpha != 0.0 || options.baumgarte_beta != 0.0)
      report.error(
          model.formulation_at,
          "formulation: `recursive` with `baumgarte` is not yet implemented: loops are closed by a projection after each step",
          "remove `baumgarte`, or set  formulation: absolute");
  }
  if (!has_effect)
    report.error(
        model.formulation_at,
        "formulation: `recursive` has no effect: there is no analysis of the mechanism",
        "remove it, or add an analysis `dynamics` with  integrator: generalized_alpha, hht, runge_kutta, bdf  or  semi_implicit_euler");
}

}  // namespace solidyn::model

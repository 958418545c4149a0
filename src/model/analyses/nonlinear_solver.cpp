#include "model/analyses/nonlinear_solver.h"

#include <fmt/format.h>

#include "model/bodies/body_entry.h"
#include "model/joints/joint_entry.h"
#include "model/language/report.h"

namespace solidyn::model {
namespace {

// What of the model SNES cannot iterate on; empty: nothing.
std::string obstacle(const ModelDescription& model) {
  for (const auto& body : model.bodies)
    if (body->traits().keeps_all_nodes)
      return fmt::format("`{}` keeps all nodes of its mesh", body->name);
  for (const ContactDescription& contact : model.contacts)
    if (contact.set_valued) return fmt::format("contact `{}` is set-valued", contact.name);
  for (const auto& joint : model.joints)
    if (!joint->set_valued_names().empty())
      return fmt::format("{} is set-valued", joint->set_valued_names().front().name);
  if (model.formulation == analyses::Formulation::recursive)
    return "the unknowns are those of  formulation: recursive";
  return {};
}

bool iterates_by_snes(analyses::IntegratorKind kind) {
  using Kind = analyses::IntegratorKind;
  return kind == Kind::generalized_alpha || kind == Kind::hht || kind == Kind::bathe;
}

}  // namespace

void check_nonlinear_solver(const TableView& solver, const ModelDescription& model) {
  const auto refuse = [&](const std::string& why, const std::string& remedy) {
    solver.report().error(
        solver.where("nonlinear"),
        fmt::format("{}: `snes` cannot iterate here: {}", solver.path("nonlinear"), why), remedy);
  };
  const std::string reason = obstacle(model);
  if (!reason.empty()) refuse(reason, "leave `nonlinear` out: the code's own Newton method does");
  bool has_effect = false;
  for (const AnalysisDescription& analysis : model.analyses) {
    if (const auto* dynamics = std::get_if<DynamicsDescription>(&analysis)) {
      const analyses::DynamicsOptions& options = dynamics->options;
      if (options.integrator == analyses::IntegratorKind::kinematics ||
          options.inverse != analyses::InverseDynamics::none)
        continue;
      has_effect = true;
      if (!iterates_by_snes(options.integrator))
        refuse(fmt::format("the integrator is `{}`", name(options.integrator)),
               "choose `generalized_alpha`, `hht` or `bathe`, or leave `nonlinear` out");
    }
    if (const auto* statics = std::get_if<StaticsDescription>(&analysis)) {
      has_effect = true;
      if (statics->options.arc_length)
        refuse("`statics` follows a path by its length",
               "leave `nonlinear` or  control: arc_length  out");
      if (statics->options.method == analyses::StaticsMethod::relaxation)
        refuse("`statics` relaxes, without Newton's method",
               "leave `nonlinear` or  method: relaxation  out");
    }
  }
  if (!has_effect && !model.analyses.empty())
    solver.report().warning(
        solver.where("nonlinear"),
        fmt::format("{} has no effect: it is for steps of `dynamics` and equilibria of `statics`",
                    solver.path("nonlinear")),
        "remove it");
}

}  // namespace solidyn::model

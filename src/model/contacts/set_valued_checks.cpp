#include <fmt/format.h>

#include <algorithm>

#include "model/bodies/body_entry.h"
#include "model/contacts/contact_entry.h"
#include "model/contacts/read_contacts.h"
#include "model/language/report.h"

namespace solidyn::model {
namespace {

using analyses::IntegratorKind;

// What set-valued contacts cannot take part in yet, or never.
class Checker {
 public:
  Checker(const ModelDescription& model, const ContactDescription& contact, Report& report)
      : model_(model), contact_(contact), report_(report) {}

  void operator()(const DynamicsDescription& dynamics) {
    if (can_solve_set_valued_contacts(dynamics.options.integrator)) return;
    const char* word = name(dynamics.options.integrator);
    report_.error(
        dynamics.where,
        fmt::format("contacts.{} is set-valued (law impact): `{}` cannot solve it", contact_.name,
                    word),
        dynamics.options.integrator == IntegratorKind::kinematics
            ? "choose `dynamics`, or a penalty law such as  law: {type: hertz, stiffness: 1e9}"
            : "choose  integrator: generalized_alpha, hht, bathe or ed_alpha, or a penalty law");
  }
  void operator()(const StaticsDescription& statics) { refuse("statics", statics.where); }
  void operator()(const ModesDescription&) {}  // of a body alone
  void operator()(const MechanismModesDescription& modes) { refuse("modes", modes.where); }
  void operator()(const StateSpaceDescription& space) { refuse("state_space", space.where); }
  void operator()(const FrequencyResponseDescription& response) {
    refuse("frequency_response", response.where);
  }

  void check_places() {
    if (contact_.is_group)
      report_.error(
          contact_.where,
          fmt::format(
              "contacts.{} is set-valued (law impact): not yet implemented between groups of bodies",
              contact_.name),
          "give a contact for each pair, or choose a penalty law");
    // Impulses of joints would have to reach their nodes, wherever in the mechanism they are.
    for (const auto& body : model_.bodies)
      if (body->traits().keeps_all_nodes)
        report_.error(
            contact_.where,
            fmt::format(
                "contacts.{} is set-valued (law impact): not yet implemented in a model with `{}`, a body that keeps all its nodes",
                contact_.name, body->name),
            "reduce the body (type: modal), or choose a penalty law");
  }

 private:
  void refuse(const char* analysis, const base::SourceLocation& where) {
    report_.error(
        where,
        fmt::format("contacts.{} is set-valued (law impact): not yet implemented in `{}`",
                    contact_.name, analysis),
        "choose a penalty law such as  law: {type: hertz, stiffness: 1e9}, or let the motion come to rest in `dynamics`");
  }

  const ModelDescription& model_;
  const ContactDescription& contact_;
  Report& report_;
};

}  // namespace

void check_set_valued_contacts(const ModelDescription& model, Report& report) {
  for (const ContactDescription& contact : model.contacts) {
    if (!contact.set_valued) continue;
    Checker checker(model, contact, report);
    checker.check_places();
    for (const AnalysisDescription& analysis : model.analyses) std::visit(checker, analysis);
  }
}

}  // namespace solidyn::model

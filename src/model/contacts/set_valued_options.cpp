#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/contacts/read_contacts.h"
#include "model/joints/joint_entry.h"
#include "model/language/report.h"
#include "model/language/spelling.h"

// What analyses ask of set-valued contacts and joints by their names, or of all of them.
namespace solidyn::model {
namespace {

using forces::SetValuedLaw;

// What has events, and which kinds of them.
std::map<std::string, SetValuedLaw> names_with_events(const ModelDescription& model) {
  std::map<std::string, SetValuedLaw> names;
  for (const ContactDescription& contact : model.contacts)
    if (contact.set_valued) names[contact.name] = *contact.set_valued;
  for (const auto& joint : model.joints)
    for (const JointEntry::SetValuedName& part : joint->set_valued_names()) {
      names[part.name].kind = part.kind;
      names[part.name].static_coefficient = part.kind == SetValuedLaw::Kind::friction ? 1.0 : 0.0;
    }
  return names;
}

bool can_happen(integrators::ContactEvent::Kind kind, const SetValuedLaw& law) {
  using Kind = integrators::ContactEvent::Kind;
  if (kind == Kind::opens) return law.has_gap();
  if (kind == Kind::sticks || kind == Kind::slips) return law.can_stick();
  return law.kind != SetValuedLaw::Kind::friction;
}

void check_stop_event(const StopCondition& condition,
                      const std::map<std::string, SetValuedLaw>& known, Report& report) {
  const StopCondition::Event& event = *condition.event;
  std::vector<std::string> names;
  bool happens = false;
  for (const auto& [name, law] : known) {
    names.push_back(name);
    if (event.contact.empty() || event.contact == name)
      happens = happens || can_happen(event.kind, law);
  }
  if (known.empty())
    report.error(
        condition.where,
        "stop_when: `event` (with `contact` and `count`) needs something set-valued, and no contact and no joint is",
        "give a contact  law: {type: impact},  or stop at a value of a sensor");
  else if (!event.contact.empty() && known.count(event.contact) == 0)
    report.error(condition.where,
                 fmt::format("stop_when: nothing that is set-valued is called `{}`", event.contact),
                 suggestion(event.contact, names, "events.csv will have"));
  else if (!happens)
    report.error(condition.where,
                 fmt::format("stop_when: `{}` cannot happen to {}", name(event.kind),
                             event.contact.empty() ? "any contact" : "`" + event.contact + "`"),
                 "choose another event: without friction nothing sticks or slips, friction by "
                 "itself has no impacts, and what has no gap does not open");
}

void check_stop_events(const ModelDescription& model, Report& report) {
  const std::map<std::string, SetValuedLaw> known = names_with_events(model);
  for (const AnalysisDescription& analysis : model.analyses)
    if (const auto* dynamics = std::get_if<DynamicsDescription>(&analysis))
      for (const StopCondition& condition : dynamics->stop_when)
        if (condition.event) check_stop_event(condition, known, report);
}

// Interior points know cones alone; friction of a given size, and clutches that turn freely, are
// none.
void check_contact_solver(const DynamicsDescription& dynamics,
                          const std::map<std::string, SetValuedLaw>& known, Report& report) {
  using Method = solvers::friction::Method;
  const integrators::ContactSolverOptions& options = dynamics.options.contact_solver;
  const bool is_given = options.method != Method::automatic || options.tolerance > 0.0;
  if (is_given && known.empty())
    report.warning(dynamics.contact_solver_at,
                   "`contact_solver` and `contact_tolerance` have no effect: nothing in the model "
                   "is set-valued (law impact)",
                   "remove them");
  const bool has_gaps =
      std::any_of(known.begin(), known.end(), [](const auto& law) { return law.second.has_gap(); });
  if (dynamics.options.assemble_contacts && !has_gaps)
    report.warning(dynamics.assemble_at,
                   "`start.assemble` has no effect: no contact and no stop of the model is "
                   "set-valued (law impact)",
                   "remove it");
  if (options.method != Method::interior_point) return;
  for (const auto& [name, law] : known)
    if (law.n_moments() > 0)
      report.error(
          dynamics.contact_solver_at,
          fmt::format("contact_solver: `interior_point` cannot solve {}, which has rolling "
                      "or drilling friction",
                      name),
          "choose `automatic`, `newton`, `gauss_seidel` or `projected_gradient`");
    else if (!law.has_gap())
      report.error(
          dynamics.contact_solver_at,
          fmt::format("contact_solver: `interior_point` cannot solve {}, which has no gap", name),
          "choose `automatic`, `newton`, `gauss_seidel` or `projected_gradient`");
}

void check_contact_solvers(const ModelDescription& model, Report& report) {
  const std::map<std::string, SetValuedLaw> known = names_with_events(model);
  for (const AnalysisDescription& analysis : model.analyses)
    if (const auto* dynamics = std::get_if<DynamicsDescription>(&analysis))
      check_contact_solver(*dynamics, known, report);
}

}  // namespace

void check_set_valued_options(const ModelDescription& model, Report& report) {
  check_stop_events(model, report);
  check_contact_solvers(model, report);
}

}  // namespace solidyn::model

#include "model/contacts/impact_law.h"

#include <fmt/format.h>

#include <algorithm>

#include "model/joints/joint_entry.h"
#include "model/language/report.h"

namespace solidyn::model {

using ImpactLaw = forces::SetValuedLaw::ImpactLaw;

namespace {

// A contact or a stop.
struct Hit {
  std::string path;  // "contacts.floor"
  ImpactLaw law;
  base::SourceLocation where;
};

std::vector<Hit> all_that_is_hit(const ModelDescription& model) {
  std::vector<Hit> hits;
  for (const ContactDescription& contact : model.contacts)
    if (contact.set_valued)
      hits.push_back({"contacts." + contact.name, contact.set_valued->impact_law, contact.where});
  for (const auto& joint : model.joints)
    for (const auto& [freedom, along] : joint->forces.along)
      if (along.stop)
        hits.push_back({"joints." + joint->name, along.stop->impact_law, joint->where});
  return hits;
}

void check_analysis(const DynamicsDescription& dynamics, const std::vector<Hit>& hits,
                    Report& report) {
  using analyses::IntegratorKind;
  const auto of_poisson = std::find_if(
      hits.begin(), hits.end(), [](const Hit& hit) { return hit.law == ImpactLaw::poisson; });
  if (dynamics.options.integrator == IntegratorKind::moreau_jean && of_poisson != hits.end())
    report.error(
        dynamics.where,
        fmt::format("{} has Poisson's impact law, but `moreau_jean` knows Newton's alone",
                    of_poisson->path),
        "choose  integrator: generalized_alpha, hht, bathe or ed_alpha, or  impact_law: newton");
  const bool is_sequential =
      dynamics.options.multiple_impacts == integrators::MultipleImpacts::sequential;
  if (is_sequential && hits.empty())
    report.warning(dynamics.where,
                   "`multiple_impacts: sequential` has no effect: no contact or stop of the model "
                   "has a law of type `impact`",
                   "remove it, or give a contact  law: {type: impact}");
  const bool lets_drift = dynamics.options.stabilisation == integrators::Stabilisation::none;
  if (lets_drift && hits.empty() && dynamics.options.integrator != IntegratorKind::moreau_jean)
    report.warning(dynamics.where,
                   "`stabilisation: none` has no effect: no contact or stop of the model has a law "
                   "of type `impact`",
                   "remove it, or give a contact  law: {type: impact}");
}

}  // namespace

const Key& impact_law_key() {
  static const Key key =
      Key("impact_law", Form::word,
          "what `restitution` is a ratio of: `newton`, of velocities, which with friction may create energy, or `poisson`, of the impulses of an expansion and of a compression; the same in all of a model",
          "poisson")
          .or_default();
  return key;
}

const Choice<ImpactLaw>& impact_laws() {
  static const Choice<ImpactLaw> choice = {{"newton", ImpactLaw::newton},
                                           {"poisson", ImpactLaw::poisson}};
  return choice;
}

void check_impact_laws(const ModelDescription& model, Report& report) {
  const std::vector<Hit> hits = all_that_is_hit(model);
  for (const Hit& hit : hits)
    if (hit.law != hits.front().law) {
      report.error(
          hit.where,
          fmt::format("{} has another impact law than {}: what is hit at one instant has one law",
                      hit.path, hits.front().path),
          "give all contacts and stops of type `impact` the same `impact_law`");
      break;
    }
  for (const AnalysisDescription& analysis : model.analyses)
    if (const auto* dynamics = std::get_if<DynamicsDescription>(&analysis))
      check_analysis(*dynamics, hits, report);
}

}  // namespace solidyn::model

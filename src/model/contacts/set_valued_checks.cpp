#include <fmt/format.h>

#include <algorithm>

#include "model/bodies/body_entry.h"
#include "model/contacts/both_laws.h"
#include "model/contacts/contact_entry.h"
#include "model/contacts/impact_law.h"
#include "model/contacts/read_contacts.h"
#include "model/joints/joint_entry.h"
#include "model/language/report.h"

namespace solidyn::model {
namespace {

using analyses::IntegratorKind;

// A contact, or a part of a joint.
struct SetValuedPart {
  std::string what;     // "contacts.floor is set-valued (law impact)"
  std::string instead;  // what does the same by penalty
  base::SourceLocation where;
  bool has_moments = false;  // rolling or drilling friction
};

// What set-valued laws cannot take part in yet, or never.
class Checker {
 public:
  Checker(const SetValuedPart& part, Report& report) : part_(part), report_(report) {}

  void operator()(const DynamicsDescription& dynamics) {
    if (can_solve_set_valued_contacts(dynamics.options.integrator)) return;
    const bool is_driven = dynamics.options.integrator == IntegratorKind::kinematics;
    const char* word = is_driven ? name(dynamics.options) : name(dynamics.options.integrator);
    report_.error(
        dynamics.where, fmt::format("{}: `{}` cannot solve it", part_.what, word),
        is_driven
            ? "choose `dynamics`, or " + part_.instead
            : "choose  integrator: generalized_alpha, hht, bathe, ed_alpha, moreau_jean or half_explicit, or " +
                  part_.instead);
  }
  void operator()(const StaticsDescription& statics) {
    using analyses::StaticsMethod;
    if (statics.options.method == StaticsMethod::relaxation)
      refuse("`statics` with  method: relaxation", statics.where,
             ", leave out `method`, or let the motion come to rest in `dynamics`, with damping");
    if (part_.has_moments)
      refuse("`statics` with rolling or drilling friction", statics.where,
             ", leave out `rolling` and `drilling`, or let the motion come to rest in `dynamics`");
    if (statics.options.arc_length)
      refuse("`statics` with  control: arc_length", statics.where, ", or leave out `control`");
  }
  void operator()(const ModesDescription&) {}  // of a body alone
  void operator()(const MechanismModesDescription& modes) {
    if (!modes.about.empty())
      refuse("`modes` with `about`", modes.where, ", or ask for the modes of a state at rest");
  }
  void operator()(const StateSpaceDescription&) {}  // about a state at rest
  void operator()(const FrequencyResponseDescription&) {}
  void operator()(const ReflectedInertiaDescription&) {}  // without forces

 private:
  void refuse(const char* analysis, const base::SourceLocation& where, const char* otherwise) {
    report_.error(where, fmt::format("{}: not yet implemented in {}", part_.what, analysis),
                  part_.instead + otherwise);
  }

  const SetValuedPart& part_;
  Report& report_;
};

std::vector<SetValuedPart> parts_of(const ModelDescription& model) {
  std::vector<SetValuedPart> parts;
  for (const ContactDescription& contact : model.contacts)
    if (contact.set_valued)
      parts.push_back({fmt::format("contacts.{} is set-valued (law impact)", contact.name),
                       "choose a penalty law such as  law: {type: hertz, stiffness: 1e9}",
                       contact.where,
                       contact.set_valued->rolling > 0.0 || contact.set_valued->drilling > 0.0});
  for (const auto& joint : model.joints)
    for (const JointEntry::SetValuedPart& part : joint->set_valued_parts())
      parts.push_back({fmt::format("joints.{}.{} is set-valued", joint->name, part.path),
                       part.remedy, joint->where});
  return parts;
}

// Of one set each shape is the first of some pairs and the second of others.
void check_surface_velocities(const ModelDescription& model, Report& report) {
  for (const ContactDescription& contact : model.contacts)
    if (contact.set_valued && contact.is_group && contact.shapes[1].places.empty() &&
        !contact.surface_velocity.isZero(0.0))
      report.error(
          contact.where,
          fmt::format(
              "contacts.{} has a surface_velocity, which is that of `first` against `second`, and one set of shapes only",
              contact.name),
          "give the shapes whose surfaces move as `first`, the others as `second`");
}

// What a stop sends back a clutch holds: there are no impulses that satisfy both.
void check_clutches(const ModelDescription& model, Report& report) {
  for (const auto& joint : model.joints)
    for (const auto& [freedom, along] : joint->forces.along)
      if (along.clutch != CoordinateForces::Clutch::none && along.stop &&
          along.stop->restitution > 0.0)
        report.error(joint->where,
                     fmt::format("joints.{} has a stop with restitution, and `one_way`, which "
                                 "lets nothing come back from it",
                                 joint->name),
                     "write  restitution: 0  under  law,  or remove `one_way`");
}

// A motion that is prescribed does not stop, whatever force there is.
void check_drives(const ModelDescription& model, Report& report) {
  for (const auto& drive : model.joints) {
    if (drive->type.family != JointFamily::drive) continue;
    for (const auto& joint : model.joints) {
      if (joint->name != drive->driven_joint()) continue;
      for (const auto& [freedom, along] : joint->forces.along)
        if (along.is_set_valued() && drive->type.has_coordinate(freedom))
          report.error(
              drive->where,
              fmt::format(
                  "joints.{} prescribes the {} of `{}`, which has a set-valued stop or clutch there",
                  drive->name, name(freedom), joint->name),
              "remove one of the two, or give the limits `stiffness` in place of `law`");
    }
  }
}

bool has_gaps(const ModelDescription& model) {
  for (const ContactDescription& contact : model.contacts)
    if (contact.set_valued) return true;
  for (const auto& joint : model.joints)
    for (const auto& [freedom, along] : joint->forces.along)
      if (along.stop) return true;
  return false;
}

// Of penalty contacts nothing jumps, and clutches and friction have no gaps.
void warn_of_no_impacts(const ModelDescription& model, Report& report) {
  if (has_gaps(model)) return;
  for (const AnalysisDescription& analysis : model.analyses) {
    const auto* dynamics = std::get_if<DynamicsDescription>(&analysis);
    if (dynamics && dynamics->options.locate_impacts)
      report.warning(
          dynamics->where,
          "`locate_impacts` has no effect: there is no contact of  law: {type: impact}  and no stop with such a law",
          "remove it");
  }
}

}  // namespace

void check_set_valued_contacts(const ModelDescription& model, Report& report) {
  for (const SetValuedPart& part : parts_of(model)) {
    Checker checker(part, report);
    for (const AnalysisDescription& analysis : model.analyses) std::visit(checker, analysis);
  }
  refuse_both_laws(model, report);
  check_surface_velocities(model, report);
  check_impact_laws(model, report);
  warn_of_no_impacts(model, report);
  check_set_valued_options(model, report);
  check_drives(model, report);
  check_clutches(model, report);
}

}  // namespace solidyn::model

#include <fmt/format.h>

#include <cmath>

#include "model/contacts/contact_entry.h"
#include "model/contacts/contact_grammar.h"
#include "model/contacts/impact_law.h"
#include "model/language/spelling.h"
#include "model/language/type_table.h"
#include "solidyn/contact/hertz.h"

namespace solidyn::model {
namespace {

using contact::Dissipation;
using contact::NormalLaw;

const Quantity kDamping{"N s/m", -1, 0, 1, 0, 1};
/// Newtons per a power of length that `exponent` says: read_stiffness divides by it.
const Quantity kContactStiffness{"N/m^exponent", 0, 0, 0, 0, 1};

/// A law while it is read.
struct LawEntry {
  NormalLaw law;
  forces::SetValuedLaw set_valued;
  Eigen::Vector2d curvatures;  ///< of the two shapes relative to each other, 1/m; zeros: none
};

/// A row of the catalogue.
struct LawType {
  std::string word;
  std::string meaning;  ///< of the word, behind it in parentheses
  Fields<LawEntry> fields;
  bool is_set_valued = false;
  std::vector<KeySpec> keys = keys_of(fields);
};

const MaterialDescription* find_material(const TableView& law, const std::string& name,
                                         const ModelDescription& model) {
  const auto found = model.materials.find(name);
  if (found != model.materials.end()) return &found->second;
  std::vector<std::string> known;
  for (const auto& [other, material] : model.materials) known.push_back(other);
  law.report().error(
      law.where("materials"),
      fmt::format("{}: there is no material `{}`", law.path("materials"), name),
      known.empty() ? "define it under `materials:`" : suggestion(name, known, "there are"));
  return nullptr;
}

double stiffness_of_materials(const TableView& law, const Eigen::Vector2d& curvatures,
                              const ModelDescription& model) {
  const std::vector<std::string> names = law.texts("materials");
  const MaterialDescription* first = find_material(law, names[0], model);
  const MaterialDescription* second = find_material(law, names[1], model);
  if (law.has("exponent") && law.is_good("exponent") && law.number("exponent") != 1.5)
    law.report().error(
        law.where("exponent"),
        fmt::format(
            "{} is {:g}: the stiffness from `materials` is that of Hertz, with exponent 1.5",
            law.path("exponent"), law.number("exponent")),
        "remove it, or give `stiffness`");
  if (curvatures[1] <= 0.0)
    law.report().error(
        law.where("materials"),
        fmt::format(
            "{}: Hertz theory gives no stiffness for these two shapes, which touch along lines, at edges or over conforming surfaces",
            law.path("materials")),
        "give `stiffness`, for example from a finite element model or a formula for your bearing");
  bool have_directions = false;
  for (const MaterialDescription* material : {first, second}) {
    if (!material || material->solid.is_isotropic()) continue;
    have_directions = true;
    law.report().error(
        law.where("materials"),
        fmt::format(
            "{}: `{}` is orthotropic or anisotropic, but Hertz theory requires isotropic materials",
            law.path("materials"), material->name),
        "give `stiffness`, for example from a finite element model");
  }
  if (!first || !second || have_directions || curvatures[1] <= 0.0) return 0.0;
  const materials::IsotropicElastic &a = *first->solid.isotropic(), &b = *second->solid.isotropic();
  const double modulus = contact::effective_modulus(a.youngs_modulus, a.poissons_ratio,
                                                    b.youngs_modulus, b.poissons_ratio);
  return contact::hertz_stiffness(modulus, curvatures);
}

double exponent_of(const TableView& law) {
  return law.is_good("materials") ? 1.5 : law.number("exponent");
}

void read_stiffness(LawEntry& entry, const TableView& law, const Scope& scope) {
  if (law.is_good("materials"))
    entry.law.stiffness = stiffness_of_materials(law, entry.curvatures, scope.model);
  else if (law.is_good("stiffness"))
    entry.law.stiffness =
        law.number("stiffness") / std::pow(law.context().units.length, exponent_of(law));
}

const Fields<LawEntry>& fields_of_penalty_laws() {
  static const Fields<LawEntry> list = {
      read_by<LawEntry>(
          Key("stiffness", Form::number, "K, force per length to the power of `exponent`", "1e9")
              .in(kContactStiffness)
              .within(kPositive),
          read_stiffness),
      read_elsewhere<LawEntry>(
          Key("materials", Form::references,
              "instead of `stiffness`: the materials of the two places; with them and the radii of the shapes Hertz theory gives K",
              "[steel, steel]")
              .sized(2)),
      field(
          Key("slow_speed", Form::number,
              "slower impacts are damped like those of this velocity; also the reference velocity of `resolution` in sustained contact",
              "1e-3")
              .in(kVelocity)
              .within(kPositive)
              .or_default(),
          &LawEntry::law, &NormalLaw::slow_speed)};
  return list;
}

Field<LawEntry> exponent_field(const char* by_default) {
  return read_by<LawEntry>(Key("exponent", Form::number, "n", by_default)
                               .within({1.0, 4.0, true, true})
                               .or_else(by_default),
                           [](LawEntry& entry, const TableView& law, const Scope&) {
                             entry.law.exponent = exponent_of(law);
                           });
}

LawType penalty_row(std::string word, std::string meaning, const Fields<LawEntry>& own) {
  return {std::move(word), std::move(meaning), joined_fields(fields_of_penalty_laws(), own)};
}

/// F = K d^n (1 + alpha d'/v), with alpha from the restitution.
/// @param restitution the key; it says which values the formula allows
LawType dissipative_row(std::string word, std::string meaning, Dissipation dissipation,
                        const Key& restitution) {
  return penalty_row(
      std::move(word), std::move(meaning),
      {exponent_field("1.5"),
       read_by<LawEntry>(restitution, [=](LawEntry& entry, const TableView& law, const Scope&) {
         if (law.is_good("restitution"))
           entry.law.dissipation = contact::dissipation(dissipation, law.number("restitution"));
       })});
}

LawType hertz_row() { return penalty_row("hertz", "F = K d^n", {exponent_field("1.5")}); }

LawType impact_row() {
  using Law = forces::SetValuedLaw;
  return {
      "impact",
      "set-valued: no penetration, and velocities that jump at impacts; with `friction` Coulomb's cone (doc/nonsmooth.md)",
      {field(
           Key("restitution", Form::number,
               "normal velocity after an impact over that before it, of all contacts that are closed then; with `impact_law: poisson` impulse of the expansion over that of the compression",
               "0.4")
               .within({0.0, 1.0, true, true})
               .or_default(),
           &LawEntry::set_valued, &Law::restitution),
       field(
           Key("tangential_restitution", Form::number,
               "tangential velocity after an impact over that before it, reversed, where friction can reverse the slip; 0: it ends in sticking",
               "0.5")
               .within({0.0, 1.0, true, true})
               .or_default(),
           &LawEntry::set_valued, &Law::tangential_restitution),
       field(Key("slow_speed", Form::number,
                 "slower impacts have no restitution, so that bouncing comes to an end", "1e-3")
                 .in(kVelocity)
                 .within(kNotNegative)
                 .or_default(),
             &LawEntry::set_valued, &Law::slow_speed),
       field(impact_law_key(), impact_laws(), &LawEntry::set_valued, &Law::impact_law)},
      true};
}

LawType kelvin_voigt_row() {
  return penalty_row(
      "kelvin_voigt", "F = K d^n + damping d'",
      {exponent_field("1"),
       field(Key("damping", Form::number, "force per speed of approach", "1e3")
                 .in(kDamping)
                 .within(kNotNegative)
                 .needed(),
             &LawEntry::law, &NormalLaw::damping),
       field(
           Key("damping_depth", Form::number,
               "the damping grows smoothly from 0 at first contact to `damping` at this penetration",
               "1e-5")
               .in(kLength)
               .within(kPositive)
               .needed(),
           &LawEntry::law, &NormalLaw::damping_depth)});
}

const std::vector<LawType>& law_catalogue() {
  static const Key as_meant =
      Key("restitution", Form::number,
          "velocity after a free impact over velocity before it, in the definition of the authors of the law",
          "0.8")
          .within({0.0, 1.0, true, true})
          .needed();
  static const Key as_is = Key("restitution", Form::number,
                               "velocity after a free impact over velocity before it", "0.8")
                               .within({0.0, 1.0, false, true})
                               .needed();
  static const std::vector<LawType> catalogue = {
      hertz_row(),
      dissipative_row("lankarani_nikravesh", "", Dissipation::lankarani_nikravesh, as_meant),
      dissipative_row("hunt_crossley", "", Dissipation::hunt_crossley, as_meant),
      dissipative_row("flores", "", Dissipation::flores, as_is),
      dissipative_row(
          "exact_restitution",
          "F = K d^n (1 + alpha d'/v), v the impact velocity, alpha from `restitution` by the formula of that name",
          Dissipation::exact_restitution, as_is),
      kelvin_voigt_row(),
      impact_row()};
  return catalogue;
}

// What rubs in the expansion is all of its cone's, and none is given back.
void refuse_tangential_restitution(const TableView& view, const forces::SetValuedLaw& law) {
  if (law.tangential_restitution == 0.0) return;
  view.report().error(
      view.where("tangential_restitution"),
      fmt::format("{} is {:g}: Poisson's impact law has restitution along the normal alone",
                  view.path("tangential_restitution"), law.tangential_restitution),
      "remove it, or choose  impact_law: newton");
}

}  // namespace

const TableSpec& contact_law_table() {
  static const TableSpec table = [] {
    TableSpec spec = table_of_types(
        "contact law",
        "The normal force F between two surfaces at penetration d; it is never tensile (doc/theory/contact.md).",
        law_catalogue(), {});
    spec.exactly_one_of = {"stiffness", "materials"};
    return spec;
  }();
  return table;
}

void read_contact_law(ContactEntry& contact, const TableView& law, const Scope& scope) {
  LawEntry entry{{}, {}, contact.curvatures};
  const LawType* type = find_row(law_catalogue(), law.type());
  if (!type) return;  // the grammar has complained
  read_fields(type->fields, law, scope, entry);
  contact.law = entry.law;
  if (!type->is_set_valued) return;
  contact.set_valued = entry.set_valued;
  if (entry.set_valued.impact_law == forces::SetValuedLaw::ImpactLaw::poisson)
    refuse_tangential_restitution(law, entry.set_valued);
}

}  // namespace solidyn::model

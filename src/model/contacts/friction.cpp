#include <fmt/format.h>

#include "model/contacts/contact_entry.h"
#include "model/contacts/contact_grammar.h"
#include "model/joints/friction_checks.h"

namespace solidyn::model {
namespace {

using contact::Friction;

const Fields<Friction>& friction_fields() {
  static const Fields<Friction> list = {
      field(Key("static", Form::number, "static coefficient, near standstill", "0.3")
                .within(kNotNegative)
                .needed(),
            &Friction::static_coefficient),
      field(Key("dynamic", Form::number, "kinetic coefficient; by default the static one", "0.2")
                .within(kNotNegative)
                .with("stribeck_speed"),
            &Friction::dynamic_coefficient),
      field(
          Key("stribeck_speed", Form::number,
              "slip velocity over which the coefficient falls: mu = dynamic + (static - dynamic) exp(-(v/stribeck_speed)^2)",
              "0.1")
              .in(kVelocity)
              .within(kPositive)
              .with("dynamic"),
          &Friction::stribeck_speed),
      field(
          Key("transition_speed", Form::number,
              "slip velocity over which friction builds up: the fraction v / sqrt(v^2 + transition_speed^2) of it acts",
              "1e-3")
              .in(kVelocity)
              .within(kPositive)
              .or_default(),
          &Friction::transition_speed)};
  return list;
}

}  // namespace

const TableSpec& contact_friction_table() {
  static const TableSpec table{
      "contact friction",
      "Coulomb friction with a Stribeck curve, regularised: sticking is replaced by slow creep.",
      keys_of(friction_fields())};
  return table;
}

Friction read_contact_friction(const TableView& table, const Scope& scope) {
  Friction friction;
  read_fields(friction_fields(), table, scope, friction);
  if (!table.is_good("dynamic")) friction.dynamic_coefficient = friction.static_coefficient;
  if (friction.dynamic_coefficient > friction.static_coefficient)
    table.report().error(
        table.where("dynamic"),
        fmt::format("{} is {:g}, larger than the static coefficient, {:g}", table.path("dynamic"),
                    friction.dynamic_coefficient, friction.static_coefficient),
        "give a `dynamic` that is not larger than `static`");
  if (table.is_good("dynamic") && table.is_good("stribeck_speed"))
    warn_of_unreached_static(table, friction);
  return friction;
}

}  // namespace solidyn::model

#include "model/bodies/damping.h"

#include <fmt/format.h>

namespace solidyn::model {
namespace {

using reduction::Damping;

const Fields<Damping>& rayleigh_fields() {
  static const Fields<Damping> list = {
      field(Key("mass", Form::number, "factor of the mass matrix", "0")
                .in(kRate)
                .within(kNotNegative)
                .or_default(),
            &Damping::rayleigh_alpha),
      field(Key("stiffness", Form::number, "factor of the stiffness matrix", "1e-6")
                .in(kTime)
                .within(kNotNegative)
                .or_default(),
            &Damping::rayleigh_beta)};
  return list;
}

}  // namespace

Key damping_key() {
  return Key("damping", Form::table, "damping of the deformation", "{modal_ratio: 0.01}")
      .holds(damping_table());
}

const Fields<Damping>& damping_fields() {
  static const Fields<Damping> list = {
      read_by<Damping>(
          Key("rayleigh", Form::table, "proportional damping", "{mass: 0, stiffness: 1e-6}")
              .holds(rayleigh_table()),
          [](Damping& damping, const TableView& view, const Scope& scope) {
            read_fields(rayleigh_fields(), view.table("rayleigh"), scope, damping);
          }),
      field(
          Key("modal_ratio", Form::number,
              "fraction of critical damping of the elastic modes (`type: modal` and `superelement`)",
              "0.01")
              .within({0.0, 1.0, true, false})
              .or_default(),
          &Damping::modal_ratio),
      field(
          Key("modal_ratio_from", Form::number,
              "frequency in Hz above which modes are damped by `modal_ratio`; lower ones remain undamped. Damps the oscillation of static correction modes",
              "4000")
              .within(kNotNegative)
              .or_default(),
          &Damping::modal_from)};
  return list;
}

const TableSpec& rayleigh_table() {
  static const TableSpec table{"rayleigh", "Proportional damping D = mass M + stiffness K.",
                               keys_of(rayleigh_fields())};
  return table;
}

const TableSpec& damping_table() {
  static const TableSpec table{"damping", "Damping of the deformation; none by default.",
                               keys_of(damping_fields())};
  return table;
}

void warn_of_ratio_from(const TableView& body) {
  const TableView damping = body.table("damping");
  if (damping.has("modal_ratio_from") && damping.number("modal_ratio") == 0.0)
    damping.report().warning(
        damping.where("modal_ratio_from"),
        fmt::format("{} has no effect without `modal_ratio`", damping.path("modal_ratio_from")),
        "give `modal_ratio` too, for example  modal_ratio: 0.3");
}

void warn_of_modal_damping(const TableView& body, const Damping& damping) {
  const TableView table = body.table("damping");
  const char* key = damping.modal_ratio > 0.0 ? "modal_ratio" : "modal_ratio_from";
  if (table.number(key) > 0.0)
    body.report().warning(table.where(key),
                          fmt::format("{} is ignored: it needs modes, which type {} does not have",
                                      table.path(key), body.type()),
                          "use `rayleigh` to damp this type");
}

}  // namespace solidyn::model

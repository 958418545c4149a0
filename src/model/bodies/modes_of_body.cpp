#include "model/bodies/modes_of_body.h"

#include <fmt/format.h>

namespace solidyn::model {
namespace {

using reduction::ConstraintModesAt;
using reduction::LoadPattern;
using reduction::ReductionOptions;
using reduction::StaticCorrection;

// ---- Patterns of loads

void read_direction(LoadPattern& pattern, const TableView& view, const std::string& key,
                    LoadPattern::Kind kind) {
  if (!view.has(key)) return;
  pattern.kind = kind;
  pattern.direction = view.vector(key);
  if (view.is_good(key) && pattern.direction.isZero(0.0))
    view.report().error(view.where(key), fmt::format("{} is zero", view.path(key)),
                        "give the load pattern a direction, for example  [0, 0, 1]");
}

// A pattern is of faces or of nodes.
void read_where(LoadPattern& pattern, const TableView& view, const std::string& key) {
  if (view.has("force") == (key == "nodes")) pattern.where = read_nodes(view.table(key));
}

const Fields<LoadPattern>& static_load_fields() {
  using Kind = LoadPattern::Kind;
  const auto along = [](const char* key, Kind kind) {
    return [=](LoadPattern& pattern, const TableView& view, const Scope&) {
      read_direction(pattern, view, key, kind);
    };
  };
  const auto on = [](const char* key) {
    return [=](LoadPattern& pattern, const TableView& view, const Scope&) {
      read_where(pattern, view, key);
    };
  };
  static const Fields<LoadPattern> list = {
      // Kind::pressure is what a pattern is by default.
      read_elsewhere<LoadPattern>(
          Key("pressure", Form::number, "a pressure on `faces`, against the outward normal", "1")
              .in(kPressure)
              .with("faces")),
      read_by<LoadPattern>(
          Key("traction", Form::vector, "force per area on `faces`, mesh axes", "[0, 0, 1]")
              .in(kPressure)
              .with("faces"),
          along("traction", Kind::traction)),
      read_by<LoadPattern>(
          Key("force", Form::vector,
              "force on `nodes`, distributed in proportion to their masses, mesh axes",
              "[0, 0, -1]")
              .in(kForce)
              .with("nodes"),
          along("force", Kind::force)),
      read_by<LoadPattern>(Key("faces", Form::table, "the outer faces whose nodes are all selected",
                               "{in_set: skin}")
                               .holds(nodes_table()),
                           on("faces")),
      read_by<LoadPattern>(
          Key("nodes", Form::table, "the nodes", "{in_set: payload}").holds(nodes_table()),
          on("nodes"))};
  return list;
}

// ---- Modes

const Fields<ReducedDescription>& basis_fields() {
  static const Choice<ConstraintModesAt> constraint_modes = {
      {"at_interfaces", ConstraintModesAt::interfaces}, {"none", ConstraintModesAt::none}};
  static const Choice<StaticCorrection> corrections = {
      {"at_interfaces", StaticCorrection::at_interfaces},
      {"residual_flexibility", StaticCorrection::at_interfaces},
      {"none", StaticCorrection::none}};
  static const Fields<ReducedDescription> list = {
      field(
          Key("free_free", Form::integer,
              "number of elastic free-free modes; if `supports` constrain the body, of its modes with these supports",
              "8")
              .within(kNotNegative)
              .or_default(),
          &ReducedDescription::basis, &ReductionOptions::free_free),
      field(Key("free_free_up_to", Form::number,
                "instead of `free_free`: all free-free modes up to this frequency in Hz", "2000")
                .within(kPositive),
            &ReducedDescription::basis, &ReductionOptions::free_free_up_to),
      field(
          Key("fixed_interface", Form::integer,
              "number of eigenmodes with all interfaces fixed; together with the static correction at the interfaces the Craig-Bampton basis",
              "10")
              .within(kNotNegative)
              .or_default(),
          &ReducedDescription::basis, &ReductionOptions::fixed_interface),
      field(Key("fixed_interface_up_to", Form::number,
                "instead of `fixed_interface`: all of them up to this frequency in Hz", "3000")
                .within(kPositive),
            &ReducedDescription::basis, &ReductionOptions::fixed_interface_up_to),
      field(
          Key("constraint_modes", Form::word,
              "constraint modes of Craig and Bampton: unit motions of one interface with the others fixed. `static_correction` spans them and is better at little extra cost",
              "at_interfaces")
              .or_default(),
          constraint_modes, &ReducedDescription::basis, &ReductionOptions::constraint_modes),
      field(
          Key("static_correction", Form::word,
              "include the static deformation of the free body under unit loads at the interfaces, or not (`residual_flexibility` is an alias: together with free-free modes it adds their residual flexibility, Craig-Chang); `at_interfaces` by default, `none` with `constraint_modes`",
              "at_interfaces"),
          corrections, &ReducedDescription::basis, &ReductionOptions::static_correction),
      list_field(Key("static_loads", Form::named_tables,
                     "include the static deformation under these load patterns as well",
                     "{wind: {faces: {in_set: skin}, pressure: 1}}")
                     .holds(static_load_table()),
                 static_load_fields(), &ReducedDescription::basis, &ReductionOptions::static_loads),
      field(
          Key("cut_off", Form::number,
              "remove the modes of the union above this frequency in Hz; static correction is lost, which is reported by a warning",
              "20000")
              .within(kPositive),
          &ReducedDescription::basis, &ReductionOptions::cut_off)};
  return list;
}

// Modes come by number or up to a frequency.
void reject_both(const TableView& modes, const std::string& number) {
  const std::string up_to = number + "_up_to";
  if (!modes.has(number) || !modes.has(up_to)) return;
  modes.report().error(modes.where(up_to),
                       fmt::format("{} has both `{}` and `{}`", modes.path(), number, up_to),
                       "keep one of them: the number of modes, or all up to a frequency");
}

// Without interfaces there is nothing to hold or to load.
void reject_without_interfaces(const TableView& modes) {
  for (const char* key : {"fixed_interface", "fixed_interface_up_to", "constraint_modes"}) {
    if (!modes.is_good(key) || modes.text(key) == "none" || modes.text(key) == "0") continue;
    modes.report().error(
        modes.where(key), fmt::format("{} needs `interfaces`: the body has none", modes.path(key)),
        "define the regions to which joints attach under `interfaces`, or request free_free modes");
  }
}

// Of a basis at as many interfaces, or more where others come from a file.
bool has_any_mode(const ReductionOptions& basis, bool brings_interfaces, std::size_t n_interfaces) {
  const bool has_eigenmodes = basis.free_free > 0 || basis.free_free_up_to > 0.0 ||
                              basis.fixed_interface > 0 || basis.fixed_interface_up_to > 0.0;
  const bool has_one = n_interfaces > 0 || brings_interfaces,
             has_two = n_interfaces > 1 || brings_interfaces;
  return has_eigenmodes || !basis.static_loads.empty() ||
         (has_one && basis.static_correction == StaticCorrection::at_interfaces) ||
         (has_two && basis.constraint_modes == ConstraintModesAt::interfaces);
}

void reject_no_mode(const TableView& modes) {
  for (const char* key : {"free_free", "free_free_up_to", "fixed_interface", "static_correction"})
    if (modes.has(key) && !modes.is_good(key)) return;  // has its own complaint
  modes.report().error(modes.where("free_free"),
                       fmt::format("{} leaves the body without modes", modes.path()),
                       "request free-free modes, or write  type: rigid");
}

// Static answers and modes with held interfaces need the stiffness of the body.
void reject_beside_imported_modes(const TableView& modes) {
  for (const char* key : {"fixed_interface", "fixed_interface_up_to", "constraint_modes",
                          "static_correction", "static_loads"}) {
    if (!modes.has(key) || modes.text(key) == "none" || modes.text(key) == "0") continue;
    modes.report().error(
        modes.where(key), fmt::format("{} cannot be computed from imported modes", modes.path(key)),
        "import more modes, or the matrices of the body: import: {stiffness: .., mass: ..}");
  }
}

void refuse_missing_modes(const TableView& body) {
  if (body.has("mesh") || body.has("import"))
    body.report().error(body.where(), fmt::format("{} is missing", body.path("modes")),
                        "give the number of modes, for example  modes: {free_free: 8}");
}

}  // namespace

const TableSpec& static_load_table() {
  static const TableSpec table{
      "static load",
      "A load pattern whose static correction is added to the modes; its magnitude does not matter. The body is free: unbalanced loads are in equilibrium with inertia forces.",
      keys_of(static_load_fields()),
      "",
      false,
      {"pressure", "traction", "force"}};
  return table;
}

const TableSpec& modes_of_body_table() {
  static const TableSpec table{
      "body modes",
      "The modes that describe the deformation of a modal body or a superelement: the union of all those given here. doc/reduction.md says which to choose.",
      keys_of(basis_fields())};
  return table;
}

Field<ReducedDescription> modes_of_body_field() {
  return read_by<ReducedDescription>(
      Key("modes", Form::table, "the modes; required with `mesh`", "{free_free: 8}")
          .holds(modes_of_body_table()),
      [](ReducedDescription& reduced, const TableView& view, const Scope& scope) {
        if (view.has("modes")) read_fields(basis_fields(), view.table("modes"), scope, reduced);
      });
}

void check_modes_of_body(const TableView& body, bool brings_interfaces, std::size_t n_interfaces,
                         ReducedDescription& reduced) {
  if (body.has("reduced_body")) return;
  ReductionOptions& basis = reduced.basis;
  const bool has_imported = body.has("import") && body.table("import").has("modes");
  const TableView modes = body.table("modes");
  const bool is_spanned = !modes.is_good("static_correction") &&
                          basis.constraint_modes == ConstraintModesAt::interfaces;
  if (has_imported || is_spanned) basis.static_correction = StaticCorrection::none;
  if (!body.has("modes")) {  // of imported modes all that the file holds
    if (!has_imported) refuse_missing_modes(body);
    return;
  }
  if (has_imported) reject_beside_imported_modes(modes);
  reject_both(modes, "free_free");
  reject_both(modes, "fixed_interface");
  if (n_interfaces == 0 && !brings_interfaces) reject_without_interfaces(modes);
  if (!has_imported && !has_any_mode(basis, brings_interfaces, n_interfaces)) reject_no_mode(modes);
}

}  // namespace solidyn::model

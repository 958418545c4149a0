#include <fmt/format.h>

#include "model/analyses/read_table.h"
#include "model/joints/couplings.h"
#include "model/read.h"

namespace solidyn::model {
namespace {

struct CouplerEntry final : CouplingEntry {
  void check(const TableView& view, const Scope& scope);
};

/// The coordinate that a term means, by its word or as the only one that the joint has.
std::optional<JointFreedom> coordinate_of_term(const TableView& term, const Names& names) {
  if (term.is_good("coordinate"))
    return term.text("coordinate") == "angle" ? JointFreedom::rotation : JointFreedom::translation;
  const auto joint = names.joints.find(term.text("joint"));
  if (joint == names.joints.end()) return JointFreedom::rotation;
  const bool slides = joint->second->leaves_free(JointFreedom::translation);
  if (slides && joint->second->leaves_free(JointFreedom::rotation)) {
    term.report().error(term.where(),
                        fmt::format("{} is missing: `{}` has an angle and a translation",
                                    term.path("coordinate"), joint->first),
                        "write  coordinate: angle  or  coordinate: translation");
    return std::nullopt;
  }
  return slides ? JointFreedom::translation : JointFreedom::rotation;
}

/// The function of its coordinate that a term is instead of a factor.
std::optional<math::TimeFunction> read_cam(const TableView& term, const TableUnits& units) {
  if (term.has("factor"))
    term.report().error(term.where("by"), fmt::format("{} has both `factor` and `by`", term.path()),
                        "remove one of them");
  if (!term.is_good("by")) return {};
  const TableView table = term.table("by");
  try {
    TableContent content = read_table(table, units);
    return math::TimeFunction::table(std::move(content.x), std::move(content.y),
                                     content.interpolation, content.ends);
  } catch (const base::InputError& error) {
    for (const base::Diagnostic& d : error.diagnostics())
      term.report().error(table.where(), fmt::format("{}: {}", table.path(), d.what), d.remedy);
  }
  return {};
}

void CouplerEntry::check(const TableView& view, const Scope& scope) {
  const Units& units = view.context().units;
  const auto quantity_of = [](JointFreedom coordinate) {
    return coordinate == JointFreedom::rotation ? kAngle : kLength;
  };
  // The multiplier times the first factor, as it stands in the file, is to be SI.
  std::optional<Quantity> first;
  for (const auto& [number, term] : view.tables("terms")) {
    refuse_zero(term, "factor");
    if (!term.is_good("joint")) continue;
    const auto coordinate = coordinate_of_term(term, scope.names);
    if (!coordinate) continue;
    const Quantity quantity = quantity_of(*coordinate);
    if (!first) first = quantity;
    const double scale = units.scale(*first), unit = units.scale(quantity);
    CouplingTerm read{term.text("joint"), *coordinate, scale * term.number("factor") / unit};
    if (term.has("by")) read.law = read_cam(term, {unit, scale, quantity.si, first->si});
    add_term(term, "joint", read, scope.names);
  }
  constant = (first ? units.scale(*first) : 0.0) * view.number("constant");
}

}  // namespace

const TableSpec& cam_table() {
  static const TableSpec table{
      "cam",
      "A function of a joint coordinate as a table, with continuous slopes, so that accelerations are well defined.",
      [] {
        std::vector<KeySpec> keys = table_keys(
            Key("table", Form::points,
                "the points [coordinate, value]; the value in the unit of the first term of the coupler",
                "[[0, 0], [3, 0.02], [6.283185307179586, 0]]"),
            "cubic");
        for (KeySpec& key : keys)
          if (key.key == "interpolation") key.words = {"cubic", "akima"};
        return keys;
      }(),
      "",
      false,
      {"table", "file"}};
  return table;
}

const TableSpec& coupling_term_table() {
  static const TableSpec table{
      "coupling term",
      "One term of a coupler: a factor times a coordinate of a joint, or a function of it.",
      {Key("joint", Form::reference, "the joint", "lift").needed(),
       Key("coordinate", Form::word,
           "`angle` about or `translation` along the axis of the joint; by default the one that the joint has",
           "angle")
           .among({"angle", "translation"}),
       Key("factor", Form::number, "for the coordinate in the units of the file", "-0.5")
           .needed()
           .unless("by"),
       Key("by", Form::table,
           "instead of `factor`: a table over the coordinate, such as a cam profile",
           "{table: [[0, 0], [3, 0.02], [6.283185307179586, 0]], ends: periodic}")
           .holds(cam_table())}};
  return table;
}

JointType coupler_row() {
  CouplerEntry coupler;
  coupler.type = JointTraits("coupler").couples();
  return joint_type(
      coupler, Fields<CouplerEntry>{
                   read_elsewhere<CouplerEntry>(
                       Key("terms", Form::list, "the terms, whose sum is `constant`",
                           "[{joint: lift, factor: 1}, {joint: winch, factor: -0.1}]")
                           .holds(coupling_term_table())
                           .needed()),
                   read_elsewhere<CouplerEntry>(
                       Key("constant", Form::number,
                           "the sum of the terms, with coordinates in the units of the file", "0")
                           .or_else("0"))});
}

}  // namespace solidyn::model

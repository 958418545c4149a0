#include <fmt/format.h>

#include "model/analyses/read_table.h"
#include "model/joints/read_joints.h"
#include "model/language/spelling.h"

namespace solidyn::model {
namespace {

const JointDescription* find_joint(const std::vector<JointDescription>& joints,
                                   const std::string& name) {
  for (const JointDescription& joint : joints)
    if (joint.name == name) return &joint;
  return nullptr;
}

/// The joint that a coupling names, if it is there and has the coordinate.
const JointDescription* coupled_joint(const TableView& view, const std::string& key,
                                      const std::string& name, JointCoordinate coordinate,
                                      const std::vector<JointDescription>& joints,
                                      const Names& names) {
  const JointDescription* joint = find_joint(joints, name);
  if (!joint) {
    std::vector<std::string> known;
    for (const JointDescription& candidate : joints) known.push_back(candidate.name);
    view.report().error(view.where(key),
                        fmt::format("{}: there is no joint `{}`", view.path(key), name),
                        suggestion(name, known, "there are"));
    return nullptr;
  }
  if (names.open_joints.count(name)) return nullptr;
  if (has_coordinate(joint->type, coordinate)) return joint;
  view.report().error(view.where(key),
                      fmt::format("{}: `{}` is of type {}, which has no {}", view.path(key), name,
                                  model::name(joint->type), model::name(coordinate)),
                      coordinate == JointCoordinate::angle
                          ? "name a revolute, cylindrical, planar or screw joint"
                          : "name a prismatic, cylindrical, screw or point_on_line joint");
  return nullptr;
}

/// factors * coordinates of the two joints under `joints`.
void read_pair(const TableView& view, JointDescription& coupling,
               const std::vector<JointDescription>& joints, const Names& names,
               const std::array<CouplingTerm, 2>& terms) {
  if (!view.is_good("joints")) return;
  const std::vector<std::string> texts = view.texts("joints");
  if (texts[0] == texts[1])
    view.report().error(view.where("joints"),
                        fmt::format("{} names `{}` twice", view.path("joints"), texts[0]),
                        "name two different joints");
  for (int i = 0; i < 2; ++i) {
    CouplingTerm term = terms[i];
    if (!coupled_joint(view, "joints", texts[i], term.coordinate, joints, names)) continue;
    term.joint = texts[i];
    coupling.terms.push_back(term);
  }
}

void refuse_zero(const TableView& view, const char* key) {
  if (view.is_good(key) && view.number(key) == 0.0)
    view.report().error(view.where(key), fmt::format("{} is 0", view.path(key)),
                        "it couples nothing: give another number");
}

/// The coordinate that a term means, by its word or as the only one that the joint has.
std::optional<JointCoordinate> coordinate_of(const TableView& view,
                                             const std::vector<JointDescription>& joints) {
  if (view.is_good("coordinate"))
    return view.text("coordinate") == "angle" ? JointCoordinate::angle
                                              : JointCoordinate::translation;
  const JointDescription* joint = find_joint(joints, view.text("joint"));
  if (!joint) return JointCoordinate::angle;
  const bool turns = has_coordinate(joint->type, JointCoordinate::angle);
  if (turns && has_coordinate(joint->type, JointCoordinate::translation)) {
    view.report().error(view.where(),
                        fmt::format("{} is missing: `{}` has an angle and a translation",
                                    view.path("coordinate"), joint->name),
                        "write  coordinate: angle  or  coordinate: translation");
    return std::nullopt;
  }
  const bool slides = has_coordinate(joint->type, JointCoordinate::translation);
  return slides ? JointCoordinate::translation : JointCoordinate::angle;
}

/// The function of its coordinate that a term is in place of a factor.
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

void read_terms(const TableView& view, JointDescription& coupling,
                const std::vector<JointDescription>& joints, const Names& names) {
  const Units& units = view.context().units;
  const auto unit_of = [&](JointCoordinate coordinate) {
    return coordinate == JointCoordinate::angle ? units.angle : units.length;
  };
  const auto si_of = [](JointCoordinate coordinate) {
    return coordinate == JointCoordinate::angle ? "rad" : "m";
  };
  double scale = 0.0;
  std::string si;
  for (const auto& [number, term_view] : view.tables("terms")) {
    refuse_zero(term_view, "factor");
    if (!term_view.is_good("joint")) continue;
    const auto coordinate = coordinate_of(term_view, joints);
    if (!coordinate) continue;
    CouplingTerm term;
    term.joint = term_view.text("joint");
    term.coordinate = *coordinate;
    // The multiplier times the first factor, as it stands in the file, is to be SI.
    if (scale == 0.0) {
      scale = unit_of(*coordinate);
      si = si_of(*coordinate);
    }
    term.factor = scale * term_view.number("factor") / unit_of(*coordinate);
    if (term_view.has("by"))
      term.law = read_cam(term_view, {unit_of(*coordinate), scale, si_of(*coordinate), si});
    if (coupled_joint(term_view, "joint", term.joint, *coordinate, joints, names))
      coupling.terms.push_back(term);
  }
  coupling.constant = scale * view.number("constant");
}

}  // namespace

void read_couplings(const TableView& file, std::vector<JointDescription>& joints,
                    const Names& names) {
  using Coordinate = JointCoordinate;
  const auto views = file.tables("joints");
  for (std::size_t i = 0; i < joints.size(); ++i) {
    JointDescription& coupling = joints[i];
    const TableView& view = views[i].second;
    switch (coupling.type) {
      case JointType::gear:
        refuse_zero(view, "ratio");
        read_pair(view, coupling, joints, names,
                  {{{"", Coordinate::angle, -view.number("ratio")}, {"", Coordinate::angle, 1.0}}});
        break;
      case JointType::rack_and_pinion:
        refuse_zero(view, "radius");
        read_pair(view, coupling, joints, names,
                  {{{"", Coordinate::angle, -view.number("radius")},
                    {"", Coordinate::translation, 1.0}}});
        break;
      case JointType::coupler:
        read_terms(view, coupling, joints, names);
        break;
      default:
        break;
    }
  }
}

}  // namespace solidyn::model

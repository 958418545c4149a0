#include "model/bodies/beams/read_beams.h"

#include <fmt/format.h>

#include "model/bodies/beams/read_beam_section.h"
#include "model/bodies/beams/read_beam_strains.h"
#include "model/bodies/read_materials.h"

namespace solidyn::model {
namespace {

using Eigen::Vector3d;

// Of the length: closer points are one, and points nearer to a line are on it.
constexpr double kTooClose = 1e-9;
constexpr double kOnTheLine = 1e-6;

std::vector<BeamPoint> read_points(const TableView& body) {
  std::vector<BeamPoint> points;
  if (!body.is_good("points")) return points;
  for (const Entry& entry : body.find("points")->entries) {
    BeamPoint point{entry.key, Vector3d::Zero(), entry.where};
    for (int i = 0; i < 3; ++i)
      point.x_B[i] = as_number(entry.value.items[i]).value_or(0.0) * body.scale("points");
    points.push_back(point);
  }
  return points;
}

double length_of(const std::vector<BeamPoint>& points) {
  double length = 0.0;
  for (std::size_t k = 1; k < points.size(); ++k)
    length += (points[k].x_B - points[k - 1].x_B).norm();
  return length;
}

void check_points(const TableView& body, const std::vector<BeamPoint>& points) {
  if (!body.is_good("points")) return;
  if (points.size() < 2) {
    body.report().error(body.where("points"),
                        fmt::format("{} has {} point: a beam runs from one to another",
                                    body.path("points"), points.size()),
                        "give two or more, for example  {left: [0, 0, 0], right: [0.3, 0, 0]}");
    return;
  }
  const double length = length_of(points);
  for (std::size_t k = 1; k < points.size(); ++k)
    if ((points[k].x_B - points[k - 1].x_B).norm() <= kTooClose * length)
      body.report().error(points[k].where,
                          fmt::format("{}.{} is at the same place as {}", body.path("points"),
                                      points[k].name, points[k - 1].name),
                          "remove one of them");
}

void check_arc(const TableView& body, const BeamDescription& beam) {
  if (!beam.is_arc || !body.is_good("points") || beam.points.size() < 2) return;
  if (beam.points.size() > 2) {
    body.report().error(body.where("arc_through"),
                        fmt::format("{}: the beam has {} points, an arc joins two",
                                    body.path("arc_through"), beam.points.size()),
                        "make a beam of each arc, and join them by `fixed` joints");
    return;
  }
  const Vector3d chord = beam.points[1].x_B - beam.points[0].x_B;
  const Vector3d across = (beam.through - beam.points[0].x_B).cross(chord) / chord.norm();
  if (across.norm() <= kOnTheLine * chord.norm())
    body.report().error(
        body.where("arc_through"),
        fmt::format("{} is on the straight line through the points", body.path("arc_through")),
        "give a point of the arc between them, or leave it out");
}

void check_elements(const TableView& body, const BeamDescription& beam) {
  if (!body.is_good("elements") || !body.is_good("points")) return;
  const int n_parts = static_cast<int>(beam.points.size()) - 1;
  if (beam.n_elements < n_parts)
    body.report().error(body.where("elements"),
                        fmt::format("{} is {}: between {} points are at least {} elements",
                                    body.path("elements"), beam.n_elements, n_parts + 1, n_parts),
                        "give more elements, or fewer points");
}

// Centre lines off a corner do not meet.
void check_offset(const TableView& body, const BeamDescription& beam) {
  if (beam.section.offset.isZero(0.0) || !body.is_good("points")) return;
  for (std::size_t k = 2; k < beam.points.size(); ++k) {
    const Vector3d before = beam.points[k - 1].x_B - beam.points[k - 2].x_B,
                   after = beam.points[k].x_B - beam.points[k - 1].x_B;
    if (before.normalized().cross(after.normalized()).norm() <= kOnTheLine) continue;
    const TableView section = body.table("section");
    section.report().error(section.where("offset"),
                           fmt::format("{}: the beam has a corner at {}, where its parts would "
                                       "not meet",
                                       section.path("offset"), beam.points[k - 1].name),
                           "make a beam of each straight part, and join them by `fixed` joints");
    return;
  }
}

// A vector along the line says nothing of y.
void check_y_axis(const TableView& body, const BeamDescription& beam) {
  if (!body.is_good("y_axis") || !body.is_good("points") || beam.points.size() < 2) return;
  const Vector3d along = (beam.points[1].x_B - beam.points[0].x_B).normalized();
  if (beam.y_axis.cross(along).norm() <= kOnTheLine)
    body.report().error(body.where("y_axis"),
                        fmt::format("{} points along the beam", body.path("y_axis")),
                        "give a direction across it");
}

// Stresses of strain rates alone: no mass matrix and no modes.
double read_stiffness_damping(const TableView& damping) {
  const TableView rayleigh = damping.table("rayleigh");
  const auto refuse = [&](const TableView& table, const char* key) {
    if (table.is_good(key) && table.number(key) != 0.0)
      table.report().error(
          table.where(key),
          fmt::format("{} is not for beams, whose strain rates alone are damped", table.path(key)),
          "write  rayleigh: {stiffness: 1e-5}, or put a `drag` force on its "
          "points");
  };
  refuse(rayleigh, "mass");
  refuse(damping, "modal_ratio");
  refuse(damping, "modal_ratio_from");
  return rayleigh.number("stiffness");
}

// Of a beam whose only section is its own.
void check_material_of_points(const TableView& body, const BeamDescription& beam,
                              const Names& names) {
  if (beam.section.rigidity)
    refuse_material(body, "a section of type stiffness takes nothing from a material");
  else if (!body.has("material"))
    complain_of_missing_material(body, names);
}

void warn_of_units_without_mesh(const TableView& body) {
  if (body.has("mesh_units") && !body.has("mesh"))
    body.report().warning(
        body.where("mesh_units"),
        fmt::format("{} is not used: the beam has no `mesh`", body.path("mesh_units")),
        "leave it out: `points` are in the units of this file");
}

}  // namespace

BeamDescription read_beam(const TableView& body, const Names& names) {
  BeamDescription beam;
  beam.points = read_points(body);
  beam.is_arc = body.is_good("arc_through");
  if (beam.is_arc) beam.through = body.vector("arc_through");
  beam.n_elements = body.has("elements") ? body.integer("elements") : 1;
  beam.has_section = body.has("section");
  if (body.is_good("y_axis")) beam.y_axis = body.direction("y_axis");
  beam.section = read_beam_section(body.table("section"));
  beam.has_shear = body.text("shear") != "none";
  beam.has_rotary_inertia = body.text("rotary_inertia") != "torsion";
  beam.torsion = chosen<beams::Torsion>(
      body.text("torsion"),
      {{"linear", beams::Torsion::linear}, {"constant", beams::Torsion::constant}});
  beam.rule = chosen<beams::TurnRule>(
      body.text("curvature_rule"),
      {{"lobatto", beams::TurnRule::lobatto}, {"magnus", beams::TurnRule::magnus}});
  beam.damping = read_stiffness_damping(body.table("damping"));
  beam.given = read_given_strains(body, body);
  beam.material = read_material(body, names);
  check_shear(body.table("section"), beam);
  warn_of_units_without_mesh(body);
  if (!body.has("mesh")) check_material_of_points(body, beam, names);
  check_points(body, beam.points);
  check_arc(body, beam);
  check_elements(body, beam);
  check_y_axis(body, beam);
  check_offset(body, beam);
  return beam;
}

std::vector<InterfaceDescription> places_of(const BeamDescription& beam) {
  std::vector<InterfaceDescription> places;
  for (const BeamPoint& point : beam.points) {
    InterfaceDescription place;
    place.definition.name = point.name;
    place.where = point.where;
    places.push_back(std::move(place));
  }
  return places;
}

}  // namespace solidyn::model

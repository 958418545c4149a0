#include "model/read_beams.h"

#include <fmt/format.h>

#include "model/read_beam_strains.h"
#include "model/read_materials.h"

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

void check_thickness(const TableView& section, const char* key, double thickness, double limit,
                     const char* of) {
  if (!section.is_good(key) || thickness < limit) return;
  section.report().error(section.where(key),
                         fmt::format("{} is {:g} m, not less than {} ({:g} m)", section.path(key),
                                     thickness, of, limit),
                         "make it thinner");
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
  return rayleigh.number("stiffness");
}

}  // namespace

SectionDescription read_section(const TableView& section) {
  using Shape = SectionDescription::Shape;
  SectionDescription s;
  s.shape = chosen<Shape>(section.type(), {{"rectangle", Shape::rectangle},
                                           {"circle", Shape::circle},
                                           {"tube", Shape::tube},
                                           {"i_section", Shape::i_section},
                                           {"general", Shape::general}});
  switch (s.shape) {
    case Shape::i_section:
      s.flange = section.number("flange");
      s.web = section.number("web");
      [[fallthrough]];
    case Shape::rectangle:
      s.width = section.number("width");
      s.height = section.number("height");
      break;
    case Shape::tube:
      s.wall = section.number("wall");
      [[fallthrough]];
    case Shape::circle:
      s.radius = section.number("radius");
      break;
    case Shape::general:
      s.general = {section.number("area"),    section.number("I_y"),
                   section.number("I_z"),     section.number("torsion_constant"),
                   section.number("shear_y"), section.number("shear_z")};
  }
  if (section.is_good("offset")) {
    const std::vector<double> across = section.numbers("offset");
    s.offset = Vector3d(0.0, across[0], across[1]);
  }
  if (s.shape == Shape::tube && section.is_good("radius"))
    check_thickness(section, "wall", s.wall, s.radius, "the radius");
  if (s.shape == Shape::i_section && section.is_good("height"))
    check_thickness(section, "flange", s.flange, 0.5 * s.height, "half the height");
  if (s.shape == Shape::i_section && section.is_good("width"))
    check_thickness(section, "web", s.web, s.width, "the width");
  return s;
}

BeamDescription read_beam(const TableView& body, const Names& names) {
  BeamDescription beam;
  beam.points = read_points(body);
  beam.is_arc = body.is_good("arc_through");
  if (beam.is_arc) beam.through = body.vector("arc_through");
  beam.n_elements = body.has("elements") ? body.integer("elements") : 1;
  beam.has_section = body.has("section");
  if (body.is_good("y_axis")) beam.y_axis = body.direction("y_axis");
  beam.section = read_section(body.table("section"));
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
  if (!body.has("material") && !body.has("mesh")) complain_of_missing_material(body, names);
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

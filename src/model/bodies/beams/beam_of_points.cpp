#include "model/bodies/beams/beam_of_points.h"

#include <fmt/format.h>

#include "model/bodies/beams/build_beams.h"
#include "model/bodies/materials.h"

namespace solidyn::model {
namespace {

using Eigen::Vector3d;

// Of the length: closer points are one, and points nearer to a line are on it.
constexpr double kTooClose = 1e-9;
constexpr double kOnTheLine = 1e-6;

double length_of(const std::vector<NamedPoint>& points) {
  double length = 0.0;
  for (std::size_t k = 1; k < points.size(); ++k)
    length += (points[k].x_B - points[k - 1].x_B).norm();
  return length;
}

void check_points(const TableView& body, const std::vector<NamedPoint>& points) {
  if (points.size() < 2) {
    body.report().error(body.where("points"),
                        fmt::format("{} has {} point: a beam needs at least two",
                                    body.path("points"), points.size()),
                        "give two or more, for example  {left: [0, 0, 0], right: [0.3, 0, 0]}");
    return;
  }
  const double length = length_of(points);
  for (std::size_t k = 1; k < points.size(); ++k)
    if ((points[k].x_B - points[k - 1].x_B).norm() <= kTooClose * length)
      body.report().error(points[k].where,
                          fmt::format("{}.{} coincides with {}", body.path("points"),
                                      points[k].name, points[k - 1].name),
                          "remove one of them");
}

void check_arc(const TableView& body, const BeamOfPoints& beam) {
  if (!beam.through || beam.points.size() < 2) return;
  if (beam.points.size() > 2) {
    body.report().error(body.where("arc_through"),
                        fmt::format("{}: the beam has {} points, but an arc connects two",
                                    body.path("arc_through"), beam.points.size()),
                        "define a beam for each arc, and connect them by `fixed` joints");
    return;
  }
  const Vector3d chord = beam.points[1].x_B - beam.points[0].x_B;
  const Vector3d across = (*beam.through - beam.points[0].x_B).cross(chord) / chord.norm();
  if (across.norm() <= kOnTheLine * chord.norm())
    body.report().error(
        body.where("arc_through"),
        fmt::format("{} is on the straight line through the points", body.path("arc_through")),
        "give a point of the arc between them, or remove it");
}

void check_elements(const TableView& body, const BeamOfPoints& beam) {
  if (!body.is_good("elements")) return;
  const int n_parts = static_cast<int>(beam.points.size()) - 1;
  if (beam.n_elements < n_parts)
    body.report().error(body.where("elements"),
                        fmt::format("{} is {}: {} points require at least {} elements",
                                    body.path("elements"), beam.n_elements, n_parts + 1, n_parts),
                        "give more elements, or fewer points");
}

// Centre lines off a corner do not meet.
void check_offset(const TableView& body, const BeamOfPoints& beam) {
  if (!beam.section || beam.section->offset.isZero(0.0)) return;
  for (std::size_t k = 2; k < beam.points.size(); ++k) {
    const Vector3d before = beam.points[k - 1].x_B - beam.points[k - 2].x_B,
                   after = beam.points[k].x_B - beam.points[k - 1].x_B;
    if (before.normalized().cross(after.normalized()).norm() <= kOnTheLine) continue;
    const TableView section = body.table("section");
    section.report().error(
        section.where("offset"),
        fmt::format("{}: the beam has a corner at {}, where its cross-sections would not match",
                    section.path("offset"), beam.points[k - 1].name),
        "define a beam for each straight part, and connect them by `fixed` joints");
    return;
  }
}

// A vector along the line says nothing of y.
void check_y_axis(const TableView& body, const BeamOfPoints& beam) {
  if (!body.is_good("y_axis") || beam.points.size() < 2) return;
  const Vector3d along = (beam.points[1].x_B - beam.points[0].x_B).normalized();
  if (beam.y_axis.cross(along).norm() <= kOnTheLine)
    body.report().error(body.where("y_axis"),
                        fmt::format("{} points along the beam", body.path("y_axis")),
                        "give a direction not parallel to it");
}

void check_material(const TableView& body, const BeamOfPoints& beam, const Scope& scope) {
  if (beam.section && beam.section->rigidity())
    refuse_material(body, "a section of type stiffness does not use a material");
  else if (!body.has("material"))
    complain_of_missing_material(body, scope);
}

void warn_of_units_without_mesh(const TableView& body) {
  if (body.has("mesh_units"))
    body.report().warning(
        body.where("mesh_units"),
        fmt::format("{} is not used: the beam has no `mesh`", body.path("mesh_units")),
        "remove it: `points` are in the units of this file");
}

void read_line(BeamOfPoints& beam, const TableView& view, const Scope&) {
  if (view.is_good("points")) beam.points = read_named_points(view, "points");
}

}  // namespace

const Fields<BeamOfPoints>& BeamOfPoints::fields() {
  using Self = BeamOfPoints;
  static const Fields<Self> list = joined_fields(
      Fields<Self>{
          read_by<Self>(
              Key("points", Form::named_vectors,
                  "named points of the centre line, in body axes: the beam runs straight from one to the next. They are the places of the beam for joints, forces and sensors",
                  "{left: [0, 0, 0], right: [0.3, 0, 0]}")
                  .in(kLength)
                  .needed()
                  .unless("mesh"),
              read_line),
          field(
              Key("arc_through", Form::vector,
                  "a point of the circular arc between the two `points`, instead of a straight line; the beam is initially curved, without stress",
                  "[0.1, 0.02, 0]")
                  .in(kLength),
              &Self::through)},
      BeamDescription::fields());
  return list;
}

void BeamOfPoints::check(const TableView& view, const Scope& scope) const {
  check_beam(view);
  warn_of_units_without_mesh(view);
  check_material(view, *this, scope);
  if (!view.is_good("points")) return;
  check_points(view, points);
  check_arc(view, *this);
  check_elements(view, *this);
  check_y_axis(view, *this);
  check_offset(view, *this);
}

std::string BeamOfPoints::in_words() const {
  return fmt::format("{} elements, {}, {} points", n_elements,
                     section->rigidity() ? "stiffness given" : material, points.size());
}

std::vector<PlaceDescription> BeamOfPoints::places() const {
  std::vector<PlaceDescription> places;
  for (const NamedPoint& point : points)
    places.push_back(place(PlaceDescription::Kind::interface, point.name));
  return places;
}

void BeamOfPoints::visit_laws(const BodyLawVisitor& visit) const {
  visit_strains(given, "bodies." + name, where, visit);
}

void BeamOfPoints::build(const BodyBuilder& builder) const { add_beam(*this, builder); }

}  // namespace solidyn::model

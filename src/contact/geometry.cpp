#include "solidyn/contact/geometry.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "contact/from_polytope.h"
#include "contact/pair_geometries.h"
#include "solidyn/base/error.h"

namespace solidyn::contact {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Points = PointsOnSurface::Points;

constexpr const char* kPairs =
    "supported are: sphere with sphere, hollow sphere, plane, box, polyhedron, cylinder, hollow cylinder or capsule; capsule, box or polyhedron with plane, capsule, box or polyhedron; cylinder with plane or hollow cylinder";

Vector3d along_z(double z) { return {0.0, 0.0, z}; }

std::unique_ptr<PairGeometry> points(Points points, std::unique_ptr<Surface> surface) {
  return std::make_unique<PointsOnSurface>(std::move(points), std::move(surface));
}

// Edges are rounded by kEdgeRounding of a body's smallest half size, unless the ball that touches
// them is rounder: a point that overlaps by less slides over an edge without a jump of its
// direction.
double rounding(double smallest_half, double r) {
  return std::max(0.0, kEdgeRounding * smallest_half - r);
}

// A ball of radius r of frame `on` and a surface of the other frame.
std::unique_ptr<PairGeometry> ball(On on, double r, double offset,
                                   std::unique_ptr<Surface> surface) {
  return points({on, {Vector3d::Zero()}, offset - r, -r}, std::move(surface));
}

void require_room(double inner, double outer, const char* what) {
  if (outer > inner) return;
  throw base::InputError(
      fmt::format("{}: a radius of {:g} m does not fit into one of {:g} m", what, inner, outer),
      "the hollow shape must have the larger radius");
}

std::unique_ptr<PairGeometry> ball_and_ball(On on, const Sphere& ball_1, const Sphere& ball_2) {
  if (ball_2.side == Side::outer)
    return ball(on, ball_1.radius, -ball_2.radius, std::make_unique<FromCentre>(1.0));
  require_room(ball_1.radius, ball_2.radius, "sphere in hollow sphere");
  return ball(on, ball_1.radius, ball_2.radius, std::make_unique<FromCentre>(-1.0));
}

std::unique_ptr<PairGeometry> ball_and_cylinder(On on, const Sphere& sphere,
                                                const Cylinder& cylinder) {
  const double R = cylinder.radius, half = 0.5 * cylinder.length, r = sphere.radius;
  const double round = rounding(std::min(R, half), r);
  if (cylinder.side == Side::outer)
    return ball(on, r, -round, std::make_unique<FromCylinder>(R - round, half - round));
  require_room(r, R, "sphere in hollow cylinder");
  return ball(on, r, -round, std::make_unique<FromBore>(R + round, half - round));
}

std::unique_ptr<PairGeometry> ball_and_box(On on, const Sphere& sphere, const Box& box) {
  const Vector3d half = 0.5 * box.size;
  const double round = rounding(half.minCoeff(), sphere.radius);
  return ball(on, sphere.radius, -round,
              std::make_unique<FromBox>(half - Vector3d::Constant(round)));
}

std::unique_ptr<PairGeometry> ball_and_polyhedron(On on, const Sphere& sphere,
                                                  const Polyhedron& polyhedron) {
  const Polytope hull = convex_hull(polyhedron.points);
  const double round = rounding(inner_radius(hull), sphere.radius);
  return ball(on, sphere.radius, -round,
              std::make_unique<FromPolytope>(round > 0.0 ? shrunk(hull, round) : hull));
}

std::unique_ptr<PairGeometry> corners_on_plane(On on, const Polytope& body) {
  return points({on, body.vertices, 0.0, 0.0}, std::make_unique<HalfSpace>());
}

// Of a box, polyhedron or capsule.
std::optional<PolytopePair::Body> find_rounded(const Shape& shape, double rounding) {
  if (const auto* box = std::get_if<Box>(&shape)) {
    const Vector3d half = 0.5 * box->size;
    const double margin = rounding * half.minCoeff();
    return PolytopePair::Body{box_polytope(half - Vector3d::Constant(margin)), margin};
  }
  if (const auto* polyhedron = std::get_if<Polyhedron>(&shape)) {
    Polytope hull = convex_hull(polyhedron->points);
    const double margin = rounding * inner_radius(hull);
    return PolytopePair::Body{margin > 0.0 ? shrunk(hull, margin) : std::move(hull), margin};
  }
  if (const auto* capsule = std::get_if<Capsule>(&shape))
    return PolytopePair::Body{segment_polytope(0.5 * capsule->length), capsule->radius};
  return std::nullopt;
}

// So that a pair is computed alike whichever shape is named first; an axis is to be the first.
bool comes_first(const Polytope& a, const Polytope& b) {
  if (a.edges.size() != b.edges.size()) return a.edges.size() < b.edges.size();
  for (std::size_t i = 0; i < std::min(a.vertices.size(), b.vertices.size()); ++i)
    for (int k = 0; k < 3; ++k)
      if (a.vertices[i][k] != b.vertices[i][k]) return a.vertices[i][k] < b.vertices[i][k];
  return true;
}

std::unique_ptr<PairGeometry> find_polytope_pair(const Shape& A, const Shape& B, double rounding) {
  std::optional<PolytopePair::Body> a = find_rounded(A, rounding), b = find_rounded(B, rounding);
  if (!a || !b) return nullptr;
  if (comes_first(a->polytope, b->polytope))
    return std::make_unique<PolytopePair>(std::move(*a), std::move(*b));
  return std::make_unique<ExchangedPair>(
      std::make_unique<PolytopePair>(std::move(*b), std::move(*a)));
}

// The pair in the order in which it is declared; null when it is not in this one.
std::unique_ptr<PairGeometry> find_geometry(On on, const Shape& first, const Shape& second) {
  if (const auto* sphere = std::get_if<Sphere>(&first); sphere && sphere->side == Side::outer) {
    if (const auto* other = std::get_if<Sphere>(&second)) return ball_and_ball(on, *sphere, *other);
    if (std::get_if<Plane>(&second))
      return ball(on, sphere->radius, 0.0, std::make_unique<HalfSpace>());
    if (const auto* box = std::get_if<Box>(&second)) return ball_and_box(on, *sphere, *box);
    if (const auto* polyhedron = std::get_if<Polyhedron>(&second))
      return ball_and_polyhedron(on, *sphere, *polyhedron);
    if (const auto* cylinder = std::get_if<Cylinder>(&second))
      return ball_and_cylinder(on, *sphere, *cylinder);
    if (const auto* capsule = std::get_if<Capsule>(&second))
      return ball(on, sphere->radius, -capsule->radius,
                  std::make_unique<FromSegment>(0.5 * capsule->length));
  }
  const bool is_on_plane = std::get_if<Plane>(&second) != nullptr;
  if (const auto* capsule = std::get_if<Capsule>(&first); capsule && is_on_plane) {
    const double half = 0.5 * capsule->length, r = capsule->radius;
    return points({on, {along_z(-half), along_z(half)}, -r, -r}, std::make_unique<HalfSpace>());
  }
  if (const auto* box = std::get_if<Box>(&first); box && is_on_plane)
    return corners_on_plane(on, box_polytope(0.5 * box->size));
  if (const auto* polyhedron = std::get_if<Polyhedron>(&first); polyhedron && is_on_plane)
    return corners_on_plane(on, convex_hull(polyhedron->points));
  const auto* cylinder = std::get_if<Cylinder>(&first);
  if (!cylinder || cylinder->side == Side::inner) return nullptr;
  if (is_on_plane)
    return std::make_unique<RimsOnPlane>(on, cylinder->radius, 0.5 * cylinder->length);
  const auto* other = std::get_if<Cylinder>(&second);
  if (!other || other->side == Side::outer) return nullptr;
  require_room(cylinder->radius, other->radius, "cylinder in hollow cylinder");
  return std::make_unique<Journal>(on, *cylinder, *other);
}

Vector2d curvatures(const Shape& shape) {
  if (const auto* sphere = std::get_if<Sphere>(&shape))
    return Vector2d::Constant((sphere->side == Side::outer ? 1.0 : -1.0) / sphere->radius);
  if (const auto* cylinder = std::get_if<Cylinder>(&shape))
    return {(cylinder->side == Side::outer ? 1.0 : -1.0) / cylinder->radius, 0.0};
  return Vector2d::Zero();
}

bool is_ball(const Shape& shape) {
  const auto* sphere = std::get_if<Sphere>(&shape);
  return sphere && sphere->radius > 0.0;
}

}  // namespace

std::string name(const Shape& shape) {
  if (const auto* sphere = std::get_if<Sphere>(&shape))
    return sphere->side == Side::inner ? "hollow sphere" : "sphere";
  if (std::get_if<Plane>(&shape)) return "plane";
  if (const auto* cylinder = std::get_if<Cylinder>(&shape))
    return cylinder->side == Side::inner ? "hollow cylinder" : "cylinder";
  if (std::get_if<Polyhedron>(&shape)) return "polyhedron";
  return std::get_if<Capsule>(&shape) ? "capsule" : "box";
}

std::unique_ptr<PairGeometry> make_geometry(const Shape& A, const Shape& B, double rounding) {
  const auto* capsule_A = std::get_if<Capsule>(&A);
  const auto* capsule_B = std::get_if<Capsule>(&B);
  if (capsule_A && capsule_B) return std::make_unique<CapsulePair>(*capsule_A, *capsule_B);
  if (auto geometry = find_polytope_pair(A, B, rounding)) return geometry;
  if (auto geometry = find_geometry(On::A, A, B)) return geometry;
  if (auto geometry = find_geometry(On::B, B, A)) return geometry;
  throw base::InputError(
      fmt::format("contact between {} and {} is not supported", name(A), name(B)), kPairs);
}

void require_volume(const std::vector<Vector3d>& points) { convex_hull(points); }

// Capsules on planes touch with their half-spheres.
Vector2d relative_curvatures(const Shape& A, const Shape& B) {
  for (const auto& [first, second] : {std::pair(&A, &B), std::pair(&B, &A)}) {
    const auto* capsule = std::get_if<Capsule>(first);
    if (capsule && std::get_if<Plane>(second)) return Vector2d::Constant(1.0 / capsule->radius);
    if (!is_ball(*first) || std::get_if<Capsule>(second)) continue;
    if (std::get_if<Sphere>(second) && !is_ball(*second)) continue;
    const Vector2d sum = curvatures(*first) + curvatures(*second);
    return {sum.maxCoeff(), sum.minCoeff()};
  }
  return Vector2d::Zero();
}

}  // namespace solidyn::contact

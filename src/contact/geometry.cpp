#include "solidyn/contact/geometry.h"

#include <fmt/format.h>

#include <algorithm>

#include "contact/pair_geometries.h"
#include "solidyn/base/error.h"

namespace solidyn::contact {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using Points = PointsOnSurface::Points;

constexpr const char* kPairs =
    "supported are: sphere with sphere, hollow sphere, plane, box, cylinder, hollow cylinder or capsule; capsule with plane or capsule; box or cylinder with plane; cylinder with hollow cylinder";

Vector3d along_z(double z) { return {0.0, 0.0, z}; }

std::unique_ptr<PairGeometry> points(Points points, std::unique_ptr<Surface> surface) {
  return std::make_unique<PointsOnSurface>(std::move(points), std::move(surface));
}

// Edges are rounded by this part of a body's smallest half size, unless the ball that touches them
// is rounder: a point that overlaps by less slides over an edge without a jump of its direction.
constexpr double kEdge = 1e-3;
double rounding(double smallest_half, double r) { return std::max(0.0, kEdge * smallest_half - r); }

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

std::unique_ptr<PairGeometry> corners(On on, const Box& box) {
  Points p{on, {}, 0.0, 0.0};
  for (int i = 0; i < 8; ++i)
    p.local.push_back(0.5 * box.size.cwiseProduct(Vector3d(i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0,
                                                           i & 4 ? 1.0 : -1.0)));
  return points(std::move(p), std::make_unique<HalfSpace>());
}

// The pair in the order in which it is declared; null when it is not in this one.
std::unique_ptr<PairGeometry> find_geometry(On on, const Shape& first, const Shape& second) {
  if (const auto* sphere = std::get_if<Sphere>(&first); sphere && sphere->side == Side::outer) {
    if (const auto* other = std::get_if<Sphere>(&second)) return ball_and_ball(on, *sphere, *other);
    if (std::get_if<Plane>(&second))
      return ball(on, sphere->radius, 0.0, std::make_unique<HalfSpace>());
    if (const auto* box = std::get_if<Box>(&second)) return ball_and_box(on, *sphere, *box);
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
  if (const auto* box = std::get_if<Box>(&first); box && is_on_plane) return corners(on, *box);
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
  return std::get_if<Capsule>(&shape) ? "capsule" : "box";
}

std::unique_ptr<PairGeometry> make_geometry(const Shape& A, const Shape& B) {
  const auto* capsule_A = std::get_if<Capsule>(&A);
  const auto* capsule_B = std::get_if<Capsule>(&B);
  if (capsule_A && capsule_B) return std::make_unique<CapsulePair>(*capsule_A, *capsule_B);
  if (auto geometry = find_geometry(On::A, A, B)) return geometry;
  if (auto geometry = find_geometry(On::B, B, A)) return geometry;
  throw base::InputError(
      fmt::format("contact between {} and {} is not supported", name(A), name(B)), kPairs);
}

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

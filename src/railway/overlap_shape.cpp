// What a patch of the overlap amounts to: its place, its curvatures, its ellipse.
#include <algorithm>
#include <cmath>

#include "interpenetration.h"
#include "overlap_axle.h"
#include "overlap_patches.h"

namespace solidyn::railway {

using Eigen::Vector2d;
using Eigen::Vector3d;

namespace {

// A patch that is narrower than a sample has that for its width: the variance of it, m^2.
constexpr double kLeastVariance = kMeridianStep * kMeridianStep / 12.0;

// Across the patch, in its tangent plane.
Vector2d across_of(const Vector2d& normal) { return {normal.y(), -normal.x()}; }

}  // namespace

// Of a parabola d (1 - s^2/w^2): variance w^2/5, mean overlap under the pressure 4/5 d.
EquivalentPatch RailOverlap::equivalent(const OverlapSums& sums,
                                        const AxlePosition& position) const {
  EquivalentPatch patch;
  patch.c = sums.moment / sums.pressure;
  const Vector2d force(sums.force_y, sums.force_z);
  patch.normal_force = force.norm();
  patch.normal = force / patch.normal_force;
  const Vector2d across = across_of(patch.normal);
  const Vector2d c = patch.c.tail<2>();
  const Vector3d spread =
      sums.second / sums.pressure - Vector3d(c.x() * c.x(), c.x() * c.y(), c.y() * c.y());
  const double variance = across.x() * across.x() * spread[0] +
                          2.0 * across.x() * across.y() * spread[1] +
                          across.y() * across.y() * spread[2];
  const double depth = 1.25 * sums.depth / sums.pressure;
  const double lean = patch.normal.dot(position.axle.tail<2>());
  const double on_axle = patch.c.dot(position.axle);
  patch.radius = (patch.c - on_axle * position.axle).norm();
  patch.geometry.A = 0.5 * std::sqrt(std::max(0.0, 1.0 - lean * lean)) / patch.radius;
  patch.geometry.B = depth / (5.0 * std::max(variance, 0.0) + 5.0 * kLeastVariance);
  return patch;
}

std::vector<Vector2d> RailOverlap::section(const OverlapPatch& patch, const Vector2d& normal,
                                           const AxlePosition& position) const {
  constexpr std::size_t kSamples = kBlock;
  const Axle axle(position);
  const Vector2d across = across_of(normal);
  const std::size_t first = patch.first > 0 ? patch.first - 1 : 0;
  const std::size_t last = std::min(patch.last + 1, samples_.size() * kSamples - 1);
  std::vector<Vector2d> section;
  Trace t;
  for (std::size_t i = first; i <= last; ++i) {
    const Samples& s = samples_[i / kSamples];
    const auto lane = static_cast<Eigen::Index>(i % kSamples);
    if (i == first || lane == 0) trace(s, axle, t);
    if (s.length[lane] > 0.0)  // else what fills up the last block
      section.emplace_back(across.dot(Vector2d(t.Y[lane], t.Z[lane])),
                           t.overlap[lane] * s.cosine[lane]);
  }
  if (section.front().x() > section.back().x()) std::reverse(section.begin(), section.end());
  return section;
}

EllipticContact RailOverlap::ellipse(const OverlapPatch& patch, const EquivalentPatch& shape,
                                     const AxlePosition& position) const {
  if (model_ == PatchModel::hertz) return elliptic_contact(shape.geometry, material_);
  const InterpenetrationZone zone = interpenetration_zone(
      section(patch, shape.normal, position), shape.geometry.A, kLeastVariance, material_);
  const double per_root = std::cbrt(patch.sums.pressure);
  return {elliptic_contact({shape.geometry.A, zone.B}, material_).stiffness, zone.a / per_root,
          zone.b / per_root};
}

double RailOverlap::stiffness_of(const OverlapPatch& patch, const EquivalentPatch& shape,
                                 const AxlePosition& position) const {
  if (model_ == PatchModel::hertz)
    return 0.75 * elliptic_contact(shape.geometry, material_).stiffness *
           std::sqrt(shape.geometry.B);
  const OverlapSection overlaps = section(patch, shape.normal, position);
  const InterpenetrationZone zone =
      interpenetration_zone(overlaps, shape.geometry.A, kLeastVariance, material_);
  return interpenetration_force(overlaps, shape.geometry.A, zone, material_) / patch.sums.pressure;
}

}  // namespace solidyn::railway

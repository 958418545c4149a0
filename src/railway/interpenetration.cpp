#include "interpenetration.h"

#include <algorithm>
#include <cmath>

#include "solidyn/math/elliptic_integrals.h"

namespace solidyn::railway {
namespace {

using Eigen::Vector2d;

Vector2d summit_of(const OverlapSection& section) {
  return *std::max_element(section.begin(), section.end(),
                           [](const Vector2d& a, const Vector2d& b) { return a.y() < b.y(); });
}

/// @param visit  (from, to): of each interval between samples what is above the level, overlap less
/// the level
template <class Visit>
void for_each_part(const OverlapSection& section, double level, const Visit& visit) {
  for (std::size_t i = 0; i + 1 < section.size(); ++i) {
    Vector2d from = section[i], to = section[i + 1];
    from.y() -= level;
    to.y() -= level;
    if (!(from.y() > 0.0 || to.y() > 0.0)) continue;
    const double slope = (to.x() - from.x()) / (to.y() - from.y());
    if (from.y() < 0.0) from = {from.x() - slope * from.y(), 0.0};
    if (to.y() < 0.0) to = {to.x() - slope * to.y(), 0.0};
    visit(from, to);
  }
}

}  // namespace

// With o linear, the means of sqrt(o) and of o^(3/2) over an interval are closed forms of the roots
// at its ends: the zone changes continuously as its ends wander.
InterpenetrationZone interpenetration_zone(const OverlapSection& section, double A,
                                           double narrowest, const ElasticMaterial& material) {
  const double level = (1.0 - kInterpenetration) * summit_of(section).y();
  double area = 0.0, first = 0.0, second = 0.0, along = 0.0;  // by l in place of 2 l
  for_each_part(section, level, [&](const Vector2d& from, const Vector2d& to) {
    const double p = std::sqrt(from.y() / A), q = std::sqrt(to.y() / A), sum = p + q;
    const double width = to.x() - from.x(), middle = 0.5 * (from.x() + to.x());
    if (!(sum > 0.0)) return;
    const double l = 2.0 / 3.0 * width * (p * p + p * q + q * q) / sum;
    const double l3 =
        0.4 * width * (p * p * p * p + p * q * (p * p + p * q + q * q) + q * q * q * q) / sum;
    area += l;
    first += l * middle;
    second += l * (middle * middle + width * width / 12.0);
    along += l3 / 3.0;
  });
  const double mean = first / area, across = second / area - mean * mean + narrowest;
  InterpenetrationZone zone;
  zone.B = A * (along / area) / across;
  const EllipticContact hertz = elliptic_contact({A, zone.B}, material);
  const double per_root = std::cbrt(hertz.stiffness);  // of N^(1/3) by sqrt(d)
  zone.along = hertz.along * per_root / std::sqrt(kInterpenetration / A);
  zone.across = hertz.across * per_root / std::sqrt(kInterpenetration / zone.B);
  const double ratio = hertz.along / hertz.across;
  const double product = 2.0 * area * zone.along * zone.across / M_PI;
  zone.a = std::sqrt(product * ratio);
  zone.b = std::sqrt(product / ratio);
  return zone;
}

// The integral along the zone of sqrt(l^2 - x^2) over the distance from the summit, y beside it, is
// 2 l^2 D(q)/sqrt(l^2 + y^2), q = y^2/(l^2 + y^2), which is as ln y near the summit: intervals are
// divided more finely towards it.
double interpenetration_force(const OverlapSection& section, double A,
                              const InterpenetrationZone& zone, const ElasticMaterial& material) {
  constexpr int kParts = 4;
  const Vector2d summit = summit_of(section);
  double volume = 0.0, potential = 0.0;
  for_each_part(section, (1.0 - kInterpenetration) * summit.y(),
                [&](const Vector2d& from, const Vector2d& to) {
                  const bool is_right = from.x() + to.x() > 2.0 * summit.x();
                  const Vector2d near = is_right ? from : to,
                                 way = is_right ? to - from : from - to;
                  for (int i = 0; i < kParts; ++i) {
                    const double u = (i + 0.5) / kParts, share = 2.0 * u / kParts;
                    const Vector2d at = near + u * u * way;
                    const double width = zone.across * share * (to.x() - from.x());
                    const double y = zone.across * (at.x() - summit.x());
                    const double l2 = zone.along * zone.along * std::max(at.y(), 0.0) / A;
                    const double square = l2 + y * y;
                    if (!(l2 > 0.0)) continue;
                    volume += width * 0.5 * M_PI * l2;
                    potential += width * 2.0 * l2 / std::sqrt(square) *
                                 math::complete_elliptic_integrals(y * y / square).D;
                  }
                });
  const double nu = material.poissons_ratio;
  return 0.5 * M_PI * material.youngs_modulus / (1.0 - nu * nu) * summit.y() * volume / potential;
}

}  // namespace solidyn::railway

#include "solidyn/railway/elliptic_contact.h"

#include <fmt/format.h>

#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/math/hertz_ellipse.h"

namespace solidyn::railway {
namespace {

struct Solution {
  EllipticContact contact, by_low, by_high;  ///< by the smaller curvature and by the larger
};

// Long half axis along the smaller curvature `low`. Half axes are ~ low^(-1/3), K ~ low^(-1/2) at a
// constant ratio of curvatures.
Solution solve(double low, double high, const ElasticMaterial& material) {
  const double modulus =
      0.5 * material.youngs_modulus / (1.0 - material.poissons_ratio * material.poissons_ratio);
  const math::HertzEllipseWithSlopes ellipse = math::hertz_ellipse(high / low);
  const math::HertzEllipse &e = ellipse.value, &slope = ellipse.by_log_ratio;
  Solution s;
  const double c = std::exp(e.log_long) / std::cbrt(modulus * low);
  s.contact = {modulus / std::sqrt(low) * std::exp(-1.5 * e.log_approach), c,
               c * std::exp(e.log_axes)};
  const EllipticContact by_log_ratio = {-1.5 * s.contact.stiffness * slope.log_approach,
                                        s.contact.along * slope.log_long,
                                        s.contact.across * (slope.log_long + slope.log_axes)};
  s.by_high = {by_log_ratio.stiffness / high, by_log_ratio.along / high,
               by_log_ratio.across / high};
  s.by_low = {(-0.5 * s.contact.stiffness - by_log_ratio.stiffness) / low,
              (-s.contact.along / 3.0 - by_log_ratio.along) / low,
              (-s.contact.across / 3.0 - by_log_ratio.across) / low};
  return s;
}

EllipticContact with_axes_exchanged(const EllipticContact& contact) {
  return {contact.stiffness, contact.across, contact.along};
}

Solution solve_ordered(const ContactGeometry& g, const ElasticMaterial& material) {
  if (!(g.A > 0.0 && g.B > 0.0))
    throw base::ComputationError(fmt::format(
        "Hertz' theory needs surfaces that part in all directions, and their relative curvatures are {:.4g} 1/m along rolling and {:.4g} 1/m across",
        2.0 * g.A, 2.0 * g.B));
  return g.A <= g.B ? solve(g.A, g.B, material) : solve(g.B, g.A, material);
}

}  // namespace

ContactGeometry wheel_rail_geometry(double wheel_angle, double radius, double wheel_curvature,
                                    double rail_curvature) {
  return {std::cos(wheel_angle) / (2.0 * radius), 0.5 * (wheel_curvature + rail_curvature)};
}

EllipticContact elliptic_contact(const ContactGeometry& g, const ElasticMaterial& material) {
  const EllipticContact contact = solve_ordered(g, material).contact;
  return g.A <= g.B ? contact : with_axes_exchanged(contact);
}

EllipticContactDerivatives elliptic_contact_derivatives(const ContactGeometry& g,
                                                        const ElasticMaterial& material) {
  const Solution s = solve_ordered(g, material);
  if (g.A <= g.B) return {s.by_low, s.by_high};
  return {with_axes_exchanged(s.by_high), with_axes_exchanged(s.by_low)};
}

}  // namespace solidyn::railway

#include "solidyn/railway/elliptic_contact.h"

#include <fmt/format.h>

#include <utility>

#include "solidyn/base/error.h"
#include "solidyn/math/elliptic_integrals.h"

namespace solidyn::railway {
namespace {

using math::EllipticIntegrals;

// dD/dq; D = sum of c_n m^n pi/2 c_(n+1), c_n = (2n - 1)!!/(2n)!!, is used near the circle, m = 0,
// where the closed form is a quotient of small numbers.
double slope_of_D(double q, const EllipticIntegrals& e) {
  const double m = 1.0 - q;
  if (m > 0.05) return -(e.B - q * e.D) / (2.0 * q * m);
  double sum = 0.0, c = 0.5, power = 1.0;
  for (int n = 1; n < 16; ++n) {
    const double next = c * (2.0 * n + 1.0) / (2.0 * n + 2.0);
    sum += n * c * next * power;
    power *= m;
    c = next;
  }
  return -0.5 * M_PI * sum;
}

struct Shape {
  double q = 1.0;
  EllipticIntegrals integrals;
  double by_ratio = 0.0;  ///< dq / d(curvature ratio)
};

// Newton's steps in log q, which the logarithm of the ratio follows nearly linearly.
Shape shape_of(double ratio) {
  Shape shape;
  shape.q = std::pow(ratio, -4.0 / 3.0);
  double low = 0.0, high = 1.0;
  for (int i = 0; i < 60; ++i) {
    shape.integrals = math::complete_elliptic_integrals(shape.q);
    const EllipticIntegrals& e = shape.integrals;
    const double D_q = slope_of_D(shape.q, e), K_q = -e.B / (2.0 * shape.q), B_q = K_q - D_q;
    const double slope = B_q / e.B - 1.0 / shape.q - D_q / e.D;  // of the ratio's logarithm
    const double now = e.B / (shape.q * e.D), miss = std::log(now / ratio);
    shape.by_ratio = 1.0 / (now * slope);
    (miss > 0.0 ? low : high) = shape.q;
    if (std::abs(miss) < 1e-15) break;
    double next = shape.q * std::exp(-miss / (slope * shape.q));
    if (!(next > low && next < high)) next = std::fmin(1.0, 0.5 * (low + high));
    if (std::abs(next - shape.q) < 1e-16 * shape.q) break;
    shape.q = next;
  }
  return shape;
}

struct Solution {
  EllipticContact contact, by_low, by_high;  ///< by the smaller curvature and by the larger
};

// Long half axis along the smaller curvature `low`: c^3 = 3 D / (2 pi E_s low), short one sqrt(q)
// c, approach d = 3 N K / (2 pi c E_s), with 2 E_s = E / (1 - nu^2) of both.
Solution solve(double low, double high, const ElasticMaterial& material) {
  const double E_s =
      0.5 * material.youngs_modulus / (1.0 - material.poissons_ratio * material.poissons_ratio);
  const Shape shape = shape_of(high / low);
  const EllipticIntegrals& e = shape.integrals;
  const double K = e.first_kind(), root = std::sqrt(shape.q);
  const double c = std::cbrt(1.5 * e.D / (M_PI * E_s * low)), d = 1.5 * K / (M_PI * c * E_s);
  Solution s;
  s.contact = {std::pow(d, -1.5), c, root * c};
  // Logarithmic derivatives by q at constant `low`, then by `low` at constant q.
  const double c_q = slope_of_D(shape.q, e) / (3.0 * e.D);
  const double d_q = -e.B / (2.0 * shape.q * K) - c_q;
  const auto scaled = [&](double c_log, double q_log, double d_log) {
    return EllipticContact{-1.5 * s.contact.stiffness * d_log, c * c_log,
                           root * c * (c_log + 0.5 * q_log)};
  };
  const double q_high = shape.by_ratio / low, q_low = -shape.by_ratio * high / (low * low);
  s.by_high = scaled(c_q * q_high, q_high / shape.q, d_q * q_high);
  s.by_low =
      scaled(c_q * q_low - 1.0 / (3.0 * low), q_low / shape.q, d_q * q_low + 1.0 / (3.0 * low));
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

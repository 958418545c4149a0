#pragma once
#include <cmath>

namespace solidyn::railway {

/// Two surfaces of one elastic material with the gap A x^2 + B y^2, x along rolling.
struct ContactGeometry {
  double A = 0.0, B = 0.0;  ///< 1/m, positive
};

/// Those of a wheel on a rail.
/// @param wheel_angle of the wheel's meridian against its axle, rad; radius of the wheel at the
/// point, m
/// @param wheel_curvature, rail_curvature of the profiles, 1/m, positive where convex
ContactGeometry wheel_rail_geometry(double wheel_angle, double radius, double wheel_curvature,
                                    double rail_curvature);

struct ElasticMaterial {
  double youngs_modulus = 210e9;  ///< Pa
  double poissons_ratio = 0.3;
  double shear_modulus() const { return 0.5 * youngs_modulus / (1.0 + poissons_ratio); }
};

/// Hertz' solution by exact elliptic integrals (Johnson, Contact Mechanics, 4.24 to 4.32), of which
/// only a power of the force is left: N = K d^1.5, half axes c_a N^(1/3) along rolling and c_b
/// N^(1/3) across.
struct EllipticContact {
  double stiffness = 0.0;            ///< K, N/m^1.5
  double along = 0.0, across = 0.0;  ///< c_a, c_b, m/N^(1/3)

  double force(double approach) const { return stiffness * approach * std::sqrt(approach); }
  double approach(double force) const { return std::pow(force / stiffness, 2.0 / 3.0); }
  double half_axis_along(double force) const { return along * std::cbrt(force); }
  double half_axis_across(double force) const { return across * std::cbrt(force); }
  /// Largest pressure, Pa.
  double pressure(double force) const { return 1.5 * std::cbrt(force) / (M_PI * along * across); }
};

/// @throws base::ComputationError unless A and B are positive: such surfaces are conformal or
/// interpenetrate
EllipticContact elliptic_contact(const ContactGeometry& geometry, const ElasticMaterial& material);

/// Derivatives of the same by A and by B. Proved by
/// EllipticContact.DerivativesAreThoseOfDifferences.
struct EllipticContactDerivatives {
  EllipticContact by_A, by_B;
};
EllipticContactDerivatives elliptic_contact_derivatives(const ContactGeometry& geometry,
                                                        const ElasticMaterial& material);

}  // namespace solidyn::railway

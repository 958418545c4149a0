#pragma once

namespace solidyn::math {

/// The complete elliptic integrals of which those of the first and second kind are sums without
/// cancellation, by the complementary parameter q = 1 - m:
///   B = integral of cos^2 t / Delta,  D = integral of sin^2 t / Delta,  Delta^2 = cos^2 t + q
///   sin^2 t,  t = 0 ... pi/2 K = B + D,  E = B + q D
struct EllipticIntegrals {
  double B = 0.0, D = 0.0;
  double first_kind() const { return B + D; }
  double second_kind(double q) const { return B + q * D; }
};

/// @param q  in (0, 1]; to roundoff. Carlson (1995): duplication.
EllipticIntegrals complete_elliptic_integrals(double q);

}  // namespace solidyn::math

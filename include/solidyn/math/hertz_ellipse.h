#pragma once

namespace solidyn::math {

/// The elliptic patch of two elastic surfaces with the gap k_1 x^2 + k_2 y^2, k_1 <= k_2 (Johnson,
/// Contact Mechanics, 4.24 to 4.32), by numbers that depend on k_2/k_1 alone. With the force N and
/// the effective modulus E*:
///   long half axis a = (N / (E* k_1))^(1/3) exp(log_long),  short one a exp(log_axes),
///   approach (N^2 k_1 / E*^2)^(1/3) exp(log_approach)
struct HertzEllipse {
  double log_axes = 0.0;      ///< ln(short / long half axis), <= 0
  double log_long = 0.0;      ///< ln((3 D / (2 pi))^(1/3))
  double log_approach = 0.0;  ///< ln(3 K / (2 pi)) - log_long
};

struct HertzEllipseWithSlopes {
  HertzEllipse value, by_log_ratio;  ///< and derivatives by ln(k_2/k_1)
};

/// By exact elliptic integrals, to roundoff.
/// @pre ratio >= 1
HertzEllipseWithSlopes exact_hertz_ellipse(double ratio);

/// The same from a table of polynomials for ratios up to exp(14), beyond which it is computed:
/// values within 1e-13, slopes within 1e-11 of the exact ones. Proved by HertzEllipse.TableIsExact.
/// @pre ratio >= 1
HertzEllipseWithSlopes hertz_ellipse(double ratio);

}  // namespace solidyn::math

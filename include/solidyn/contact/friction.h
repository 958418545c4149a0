#pragma once

namespace solidyn::contact {

/// Regularised Coulomb friction with a Stribeck curve: against a slip velocity v, |v|^2 = q,
///   f = -F mu(v) v / sqrt(q + v_0^2),   mu = mu_d + (mu_s - mu_d) exp(-q / v_S^2)
/// Smooth everywhere; |f| never exceeds mu_s F. Sticking is a creep at less than v_0:
/// under a tangential force r mu_s F, r < 1, at v_0 r / sqrt(1 - r^2).
struct Friction {
  double static_coefficient = 0.0, dynamic_coefficient = 0.0;  ///< mu_s >= mu_d >= 0
  double stribeck_speed = 1.0;                                 ///< v_S, m/s, > 0
  double transition_speed = 1e-3;                              ///< v_0, m/s, > 0

  /// f = -F factor(q) v, and d(factor)/dq.
  double factor(double q) const;
  double slope(double q) const;
};

}  // namespace solidyn::contact

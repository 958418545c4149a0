#pragma once

namespace solidyn::contact {

/// How the damping of an impact follows from the restitution e that is asked for
/// (doc/theory/contact.md): alpha of F = K d^n (1 + alpha d'/v), with v the speed of impact.
enum class Dissipation {
  none,                 ///< 0
  lankarani_nikravesh,  ///< 3 (1 - e^2) / 4
  hunt_crossley,        ///< 3 (1 - e) / 2
  flores,               ///< 8 (1 - e) / (5 e)
  exact_restitution     ///< that with which a free impact ends with e
};

/// alpha. @pre 0 <= e <= 1; e > 0 for flores and exact_restitution
double dissipation(Dissipation type, double restitution);

/// The restitution with which a free impact under F = K d^n (1 + alpha d'/v) ends, whatever K, n,
/// v and the mass: the root e of  alpha - ln(1 + alpha) + alpha e + ln(1 - alpha e) = 0.
double restitution(double dissipation);

/// The force between two surfaces that overlap by d:
///   F = max(0, K d^n (1 + alpha d'/v) + D s(d / depth) d'),   d > 0; else 0
/// with s the cubic step from 0 to 1, so that no law jumps at first touch. It stores
/// K d^(n+1)/(n+1); whatever else it does takes energy, or none.
struct NormalLaw {
  double stiffness = 0.0;      ///< K, N/m^n
  double exponent = 1.5;       ///< n >= 1
  double dissipation = 0.0;    ///< alpha >= 0
  double damping = 0.0;        ///< D, N s/m
  double damping_depth = 0.0;  ///< m, > 0 where there is damping
  double slow_speed = 1e-3;    ///< m/s, > 0: slower impacts are damped as those of this speed

  struct Value {
    double force = 0.0;                          ///< N
    double by_penetration = 0.0, by_rate = 0.0;  ///< N/m, N s/m
    double elastic = 0.0;                        ///< the part K d^n, N
    double energy = 0.0;                         ///< J
    /// That of a part of the surface.
    Value scaled(double share) const {
      return {share * force, share * by_penetration, share * by_rate, share * elastic,
              share * energy};
    }
  };
  /// @param penetration d, m; rate d', m/s; impact_speed with which the surfaces met, m/s
  Value at(double penetration, double rate, double impact_speed) const;
};

}  // namespace solidyn::contact

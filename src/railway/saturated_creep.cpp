// Laws in closed form.
#include <cmath>

#include "creep_formulas.h"

namespace solidyn::railway {
namespace {

struct Linear {
  template <class S>
  static PatchForce<S> apply(const PatchState<S>& s, const CreepParameters& p) {
    return linear_force(s, p);
  }
};

// The linear force F of theory, reduced to mu N (t - t^2/3 + t^3/27) with t = F / (mu N), from t =
// 3 on to mu N. The moment is small and left out.
struct ShenHedrickElkins {
  template <class S>
  static PatchForce<S> apply(const PatchState<S>& s, const CreepParameters& p) {
    using std::sqrt;
    const PatchForce<S> F = linear_force(s, p);
    const S limit = s.mu * s.N, t = sqrt(F.x * F.x + F.y * F.y) / limit;
    const S share = value_of(t) < 3.0 ? 1.0 - t / 3.0 + t * t / 27.0 : 1.0 / t;
    return {F.x * share, F.y * share, S(0.0)};
  }
};

// Polach (2005), with signs: forces on the wheel.
struct Polach {
  template <class S>
  static PatchForce<S> apply(const PatchState<S>& s, const CreepParameters& p) {
    using std::sqrt;
    const KalkerCoefficients& c = p.coefficients;
    const S with_spin = s.eta + s.spin * s.a;
    const S lateral = std::abs(value_of(with_spin)) > std::abs(value_of(s.eta)) ? with_spin : s.eta;
    const S total = sqrt(s.xi * s.xi + lateral * lateral);
    if (value_of(total) == 0.0) return at_rest(s, p);
    const S without_spin = sqrt(s.xi * s.xi + s.eta * s.eta);
    if (value_of(without_spin) == 0.0)  // as along each creepage alone
      return {-(traction(s, p, S(c.c11), total) * s.xi / total),
              lateral_force(s, p, traction(s, p, S(c.c22), total), lateral, total), S(0.0)};
    const S x = c.c11 * s.xi, y = c.c22 * s.eta;
    const S F = traction(s, p, sqrt(x * x + y * y) / without_spin, total);
    return {-(F * s.xi / total), lateral_force(s, p, F, lateral, total), S(0.0)};
  }

 private:
  // Of a creepage `total`, with Kalker's coefficient of its direction.
  template <class S>
  static S traction(const PatchState<S>& s, const CreepParameters& p, const S& c_jj,
                    const S& total) {
    using std::atan;
    const S limit = s.mu * s.N;
    const S gradient = (0.25 * M_PI * p.shear_modulus) * s.a * s.b * c_jj * total / limit;
    const S adhesion = p.adhesion_reduction * gradient, slip = p.slip_reduction * gradient;
    return (2.0 / M_PI) * limit * (adhesion / (1.0 + adhesion * adhesion) + atan(slip));
  }
  template <class S>
  static S lateral_force(const PatchState<S>& s, const CreepParameters& p, const S& F,
                         const S& lateral, const S& total) {
    return -((F * s.eta + spin_force(s, p, lateral) * s.spin) / total);
  }
  template <class S>
  static S spin_force(const PatchState<S>& s, const CreepParameters& p, const S& lateral) {
    using std::abs;
    using std::exp;
    using std::sqrt;
    const S limit = s.mu * s.N, k = 1.0 + 6.3 * (1.0 - exp(-(s.a / s.b)));
    const S gradient = (8.0 / 3.0 * p.shear_modulus * p.coefficients.c23) * s.b * sqrt(s.a * s.b) *
                       lateral / (limit * k);
    const S square = gradient * gradient, d = (square - 1.0) / (square + 1.0);
    const S rest = 1.0 - d * d;  // 4 g^2 / (1 + g^2)^2
    const S K =
        abs(gradient) * (d * d * d / 3.0 - d * d / 2.0 + 1.0 / 6.0) - rest * sqrt(rest) / 3.0;
    return -(9.0 / 16.0) * s.a * limit * K * k;
  }
  // The slope there depends on the direction: taken is that along each creepage alone.
  template <class S>
  static PatchForce<S> at_rest(const PatchState<S>& s, const CreepParameters& p) {
    const PatchForce<S> F = linear_force(s, p);
    const double share = 0.5 * (p.adhesion_reduction + p.slip_reduction);
    PatchState<S> spin_alone = s;
    spin_alone.eta = S(0.0);
    PatchState<S> slip_alone = s;
    slip_alone.spin = S(0.0);
    return {share * F.x, share * linear_force(slip_alone, p).y + linear_force(spin_alone, p).y,
            S(0.0)};
  }
};

}  // namespace

CreepLaw linear_law() {
  return entry<Linear>("linear", "Kalker's linear theory: small creepages only, no bound");
}
CreepLaw shen_hedrick_elkins_law() {
  return entry<ShenHedrickElkins>("shen_hedrick_elkins",
                                  "linear theory with a cubic saturation: small spin");
}
CreepLaw polach_law() {
  CreepLaw law = entry<Polach>("polach", "Polach's closed form, with large spin");
  law.has_slope_at_rest = false;
  return law;
}

}  // namespace solidyn::railway

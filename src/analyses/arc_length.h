#pragma once
#include "equilibrium.h"

namespace solidyn::analyses {

/// Follows the path of equilibria by its length, so that the load parameter may fall: beyond a
/// limit load there is no equilibrium near the last one at a higher load. The step ends on a sphere
/// around the last equilibrium (Riks 1979, Crisfield 1981),
///   dot(travel, travel) / D^2 + dt^2 = step^2,
/// D the length of dx/dt where the path begins. The sphere is solved for together with F = 0, by
/// Newton's method for both: no quadratic equation, whose roots one would have to choose from, and
/// quadratic convergence. All calls are collective.
class ArcLength {
 public:
  explicit ArcLength(Equilibrium& equilibrium);

  /// move := from an equilibrium along the path's tangent, onward from the step before. The
  /// equilibrium's J is that of `state`.
  void predict(double step, system::State& state, Move& move);
  /// Begins another iteration: dx/dt is that of the present J.
  void linearise(system::State& state) { equilibrium_.find_load_response(state, response_); }
  /// Adds to a correction at fixed load what leads to the sphere. @param travel since the last
  /// equilibrium
  void complete(const Move& travel, Move& correction) const;
  /// The step is done. @param travel from the last equilibrium to this one
  void accept(const Move& travel);

 private:
  double product(const Move& a, const Move& b) const;

  Equilibrium& equilibrium_;
  double scale_ = 0.0;  // D; 0: not yet known
  double step_ = 0.0;
  bool has_direction_ = false;
  Move response_, direction_;
};

}  // namespace solidyn::analyses

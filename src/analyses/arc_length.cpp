#include "arc_length.h"

#include <cmath>

namespace solidyn::analyses {

ArcLength::ArcLength(Equilibrium& equilibrium)
    : equilibrium_(equilibrium),
      response_(equilibrium.make_move()),
      direction_(equilibrium.make_move()) {}

double ArcLength::product(const Move& a, const Move& b) const {
  return equilibrium_.dot(a, b) / (scale_ * scale_) + a.t * b.t;
}

void ArcLength::predict(double step, system::State& state, Move& move) {
  step_ = step;
  linearise(state);
  move.set_zero();
  move.add(1.0, response_);
  move.t = 1.0;
  if (scale_ == 0.0) {
    scale_ = std::sqrt(equilibrium_.dot(response_, response_));
    if (!(scale_ > 0.0)) scale_ = 1.0;  // nothing moves: the path is that of t alone
  }
  const bool is_onward = !has_direction_ || product(move, direction_) >= 0.0;
  move.scale((is_onward ? step : -step) / std::sqrt(product(move, move)));
}

// Newton: 2 travel . (d + dt (response, 1)) = step^2 - travel . travel.
void ArcLength::complete(const Move& travel, Move& correction) const {
  const double lacking = 0.5 * (step_ * step_ - product(travel, travel));
  const double dt =
      (lacking - product(travel, correction)) / (product(travel, response_) + travel.t);
  correction.add(dt, response_);
  correction.t = dt;
}

void ArcLength::accept(const Move& travel) {
  direction_.set_zero();
  direction_.add(1.0, travel);
  has_direction_ = true;
}

}  // namespace solidyn::analyses

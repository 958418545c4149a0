#include "solidyn/forces/set_valued.h"

#include <fmt/format.h>

#include <cmath>

namespace solidyn::forces {

double SetValuedLaw::sliding_coefficient(double speed) const {
  if (stribeck_speed == 0.0) return dynamic_coefficient;
  const double ratio = speed / stribeck_speed;
  return dynamic_coefficient +
         (static_coefficient - dynamic_coefficient) * std::exp(-ratio * ratio);
}

void SetValuedPoint::write(Eigen::Ref<Eigen::VectorXd> memory) const {
  memory[kPhase] = phase == Phase::closed ? 1.0 : 0.0;
  memory[kStuck] = sticks ? 1.0 : 0.0;
  memory.segment<3>(kForce) = force;
  memory.segment<3>(kImpulse) = impulse;
  memory[kCrowding] = crowding;
}

std::string SetValued::name_of(int point) const {
  return n_points() == 1 ? label() : fmt::format("{}, point {}", label(), point + 1);
}

}  // namespace solidyn::forces

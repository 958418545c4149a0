#include "solidyn/forces/set_valued.h"

#include <fmt/format.h>

#include <cmath>

namespace solidyn::forces {
namespace {

enum Memory {
  phase_then,
  stuck_then,
  force_then,
  impulse_then = force_then + 3,
  crowding_then = impulse_then + 3
};

}  // namespace

double SetValuedLaw::sliding_coefficient(double speed) const {
  if (stribeck_speed == 0.0) return dynamic_coefficient;
  const double ratio = speed / stribeck_speed;
  return dynamic_coefficient +
         (static_coefficient - dynamic_coefficient) * std::exp(-ratio * ratio);
}

void SetValuedPoint::write(Eigen::Ref<Eigen::VectorXd> memory) const {
  memory[phase_then] = phase == Phase::closed ? 1.0 : 0.0;
  memory[stuck_then] = sticks ? 1.0 : 0.0;
  memory.segment<3>(force_then) = force;
  memory.segment<3>(impulse_then) = impulse;
  memory[crowding_then] = crowding;
}

SetValuedPoint SetValuedPoint::read(const Eigen::Ref<const Eigen::VectorXd>& memory) {
  SetValuedPoint point;
  point.phase = memory[phase_then] == 1.0 ? Phase::closed : Phase::open;
  point.sticks = memory[stuck_then] == 1.0;
  point.force = memory.segment<3>(force_then);
  point.impulse = memory.segment<3>(impulse_then);
  point.crowding = memory[crowding_then];
  return point;
}

std::string SetValued::name_of(int point) const {
  return n_points() == 1 ? label() : fmt::format("{}, point {}", label(), point + 1);
}

}  // namespace solidyn::forces

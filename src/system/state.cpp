#include "solidyn/system/state.h"

namespace solidyn::system {

State State::clone() const {
  State copy;
  copy.t = t;
  copy.q = q;
  copy.v = v;
  copy.a = a;
  copy.velocity_correction = velocity_correction;
  copy.lambda = lambda;
  copy.angles = angles;
  copy.memory = memory;
  for (const bodies::NodalState& n : nodal) copy.nodal.push_back(n.clone());
  return copy;
}

void State::copy_from(const State& other) {
  t = other.t;
  q = other.q;
  v = other.v;
  a = other.a;
  velocity_correction = other.velocity_correction;
  lambda = other.lambda;
  angles = other.angles;
  memory = other.memory;
  for (std::size_t i = 0; i < nodal.size(); ++i) nodal[i].copy_from(other.nodal[i]);
}

}  // namespace solidyn::system

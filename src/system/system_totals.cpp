// Sums over bodies, forces and constraints.
#include "solidyn/system/system.h"

namespace solidyn::system {

using Eigen::VectorXd;

std::vector<ConstraintIndex> System::driven_constraints() const {
  std::vector<ConstraintIndex> driven;
  for (const ConstraintIndex c : constraints_.indices())
    if (constraints_[c]->is_rheonomic()) driven.push_back(c);
  return driven;
}

VectorXd System::external_powers(const State& s) {
  VectorXd power = VectorXd::Zero(connectivity_.n_islands());
  for (const ConstraintIndex c : constraints_.indices()) {
    if (!constraints_[c]->is_rheonomic()) continue;
    constraints_[c]->evaluate_rates(kinematics_, s.t, values_[c]);
    power[connectivity_.island_of(constraints_[c]->bodies())] -=
        s.lambda.segment(layout_.constraint_offset(c), constraints_[c]->n_rows())
            .dot(values_[c].nu);
  }
  for (const auto& force : forces_)
    power[connectivity_.island_of(force->bodies())] += force->power(kinematics_, s.t);
  for (const BodyIndex i : bodies_.indices())
    power[connectivity_.island_of_body(i)] += bodies_[i]->load_power(kinematics_.bodies[i]) -
                                              bodies_[i]->dissipation(kinematics_.bodies[i]);
  return power;
}

std::vector<bodies::Energy> System::energies(const State& s) const {
  std::vector<bodies::Energy> energies(connectivity_.n_islands());
  for (const auto& force : forces_)
    energies[connectivity_.island_of(force->bodies())].strain += force->energy(kinematics_, s.t);
  for (const BodyIndex i : bodies_.indices())
    energies[connectivity_.island_of_body(i)] +=
        bodies_[i]->energy(kinematics_.bodies[i], gravity_);
  return energies;
}

bodies::Energy System::energy(const State& s) const {
  bodies::Energy total;
  for (const bodies::Energy& energy : energies(s)) total += energy;
  return total;
}

bodies::Momentum System::momentum(const State&) const {
  bodies::Momentum total;
  for (const BodyIndex i : bodies_.indices()) {
    const bodies::Momentum p = bodies_[i]->momentum(kinematics_.bodies[i]);
    total.linear += p.linear;
    total.angular += p.angular;
  }
  return total;
}

}  // namespace solidyn::system

#include "energy_account.h"

#include <algorithm>
#include <cmath>

#include "solidyn/analyses/dynamics.h"

namespace solidyn::analyses {

void EnergyAccount::begin(const bodies::Energy& e) {
  initial_energy = e.kinetic + e.strain + e.potential;
  initial_strain = e.strain;
  initial_potential = e.potential;
}

void EnergyAccount::count(const bodies::Energy& e) {
  const double now = e.kinetic + e.strain + e.potential - initial_energy - work;
  exchanged = std::max({exchanged, e.kinetic, std::abs(e.strain - initial_strain),
                        std::abs(e.potential - initial_potential), turned_over});
  if (!(std::abs(now) <= std::abs(imbalance))) imbalance = now;
}

Eigen::VectorXd turned_over(const system::System& system, double t, Eigen::VectorXd powers) {
  if (!system.layout().nodal_bodies().empty()) return powers.cwiseAbs();
  const bodies::Kinematics& k = system.kinematics();
  Eigen::VectorXd gross = Eigen::VectorXd::Zero(powers.size());
  for (const forces::ForceIndex i : system.forces()) {
    const int island = system.connectivity().island_of(system.force(i).bodies());
    const double of_force = system.force(i).power(k, t);
    gross[island] += std::abs(of_force);
    powers[island] -= of_force;
  }
  for (const bodies::BodyIndex i : system.bodies()) {
    const int island = system.connectivity().island_of_body(i);
    const double load = system.body(i).load_power(k.bodies[i]);
    const double damping = system.body(i).dissipation(k.bodies[i]);
    gross[island] += std::abs(load) + std::abs(damping);
    powers[island] -= load - damping;
  }
  return gross + powers.cwiseAbs();  // of drives
}

}  // namespace solidyn::analyses

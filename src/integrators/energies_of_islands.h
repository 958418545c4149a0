#pragma once
#include "solidyn/system/system.h"

namespace solidyn::integrators {

/// Of each island, J. @pre System::update(s)
inline Eigen::VectorXd kinetic_energies(const system::System& system, const system::State& s) {
  const std::vector<bodies::Energy> energies = system.energies(s);
  Eigen::VectorXd kinetic(system.connectivity().n_islands());
  for (int i = 0; i < system.connectivity().n_islands(); ++i) kinetic[i] = energies[i].kinetic;
  return kinetic;
}

/// Likewise all of it: kinetic, strain and potential energy.
inline Eigen::VectorXd total_energies(const system::System& system, const system::State& s) {
  const std::vector<bodies::Energy> energies = system.energies(s);
  Eigen::VectorXd total(system.connectivity().n_islands());
  for (int i = 0; i < system.connectivity().n_islands(); ++i)
    total[i] = energies[i].kinetic + energies[i].strain + energies[i].potential;
  return total;
}

}  // namespace solidyn::integrators

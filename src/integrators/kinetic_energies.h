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

}  // namespace solidyn::integrators

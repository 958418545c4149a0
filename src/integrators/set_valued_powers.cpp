#include "solidyn/integrators/set_valued_powers.h"

#include "solidyn/forces/set_valued.h"

namespace solidyn::integrators {

SetValuedPowers set_valued_powers(const system::System& system) {
  const bodies::Kinematics& k = system.kinematics();
  const system::Connectivity& connectivity = system.connectivity();
  SetValuedPowers powers;
  powers.whole.setZero(connectivity.n_islands());
  powers.friction.setZero(connectivity.n_islands());
  for (const forces::ForceIndex f : system.forces()) {
    const forces::SetValued* law = system.force(f).as_set_valued();
    if (!law || !law->has_forces()) continue;
    const int island = connectivity.island_of(system.force(f).bodies());
    for (int i = 0; i < law->n_points(); ++i) {
      const Eigen::Vector3d force = law->kept(i).force;
      if (force.isZero(0.0)) continue;
      const Eigen::Vector3d r = law->axes(k, i).transpose() * force, u = law->velocity(k, i);
      powers.whole[island] += r.dot(u);
      if (law->law_of(i).has_friction()) powers.friction[island] -= r.tail<2>().dot(u.tail<2>());
    }
  }
  return powers;
}

}  // namespace solidyn::integrators

#include "solidyn/integrators/friction_power.h"

#include "solidyn/forces/set_valued.h"

namespace solidyn::integrators {

double friction_power(const system::System& system) {
  const bodies::Kinematics& k = system.kinematics();
  double power = 0.0;
  for (const forces::ForceIndex f : system.forces()) {
    const forces::SetValued* law = system.force(f).as_set_valued();
    if (!law || !law->has_forces()) continue;
    for (int i = 0; i < law->n_points(); ++i) {
      if (!law->law_of(i).has_friction()) continue;
      const Eigen::Vector3d force = law->kept(i).force;
      if (force.isZero(0.0)) continue;
      const Eigen::Matrix<double, 3, 2> tangents = law->axes(k, i).rightCols<2>();
      power -= (tangents.transpose() * force).dot(law->velocity(k, i).tail<2>());
    }
  }
  return power;
}

}  // namespace solidyn::integrators

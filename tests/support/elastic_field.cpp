#include "elastic_field.h"

namespace solidyn::testing_support {

using Eigen::Vector3d;

void set_elastic_field(const bodies::FloatingFrameBody& body,
                       const std::function<Vector3d(const Vector3d&)>& f, ::Vec x) {
  const fem::MassProperties& mass = body.mass_properties();
  Vector3d translation = Vector3d::Zero(), rotation = Vector3d::Zero();
  for (int pass = 0; pass < 3; ++pass) {  // the first sets f, the others take its rigid part out
    PetscScalar* values = nullptr;
    SOLIDYN_PETSC(VecGetArray(x, &values));
    for (std::int32_t k = 0; k < body.mesh().n_owned; ++k) {
      const Vector3d p = body.mesh().x.col(k);
      Eigen::Map<Vector3d> u(values + 3 * k);
      if (pass == 0)
        u = f(p);
      else
        u -= translation + rotation.cross(p - mass.center_of_mass);
    }
    SOLIDYN_PETSC(VecRestoreArray(x, &values));
    const Eigen::VectorXd s = body.ports_of(x);
    translation = s.head<3>() / mass.mass;
    rotation = mass.inertia.ldlt().solve(s.segment<3>(3));
  }
}

}  // namespace solidyn::testing_support

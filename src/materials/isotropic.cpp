#include "solidyn/materials/isotropic.h"

#include "materials/ranges.h"

namespace solidyn::materials {

Matrix6d IsotropicElastic::stiffness() const {
  Matrix6d C = Matrix6d::Zero();
  C.topLeftCorner<3, 3>().setConstant(lame_lambda());
  C.diagonal().head<3>().array() += 2.0 * shear_modulus();
  C.diagonal().tail<3>().setConstant(shear_modulus());
  return C;
}

void check(const IsotropicElastic& material, const std::string& name) {
  Ranges ranges(name);
  const double nu = material.poissons_ratio;
  ranges.require(material.youngs_modulus > 0, "youngs_modulus", material.youngs_modulus,
                 "a positive value in Pa, for example 2.1e11 for steel");
  ranges.require(nu > -1 && nu < 0.5, "poissons_ratio", nu,
                 "a value between -1 and 0.5, both excluded");
  ranges.require_density(material.density);
  ranges.throw_if_any();
}

}  // namespace solidyn::materials

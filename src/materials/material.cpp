#include "solidyn/materials/material.h"

#include "materials/ranges.h"

namespace solidyn::materials {

using Eigen::Matrix3d;
using Eigen::Vector3d;

double Material::density() const {
  return std::visit([](const auto& e) { return e.density; }, elastic);
}

Matrix6d Material::stiffness() const {
  return std::visit([](const auto& e) { return Matrix6d(e.stiffness()); }, elastic);
}

double Material::modulus_scale() const {
  if (const IsotropicElastic* e = isotropic()) return e->youngs_modulus;
  const Matrix6d S = stiffness().inverse();
  return (1.0 / S(0, 0) + 1.0 / S(1, 1) + 1.0 / S(2, 2)) / 3.0;
}

Matrix3d Material::expansion_at(const Vector3d& x) const {
  const Matrix3d R = axes.at(x);
  return R * strain_tensor(expansion) * R.transpose();
}

void check(const Material& material, const std::string& name) {
  std::visit([&](const auto& e) { check(e, name); }, material.elastic);
  Ranges ranges(name);
  if (!material.expansion.allFinite())
    ranges.complain(".thermal_expansion is not a number", "give 1/K, for example 1.2e-5 for steel");
  const Matrix3d R = material.axes.R * material.axes.turn;
  if (!(R.transpose() * R).isIdentity(1e-9) || !(R.determinant() > 0.0))
    ranges.complain(".axes are not a right-handed set of three perpendicular unit vectors",
                    "give a rotation matrix");
  ranges.throw_if_any();
}

Elasticity::Elasticity(const Material& material, const Vector3d& x) {
  if (const IsotropicElastic* isotropic = material.isotropic()) {
    lame_lambda_ = isotropic->lame_lambda();
    shear_modulus_ = isotropic->shear_modulus();
    return;
  }
  is_isotropic_ = false;
  C_ = turned_stiffness(material.stiffness(), material.axes.at(x));
}

Vector6d Elasticity::stress(const Vector6d& strain) const {
  if (!is_isotropic_) return C_ * strain;
  Vector6d sigma;
  sigma.head<3>() = 2.0 * shear_modulus_ * strain.head<3>();
  sigma.head<3>().array() += lame_lambda_ * strain.head<3>().sum();
  sigma.tail<3>() = shear_modulus_ * strain.tail<3>();
  return sigma;
}

}  // namespace solidyn::materials

#include "fibre_composite.h"

#include <solidyn/base/error.h>

using namespace solidyn;
using materials::Matrix6d;

Matrix6d FibreComposite::compliance() const {
  Matrix6d S = Matrix6d::Zero();
  S.diagonal() << 1 / E_along, 1 / E_across, 1 / E_across, 1 / G_along,
      2 * (1 + nu_across) / E_across, 1 / G_along;
  S(0, 1) = S(1, 0) = S(0, 2) = S(2, 0) = -nu_along / E_along;
  S(1, 2) = S(2, 1) = -nu_across / E_across;
  return S;
}

materials::Material FibreComposite::along(const Eigen::Vector3d& direction) const {
  if (!(direction.norm() > 0.0))
    throw base::InputError("the fibres have no direction", "give a vector of any length");
  const Matrix6d stiffness = compliance().inverse();
  materials::Material material(
      materials::AnisotropicElastic{0.5 * (stiffness + stiffness.transpose()), density});
  material.axes.R =
      Eigen::Quaterniond::FromTwoVectors(Eigen::Vector3d::UnitX(), direction).toRotationMatrix();
  materials::check(material, "fibre composite");  // positive definite, positive density
  return material;
}

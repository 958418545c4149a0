#pragma once
#include <string>
#include <variant>

#include "solidyn/materials/anisotropic.h"
#include "solidyn/materials/axes.h"
#include "solidyn/materials/isotropic.h"
#include "solidyn/materials/orthotropic.h"

namespace solidyn::materials {

/// What a solid is made of, and how it lies in it: elastic constants with the density, thermal
/// expansion, material axes. Copies freely. doc/theory/materials.md.
struct Material {
  using Elastic = std::variant<IsotropicElastic, OrthotropicElastic, AnisotropicElastic>;

  Material() = default;
  Material(const IsotropicElastic& e) : elastic(e) {}    // NOLINT: a conversion
  Material(const OrthotropicElastic& e) : elastic(e) {}  // NOLINT: likewise
  Material(const AnisotropicElastic& e) : elastic(e) {}  // NOLINT: likewise
  Material(double youngs_modulus, double poissons_ratio, double density)
      : elastic(IsotropicElastic{youngs_modulus, poissons_ratio, density}) {}

  Elastic elastic;
  /// Thermal strain per kelvin in material axes (shears: engineering), 1/K.
  Vector6d expansion = Vector6d::Zero();
  Axes axes;

  double density() const;
  /// Null where the elasticity has directions.
  const IsotropicElastic* isotropic() const { return std::get_if<IsotropicElastic>(&elastic); }
  bool is_isotropic() const { return isotropic() != nullptr; }
  /// Whether anything here depends on where an element is.
  bool is_uniform() const { return is_isotropic() || axes.is_uniform(); }
  /// In material axes.
  Matrix6d stiffness() const;
  /// Young's modulus, or of directions the mean of those along the axes: a scale, no property.
  double modulus_scale() const;
  /// Thermal strain per kelvin at x, as a tensor in mesh axes, 1/K.
  Eigen::Matrix3d expansion_at(const Eigen::Vector3d& x) const;
  bool expands() const { return !expansion.isZero(0.0); }
  void set_expansion(double per_kelvin) {
    expansion << per_kelvin, per_kelvin, per_kelvin, 0.0, 0.0, 0.0;
  }
};

/// Throws InputError that lists every property outside its range. `name` is the input's own.
void check(const Material& material, const std::string& name = "material");

/// The elasticity of one element, in mesh axes: all that element kernels see of a material.
class Elasticity {
 public:
  Elasticity(const IsotropicElastic& material)  // NOLINT: a conversion
      : lame_lambda_(material.lame_lambda()), shear_modulus_(material.shear_modulus()) {}
  /// Of the element whose nodes have the mean x.
  Elasticity(const Material& material, const Eigen::Vector3d& x);

  bool is_isotropic() const { return is_isotropic_; }
  double lame_lambda() const { return lame_lambda_; }      ///< @pre is_isotropic()
  double shear_modulus() const { return shear_modulus_; }  ///< @pre is_isotropic()
  const Matrix6d& stiffness() const { return C_; }         ///< @pre !is_isotropic()
  /// Cauchy stress (xx, yy, zz, xy, yz, zx), Pa, of a strain.
  Vector6d stress(const Vector6d& strain) const;

 private:
  double lame_lambda_ = 0.0, shear_modulus_ = 0.0;
  bool is_isotropic_ = true;
  Matrix6d C_;
};

}  // namespace solidyn::materials

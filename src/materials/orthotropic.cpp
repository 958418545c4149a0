#include "solidyn/materials/orthotropic.h"

#include "materials/ranges.h"

namespace solidyn::materials {
namespace {

constexpr int kPairs[3][2] = {{0, 1}, {0, 2}, {1, 2}};  // 12, 13, 23
constexpr const char* kNames[3] = {"12", "13", "23"};

}  // namespace

Matrix6d OrthotropicElastic::compliance() const {
  Matrix6d S = Matrix6d::Zero();
  for (int i = 0; i < 3; ++i) S(i, i) = 1.0 / youngs_moduli[i];
  for (int p = 0; p < 3; ++p) {
    const auto [i, j] = kPairs[p];
    S(i, j) = S(j, i) = -poissons_ratios[p] / youngs_moduli[i];
    const int shear = kPlaces[i][j];
    S(shear, shear) = 1.0 / shear_moduli[p];
  }
  return S;
}

Matrix6d OrthotropicElastic::stiffness() const {
  const Matrix6d S = compliance();
  Matrix6d C = Matrix6d::Zero();
  C.topLeftCorner<3, 3>() = S.topLeftCorner<3, 3>().inverse();
  C.topLeftCorner<3, 3>() =
      (0.5 * (C.topLeftCorner<3, 3>() + C.topLeftCorner<3, 3>().transpose())).eval();
  for (int k = 3; k < 6; ++k) C(k, k) = 1.0 / S(k, k);
  return C;
}

void check(const OrthotropicElastic& material, const std::string& name) {
  Ranges ranges(name);
  for (int i = 0; i < 3; ++i) {
    ranges.require(material.youngs_moduli[i] > 0, fmt::format("youngs_moduli[{}]", i),
                   material.youngs_moduli[i], "a positive value in Pa");
    ranges.require(material.shear_moduli[i] > 0, fmt::format("shear_moduli[{}]", i),
                   material.shear_moduli[i], "a positive value in Pa");
  }
  ranges.require_density(material.density);
  if (!(material.youngs_moduli.minCoeff() > 0)) ranges.throw_if_any();
  for (int p = 0; p < 3; ++p) {
    const auto [i, j] = kPairs[p];
    const double nu = material.poissons_ratios[p];
    const double limit = std::sqrt(material.youngs_moduli[i] / material.youngs_moduli[j]);
    ranges.require(
        std::abs(nu) < limit, fmt::format("poissons_ratios[{}]", p), nu,
        fmt::format(
            "nu_{} smaller than sqrt(E_{} / E_{}) = {:.3g}; nu_{} gives the contraction along {} under a stress along {}",
            kNames[p], i + 1, j + 1, limit, kNames[p], j + 1, i + 1));
  }
  if (ranges.is_empty() &&
      !(material.compliance().topLeftCorner<3, 3>().determinant() * material.youngs_moduli.prod() >
        0))
    ranges.complain(
        ".poissons_ratios make the stiffness matrix not positive definite: some strain would have no positive energy",
        "check that nu_12, not nu_21, is given (nu_12 / E_1 = nu_21 / E_2)");
  ranges.throw_if_any();
}

}  // namespace solidyn::materials

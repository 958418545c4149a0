#include "solidyn/fem/material.h"

#include <fmt/format.h>

#include "solidyn/base/error.h"

namespace solidyn::fem {

void check(const IsotropicElastic& material, const std::string& name) {
  std::vector<base::Diagnostic> found;
  const auto require = [&](bool holds, const char* key, double value, const char* range) {
    if (holds) return;
    base::Diagnostic complaint;
    complaint.what = fmt::format("{}.{} is {}", name, key, value);
    complaint.remedy = fmt::format("give {}", range);
    found.push_back(std::move(complaint));
  };
  const double nu = material.poissons_ratio;
  require(material.youngs_modulus > 0, "youngs_modulus", material.youngs_modulus,
          "a positive value in Pa, for example 2.1e11 for steel");
  require(nu > -1 && nu < 0.5, "poissons_ratio", nu, "a value between -1 and 0.5, both excluded");
  require(material.density > 0, "density", material.density,
          "a positive value in kg/m^3, for example 7850 for steel");
  if (!found.empty()) throw base::InputError(std::move(found));
}

}  // namespace solidyn::fem

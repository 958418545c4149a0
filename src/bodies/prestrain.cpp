#include "solidyn/bodies/prestrain.h"

#include <algorithm>

namespace solidyn::bodies {

Eigen::Matrix<double, 7, 4> uniform_strains(double length) {
  Eigen::Matrix<double, 7, 4> strains = Eigen::Matrix<double, 7, 4>::Zero();
  strains(0, 0) = 1.0;
  for (int i = 1; i < 4; ++i) strains(i, i) = strains(i + 3, i) = length;
  return strains;
}

bool Prestrain::is_zero() const { return constant.isZero(0.0) && !varies(); }

bool Prestrain::varies() const {
  return std::any_of(laws.begin(), laws.end(), [](const auto& law) { return law.has_value(); });
}

beams::Strains Prestrain::value(double length, double t) const {
  Eigen::Vector4d strains = constant;
  for (int i = 0; i < 4; ++i)
    if (laws[i]) strains[i] += laws[i]->value(t);
  return uniform_strains(length) * strains;
}

beams::Strains Prestrain::rate(double length, double t) const {
  Eigen::Vector4d rates = Eigen::Vector4d::Zero();
  for (int i = 0; i < 4; ++i)
    if (laws[i]) rates[i] = laws[i]->first_derivative(t);
  return uniform_strains(length) * rates;
}

}  // namespace solidyn::bodies

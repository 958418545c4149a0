#include "solidyn/contact/friction.h"

#include <cmath>

namespace solidyn::contact {

double Friction::factor(double q) const {
  const double extra = static_coefficient - dynamic_coefficient;
  const double mu = dynamic_coefficient + extra * std::exp(-q / (stribeck_speed * stribeck_speed));
  return mu / std::sqrt(q + transition_speed * transition_speed);
}

double Friction::slope(double q) const {
  const double extra = static_coefficient - dynamic_coefficient;
  const double per_square = 1.0 / (stribeck_speed * stribeck_speed);
  const double shifted = q + transition_speed * transition_speed;
  return (-extra * per_square * std::exp(-q * per_square)) / std::sqrt(shifted) -
         0.5 * factor(q) / shifted;
}

}  // namespace solidyn::contact

#include "solidyn/railway/normal_force.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solidyn/base/error.h"

namespace solidyn::railway {

void check(const NormalDamping& damping) {
  std::vector<base::Diagnostic> wrong;
  for (const auto& [name, value] : {std::pair<const char*, double>{"loading", damping.loading},
                                    {"unloading", damping.unloading}})
    if (!(value >= 0.0 && std::isfinite(value)))
      wrong.push_back(
          {{},
           fmt::format("the damping of the normal force in {} is {:g} s/m", name, value),
           "give zero or a positive factor"});
  if (!(damping.blend_speed > 0.0))
    wrong.push_back(
        {{},
         fmt::format("the speed over which the damping of the normal force changes is {:g} m/s",
                     damping.blend_speed),
         "give a positive speed, for example 0.01"});
  if (!wrong.empty()) throw base::InputError(wrong);
}

NormalForce normal_force(double stiffness, double approach, double rate,
                         const NormalDamping& damping) {
  if (!(approach > 0.0)) return {};
  const double x = std::clamp(rate / damping.blend_speed, -1.0, 1.0);
  const double step = 0.5 + 0.25 * x * (3.0 - x * x);
  const double difference = damping.loading - damping.unloading;
  const double c = damping.unloading + difference * step;
  const double c_slope = difference * 0.75 * (1.0 - x * x) / damping.blend_speed;
  const double p = c * rate, p_slope = c + c_slope * rate;
  const double g = p >= 0.0 ? 1.0 + p : std::exp(p), g_slope = p >= 0.0 ? p_slope : g * p_slope;
  const double root = std::sqrt(approach), power = approach * root;
  return {stiffness * power * g, 1.5 * stiffness * root * g, stiffness * power * g_slope,
          power * g};
}

}  // namespace solidyn::railway

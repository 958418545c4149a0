#include "solidyn/analyses/stress_sensor.h"

namespace solidyn::analyses {
namespace {

const char* stress_suffix(StressComponent c) {
  static const char* const suffixes[] = {
      ".xx", ".yy",        ".zz",          ".xy",          ".yz",
      ".zx", ".von_mises", ".principal_1", ".principal_2", ".principal_3"};
  return suffixes[static_cast<int>(c)];
}

double value_of(StressComponent c, const fem::Stress& sigma) {
  if (c < StressComponent::von_mises) return sigma[static_cast<int>(c)];
  if (c == StressComponent::von_mises) return fem::von_mises(sigma);
  return fem::principal_stresses(
      sigma)[static_cast<int>(c) - static_cast<int>(StressComponent::principal_1)];
}

}  // namespace

Sensor stress_sensor(const std::string& name, bodies::BodyIndex body, bodies::NodalStress stress,
                     MPI_Comm comm, StressAxes axes,
                     const std::vector<StressComponent>& components) {
  Sensor s;
  for (StressComponent c : components)
    s.columns.push_back({components.size() == 1 ? name : name + stress_suffix(c), "Pa"});
  s.read = [=, stress = std::move(stress)](const SensorContext& c, double* values) {
    const bodies::BodyState& state = c.system.kinematics().bodies[body];
    fem::Stress sigma = bodies::find_largest_stress(comm, stress(state));
    if (axes == StressAxes::world) sigma = fem::rotated(sigma, state.R_WB);
    for (StressComponent component : components) *values++ = value_of(component, sigma);
  };
  return s;
}

}  // namespace solidyn::analyses

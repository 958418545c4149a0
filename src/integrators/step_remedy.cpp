#include "integrators/step_remedy.h"

#include <fmt/format.h>

#include "solidyn/system/initial_conditions.h"

namespace solidyn::integrators {
namespace {

// To this, in m and rad, positions without masses and forces satisfy constraints that do not
// contradict each other.
constexpr double kAssembled = 1e-12;

}  // namespace

std::string rejection_of_step(const system::System& system, const system::State& before,
                              const Eigen::VectorXd& increment, double t) {
  std::string of_forces = system.rejection(t);
  if (!of_forces.empty()) return of_forces;
  return system.angles().rejection(system.kinematics(), system.layout(), increment, before.angles);
}

std::string contradiction_in_step(system::System& system, const system::State& before, double t) {
  const std::string violated = system::find_contradiction(system, before, t, kAssembled);
  if (violated.empty()) return {};
  return fmt::format(
      "t = {:.6g} s: the constraints contradict each other: no position near the last one satisfies all of them; violated: {}\n  a drive may prescribe a motion that joints or another drive prevent, or push the mechanism beyond a dead centre",
      t, violated);
}

std::string singularity_in_step(system::System& system, const system::State& before, double t) {
  const std::string dependent = system::find_singularity(system, before, t, kAssembled);
  if (dependent.empty()) return {};
  return fmt::format(
      "\n  the mechanism reaches a singular position (a dead centre), where these constraints are linearly dependent and their forces may grow without bound: {}\n  let another joint or drive guide it through, use a joint with clearance or a flexible body, or choose a `step` that does not hit this position",
      dependent);
}

std::string remedy_of_step(system::System& system, const system::State& before, double t) {
  const std::string singular = singularity_in_step(system, before, t);
  return singular.empty() ? "\n  try a smaller `step`, or `adaptive`" : singular;
}

}  // namespace solidyn::integrators

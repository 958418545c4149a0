#include "simulation/linear_warnings.h"

#include <fmt/format.h>

#include "solidyn/base/log.h"

namespace solidyn::simulation {
namespace {

// Coefficients that change by less make modes that mean what they seem to.
constexpr double kSteady = 1e-3;
// Modes that miss their equations by more are not to be relied on.
constexpr double kUncertain = 1e-7;

}  // namespace

void warn_of_unsteadiness(const model::LinearDescription& analysis, double change) {
  if (change <= kSteady) return;
  base::log_warning(
      "{}: the state is neither rest nor steady motion in the axes of `{}`: the coefficients of "
      "the "
      "linearised equations change with time, and these are an instant's\n  find an equilibrium "
      "first (`statics`, `about` with `speeds`), or try  axes: {}",
      model::name(analysis.kind), analysis.is_in_world_axes ? "world" : "body",
      analysis.is_in_world_axes ? "body" : "world");
}

void warn_of_uncertain(const model::LinearDescription& analysis,
                       const std::vector<analyses::Mode>& modes) {
  for (const analyses::Mode& mode : modes)
    if (mode.residual > kUncertain)
      return base::log_warning(
          "{}: the mode of eigenvalue {:.6g} {:+.6g} i 1/s misses its equation by {:.2g} of its "
          "terms: it and those near it are uncertain\n  look for parts that are far lighter or "
          "stiffer than the others",
          model::name(analysis.kind), mode.s.real(), mode.s.imag(), mode.residual);
}

void warn_of_friction(const model::LinearDescription& analysis, const system::System& system) {
  std::string names;
  for (int i = 0; i < system.n_forces(); ++i)
    if (!system.force(i).constraints().empty())
      names += (names.empty() ? "" : ", ") + system.force(i).name();
  if (names.empty()) return;
  base::log_warning(
      "{}: {}: near standstill dry friction is linearised as a damper, of normal force times "
      "coefficient by `transition_speed`, where a real joint sticks\n  remove the friction, or "
      "fix the joint, for the modes of a mechanism that does not slip",
      model::name(analysis.kind), names);
}

void warn_of_unbounded(const std::vector<double>& frequencies) {
  if (frequencies.empty()) return;
  base::log_warning(
      "frequency_response: nothing limits the answer at {:g} Hz{}: it is the frequency of an "
      "undamped "
      "mode (a rigid one has 0), and amplitudes are inf\n  leave that frequency out, or add "
      "damping",
      frequencies.front(),
      frequencies.size() > 1 ? fmt::format(" and {} others", frequencies.size() - 1) : "");
}

void warn_of_turning_inputs(const model::LinearDescription& analysis, double turns) {
  if (turns <= kSteady) return;
  base::log_warning(
      "{}: what the drives among the inputs move turns while the mechanism moves: their columns "
      "are "
      "those of an instant\n  take the answer to slow inputs from runs of `dynamics` or "
      "`kinematics`",
      model::name(analysis.kind));
}

}  // namespace solidyn::simulation

// What is said of a step that fails.
#include <fmt/format.h>

#include <exception>

#include "solidyn/base/mpi.h"
#include "solidyn/integrators/generalized_alpha.h"
#include "solidyn/system/initial_conditions.h"

namespace solidyn::integrators {
namespace {

using system::State;

// To this, in m and rad, positions without masses and forces satisfy constraints that do not
// contradict each other.
constexpr double kAssembled = 1e-12;

MPI_Comm comm_of(::Vec v) {
  MPI_Comm comm = MPI_COMM_NULL;
  SOLIDYN_PETSC(PetscObjectGetComm(reinterpret_cast<PetscObject>(v), &comm));
  return comm;
}

std::string coordinate_name(const system::System& system, int index) {
  int b = 0;
  while (b + 1 < system.n_bodies() && system.velocity_offset(b + 1) <= index) ++b;
  const int n_rigid = system.body(b).n_rigid(), local = index - system.velocity_offset(b);
  const char* axes[] = {"x", "y", "z"};
  if (local >= n_rigid)
    return fmt::format("elastic coordinate {} of body {}", local - n_rigid, system.body(b).name());
  if (local < 3) return fmt::format("force {} of body {}", axes[local], system.body(b).name());
  return fmt::format("torque {} of body {}", axes[local - 3], system.body(b).name());
}

}  // namespace

// Ranks whose states differ by round-off must not part here: what one objects to, all do.
void GeneralizedAlpha::require_no_objection(const State& s) const {
  std::string objection = system_.objection(s.t);
  if (objection.empty()) objection = system_.turn_objection(n_, before_.angles);
  std::exception_ptr error;
  if (!objection.empty())
    error = std::make_exception_ptr(base::ComputationError(
        "the step is too long: " + objection + "\n  try a smaller `step`, or `adaptive`"));
  if (!s.nodal.empty())
    base::throw_on_all_ranks_if_any(comm_of(s.nodal.front().u), error);
  else if (error)
    std::rethrow_exception(error);
}

std::string GeneralizedAlpha::remedy(double t) {
  const std::string dependent = system::find_singularity(system_, before_, t, kAssembled);
  if (dependent.empty()) return "\n  try a smaller `step`, or `adaptive`";
  return fmt::format(
      "\n  the mechanism comes to a singular position (a dead centre), where these constraints "
      "depend "
      "on each other and their forces may grow without bound: {}\n  let another joint or drive "
      "guide it "
      "through, give the joint clearance or the body elasticity, or choose a `step` that does not "
      "meet the position itself",
      dependent);
}

void GeneralizedAlpha::fail(State& s, double h) {
  int row = 0, constraint = 0;
  if (r_.size()) r_.cwiseAbs().maxCoeff(&row);
  std::string text = fmt::format(
      "t = {:.6g} s, step {:.3g} s: Newton stopped after {} iterations, last displacement "
      "increment "
      "{:.1e} of the mechanism's length (allowed {:.1e})\n  largest residual {:.3g} in {}",
      s.t, h, last_iterations_, last_increment_, allowed_increment(before_, h),
      r_.size() ? r_[row] : 0.0, coordinate_name(system_, row));
  if (phi_.size() > 0) {
    phi_.cwiseAbs().maxCoeff(&constraint);
    text += fmt::format("; largest violation {:.3g} in {}", phi_[constraint],
                        system_.multiplier_name(constraint));
  }
  const std::string contradiction = system::find_contradiction(system_, before_, s.t, kAssembled);
  if (!contradiction.empty())
    text = fmt::format(
        "t = {:.6g} s: the constraints contradict each other: no position near the last one "
        "satisfies them all; violated: {}\n  a drive may ask for a motion that joints or another "
        "drive forbid, or push the mechanism beyond a dead centre",
        s.t, contradiction);
  else
    text += remedy(s.t);
  restore(s);
  throw base::ComputationError(text);
}

}  // namespace solidyn::integrators

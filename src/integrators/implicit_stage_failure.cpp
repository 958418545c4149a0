// What is said of a step that fails.
#include <fmt/format.h>

#include <exception>

#include "integrators/implicit_stage.h"
#include "integrators/newton_rules.h"
#include "integrators/step_remedy.h"
#include "solidyn/base/mpi.h"
#include "solidyn/system/followed_multipliers.h"

namespace solidyn::integrators {
namespace {

using system::State;

MPI_Comm comm_of(::Vec v) {
  MPI_Comm comm = MPI_COMM_NULL;
  SOLIDYN_PETSC(PetscObjectGetComm(reinterpret_cast<PetscObject>(v), &comm));
  return comm;
}

std::string coordinate_name(const system::System& system, int index) {
  bodies::BodyIndex b(0);
  for (const bodies::BodyIndex next : system.bodies())
    if (system.layout().velocity_offset(next) <= index) b = next;
  const int n_rigid = system.body(b).n_rigid(), local = index - system.layout().velocity_offset(b);
  const char* axes[] = {"x", "y", "z"};
  if (local >= n_rigid)
    return fmt::format("elastic coordinate {} of body {}", local - n_rigid, system.body(b).name());
  if (local < 3) return fmt::format("force {} of body {}", axes[local], system.body(b).name());
  return fmt::format("torque {} of body {}", axes[local - 3], system.body(b).name());
}

}  // namespace

// Ranks whose states differ by round-off must not part here: what one objects to, all do.
void ImplicitStage::require_no_rejection(const State& before, const State& s) const {
  const std::string rejection = rejection_of_step(system_, before, n, s.t);
  std::exception_ptr error;
  if (!rejection.empty())
    error = std::make_exception_ptr(base::ComputationError(
        "the step is too long: " + rejection + "\n  try a smaller `step`, or `adaptive`"));
  if (!s.nodal.empty())
    base::throw_on_all_ranks_if_any(comm_of(s.nodal.front().u), error);
  else if (error)
    std::rethrow_exception(error);
}

std::string describe_unsettled(const std::string& which, double by) {
  return fmt::format(
      "\n  {} still change by {:.1e} of the largest: coefficients of friction may be too large for the geometry",
      which, by);
}

std::string ImplicitStage::describe_unsettled_followers(const MultiplierChange& m) const {
  if (followed_.empty() || !m.change.allFinite() || has_settled(m)) return {};
  return describe_unsettled(
      "the constraint forces that " + system::worst_follower(system_, m.change) + " follows",
      m.change(followed_).lpNorm<Eigen::Infinity>() /
          m.lambda(followed_).lpNorm<Eigen::Infinity>());
}

std::string ImplicitStage::failure(const State& before, const State& s, double h) {
  const double allowed = allowed_increment(c_, before);
  // The first evaluation of all may have failed.
  const bool is_found = x.size() > 0 && (last_increment_ <= allowed ||
                                         is_round_off(last_increment_, violation_, allowed));
  return describe(
      {last_iterations_, last_increment_, allowed, r, phi, contacts_.failure(), failure_of_snes_,
       is_found ? describe_unsettled_followers(multiplier_change(s, 1.0, true)) : std::string()},
      system_, before, s, h);
}

std::string describe(const NewtonFailure& failure, system::System& system, const State& before,
                     const State& s, double h) {
  int row = 0, constraint = 0;
  if (failure.r.size()) failure.r.cwiseAbs().maxCoeff(&row);
  std::string text = fmt::format(
      "t = {:.6g} s, step {:.3g} s: {} stopped after {} iterations, last displacement increment {:.1e} of the characteristic length (allowed {:.1e})\n  largest residual {:.3g} in {}",
      s.t, h, failure.snes.empty() ? "Newton" : "SNES (" + failure.snes + ")", failure.iterations,
      failure.increment, failure.allowed, failure.r.size() ? failure.r[row] : 0.0,
      coordinate_name(system, row));
  if (failure.phi.size() > 0) {
    failure.phi.cwiseAbs().maxCoeff(&constraint);
    text += fmt::format("; largest violation {:.3g} in {}", failure.phi[constraint],
                        system.layout().multiplier_name(constraint));
  }
  if (!failure.contacts.empty()) return text + "\n  " + failure.contacts;
  text += failure.multipliers;
  const std::string contradiction = contradiction_in_step(system, before, s.t);
  return contradiction.empty() ? text + remedy_of_step(system, before, s.t) : contradiction;
}

}  // namespace solidyn::integrators

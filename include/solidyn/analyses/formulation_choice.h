#pragma once
#include <string>

#include "solidyn/analyses/dynamics_options.h"
#include "solidyn/solvers/linear_solver.h"
#include "solidyn/system/initial_conditions.h"

namespace solidyn::analyses {

/// The unknowns of a motion, `absolute` or `recursive`, and why, in a short sentence.
struct FormulationChoice {
  Formulation formulation = Formulation::absolute;
  std::string reason;
};

/// What Formulation::automatic means for a motion that begins: `recursive` where relative
/// coordinates can have all of the model, lose nothing that absolute ones have (doc/recursive.md),
/// and are predicted to be clearly faster by counts of operations; else `absolute`. Any other
/// formulation of the options is taken as it is. Local, the same on all ranks.
/// @param start consistent, with accelerations   @param size of the factor that gave them
/// Proved by FormulationChoice.*
FormulationChoice choose_formulation(system::System& system, const system::State& start,
                                     const DynamicsOptions& options,
                                     const system::Redundancy& redundancy,
                                     const solvers::FactorSize& size);

/// The same for a motion that goes on: in the formulation `before` that it had, if it can.
FormulationChoice keep_formulation(system::System& system, const system::State& state,
                                   const DynamicsOptions& options,
                                   const system::Redundancy& redundancy, Formulation before);

}  // namespace solidyn::analyses

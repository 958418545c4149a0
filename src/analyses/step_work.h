#pragma once
#include "solidyn/analyses/dynamics_options.h"
#include "solidyn/recursive/mechanism.h"
#include "solidyn/solvers/linear_solver.h"

namespace solidyn::analyses {

/// What a step of the integrator is predicted to take in either formulation, microseconds on the
/// machine whose rates step_work.cpp has: what counts is their ratio. From counts of the system
/// alone, so that it is the same on all ranks and in every run.
struct StepWork {
  double absolute = 0.0, recursive = 0.0;
};

/// @param size of the factor of the index-1 equations at the start   @param is_redundant rows
/// depend on others there
StepWork predict_step_work(const recursive::Mechanism& mechanism, IntegratorKind integrator,
                           const solvers::FactorSize& size, bool is_redundant);

}  // namespace solidyn::analyses

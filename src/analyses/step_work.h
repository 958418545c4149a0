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

struct ModelAtStart {
  solvers::FactorSize size;          ///< of the factor of the index-1 equations
  bool is_redundant = false;         ///< rows of constraints depend on others
  bool has_stiff_couplings = false;  ///< of implicit steps; has_stiff_couplings()
  double t = 0.0, step = 0.0;        ///< s, of the start, and of the first step
};
/// @pre the system is updated at start.t
StepWork predict_step_work(const recursive::Mechanism& mechanism, IntegratorKind integrator,
                           const ModelAtStart& start);

}  // namespace solidyn::analyses

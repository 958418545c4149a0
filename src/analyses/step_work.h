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
};
StepWork predict_step_work(const recursive::Mechanism& mechanism, IntegratorKind integrator,
                           const ModelAtStart& start);

/// Whether a force between bodies that do not hang on each other is so stiff beside their inertia
/// over the square of the step that its direction turns by more in a step than an iteration matrix
/// stands: each step begins with a new one. By displacements; with what it damps over the step. Not
/// of bodies that hinges move to each other without turning them.
/// @pre the system is updated at t
bool has_stiff_couplings(const recursive::Mechanism& mechanism, double t, double step);

}  // namespace solidyn::analyses

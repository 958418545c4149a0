#pragma once
#include <cstdint>
#include <memory>

#include "solidyn/integrators/multiple_impacts.h"
#include "solidyn/integrators/newton_tangent.h"
#include "solidyn/integrators/stabilisation.h"
#include "solidyn/solvers/nonlinear.h"
#include "solidyn/solvers/preset.h"

namespace solidyn::integrators {

class ContactSolver;

/// Of Newton's iteration in each step of an implicit integrator.
struct StageOptions {
  double tolerance = 1e-8;  ///< displacement error per step, relative to the mechanism's length
  double constraint_tolerance =
      1e-10;  ///< |Phi| at the end of a step, m (or rad), times the length
  int max_iterations = 20;
  NewtonTangent tangent = NewtonTangent::kept;
  double regularization = 0.0;  ///< see system::redundancy_regularization
  bool locate_impacts = false;  ///< see ImpactSearch
  solvers::Preset preset = solvers::Preset::automatic;
  /// SNES: without set-valued contacts and full-mesh bodies
  solvers::Nonlinear nonlinear = solvers::Nonlinear::newton;
  MultipleImpacts multiple_impacts = MultipleImpacts::simultaneous;  ///< but of MoreauJean
  Stabilisation stabilisation = Stabilisation::projection;
  /// Of set-valued contacts, shared with whoever counts what it does; null: one by itself.
  std::shared_ptr<ContactSolver> contact_solver;
};

/// Counters and seconds since construction.
struct IntegratorStatistics {
  std::int64_t steps = 0, rejected_steps = 0, newton_iterations = 0, tangents = 0,
               linear_solves = 0;
  double assembly_seconds = 0.0, solve_seconds = 0.0;
};

}  // namespace solidyn::integrators

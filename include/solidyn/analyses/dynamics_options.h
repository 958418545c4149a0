#pragma once
#include <optional>

#include "solidyn/integrators/contact_solver_options.h"
#include "solidyn/integrators/multiple_impacts.h"
#include "solidyn/integrators/newton_tangent.h"
#include "solidyn/integrators/stabilisation.h"
#include "solidyn/solvers/nonlinear.h"
#include "solidyn/solvers/preset.h"

namespace solidyn::analyses {

/// `kinematics` integrates nothing: the drives determine the motion.
enum class IntegratorKind {
  generalized_alpha,
  hht,
  bathe,
  ed_alpha,
  moreau_jean,
  half_explicit,
  semi_implicit_euler,
  bdf,
  runge_kutta,
  kinematics
};

/// The one-step schemes alone.
constexpr bool can_solve_set_valued_contacts(IntegratorKind integrator) {
  return integrator == IntegratorKind::generalized_alpha || integrator == IntegratorKind::hht ||
         integrator == IntegratorKind::bathe || integrator == IntegratorKind::ed_alpha ||
         integrator == IntegratorKind::moreau_jean || integrator == IntegratorKind::half_explicit;
}

/// Bodies that keep all nodes of their meshes (integrators::refuse_full_meshes).
constexpr bool can_move_full_meshes(IntegratorKind integrator) {
  return integrator != IntegratorKind::ed_alpha && integrator != IntegratorKind::moreau_jean &&
         integrator != IntegratorKind::half_explicit &&
         integrator != IntegratorKind::semi_implicit_euler;
}

/// The elastic coordinates of bodies at the start: as the model gives them, by default undeformed,
/// or in equilibrium with loads and inertia forces (system::deform_quasi_statically).
enum class ElasticStart { as_given, quasi_static };

/// Formulation::recursive.
constexpr bool can_use_relative_coordinates(IntegratorKind integrator) {
  return integrator == IntegratorKind::generalized_alpha || integrator == IntegratorKind::hht ||
         integrator == IntegratorKind::bdf || integrator == IntegratorKind::runge_kutta ||
         integrator == IntegratorKind::semi_implicit_euler;
}
constexpr bool has_relative_coordinates_alone(IntegratorKind integrator) {
  return integrator == IntegratorKind::semi_implicit_euler;
}

/// Unknowns of the motion: of every body in the world, with multipliers of all joints, or those of
/// hinges between them (doc/recursive.md). `automatic`: what choose_formulation() says.
enum class Formulation { absolute, recursive, automatic };

constexpr const char* name(Formulation formulation) {
  return formulation == Formulation::absolute    ? "absolute"
         : formulation == Formulation::recursive ? "recursive"
                                                 : "automatic";
}

/// What the deformation of bodies is in inverse dynamics: in equilibrium with loads and with the
/// inertia of the bodies' motion in that shape, or as it vibrates. `none`: of other analyses.
enum class InverseDynamics { none, quasi_static, dynamic };

struct DynamicsOptions {
  double duration = 0.0;  ///< s
  double step = 0.0;      ///< s; fixed, or the first one when adaptive
  IntegratorKind integrator = IntegratorKind::generalized_alpha;
  double rho_infinity = 0.8;    ///< generalized_alpha, ed_alpha
  double hht_alpha = -0.1;      ///< hht, see GeneralizedAlphaOptions
  double alpha_AR = 1.0 / 6.0;  ///< ed_alpha
  double theta = 0.5;           ///< moreau_jean
  double tolerance = 1e-10;     ///< Newton, see GeneralizedAlphaOptions
  int max_iterations = 20;
  integrators::NewtonTangent tangent = integrators::NewtonTangent::kept;
  double relative_tolerance = 1e-6, absolute_tolerance = 1e-9;  ///< bdf, runge_kutta
  /// 1/s; bdf, runge_kutta: instead of the projection onto the constraints after each step
  double baumgarte_alpha = 0.0, baumgarte_beta = 0.0;
  struct Adaptive {
    double tolerance = 0.0, minimum_step = 0.0, maximum_step = 0.0;
  };
  std::optional<Adaptive> adaptive;  ///< generalized_alpha, hht, bathe, ed_alpha, half_explicit
  bool locate_impacts = false;       ///< the same; see integrators::ImpactSearch
  ElasticStart elastic_start = ElasticStart::as_given;
  bool assemble_contacts = false;  ///< at the start, see integrators::separate_overlaps()
  integrators::ContactSolverOptions contact_solver;  ///< of set-valued contacts
  solvers::Preset preset = solvers::Preset::automatic;
  solvers::Nonlinear nonlinear = solvers::Nonlinear::newton;
  Formulation formulation = Formulation::absolute;
  InverseDynamics inverse = InverseDynamics::none;
  /// generalized_alpha, hht, bathe, ed_alpha
  integrators::MultipleImpacts multiple_impacts = integrators::MultipleImpacts::simultaneous;
  /// the same and moreau_jean
  integrators::Stabilisation stabilisation = integrators::Stabilisation::projection;
};

}  // namespace solidyn::analyses

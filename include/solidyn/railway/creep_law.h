#pragma once
#include <Eigen/Dense>
#include <string>
#include <vector>

#include "solidyn/railway/creepage.h"
#include "solidyn/railway/kalker.h"

namespace solidyn::railway {

/// What the tangential force in a patch depends on, and the order of its derivatives.
struct CreepState {
  Creepages creepages;
  double normal_force = 0.0;  ///< N, > 0
  double friction = 0.0;      ///< mu, > 0
  double a = 0.0, b = 0.0;    ///< half axes along rolling and across, m
};
enum CreepVariable {
  kLongitudinal,
  kLateral,
  kSpin,
  kNormalForce,
  kFriction,
  kHalfAxisA,
  kHalfAxisB,
  kCreepVariables
};

/// On the wheel, in the axes of the patch: forces along and across (N), moment about the normal (N
/// m). Forces oppose creepages.
struct CreepForce {
  Eigen::Vector3d value = Eigen::Vector3d::Zero();
  Eigen::Matrix<double, 3, kCreepVariables> by = Eigen::Matrix<double, 3, kCreepVariables>::Zero();
};

enum class TractionBound {
  parabola,  ///< 2 N / (pi a b) (1 - x^2/a^2 - y^2/b^2), Kalker's, whose slip zone is nearer to the
             ///< exact theory's
  ellipsoid  ///< Hertz' pressure
};

struct CreepParameters {
  double shear_modulus = 80e9;              ///< Pa
  KalkerCoefficients coefficients;          ///< taken as constant in the derivatives by a and b
  int cells_along = 20, cells_across = 20;  ///< of FASTSIM
  TractionBound bound = TractionBound::parabola;          ///< of FASTSIM
  double adhesion_reduction = 1.0, slip_reduction = 1.0;  ///< k_A, k_S of Polach, 0 to 1
};

/// A law of the catalogue. Formulas: doc/theory/wheel_rail.md.
struct CreepLaw {
  const char* name;
  const char* meaning;
  CreepForce (*force)(const CreepState& state, const CreepParameters& parameters);
  /// The value alone.
  Eigen::Vector3d (*value)(const CreepState& state, const CreepParameters& parameters);
  /// Whether forces are linear in small slips: not where a coefficient depends on their direction.
  bool has_slope_at_rest = true;
};

/// `linear` (Kalker), `shen_hedrick_elkins`, `fastsim` (Kalker 1982), `polach` (Polach 2005).
const std::vector<CreepLaw>& creep_laws();
/// @throws base::InputError for an unknown name
const CreepLaw& creep_law(const std::string& name);

/// @throws base::InputError for parameters that no law can be used with: all complaints
void check(const CreepParameters& parameters);

/// Friction that falls with the slip velocity w (Polach 2005): mu = mu_0 ((1 - A) exp(-B w) + A).
struct FallingFriction {
  double start = 0.3;      ///< mu_0
  double ratio = 1.0;      ///< A, of the limit to the start, 0 to 1; 1: constant
  double decrement = 0.0;  ///< B, s/m
  double at(double slip) const;
  double slope(double slip) const;
};

/// By a law with falling friction. Columns of `by` are those of the state without kFriction, which
/// is contained.
/// @param speed V, m/s, of the creepages
CreepForce creep_force(const CreepLaw& law, const CreepParameters& parameters,
                       const FallingFriction& friction, CreepState state, double speed);

}  // namespace solidyn::railway

#pragma once
#include <string>
#include <vector>

#include "solidyn/fem/attached_mass.h"
#include "solidyn/fem/mass_kind.h"
#include "solidyn/reduction/basis_choice.h"
#include "solidyn/reduction/load_pattern.h"
#include "solidyn/reduction/load_rows.h"
#include "solidyn/reduction/stress_modes.h"
#include "solidyn/reduction/support.h"

namespace solidyn::reduction {

enum class Check { none, against_mesh };

/// D = rayleigh_alpha M + rayleigh_beta K + diag(2 modal_ratio omega_i, for modes of at least
/// modal_from).
struct Damping {
  double rayleigh_alpha = 0.0;  ///< 1/s
  double rayleigh_beta = 0.0;   ///< s
  double modal_ratio = 0.0;     ///< of critical, the same for every elastic mode it is given to
  double modal_from = 0.0;      ///< Hz; modes below this frequency are not given modal_ratio
};

/// A place whose displacement sensors want; the node nearest to it is tracked.
struct PointDefinition {
  std::string name;
  Eigen::Vector3d x_B = Eigen::Vector3d::Zero();
};

struct ReductionOptions {
  int free_free = 8;                   ///< elastic free-free modes
  double free_free_up_to = 0.0;        ///< Hz; > 0: every one up to it, instead of the number
  int fixed_interface = 0;             ///< eigenmodes with all interface frames held
  double fixed_interface_up_to = 0.0;  ///< Hz; > 0: every one up to it, instead of the number
  ConstraintModesAt constraint_modes = ConstraintModesAt::none;
  StaticCorrection static_correction = StaticCorrection::none;
  std::vector<LoadPattern> static_loads;  ///< their static correction modes join the basis
  double cut_off = 0.0;  ///< Hz; elastic modes of the finished union above it go; 0: none
  /// second_order: what the modes displace to second order, so that loads on interfaces and spin
  /// stiffen the body. Not with rigid modes, and not with virtual bodies as interfaces.
  GeometricStiffening geometric_stiffening = GeometricStiffening::none;
  bool keep_rigid_modes = false;  ///< the six exact rigid modes first, for the multiplier route
  fem::MassKind mass = fem::MassKind::consistent;
  Damping damping;
  std::vector<mesh::InterfaceDefinition> interfaces;
  std::vector<PointDefinition> points;
  fem::AttachedMasses masses;  ///< that the body carries beside those of its elements
  StressOptions stress;
  Check check = Check::none;          ///< ReductionTimings::check
  double tolerance = 1e-9;            ///< of SLEPc's relative residual
  std::vector<LoadDefinition> loads;  ///< on nodes and faces, that the mechanism has
  /// What else holds the body. With supports `free_free` counts the modes of the body that they
  /// hold, its interfaces free.
  std::vector<SupportDefinition> supports;
};

}  // namespace solidyn::reduction

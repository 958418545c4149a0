#pragma once
#include <vector>

#include "solidyn/system/system.h"

namespace solidyn::system {

/// The centre of mass of bodies, and how they move about it.
struct MassCentre {
  double mass = 0.0;                            ///< kg
  Eigen::Vector3d p = Eigen::Vector3d::Zero();  ///< m, W
  Eigen::Vector3d v = Eigen::Vector3d::Zero();  ///< m/s, W
  /// kg m^2/s, W, about p: with v = 0 or not, for the total momentum has no moment there.
  Eigen::Vector3d angular_momentum = Eigen::Vector3d::Zero();
};

/// @param bodies  empty: all. Collective with full-mesh bodies. Without mass all is zero.
/// @pre System::update(). Proved by MassCentre.*, and against relative coordinates by
/// CentroidalMomentum.*
MassCentre find_mass_centre(const System& system, const std::vector<BodyIndex>& bodies = {});

}  // namespace solidyn::system

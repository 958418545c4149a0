#pragma once
#include "solidyn/system/system.h"

namespace solidyn::analyses {

/// W, of what puts energy into each island and of what takes it out together: a load that friction
/// holds turns over what it does, though both sum up to nothing. Of systems with full meshes the
/// sums alone, which they know without another product.
/// @param powers of System::external_powers(), at System::kinematics() and the time t
Eigen::VectorXd turned_over(const system::System& system, double t, Eigen::VectorXd powers);

}  // namespace solidyn::analyses

#pragma once
#include "solidyn/railway/contact_search.h"

namespace solidyn::railway {

/// B of the parabola that has, down to a share of the overlap below its summit, the area that wheel
/// and rail have around the summit.
/// @param overlap of the summit, in the vertical, m   @param angle of the common tangent
PositionDual curvature_of_overlap(const WheelOnRail& pair, const WheelPosition& at,
                                  const WheelPlace& summit, const PositionDual& overlap,
                                  const PositionDual& angle);

}  // namespace solidyn::railway

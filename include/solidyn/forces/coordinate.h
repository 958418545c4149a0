#pragma once
#include "solidyn/bodies/frame_pair.h"

namespace solidyn::forces {

using bodies::FramePair;
using bodies::Matrix12;
using bodies::Vector12;
using Row12 = Eigen::Matrix<double, 1, 12>;

/// What a spring, damper, stop or motor acts along: a scalar c of two frames that a rigid motion of
/// both leaves as it is, so that a generalised force on c balances its momenta by itself.
enum class Coordinate {
  distance,  ///< |p_WB - p_WA|, m
  slide,     ///< z_A . (p_WB - p_WA), m
  rotation   ///< tracked rotation of B about A's z axis, rad
};

struct CoordinateValue {
  double x = 0.0;
  Row12 J = Row12::Zero();  ///< dx/dt = J twist
};

/// @throws base::ComputationError where the coordinate has no derivative: the points of a distance
/// meet, or B's x axis stands along A's z axis
CoordinateValue coordinate_value(Coordinate coordinate, const FramePair& f);

/// H = d(J^T)/d(position): the second derivative of c. d(J twist)/d(position) = twist^T H.
Matrix12 coordinate_curvature(Coordinate coordinate, const FramePair& f);

}  // namespace solidyn::forces

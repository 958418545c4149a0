#pragma once
#include <solidyn/bodies/pair_coordinates.h>

/// rho = |h|, h = d - (d . z) z: how far B's origin is from A's z axis, d = p_WB - p_WA. m
/// @throws solidyn::base::ComputationError on the axis itself, where it has no direction
class DistanceFromAxis final : public solidyn::bodies::UserCoordinate::Formula {
 public:
  solidyn::bodies::CoordinateValue value(const solidyn::bodies::FramePair& f) const override;
  void add_stiffness(const solidyn::bodies::FramePair& f, double lambda,
                     solidyn::bodies::Matrix12& K) const override;
};

#pragma once
#include "solidyn/bodies/frame.h"

namespace solidyn::bodies {

/// Quantities that describe the motion of a frame. Orientation is the rotation vector (rad).
enum class FrameQuantity {
  position,
  velocity,
  acceleration,
  orientation,
  angular_velocity,
  angular_acceleration
};

/// In world axes. Accelerations need those of the frame (compute_frame_acceleration).
Eigen::Vector3d quantity_of(FrameQuantity quantity, const FrameMotion& f);

/// In the axes of `ref` and as seen from there, its rotation included: velocity and acceleration
/// are the first and second derivative of the relative position's components, and the angular
/// acceleration that of the relative angular velocity's.
Eigen::Vector3d relative_quantity(FrameQuantity quantity, const FrameMotion& f,
                                  const FrameMotion& ref);

/// As seen from `ref`, in the axes of `axes`; null: the world.
Eigen::Vector3d quantity_seen(FrameQuantity quantity, const FrameMotion& f, const FrameMotion* ref,
                              const FrameMotion* axes);

/// Distance of a point from the chord A -> B, positive along the chord's direction turned by +90
/// degrees about `about` (W, unit). m. Proved by ChordDeflection.*.
/// @throws base::ComputationError where the ends coincide, or the chord is parallel to `about`
double chord_deflection(const FrameMotion& point, const FrameMotion& A, const FrameMotion& B,
                        const Eigen::Vector3d& about);

}  // namespace solidyn::bodies

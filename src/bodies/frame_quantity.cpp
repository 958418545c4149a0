#include "solidyn/bodies/frame_quantity.h"

#include "solidyn/base/error.h"
#include "solidyn/math/rotation.h"

namespace solidyn::bodies {

using Eigen::Vector3d;

namespace {

// The second derivative of ref.R^T (f.p - ref.p): without the reference's own acceleration, and
// without the centrifugal, Coriolis and Euler terms of its rotation.
Vector3d relative_acceleration(const FrameMotion& f, const FrameMotion& ref) {
  const Vector3d w = ref.R * ref.w, dw = ref.R * ref.acceleration.tail<3>();
  const Vector3d d = f.p - ref.p;
  const Vector3d dv = f.v - ref.v;
  const Vector3d a = f.acceleration.head<3>() - ref.acceleration.head<3>();
  return ref.R.transpose() * (a - dw.cross(d) - 2.0 * w.cross(dv) + w.cross(w.cross(d)));
}

}  // namespace

Vector3d quantity_of(FrameQuantity quantity, const FrameMotion& f) {
  switch (quantity) {
    case FrameQuantity::position:
      return f.p;
    case FrameQuantity::velocity:
      return f.v;
    case FrameQuantity::acceleration:
      return f.acceleration.head<3>();
    case FrameQuantity::orientation:
      return math::log_rotation(f.R);
    case FrameQuantity::angular_velocity:
      return f.R * f.w;
    case FrameQuantity::angular_acceleration:  // d(R w)/dt, since R (w x w) is zero
      return f.R * f.acceleration.tail<3>();
  }
  return Vector3d::Zero();
}

Vector3d relative_quantity(FrameQuantity quantity, const FrameMotion& f, const FrameMotion& ref) {
  const Vector3d w_ref = ref.R * ref.w;
  switch (quantity) {
    case FrameQuantity::position:
      return ref.R.transpose() * (f.p - ref.p);
    case FrameQuantity::velocity:
      return ref.R.transpose() * (f.v - ref.v - w_ref.cross(f.p - ref.p));
    case FrameQuantity::acceleration:
      return relative_acceleration(f, ref);
    case FrameQuantity::orientation:
      return math::log_rotation(Eigen::Matrix3d(ref.R.transpose() * f.R));
    case FrameQuantity::angular_velocity:
      return ref.R.transpose() * (f.R * f.w - w_ref);
    case FrameQuantity::angular_acceleration:
      return ref.R.transpose() * (f.R * f.acceleration.tail<3>() -
                                  ref.R * ref.acceleration.tail<3>() - w_ref.cross(f.R * f.w));
  }
  return Vector3d::Zero();
}

Vector3d quantity_seen(FrameQuantity quantity, const FrameMotion& f, const FrameMotion* ref,
                       const FrameMotion* axes) {
  const Vector3d own = ref ? relative_quantity(quantity, f, *ref) : quantity_of(quantity, f);
  if (axes == ref) return own;
  const Vector3d in_world = ref ? ref->R * own : own;
  return axes ? axes->R.transpose() * in_world : in_world;
}

double chord_deflection(const FrameMotion& point, const FrameMotion& A, const FrameMotion& B,
                        const Vector3d& about) {
  constexpr double kParallel = 1e-12;
  const Vector3d chord = B.p - A.p, across = about.cross(chord);
  const double size = across.norm();
  if (!(size > kParallel * chord.norm()))
    throw base::ComputationError(
        "a deflection from a chord is undefined: the ends of the chord coincide, or it is parallel to the axis that its direction is rotated about");
  return across.dot(point.p - A.p) / size;
}

}  // namespace solidyn::bodies

#include "contact/pair_geometries.h"
#include "solidyn/math/rotation.h"

namespace solidyn::contact {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::skew;

// With c the point, n = R_S m its direction away from the surface:
//   dc = dp_P - R_P skew(l) dtheta_P,   dy = R_S^T (dc - dp_S) + skew(y) dtheta_S
//   dn = R_S (H dy - skew(m) dtheta_S),   dx = dc + arm dn
ContactPoint contact_of(const bodies::FramePair& f, const PointOver& point,
                        const std::function<Distance(const Vector3d&)>& distance) {
  const bool on_A = point.on == On::A;
  const bodies::FrameMotion& P = on_A ? f.A : f.B;
  const bodies::FrameMotion& S = on_A ? f.B : f.A;
  const int at_P = on_A ? 0 : 6, at_S = 6 - at_P;
  const Vector3d c = P.p + P.R * point.local;
  const Vector3d y = S.R.transpose() * (c - S.p);
  const Distance d = distance(y);

  Matrix3x12 dc = Matrix3x12::Zero(), dn = Matrix3x12::Zero();
  dc.middleCols<3>(at_P).setIdentity();
  dc.middleCols<3>(at_P + 3) = -P.R * skew(point.local);
  dn.middleCols<3>(at_S + 3) = S.R * (d.curvature * skew(y) - skew(d.gradient));
  if (!d.curvature.isZero(0.0)) {
    const Matrix3d H = S.R * d.curvature * S.R.transpose();
    dn += H * dc;
    dn.middleCols<3>(at_S) -= H;
  }

  ContactPoint result;
  const Vector3d n = S.R * d.gradient;
  const double sign = on_A ? -1.0 : 1.0;  // the normal goes from A to B
  result.gap = d.value + point.offset;
  result.normal = sign * n;
  result.d_normal = sign * dn;
  result.point = c + point.arm * n;
  result.d_point = dc + point.arm * dn;
  return result;
}

ContactPoint PointsOnSurface::at(const bodies::FramePair& f, int point) const {
  return contact_of(f, {points_.on, points_.local[point], points_.offset, points_.arm},
                    [&](const Vector3d& y) { return surface_->at(y); });
}

ContactPoint place_of(const bodies::FramePair& f, const PointOver& point,
                      const std::function<Distance(const Vector3d&)>& distance) {
  const bool on_A = point.on == On::A;
  const bodies::FrameMotion& P = on_A ? f.A : f.B;
  const bodies::FrameMotion& S = on_A ? f.B : f.A;
  const Vector3d c = P.p + P.R * point.local;
  const Distance d = distance(S.R.transpose() * (c - S.p));
  const Vector3d n = S.R * d.gradient;
  ContactPoint result;
  result.gap = d.value + point.offset;
  result.normal = (on_A ? -1.0 : 1.0) * n;
  result.point = c + point.arm * n;
  return result;
}

ContactPoint PointsOnSurface::without_derivatives(const bodies::FramePair& f, int point) const {
  return place_of(f, {points_.on, points_.local[point], points_.offset, points_.arm},
                  [&](const Vector3d& y) { return surface_->at(y); });
}

}  // namespace solidyn::contact

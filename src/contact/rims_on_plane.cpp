#include <cmath>

#include "contact/pair_geometries.h"
#include "solidyn/math/rotation.h"

namespace solidyn::contact {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::skew;
using Row = Eigen::Matrix<double, 1, 12>;

// The lowest point of the disc is x = c - (radius / D) u, u = N - s a the plane's normal in the
// disc, D = sqrt((1 - s^2 + eps^2) (1 + eps^2)). Then N . (velocity of the disc's material at x,
// less that of the plane's) is the rate of the gap: x is where the support function is taken.
ContactPoint RimsOnPlane::at(const bodies::FramePair& f, int point) const {
  const bool on_A = cylinder_ == On::A;
  const bodies::FrameMotion& C = on_A ? f.A : f.B;
  const bodies::FrameMotion& S = on_A ? f.B : f.A;
  const int at_C = on_A ? 0 : 6, at_S = 6 - at_C;
  const double end = point == 0 ? -half_ : half_;
  const Vector3d z = Vector3d::UnitZ(), a = C.R.col(2), N = S.R.col(2);
  const Vector3d c = C.p + end * a;
  const double s = N.dot(a);
  const double rounded = 1.0 + kRounding * kRounding;
  const double D = std::sqrt((rounded - s * s) * rounded);
  const Vector3d u = N - s * a;

  Matrix3x12 da = Matrix3x12::Zero(), dN = Matrix3x12::Zero(), dc = Matrix3x12::Zero();
  da.middleCols<3>(at_C + 3) = -C.R * skew(z);
  dN.middleCols<3>(at_S + 3) = -S.R * skew(z);
  dc = end * da;
  dc.middleCols<3>(at_C) += Matrix3d::Identity();
  const Row ds = a.transpose() * dN + N.transpose() * da;
  const Matrix3x12 du = dN - a * ds - s * da;
  const Row dD = -s * rounded / D * ds;

  ContactPoint result;
  const double sign = on_A ? -1.0 : 1.0;  // the normal goes from A to B
  result.gap = N.dot(c - S.p) - radius_ * D / rounded;
  result.normal = sign * N;
  result.d_normal = sign * dN;
  result.point = c - radius_ / D * u;
  result.d_point = dc - radius_ / D * (du - u / D * dD);
  return result;
}

}  // namespace solidyn::contact

#include "solidyn/math/rotation.h"

#include <cmath>

namespace solidyn::math {
namespace {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

// Below this squared angle the closed forms lose digits to cancellation and the series take over;
// the first neglected term is then below 1e-17.
constexpr double kSeriesBelow = 1e-2;

struct Coefficients {
  double a;   // (1 - cos phi)/phi^2
  double b;   // (phi - sin phi)/phi^3
  double da;  // (da/dphi)/phi
  double db;  // (db/dphi)/phi
};

Coefficients coefficients(double s) {  // s = phi^2
  if (s < kSeriesBelow) {
    const double a = 0.5 - s / 24 * (1 - s / 30 * (1 - s / 56 * (1 - s / 90 * (1 - s / 132))));
    const double b =
        1.0 / 6 - s / 120 * (1 - s / 42 * (1 - s / 72 * (1 - s / 110 * (1 - s / 156))));
    // Term-by-term derivatives of the two series, d/dphi = 2 phi d/ds.
    const double da =
        -1.0 / 12 + s / 180 - s * s / 6720 + s * s * s / 453600 - s * s * s * s / 47900160;
    const double db =
        -1.0 / 60 + s / 1260 - s * s / 60480 + s * s * s / 4989600 - s * s * s * s / 622702080;
    return {a, b, da, db};
  }
  const double phi = std::sqrt(s), sn = std::sin(phi), cs = std::cos(phi);
  const double a = (1 - cs) / s, b = (phi - sn) / (phi * s);
  return {a, b, (sn / phi - 2 * a) / s, ((1 - cs) / s - 3 * b) / s};
}

}  // namespace

Quaterniond exp_quaternion(const Vector3d& theta) {
  const double s = theta.squaredNorm();
  const double phi = std::sqrt(s);
  const double half_sinc = phi < 1e-4 ? 0.5 - s / 48 : std::sin(0.5 * phi) / phi;
  const Vector3d v = half_sinc * theta;
  return Quaterniond(std::cos(0.5 * phi), v.x(), v.y(), v.z());
}

Matrix3d exp_rotation(const Vector3d& theta) {
  const Coefficients c = coefficients(theta.squaredNorm());
  const Matrix3d S = skew(theta);
  // sin(phi)/phi = 1 - b phi^2
  return Matrix3d::Identity() + (1 - c.b * theta.squaredNorm()) * S + c.a * S * S;
}

Vector3d log_rotation(const Quaterniond& q_in) {
  Quaterniond q = q_in;
  if (q.w() < 0) q.coeffs() = -q.coeffs();
  const double n = q.vec().norm();
  if (n < 1e-10) return 2.0 / q.w() * q.vec();
  return 2.0 * std::atan2(n, q.w()) / n * q.vec();
}

Vector3d log_rotation(const Matrix3d& R) { return log_rotation(Quaterniond(R)); }

Matrix3d right_tangent(const Vector3d& theta) {
  const Coefficients c = coefficients(theta.squaredNorm());
  const Matrix3d S = skew(theta);
  return Matrix3d::Identity() - c.a * S + c.b * S * S;
}

Matrix3d right_tangent_inverse(const Vector3d& theta) {
  const double s = theta.squaredNorm(), phi = std::sqrt(s);
  const double c = s < kSeriesBelow
                       ? 1.0 / 12 + s / 720 * (1 + s / 42 * (1 + s / 40 * (1 + s * 10 / 396)))
                       : (1 - 0.5 * phi / std::tan(0.5 * phi)) / s;
  const Matrix3d S = skew(theta);
  return Matrix3d::Identity() + 0.5 * S + c * S * S;
}

Matrix3d right_tangent_derivative(const Vector3d& theta, const Vector3d& x) {
  // T x = x - a (theta x x) + b theta x (theta x x)
  const Coefficients c = coefficients(theta.squaredNorm());
  const Vector3d sx = theta.cross(x), ssx = theta.cross(sx);
  return c.a * skew(x) - c.da * sx * theta.transpose() - c.b * (skew(sx) + skew(theta) * skew(x)) +
         c.db * ssx * theta.transpose();
}

Matrix3d right_tangent_transpose_derivative(const Vector3d& theta, const Vector3d& x) {
  const Coefficients c = coefficients(theta.squaredNorm());
  const Vector3d sx = theta.cross(x), ssx = theta.cross(sx);
  return -c.a * skew(x) + c.da * sx * theta.transpose() - c.b * (skew(sx) + skew(theta) * skew(x)) +
         c.db * ssx * theta.transpose();
}

}  // namespace solidyn::math

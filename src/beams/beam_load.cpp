#include "solidyn/beams/beam_load.h"

#include <cmath>

#include "solidyn/math/rotation.h"

namespace solidyn::beams {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::skew;
using Matrix3x12 = Eigen::Matrix<double, 3, 12>;

const Vector3d kAlong = Vector3d::UnitX();

// Gauss's rule on [-1, 1], exact for the sixth degree that linear, cubic and quadratic make.
const double kInner = std::sqrt(3.0 / 7.0 - 2.0 / 7.0 * std::sqrt(6.0 / 5.0));
const double kOuter = std::sqrt(3.0 / 7.0 + 2.0 / 7.0 * std::sqrt(6.0 / 5.0));
const double kWeightOfInner = (18.0 + std::sqrt(30.0)) / 36.0;

struct GaussPoint {
  double at, weight;
};
const GaussPoint kGauss[] = {{-kOuter, 1.0 - kWeightOfInner},
                             {-kInner, kWeightOfInner},
                             {kInner, kWeightOfInner},
                             {kOuter, 1.0 - kWeightOfInner}};

Eigen::Vector4d cubics(double x) {
  const double y = 1.0 - x;
  return {y * y * (1.0 + 2.0 * x), x * y * y, x * x * (1.0 + 2.0 * y), -x * x * y};
}

Vector3d quadratics(double x) {
  return {(1.0 - x) * (1.0 - 2.0 * x), 4.0 * x * (1.0 - x), x * (2.0 * x - 1.0)};
}

}  // namespace

BeamLoad::BeamLoad(double length, Axes axes, const std::vector<Piece>& pieces)
    : length_(length), axes_(axes) {
  for (const Piece& piece : pieces)
    for (const GaussPoint& g : kGauss) {
      const double part = 0.5 * (1.0 + g.at), x = piece.from + part * (piece.to - piece.from);
      const double factor = piece.at_from + part * (piece.at_to - piece.at_from);
      const double weight = 0.5 * g.weight * length * (piece.to - piece.from) * factor;
      shares_ += weight * cubics(x) * quadratics(x).transpose();
      turns_ += weight * Eigen::Vector2d(1.0 - x, x);
    }
}

BeamLoad::Columns BeamLoad::columns(const SectionMotion& p, const SectionMotion& q,
                                    const MiddleSection& middle, const Vector3d& force) const {
  if (axes_ == Axes::world) return force * shares_.rowwise().sum().transpose();
  Matrix3d turned;
  turned << p.R * force, middle.R * force, q.R * force;
  return turned * shares_.transpose();
}

Vector12 BeamLoad::forces(const SectionMotion& p, const SectionMotion& q,
                          const MiddleSection& middle, const Vector3d& force,
                          const Vector3d& torque) const {
  const Columns f = columns(p, q, middle, force);
  const bool is_dead = axes_ == Axes::world;
  const Vector3d on_p = is_dead ? Vector3d(p.R.transpose() * torque) : torque;
  const Vector3d on_q = is_dead ? Vector3d(q.R.transpose() * torque) : torque;
  Vector12 r;
  r << f.col(0), length_ * kAlong.cross(p.R.transpose() * f.col(1)) + turns_[0] * on_p, f.col(2),
      length_ * kAlong.cross(q.R.transpose() * f.col(3)) + turns_[1] * on_q;
  return r;
}

// R -> R exp(psi) changes R f by -R skew(f) psi, and R^T f by skew(R^T f) psi.
Matrix12 BeamLoad::stiffness(const SectionMotion& p, const SectionMotion& q,
                             const MiddleSection& middle, const Vector3d& force,
                             const Vector3d& torque) const {
  const Columns f = columns(p, q, middle, force);
  const SectionMotion* sections[] = {&p, &q};
  Matrix3x12 turned[3] = {Matrix3x12::Zero(), Matrix3x12::Zero(), Matrix3x12::Zero()};
  if (axes_ == Axes::section) {
    turned[0].middleCols<3>(3) = -p.R * skew(force);
    turned[1] = -middle.R * skew(force) * middle.rows;
    turned[2].middleCols<3>(9) = -q.R * skew(force);
  }
  const auto change = [&](int i) {
    return Matrix3x12(shares_(i, 0) * turned[0] + shares_(i, 1) * turned[1] +
                      shares_(i, 2) * turned[2]);
  };
  Matrix12 K;
  for (int k = 0; k < 2; ++k) {
    const Matrix3d& R = sections[k]->R;
    const int at = 6 * k;
    K.middleRows<3>(at) = change(2 * k);
    K.middleRows<3>(at + 3) = length_ * skew(kAlong) * R.transpose() * change(2 * k + 1);
    Matrix3d by_own_turn = length_ * skew(kAlong) * skew(R.transpose() * f.col(2 * k + 1));
    if (axes_ == Axes::world) by_own_turn += turns_[k] * skew(R.transpose() * torque);
    K.block<3, 3>(at + 3, at + 3) += by_own_turn;
  }
  return K;
}

}  // namespace solidyn::beams

#include "solidyn/forces/bushing.h"

#include <fmt/format.h>

#include "solidyn/base/error.h"

namespace solidyn::forces {

using bodies::FramePair;
using bodies::Matrix12;
using bodies::Vector12;

namespace {

std::vector<int> free_axes(const Bushing::Matrix6& K) {
  std::vector<int> axes;
  for (int i = 0; i < 3; ++i)
    if (K.row(3 + i).isZero(0.0)) axes.push_back(i);
  return axes;
}

}  // namespace

Bushing::Bushing(std::string name, const bodies::FrameLink& link, const Matrix6& stiffness,
                 const Matrix6& damping, const Vector6& preload)
    : PairForce(std::move(name), link),
      has_moments_(rotations(stiffness) != Rotations::free || !damping.bottomRows<3>().isZero(0.0)),
      K_(stiffness),
      D_(damping),
      f0_(preload) {
  SOLIDYN_ASSERT(rotations(K_) != Rotations::free || f0_.tail<3>().isZero(0.0));
}

Bushing::Rotations Bushing::rotations(const Matrix6& stiffness) {
  const std::size_t n = free_axes(stiffness).size();
  if (n == 0) return Rotations::vector;
  return n == 3 ? Rotations::free : Rotations::about_axis;
}

std::optional<int> Bushing::turn_axis(const Matrix6& stiffness) {
  const std::vector<int> axes = free_axes(stiffness);
  if (axes.size() == 1) return axes[0];
  if (axes.size() == 2) return 3 - axes[0] - axes[1];
  return {};
}

std::variant<MidFrame, HalfTiltFrame> Bushing::between(const FramePair& f) const {
  try {
    const std::optional<int> axis = turn_axis(K_);
    if (axis) return HalfTiltFrame(f, *axis);
    if (rotations(K_) == Rotations::free) return HalfTiltFrame(f);
    return MidFrame(f);
  } catch (const base::ComputationError& e) {
    throw base::ComputationError(fmt::format("force {}: {}", name(), e.what()));
  }
}

const Readings& Bushing::readings_of_displacement() {
  static const Readings readings = {{"displacement_x", "m"}, {"displacement_y", "m"},
                                    {"displacement_z", "m"}, {"rotation_x", "rad"},
                                    {"rotation_y", "rad"},   {"rotation_z", "rad"}};
  return readings;
}

void Bushing::read(const bodies::Kinematics& kinematics, double, double* values) const {
  Vector6::Map(values) = displacement(pair(kinematics));
}

Bushing::Vector6 Bushing::displacement(const FramePair& f) const {
  return std::visit([](const auto& m) { return m.q(); }, between(f));
}

Bushing::Translation::Translation(const FramePair& f)
    : u(f.A.R.transpose() * (f.B.p - f.A.p)),
      rate(f.A.R.transpose() * (f.B.v - f.A.v) - f.A.w.cross(u)) {}

Vector12 Bushing::wrench(const FramePair& f, double) const {
  if (!has_moments_) {
    const Translation m(f);
    const Eigen::Vector3d force =
        K_.topLeftCorner<3, 3>() * m.u + D_.topLeftCorner<3, 3>() * m.rate + f0_.head<3>();
    Vector12 w = Vector12::Zero();
    w.head<3>() = f.A.R * force;
    w.segment<3>(3) = m.u.cross(force);
    w.segment<3>(6) = -w.head<3>();
    return w;
  }
  return std::visit(
      [&](const auto& m) -> Vector12 {
        return -m.G().transpose() * (K_ * m.q() + D_ * (m.G() * f.twist()) + f0_);
      },
      between(f));
}

void Bushing::add_derivatives(const FramePair& f, double, Matrix12& by_position,
                              Matrix12& by_twist) const {
  std::visit(
      [&](const auto& m) {
        const Vector12 twist = f.twist();
        const Vector6 force = K_ * m.q() + D_ * (m.G() * twist) + f0_;
        by_position -= m.geometric_stiffness(force) +
                       m.G().transpose() * (K_ * m.G() + D_ * m.rate_stiffness(twist));
        by_twist -= m.G().transpose() * D_ * m.G();
      },
      between(f));
}

double Bushing::energy(const FramePair& f, double) const {
  if (!has_moments_) {
    const Eigen::Vector3d u = Translation(f).u;
    return 0.5 * u.dot(K_.topLeftCorner<3, 3>() * u) + f0_.head<3>().dot(u);
  }
  const Vector6 q = displacement(f);
  return 0.5 * q.dot(K_ * q) + f0_.dot(q);
}

double Bushing::power(const FramePair& f, double) const {
  if (D_.isZero(0.0)) return 0.0;
  if (!has_moments_) {
    const Eigen::Vector3d rate = Translation(f).rate;
    return -rate.dot(D_.topLeftCorner<3, 3>() * rate);
  }
  return std::visit(
      [&](const auto& m) {
        const Vector6 rate = m.G() * f.twist();
        return -rate.dot(D_ * rate);
      },
      between(f));
}

}  // namespace solidyn::forces

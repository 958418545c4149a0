#pragma once
#include "solidyn/forces/pair_force.h"
#include "solidyn/math/rotation.h"

/// Springs whose mechanisms have frequencies in closed form.
namespace solidyn::testing_support {

/// Force on B: -k (p_B - p_A - rest) - c (v_B - v_A), in world axes.
class WorldSpring final : public forces::PairForce {
 public:
  WorldSpring(const bodies::FrameLink& link, double stiffness, double damping,
              const Eigen::Vector3d& rest)
      : PairForce("spring", link), stiffness_(stiffness), damping_(damping), rest_(rest) {}

  bodies::Vector12 wrench(const bodies::FramePair& f, double) const override {
    const Eigen::Vector3d force =
        -stiffness_ * (f.B.p - f.A.p - rest_) - damping_ * (f.B.v - f.A.v);
    bodies::Vector12 w = bodies::Vector12::Zero();
    w.segment<3>(0) = -force;
    w.segment<3>(6) = force;
    return w;
  }
  void add_derivatives(const bodies::FramePair&, double, bodies::Matrix12& by_position,
                       bodies::Matrix12& by_twist) const override {
    for (int row : {0, 6})
      for (int column : {0, 6}) {
        const double sign = row == column ? -1.0 : 1.0;
        by_position.block<3, 3>(row, column).diagonal().array() += sign * stiffness_;
        by_twist.block<3, 3>(row, column).diagonal().array() += sign * damping_;
      }
  }

 private:
  double stiffness_, damping_;
  Eigen::Vector3d rest_;
};

/// Torque k z_B x z on B that turns its z axis to that of the world: isotropic, whatever the spin.
class UprightSpring final : public forces::PairForce {
 public:
  UprightSpring(const bodies::FrameLink& link, double stiffness)
      : PairForce("upright", link), stiffness_(stiffness) {}

  bodies::Vector12 wrench(const bodies::FramePair& f, double) const override {
    bodies::Vector12 w = bodies::Vector12::Zero();
    w.tail<3>() = stiffness_ * Eigen::Vector3d::UnitZ().cross(up(f));
    return w;
  }
  void add_derivatives(const bodies::FramePair& f, double, bodies::Matrix12& by_position,
                       bodies::Matrix12&) const override {
    using math::skew;
    by_position.bottomRightCorner<3, 3>() +=
        stiffness_ * skew(Eigen::Vector3d::UnitZ()) * skew(up(f));
  }

 private:
  static Eigen::Vector3d up(const bodies::FramePair& f) {
    return f.B.R.transpose() * Eigen::Vector3d::UnitZ();
  }
  double stiffness_;
};

}  // namespace solidyn::testing_support

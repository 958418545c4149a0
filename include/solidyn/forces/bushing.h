#pragma once
#include "solidyn/forces/pair_force.h"

namespace solidyn::forces {

/// Elastic and viscous resistance to the displacement and rotation q of two frames (MidFrame):
///   f = K q + D dq/dt + f0,   energy 1/2 q^T K q + f0^T q     doc/theory/forces.md
/// f = [force in the axes between A and B; moment conjugate to the rotation vector]. K and D
/// symmetric, N/m, N, N m and so on. Proved by Bushing.*.
class Bushing final : public PairForce {
 public:
  using Matrix6 = Eigen::Matrix<double, 6, 6>;
  using Vector6 = Eigen::Matrix<double, 6, 1>;
  Bushing(std::string name, const bodies::FrameLink& link, const Matrix6& stiffness,
          const Matrix6& damping, const Vector6& preload)
      : PairForce(std::move(name), link), K_(stiffness), D_(damping), f0_(preload) {}

  bodies::Vector12 wrench(const bodies::FramePair& f, double t) const override;
  void add_derivatives(const bodies::FramePair& f, double t, bodies::Matrix12& by_position,
                       bodies::Matrix12& by_twist) const override;
  double energy(const bodies::FramePair& f, double t) const override;
  double power(const bodies::FramePair& f, double t) const override;

 private:
  Matrix6 K_, D_;
  Vector6 f0_;
};

}  // namespace solidyn::forces

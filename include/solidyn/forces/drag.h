#pragma once
#include "solidyn/forces/frame_load.h"
#include "solidyn/forces/pair_force.h"

namespace solidyn::forces {

/// Resistance of a medium that flows with the velocity u(t) (W) to the motion of frame B:
///   force  -(c + 1/2 rho Cd A |v|) v,  v = v_WB - u;   torque  -c_r w_WB
/// Frame A is on the ground and feels nothing: the medium takes the momentum. Proved by Drag.*.
class Drag final : public PairForce {
 public:
  struct Options {
    double viscous = 0.0;     ///< c, N s/m
    double rotational = 0.0;  ///< c_r, N m s/rad
    double quadratic = 0.0;   ///< 1/2 rho Cd A, kg/m
    VectorFunction medium;    ///< u, m/s
  };
  Drag(std::string name, const bodies::FrameLink& link, Options options)
      : PairForce(std::move(name), link), o_(std::move(options)) {}

  bodies::Vector12 wrench(const bodies::FramePair& f, double t) const override;
  void add_derivatives(const bodies::FramePair& f, double t, bodies::Matrix12& by_position,
                       bodies::Matrix12& by_twist) const override;

 private:
  Options o_;
};

}  // namespace solidyn::forces

#pragma once
#include <array>

#include "solidyn/forces/force.h"
#include "solidyn/math/time_function.h"

namespace solidyn::forces {

/// Three functions of time, the components of a vector.
using VectorFunction = std::array<math::TimeFunction, 3>;
Eigen::Vector3d value(const VectorFunction& components, double t);

/// A force (N) and a torque (N m) on a frame, in world axes or in those of the frame, which they
/// then follow. On the carrier's velocities the generalised force is Q = J^T f, f = [force in W;
/// torque in F], as M a + h + G^T lambda = Q. A frame on a body in absolute coordinates is a point:
/// it takes no torque and has no axes to follow. Local. Proved by FrameLoad.*.
class FrameLoad final : public Force {
 public:
  enum class Axes { world, frame };
  /// @param body the carrier of `frame`, which moves
  /// @param amount that the functions are per, such as an area
  FrameLoad(std::string name, bodies::FrameIndex frame, bodies::BodyIndex body, Axes axes,
            VectorFunction force, VectorFunction torque, double amount = 1.0)
      : Force(std::move(name), {body}),
        frame_(frame),
        axes_(axes),
        force_(std::move(force)),
        torque_(std::move(torque)),
        amount_(amount) {}

  bool is_given_in_time() const override { return true; }
  Eigen::VectorXd unit_load(const bodies::Kinematics& kinematics, int component) const override;
  /// [force in W; torque in F] at time t.
  Eigen::Matrix<double, 6, 1> wrench(const bodies::FrameMotion& motion, double t) const;
  void add_residual(const bodies::Kinematics& kinematics, double t,
                    Eigen::Ref<Eigen::VectorXd> r) const override;
  void add_tangent(const bodies::Kinematics& kinematics, double t,
                   const bodies::TangentCoefficients& c, Eigen::Ref<Eigen::MatrixXd> J_rate,
                   Eigen::Ref<Eigen::MatrixXd> J_q) const override;
  double power(const bodies::Kinematics& kinematics, double t) const override;

 private:
  /// [force in W; torque in F] of components in the axes that the load is given in.
  Eigen::Matrix<double, 6, 1> in_carrier_axes(const bodies::FrameMotion& motion,
                                              Eigen::Matrix<double, 6, 1> components) const;

  bodies::FrameIndex frame_;
  Axes axes_;
  VectorFunction force_, torque_;
  double amount_;
};

}  // namespace solidyn::forces

#pragma once
#include "solidyn/forces/coordinate_force.h"
#include "solidyn/forces/measured_columns.h"

namespace solidyn::forces {

/// A CoordinateForce with an actuator whose force is a curve over a measure m of any frames:
///   Q = J^T (a(m) - effort(x, dx/dt, t))           doc/theory/forces.md
/// What the actuator does is external work. Proved by ActuatedForceOn.*.
class ActuatedForce final : public Force {
 public:
  struct Actuator {
    math::Curve curve;                 ///< a, N or N m, by m
    std::unique_ptr<Measure> measure;  ///< m, SI
  };
  /// As CoordinateForce.
  ActuatedForce(std::string name, const bodies::FrameLink& link, bodies::Coordinate coordinate,
                std::unique_ptr<EffortLaw> law, Actuator actuator, const SystemLayout& layout);

  /// As those of CoordinateForce: what resists is less by the actuator's.
  Readings readings() const override { return passive_.readings(); }
  void read(const bodies::Kinematics& kinematics, double t, double* values) const override;

  void add_residual(const bodies::Kinematics& kinematics, double t,
                    Eigen::Ref<Eigen::VectorXd> r) const override;
  void add_tangent(const bodies::Kinematics& kinematics, double t,
                   const bodies::TangentCoefficients& c, Eigen::Ref<Eigen::MatrixXd> J_rate,
                   Eigen::Ref<Eigen::MatrixXd> J_q) const override;
  double energy(const bodies::Kinematics& kinematics, double t) const override;
  double power(const bodies::Kinematics& kinematics, double t) const override;
  std::optional<PairWrench> pair_wrench(const bodies::Kinematics& kinematics,
                                        double t) const override;

  const CoordinateForce& passive() const { return passive_; }  ///< without the actuator

 private:
  ActuatedForce(std::string name, const bodies::FrameLink& link, bodies::Coordinate coordinate,
                std::unique_ptr<EffortLaw> law, math::Curve curve,
                MeasuredColumns::Measures measures, const SystemLayout& layout);
  double actuation(const bodies::Kinematics& kinematics) const;
  void require_no_jump(const bodies::Kinematics& kinematics) const;

  CoordinateForce passive_;
  math::Curve curve_;
  MeasuredColumns measured_;
};

}  // namespace solidyn::forces

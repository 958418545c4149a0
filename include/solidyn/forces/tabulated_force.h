#pragma once
#include <optional>

#include "solidyn/forces/force.h"
#include "solidyn/forces/measured_columns.h"
#include "solidyn/forces/reaction.h"
#include "solidyn/math/curve.h"

namespace solidyn::forces {

/// A force or a torque between two frames whose size is a curve over a measure m of any frames:
/// along the line between their origins, pushing them apart, or along a direction on B at its
/// origin, with its reaction on A's carrier at the same point. All its work is external.
/// doc/theory/forces.md Proved by TabulatedForceOn.* and TabulatedForce.*.
class TabulatedForce final : public Force {
 public:
  /// Where the measure leaves the curve's points: the value at the last one, the slope there, or an
  /// error, which accepted states alone cause.
  enum class Beyond { hold, linear, refuse };
  enum class Axes { world, first, second };
  struct Options {
    math::Curve curve;                 ///< N or N m, by m; periodic ones have no end
    std::unique_ptr<Measure> measure;  ///< m, SI
    std::string of;                    ///< its name, for messages
    Beyond beyond = Beyond::refuse;
    std::optional<Vector6> direction;  ///< [force; torque], one of them unit; empty: the line
    Axes axes = Axes::world;           ///< which the direction is in
  };
  TabulatedForce(std::string name, const bodies::FrameLink& link, Options options,
                 const SystemLayout& layout);

  void add_residual(const bodies::Kinematics& kinematics, double t,
                    Eigen::Ref<Eigen::VectorXd> r) const override;
  void add_tangent(const bodies::Kinematics& kinematics, double t,
                   const bodies::TangentCoefficients& c, Eigen::Ref<Eigen::MatrixXd> J_rate,
                   Eigen::Ref<Eigen::MatrixXd> J_q) const override;
  double power(const bodies::Kinematics& kinematics, double t) const override;
  std::optional<PairWrench> pair_wrench(const bodies::Kinematics& kinematics,
                                        double t) const override;
  /// @throws base::ComputationError beyond the table, where that is refused
  void remember(const bodies::Kinematics& kinematics, double t,
                Eigen::Ref<Eigen::VectorXd>) const override;

 private:
  TabulatedForce(std::string name, const bodies::FrameLink& link, Options&& options,
                 MeasuredColumns::Measures measures, const SystemLayout& layout);
  double size(double m) const;
  double slope(double m) const;
  bool is_refused(double m) const;
  void require_no_jump(const bodies::Kinematics& kinematics) const;
  Vector6 direction_in_world(const bodies::FramePair& f) const;
  bodies::Vector12 unit_wrench(const bodies::FramePair& f) const;
  /// Derivatives of unit_wrench() by the frames' variations.
  bodies::Matrix12 unit_stiffness(const bodies::FramePair& f) const;

  bodies::FrameLink link_;
  Options o_;  // without the measure
  MeasuredColumns measured_;
};

}  // namespace solidyn::forces

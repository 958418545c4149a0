#pragma once
#include <array>
#include <optional>

#include "solidyn/bodies/frame_pair.h"
#include "solidyn/forces/force.h"
#include "solidyn/forces/measured_columns.h"
#include "solidyn/forces/reaction.h"
#include "solidyn/math/function_of_variables.h"

namespace solidyn::forces {

/// A force and a torque on frame B whose components are formulas of t and of measures of any
/// frames, or curves over one of these, and their reaction on frame A's carrier at the same point.
/// The tangent has the formulas' derivatives by differences and the curves' slopes, times the
/// measures' gradients. Proved by ExpressionForce.*.
class ExpressionForce final : public Force {
 public:
  struct Options {
    /// Force x, y, z (N), torque x, y, z (N m), each times its scale; empty: zero.
    std::array<std::optional<math::FunctionOfVariables>, 6> components;
    double t_scale = 1.0, force_scale = 1.0, torque_scale = 1.0;
    std::vector<std::unique_ptr<Measure>> measures;  ///< variables of the formulas after t ...
    std::vector<double> measure_scale;               ///< ... divided by these
    bool is_in_body_axes = false;                    ///< components along B's axes; else W's
  };
  /// @param link of frames A and B
  ExpressionForce(std::string name, const bodies::FrameLink& link, Options options,
                  const SystemLayout& layout);

  void add_residual(const bodies::Kinematics& kinematics, double t,
                    Eigen::Ref<Eigen::VectorXd> r) const override;
  void add_tangent(const bodies::Kinematics& kinematics, double t,
                   const bodies::TangentCoefficients& c, Eigen::Ref<Eigen::MatrixXd> J_rate,
                   Eigen::Ref<Eigen::MatrixXd> J_q) const override;
  double power(const bodies::Kinematics& kinematics, double t) const override;
  std::optional<PairWrench> pair_wrench(const bodies::Kinematics& kinematics,
                                        double t) const override;

 private:
  std::vector<double> variables(const bodies::Kinematics& kinematics, double t) const;
  Vector6 components(const std::vector<double>& variables, double t) const;
  Vector6 in_world(const bodies::FramePair& pair, const Vector6& components) const;
  void require_no_jump(const bodies::Kinematics& kinematics, const std::vector<double>& variables,
                       double t) const;
  void require_finite(const Vector6& change, const std::vector<double>& variables,
                      int measure) const;
  void add_measure_tangent(const bodies::Kinematics& kinematics, const bodies::FramePair& pair,
                           const std::vector<double>& variables, int measure,
                           const bodies::TangentCoefficients& c, Eigen::Ref<Eigen::MatrixXd> J_rate,
                           Eigen::Ref<Eigen::MatrixXd> J_q) const;

  bodies::FrameLink link_;
  Options o_;  // without the measures
  MeasuredColumns measured_;
};

}  // namespace solidyn::forces

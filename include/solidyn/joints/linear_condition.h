#pragma once
#include "solidyn/joints/constraint.h"

namespace solidyn::joints {

/// A q_e = 0 on the elastic coordinates of one body: the mean-axis condition of a full-mesh body on
/// its ports (bodies/floating_frame_body.h), or any other reference condition that is linear.
class LinearCondition final : public Constraint {
 public:
  /// @param A [rows x n_elastic]    @param row_names one word per row, for messages
  LinearCondition(std::string name, BodyIndex body, Eigen::MatrixXd A,
                  std::vector<std::string> row_names);

  void evaluate(const bodies::Kinematics& kinematics, double t,
                ConstraintValues& values) const override;
  void evaluate_rates(const bodies::Kinematics& kinematics, double t,
                      ConstraintValues& values) const override;
  void add_stiffness(const bodies::Kinematics& kinematics, double t,
                     const Eigen::Ref<const Eigen::VectorXd>& lambda, double weight,
                     Eigen::Ref<Eigen::MatrixXd> K) const override {}
  std::string row_name(int row) const override { return row_names_[row]; }

 private:
  Eigen::MatrixXd A_;
  std::vector<std::string> row_names_;
};

}  // namespace solidyn::joints

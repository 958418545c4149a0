#include "solidyn/joints/linear_condition.h"

namespace solidyn::joints {

LinearCondition::LinearCondition(std::string name, BodyIndex body, Eigen::MatrixXd A,
                                 std::vector<std::string> row_names)
    : Constraint(std::move(name), {body}, static_cast<int>(A.rows())),
      A_(std::move(A)),
      row_names_(std::move(row_names)) {}

void LinearCondition::evaluate(const bodies::Kinematics& kinematics, double,
                               ConstraintValues& out) const {
  out.phi.noalias() = A_ * kinematics.bodies[bodies()[0]].q_e;
  out.G.setZero();
  out.G.rightCols(A_.cols()) = A_;
}

void LinearCondition::evaluate_rates(const bodies::Kinematics&, double,
                                     ConstraintValues& out) const {
  out.nu.setZero();
  out.gamma.setZero();
}

}  // namespace solidyn::joints

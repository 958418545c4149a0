#pragma once
#include <array>

#include "solidyn/joints/constraint.h"
#include "solidyn/reduction/reduced_body.h"

namespace solidyn::joints {

/// The six conditions that fix a floating frame in its body when the basis still holds the rigid
/// modes.
enum class ReferenceConditionType {
  mean_axis,           ///< sum m u = 0, sum m x x u = 0 (linear form, position level, gamma = 0)
  mean_axis_velocity,  ///< sum m du = 0, sum m b x du = 0 (P-SOLID (36)-(39); not integrable)
  principal_axis  ///< centre of mass and principal axes stay those of the undeformed body (26)-(33)
};

/// Reference conditions of a modal body by six multipliers, from its inertia invariants.
/// For principal_axis the products of inertia are taken about the centre of mass in the principal
/// axes of the undeformed body, so that the body axes themselves need not be principal.
class ReferenceCondition final : public Constraint {
 public:
  /// @throws base::InputError for principal_axis when two principal moments agree to 1e-5 of the
  /// largest: the principal axes are then not unique and the conditions singular.
  ReferenceCondition(const std::string& body_name, BodyIndex body, ReferenceConditionType type,
                     const reduction::InertiaInvariants& inertia);

  void evaluate(const bodies::Kinematics& kinematics, double t,
                ConstraintValues& values) const override;
  void evaluate_rates(const bodies::Kinematics& kinematics, double t,
                      ConstraintValues& values) const override;
  void add_stiffness(const bodies::Kinematics& kinematics, double t,
                     const Eigen::Ref<const Eigen::VectorXd>& lambda, double weight,
                     Eigen::Ref<Eigen::MatrixXd> K) const override;
  /// Of principal_axis: two principal moments of the deformed body agree to 1e-5 of the largest, or
  /// have changed places since the start, so that they must have been equal on the way.
  std::string warning(const bodies::Kinematics& kinematics) const override;
  std::string row_name(int row) const override;

 private:
  // Three polynomials of the modal coordinates: constant[k] + linear.row(k) w + 1/2 w^T
  // quadratic[k] w.
  struct Polynomials {
    Eigen::Vector3d constant;
    Eigen::Matrix3Xd linear;
    std::array<Eigen::MatrixXd, 3> quadratic;
    explicit Polynomials(int n);
    Eigen::Vector3d operator()(const Eigen::VectorXd& w) const;
  };
  void set_principal_axis_rows(const std::string& body_name,
                               const reduction::InertiaInvariants& inertia);
  void set_mean_axis_rows(const reduction::InertiaInvariants& inertia);

  ReferenceConditionType type_;
  Eigen::Matrix3Xd S_;
  // Axis k of mean_axis is the vector product; principal_axis uses the symmetric products.
  Polynomials angular_;
  // principal_axis: sum m y_k^2 about the centre of mass along the undeformed principal axes.
  // Moments of inertia differ as these do.
  Polynomials spread_;
};

}  // namespace solidyn::joints

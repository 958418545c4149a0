#pragma once
#include <array>

#include "solidyn/bodies/node_triad.h"
#include "solidyn/joints/constraint.h"

namespace solidyn::joints {

/// Ties a virtual body to three nodes k, m, n of a flexible body (P-SOLID (40)-(63)): the virtual
/// body's origin follows node k, and three direction cosines between the triad of k->m, k->n and
/// its axes stay what they were.
class RigidFlexibleJoint final : public Constraint {
 public:
  /// @param x_nodes [3 x 3] undeformed positions of k, m, n, m, in B    @param Psi their
  /// displacement rows, each [3 x n_elastic]    @param R_BV undeformed orientation of the virtual
  /// body's axes in B
  /// @pre the nodes are not collinear. Bodies are {flexible, virtual_body}.
  RigidFlexibleJoint(std::string name, BodyIndex flexible, BodyIndex virtual_body, int n_elastic,
                     const Eigen::Matrix3d& x_nodes, std::array<Eigen::Matrix3Xd, 3> Psi,
                     const Eigen::Matrix3d& R_BV);

  void evaluate(const bodies::Kinematics& kinematics, double t,
                ConstraintValues& values) const override;
  void evaluate_rates(const bodies::Kinematics& kinematics, double t,
                      ConstraintValues& values) const override;
  void add_stiffness(const bodies::Kinematics& kinematics, double t,
                     const Eigen::Ref<const Eigen::VectorXd>& lambda, double weight,
                     Eigen::Ref<Eigen::MatrixXd> K) const override;
  /// Speaks from singularity() > 0.95 on.
  std::string warning(const bodies::Kinematics& kinematics) const override;
  std::string row_name(int row) const override;
  /// Where the virtual body's axes are those of triad(): then the cosines are zero, and say that.
  const bodies::NodeTriad* as_attachment() const override {
    return is_aligned_ ? &node_triad_ : nullptr;
  }

  /// Axes for the virtual body in which the three cosines start at zero (angles of 90 degrees),
  /// away from the singular cases (64)-(67): columns e1, e2, e1 x e2 of the undeformed triad.
  static Eigen::Matrix3d triad(const Eigen::Matrix3d& x_nodes);

  /// Largest of |e1.a|, |e1.e_j2|, |e1.e_j3|, |e2.e_j3| at the current state; 1 is singular
  /// (64)-(67).
  double singularity(const bodies::Kinematics& kinematics) const;

 private:
  BodyIndex flexible_, virtual_;
  int n_e_;
  Eigen::Matrix3d x_;
  std::array<Eigen::Matrix3Xd, 3> Psi_;
  Eigen::Vector3d cosines_;  // beta_12, beta_13, beta_23
  bool is_aligned_;
  bodies::NodeTriad node_triad_;
};

}  // namespace solidyn::joints

#pragma once
#include "solidyn/bodies/region.h"
#include "solidyn/joints/constraint.h"

namespace solidyn::joints {

using bodies::RegionVectors;

/// V moves with the mean of a region and turns with its best-fitting rotation:
///   p_WV - p = 0,    sum_j axes_j x (R_WV^T s_j) = 0
/// where s_j = sum_k m_jk x_k are the region's first moments along its principal axes, with
/// m_jk = axes_j . d_k / |axes_j|^2, d_k the moments of the nodes (mesh::Interface::node_moments;
/// of one weight per node c_k xi_jk with xi of unit variance), and axes_j as long as the standard
/// deviation along them: the second says that R_WV^T H is symmetric, H = sum_k (x_k - p) d_k^T, as
/// in the polar decomposition.
/// Exact for any rotation. Rows of the second are scaled to be angles. Proved by
/// ConstraintContract.*, AveragedFrame.*.
class AveragedFrame final : public Constraint {
 public:
  /// Bodies are {solid, virtual_body}; @param n_elastic of the solid.
  AveragedFrame(std::string name, BodyIndex solid, BodyIndex virtual_body, int n_elastic,
                RegionVectors region);
  void evaluate(const bodies::Kinematics& kinematics, double t,
                ConstraintValues& values) const override;
  void evaluate_rates(const bodies::Kinematics& kinematics, double t,
                      ConstraintValues& values) const override;
  void add_stiffness(const bodies::Kinematics& kinematics, double t,
                     const Eigen::Ref<const Eigen::VectorXd>& lambda, double weight,
                     Eigen::Ref<Eigen::MatrixXd> K) const override;
  std::string row_name(int row) const override;

 private:
  BodyIndex solid_, virtual_;
  int n_e_;
  RegionVectors region_;
  double scale_;
};

/// V moves with a region that the body keeps affine, x_k = p + sum_j xi_jk s_j, and makes it rigid:
///   p_WV - p = 0,    s_j - R_WV axes_j = 0.
class RigidRegion final : public Constraint {
 public:
  RigidRegion(std::string name, BodyIndex solid, BodyIndex virtual_body, int n_elastic,
              RegionVectors region);
  void evaluate(const bodies::Kinematics& kinematics, double t,
                ConstraintValues& values) const override;
  void evaluate_rates(const bodies::Kinematics& kinematics, double t,
                      ConstraintValues& values) const override;
  void add_stiffness(const bodies::Kinematics& kinematics, double t,
                     const Eigen::Ref<const Eigen::VectorXd>& lambda, double weight,
                     Eigen::Ref<Eigen::MatrixXd> K) const override;
  std::string row_name(int row) const override;

 private:
  BodyIndex solid_, virtual_;
  int n_e_;
  RegionVectors region_;
};

}  // namespace solidyn::joints

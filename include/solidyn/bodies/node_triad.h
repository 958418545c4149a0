#pragma once
#include <array>

#include "solidyn/bodies/frame_fields.h"
#include "solidyn/bodies/frame_in_body.h"

namespace solidyn::bodies {

/// The frame that three nodes k, m, n of a body with modes carry, exactly (P-SOLID (46)-(48)): its
/// origin is k, its axes are e1 from k to m, e2 across e1 and the way from k to n, and e1 x e2. It
/// turns by any angle as the nodes are displaced; what a Frame has for each, this has for itself.
/// Local. Proved by NodeTriad.*
class NodeTriad {
 public:
  /// @param x_nodes [3 x 3] undeformed places of k, m, n in B, m   @param Psi their displacement
  /// rows, each [3 x n_elastic]   @pre the nodes are not in a line
  NodeTriad(const Eigen::Matrix3d& x_nodes, std::array<Eigen::Matrix3Xd, 3> Psi)
      : x_(x_nodes), Psi_(std::move(Psi)) {}

  /// As compute_frame_in_body()
  DeformationRates compute_in_body(const BodyState& carrier, FrameMotion& motion) const;
  /// As compute_fields_in_body()
  void compute_fields(const BodyState& carrier, const Eigen::Ref<const Eigen::VectorXd>& ddq_e,
                      FrameFields& fields) const;
  /// As bodies::add_field_stiffness()
  void add_field_stiffness(const BodyState& carrier, const Eigen::Matrix<double, 6, 1>& wrench,
                           Eigen::Ref<Eigen::MatrixXd> K) const;

 private:
  Eigen::Matrix<double, 9, 1> displacements(const Eigen::Ref<const Eigen::VectorXd>& q_e) const;

  Eigen::Matrix3d x_;
  std::array<Eigen::Matrix3Xd, 3> Psi_;
};

}  // namespace solidyn::bodies

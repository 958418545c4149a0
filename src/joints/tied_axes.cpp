#include "solidyn/joints/tied_axes.h"

#include <fmt/format.h>

#include "solidyn/math/rotation.h"

namespace solidyn::joints {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::skew;

constexpr const char* kAxisNames = "xyz";

Vector3d vector_at(const RegionVectors& region, int j, const bodies::BodyState& solid) {
  return region.s_ref.col(j) + region.Psi_s[j].lazyProduct(solid.q_e);
}

// Rows 0..2 of both: p_WV - p.
void evaluate_position(const RegionVectors& region, const bodies::BodyState& solid,
                       const bodies::BodyState& body, ConstraintValues& out) {
  const int n_e = static_cast<int>(solid.q_e.size());
  out.phi.head<3>() = body.p_WB - region.p_ref - region.Psi_p.lazyProduct(solid.q_e);
  out.G.topLeftCorner(3, n_e) = -region.Psi_p;
  out.G.block<3, 3>(0, n_e).setIdentity();
}

}  // namespace

AveragedFrame::AveragedFrame(std::string name, BodyIndex solid, BodyIndex virtual_body,
                             int n_elastic, RegionVectors region)
    : Constraint(std::move(name), {solid, virtual_body}, 6),
      solid_(solid),
      virtual_(virtual_body),
      n_e_(n_elastic),
      region_(std::move(region)),
      scale_(1.0 / (region_.axes.colwise().norm().maxCoeff() *
                    region_.s_ref.colwise().norm().maxCoeff())) {}

void AveragedFrame::evaluate(const bodies::Kinematics& kinematics, double,
                             ConstraintValues& out) const {
  const bodies::BodyState &solid = kinematics.bodies[solid_], &v = kinematics.bodies[virtual_];
  out.G.setZero();
  evaluate_position(region_, solid, v, out);
  out.phi.tail<3>().setZero();
  for (int j = 0; j < region_.axes.cols(); ++j) {
    const Vector3d axis = scale_ * region_.axes.col(j);
    const Vector3d y = v.R_WB.transpose() * vector_at(region_, j, solid);
    out.phi.tail<3>() += axis.cross(y);
    out.G.block(3, 0, 3, n_e_) += (skew(axis) * v.R_WB.transpose()) * region_.Psi_s[j];
    out.G.block<3, 3>(3, n_e_ + 3) += skew(axis) * skew(y);
  }
}

void AveragedFrame::evaluate_rates(const bodies::Kinematics& kinematics, double,
                                   ConstraintValues& out) const {
  const bodies::BodyState &solid = kinematics.bodies[solid_], &v = kinematics.bodies[virtual_];
  const Vector3d w = v.w_WB_B();
  out.nu.setZero();
  out.gamma.setZero();
  for (int j = 0; j < region_.axes.cols(); ++j) {
    const Vector3d axis = scale_ * region_.axes.col(j);
    const Vector3d y = v.R_WB.transpose() * vector_at(region_, j, solid);
    const Vector3d rate = v.R_WB.transpose() * (region_.Psi_s[j] * solid.dq_e());
    out.gamma.tail<3>() -= axis.cross(w.cross(w.cross(y)) - 2.0 * w.cross(rate));
  }
}

// With g_j = lambda x axis_j, lambda . Phi = sum g_j . R^T s_j.
void AveragedFrame::add_stiffness(const bodies::Kinematics& kinematics, double,
                                  const Eigen::Ref<const Eigen::VectorXd>& lambda, double weight,
                                  Eigen::Ref<Eigen::MatrixXd> K) const {
  const bodies::BodyState &solid = kinematics.bodies[solid_], &v = kinematics.bodies[virtual_];
  const int rotation = n_e_ + 3;
  for (int j = 0; j < region_.axes.cols(); ++j) {
    const Vector3d g = weight * scale_ * lambda.tail<3>().cross(region_.axes.col(j));
    const Vector3d y = v.R_WB.transpose() * vector_at(region_, j, solid);
    const Eigen::Matrix3Xd mixed = (skew(g) * v.R_WB.transpose()) * region_.Psi_s[j];
    K.block<3, 3>(rotation, rotation) += skew(g) * skew(y);
    K.block(rotation, 0, 3, n_e_) += mixed;
    K.block(0, rotation, n_e_, 3) += mixed.transpose();
  }
}

std::string AveragedFrame::row_name(int row) const {
  return fmt::format("{} {}", row < 3 ? "translation" : "rotation", kAxisNames[row % 3]);
}

RigidRegion::RigidRegion(std::string name, BodyIndex solid, BodyIndex virtual_body, int n_elastic,
                         RegionVectors region)
    : Constraint(std::move(name), {solid, virtual_body},
                 3 + 3 * static_cast<int>(region.axes.cols())),
      solid_(solid),
      virtual_(virtual_body),
      n_e_(n_elastic),
      region_(std::move(region)) {}

void RigidRegion::evaluate(const bodies::Kinematics& kinematics, double,
                           ConstraintValues& out) const {
  const bodies::BodyState &solid = kinematics.bodies[solid_], &v = kinematics.bodies[virtual_];
  out.G.setZero();
  evaluate_position(region_, solid, v, out);
  for (int j = 0; j < region_.axes.cols(); ++j) {
    const int row = 3 + 3 * j;
    out.phi.segment<3>(row) = vector_at(region_, j, solid) - v.R_WB * region_.axes.col(j);
    out.G.block(row, 0, 3, n_e_) = region_.Psi_s[j];
    out.G.block<3, 3>(row, n_e_ + 3) = v.R_WB * skew(region_.axes.col(j));
  }
}

void RigidRegion::evaluate_rates(const bodies::Kinematics& kinematics, double,
                                 ConstraintValues& out) const {
  const bodies::BodyState& v = kinematics.bodies[virtual_];
  const Vector3d w = v.w_WB_B();
  out.nu.setZero();
  out.gamma.setZero();
  for (int j = 0; j < region_.axes.cols(); ++j)
    out.gamma.segment<3>(3 + 3 * j) = v.R_WB * w.cross(w.cross(region_.axes.col(j)));
}

// lambda_j . R axis: its derivative by the right increment is (axis x R^T lambda) ...
void RigidRegion::add_stiffness(const bodies::Kinematics& kinematics, double,
                                const Eigen::Ref<const Eigen::VectorXd>& lambda, double weight,
                                Eigen::Ref<Eigen::MatrixXd> K) const {
  const Matrix3d& R = kinematics.bodies[virtual_].R_WB;
  for (int j = 0; j < region_.axes.cols(); ++j) {
    const Vector3d f = R.transpose() * lambda.segment<3>(3 + 3 * j);
    K.block<3, 3>(n_e_ + 3, n_e_ + 3) -= weight * skew(region_.axes.col(j)) * skew(f);
  }
}

std::string RigidRegion::row_name(int row) const {
  if (row < 3) return fmt::format("translation {}", kAxisNames[row]);
  return fmt::format("direction {} along {}", row / 3, kAxisNames[row % 3]);
}

}  // namespace solidyn::joints

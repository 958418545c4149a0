#include "rigid_groups.h"

#include <algorithm>
#include <vector>

#include "solidyn/math/dense.h"
#include "solidyn/math/rotation.h"

namespace solidyn::system {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

Vector3d centre_of(const System& system, const RigidGroup& group) {
  Vector3d centre = Vector3d::Zero();
  for (const BodyIndex b : group.bodies)
    centre += system.kinematics().bodies[b].p_WB / static_cast<double>(group.bodies.size());
  return centre;
}

std::vector<int> velocity_rows(const System& system, const RigidGroup& group) {
  std::vector<int> rows;
  for (const BodyIndex b : group.bodies)
    for (int i = 0; i < 6; ++i) rows.push_back(system.layout().velocity_offset(b) + i);
  return rows;
}

}  // namespace

MatrixXd rigid_group_directions(const System& system, const RigidGroup& group, double length) {
  MatrixXd directions = MatrixXd::Zero(6 * static_cast<Eigen::Index>(group.bodies.size()), 6);
  if (group.is_grounded) return directions;
  const Vector3d centre = centre_of(system, group);
  Eigen::Index row = 0;
  for (const BodyIndex b : group.bodies) {
    const bodies::BodyState& s = system.kinematics().bodies[b];
    auto rows = directions.middleRows<6>(row);
    rows.topLeftCorner<3, 3>() = length * Matrix3d::Identity();
    rows.topRightCorner<3, 3>() = -math::skew(s.p_WB - centre);
    rows.bottomRightCorner<3, 3>() = s.R_WB.transpose();
    row += 6;
  }
  return directions;
}

double stop_deforming(const System& system, double length, VectorXd& v) {
  double change = 0.0;
  for (const RigidGroup& group : system.connectivity().rigid_groups()) {
    const std::vector<int> rows = velocity_rows(system, group);
    VectorXd scale(rows.size());  // angular velocities become velocities at `length`
    for (Eigen::Index i = 0; i < scale.size(); ++i) scale[i] = i % 6 < 3 ? 1.0 : length;
    const MatrixXd motions = scale.asDiagonal() * rigid_group_directions(system, group, length);
    const VectorXd given = scale.cwiseProduct(v(rows));
    VectorXd rigid = VectorXd::Zero(given.size());
    if (!group.is_grounded) rigid = motions * math::PivotedQr(motions).solve(given);
    if (!rows.empty()) change = std::max(change, (rigid - given).lpNorm<Eigen::Infinity>());
    v(rows) = rigid.cwiseQuotient(scale);
  }
  return change;
}

void add_rigid_group_velocities(const System& system, double length, const VectorXd& motions,
                                VectorXd& v) {
  Eigen::Index at = 0;
  for (const RigidGroup& group : system.connectivity().rigid_groups()) {
    v(velocity_rows(system, group)) +=
        rigid_group_directions(system, group, length) * motions.segment<6>(at);
    at += 6;
  }
}

void move_rigid_groups(const System& system, double length, const VectorXd& motions, VectorXd& q) {
  Eigen::Index at = 0;
  for (const RigidGroup& group : system.connectivity().rigid_groups()) {
    const Vector3d translation = length * motions.segment<3>(at);
    const Eigen::Quaterniond turn = math::exp_quaternion(motions.segment<3>(at + 3));
    const Vector3d centre = centre_of(system, group);
    for (const BodyIndex b : group.bodies) {
      if (group.is_grounded) break;
      auto p = q.segment<3>(system.layout().configuration_offset(b));
      auto Q = q.segment<4>(system.layout().configuration_offset(b) + 3);
      p = (centre + translation + turn * (p - centre)).eval();
      const Eigen::Quaterniond turned = turn * Eigen::Quaterniond(Q[0], Q[1], Q[2], Q[3]);
      Q << turned.w(), turned.vec();
    }
    at += 6;
  }
}

}  // namespace solidyn::system

#include "solidyn/forces/reaction.h"

#include "solidyn/math/rotation.h"

namespace solidyn::forces {

using bodies::FramePair;
using bodies::Matrix12;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::skew;

// [-F; -R_A^T (T + d x F); F; R_B^T T],  d = p_WB - p_WA.
Matrix12x6 reaction_map(const FramePair& f) {
  Matrix12x6 map = Matrix12x6::Zero();
  map.block<3, 3>(0, 0) = -Matrix3d::Identity();
  map.block<3, 3>(3, 0) = -f.A.R.transpose() * skew(f.B.p - f.A.p);
  map.block<3, 3>(3, 3) = -f.A.R.transpose();
  map.block<3, 3>(6, 0) = Matrix3d::Identity();
  map.block<3, 3>(9, 3) = f.B.R.transpose();
  return map;
}

Matrix12 reaction_stiffness(const FramePair& f, const Vector6& w) {
  const Vector3d F = w.head<3>(), T = w.tail<3>(), d = f.B.p - f.A.p;
  Matrix12 K = Matrix12::Zero();
  K.block<3, 3>(3, 0) = -f.A.R.transpose() * skew(F);
  K.block<3, 3>(3, 3) = -skew(f.A.R.transpose() * (T + d.cross(F)));
  K.block<3, 3>(3, 6) = f.A.R.transpose() * skew(F);
  K.block<3, 3>(9, 9) = skew(f.B.R.transpose() * T);
  return K;
}

}  // namespace solidyn::forces

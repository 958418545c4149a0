#include "contact/relative_motion.h"

#include "solidyn/math/rotation.h"

namespace solidyn::contact {

using bodies::FramePair;
using bodies::Matrix12;
using Eigen::Matrix3d;
using Eigen::Vector3d;
using math::skew;

Matrix3x12 slip_jacobian(const FramePair& f, const Vector3d& x) {
  Matrix3x12 J;
  J << -Matrix3d::Identity(), skew(x - f.A.p) * f.A.R, Matrix3d::Identity(),
      -skew(x - f.B.p) * f.B.R;
  return J;
}

Matrix3x12 spin_jacobian(const FramePair& f) {
  Matrix3x12 J = Matrix3x12::Zero();
  J.middleCols<3>(3) = -f.A.R;
  J.middleCols<3>(9) = f.B.R;
  return J;
}

// Torques turn with their frames, d(R^T M) = skew(R^T M) dtheta.
void add_turning_of_moment(const FramePair& f, const Vector3d& M, Matrix12& by_position) {
  by_position.block<3, 3>(3, 3) -= skew(f.A.R.transpose() * M);
  by_position.block<3, 3>(9, 9) += skew(f.B.R.transpose() * M);
}

// The derivative of J twist by the frames' variations, at constant twists and with x moving by dx:
//   d((R w) x r) = skew(R w) dr + skew(r) R skew(w) dtheta,   r = x - p
Matrix3x12 slip_derivative(const FramePair& f, const Vector3d& x, const Matrix3x12& dx) {
  const Matrix3d W_A = skew(f.A.R * f.A.w), W_B = skew(f.B.R * f.B.w);
  Matrix3x12 d = (W_B - W_A) * dx;
  d.leftCols<3>() += W_A;
  d.middleCols<3>(3) -= skew(x - f.A.p) * f.A.R * skew(f.A.w);
  d.middleCols<3>(6) -= W_B;
  d.middleCols<3>(9) += skew(x - f.B.p) * f.B.R * skew(f.B.w);
  return d;
}

// The derivative of the wrench J^T F at constant F: arms r = x - p change, and torques turn with
// their frames, d(R^T u) = skew(R^T u) dtheta + R^T du.
void add_turning(const FramePair& f, const ContactPoint& g, const Vector3d& F,
                 Matrix12& by_position) {
  const Vector3d r_A = g.point - f.A.p, r_B = g.point - f.B.p;
  Matrix3x12 dr_A = g.d_point, dr_B = g.d_point;
  dr_A.leftCols<3>() -= Matrix3d::Identity();
  dr_B.middleCols<3>(6) -= Matrix3d::Identity();
  by_position.middleRows<3>(3) += f.A.R.transpose() * skew(F) * dr_A;
  by_position.middleRows<3>(9) -= f.B.R.transpose() * skew(F) * dr_B;
  by_position.block<3, 3>(3, 3) -= skew(f.A.R.transpose() * r_A.cross(F));
  by_position.block<3, 3>(9, 9) += skew(f.B.R.transpose() * r_B.cross(F));
}

}  // namespace solidyn::contact

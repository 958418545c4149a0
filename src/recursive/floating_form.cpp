#include "recursive/floating_form.h"

#include "solidyn/math/rotation.h"

namespace solidyn::recursive {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Block6 = Eigen::Matrix<double, 6, 6>;

// [displacement; rotation] at x by those of a rigid motion at the origin.
Block6 rigid_motion_at(const Vector3d& x) {
  Block6 R = Block6::Identity();
  R.topRightCorner<3, 3>() = -math::skew(x);
  return R;
}

}  // namespace

FloatingForm::FloatingForm(const bodies::Superelement& s, int origin) {
  const int n_q = 6 * s.n_interfaces(), n_z = n_q - 6, n_internal = s.n_elastic();
  MatrixXd T = MatrixXd::Zero(n_q + n_internal, n_z + n_internal);
  back_ = T.transpose();
  Eigen::Matrix<double, 6, 1> scale;
  scale << Vector3d::Ones(), Vector3d::Constant(1.0 / s.length());
  for (int k = 0, at = 0; k < s.n_interfaces(); ++k) {
    if (k == origin) continue;
    for (int j = 0; j < s.n_interfaces(); ++j)
      T.block<6, 6>(6 * j, at) =
          -rigid_motion_at(s.place(j)) * s.frame_rows().middleCols<6>(6 * k) * scale.asDiagonal();
    T.block<6, 6>(6 * k, at).diagonal() += scale;
    const Block6 from_origin = rigid_motion_at(s.place(k) - s.place(origin));
    back_.block<6, 6>(at, 6 * k).diagonal() = scale.cwiseInverse();
    back_.block<6, 6>(at, 6 * origin) = -(scale.cwiseInverse().asDiagonal() * from_origin);
    at += 6;
  }
  T.bottomRightCorner(n_internal, n_internal).setIdentity();
  back_.bottomRightCorner(n_internal, n_internal).setIdentity();
  body_ = s.floating_body().in_coordinates(T);
  for (int k = 0; k < s.n_interfaces(); ++k) {
    bodies::Frame frame;
    frame.x_B = s.place(k);
    frame.Psi_t = T.middleRows<3>(6 * k);
    frame.Psi_r = T.middleRows<3>(6 * k + 3);
    frames_.push_back(std::move(frame));
  }
}

VectorXd FloatingForm::coordinates(const Eigen::Ref<const VectorXd>& q) const { return back_ * q; }

}  // namespace solidyn::recursive

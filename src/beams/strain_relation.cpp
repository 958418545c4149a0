#include "solidyn/beams/strain_relation.h"

#include "solidyn/math/rotation.h"

namespace solidyn::beams {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::Vector4d;
using Eigen::VectorXd;
using math::skew;

StrainRelation::StrainRelation(int n_rows, int n_strains)
    : value_(VectorXd::Zero(n_rows)),
      by_pose_(MatrixXd::Zero(n_rows, 6)),
      by_strains_(MatrixXd::Zero(n_rows, n_strains)) {}

// 2 vec(Q* o end_turn); Q exp(psi) has the conjugate exp(-psi/2) o Q*.
void BeamRelation::evaluate(const SectionPair& pair, const VectorXd& strains) {
  curve_.evaluate(strains);
  Q_ = quaternion_of(pair.Q);
  const Eigen::Matrix4d Q_left = left_product(conjugate(Q_));
  difference_ = Q_left * curve_.end_turn();
  difference_rows_ = Q_left * curve_.end_turn_rows();
  value_ << curve_.end() - pair.D, 2.0 * difference_.tail<3>();
  by_pose_.topLeftCorner<3, 3>() = -Matrix3d::Identity();
  by_pose_.bottomRightCorner<3, 3>() =
      skew(difference_.tail<3>()) - difference_[0] * Matrix3d::Identity();
  by_strains_ << curve_.end_rows(), 2.0 * difference_rows_.bottomRows<3>();
}

MatrixXd BeamRelation::second_derivative(const VectorXd& mu) const {
  const Vector3d m = mu.tail<3>(), v = difference_.tail<3>();
  MatrixXd H = MatrixXd::Zero(13, 13);
  H.bottomRightCorner<7, 7>() =
      curve_.second_derivative(mu.head<3>(), 2.0 * left_product(Q_).rightCols<3>() * m);
  const Matrix37 mixed = skew(m) * difference_rows_.bottomRows<3>() - m * difference_rows_.row(0);
  H.block<3, 7>(3, 6) = mixed;
  H.block<7, 3>(6, 3) = mixed.transpose();
  H.block<3, 3>(3, 3) =
      -0.5 * (m * v.transpose() + skew(m) * (difference_[0] * Matrix3d::Identity() - skew(v)));
  return H;
}

void BarRelation::evaluate(const SectionPair& pair, const VectorXd& strains) {
  distance_ = pair.D.norm();
  direction_ = pair.D / distance_;
  value_[0] = distance_ - length_ * (1.0 + strains[0]);
  by_pose_.leftCols<3>() = direction_.transpose();
  by_strains_(0, 0) = -length_;
}

MatrixXd BarRelation::second_derivative(const VectorXd& mu) const {
  MatrixXd H = MatrixXd::Zero(7, 7);
  H.topLeftCorner<3, 3>() =
      mu[0] / distance_ * (Matrix3d::Identity() - direction_ * direction_.transpose());
  return H;
}

}  // namespace solidyn::beams

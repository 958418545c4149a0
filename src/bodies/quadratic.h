#pragma once
#include "solidyn/bodies/body.h"

namespace solidyn::bodies {

/// A vector y = Psi q + 1/2 q^T Y q of the elastic coordinates q, and its rows dy/dq = Psi + Y q.
/// What Y takes to evaluate is kept, since a frame is evaluated at every residual.
class Quadratic {
 public:
  Quadratic(const Eigen::Matrix3Xd& Psi, const Eigen::MatrixXd& Y, const BodyState& carrier)
      : Y_(Y), is_linear_(Y.rows() == 0), Psi_(Psi) {
    if (Psi.cols() == 0) return;
    if (is_linear_)
      value_ = Psi.lazyProduct(carrier.q_e);
    else
      add_second_order(carrier.q_e);
  }

  bool is_empty() const { return Psi_.cols() == 0; }
  const Eigen::Vector3d& value() const { return value_; }
  const Eigen::Matrix3Xd& rows() const { return is_linear_ ? Psi_ : rows_; }
  Eigen::Vector3d rate(const BodyState& carrier) const {
    return rows().lazyProduct(carrier.dq_e());
  }

  // dq^T Y dq: what the second derivative of y has beside rows ddq.
  Eigen::Vector3d curvature(const BodyState& carrier) const {
    Eigen::Vector3d out = Eigen::Vector3d::Zero();
    if (is_linear_) return out;
    const Eigen::Index n = Psi_.cols();
    Eigen::VectorXd Ydq(3 * n);
    Ydq.noalias() = Y_ * carrier.dq_e();
    for (int a = 0; a < 3; ++a) out[a] = Ydq.segment(a * n, n).dot(carrier.dq_e());
    return out;
  }

  // Y x: the rate of rows() for x = dq, and d(rows dq)/dq at constant dq, Y being symmetric.
  Eigen::Matrix3Xd rows_by(const Eigen::Ref<const Eigen::VectorXd>& x) const {
    const Eigen::Index n = Psi_.cols();
    Eigen::Matrix3Xd out = Eigen::Matrix3Xd::Zero(3, n);
    if (is_linear_) return out;
    for (int a = 0; a < 3; ++a) out.row(a) = (Y_.middleRows(a * n, n) * x).transpose();
    return out;
  }

  // d(rows^T f)/dq for constant f.
  void add_stiffness(const Eigen::Vector3d& f, Eigen::Ref<Eigen::MatrixXd> K) const {
    if (is_linear_) return;
    const Eigen::Index n = Psi_.cols();
    for (int a = 0; a < 3; ++a) K += f[a] * Y_.middleRows(a * n, n);
  }

 private:
  void add_second_order(const Eigen::Map<const Eigen::VectorXd>& q) {
    const Eigen::Index n = Psi_.cols();
    Eigen::VectorXd Yq(3 * n);
    Yq.noalias() = Y_ * q;
    rows_.resize(3, n);
    for (Eigen::Index j = 0; j < n; ++j)
      for (int a = 0; a < 3; ++a) {
        const double change = Yq[a * n + j];
        rows_(a, j) = Psi_(a, j) + change;
        value_[a] += (Psi_(a, j) + 0.5 * change) * q[j];
      }
  }

  const Eigen::MatrixXd& Y_;
  bool is_linear_;
  const Eigen::Matrix3Xd& Psi_;
  Eigen::Matrix3Xd rows_;
  Eigen::Vector3d value_ = Eigen::Vector3d::Zero();
};

}  // namespace solidyn::bodies

#include "solidyn/beams/beam_element.h"

#include <algorithm>

#include "solidyn/math/rotation.h"

namespace solidyn::beams {
namespace {

using Eigen::Vector3d;
using Eigen::Vector4d;
using Matrix43 = Eigen::Matrix<double, 4, 3>;
using Matrix73 = Eigen::Matrix<double, 7, 3>;

constexpr int kMaxIterations = 30;
// Of strains, which are numbers of order one.
constexpr double kConverged = 1e-13;
// Steps longer than this are cut: a turn of the end by about a third of a right angle.
constexpr double kLongestStep = 0.5;

// 1/l int (linear)^2, and what shear adds: P-STRAIN (49), (55).
void set_linear_pair(Matrix7& S, int start, double stiffness, double phi) {
  const int end = start + 3;
  S(start, start) = S(end, end) = stiffness * (1.0 / 3.0 + phi);
  S(start, end) = S(end, start) = stiffness * (1.0 / 6.0 - phi);
}

double shear_of(double EI, double GA, double length) {
  return GA > 0.0 ? EI / (length * length * GA) : 0.0;  // Phi/12
}

}  // namespace

BeamElement::BeamElement(double length, const Rigidity& r, Torsion torsion, TurnRule rule)
    : length_(length),
      has_inner_(torsion == Torsion::linear),
      curve_(length, shear_of(r.EI_z, r.GA_y, length), shear_of(r.EI_y, r.GA_z, length), rule) {
  stiffness_.setZero();
  stiffness_(0, 0) = r.EA * length;
  set_linear_pair(stiffness_, 1, r.GJ / length, 0.0);
  set_linear_pair(stiffness_, 2, r.EI_y / length, shear_of(r.EI_y, r.GA_z, length));
  set_linear_pair(stiffness_, 3, r.EI_z / length, shear_of(r.EI_z, r.GA_y, length));
  free_.setZero();
  free_(0, 0) = 1.0;
  free_(1, 1) = free_(4, 1) = 1.0;  // mean torsion
  free_(2, 2) = free_(3, 3) = free_(5, 4) = free_(6, 5) = 1.0;
  inner_.setZero();
  inner_[1] = -0.5;
  inner_[4] = 0.5;
  gradient_.setZero();
}

Eigen::MatrixXd BeamElement::free_strains() const {
  if (!has_inner_) return free_;
  Eigen::MatrixXd all(7, 7);
  all << free_, inner_;
  return all;
}

double BeamElement::energy() const {
  const Strains strains = strains_ - unstressed_;
  return 0.5 * strains.dot(stiffness_ * strains);
}

// The constraints C at the strains, their rows, and the multipliers that hold the stresses.
void BeamElement::linearise(const Vector3d& D, const Vector4d& Q) {
  curve_.evaluate(strains_);
  const Eigen::Matrix4d Q_left = left_product(conjugate(Q));
  const Vector4d difference = Q_left * curve_.end_turn();
  scale_ = difference[0];
  residual_.head<3>() = curve_.end() - D;
  residual_.tail<3>() = 2.0 * difference.tail<3>();
  C_rows_.topRows<3>() = curve_.end_rows();
  C_rows_.bottomRows<3>().noalias() =
      2.0 * Q_left.bottomRows<3>().lazyProduct(curve_.end_turn_rows());
  C_free_.compute(C_rows_.lazyProduct(free_));
  if (has_inner_) {
    const Vector6 of_inner = C_rows_ * inner_;
    tangent_ = inner_ - free_ * C_free_.solve(of_inner);
  }
}

bool BeamElement::solve(const Vector3d& D, const Vector4d& Q) {
  return find_strains(D, Q, has_inner_ ? Inner::free : Inner::kept);
}

bool BeamElement::set_unstressed(const Vector3d& D, const Vector4d& Q) {
  strains_.setZero();
  if (!find_strains(D, Q, Inner::kept)) return false;
  unstressed_ = strains_;
  return true;
}

// From the strains found last, else from those of the least turn.
bool BeamElement::find_strains(const Vector3d& D, const Vector4d& Q, Inner inner) {
  if (strains_.allFinite() && search(D, Q, inner)) return true;
  strains_.setZero();
  const Vector3d turn = math::log_rotation(Eigen::Quaterniond(Q[0], Q[1], Q[2], Q[3]).normalized());
  strains_.segment<3>(1) = strains_.segment<3>(4) = turn;
  if (search(D, Q, inner)) return true;
  strains_.setZero();
  return false;
}

bool BeamElement::search(const Vector3d& D, const Vector4d& Q, Inner inner) {
  Q_ = Q;
  for (int i = 0; i < kMaxIterations; ++i) {
    linearise(D, Q);
    const Strains stress = stresses();
    multipliers_ = C_free_.transpose().solve(-(free_.transpose() * stress));
    Strains step = -(free_ * C_free_.solve(residual_));
    if (inner == Inner::free) {
      Matrix7 L = lagrangian_stiffness();
      // Far from the least energy S alone, which is positive, shows the way down.
      if (tangent_.dot(L * tangent_) <= 0.0) L = stiffness_;
      const double curvature = tangent_.dot(L * tangent_);
      step -= tangent_ * ((tangent_.dot(stress) + tangent_.dot(L * step)) / curvature);
    }
    const double size = step.lpNorm<Eigen::Infinity>();
    if (!(size < 1e3)) return false;
    if (size <= kConverged) {
      if (scale_ <= 0.0) return false;
      gradient_.head<3>() = -multipliers_.head<3>();
      gradient_.tail<3>() = -scale_ * multipliers_.tail<3>();
      return true;
    }
    strains_ += step * std::min(1.0, kLongestStep / size);
  }
  return false;
}

// Of V + multipliers . C by the strains.
Matrix7 BeamElement::lagrangian_stiffness() const {
  const Vector4d b = 2.0 * left_product(Q_).rightCols<3>() * multipliers_.tail<3>();
  return stiffness_ + curve_.second_derivative(multipliers_.head<3>(), b);
}

void BeamElement::compute_second_derivative(Matrix6& H) {
  Matrix6 by_pose = Matrix6::Identity();
  by_pose.diagonal().tail<3>().setConstant(scale_);
  rows_.noalias() = free_ * C_free_.solve(by_pose);
  // d^2/(d strains d psi) of multipliers . C: Q exp(psi) o m = Q o psi/2 o m.
  const Vector4d moment(0.0, multipliers_[3], multipliers_[4], multipliers_[5]);
  const Matrix43 turned = (left_product(Q_) * right_product(moment)).rightCols<3>();
  const Matrix73 mixed = curve_.end_turn_rows().transpose() * turned;
  const Matrix7 L = lagrangian_stiffness();
  Matrix76 by_strains = L * rows_;
  by_strains.rightCols<3>() += mixed;
  H.noalias() = rows_.transpose() * by_strains;
  H.bottomRows<3>().noalias() += mixed.transpose() * rows_;
  H.bottomRightCorner<3, 3>() += 0.5 * math::skew(gradient_.tail<3>());
  if (!has_inner_) return;
  const Vector6 of_inner = by_strains.transpose() * tangent_;
  const double curvature = tangent_.dot(L * tangent_);
  H.noalias() -= of_inner * of_inner.transpose() / curvature;
  rows_.noalias() -= tangent_ * of_inner.transpose() / curvature;
}

}  // namespace solidyn::beams

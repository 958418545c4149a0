#include "solidyn/beams/beam_element.h"

#include <algorithm>
#include <limits>

#include "solidyn/math/rotation.h"

namespace solidyn::beams {
namespace {

using Eigen::Vector3d;
using Eigen::Vector4d;
using Matrix43 = Eigen::Matrix<double, 4, 3>;
using Matrix73 = Eigen::Matrix<double, 7, 3>;

// Iterations in all, and those with the geometric stiffness of the strains found last.
constexpr int kMaxIterations = 30, kWithKnownStiffness = 2;
// Of strains, which are numbers of order one: the square of such a step is round-off.
constexpr double kLastStep = 1e-10;
// Steps longer than this are cut: a turn of the end by about a third of a right angle.
constexpr double kLongestStep = 0.5;

// 1/l int (linear)^2, and what shear adds: P-STRAIN (49), (55).
void set_linear_pair(Matrix7& S, int start, double stiffness, double phi) {
  const int end = start + 3;
  S(start, start) = S(end, end) = stiffness * (1.0 / 3.0 + phi);
  S(start, end) = S(end, start) = stiffness * (1.0 / 6.0 - phi);
}

// Where each strain is among the six that the constraints determine: torsion is one, its mean.
constexpr int kPlaces[] = {0, 1, 2, 3, 1, 4, 5};

template <int n>
Eigen::Matrix<double, 7, n> expanded(const Eigen::Matrix<double, 6, n>& y) {
  Eigen::Matrix<double, 7, n> strains;
  for (int i = 0; i < 7; ++i) strains.row(i) = y.row(kPlaces[i]);
  return strains;
}

// The transpose of that, from the right.
template <int n>
Eigen::Matrix<double, n, 6> collected(const Eigen::Matrix<double, n, 7>& by_strains) {
  Eigen::Matrix<double, n, 6> y = Eigen::Matrix<double, n, 6>::Zero();
  for (int i = 0; i < 7; ++i) y.col(kPlaces[i]) += by_strains.col(i);
  return y;
}

// The seventh: torsion that differs from its mean.
Strains inner_strain() {
  Strains s = Strains::Zero();
  s[1] = -0.5;
  s[4] = 0.5;
  return s;
}

// Gauss's and Jordan's elimination with pivots by columns, in a size that the compiler can unroll.
Matrix6 inverse_of(const Matrix6& A) {
  Eigen::Matrix<double, 6, 12, Eigen::RowMajor> rows;
  rows << A, Matrix6::Identity();
  for (int k = 0; k < 6; ++k) {
    int pivot = 0;
    rows.col(k).tail(6 - k).cwiseAbs().maxCoeff(&pivot);
    if (pivot > 0) rows.row(k).swap(rows.row(k + pivot));
    rows.row(k) *= 1.0 / rows(k, k);
    for (int i = 0; i < 6; ++i)
      if (i != k) rows.row(i) -= rows(i, k) * rows.row(k);
  }
  return rows.rightCols<6>();
}

double shear_of(double EI, double GA, double length) {
  return GA > 0.0 ? EI / (length * length * GA) : 0.0;  // Phi/12
}

}  // namespace

double largest_tension(double length, const Rigidity& r, Torsion torsion, TurnRule rule) {
  constexpr double kOfBending = 48.0, kOfTorsion = 16.0;
  if (rule == TurnRule::magnus) return std::numeric_limits<double>::infinity();
  double limit = kOfBending * std::min(r.EI_y, r.EI_z);
  if (torsion == Torsion::linear) limit = std::min(limit, kOfTorsion * r.GJ);
  return limit / (length * length);
}

BeamElement::BeamElement(double length, const Rigidity& r, Torsion torsion, TurnRule rule)
    : length_(length),
      has_inner_(torsion == Torsion::linear),
      curve_(length, shear_of(r.EI_z, r.GA_y, length), shear_of(r.EI_y, r.GA_z, length), rule) {
  stiffness_.setZero();
  stiffness_(0, 0) = r.EA * length;
  set_linear_pair(stiffness_, 1, r.GJ / length, 0.0);
  set_linear_pair(stiffness_, 2, r.EI_y / length, shear_of(r.EI_y, r.GA_z, length));
  set_linear_pair(stiffness_, 3, r.EI_z / length, shear_of(r.EI_z, r.GA_y, length));
  gradient_.setZero();
}

Eigen::MatrixXd BeamElement::free_strains() const {
  const Matrix76 determined = expanded<6>(Matrix6::Identity());
  if (!has_inner_) return determined;
  Eigen::MatrixXd all(7, 7);
  all << determined, inner_strain();
  return all;
}

double BeamElement::energy() const {
  const Strains strains = strains_ - unstressed_ - prestrain_;
  return 0.5 * strains.dot(stiffness_ * strains);
}

// The constraints C, of the curve as it is evaluated.
void BeamElement::set_residual(const Vector3d& D, const Vector4d& Q) {
  D_ = D;
  Q_ = Q;
  const Vector4d difference = left_product(conjugate(Q)) * curve_.end_turn();
  scale_ = difference[0];
  residual_ << curve_.end() - D, 2.0 * difference.tail<3>();
}

// Their rows, inverted, and the multipliers that hold the stresses.
void BeamElement::linearise() {
  const Eigen::Matrix4d Q_left = left_product(conjugate(Q_));
  Eigen::Matrix<double, 6, 7> rows;
  rows.topRows<3>() = curve_.end_rows();
  rows.bottomRows<3>() = 2.0 * Q_left.bottomRows<3>().lazyProduct(curve_.end_turn_rows());
  inverse_ = inverse_of(collected<6>(rows));
  if (has_inner_) {
    const Vector6 of_inner = inverse_ * (rows * inner_strain());
    tangent_ = inner_strain() - expanded<1>(of_inner);
  }
  const Eigen::Matrix<double, 1, 6> stress = collected<1>(stresses().transpose());
  multipliers_ = -(stress * inverse_).transpose();
}

bool BeamElement::solve(const Vector3d& D, const Vector4d& Q) {
  if (is_solved_ && is_current_ && D == D_ && Q == Q_) return true;
  const Inner inner = has_inner_ ? Inner::free : Inner::kept;
  if (is_solved_) {
    set_residual(D, Q);
    move_strains(newton_step(inner));
  }
  return find_strains(D, Q, inner);
}

void BeamElement::begin_at(const Strains& strains) {
  strains_ = strains;
  is_solved_ = is_current_ = false;
}

void BeamElement::set_prestrain(const Strains& prestrain) {
  is_current_ = is_current_ && prestrain == prestrain_;
  prestrain_ = prestrain;
}

bool BeamElement::set_unstressed(const Vector3d& D, const Vector4d& Q) {
  strains_.setZero();
  if (!find_strains(D, Q, Inner::kept)) return false;
  unstressed_ = strains_;
  geometric_.setZero();
  is_solved_ = false;
  return true;
}

// From the strains as they are, else from those of the least turn.
bool BeamElement::find_strains(const Vector3d& D, const Vector4d& Q, Inner inner) {
  is_differentiated_ = has_rows_ = false;
  is_current_ = true;
  is_solved_ = strains_.allFinite() && search(D, Q, inner);
  if (is_solved_) return true;
  geometric_.setZero();
  strains_.setZero();
  const Vector3d turn = math::log_rotation(Eigen::Quaterniond(Q[0], Q[1], Q[2], Q[3]).normalized());
  strains_.segment<3>(1) = strains_.segment<3>(4) = turn;
  is_solved_ = search(D, Q, inner);
  if (!is_solved_) strains_.setZero();
  return is_solved_;
}

bool BeamElement::search(const Vector3d& D, const Vector4d& Q, Inner inner) {
  for (int i = 0; i < kMaxIterations; ++i) {
    curve_.evaluate(strains_);
    set_residual(D, Q);
    linearise();
    if (i >= kWithKnownStiffness) set_geometric_stiffness();
    const Strains step = newton_step(inner);
    const double size = step.lpNorm<Eigen::Infinity>();
    if (!(size < 1e3)) return false;
    if (size <= kLastStep) {
      if (scale_ <= 0.0) return false;
      take_last_step(step);
      return true;
    }
    move_strains(step);
  }
  return false;
}

// Nothing is evaluated anew: what follows is linear in it.
void BeamElement::take_last_step(const Strains& step) {
  strains_ += step;
  last_step_ = step;
  const Strains stress = (stiffness_ + geometric_) * step;
  multipliers_ -= (collected<1>(stress.transpose()) * inverse_).transpose();
  gradient_.head<3>() = -multipliers_.head<3>();
  gradient_.tail<3>() = -scale_ * multipliers_.tail<3>();
}

void BeamElement::move_strains(const Strains& step) {
  strains_ += step * std::min(1.0, kLongestStep / step.lpNorm<Eigen::Infinity>());
}

Strains BeamElement::newton_step(Inner inner) {
  const Vector6 determined = -(inverse_ * residual_);
  Strains step = expanded<1>(determined);
  if (inner == Inner::kept) return step;
  Strains along = (stiffness_ + geometric_) * tangent_;
  // Far from the least energy S alone, which is positive, shows the way down.
  if (tangent_.dot(along) <= 0.0) along = stiffness_ * tangent_;
  step -= tangent_ * ((tangent_.dot(stresses()) + along.dot(step)) / tangent_.dot(along));
  return step;
}

void BeamElement::set_geometric_stiffness() {
  const Vector4d b = 2.0 * left_product(Q_).rightCols<3>() * multipliers_.tail<3>();
  geometric_ = curve_.second_derivative(multipliers_.head<3>(), b);
}

// Lobatto's quaternions are not quite of length one.
Eigen::Matrix3d BeamElement::middle_turn() const {
  const Vector4d q = curve_.middle_turn() + curve_.middle_turn_rows() * last_step_;
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).normalized().toRotationMatrix();
}

Eigen::Matrix<double, 3, 6> BeamElement::middle_turn_rows() {
  const Vector4d& q = curve_.middle_turn();
  const Eigen::Matrix<double, 4, 6> by_pose = curve_.middle_turn_rows().lazyProduct(rows());
  return 2.0 / q.squaredNorm() * left_product(conjugate(q)).bottomRows<3>().lazyProduct(by_pose);
}

const Matrix6& BeamElement::second_derivative() {
  if (!is_differentiated_) differentiate();
  return second_derivative_;
}

// Those of six strains need no second derivative.
const Matrix76& BeamElement::rows() {
  if (has_inner_ && !is_differentiated_) differentiate();
  if (!has_rows_) set_rows();
  return rows_;
}

// Of the strains that the constraints determine, the inner one kept.
void BeamElement::set_rows() {
  Matrix6 by_pose = inverse_;
  by_pose.rightCols<3>() *= scale_;
  rows_ = expanded<6>(by_pose);
  has_rows_ = true;
}

void BeamElement::differentiate() {
  set_geometric_stiffness();
  if (!has_rows_) set_rows();
  // d^2/(d strains d psi) of multipliers . C: Q exp(psi) o m = Q o psi/2 o m.
  const Vector4d moment(0.0, multipliers_[3], multipliers_[4], multipliers_[5]);
  const Matrix43 turned = left_product(Q_).lazyProduct(right_product(moment)).rightCols<3>();
  const Matrix73 mixed = curve_.end_turn_rows().transpose().lazyProduct(turned);
  const Matrix7 L = stiffness_ + geometric_;
  Matrix76 by_strains = L.lazyProduct(rows_);
  by_strains.rightCols<3>() += mixed;
  Matrix6& H = second_derivative_;
  H = rows_.transpose().lazyProduct(by_strains);
  H.bottomRows<3>() += mixed.transpose().lazyProduct(rows_);
  H.bottomRightCorner<3, 3>() += 0.5 * math::skew(gradient_.tail<3>());
  is_differentiated_ = true;
  if (!has_inner_) return;
  const Vector6 of_inner = by_strains.transpose() * tangent_;
  const double curvature = tangent_.dot(L * tangent_);
  H -= of_inner * of_inner.transpose() / curvature;
  rows_ -= tangent_ * of_inner.transpose() / curvature;
}

}  // namespace solidyn::beams

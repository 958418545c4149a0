#include "solidyn/joints/reference_condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/math/dense.h"
#include "solidyn/math/rotation.h"

namespace solidyn::joints {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::cross_of;

// The three off-diagonal entries of Q + Q^T, halved: (12, 13, 23).
Vector3d off_diagonal(const Matrix3d& Q) {
  return 0.5 * Vector3d(Q(0, 1) + Q(1, 0), Q(0, 2) + Q(2, 0), Q(1, 2) + Q(2, 1));
}

// Closer than this, relative to the largest moment, principal axes are decided by mesh noise.
constexpr double kEqualMoments = 1e-5;

Matrix3d principal_axes(const std::string& name, const reduction::InertiaInvariants& inertia) {
  const Vector3d c = inertia.first_moment;
  const Matrix3d D = inertia.N00 - c * c.transpose() / inertia.mass;
  const Matrix3d J = D.trace() * Matrix3d::Identity() - D;
  const auto spectrum = math::symmetric_spectrum(J);
  const Vector3d& moments = spectrum.values;
  const double gap = std::min(moments[1] - moments[0], moments[2] - moments[1]);
  if (gap < kEqualMoments * moments[2]) {
    throw base::InputError(
        fmt::format(
            "bodies.{}.reference_conditions is principal_axis, but two of the body's principal moments of inertia are equal ({:.6g}, {:.6g}, {:.6g} kg m^2): its principal axes are not unique and the conditions are singular",
            name, moments[0], moments[1], moments[2]),
        "use reference_conditions: mean_axis, which has no such restriction");
  }
  return spectrum.vectors;
}

}  // namespace

ReferenceCondition::Polynomials::Polynomials(int n)
    : constant(Vector3d::Zero()), linear(Eigen::Matrix3Xd::Zero(3, n)) {
  quadratic.fill(MatrixXd::Zero(n, n));
}

Vector3d ReferenceCondition::Polynomials::operator()(const VectorXd& w) const {
  Vector3d value = constant + linear * w;
  for (int k = 0; k < 3; ++k) value[k] += 0.5 * w.dot(quadratic[k] * w);
  return value;
}

ReferenceCondition::ReferenceCondition(const std::string& body_name, BodyIndex body,
                                       ReferenceConditionType type,
                                       const reduction::InertiaInvariants& inertia)
    : Constraint(
          "reference conditions of " + body_name, {body}, 6,
          type == ReferenceConditionType::mean_axis_velocity ? Level::velocity : Level::position),
      type_(type),
      S_(inertia.S),
      angular_(static_cast<int>(S_.cols())),
      spread_(type == ReferenceConditionType::principal_axis ? static_cast<int>(S_.cols()) : 0) {
  if (type_ == ReferenceConditionType::principal_axis)
    set_principal_axis_rows(body_name, inertia);
  else
    set_mean_axis_rows(inertia);
}

void ReferenceCondition::set_principal_axis_rows(const std::string& body_name,
                                                 const reduction::InertiaInvariants& inertia) {
  const int n = static_cast<int>(S_.cols());
  const Matrix3d Q = principal_axes(body_name, inertia);
  const Vector3d c = inertia.first_moment / inertia.mass;
  // The rows that fix the centre of mass let c c^T be left out of the variation.
  const Matrix3d D0 = Q.transpose() * (inertia.N00 - inertia.first_moment * c.transpose()) * Q;
  angular_.constant = off_diagonal(D0);
  spread_.constant = D0.diagonal();
  for (int i = 0; i < n; ++i) {
    const Matrix3d D1 = Q.transpose() * (inertia.N0[i] - c * S_.col(i).transpose()) * Q;
    angular_.linear.col(i) = 2.0 * off_diagonal(D1);
    spread_.linear.col(i) = 2.0 * D1.diagonal();
    for (int j = 0; j < n; ++j) {
      const Matrix3d D2 = Q.transpose() * inertia.N[i * n + j] * Q;
      const Vector3d h = 2.0 * off_diagonal(D2);
      for (int k = 0; k < 3; ++k) {
        angular_.quadratic[k](i, j) = h[k];
        spread_.quadratic[k](i, j) = 2.0 * D2(k, k);
      }
    }
  }
}

void ReferenceCondition::set_mean_axis_rows(const reduction::InertiaInvariants& inertia) {
  const int n = static_cast<int>(S_.cols());
  for (int i = 0; i < n; ++i) {
    angular_.linear.col(i) = cross_of(inertia.N0[i]);
    if (type_ == ReferenceConditionType::mean_axis) continue;
    for (int j = 0; j < n; ++j) {  // row i of H_k: factor of du_i is w_j
      const Vector3d h = cross_of(inertia.N[j * n + i]);
      for (int k = 0; k < 3; ++k) angular_.quadratic[k](i, j) = h[k];
    }
  }
}

void ReferenceCondition::evaluate(const bodies::Kinematics& kinematics, double,
                                  ConstraintValues& out) const {
  const bodies::BodyState& s = kinematics.bodies[bodies()[0]];
  const Eigen::Index n = S_.cols();
  out.G.setZero();
  out.G.block(0, 6, 3, n) = S_;
  out.G.block(3, 6, 3, n) = angular_.linear;
  if (type_ != ReferenceConditionType::mean_axis) {
    for (int k = 0; k < 3; ++k)
      out.G.block(3 + k, 6, 1, n) += (angular_.quadratic[k] * s.q_e).transpose();
  }
  if (level(0) == Level::velocity) {
    out.phi.noalias() = out.G * s.v;
    return;
  }
  out.phi.head<3>() = S_ * s.q_e;
  out.phi.tail<3>() = angular_(s.q_e);
}

void ReferenceCondition::evaluate_rates(const bodies::Kinematics& kinematics, double,
                                        ConstraintValues& out) const {
  const bodies::BodyState& s = kinematics.bodies[bodies()[0]];
  out.nu.setZero();
  out.gamma.setZero();
  if (type_ == ReferenceConditionType::mean_axis) return;
  // For mean_axis_velocity this is sum m du x du = 0: the matrices are then antisymmetric.
  const VectorXd dw = s.dq_e();
  for (int k = 0; k < 3; ++k) out.gamma[3 + k] = -dw.dot(angular_.quadratic[k] * dw);
}

void ReferenceCondition::add_stiffness(const bodies::Kinematics&, double,
                                       const Eigen::Ref<const VectorXd>& lambda, double weight,
                                       Eigen::Ref<MatrixXd> K) const {
  if (type_ == ReferenceConditionType::mean_axis) return;
  const Eigen::Index n = S_.cols();
  for (int k = 0; k < 3; ++k) K.block(6, 6, n, n) += weight * lambda[3 + k] * angular_.quadratic[k];
}

std::string ReferenceCondition::warning(const bodies::Kinematics& kinematics) const {
  if (type_ != ReferenceConditionType::principal_axis) return {};
  const Vector3d now = spread_(kinematics.bodies[bodies()[0]].q_e), start = spread_.constant;
  const Vector3d moments = Vector3d::Constant(now.sum()) - now;  // the products are held at zero
  for (int k = 0; k < 3; ++k) {
    const int l = (k + 1) % 3;
    const double gap = moments[k] - moments[l];
    const bool have_crossed = gap * (start[l] - start[k]) < 0.0;
    if (have_crossed || std::abs(gap) < kEqualMoments * moments.maxCoeff())
      return fmt::format(
          "two principal moments of inertia of the deformed body {} ({:.6g} and {:.6g} kg m^2). Where they are equal, the principal axes may rotate by any angle about the third one: compare the motion with reference_conditions: mean_axis, which has no such restriction",
          have_crossed ? "have exchanged their order" : "are nearly equal", moments[k], moments[l]);
  }
  return {};
}

std::string ReferenceCondition::row_name(int row) const {
  const char* names[] = {"centre of mass x", "centre of mass y", "centre of mass z",
                         "rotation 1",       "rotation 2",       "rotation 3"};
  return names[row];
}

}  // namespace solidyn::joints

#include "solidyn/joints/rigid_flexible_joint.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solidyn/math/rotation.h"

namespace solidyn::joints {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::skew;
using Matrix39 = Eigen::Matrix<double, 3, 9>;
using Matrix9 = Eigen::Matrix<double, 9, 9>;
using Vector9 = Eigen::Matrix<double, 9, 1>;

// A vector y of the nine coordinates (b_k, b_m, b_n): value, gradient, and its rate and bias
// acceleration d/dt(gradient) db for given nodal velocities.
struct VectorField {
  Vector3d y;
  Matrix39 grad;
  Vector3d rate;
  Vector3d bias;
};

VectorField difference(const Vector9& b, const Vector9& db, int to) {
  VectorField f;
  f.y = b.segment<3>(3 * to) - b.head<3>();
  f.grad.setZero();
  f.grad.block<3, 3>(0, 3 * to).setIdentity();
  f.grad.leftCols<3>() = -Matrix3d::Identity();
  f.rate = f.grad * db;
  f.bias.setZero();
  return f;
}

// n = y/|y|; dn = P dy/|y|; bias as in (61): -(2 dn n^T + n dn^T) dy/|y|.
VectorField normalized(const VectorField& y) {
  const double length = y.y.norm();
  VectorField f;
  f.y = y.y / length;
  const Matrix3d P = (Matrix3d::Identity() - f.y * f.y.transpose()) / length;
  f.grad = P * y.grad;
  f.rate = P * y.rate;
  f.bias = P * y.bias - (2.0 * f.rate * f.y.dot(y.rate) + f.y * f.rate.dot(y.rate)) / length;
  return f;
}

VectorField cross(const VectorField& p, const VectorField& q) {
  VectorField f;
  f.y = p.y.cross(q.y);
  f.grad = skew(p.y) * q.grad - skew(q.y) * p.grad;
  f.rate = p.rate.cross(q.y) + p.y.cross(q.rate);
  f.bias = p.bias.cross(q.y) + 2.0 * p.rate.cross(q.rate) + p.y.cross(q.bias);
  return f;
}

// Hessian of z . y/|y| with respect to the coordinates of y, from y's own gradient and the Hessian
// that y contributes through P z/|y| (zero for a difference of nodes).
Matrix9 hessian_of_normalized(const VectorField& y, const Vector3d& z, const Matrix9& inner) {
  const double length = y.y.norm();
  const Vector3d n = y.y / length;
  const Matrix3d P = Matrix3d::Identity() - n * n.transpose();
  const Vector3d Pz = P * z;
  const Matrix3d H = -(n.dot(z) * P + n * Pz.transpose() + Pz * n.transpose()) / (length * length);
  return y.grad.transpose() * H * y.grad + inner;
}

struct Triad {
  VectorField km, kn, e1, a, e1_x_a, e2;
};

Triad make_triad(const Vector9& b, const Vector9& db) {
  Triad t;
  t.km = difference(b, db, 1);
  t.kn = difference(b, db, 2);
  t.e1 = normalized(t.km);
  t.a = normalized(t.kn);
  t.e1_x_a = cross(t.e1, t.a);
  t.e2 = normalized(t.e1_x_a);
  return t;
}

Matrix9 hessian_e1(const Triad& t, const Vector3d& z) {
  return hessian_of_normalized(t.km, z, Matrix9::Zero());
}

Matrix9 hessian_e2(const Triad& t, const Vector3d& z) {
  const double length = t.e1_x_a.y.norm();
  const Vector3d g = (z - t.e2.y * t.e2.y.dot(z)) / length;  // gradient through the outer norm
  // g . (e1 x a): second variations of e1 and a, and the mixed one.
  Matrix9 inner = hessian_of_normalized(t.km, t.a.y.cross(g), Matrix9::Zero()) +
                  hessian_of_normalized(t.kn, g.cross(t.e1.y), Matrix9::Zero());
  const Matrix9 mixed = -t.e1.grad.transpose() * skew(g) * t.a.grad;
  inner += mixed + mixed.transpose();
  return hessian_of_normalized(t.e1_x_a, z, inner);
}

// Of axes that are those of the triad.
constexpr double kAligned = 1e-12;

// The three cosines: which triad vector of the flexible body against which axis of the virtual
// body.
struct Cosine {
  int triad;  // 1: e1, 2: e2
  int axis;   // of the virtual body, from 0
};
constexpr Cosine kCosines[3] = {{1, 1}, {1, 2}, {2, 2}};

const VectorField& pick(const Triad& t, int which) { return which == 1 ? t.e1 : t.e2; }

}  // namespace

Matrix3d RigidFlexibleJoint::triad(const Matrix3d& x) {
  const Vector3d e1 = (x.col(1) - x.col(0)).normalized();
  const Vector3d e2 = e1.cross(x.col(2) - x.col(0)).normalized();
  Matrix3d R;
  R << e1, e2, e1.cross(e2);
  return R;
}

RigidFlexibleJoint::RigidFlexibleJoint(std::string name, BodyIndex flexible, BodyIndex virtual_body,
                                       int n_elastic, const Matrix3d& x_nodes,
                                       std::array<Matrix3Xd, 3> Psi, const Matrix3d& R_BV)
    : Constraint(std::move(name), {flexible, virtual_body}, 6),
      flexible_(flexible),
      virtual_(virtual_body),
      n_e_(n_elastic),
      x_(x_nodes),
      Psi_(std::move(Psi)),
      is_aligned_((R_BV - triad(x_nodes)).norm() < kAligned),
      node_triad_(x_, Psi_) {
  const Matrix3d T = triad(x_);
  for (int row = 0; row < 3; ++row)
    cosines_[row] = T.col(kCosines[row].triad - 1).dot(R_BV.col(kCosines[row].axis));
}

namespace {

Triad current_triad(const bodies::BodyState& s, const Matrix3d& x,
                    const std::array<Matrix3Xd, 3>& Psi) {
  Vector9 b, db;
  for (int i = 0; i < 3; ++i) {
    b.segment<3>(3 * i) = x.col(i) + Psi[i] * s.q_e;
    db.segment<3>(3 * i) = Psi[i] * s.dq_e();
  }
  return make_triad(b, db);
}

Matrix3Xd on_elastic(const Matrix39& grad, const std::array<Matrix3Xd, 3>& Psi) {
  return grad.leftCols<3>() * Psi[0] + grad.middleCols<3>(3) * Psi[1] +
         grad.rightCols<3>() * Psi[2];
}

}  // namespace

void RigidFlexibleJoint::evaluate(const bodies::Kinematics& kinematics, double,
                                  ConstraintValues& out) const {
  const bodies::BodyState& i = kinematics.bodies[flexible_];
  const bodies::BodyState& j = kinematics.bodies[virtual_];
  const Triad triad = current_triad(i, x_, Psi_);
  const Vector3d b = x_.col(0) + Psi_[0] * i.q_e;
  const int jv = 6 + n_e_;  // first column of the virtual body
  out.G.setZero();
  out.phi.head<3>() = j.p_WB - i.p_WB - i.R_WB * b;
  out.G.block<3, 3>(0, 0) = -Matrix3d::Identity();
  out.G.block<3, 3>(0, 3) = i.R_WB * skew(b);
  out.G.block(0, 6, 3, n_e_) = -i.R_WB * Psi_[0];
  out.G.block<3, 3>(0, jv) = Matrix3d::Identity();
  for (int row = 0; row < 3; ++row) {
    const VectorField& e = pick(triad, kCosines[row].triad);
    const Vector3d axis = Vector3d::Unit(kCosines[row].axis);
    const Vector3d axis_Bi = i.R_WB.transpose() * (j.R_WB * axis);
    const Vector3d e_Bj = j.R_WB.transpose() * (i.R_WB * e.y);
    out.phi[3 + row] = e.y.dot(axis_Bi) - cosines_[row];
    out.G.block<1, 3>(3 + row, 3) = e.y.cross(axis_Bi).transpose();
    out.G.block(3 + row, 6, 1, n_e_) = axis_Bi.transpose() * on_elastic(e.grad, Psi_);
    out.G.block<1, 3>(3 + row, jv + 3) = axis.cross(e_Bj).transpose();
  }
}

void RigidFlexibleJoint::evaluate_rates(const bodies::Kinematics& kinematics, double,
                                        ConstraintValues& out) const {
  const bodies::BodyState& i = kinematics.bodies[flexible_];
  const bodies::BodyState& j = kinematics.bodies[virtual_];
  const Triad triad = current_triad(i, x_, Psi_);
  const Vector3d w = i.w_WB_B(), wj = j.w_WB_B();
  const Vector3d b = x_.col(0) + Psi_[0] * i.q_e, db = Psi_[0] * i.dq_e();
  out.nu.setZero();
  out.gamma.head<3>() = i.R_WB * (w.cross(w.cross(b)) + 2.0 * w.cross(db));  // (45)
  for (int row = 0; row < 3; ++row) {
    const VectorField& e = pick(triad, kCosines[row].triad);
    const Vector3d axis = Vector3d::Unit(kCosines[row].axis);
    const Vector3d axis_W = j.R_WB * axis, axis_rate_W = j.R_WB * wj.cross(axis);
    const Vector3d acceleration = w.cross(w.cross(e.y)) + 2.0 * w.cross(e.rate) + e.bias;
    out.gamma[3 + row] = -(i.R_WB * acceleration).dot(axis_W) -
                         2.0 * (i.R_WB * (w.cross(e.y) + e.rate)).dot(axis_rate_W) -
                         (i.R_WB * e.y).dot(j.R_WB * wj.cross(wj.cross(axis)));
  }
}

void RigidFlexibleJoint::add_stiffness(const bodies::Kinematics& kinematics, double,
                                       const Eigen::Ref<const VectorXd>& lambda, double weight,
                                       Eigen::Ref<MatrixXd> K) const {
  const bodies::BodyState& i = kinematics.bodies[flexible_];
  const bodies::BodyState& j = kinematics.bodies[virtual_];
  const Triad triad = current_triad(i, x_, Psi_);
  const int jv = 6 + n_e_;
  // Translation: the force -lambda acts on node k.
  const Vector3d b = x_.col(0) + Psi_[0] * i.q_e;
  const Matrix3d F = -weight * skew(i.R_WB.transpose() * lambda.head<3>());
  K.block<3, 3>(3, 3) += skew(b) * F;
  K.block(3, 6, 3, n_e_) -= F * Psi_[0];
  K.block(6, 3, n_e_, 3) += Psi_[0].transpose() * F;
  for (int row = 0; row < 3; ++row) {
    const double l = weight * lambda[3 + row];
    const VectorField& e = pick(triad, kCosines[row].triad);
    const Vector3d axis = Vector3d::Unit(kCosines[row].axis);
    const Matrix3d R_ij = i.R_WB.transpose() * j.R_WB;
    const Vector3d z = R_ij * axis;  // axis in B_i
    const Vector3d e_Bj = R_ij.transpose() * e.y;
    const Matrix3Xd E = on_elastic(e.grad, Psi_);
    const Matrix3d dz_j = -R_ij * skew(axis);  // dz = dz_j dtheta_j + skew(z) dtheta_i
    K.block<3, 3>(3, 3) += l * skew(e.y) * skew(z);
    K.block<3, 3>(3, jv + 3) += l * skew(e.y) * dz_j;
    K.block(3, 6, 3, n_e_) -= l * skew(z) * E;
    K.block(6, 3, n_e_, 3) += l * E.transpose() * skew(z);
    K.block(6, jv + 3, n_e_, 3) += l * E.transpose() * dz_j;
    K.block<3, 3>(jv + 3, jv + 3) += l * skew(axis) * skew(e_Bj);
    K.block<3, 3>(jv + 3, 3) -= l * skew(axis) * R_ij.transpose() * skew(e.y);
    K.block(jv + 3, 6, 3, n_e_) += l * skew(axis) * R_ij.transpose() * E;
    const Matrix9 H = kCosines[row].triad == 1 ? hessian_e1(triad, z) : hessian_e2(triad, z);
    MatrixXd P(9, n_e_);
    P << Psi_[0], Psi_[1], Psi_[2];
    K.block(6, 6, n_e_, n_e_) += l * P.transpose() * H * P;
  }
}

double RigidFlexibleJoint::singularity(const bodies::Kinematics& kinematics) const {
  const bodies::BodyState& i = kinematics.bodies[flexible_];
  const Triad triad = current_triad(i, x_, Psi_);
  const Matrix3d axes = i.R_WB.transpose() * kinematics.bodies[virtual_].R_WB;
  double worst = std::abs(triad.e1.y.dot(triad.a.y));
  for (const Cosine& c : kCosines)
    worst = std::max(worst, std::abs(pick(triad, c.triad).y.dot(axes.col(c.axis))));
  return worst;
}

std::string RigidFlexibleJoint::warning(const bodies::Kinematics& kinematics) const {
  constexpr double kDoubtful = 0.95;
  const double cosine = singularity(kinematics);
  if (cosine <= kDoubtful) return {};
  return fmt::format(
      "the triad of nodes k, m, n and the virtual body's axes are within {:.3g} degrees of a singular position (direction cosine {:.4f}, 1 is singular), where the nodes no longer determine the rotation of the virtual body; attach with rbe3, or choose another region of nodes",
      std::acos(std::min(cosine, 1.0)) * 180.0 / M_PI, cosine);
}

std::string RigidFlexibleJoint::row_name(int row) const {
  const char* names[] = {"node k x", "node k y", "node k z", "cosine 12", "cosine 13", "cosine 23"};
  return names[row];
}

}  // namespace solidyn::joints

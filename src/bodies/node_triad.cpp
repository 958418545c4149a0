#include "solidyn/bodies/node_triad.h"

#include <cmath>

#include "solidyn/math/rotation.h"

namespace solidyn::bodies {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::skew;
using Matrix39 = Eigen::Matrix<double, 3, 9>;
using Row9 = Eigen::Matrix<double, 1, 9>;
using Vector9 = Eigen::Matrix<double, 9, 1>;

// What varies in time: value, rate and second rate; and products of these.
template <class T>
using InTime = std::array<T, 3>;
template <class Result, class Product>
InTime<Result> product(const Product& of) {
  return {Result(of(0, 0)), Result(of(1, 0) + of(0, 1)),
          Result(of(2, 0) + 2.0 * of(1, 1) + of(0, 2))};
}

// The places of k, m, n one after the other.
using Places = InTime<Vector9>;

// A vector that depends on them, and its gradient, [3 x 9].
struct VectorOfNodes {
  InTime<Vector3d> y;
  InTime<Matrix39> grad;
};

VectorOfNodes way(const Places& b, int to) {
  VectorOfNodes v;
  for (int t = 0; t < 3; ++t) {
    v.y[t] = b[t].segment<3>(3 * to) - b[t].head<3>();
    v.grad[t].setZero();
  }
  v.grad[0].middleCols<3>(3 * to).setIdentity();
  v.grad[0].leftCols<3>() = -Matrix3d::Identity();
  return v;
}

// n = s y with s = (y . y)^(-1/2), and grad n = s (1 - n n^T) grad y.
VectorOfNodes unit(const VectorOfNodes& v) {
  const auto square = product<double>([&](int i, int j) { return v.y[i].dot(v.y[j]); });
  const double s = 1.0 / std::sqrt(square[0]), cube = s * s * s;
  const InTime<double> scale = {
      s, -0.5 * cube * square[1],
      0.75 * cube * s * s * square[1] * square[1] - 0.5 * cube * square[2]};
  VectorOfNodes n;
  n.y = product<Vector3d>([&](int i, int j) { return Vector3d(scale[i] * v.y[j]); });
  const auto along =
      product<Row9>([&](int i, int j) { return Row9(n.y[i].transpose() * v.grad[j]); });
  const auto lengthening =
      product<Matrix39>([&](int i, int j) { return Matrix39(n.y[i] * along[j]); });
  InTime<Matrix39> across;
  for (int t = 0; t < 3; ++t) across[t] = v.grad[t] - lengthening[t];
  n.grad = product<Matrix39>([&](int i, int j) { return Matrix39(scale[i] * across[j]); });
  return n;
}

VectorOfNodes cross(const VectorOfNodes& a, const VectorOfNodes& b) {
  return {product<Vector3d>([&](int i, int j) { return Vector3d(a.y[i].cross(b.y[j])); }),
          product<Matrix39>([&](int i, int j) {
            return Matrix39(skew(a.y[i]) * b.grad[j] - skew(b.y[i]) * a.grad[j]);
          })};
}

// The axes, and their angular velocity by the rates of the nodes: w = 1/2 sum e_i x de_i.
struct Turning {
  InTime<Matrix3d> axes;
  InTime<Matrix39> W;

  explicit Turning(const Places& b) {
    const VectorOfNodes e1 = unit(way(b, 1)), e2 = unit(cross(e1, way(b, 2))), e3 = cross(e1, e2);
    for (Matrix39& of : W) of.setZero();
    int column = 0;
    for (const VectorOfNodes* e : {&e1, &e2, &e3}) {
      const auto part = product<Matrix39>(
          [&](int i, int j) { return Matrix39(0.5 * skew(e->y[i]) * e->grad[j]); });
      for (int t = 0; t < 3; ++t) {
        axes[t].col(column) = e->y[t];
        W[t] += part[t];
      }
      ++column;
    }
  }
};

// W by the displacement rows of the nodes.
Matrix3Xd by_modes(const Matrix39& W, const std::array<Matrix3Xd, 3>& Psi) {
  Matrix3Xd sum = W.leftCols<3>() * Psi[0];
  for (int i = 1; i < 3; ++i) sum += W.middleCols<3>(3 * i) * Psi[i];
  return sum;
}

}  // namespace

Vector9 NodeTriad::displacements(const Eigen::Ref<const VectorXd>& q) const {
  Vector9 u;
  for (int i = 0; i < 3; ++i) u.segment<3>(3 * i) = Psi_[i] * q;
  return u;
}

DeformationRates NodeTriad::compute_in_body(const BodyState& carrier, FrameMotion& m) const {
  const Eigen::Index n_e = carrier.q_e.size();
  if (m.J.cols() != 6 + n_e) m.J.setZero(6, 6 + n_e);
  const Vector9 rates = displacements(carrier.dq_e());
  const Turning turning(
      {Eigen::Map<const Vector9>(x_.data()) + displacements(carrier.q_e), rates, Vector9::Zero()});
  m.p = x_.col(0) + Psi_[0] * carrier.q_e;
  m.R = turning.axes[0];
  m.J.topRightCorner(3, n_e) = Psi_[0];
  m.J.bottomRightCorner(3, n_e) = m.R.transpose() * by_modes(turning.W[0], Psi_);
  DeformationRates of;
  of.velocity = rates.head<3>();
  of.spin = m.R.transpose() * (turning.W[0] * rates);
  of.turning = m.R.transpose() * (turning.W[1] * rates);
  return of;
}

// Columns [dp + p x s; s] with s of the axes, and their rates, as they are.
void NodeTriad::compute_fields(const BodyState& carrier, const Eigen::Ref<const VectorXd>& ddq,
                               FrameFields& f) const {
  const Eigen::Index n = carrier.q_e.size();
  const Places b = {Eigen::Map<const Vector9>(x_.data()) + displacements(carrier.q_e),
                    displacements(carrier.dq_e()), displacements(ddq)};
  const Turning turning(b);
  f.by.setIdentity();
  f.rate.setZero();
  f.second.setZero();
  InTime<Matrix3Xd> W;
  for (int t = 0; t < 3; ++t) W[t] = by_modes(turning.W[t], Psi_);
  const auto moved = product<Matrix3Xd>([&](int i, int j) {
    const Vector3d p = b[i].head<3>();
    return Matrix3Xd(skew(p) * W[j]);
  });
  const InTime<FrameFields::Columns*> columns = {&f.x, &f.dx, &f.ddx};
  for (int t = 0; t < 3; ++t) {
    columns[t]->resize(6, n);
    columns[t]->topRows<3>() = moved[t];
    columns[t]->bottomRows<3>() = W[t];
  }
  f.x.topRows<3>() += Psi_[0];
}

// With w = S^T f of the nodes' displacements, each of these as a rate gives dw.
void NodeTriad::add_field_stiffness(const BodyState& carrier,
                                    const Eigen::Matrix<double, 6, 1>& wrench,
                                    Eigen::Ref<MatrixXd> K) const {
  const Vector9 b = Eigen::Map<const Vector9>(x_.data()) + displacements(carrier.q_e);
  const Vector3d force = wrench.head<3>(),
                 torque = Vector3d(wrench.tail<3>()) + force.cross(Vector3d(b.head<3>()));
  Eigen::Matrix<double, 9, 9> by_nodes;
  for (int j = 0; j < 9; ++j) {
    const Vector9 moved = Vector9::Unit(j);
    const Turning turning({b, moved, Vector9::Zero()});
    const Vector3d of_arm = force.cross(Vector3d(moved.head<3>()));
    by_nodes.col(j) = turning.W[1].transpose() * torque + turning.W[0].transpose() * of_arm;
  }
  MatrixXd P(9, carrier.q_e.size());
  P << Psi_[0], Psi_[1], Psi_[2];
  K += P.transpose() * by_nodes * P;
}

}  // namespace solidyn::bodies

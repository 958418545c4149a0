#include "random_bodies.h"

namespace solidyn::testing_support {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

MatrixXd random_second_order(std::mt19937& generator, int n, double scale) {
  MatrixXd Y(3 * n, n);
  for (int a = 0; a < 3; ++a) {
    MatrixXd A(n, n);
    for (int i = 0; i < n; ++i) A.col(i) = random_vector(generator, n, scale);
    Y.middleRows(a * n, n) = A + A.transpose();
  }
  return Y;
}

MassCloud::MassCloud(int n_nodes, int n_modes, unsigned seed) {
  std::mt19937 g(seed);
  m = random_vector(g, n_nodes).array().abs() + 0.1;
  x.resize(3, n_nodes);
  for (int k = 0; k < n_nodes; ++k) x.col(k) = random_vector(g, 3);
  for (int i = 0; i < n_modes; ++i) {
    Matrix3Xd shape(3, n_nodes);
    for (int k = 0; k < n_nodes; ++k) shape.col(k) = random_vector(g, 3);
    X.push_back(shape);
  }
}

void MassCloud::remove_rigid_motion() {
  const Eigen::Index n = x.cols();
  MatrixXd rigid(3 * n, 6);
  VectorXd mass(3 * n);
  for (Eigen::Index k = 0; k < n; ++k) {
    rigid.middleRows<3>(3 * k) << Eigen::Matrix3d::Identity(), -math::skew(x.col(k));
    mass.segment<3>(3 * k).setConstant(m[k]);
  }
  const MatrixXd weighted = mass.asDiagonal() * rigid;
  const Eigen::LDLT<MatrixXd> gram(rigid.transpose() * weighted);
  for (Matrix3Xd& shape : X) {
    Eigen::Map<VectorXd> flat(shape.data(), 3 * n);
    flat -= rigid * gram.solve(weighted.transpose() * flat);
  }
}

reduction::InertiaInvariants MassCloud::invariants() const {
  const int n = static_cast<int>(X.size());
  reduction::InertiaInvariants inertia;
  inertia.mass = m.sum();
  inertia.first_moment = x * m;
  inertia.N00 = x * m.asDiagonal() * x.transpose();
  inertia.S.resize(3, n);
  for (int i = 0; i < n; ++i) {
    inertia.S.col(i) = X[i] * m;
    inertia.N0.emplace_back(x * m.asDiagonal() * X[i].transpose());
    for (int j = 0; j < n; ++j) inertia.N.emplace_back(X[i] * m.asDiagonal() * X[j].transpose());
  }
  return inertia;
}

MatrixXd MassCloud::mass_matrix() const {
  const int n = static_cast<int>(X.size());
  MatrixXd M(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) M(i, j) = (X[i] * m.asDiagonal() * X[j].transpose()).trace();
  return M;
}

MatrixXd MassCloud::stiffness(unsigned seed) const {
  std::mt19937 g(seed);
  const int n = static_cast<int>(X.size());
  MatrixXd A(n, n);
  for (int i = 0; i < n; ++i) A.col(i) = random_vector(g, n);
  return A * A.transpose() + MatrixXd::Identity(n, n);
}

Matrix3Xd MassCloud::deformed(const VectorXd& w) const {
  Matrix3Xd b = x;
  for (std::size_t i = 0; i < X.size(); ++i) b += w[static_cast<int>(i)] * X[i];
  return b;
}

}  // namespace solidyn::testing_support

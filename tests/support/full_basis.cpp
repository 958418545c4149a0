#include "full_basis.h"

namespace solidyn::testing_support {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;

FullBasis::FullBasis(const mesh::DistributedMesh& mesh, const fem::IsotropicElastic& material,
                     fem::MassKind kind) {
  const fem::ElasticBody body = fem::assemble(mesh, material);
  const int n = body.n_owned();
  MatrixXd m = MatrixXd::Zero(n, n);
  K.setZero(3 * n, 3 * n);
  for (int i = 0; i < n; ++i)
    for (std::int64_t k = body.row_start[i]; k < body.row_start[i + 1]; ++k) {
      const auto j = static_cast<int>(body.columns[k]);
      if (kind == fem::MassKind::consistent) m(i, j) = body.mass[k];
      K.block<3, 3>(3 * i, 3 * j) =
          Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(&body.stiffness[9 * k]);
    }
  if (kind == fem::MassKind::lumped) m.diagonal() = body.lumped_mass;
  M.setZero(3 * n, 3 * n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) M.block<3, 3>(3 * i, 3 * j) = m(i, j) * Matrix3d::Identity();

  const Eigen::Matrix3Xd x = mesh.x.leftCols(n), x_m = x * m;
  inertia.mass = m.sum();
  inertia.first_moment = x_m.rowwise().sum();
  inertia.N00 = x_m * x.transpose();
  inertia.S.setZero(3, 3 * n);
  for (int i = 0; i < 3 * n; ++i) {
    const Vector3d e = Vector3d::Unit(i % 3);
    inertia.S.col(i) = m.col(i / 3).sum() * e;
    inertia.N0.push_back(x_m.col(i / 3) * e.transpose());
    for (int j = 0; j < 3 * n; ++j)
      inertia.N.push_back(m(i / 3, j / 3) * e * Vector3d::Unit(j % 3).transpose());
  }
}

std::unique_ptr<bodies::ModalBody> FullBasis::make_body(double alpha, double beta) const {
  return std::make_unique<bodies::ModalBody>("modal", inertia, M, K, MatrixXd(alpha * M + beta * K),
                                             Eigen::VectorXd::Ones(K.rows()));
}

}  // namespace solidyn::testing_support

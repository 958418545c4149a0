#include "reduction/basis/invariants.h"

#include "solidyn/base/mpi.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Columns' components along axis a: [nodes x modes], a view into X.
auto component(const MultiVector& X, int a) {
  using Stride = Eigen::Stride<Eigen::Dynamic, 3>;
  const double* first = X.size() > 0 ? X.data() + a : nullptr;  // without modes there is no array
  return Eigen::Map<const MatrixXd, 0, Stride>(first, X.rows() / 3, X.cols(), Stride(X.rows(), 3));
}

}  // namespace

InertiaInvariants compute_invariants(MPI_Comm comm, Mat M,
                                     const Eigen::Ref<const Eigen::Matrix3Xd>& x,
                                     const MultiVector& X) {
  const Index n = X.cols();
  MultiVector unit = MultiVector::Zero(X.rows(), 1);  // one along the first axis: m times ones
  for (Index k = 0; k < x.cols(); ++k) unit(3 * k, 0) = 1.0;
  const VectorXd mass = component(multiply(M, unit), 0);
  const MultiVector position = Eigen::Map<const VectorXd>(x.data(), x.size());
  const Eigen::Matrix3Xd M_x =
      Eigen::Map<const Eigen::Matrix3Xd>(multiply(M, position).data(), 3, x.cols());
  const MultiVector M_X = multiply(M, X);

  InertiaInvariants out;
  out.S.resize(3, n);
  MatrixXd N0(3 * n, 3), N(3 * n, 3 * n);  // blocks by component: row a n + i, column b n + j
  for (int a = 0; a < 3; ++a) {
    if (n > 0) out.S.row(a) = component(M_X, a).colwise().sum();
    N0.middleRows(a * n, n) = component(M_X, a).transpose() * x.transpose();
    for (int b = 0; b < 3; ++b)
      N.block(a * n, b * n, n, n) = component(X, a).transpose() * component(M_X, b);
  }
  out.mass = mass.sum();
  out.first_moment = x * mass;
  out.N00 = x * M_x.transpose();
  base::sum_in_place(comm, &out.mass, 1);
  base::sum_in_place(comm, out.first_moment.data(), 3);
  base::sum_in_place(comm, out.N00.data(), 9);
  base::sum_in_place(comm, out.S.data(), static_cast<int>(out.S.size()));
  base::sum_in_place(comm, N0.data(), static_cast<int>(N0.size()));
  base::sum_in_place(comm, N.data(), static_cast<int>(N.size()));

  out.N0.resize(n);
  out.N.resize(n * n);
  for (Index i = 0; i < n; ++i) {
    for (int a = 0; a < 3; ++a) out.N0[i].col(a) = N0.row(a * n + i).transpose();
    for (Index j = 0; j < n; ++j)
      for (int a = 0; a < 3; ++a)
        for (int b = 0; b < 3; ++b) out.N[i * n + j](a, b) = N(a * n + i, b * n + j);
  }
  return out;
}

}  // namespace solidyn::reduction

#include "port_responses.h"

#include <mpi.h>

#include <algorithm>
#include <cmath>

namespace solidyn::bodies {

using Eigen::MatrixXd;
using Eigen::VectorXd;

void PortResponses::measure(MPI_Comm comm) {
  largest.setZero(size());
  if (dense.rows() > 0)
    largest.head(dense.cols()) = dense.cwiseAbs().colwise().maxCoeff().transpose();
  for (int j = 0; j < sparse.outerSize(); ++j)
    for (Eigen::SparseMatrix<double>::InnerIterator entry(sparse, j); entry; ++entry) {
      double& of_column = largest[dense.cols() + j];
      of_column = std::max(of_column, std::abs(entry.value()));
    }
  MPI_Allreduce(MPI_IN_PLACE, largest.data(), size(), MPI_DOUBLE, MPI_MAX, comm);
}

void PortResponses::multiply(const VectorXd& f, Eigen::Ref<VectorXd> y) const {
  y.noalias() = dense * f.head(dense.cols());
  if (sparse.cols() > 0) y += sparse * f.tail(sparse.cols());
}

MatrixXd PortResponses::inverse_flexibility(const Ports& ports) const {
  if (sparse.cols() == 0) return ports.inverse_flexibility(dense);
  MatrixXd G(ports.size(), size());
  G << ports.of(dense), ports.of(sparse);
  return ports.inverse(G);
}

}  // namespace solidyn::bodies

#include "port_responses.h"

namespace solidyn::bodies {

using Eigen::MatrixXd;
using Eigen::VectorXd;

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

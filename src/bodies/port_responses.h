#pragma once
#include "ports.h"

namespace solidyn::bodies {

/// Y = A^-1 P: what a unit force on each port does to all nodes, this rank's rows. The first
/// columns fill whole fields; the others do so too, unless A is a diagonal mass.
/// Proved by FloatingFrame.ImpulsesOnPortsMoveNodesAsTheMassDoes and
/// CondensedIncrementSolvesTheWholeBody.
struct PortResponses {
  Eigen::MatrixXd dense;               ///< [3 n_owned x n_dense]
  Eigen::SparseMatrix<double> sparse;  ///< [3 n_owned x rest]

  int size() const { return static_cast<int>(dense.cols() + sparse.cols()); }
  /// Y f of this rank's rows. @param f [size]
  void multiply(const Eigen::VectorXd& f, Eigen::Ref<Eigen::VectorXd> y) const;
  /// Collective. (P^T Y)^-1
  Eigen::MatrixXd inverse_flexibility(const Ports& ports) const;
};

}  // namespace solidyn::bodies

#pragma once
#include <Eigen/Sparse>
#include <vector>

#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::bodies {

/// Linear functionals s = P^T u of a body's nodal displacements, distributed by rows of P. The
/// first columns are dense (moments of the whole body), the others touch a few nodes each.
struct Ports {
  MPI_Comm comm = MPI_COMM_SELF;
  Eigen::MatrixXd dense;               ///< [3 n_owned x n_dense]
  Eigen::SparseMatrix<double> sparse;  ///< [3 n_owned x rest]

  int size() const { return static_cast<int>(dense.cols() + sparse.cols()); }
  /// Collective. P^T X of this rank's rows X [3 n_owned x k]; bitwise the same on all ranks.
  Eigen::MatrixXd of(const Eigen::Ref<const Eigen::MatrixXd>& X) const;
  Eigen::MatrixXd of(const Eigen::SparseMatrix<double>& X) const;
  /// Collective. (P^T Y)^-1 of responses Y = A^-1 P, symmetric as A is as far as Y is exact.
  /// @param held  [size x k] combinations of ports that do not yield (zero in P^T Y) and carry no
  ///   force: held held^T is added to P^T Y, so that they follow their nodes
  /// @throws base::ComputationError when the other ports depend on each other
  Eigen::MatrixXd inverse_flexibility(const Eigen::MatrixXd& Y,
                                      const Eigen::MatrixXd& held = {}) const;
  /// The same of G = P^T Y. Local.
  static Eigen::MatrixXd inverse(const Eigen::MatrixXd& G);
};

/// Independent ports and what the others are in terms of them.
struct PortBasis {
  Ports ports;                  ///< those of the candidates that do not depend on earlier ones
  std::vector<int> candidates;  ///< index of each among the candidates
  Eigen::MatrixXd expansion;    ///< [n_candidates x n_ports]: s_candidate = expansion s
};

/// Collective. Keeps the candidates, in order, that do not depend on those before them, by
/// Cholesky's factorisation of the Gram matrix of the candidates scaled to unit length. One that is
/// zero depends on the others. @pre the dense candidates are independent. Proved by
/// FloatingFramePorts.*.
PortBasis make_port_basis(Ports candidates);

/// Column builder of the sparse ports: functionals of the displacements of a few nodes.
class SparsePorts {
 public:
  explicit SparsePorts(const mesh::DistributedMesh& mesh) : mesh_(mesh) {}
  /// One port per row of weights [r x 3 k]: weights times the displacements of the nodes (global).
  /// @return the index of the first of them
  int add(const std::vector<std::int64_t>& nodes, const Eigen::Ref<const Eigen::MatrixXd>& weights);
  /// One port per column of this rank's rows of P. @param columns [3 n_owned x r]
  int add(const Eigen::MatrixXd& columns);
  Eigen::SparseMatrix<double> matrix() const;

 private:
  const mesh::DistributedMesh& mesh_;
  std::vector<Eigen::Triplet<double>> entries_;
  int n_ = 0;
};

}  // namespace solidyn::bodies

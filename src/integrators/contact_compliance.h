#pragma once
#include <Eigen/Sparse>
#include <vector>

#include "solidyn/solvers/friction/contact_operator.h"

namespace solidyn::integrators {

class ContactPoints;
struct ContactFactors;
class SaddlePointSolve;

/// Of a matrix [n_unknowns x 3 n], the rows of one cluster (integrators::Clusters) and the columns
/// of the contacts that move it: all that is not zero there.
struct ClusterColumns {
  std::vector<int> rows;      ///< unknowns
  std::vector<int> contacts;  ///< three columns each
  Eigen::MatrixXd values;     ///< [rows x 3 contacts]
};

/// A matrix [n_unknowns x 3 n] cluster by cluster.
class ClusteredMatrix {
 public:
  ClusteredMatrix() = default;
  ClusteredMatrix(Eigen::Index n_rows, std::vector<ClusterColumns> clusters)
      : n_rows_(n_rows), clusters_(std::move(clusters)) {}
  /// All in one cluster.
  explicit ClusteredMatrix(Eigen::MatrixXd whole)
      : n_rows_(whole.rows()), whole_(std::move(whole)) {}
  Eigen::VectorXd operator*(const Eigen::VectorXd& r) const;

 private:
  Eigen::Index n_rows_ = 0;
  std::vector<ClusterColumns> clusters_;
  Eigen::MatrixXd whole_;
};

/// What unit forces at some points do by a factorised saddle-point matrix: X = [S G^T; G 0]^-1
/// [scale W; 0], and the velocities A = velocity W^T X that they give these points.
struct ContactCompliance {
  std::vector<int> points;
  Eigen::SparseMatrix<double> W;  ///< [n_v x 3 n]
  ClusteredMatrix X;              ///< [n_unknowns x 3 n]
  solvers::friction::ContactBlocks A{0, {}};
};

/// Up to so many points the matrix may have any entries: each column of W has a solution of its
/// own. Of more it must not mix unknowns of different clusters: then columns of different clusters
/// share one, of which each takes its rows, and their number is that of the directions on the body
/// (or mechanism) that has most.
constexpr int kPointsWithOwnSolutions = 16;

/// What unit forces on single velocities do, kept with the factors: those that a few points have
/// act on the same ones while their directions turn.
struct UnitSolutions {
  int factors = 0;          ///< ContactFactors::number
  std::vector<int> of;      ///< velocities
  Eigen::MatrixXd columns;  ///< [n_unknowns x of]
};

/// Local. Proved by Tower.* in tests/unit/integrators.
ContactCompliance contact_compliance(const ContactPoints& contacts, const std::vector<int>& of,
                                     SaddlePointSolve& solve, double scale, int n_unknowns,
                                     double velocity = 1.0);
/// The same by factors that are kept.
ContactCompliance contact_compliance(const ContactPoints& contacts, const std::vector<int>& of,
                                     const ContactFactors& factors, int n_unknowns,
                                     double velocity = 1.0);

}  // namespace solidyn::integrators

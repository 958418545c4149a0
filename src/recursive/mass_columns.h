#pragma once
#include "solidyn/recursive/articulated_bodies.h"

namespace solidyn::recursive {

/// M^-1 of a tree of rigid bodies times many columns at once, by the sweeps of ArticulatedBodies
/// about one point for all links, so that forces and accelerations go from link to link as they
/// are, and the columns lie side by side. Local. Proved by DynamicsDerivatives.*
class MassColumns {
 public:
  explicit MassColumns(Tree& tree);

  /// B := M^-1 B of speeds that follow no law; rows of others become zero. Factorises.
  /// @param[in,out] B [n_speeds x any]   @pre Tree::compute_motion()
  /// @param[out] inverse  null, or M^-1 itself, of whose columns those of a link and of all after
  /// it are enough: it is symmetric
  /// @throws base::ComputationError as ArticulatedBodies::factorise()
  void divide(const Eigen::Vector3d& point, Eigen::MatrixXd& B, Eigen::MatrixXd* inverse);

 private:
  using Columns = Eigen::Matrix<double, Eigen::Dynamic, 6>;  // six numbers of each column of B
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Index first_column(const Link& k) const;
  void sweep_inwards(const Eigen::Vector3d& point, Rows& x);
  void sweep_outwards(const Eigen::Vector3d& point, Rows& x);

  Tree& tree_;
  ArticulatedBodies bodies_;                // without closures
  std::vector<int> stream_;                 // of each link: it takes that of its first child over
  std::vector<std::vector<int>> children_;  // of each link
  std::vector<Columns> of_stream_;
  bool has_inverse_ = false;  // columns begin with those of M^-1
};

}  // namespace solidyn::recursive

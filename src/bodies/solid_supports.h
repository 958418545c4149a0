#pragma once
#include <vector>

#include "nodal_axes.h"
#include "solidyn/bodies/solid_body.h"

namespace solidyn::bodies {

/// The directions in which supports hold a node: d_j = sum_i q_i T_ij with q_i columns of the
/// node's axes, T upper triangular.
struct HeldNode {
  std::int32_t node = -1;                              ///< owned
  Eigen::Matrix3d axes = Eigen::Matrix3d::Identity();  ///< Q; the world's where they will do
  std::vector<PetscInt> components;                    ///< i: of Q's columns, those q_i
  Eigen::MatrixXd T;                                   ///< [n x n]
  std::vector<int> supports;                           ///< [n] of each d_j
  std::vector<int> directions;                         ///< [n] of each d_j, x, y or z there
  Eigen::VectorXd u_start;                             ///< [n] along q_i
};

/// Components of nodal displacements that supports prescribe, along the held nodes' own axes. They
/// are eliminated rows of the body's equations: no multipliers.
class SolidSupports {
 public:
  /// Collective. A direction that an earlier support holds as well belongs to that one.
  /// @throws base::InputError when a selection holds no node, a node belongs to a rigid region
  ///   (rows of `taken`, local), or supports of which one moves hold it along one direction
  SolidSupports(const mesh::DistributedMesh& mesh, const std::vector<Support>& supports,
                const std::vector<PetscInt>& taken);

  bool is_empty() const { return supports_.empty(); }  ///< on all ranks
  /// Of the nodes whose held components are not those of the world.
  const NodalAxes& axes() const { return *axes_; }
  /// Local rows, 3 node + component.
  const std::vector<PetscInt>& rows() const { return rows_; }

  /// Takes these displacements as those at which supports stand, then moves the held components to
  /// where they are at t = 0. Local.
  void start(NodalState& state);
  /// What u (accelerations: ddu) lacks at the held rows. Local. [n rows]
  enum class Level { position, acceleration };
  Eigen::VectorXd defect(Level level, const NodalState& state, double t) const;
  /// Local. Held rows of a vector in world axes. [n rows]
  Eigen::VectorXd held_part(const Eigen::Ref<const Eigen::Matrix3Xd>& nodes) const;
  /// Collective. Sums of a force's held rows by support, in W. @param f [n rows] [3 x n_supports]
  Eigen::Matrix3Xd sums(const Eigen::VectorXd& f) const;

 private:
  void finish(const mesh::DistributedMesh& mesh);
  enum class Order { value, first, second };
  Eigen::VectorXd prescribed(const HeldNode& held, double t, Order order) const;

  std::vector<Support> supports_;
  std::vector<HeldNode> held_;           // ascending
  std::vector<Eigen::Index> first_row_;  // of each, in rows()
  std::vector<PetscInt> rows_;
  std::unique_ptr<NodalAxes> axes_;
  MPI_Comm comm_;
};

}  // namespace solidyn::bodies

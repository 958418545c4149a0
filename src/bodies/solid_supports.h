#pragma once
#include <vector>

#include "solidyn/bodies/solid_body.h"

namespace solidyn::bodies {

/// Components of nodal displacements that supports prescribe. They are eliminated rows of the
/// body's equations: no multipliers.
class SolidSupports {
 public:
  /// Collective. @throws base::InputError when a selection holds no node, or a component is held
  /// twice or belongs to a rigid region (rows of `taken`, local)
  SolidSupports(const mesh::DistributedMesh& mesh, const std::vector<Support>& supports,
                const std::vector<PetscInt>& taken);

  bool is_empty() const { return supports_.empty(); }  ///< on all ranks
  /// Local rows, 3 node + axis, ascending.
  const std::vector<PetscInt>& rows() const { return rows_; }

  /// Takes these displacements as those at which supports stand, then moves the held components to
  /// where they are at t = 0. Local.
  void start(NodalState& state);
  /// What u (accelerations: ddu) lacks at the held rows. Local. [n rows]
  enum class Level { position, acceleration };
  Eigen::VectorXd defect(Level level, const NodalState& state, double t) const;
  /// Collective. Sums of a force's held rows by support. @param f [n rows] [3 x n_supports]
  Eigen::Matrix3Xd sums(const Eigen::VectorXd& f) const;

 private:
  std::vector<Support> supports_;
  std::vector<PetscInt> rows_;
  std::vector<int> support_of_;  // of each row
  Eigen::VectorXd u_start_;      // of each row
  MPI_Comm comm_;
};

}  // namespace solidyn::bodies

#pragma once
#include <Eigen/Sparse>
#include <functional>
#include <vector>

#include "solidyn/base/petsc.h"
#include "solidyn/math/dense.h"
#include "solidyn/mesh/distributed_mesh.h"
#include "solidyn/mesh/interface.h"

namespace solidyn::bodies {

/// Regions of nodes that can move affinely only, u_k = y_0 + sum_j xi_jk y_j: their displacements
/// are T y, T = (1, xi) (x) I3. With the virtual body that holds their directions (joints::
/// RigidRegion) they are rigid. All calls are collective.
///
/// Solves A u = b among such fields: with f the free nodes,
///   [A_ff W; W^T S][u_f; y] = [b_f; T^T b],   W = (A T)_f,   S = T^T A T
/// by elimination of u_f, so that thousands of nodes do not fill the factor of A_ff. Iterations can
/// do without, where each of their fields is admissible: make_affine() of nodal forces is T^T b.
class RigidRegions {
 public:
  explicit RigidRegions(const mesh::DistributedMesh& mesh);

  /// @return the first of the 1 + m columns (times 3) of T that the region adds
  /// @param xi [m x k] coordinates of the nodes along the region's principal directions
  int add(const std::vector<std::int64_t>& nodes, const Eigen::MatrixXd& xi);
  void finish();

  bool is_empty() const { return n_columns_ == 0; }
  int n_columns() const { return n_columns_; }
  const std::vector<PetscInt>& rows() const { return rows_; }  ///< of region nodes, local
  /// An owned node of a region: u = y_0 + sum_j xi_j y_j, y_j from column first + 3 j of T on.
  struct Member {
    std::int32_t node = 0;
    int first = 0;
    Eigen::VectorXd xi;  ///< at most three
  };
  const std::vector<Member>& members() const { return members_; }
  /// Whether the motions of some owned nodes alone say how all regions move, none of their columns
  /// by less than a thousandth of what all nodes say.
  bool are_determined_by(const std::vector<std::int32_t>& nodes) const;
  /// Functionals of nodal displacements as columns: first those that give y, T (T^T T)^-1, then P
  /// with equal value on all admissible fields, so that what depends on y alone shows it.
  Eigen::SparseMatrix<double> functionals(const Eigen::SparseMatrix<double>& P) const;

  /// y of the best affine fits of nodal fields: (T^T T)^-1 T^T X. [n_columns x k]
  Eigen::MatrixXd fit(const Eigen::Ref<const Eigen::MatrixXd>& X) const;
  /// Takes out of nodal fields what they have on the regions beside their best affine fits. Nodal
  /// forces keep what they do on admissible fields.
  void make_affine(Eigen::Ref<Eigen::MatrixXd> X) const;

  /// From now on these rows (local, not the regions') do not move either.
  void hold(const std::vector<PetscInt>& rows) { held_ = rows; }

  using Operator = std::function<Eigen::MatrixXd(const Eigen::MatrixXd&)>;
  /// @param multiply by the full A; prepare() calls it once with T
  void multiply_columns(const Operator& multiply);
  /// @param solve with A whose region rows and columns are the identity's
  void prepare(const Operator& solve);
  /// A^-1 B among admissible fields; B is changed.
  Eigen::MatrixXd solve(const Operator& solve, Eigen::MatrixXd B) const;

 private:
  Eigen::MatrixXd of_columns(const Eigen::Ref<const Eigen::MatrixXd>& X) const;

  const mesh::DistributedMesh& mesh_;
  std::vector<Member> members_;
  int n_columns_ = 0;
  std::vector<PetscInt> rows_, held_;
  Eigen::SparseMatrix<double> T_;
  math::CholeskyFactor gram_;  // of T^T T
  Eigen::MatrixXd W_, S_, Y_;
  math::FullLuFactor schur_;
};

}  // namespace solidyn::bodies

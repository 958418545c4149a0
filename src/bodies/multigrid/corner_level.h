#pragma once
#include <memory>
#include <vector>

#include "bodies/rigid_regions.h"
#include "fem/assembly/corner_mesh.h"
#include "solidyn/base/petsc.h"
#include "solidyn/fem/solid_operator.h"

namespace solidyn::bodies {

/// What multigrid takes of the level below the mesh.
struct CoarseLevel {
  ::Mat interpolation = nullptr;  ///< P, from the coarse nodes to all
  ::Mat matrix = nullptr;         ///< about P^T A P, type AIJ, block size 3
  Eigen::Matrix3Xd x;             ///< [3 x n_owned] coarse nodes, m: of them are its rigid motions
  /// With rigid regions, whose unknowns are no nodes, the motions themselves: [own rows x 6]
  Eigen::MatrixXd rigid;
  double n_nodes = 0.0;   ///< of all ranks
  ::Vec rough = nullptr;  ///< a field on all nodes that has every wave length
};

/// The second level of a mesh with nodes in the middle of edges: its corners, with the linear
/// elements between them of the same material. With straight edges its stiffness is that of the
/// mesh for fields that are linear along edges, P^T K P. All calls are collective.
/// Proved by BodyMultigrid.*
class CornerLevel {
 public:
  /// @param whole must outlive this object      @param options of the whole mesh
  /// @param m [n_owned] row sums of the mass matrix, attached masses included
  CornerLevel(const mesh::DistributedMesh& whole, const fem::Sections& sections,
              fem::SolidOptions options, fem::MassKind kind, const Eigen::VectorXd& m);

  /// Holds local rows of the whole mesh, and the ends of edges whose middle is held: else the
  /// coarse matrix would let what P leaves out move freely. Makes P. With regions the columns of
  /// their T follow those of all corners, on the last rank: P y = T y there, and their corners have
  /// no motions of their own.
  /// @param regions null, or determined by corners; they must outlive this object and move as their
  /// T only
  void hold(const std::vector<PetscInt>& rows, const RigidRegions* regions = nullptr);

  /// Whether corners have all unknowns of regions: not where a region has nodes in the middle of
  /// edges only, or corners in one plane and others beside it.
  bool determines(const RigidRegions& regions) const;

  /// Springs along all axes on owned nodes of the whole mesh, N/m times the coefficient of the
  /// stiffness. @pre hold() was not called
  void add_springs(const std::vector<std::int32_t>& nodes, double stiffness);

  /// At positions x [3 x n_local of the whole mesh]. @pre hold()
  CoarseLevel assemble(const Eigen::Matrix3Xd& x, const fem::TangentCoefficients& coefficients);

 private:
  void make_masses(const Eigen::VectorXd& m, fem::MassKind kind);
  void make_rough_field();
  void find_members();
  void hold_corners(const Eigen::Matrix3Xd& is_held);
  void make_interpolation(const Eigen::Matrix3Xd& is_held);
  void make_expansion();
  ::Mat reduce();
  void set_rigid_motions(const Eigen::Matrix3Xd& x, Eigen::MatrixXd& fields) const;
  bool is_member(std::int32_t node) const { return regions_ && of_regions_(0, node) > 0.0; }
  template <class Action>
  void for_coefficients(std::int32_t node, int axis, const Action& action) const;
  PetscInt n_own_columns() const;

  const mesh::DistributedMesh& whole_;
  std::unique_ptr<fem::CornerMesh> corners_;  // forces_ refers to it and to body_
  std::vector<fem::CornerWeight> weights_;    // until P is made
  fem::ElasticBody body_;
  std::unique_ptr<fem::SolidOperator> forces_;
  std::vector<PetscInt> held_rows_;  // global, of the coarse matrix
  Eigen::Matrix3Xd is_corner_held_;  // [3 x n_local] of the corners, until P is made
  const RigidRegions* regions_ = nullptr;
  // [3 x n_local] of the whole mesh: first column and one, number of xi; xi. Until P is made.
  Eigen::Matrix3Xd of_regions_, xi_;
  Eigen::Matrix3Xd x_;        // [3 x n_local] of the corners
  bool has_springs_ = false;  // the same on all ranks
  Eigen::VectorXd springs_;   // [3 n_owned] of the corners, N/m
  base::Mat P_, A_;
  base::Mat E_, reduced_;  // fields of the corners by the coarse unknowns; E^T A E
  base::Vec rough_;
};

}  // namespace solidyn::bodies

#pragma once
#include "reduction/basis/rigid_sets.h"
#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::reduction {

/// Fields of the corners of a mesh's elements in the coordinates below.
struct CornerInterpolation {
  base::Mat P;                       ///< to all coordinates, AIJ; of rigid motions it is exact
  std::vector<std::int32_t> blocks;  ///< local blocks that are those of the corners', in order
};

/// The independent coordinates of a body with rigid sets, in blocks of three: owned nodes that have
/// some of their own, in order, then two blocks for the frame of each set whose first node this
/// rank owns. Blocks of nodes that are tied in one or two directions, and of frames with fewer than
/// six motions, have idle coordinates. All calls are collective but n_idle().
class RigidCoordinates {
 public:
  /// The arguments must outlive this object.
  RigidCoordinates(const mesh::DistributedMesh& mesh, const RigidSets& rigid);

  std::int64_t n_idle() const { return n_idle_; }  ///< on all ranks
  /// T: u = T v; idle coordinates move nothing.
  base::Mat make_expansion() const;
  /// The corners' coordinates are those of frames and of nodes that are corners. In the middle of
  /// an edge they make what the corners' displacements do (fem::make_corner_weights()), of which a
  /// node that is tied in some directions takes what is left to it.
  CornerInterpolation make_corner_interpolation() const;
  /// A += value on the idle coordinates.
  void add_idle(double value, const base::Mat& A) const;
  /// Of the body about `center`: of nodes what is left to them; a frame moves with its origin and
  /// turns with the body. Idle coordinates are zero. [rows x 6]
  MultiVector rigid_motions(const Eigen::Vector3d& center) const;

 private:
  struct IdleBlock {
    std::int64_t block;         // global
    Eigen::MatrixXd projector;  // [3 x 3] or [6 x 6]
  };
  std::int64_t n_blocks() const { return free_nodes_.size() + 2 * frames_.size(); }
  void number_blocks();
  void find_idle();
  void insert_ties(std::int64_t node, const std::vector<RigidSets::Tie>& ties,
                   const base::Mat& T) const;

  const mesh::DistributedMesh& mesh_;
  const RigidSets& rigid_;
  std::int64_t first_ = 0;                 // global block of this rank's first
  std::vector<std::int32_t> free_nodes_;   // owned nodes that are not tied in all directions
  std::vector<int> frames_;                // sets whose blocks live here
  std::vector<std::int64_t> frame_block_;  // per set, on all ranks
  std::vector<IdleBlock> idle_;
  std::int64_t n_idle_ = 0;
};

}  // namespace solidyn::reduction

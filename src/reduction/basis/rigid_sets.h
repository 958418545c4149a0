#pragma once
#include <map>

#include "reduction/basis/support_geometry.h"
#include "reduction/eigen/multivector.h"
#include "solidyn/mesh/interface.h"

namespace solidyn::reduction {

/// Nodes, or components of their displacements, that move like a rigid body: an rbe2 interface, or
/// a support that holds a region. Its coordinates are the translation and small rotation of a
/// frame.
struct RigidSet {
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();
  std::int64_t first_node = -1;  ///< global; its owner has the coordinates
  double length = 1.0;           ///< m, that turns rotations into displacements
  /// Projector on the motions (a, length w) that move none of the components. Zero of an interface.
  Eigen::Matrix<double, 6, 6> null = Eigen::Matrix<double, 6, 6>::Zero();
};

/// The rigid sets of a body and the components of nodes that belong to them.
class RigidSets {
 public:
  struct Tie {
    int set;
    Eigen::Vector3d d;  ///< d . u_k = d . (a + w x (x_k - origin)) of the set
  };
  /// @throws base::InputError when two rigid regions share a node
  RigidSets(const std::vector<mesh::Interface>& interfaces, const std::vector<HeldNodes>& supports);

  bool is_empty() const { return sets_.empty(); }
  const std::vector<RigidSet>& sets() const { return sets_; }
  const std::map<std::int64_t, std::vector<Tie>>& ties() const { return ties_; }
  /// None of the node's displacement is its own.
  bool is_tied(std::int64_t node) const;
  /// On what is left to a node: I - D (D^T D)^-1 D^T with the directions D of its ties.
  Eigen::Matrix3d free_part(std::int64_t node) const;

 private:
  void add_interface(const mesh::Interface& interface);
  void add_support(const HeldNodes& support);

  std::vector<RigidSet> sets_;
  std::map<std::int64_t, std::vector<Tie>> ties_;
};

/// Columns D (D^T D)^-1, so that u = free_part v + sum_j column_j (d_j . u).
Eigen::Matrix3Xd dual_directions(const std::vector<RigidSets::Tie>& ties);

}  // namespace solidyn::reduction

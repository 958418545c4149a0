#pragma once
#include "recursive/node_matrix.h"

namespace solidyn::recursive {

/// What stays in absolute coordinates beside the tree: nodes of beams, with the mass matrix and the
/// forces of their elements as the system has them. Nothing but closures and forces connects it
/// with the tree. With r of the elements and of all that acts on the nodes themselves,
///   M du + r + K lambda = 0
/// group by group, K the rows of closures on the speeds of the group. Local.
/// Proved by Mechanism.HasBeamsBesideTheTree, BeamsBesideTheTree.*
class AbsolutePart {
 public:
  explicit AbsolutePart(Tree& tree);
  bool empty() const { return tree_.node_groups().empty(); }
  int n_groups() const { return static_cast<int>(elements_.size()); }
  const std::vector<NodeElements>& elements(int group) const { return elements_[group]; }

  /// Of the elements, at the system's kinematics and its accelerations. @pre System::update()
  void set_forces();
  void set_forces_to_zero();
  /// The same without keeping them. [n_speeds]
  void add_forces_of_elements(Eigen::VectorXd& r) const;
  /// Adds them to generalised forces of the tree's speeds. [n_speeds]
  void add_forces(Eigen::VectorXd& r) const { r += r_; }

  /// M of all groups at the system's kinematics. @pre Tree::compute_motion() of the same
  /// @throws base::ComputationError naming a body where M is singular
  void factorise();
  /// du of a group with the forces of its elements and those on its links, Link::z, without
  /// closures. @param[in,out] du  [n_speeds] of the tree
  void accelerate(int group, Eigen::VectorXd& du) const;
  /// M^-1 K. [n of the group x rows]
  Eigen::MatrixXd divided(int group, const Eigen::MatrixXd& K) const {
    return mass_[group].solve_columns(K);
  }
  /// Link::a of all nodes, where the tree moves with these rates; nothing holds them, Link::f = 0.
  void settle(const Eigen::VectorXd& du);

 private:
  Tree& tree_;
  std::vector<std::vector<NodeElements>> elements_;  // of each group
  std::vector<NodeMatrix> mass_;
  Eigen::VectorXd r_;  // of elements, on the speeds of the tree
};

}  // namespace solidyn::recursive

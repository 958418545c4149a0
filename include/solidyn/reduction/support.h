#pragma once
#include <string>
#include <vector>

#include "solidyn/mesh/interface.h"

namespace solidyn::reduction {

/// Nodes of a body that something outside of it holds along one to three directions.
struct SupportDefinition {
  std::string name;
  mesh::NodeSelection nodes;
  Eigen::Matrix3Xd directions;  ///< [3 x 1..3] orthonormal, mesh axes
  bool moves = false;           ///< with time, so that its nodes cannot be those of another support
};

/// What distinguishes two definitions of the same name: a hash of selection and directions.
std::string digest(const SupportDefinition& definition);

/// Of a node that a support holds: the component d . u of its displacement.
struct HeldComponent {
  std::int64_t node = -1, tag = 0;  ///< global number; number in the file
  Eigen::Vector3d x = Eigen::Vector3d::Zero(), d = Eigen::Vector3d::Zero();  ///< mesh axes, m
  int direction = 0;  ///< which of the support's
};

/// A support on the mesh; replicated on all ranks. What its components do in a rigid motion follows
/// from a few of them, the independent ones. As many as there are: the support says nothing about
/// the body's deformation. Fewer: it holds a region, whose components move like those of a rigid
/// body, whatever the support itself does.
struct HeldNodes {
  std::string name, digest;
  std::vector<HeldComponent> components;
  std::vector<std::size_t> independent;  ///< of `components`, six at most
  bool is_region() const { return components.size() > independent.size(); }
};

/// Collective. A component that an earlier support holds as well belongs to that one.
/// @throws base::InputError (on all ranks): a selection without nodes; nodes that a support holds
///   and an rbe2 interface too; nodes of a support that moves and of another, along one direction
std::vector<HeldNodes> resolve_supports(const mesh::DistributedMesh& mesh,
                                        const std::vector<SupportDefinition>& definitions,
                                        const std::vector<mesh::Interface>& interfaces);

/// An independent component as the reduced body sees it: d . u = d . Psi w.
struct HeldPoint {
  Eigen::Vector3d x_B = Eigen::Vector3d::Zero(), d_B = Eigen::Vector3d::Zero();
  int direction = 0;
  Eigen::Matrix3Xd Psi;  ///< [3 x n_modes]
};

/// A support of a reduced body: holding its points holds all of its nodes.
struct ReducedSupport {
  std::string name, digest;
  bool is_region = false;
  std::vector<HeldPoint> points;
};

}  // namespace solidyn::reduction

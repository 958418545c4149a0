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

/// A weighted sum over the components that a support holds along one direction. With x - centre of
/// each, their weights are constant + gradient . (x - centre).
struct HeldSum {
  int direction = 0;
  Eigen::Vector3d d = Eigen::Vector3d::Zero();       ///< mesh axes
  Eigen::Vector3d x = Eigen::Vector3d::Zero();       ///< the sum of the positions, m
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< mean position, m
  double constant = 0.0;
  Eigen::Vector3d gradient = Eigen::Vector3d::Zero();  ///< 1/m
  double weight(const HeldComponent& c) const {
    return c.direction == direction ? constant + gradient.dot(c.x - centre) : 0.0;
  }
};

/// What holds a region: its means, and the rotations that move its components beside these
/// (doc/theory/loads.md). As many as there are independent components.
struct RegionHolds {
  std::vector<HeldSum> means;                   ///< one for each direction
  std::vector<std::vector<HeldSum>> rotations;  ///< each a sum of sums without a mean
  std::size_t size() const { return means.size() + rotations.size(); }
};

/// A support on the mesh; replicated on all ranks. What its components do in a rigid motion follows
/// from a few of them, the independent ones. As many as there are: the support says nothing about
/// the body's deformation. Fewer: it holds a region, whose components move like those of a rigid
/// body, whatever the support itself does.
struct HeldNodes {
  std::string name, digest;
  std::vector<HeldComponent> components;
  std::vector<std::size_t> independent;  ///< of `components`, six at most
  RegionHolds holds = {};                ///< of a region
  bool is_region() const { return components.size() > independent.size(); }
};

/// Collective. A component that an earlier support holds as well belongs to that one.
/// @throws base::InputError (on all ranks): a selection without nodes; nodes that a support holds
///   and an rbe2 interface too; nodes of a support that moves and of another, along one direction
std::vector<HeldNodes> resolve_supports(const mesh::DistributedMesh& mesh,
                                        const std::vector<SupportDefinition>& definitions,
                                        const std::vector<mesh::Interface>& interfaces);

/// An independent component as the reduced body sees it: d . u = d . Psi q. Or the sum of several.
struct HeldPoint {
  Eigen::Vector3d x_B = Eigen::Vector3d::Zero(), d_B = Eigen::Vector3d::Zero();
  int direction = 0;
  Eigen::Matrix3Xd Psi;  ///< [3 x n_modes]
};

/// A support of a reduced body. What holds its points, and keeps sum d_W . R_WB (x_B + Psi q) over
/// the arms of each rotation, holds all of its nodes.
struct ReducedSupport {
  std::string name, digest;
  bool is_region = false;
  std::vector<HeldPoint> points;                  ///< of a region: its means
  std::vector<std::vector<HeldPoint>> rotations;  ///< of a region; x_B are arms
  std::vector<std::string> interfaces;            ///< of whose nodes it holds every one
  std::size_t n_rows() const { return points.size() + rotations.size(); }
};

}  // namespace solidyn::reduction

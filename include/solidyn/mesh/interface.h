#pragma once
#include <array>
#include <string>

#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::mesh {

/// How an interface finds its nodes.
struct NodeSelection {
  enum class Rule { near, in_set, in_box, in_cylinder } rule = Rule::near;
  Eigen::Vector3d point = Eigen::Vector3d::Zero();   ///< near: the point; cylinder: a point of its axis, m
  std::string set;                                   ///< in_set
  Eigen::Vector3d low = Eigen::Vector3d::Zero(), high = Eigen::Vector3d::Zero();  ///< in_box
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();   ///< in_cylinder
  double radius = 0.0, length = 0.0;                 ///< in_cylinder, m; length along axis from `point`
};

/// How the interface's frame follows its nodes.
enum class Attachment {
  three_nodes,  ///< condensed: position of node k, rotation from the triad k, m, n (P-SOLID (46)-(48), linearised)
  rbe3,         ///< condensed: least-squares rigid motion of a region, weighted
  rbe2,         ///< the region is rigid
  virtual_body  ///< a massless body tied to nodes k, m, n by the rigid-flexible joint (P-SOLID (40)-(63))
};

/// A named place on a body where joints and forces attach.
struct InterfaceDefinition {
  std::string name;
  NodeSelection nodes;
  Attachment attach = Attachment::rbe3;
};

/// A resolved interface: which nodes, and the linear map from their displacements to the frame's motion.
/// Replicated on all ranks.
struct Interface {
  std::string name;
  Attachment attach = Attachment::rbe3;
  Eigen::Vector3d x_B = Eigen::Vector3d::Zero();  ///< undeformed frame origin, m, in B (mesh axes)
  std::vector<std::int64_t> nodes;                ///< global node indices (the numbering of DistributedMesh)
  Eigen::Matrix3Xd x_nodes;                       ///< [3 x k] their undeformed positions
  /// [6 x 3k] rows: displacement (m) and small rotation (rad) of the frame from the nodal displacements.
  Eigen::Matrix<double, 6, Eigen::Dynamic> weights;
};

/// Collective. Finds the nodes and computes the weights. Throws InputError (on all ranks) when a set is
/// unknown, no node is found, or the nodes are too few or collinear (then the rotation is undetermined).
/// For three_nodes and virtual_body the nodes are k, m, n of P-SOLID Fig. 4: k nearest to the selection's
/// point (its centroid for regions), then the nearest ones that satisfy (64)-(67) with |e.e| < cos(30 deg).
Interface resolve_interface(const DistributedMesh& mesh, const InterfaceDefinition& definition,
                            const Eigen::Ref<const Eigen::VectorXd>& nodal_mass);

/// Collective. The node nearest to a point: its global index and position.
std::pair<std::int64_t, Eigen::Vector3d> nearest_node(const DistributedMesh& mesh,
                                                      const Eigen::Vector3d& point);

}  // namespace solidyn::mesh

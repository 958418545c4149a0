#pragma once
#include <array>
#include <string>
#include <variant>
#include <vector>

#include "solidyn/mesh/distributed_mesh.h"
#include "solidyn/mesh/interface_report.h"

namespace solidyn::mesh {

/// For rbe3 and rbe2 the nodes within `radius` of the point, or with radius 0 the eight nearest
/// (and those as far as the eighth, so that a symmetric mesh gives a symmetric region); for triads
/// see resolve_interface. m
struct NodesNear {
  Eigen::Vector3d point = Eigen::Vector3d::Zero();
  double radius = 0.0;
};

struct NodesInSet {
  std::string set;
};

/// Edges along the axes of the mesh. m
struct NodesInBox {
  Eigen::Vector3d low = Eigen::Vector3d::Zero(), high = Eigen::Vector3d::Zero();
};

/// m
struct NodesInCylinder {
  Eigen::Vector3d start = Eigen::Vector3d::Zero();  ///< of the axis
  Eigen::Vector3d axis = Eigen::Vector3d::UnitZ();  ///< of any length but zero
  double radius = 0.0;
  double length = 0.0;  ///< along the axis from its start
};

/// The nodes with these numbers in the file, all of which must be there.
struct NumberedNodes {
  Eigen::Vector3d origin = Eigen::Vector3d::Zero();  ///< of the interface's frame, m
  std::vector<std::int64_t> tags;                    ///< ascending
  std::vector<double> weights;                       ///< one per tag, > 0; empty: all alike
};

/// How an interface finds its nodes. Bounds count with a tolerance of 1e-9 of the selection's size.
using NodeSelection =
    std::variant<NodesNear, NodesInSet, NodesInBox, NodesInCylinder, NumberedNodes>;

/// How the interface's frame follows its nodes.
enum class Attachment {
  three_nodes,   ///< condensed: moves with node k, turns with the triad k, m, n; P-SOLID (46)-(48)
  rbe3,          ///< condensed: least-squares rigid motion of a region, weighted
  rbe2,          ///< the region is rigid
  virtual_body,  ///< a massless body on nodes k, m, n by the rigid-flexible joint; P-SOLID
                 ///< (40)-(63)
  node           ///< moves with one node, turns with the elements around it, by least squares
};

/// A named place on a body where joints and forces attach.
struct InterfaceDefinition {
  std::string name;
  NodeSelection nodes;
  Attachment attach = Attachment::rbe3;
};

/// A resolved interface: which nodes, and the linear map from their displacements to the frame's
/// motion. Replicated on all ranks.
struct Interface {
  std::string name;
  Attachment attach = Attachment::rbe3;
  Eigen::Vector3d x_B = Eigen::Vector3d::Zero();  ///< undeformed frame origin, m, in B (mesh axes)
  std::vector<std::int64_t> nodes;  ///< global node indices (the numbering of DistributedMesh)
  Eigen::Matrix3Xd x_nodes;         ///< [3 x k] their undeformed positions
  /// How the nodes count in the mean motion, see resolve_interface (alike for triads and nodes):
  /// with c = sum c_i x_i the mean motion is sum c_i u_i, and the mean rotation that of the matrix
  /// sum u_i d_i^T.
  Eigen::VectorXd node_weights;   ///< [k] c_i, their sum is 1; may be negative in sets of faces
  Eigen::Matrix3Xd node_moments;  ///< [3 x k] d_i, m; of one weight per node c_i (x_i - c)
  /// [6 x 3k] rows: displacement (m) and small rotation (rad) of the frame from the nodal
  /// displacements.
  Eigen::Matrix<double, 6, Eigen::Dynamic> weights;
  InterfaceReport report;
};

/// Collective. Finds the nodes and computes the weights. All attachments reproduce rigid motions
/// exactly: u_i = a + w x (x_i - x_B) gives (a, w).
///
/// rbe3, rbe2: (a, w) minimise sum m_i |u_i - a - w x (x_i - x_B)|^2, forces on the frame are
/// distributed as the dual. m_i is the nodal mass; of numbered nodes it is given. In a set of faces
/// (dimension 2) the minimum is that of the integral of |u - a - w x (x - x_B)|^2 over the boundary
/// faces whose nodes all belong to the set, whatever the mesh behind them: sum M_ij e_i . e_j with
/// the consistent mass matrix of the faces, so that a force on the frame is the uniform traction on
/// them, and a moment the traction w' x (x - x_B), also where quadratic faces have row sums that
/// are negative at their corners. (A set of faces inside the solid has nodal masses.) x_B is the
/// point of NodesNear, the origin of NumberedNodes, else the centre of the weights: of faces the
/// area centroid. Nodes are in the order of their tags.
///
/// three_nodes, virtual_body: nodes k, m, n of P-SOLID Fig. 4. x_B = x_k, a = u_k, w the rotation
/// of the triad e1 (46), e2 (48), e3 = e1 x e2 with the derivatives (52)-(53). k is the node
/// nearest to the point of NodesNear (for regions: the region's node nearest to its centroid). m
/// and n are the next nearest of the whole mesh that satisfy (64)-(67) with |e.e| < cos(30 deg) for
/// a virtual body aligned with B.
///
/// node: node k as above, first of the nodes; then the others of the elements around it, in the
/// order of their tags. x_B = x_k, a = u_k, and w minimises sum |u_i - u_k - w x (x_i - x_k)|^2.
///
/// The result is the same on any number of ranks but for the global numbers of the nodes. Throws
/// InputError (on all ranks) when a set or a number is unknown, no node is found, or the nodes are
/// too few or collinear (then the rotation is undetermined).
/// @param nodal_mass [n_owned or more] kg, owned nodes first; where it is the weight it must be
///   positive, or else a ComputationError is thrown
///
/// Proved by Interface.WeightsReproduceRigidMotion, Interface.Rbe3IsTheMassWeightedLeastSquaresFit,
/// Interface.FaceSetIsWeightedByArea, Interface.FaceSetHasTheCentroidOfItsOutline,
/// Interface.CurvedFaceSetHasItsAreaCentroid, Rbe3OnFaces.*,
/// Interface.TriadRotationIsDerivativeOfItsFrame, Interface.NodeTurnsWithTheElementsAroundIt and
/// Interface.IsTheSameOnEveryNumberOfRanks.
Interface resolve_interface(const DistributedMesh& mesh, const InterfaceDefinition& definition,
                            const Eigen::Ref<const Eigen::VectorXd>& nodal_mass);

/// Collective. The node nearest to a point: its global index and position.
std::pair<std::int64_t, Eigen::Vector3d> nearest_node(const DistributedMesh& mesh,
                                                      const Eigen::Vector3d& point);

/// Collective. The owned nodes (local indices, ascending) that are selected; NodesNear with radius
/// 0 is the one nearest node. @param owner the name in messages: "load `tip`"
/// @throws base::InputError (on all ranks) when the set is unknown or no rank has such a node
std::vector<std::int32_t> select_nodes(const DistributedMesh& mesh, const std::string& owner,
                                       const NodeSelection& selection);

}  // namespace solidyn::mesh

#pragma once
#include <string>

#include "solidyn/mesh/interface.h"

namespace solidyn::reduction {

/// A load on nodes or outer faces as the mesh sees it: where, not how large.
struct LoadDefinition {
  enum class Kind {
    nodal_force,  ///< a force on each node
    traction,     ///< a force per area on the faces whose nodes are all selected
    pressure      ///< against the outward normals of such faces
  };
  std::string name;
  Kind kind = Kind::nodal_force;
  mesh::NodeSelection where;
};

/// What distinguishes two definitions of the same name: a hash of kind and selection.
std::string digest(const LoadDefinition& definition);

/// A load on nodes or faces as a body with few coordinates q sees it (modes, or ports), in mesh
/// axes. doc/theory/loads.md. `amount` is the number of nodes, or the area (m^2), and everything
/// else is per `amount`.
///   nodal_force, traction: weights c_a make a vector t a force  amount t  at the mean point
///     x_B + rows q = sum c_a (x_a + u_a) / amount
///   pressure p: nodal forces  -p int N_a n dA  of the undeformed faces, in body axes: the force
///     p amount force, the torque about the body's origin  p amount (moment + rows_0..2 q), and
///     on q  p amount rows_3^T
struct LoadRows {
  std::string name;
  LoadDefinition::Kind kind = LoadDefinition::Kind::nodal_force;
  std::string digest;
  double amount = 0.0;
  Eigen::Vector3d x_B = Eigen::Vector3d::Zero();     ///< nodal_force, traction; m
  Eigen::Vector3d force = Eigen::Vector3d::Zero();   ///< pressure
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();  ///< pressure; m
  Eigen::MatrixXd rows;                              ///< [3 x n], of a pressure [4 x n]
  /// Second order of the rows, rows q + 1/2 q^T Y q: one symmetric matrix per row, one below the
  /// other, [rows n x n]; without rows there is none.
  Eigen::MatrixXd Y = {};
};

/// A load on this rank's nodes: the rows of LoadRows are columns^T u.
struct NodalLoad {
  LoadRows load;            ///< without rows and Y
  Eigen::MatrixXd columns;  ///< [3 n_owned x 3], of a pressure [3 n_owned x 4]
};

/// Collective. @throws base::InputError (on all ranks) when the selection holds no node, or no face
/// where faces are loaded. Proved by LoadRows*.*.
NodalLoad make_nodal_load(const mesh::DistributedMesh& mesh, const LoadDefinition& definition);

}  // namespace solidyn::reduction

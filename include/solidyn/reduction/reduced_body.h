#pragma once
#include <Eigen/Dense>
#include <string>
#include <vector>

#include "solidyn/mesh/interface.h"
#include "solidyn/reduction/load_rows.h"
#include "solidyn/reduction/stress_modes.h"
#include "solidyn/reduction/support.h"

namespace solidyn::reduction {

/// Second moments of the mass distribution with the mode shapes; everything a floating frame's
/// inertia needs, so that no loop over nodes remains in a time step. With nodes k, undeformed
/// positions x_k and mode shapes X_i,k, and the mass matrix M = m (x) I3 (diagonal m when lumped,
/// sparse when consistent):
///   S.col(i)  = sum_kl m_kl X_i,l           [3]       kg m (per unit modal coordinate)
///   N00       = sum_kl m_kl x_k x_l^T       [3 x 3]   kg m^2
///   N0[i]     = sum_kl m_kl x_k X_i,l^T     [3 x 3]
///   N[i*n+j]  = sum_kl m_kl X_i,k X_j,l^T   [3 x 3]   (so that trace = M_ij)
struct InertiaInvariants {
  double mass = 0.0;                                       ///< kg
  Eigen::Vector3d first_moment = Eigen::Vector3d::Zero();  ///< sum m x, kg m
  Eigen::Matrix3d N00 = Eigen::Matrix3d::Zero();
  Eigen::Matrix3Xd S;
  std::vector<Eigen::Matrix3d> N0;
  std::vector<Eigen::Matrix3d> N;
  /// Of a displacement field with terms of second order, u = X q + 1/2 sum_ij Y_ij q_i q_j, where
  /// Y_ij is M-orthogonal to rigid motions; empty without them. The centrifugal stiffening.
  ///   C[i*n+j] = sum_kl m_kl x_k Y_ij,l^T   [3 x 3], symmetric, and symmetric in i, j
  std::vector<Eigen::Matrix3d> C;
};

struct Mode {
  /// What the mode comes from; in a union of static and fixed-interface vectors, from which most.
  enum class Kind {
    rigid,
    free_free,
    static_correction,  ///< answer of the free body to a unit load at an interface
    fixed_interface,    ///< eigenmode with all interface frames held
    constraint,         ///< answer to a unit motion of one frame with the others held
    load_pattern        ///< answer of the free body to a pattern of loads
  } kind = Kind::free_free;
  double frequency = 0.0;  ///< Hz, sqrt(K_ii/M_ii)/(2 pi)
};

/// A point whose displacement sensors want: u = Psi q, in B.
struct TrackedPoint {
  std::string name;
  Eigen::Vector3d x_B;
  Eigen::Matrix3Xd Psi;  ///< [3 x n_modes]
  /// Second order, u = Psi q + 1/2 q^T Y q: [3 n_modes x n_modes], one symmetric matrix per
  /// component; without rows there is none.
  Eigen::MatrixXd Y = {};
};

/// An interface as the reduced body sees it: the rows of the mode shapes.
struct ReducedInterface {
  std::string name;
  mesh::Attachment attach = mesh::Attachment::rbe3;
  Eigen::Vector3d x_B;
  Eigen::Matrix3Xd Psi_t, Psi_r;  ///< [3 x n_modes] displacement and small rotation of the frame
  Eigen::Matrix3Xd x_nodes;  ///< [3 x 3] k, m, n for three_nodes and virtual_body, else [3 x 0]
  std::vector<Eigen::Matrix3Xd> Psi_nodes;  ///< their mode-shape rows, each [3 x n_modes]
  Eigen::MatrixXd Y_t,
      Y_r;  ///< second order of displacement and rotation vector, as TrackedPoint::Y
  mesh::InterfaceReport report = {};
};

/// A body reduced to a few modal coordinates q, u = X q, in mesh axes. Replicated on all ranks,
/// except the field part (mesh, X, the stress of pictures), which is distributed like the mesh it
/// came from.
struct ReducedBody {
  InertiaInvariants inertia;
  Eigen::MatrixXd M, K, D;  ///< [n x n] reduced mass, stiffness, damping
  std::vector<Mode> modes;  ///< [n]; rigid modes come first when kept
  std::vector<ReducedInterface> interfaces;
  std::vector<TrackedPoint> points;
  Eigen::VectorXd
      amplitude;  ///< [n] largest nodal displacement per unit coordinate (for error norms), m

  mesh::DistributedMesh mesh;  ///< for pictures
  Eigen::MatrixXd X;           ///< [3 n_local x n] mode shapes on this rank's nodes, xyz per node
  StressModes stress;
  std::vector<LoadRows> loads;           ///< replicated
  std::vector<ReducedSupport> supports;  ///< replicated

  bool has_second_order() const { return !inertia.C.empty(); }
  int n_modes() const { return static_cast<int>(modes.size()); }
};

}  // namespace solidyn::reduction

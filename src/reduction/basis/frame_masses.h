#pragma once
#include "reduction/eigen/multivector.h"
#include "solidyn/fem/elastic_body.h"
#include "solidyn/mesh/interface.h"
#include "solidyn/reduction/reduced_body.h"

namespace solidyn::reduction {

/// A rigid mass with the rows of the frame that carries it, moved to its centre: the displacement d
/// and small rotation theta of the mass from the displacements of the frame's nodes. Replicated on
/// all ranks.
struct FrameMassRows {
  fem::FrameMass mass;
  std::vector<std::int64_t> nodes;                ///< [k] global indices
  Eigen::VectorXd node_weights;                   ///< [k] mesh::Interface::node_weights
  Eigen::Matrix<double, 6, Eigen::Dynamic> rows;  ///< [6 x 3k] d, then theta
};

/// Collective. Finds the frames: interfaces by their names, the others on their own.
/// @param nodal_mass as of mesh::resolve_interface   @pre masses and inertias are not negative
/// @throws base::InputError for frames that cannot be resolved
std::vector<FrameMassRows> find_frame_mass_rows(
    const mesh::DistributedMesh& mesh, const std::vector<fem::FrameMass>& masses,
    const std::vector<mesh::Interface>& interfaces,
    const Eigen::Ref<const Eigen::VectorXd>& nodal_mass);

/// V on this rank's owned nodes, [3 n_owned x r], with
///   V V^T = sum rows^T diag(m I, J) rows:
/// what the masses add to the mass matrix. Of each mass as many columns as it has inertias.
MultiVector make_mass_root(const mesh::DistributedMesh& mesh,
                           const std::vector<FrameMassRows>& masses);

/// Adds mass, centre and inertia.
void add_frame_masses(const std::vector<FrameMassRows>& masses, fem::MassProperties& properties);

/// Collective. Adds what the masses have of the invariants. A point of a mass at r from its centre
/// moves by d + theta x r; with S = int r r^T dm = tr(J) I / 2 - J, which need not be positive,
///   S_i += m d_i,   N00 += m x x^T + S,   N0_i += m x d_i^T + S [theta_i]^T,
///   N_ij += m d_i d_j^T + [theta_i] S [theta_j]^T,   [a] b = a x b.
/// @param X [3 n_owned x n] mode shapes on the owned nodes
void add_frame_masses(const mesh::DistributedMesh& mesh, const std::vector<FrameMassRows>& masses,
                      const MultiVector& X, InertiaInvariants& inertia);

/// The masses spread over the nodes that carry them, on top of nodal masses: for estimates.
Eigen::VectorXd spread_over_nodes(const mesh::DistributedMesh& mesh,
                                  const std::vector<FrameMassRows>& masses,
                                  Eigen::VectorXd nodal_mass);

}  // namespace solidyn::reduction

#pragma once
#include <Eigen/Dense>
#include <vector>

#include "solidyn/fem/sections.h"
#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::fem {

/// Collective. The work of stresses on strains of second order. With sigma^l the stress of the
/// l-th field of `loads` by linear elasticity and H_i = grad X_i (rows: components, columns:
/// derivatives) of the i-th mode,
///   kappa^l_ij = int sigma^l : sym(H_i^T H_j) dV
/// is the geometric stiffness of the stress sigma^l, projected on the modes; symmetric in i, j.
/// Integrated with the points of the stiffness, tet10 always with four. hex8 elements have the
/// strain of their formulation: with incompatible modes, those add to both gradients; with b_bar,
/// sigma^l has the mean volume change of its element.
/// @param loads [3 n_local x n_loads] displacements, ghosts up to date, m
/// @param modes [3 n_local x n] likewise, m per unit
/// @return n_loads matrices [n x n], N m per units of the modes; the same bits on every rank
/// Proved by GeometricStiffness.* (tests/unit/fem).
std::vector<Eigen::MatrixXd> compute_geometric_stiffness(
    const mesh::DistributedMesh& mesh, const Sections& sections,
    const Eigen::Ref<const Eigen::MatrixXd>& loads, const Eigen::Ref<const Eigen::MatrixXd>& modes);

}  // namespace solidyn::fem

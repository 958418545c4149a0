#pragma once
#include <Eigen/Dense>

#include "solidyn/mesh/mesh.h"

namespace solidyn::mesh {

/// The integrals of a face's shape functions over it, m^2: what each node carries of its area.
/// Exact for plane faces with straight edges (tri3: a third each; tri6: corners nothing, mid-side
/// nodes a third each; quad8, a parallelogram: corners -1/12, mid-side nodes 1/3); seven or nine
/// points on warped and curved ones.
/// @param type tri3, tri6, quad4 or quad8    @param x [3 x n_nodes(type)] node positions, m
Eigen::VectorXd compute_nodal_areas(ElementType type, const Eigen::Ref<const Eigen::Matrix3Xd>& x);

}  // namespace solidyn::mesh

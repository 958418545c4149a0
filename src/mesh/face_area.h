#pragma once
#include <Eigen/Dense>

#include "solidyn/mesh/mesh.h"

namespace solidyn::mesh {

/// The integrals of a face's shape functions over it, m^2: what each node carries of its area.
/// Exact for plane faces with straight edges (tri3: a third each; tri6: corners nothing, mid-side
/// nodes a third each); seven points on curved ones.
/// @param type tri3 or tri6    @param x [3 x n_nodes(type)] node positions, m
Eigen::VectorXd compute_nodal_areas(ElementType type, const Eigen::Ref<const Eigen::Matrix3Xd>& x);

}  // namespace solidyn::mesh

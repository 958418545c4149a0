#pragma once
#include <Eigen/Dense>

#include "solidyn/mesh/mesh.h"

namespace solidyn::mesh {

/// The mass matrix of a face of unit density, M_ab = int N_a N_b dA, m^2; its rows sum to the
/// integrals of the shape functions. Positive definite, and exact for plane faces with straight
/// edges (triangles, parallelograms); seven or nine points on warped and curved ones. The order in
/// which the face is gone round does not matter.
/// @param type tri3, tri6, quad4 or quad8    @param x [3 x n_nodes(type)] node positions, m
Eigen::MatrixXd compute_face_mass(ElementType type, const Eigen::Ref<const Eigen::Matrix3Xd>& x);

}  // namespace solidyn::mesh

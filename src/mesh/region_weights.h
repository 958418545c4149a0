#pragma once
#include <optional>
#include <vector>

#include "solidyn/mesh/interface.h"

namespace solidyn::mesh {

/// How the nodes of a region count in its mean motion, from a weighting matrix M that is symmetric
/// and positive: with one weight per node it is diagonal, for faces it is their mass matrix.
struct RegionWeights {
  Eigen::Vector3d centre = Eigen::Vector3d::Zero();  ///< c = sum_ij M_ij x_j / sum_ij M_ij, m
  Eigen::VectorXd shares;                            ///< [k] sum_j M_ij / sum_ij M_ij
  Eigen::Matrix3Xd moments;  ///< [3 x k] sum_j M_ij (x_j - c) / sum_ij M_ij, m
};

/// One weight per node.
/// @param x [3 x k] positions, m     @param weights [k] with a positive sum
RegionWeights weigh_nodes(const Eigen::Matrix3Xd& x, const Eigen::VectorXd& weights);

/// Collective. The mass matrix, for unit density, of the boundary faces whose nodes are all among
/// the given ones; nodes of none of these faces count nothing. Nothing when there is no such face,
/// as in a set of faces inside the solid. Contributions are summed in the order of the file's
/// numbers, the same on any number of ranks.
/// @param tags [k] ascending numbers of the nodes, the same on all ranks     @param x [3 x k]
std::optional<RegionWeights> weigh_by_faces(const DistributedMesh& mesh,
                                            const std::vector<std::int64_t>& tags,
                                            const Eigen::Matrix3Xd& x);

/// Fills weights, node_weights and node_moments from x_nodes and x_B: the rigid motion (a, w) that
/// minimises sum_ij M_ij e_i . e_j, e_i = u_i - a - w x (x_i - x_B). About the centre
///   J w = sum_i d_i x u_i,   J = tr(V) I - V,   V = sum_i (x_i - c) d_i^T,   d_i the moments,
///   a = sum_i share_i u_i + w x (x_B - c).
/// @throws base::InputError when the nodes lie on one line
void fill_fit(const RegionWeights& weights, Interface& interface);

}  // namespace solidyn::mesh

#pragma once
#include <string>

#include "solidyn/fem/surface_load.h"
#include "solidyn/mesh/interface.h"

namespace solidyn::reduction {

/// Collective. The outer faces whose nodes are all selected. @param owner the name in messages
/// @throws base::InputError (on all ranks) when there is none
fem::Surface select_faces(const mesh::DistributedMesh& mesh, const std::string& owner,
                          const mesh::NodeSelection& where);

/// Collective. What faces of all ranks give to this rank's nodes. @param of_faces [3 x n_local]
Eigen::Matrix3Xd sums_at_owned_nodes(const mesh::DistributedMesh& mesh,
                                     const Eigen::Matrix3Xd& of_faces);

}  // namespace solidyn::reduction

#pragma once
#include <Eigen/Dense>
#include <string>
#include <vector>

#include "solidyn/fem/sections.h"
#include "solidyn/mesh/interface.h"

namespace solidyn::reduction {

/// Nodes whose stress sensors want.
struct StressPlaceDefinition {
  std::string name;
  mesh::NodeSelection nodes;  ///< NodesNear with radius 0: the nearest node
};

enum class StressInPictures { none, on_surface };

struct StressOptions {
  std::vector<StressPlaceDefinition> places;
  StressInPictures pictures = StressInPictures::none;
};

/// A place's stress modes: sigma = S w, six components (xx, yy, zz, xy, yz, zx) per node in mesh
/// axes, Pa. Replicated on all ranks.
struct StressPlace {
  std::string name;
  std::vector<std::int64_t> node_tags;  ///< [k] ascending
  Eigen::Matrix3Xd x_B;                 ///< [3 x k] undeformed positions, m
  Eigen::MatrixXd S;                    ///< [6 k x n_modes]
};

/// Stress of a reduced body, S = D B X at nodes.
struct StressModes {
  std::vector<StressPlace> places;
  bool is_in_pictures = false;
  std::vector<std::int32_t> nodes;  ///< this rank's owned nodes that pictures show (local indices)
  Eigen::MatrixXd S;                ///< [6 n_nodes x n_modes] theirs
};

/// Collective. Stress modes at the places, and on the surface of the mesh if pictures want it.
/// @param X [3 n_local x n_modes] mode shapes, ghosts too
/// @throws base::InputError (on all ranks) for a place that holds no node
/// Proved by StressModes.* (tests/unit/reduction, tests/mpi/stress).
StressModes compute_stress_modes(const mesh::DistributedMesh& mesh, const fem::Sections& sections,
                                 const Eigen::MatrixXd& X, const StressOptions& options);

}  // namespace solidyn::reduction

#pragma once
#include <cstdint>
#include <vector>

#include "solidyn/imported/matrices.h"

namespace solidyn::reduction {

/// A row of imported matrices beside the translations of the mesh's nodes.
struct ExtraRow {
  std::int64_t node = -1;  ///< index in the mesh; -1: of a loose node, or generalised
  int component = 0;       ///< 1-3: translation of a loose node; 4-6: rotation; 0: generalised
  Eigen::Vector3d x = Eigen::Vector3d::Zero();          ///< of a loose node, m
  Eigen::Vector3d direction = Eigen::Vector3d::Zero();  ///< of a rotation's axis
};

/// Imported matrices with their rows in the order of a mesh: three translations along its axes per
/// node, then the extra rows: translations of loose nodes (three each), rotations and generalised
/// coordinates.
struct PlacedMatrices {
  std::int64_t n_nodes = 0, n_loose = 0;
  std::vector<ExtraRow> extras;
  Eigen::SparseMatrix<double> K, M;
  std::int64_t n_rows() const { return 3 * n_nodes + static_cast<std::int64_t>(extras.size()); }
};

/// Local. Nodes of the model that are not in the mesh but have coordinates are loose; others, and
/// scalar points, are generalised coordinates. Rotations and generalised coordinates without
/// stiffness and mass are left out. A model without stiffness (0 x 0) has a zero one.
/// @param node_tags  of the mesh, by index
/// @throws base::InputError that names nodes whose translations are not all there (they are held:
///   the body is not free), or matrices that are not symmetric
PlacedMatrices place(const imported::MatrixModel& model,
                     const std::vector<std::int64_t>& node_tags);

}  // namespace solidyn::reduction

#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <vector>

#include "solidyn/results/read_motion.h"

namespace solidyn::report {

/// A surface as triangles and lines on vertices that are nodes of the mesh, mid-side nodes too, in
/// the order in which a graphics card takes them best.
struct DrawnSurface {
  std::vector<std::int32_t> nodes;       ///< [vertices] the row of the stored surface that each is
  std::vector<std::uint32_t> triangles;  ///< [3 each]
  std::vector<std::uint32_t> simple;     ///< the same coarser, at most kSimpleTriangles; or empty
  std::vector<std::uint32_t> element_edges;  ///< [2 each]
  std::vector<std::uint32_t> feature_edges;  ///< [2 each] where the surface turns, or ends
  bool is_simplified = false;                ///< beyond kMostTriangles
};

constexpr std::size_t kSimpleTriangles = 20'000, kMostTriangles = 2'000'000;

/// By meshoptimizer, which only leaves vertices out and moves none: each keeps its shapes.
DrawnSurface draw_surface(const results::StoredSurface& surface);

/// The columns of a shape that are vertices.
template <class Matrix>
Matrix at_vertices(const Matrix& at_nodes, const DrawnSurface& surface) {
  Matrix picked(at_nodes.rows(), static_cast<Eigen::Index>(surface.nodes.size()));
  for (std::size_t v = 0; v < surface.nodes.size(); ++v)
    picked.col(static_cast<Eigen::Index>(v)) = at_nodes.col(surface.nodes[v]);
  return picked;
}

}  // namespace solidyn::report

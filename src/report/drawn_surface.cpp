#include "report/drawn_surface.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

namespace solidyn::report {
namespace {

using elements::ElementType;
using Vertex = std::uint32_t;

constexpr double kFeatureAngle = 30.0 * M_PI / 180.0;

// Faces in VTK's order: corners, then the node on each side.
struct FaceShape {
  int n_corners;
  std::vector<std::array<int, 3>> triangles;
  bool has_mid_sides;
};

const FaceShape* face_shape(ElementType type) {
  static const FaceShape tri3{3, {{0, 1, 2}}, false};
  static const FaceShape tri6{3, {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}}, true};
  static const FaceShape quad4{4, {{0, 1, 2}, {0, 2, 3}}, false};
  static const FaceShape quad8{
      4, {{0, 4, 7}, {4, 1, 5}, {5, 2, 6}, {6, 3, 7}, {4, 5, 7}, {5, 6, 7}}, true};
  switch (type) {
    case ElementType::tri3:
      return &tri3;
    case ElementType::tri6:
      return &tri6;
    case ElementType::quad4:
      return &quad4;
    case ElementType::quad8:
      return &quad8;
    default:
      return nullptr;  // lines are no faces
  }
}

// A side of faces: where the first face that has it looks, and how many faces there are.
struct Side {
  Vertex a, b, mid;
  bool has_mid;
  Eigen::Vector3f normal;
  int n_faces = 1;
  bool is_feature = false;
};

class FaceReader {
 public:
  explicit FaceReader(const results::StoredSurface& surface) : surface_(surface) {
    for (const results::StoredSurface::Cells& cells : surface.cells) {
      const FaceShape* shape = face_shape(cells.shape);
      if (!shape) continue;
      const std::size_t n = elements::n_nodes(cells.shape);
      for (std::size_t i = 0; i + n <= cells.nodes.size(); i += n)
        add_face(*shape, &cells.nodes[i]);
    }
  }

  std::vector<Vertex> triangles;

  // In an order of their own: that of the faces is another on other numbers of ranks.
  void add_edges(DrawnSurface& drawn) {
    std::sort(sides_.begin(), sides_.end(), [](const Side& s, const Side& t) {
      return std::pair(s.a, s.b) < std::pair(t.a, t.b);
    });
    for (const Side& side : sides_) {
      const std::vector<Vertex> line = side.has_mid
                                           ? std::vector<Vertex>{side.a, side.mid, side.mid, side.b}
                                           : std::vector<Vertex>{side.a, side.b};
      drawn.element_edges.insert(drawn.element_edges.end(), line.begin(), line.end());
      if (side.is_feature || side.n_faces == 1)
        drawn.feature_edges.insert(drawn.feature_edges.end(), line.begin(), line.end());
    }
  }

 private:
  Eigen::Vector3f normal(const FaceShape& shape, const std::int64_t* nodes) const {
    const auto x = [&](int i) { return Eigen::Vector3f(surface_.positions.col(nodes[i])); };
    const int last = shape.n_corners - 1;
    const Eigen::Vector3f n = last == 2 ? (x(1) - x(0)).cross(x(2) - x(0)).eval()
                                        : (x(2) - x(0)).cross(x(3) - x(1)).eval();
    return n.stableNormalized();
  }

  void add_face(const FaceShape& shape, const std::int64_t* nodes) {
    for (const std::array<int, 3>& t : shape.triangles)
      for (const int i : t) triangles.push_back(static_cast<Vertex>(nodes[i]));
    const Eigen::Vector3f n = normal(shape, nodes);
    for (int i = 0; i < shape.n_corners; ++i) {
      const auto a = static_cast<Vertex>(nodes[i]);
      const auto b = static_cast<Vertex>(nodes[(i + 1) % shape.n_corners]);
      const Vertex mid = shape.has_mid_sides ? static_cast<Vertex>(nodes[shape.n_corners + i]) : 0;
      add_side({std::min(a, b), std::max(a, b), mid, shape.has_mid_sides, n});
    }
  }

  void add_side(const Side& side) {
    const std::uint64_t key = static_cast<std::uint64_t>(side.a) << 32 | side.b;
    const auto [found, is_new] = side_of_.emplace(key, sides_.size());
    if (is_new) return sides_.push_back(side);
    Side& known = sides_[found->second];
    ++known.n_faces;
    known.is_feature |= known.normal.dot(side.normal) < std::cos(kFeatureAngle);
  }

  const results::StoredSurface& surface_;
  std::vector<Side> sides_;
  std::unordered_map<std::uint64_t, std::size_t> side_of_;
};

std::vector<Vertex> simplified(const std::vector<Vertex>& triangles, const Eigen::Matrix3Xf& x,
                               std::size_t n_wanted) {
  std::vector<Vertex> fewer(triangles.size());
  const std::size_t n = meshopt_simplify(fewer.data(), triangles.data(), triangles.size(), x.data(),
                                         x.cols(), sizeof(float) * 3, 3 * n_wanted, 1.0f);
  fewer.resize(n);
  if (n > 3 * n_wanted) {  // topology forbids: let it go
    fewer.resize(triangles.size());
    fewer.resize(meshopt_simplifySloppy(fewer.data(), triangles.data(), triangles.size(), x.data(),
                                        x.cols(), sizeof(float) * 3, 3 * n_wanted, 1.0f));
  }
  return fewer;
}

std::vector<Vertex> in_cache_order(const std::vector<Vertex>& triangles, std::size_t n_vertices) {
  std::vector<Vertex> ordered(triangles.size());
  meshopt_optimizeVertexCache(ordered.data(), triangles.data(), triangles.size(), n_vertices);
  return ordered;
}

void renumber(std::vector<Vertex>& list, const std::vector<Vertex>& new_index) {
  for (Vertex& i : list) i = new_index[i];
}

// Of lines whose ends are both among the vertices.
std::vector<Vertex> lines_on_vertices(const std::vector<Vertex>& lines,
                                      const std::vector<Vertex>& new_index) {
  std::vector<Vertex> kept;
  for (std::size_t i = 0; i + 1 < lines.size(); i += 2)
    if (new_index[lines[i]] != ~Vertex{0} && new_index[lines[i + 1]] != ~Vertex{0})
      kept.insert(kept.end(), {new_index[lines[i]], new_index[lines[i + 1]]});
  return kept;
}

}  // namespace

DrawnSurface draw_surface(const results::StoredSurface& surface) {
  FaceReader faces(surface);
  DrawnSurface drawn;
  const auto n_nodes = static_cast<std::size_t>(surface.positions.cols());
  drawn.triangles = std::move(faces.triangles);
  if (drawn.triangles.empty()) return drawn;
  if (drawn.triangles.size() > 3 * kMostTriangles) {
    drawn.triangles = simplified(drawn.triangles, surface.positions, kMostTriangles);
    drawn.is_simplified = true;
  }
  drawn.triangles = in_cache_order(drawn.triangles, n_nodes);
  if (drawn.triangles.size() > 3 * kSimpleTriangles)
    drawn.simple =
        in_cache_order(simplified(drawn.triangles, surface.positions, kSimpleTriangles), n_nodes);
  faces.add_edges(drawn);

  std::vector<Vertex> new_index(n_nodes);
  const std::size_t n_vertices = meshopt_optimizeVertexFetchRemap(
      new_index.data(), drawn.triangles.data(), drawn.triangles.size(), n_nodes);
  drawn.nodes.assign(n_vertices, 0);
  for (std::size_t i = 0; i < n_nodes; ++i)
    if (new_index[i] != ~Vertex{0}) drawn.nodes[new_index[i]] = static_cast<std::int32_t>(i);
  renumber(drawn.triangles, new_index);
  renumber(drawn.simple, new_index);
  drawn.element_edges = lines_on_vertices(drawn.element_edges, new_index);
  drawn.feature_edges = lines_on_vertices(drawn.feature_edges, new_index);
  return drawn;
}

}  // namespace solidyn::report

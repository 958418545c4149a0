#include "solidyn/mesh/generators.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <random>
#include <unordered_map>

#include "solidyn/base/error.h"
#include "solidyn/elements/topology.h"
#include "solidyn/math/constants.h"
#include "solidyn/mesh/element_geometry.h"

namespace solidyn::mesh {
namespace {

using Eigen::Vector3d;

void require(bool condition, const char* what, const char* remedy) {
  if (!condition) throw base::InputError(what, remedy);
}

void require_solid(ElementType type) {
  require(dimension(type) == 3, "only solid elements can be generated",
          "choose tetrahedra, hexahedra, wedges or pyramids");
}

std::vector<std::int64_t> count_from_one(std::int64_t n) {
  std::vector<std::int64_t> tags(n);
  std::iota(tags.begin(), tags.end(), 1);
  return tags;
}

/// Appends the tetrahedron, exchanging two corners when it is left-handed.
void add_tet(const Eigen::Matrix3Xd& x, std::array<std::int32_t, 4> nodes, ElementBlock& block) {
  const Vector3d a = x.col(nodes[1]) - x.col(nodes[0]), b = x.col(nodes[2]) - x.col(nodes[0]);
  if (a.cross(b).dot(x.col(nodes[3]) - x.col(nodes[0])) < 0.0) std::swap(nodes[2], nodes[3]);
  block.connectivity.insert(block.connectivity.end(), nodes.begin(), nodes.end());
}

Mesh make_linear(Eigen::Matrix3Xd x, ElementBlock solids) {
  Mesh mesh;
  solids.tags =
      count_from_one(static_cast<std::int64_t>(solids.connectivity.size()) / n_nodes(solids.type));
  mesh.node_tags = count_from_one(x.cols());
  mesh.x = std::move(x);
  mesh.blocks.push_back(std::move(solids));
  return mesh;
}

void add_set(Mesh& mesh, const std::string& name, int dimension,
             const std::function<bool(std::int32_t)>& contains) {
  NodeSet& set = mesh.sets[name];
  set.dimension = dimension;
  for (std::int32_t n = 0; n < mesh.n_nodes(); ++n)
    if (contains(n)) set.nodes.push_back(n);
}

Mesh as_type(Mesh linear, ElementType type) {
  return linear_of(type) == type ? std::move(linear) : make_quadratic(linear);
}

struct Grid {
  std::array<int, 3> n;  // cells
  std::int32_t node(std::array<int, 3> at) const {
    return at[0] + (n[0] + 1) * (at[1] + (n[1] + 1) * at[2]);
  }
  std::array<int, 3> position(std::int32_t node) const {
    const int rest = node / (n[0] + 1);
    return {node % (n[0] + 1), rest % (n[1] + 1), rest / (n[1] + 1)};
  }
  std::int32_t n_nodes() const { return (n[0] + 1) * (n[1] + 1) * (n[2] + 1); }
};

/// Kuhn's split of a cell into the six tetrahedra along its main diagonal: one for each order in
/// which the three axes can be walked. Neighbouring cells agree on the diagonals of their common
/// face.
void add_cell(const Eigen::Matrix3Xd& x, const Grid& grid, const std::array<int, 3>& cell,
              ElementBlock& block) {
  std::array<int, 3> order = {0, 1, 2};
  do {
    std::array<int, 3> at = cell;
    std::array<std::int32_t, 4> tet{grid.node(at), 0, 0, 0};
    for (int step = 0; step < 3; ++step) {
      ++at[order[step]];
      tet[step + 1] = grid.node(at);
    }
    add_tet(x, tet, block);
  } while (std::next_permutation(order.begin(), order.end()));
}

/// The corners of a cell in the order of hex8.
std::array<std::int32_t, 8> cell_corners(const Grid& grid, const std::array<int, 3>& cell) {
  const auto at = [&](int i, int j, int k) {
    return grid.node({cell[0] + i, cell[1] + j, cell[2] + k});
  };
  return {at(0, 0, 0), at(1, 0, 0), at(1, 1, 0), at(0, 1, 0),
          at(0, 0, 1), at(1, 0, 1), at(1, 1, 1), at(0, 1, 1)};
}

/// Two wedges that stand on the brick's first four nodes.
void add_wedges(const std::array<std::int32_t, 8>& b, ElementBlock& block) {
  block.connectivity.insert(block.connectivity.end(), {b[0], b[1], b[2], b[4], b[5], b[6], b[0],
                                                       b[2], b[3], b[4], b[6], b[7]});
}

/// Six pyramids on the brick's faces; their apex is a new node in its middle.
void add_pyramids(const std::array<std::int32_t, 8>& brick, Eigen::Matrix3Xd& x,
                  ElementBlock& block) {
  const std::int32_t apex = static_cast<std::int32_t>(x.cols());
  Vector3d middle = Vector3d::Zero();
  for (const std::int32_t node : brick) middle += 0.125 * x.col(node);
  x.conservativeResize(3, apex + 1);
  x.col(apex) = middle;
  for (const elements::Face& face : faces(ElementType::hex8)) {
    for (int i = 3; i >= 0; --i) block.connectivity.push_back(brick[face.nodes[i]]);
    block.connectivity.push_back(apex);
  }
}

/// Fills a brick, whose corners are in the order of hex8, with the solids of the block's type.
void add_solids(const std::array<std::int32_t, 8>& brick, Eigen::Matrix3Xd& x,
                ElementBlock& block) {
  if (block.type == ElementType::hex8)
    block.connectivity.insert(block.connectivity.end(), brick.begin(), brick.end());
  else if (block.type == ElementType::wedge6)
    add_wedges(brick, block);
  else
    add_pyramids(brick, x, block);
}

Eigen::Matrix3Xd grid_positions(const Grid& grid, const BoxOptions& options) {
  std::mt19937 random(
      options.seed);  // its sequence is fixed by the standard; distributions are not
  Eigen::Matrix3Xd x(3, grid.n_nodes());
  for (std::int32_t node = 0; node < x.cols(); ++node) {
    const std::array<int, 3> at = grid.position(node);
    for (int i = 0; i < 3; ++i) {
      const double fraction = 2.0 * random() / std::mt19937::max() - 1.0;
      const bool on_face = at[i] == 0 || at[i] == grid.n[i];
      const double cells = at[i] + (on_face ? 0.0 : options.perturbation * fraction);
      x(i, node) = options.origin[i] + options.size[i] * cells / grid.n[i];
    }
  }
  return x;
}

/// The triangles of a section: 2-D points (y, z) and corners. Point 0 is the centre.
struct Section {
  std::vector<Eigen::Vector2d> points;
  std::vector<std::array<std::int32_t, 3>> triangles;
  std::int32_t first_skin_point = 0;  // circular: the points from here on lie on the circle
};

/// Rings of 6, 12, 18, ... points around the centre: near-equilateral triangles, sixfold symmetric.
Section circular_section(double radius, int n_rings) {
  Section section;
  section.points.push_back(Eigen::Vector2d::Zero());
  std::int32_t inner = 0;  // first point of the ring inside
  for (int ring = 1; ring <= n_rings; ++ring) {
    const std::int32_t outer = static_cast<std::int32_t>(section.points.size());
    for (int i = 0; i < 6 * ring; ++i) {
      const double angle = math::kPi * i / (3.0 * ring);
      section.points.emplace_back(radius * ring / n_rings *
                                  Eigen::Vector2d(std::cos(angle), std::sin(angle)));
    }
    const int n_inner = std::max(1, 6 * (ring - 1));
    for (int sector = 0; sector < 6; ++sector) {
      for (int i = 0; i < ring; ++i) {
        const std::int32_t a = outer + sector * ring + i;
        const std::int32_t b = outer + (sector * ring + i + 1) % (6 * ring);
        const std::int32_t c = inner + (sector * (ring - 1) + i) % n_inner;
        section.triangles.push_back({a, b, c});
        if (i + 1 < ring)
          section.triangles.push_back({b, inner + (sector * (ring - 1) + i + 1) % n_inner, c});
      }
    }
    inner = outer;
  }
  section.first_skin_point = inner;
  return section;
}

/// n x n cells, diagonals mirrored in both middle lines.
Section rectangular_section(double width_y, double width_z, int n) {
  Section section;
  section.points.push_back(Eigen::Vector2d::Zero());
  std::vector<std::int32_t> point((n + 1) * (n + 1), 0);
  for (int j = 0; j <= n; ++j) {
    for (int i = 0; i <= n; ++i) {
      if (2 * i == n && 2 * j == n) continue;  // the centre is point 0
      point[i + (n + 1) * j] = static_cast<std::int32_t>(section.points.size());
      section.points.emplace_back(width_y * (double(i) / n - 0.5), width_z * (double(j) / n - 0.5));
    }
  }
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) {
      const auto at = [&](int di, int dj) { return point[i + di + (n + 1) * (j + dj)]; };
      if ((2 * i < n) == (2 * j < n)) {
        section.triangles.push_back({at(0, 0), at(1, 0), at(1, 1)});
        section.triangles.push_back({at(0, 0), at(1, 1), at(0, 1)});
      } else {
        section.triangles.push_back({at(0, 0), at(1, 0), at(0, 1)});
        section.triangles.push_back({at(1, 0), at(1, 1), at(0, 1)});
      }
    }
  }
  return section;
}

/// Each triangle times each layer is a prism; three tetrahedra walk from its bottom to its top in
/// the order of point numbers, so that neighbours agree on the diagonals.
Mesh extrude(const Section& section, double length, int n_layers) {
  const std::int32_t n = static_cast<std::int32_t>(section.points.size());
  Eigen::Matrix3Xd x(3, static_cast<Eigen::Index>(n) * (n_layers + 1));
  for (int layer = 0; layer <= n_layers; ++layer)
    for (std::int32_t i = 0; i < n; ++i)
      x.col(layer * n + i) << length * layer / n_layers, section.points[i];
  ElementBlock tets{ElementType::tet4, {}, {}};
  for (int layer = 0; layer < n_layers; ++layer) {
    const std::int32_t bottom = layer * n, top = bottom + n;
    for (std::array<std::int32_t, 3> p : section.triangles) {
      std::sort(p.begin(), p.end());
      add_tet(x, {bottom + p[0], bottom + p[1], bottom + p[2], top + p[2]}, tets);
      add_tet(x, {bottom + p[0], bottom + p[1], top + p[1], top + p[2]}, tets);
      add_tet(x, {bottom + p[0], top + p[0], top + p[1], top + p[2]}, tets);
    }
  }
  return make_linear(std::move(x), std::move(tets));
}

/// Moves the mid-side nodes between two skin nodes out to the circle.
void curve_skin(const RodOptions& options, std::int32_t first_skin_point,
                std::int32_t points_per_layer, Mesh& mesh) {
  const double radius = 0.5 * options.diameter;
  ElementBlock& block = mesh.blocks.front();
  const auto on_skin = [&](std::int32_t corner) {
    return corner % points_per_layer >= first_skin_point;
  };
  for (std::int64_t e = 0; e < block.size(); ++e) {
    const std::int32_t* nodes = &block.connectivity[static_cast<std::size_t>(e) * 10];
    for (int edge = 0; edge < 6; ++edge) {
      if (!on_skin(nodes[elements::kTetEdges[edge][0]]) ||
          !on_skin(nodes[elements::kTetEdges[edge][1]]))
        continue;
      auto yz = mesh.x.col(nodes[4 + edge]).tail<2>();
      yz *= radius / yz.norm();
    }
  }
}

/// Splits a brick so that each face's diagonal starts at the face's lowest node: the three faces
/// that do not hold the brick's lowest node are split and joined to it. Compatible for any
/// numbering.
void add_brick(const Eigen::Matrix3Xd& x, const std::array<std::int32_t, 8>& brick,
               ElementBlock& block) {
  constexpr int kFaces[6][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}};
  const std::int32_t apex = *std::min_element(brick.begin(), brick.end());
  for (const auto& corners : kFaces) {
    std::array<std::int32_t, 4> face;
    for (int i = 0; i < 4; ++i) face[i] = brick[corners[i]];
    if (std::find(face.begin(), face.end(), apex) != face.end()) continue;
    std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
    add_tet(x, {apex, face[0], face[1], face[2]}, block);
    add_tet(x, {apex, face[0], face[2], face[3]}, block);
  }
}

}  // namespace

Mesh make_quadratic(const Mesh& linear) {
  require(linear.blocks.size() == 1 && dimension(linear.blocks[0].type) == 3 &&
              linear_of(linear.blocks[0].type) == linear.blocks[0].type,
          "only a mesh of one type of linear solids can be made quadratic",
          "start from a mesh with tet4, hex8, wedge6 or pyramid5 elements alone");
  Mesh mesh;
  const ElementBlock& solids = linear.blocks[0];
  ElementBlock block{quadratic_of(solids.type), {}, solids.tags, solids.regions};
  const int n = n_nodes(solids.type);
  block.connectivity.reserve(n_nodes(block.type) * solids.tags.size());
  std::unordered_map<std::uint64_t, std::int32_t> middle_of;
  std::vector<std::array<std::int32_t, 2>> ends;  // of each new node
  const std::int32_t n_corners = static_cast<std::int32_t>(linear.n_nodes());
  for (std::int64_t e = 0; e < solids.size(); ++e) {
    const std::int32_t* corners = &solids.connectivity[static_cast<std::size_t>(e) * n];
    block.connectivity.insert(block.connectivity.end(), corners, corners + n);
    for (const auto& edge : edges(solids.type)) {
      const auto [low, high] = std::minmax(corners[edge[0]], corners[edge[1]]);
      const std::uint64_t key =
          (static_cast<std::uint64_t>(low) << 32) | static_cast<std::uint32_t>(high);
      const auto [found, is_new] =
          middle_of.emplace(key, n_corners + static_cast<std::int32_t>(ends.size()));
      if (is_new) ends.push_back({low, high});
      block.connectivity.push_back(found->second);
    }
  }
  mesh.x.resize(3, n_corners + static_cast<Eigen::Index>(ends.size()));
  mesh.x.leftCols(n_corners) = linear.x;
  mesh.node_tags = linear.node_tags;
  std::int64_t tag = *std::max_element(linear.node_tags.begin(), linear.node_tags.end());
  for (std::size_t i = 0; i < ends.size(); ++i) {
    mesh.x.col(n_corners + i) = 0.5 * (linear.x.col(ends[i][0]) + linear.x.col(ends[i][1]));
    mesh.node_tags.push_back(++tag);
  }
  mesh.blocks.push_back(std::move(block));
  for (const auto& [name, set] : linear.sets) {
    std::vector<bool> inside(n_corners, false);
    for (std::int32_t node : set.nodes) inside[node] = true;
    NodeSet grown = set;
    for (std::size_t i = 0; i < ends.size(); ++i)
      if (inside[ends[i][0]] && inside[ends[i][1]])
        grown.nodes.push_back(n_corners + static_cast<std::int32_t>(i));
    mesh.sets[name] = std::move(grown);
  }
  return mesh;
}

Mesh make_box(const BoxOptions& options) {
  require_solid(options.type);
  require(options.nx > 0 && options.ny > 0 && options.nz > 0,
          "a box needs at least one element along each side", "give nx, ny, nz of 1 or more");
  require(options.size.minCoeff() > 0.0, "a box needs positive sizes", "give three lengths in m");
  require(options.perturbation >= 0.0 && options.perturbation <= 0.2,
          "the perturbation of a box must be between 0 and 0.2 element sizes",
          "larger values may invert elements");
  const Grid grid{{options.nx, options.ny, options.nz}};
  Eigen::Matrix3Xd x = grid_positions(grid, options);
  ElementBlock solids;
  solids.type = linear_of(options.type);
  for (int k = 0; k < options.nz; ++k)
    for (int j = 0; j < options.ny; ++j)
      for (int i = 0; i < options.nx; ++i) {
        if (solids.type == ElementType::tet4)
          add_cell(x, grid, {i, j, k}, solids);
        else
          add_solids(cell_corners(grid, {i, j, k}), x, solids);
      }
  Mesh mesh = make_linear(std::move(x), std::move(solids));
  const char* axis_names[] = {"x", "y", "z"};
  for (int i = 0; i < 3; ++i) {
    const std::string axis = axis_names[i];
    const auto is_at = [&](std::int32_t n, int end) {
      return n < grid.n_nodes() && grid.position(n)[i] == end;  // the nodes after are inside
    };
    add_set(mesh, axis + "_min", 2, [&](std::int32_t n) { return is_at(n, 0); });
    add_set(mesh, axis + "_max", 2, [&](std::int32_t n) { return is_at(n, grid.n[i]); });
  }
  add_set(mesh, "body", 3, [](std::int32_t) { return true; });
  return as_type(std::move(mesh), options.type);
}

Mesh make_rod(const RodOptions& options) {
  require(linear_of(options.type) == ElementType::tet4,
          "a rod can only be generated with tetrahedra", "use tet4 or tet10");
  const bool is_circular = options.section == RodOptions::Section::circular;
  require(options.n_axial > 0 && options.n_axial % 2 == 0, "a rod needs an even number of layers",
          "so that a node lies at the middle of the centreline");
  require(options.n_section > 0 && (is_circular || options.n_section % 2 == 0),
          "the cross-section of a rod needs at least one ring, or an even number of cells across",
          "so that a node lies on the centreline");
  require(options.length > 0.0 && (is_circular ? options.diameter > 0.0
                                               : options.width_y > 0.0 && options.width_z > 0.0),
          "a rod needs positive sizes", "give lengths in m");
  const Section section =
      is_circular ? circular_section(0.5 * options.diameter, options.n_section)
                  : rectangular_section(options.width_y, options.width_z, options.n_section);
  const std::int32_t per_layer = static_cast<std::int32_t>(section.points.size());
  Mesh mesh = extrude(section, options.length, options.n_axial);
  add_set(mesh, "big_end_face", 2, [&](std::int32_t n) { return n < per_layer; });
  add_set(mesh, "small_end_face", 2,
          [&](std::int32_t n) { return n >= per_layer * options.n_axial; });
  add_set(mesh, "rod", 3, [](std::int32_t) { return true; });
  mesh = as_type(std::move(mesh), options.type);
  if (is_circular && options.type == ElementType::tet10)
    curve_skin(options, section.first_skin_point, per_layer, mesh);
  return mesh;
}

Mesh make_patch_test_cube(ElementType type) {
  require_solid(type);
  Eigen::Matrix3Xd x(3, 16);
  // Outer corners 0-7 and inner corners 8-15, each the lower face then the upper one,
  // counter-clockwise.
  x << 0, 1, 1, 0, 0, 1, 1, 0, 0.249, 0.826, 0.850, 0.273, 0.320, 0.677, 0.788, 0.165,  //
      0, 0, 1, 1, 0, 0, 1, 1, 0.342, 0.288, 0.649, 0.750, 0.186, 0.305, 0.693, 0.745,   //
      0, 0, 0, 0, 1, 1, 1, 1, 0.192, 0.288, 0.263, 0.230, 0.643, 0.683, 0.644, 0.702;
  // The inner brick, those below and above it, then the four around them, which wedges fill from
  // one to the next.
  constexpr std::array<std::array<std::int32_t, 8>, 7> kBricks = {{{8, 9, 10, 11, 12, 13, 14, 15},
                                                                   {0, 1, 2, 3, 8, 9, 10, 11},
                                                                   {12, 13, 14, 15, 4, 5, 6, 7},
                                                                   {0, 8, 12, 4, 1, 9, 13, 5},
                                                                   {1, 9, 13, 5, 2, 10, 14, 6},
                                                                   {2, 10, 14, 6, 3, 11, 15, 7},
                                                                   {3, 11, 15, 7, 0, 8, 12, 4}}};
  ElementBlock solids;
  solids.type = linear_of(type);
  for (const auto& brick : kBricks) {
    if (solids.type == ElementType::tet4)
      add_brick(x, brick, solids);
    else
      add_solids(brick, x, solids);
  }
  Mesh mesh = make_linear(std::move(x), std::move(solids));
  add_set(mesh, "body", 3, [](std::int32_t) { return true; });
  mesh = as_type(std::move(mesh), type);
  add_set(mesh, "outer", 2, [&mesh](std::int32_t n) {
    return (mesh.x.col(n).array() == 0.0 || mesh.x.col(n).array() == 1.0).any();
  });
  return mesh;
}

}  // namespace solidyn::mesh

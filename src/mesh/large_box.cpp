#include "solidyn/mesh/large_box.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/elements/topology.h"

namespace solidyn::mesh {
namespace {

using HalfCells =
    std::array<std::int64_t, 3>;  // in half cells, so that mid-side nodes are points too

void require_box(const LargeBox& box) {
  const ElementType type = box.type;
  if (type != ElementType::tet4 && type != ElementType::tet10 && type != ElementType::hex8 &&
      type != ElementType::hex20)
    throw base::InputError(fmt::format("a large box cannot be meshed with {}", name(type)),
                           "choose tet4, tet10, hex8 or hex20");
  if (std::min({box.nx, box.ny, box.nz}) < 1 || box.size.minCoeff() <= 0.0)
    throw base::InputError("a box needs at least one element along each side and positive sizes",
                           "give counts of 1 or more, and lengths in m");
}

/// The nodes of a box in rows along x, the rows in planes along y, the planes along z. The rows and
/// planes between the cells' corners hold all points (tet10), some (hex20) or none (linear).
class NodeNumbers {
 public:
  explicit NodeNumbers(const LargeBox& box) : box_(box) {
    const bool is_quadratic = linear_of(box.type) != box.type;
    const bool is_full = box.type == ElementType::tet10;
    const std::int64_t corners = box.nx + 1, all = is_quadratic ? 2 * box.nx + 1 : corners;
    row_[0][0] = all;  // [y odd][z odd]
    row_[1][0] = row_[0][1] = is_full ? all : is_quadratic ? corners : 0;
    row_[1][1] = is_full ? all : 0;
    for (int z = 0; z < 2; ++z) plane_[z] = (box.ny + 1) * row_[0][z] + box.ny * row_[1][z];
  }

  std::int64_t count() const { return (box_.nz + 1) * plane_[0] + box_.nz * plane_[1]; }

  std::int64_t index(const HalfCells& p) const {
    const int y = p[1] % 2, z = p[2] % 2;
    const std::int64_t planes = p[2] / 2 * (plane_[0] + plane_[1]) + (z ? plane_[0] : 0);
    const std::int64_t rows = p[1] / 2 * (row_[0][z] + row_[1][z]) + (y ? row_[0][z] : 0);
    return planes + rows + p[0] / spacing(y, z);
  }

  HalfCells point(std::int64_t index) const {
    HalfCells p;
    const std::int64_t z = split(index, plane_[0], plane_[1], p[2]);
    const std::int64_t y = split(index, row_[0][z], row_[1][z], p[1]);
    p[0] = index * spacing(static_cast<int>(y), static_cast<int>(z));
    return p;
  }

 private:
  // Half cells between the nodes of a row.
  std::int64_t spacing(int y, int z) const { return row_[y][z] == box_.nx + 1 ? 2 : 1; }

  // Takes layers of `even` and `odd` nodes in turn off the index; returns whether the last is odd.
  static std::int64_t split(std::int64_t& index, std::int64_t even, std::int64_t odd,
                            std::int64_t& layer) {
    const std::int64_t pairs = index / (even + odd);
    index -= pairs * (even + odd);
    const std::int64_t is_odd = index >= even;
    if (is_odd) index -= even;
    layer = 2 * pairs + is_odd;
    return is_odd;
  }

  const LargeBox& box_;
  std::int64_t row_[2][2];
  std::int64_t plane_[2];
};

HalfCells middle(const HalfCells& a, const HalfCells& b) {
  return {(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2};
}

/// Appends an element with these corners; its other nodes are halfway along its edges.
void add_element(const NodeNumbers& numbers, const std::vector<HalfCells>& corners,
                 ElementSlice& block) {
  for (const HalfCells& corner : corners) block.connectivity.push_back(numbers.index(corner));
  if (linear_of(block.type) == block.type) return;
  for (const auto& [a, b] : edges(block.type))
    block.connectivity.push_back(numbers.index(middle(corners[a], corners[b])));
}

HalfCells cell_at(const LargeBox& box, std::int64_t cell) {
  return {cell % box.nx, cell / box.nx % box.ny, cell / box.nx / box.ny};
}

/// Kuhn's six tetrahedra along the cell's main diagonal, one for each order of the axes; an odd
/// permutation is left-handed.
void add_tets(const NodeNumbers& numbers, const HalfCells& low, ElementSlice& block) {
  constexpr int kOrders[6][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}, {0, 2, 1}, {2, 1, 0}, {1, 0, 2}};
  for (int t = 0; t < 6; ++t) {
    std::vector<HalfCells> corners = {low};
    for (const int axis : kOrders[t]) {
      corners.push_back(corners.back());
      corners.back()[axis] += 2;
    }
    if (t >= 3) std::swap(corners[2], corners[3]);
    add_element(numbers, corners, block);
  }
}

void add_hex(const NodeNumbers& numbers, const HalfCells& low, ElementSlice& block) {
  constexpr int kCorners[8][3] = {{0, 0, 0}, {2, 0, 0}, {2, 2, 0}, {0, 2, 0},
                                  {0, 0, 2}, {2, 0, 2}, {2, 2, 2}, {0, 2, 2}};
  std::vector<HalfCells> corners;
  for (const auto& c : kCorners) corners.push_back({low[0] + c[0], low[1] + c[1], low[2] + c[2]});
  add_element(numbers, corners, block);
}

int elements_per_cell(ElementType type) { return linear_of(type) == ElementType::tet4 ? 6 : 1; }

struct Cells {
  std::int64_t first, end;
  Cells(MPI_Comm comm, const LargeBox& box) {
    const std::int64_t n = box.nx * box.ny * box.nz;
    first = slice_begin(n, base::rank(comm), base::size(comm));
    end = slice_begin(n, base::rank(comm) + 1, base::size(comm));
  }
};

ElementSlice make_elements(MPI_Comm comm, const LargeBox& box, const NodeNumbers& numbers) {
  ElementSlice block;
  block.type = box.type;
  const Cells cells(comm, box);
  const int per_cell = elements_per_cell(box.type);
  for (std::int64_t cell = cells.first; cell < cells.end; ++cell) {
    HalfCells low = cell_at(box, cell);
    for (std::int64_t& i : low) i *= 2;
    if (per_cell == 6)
      add_tets(numbers, low, block);
    else
      add_hex(numbers, low, block);
    for (int e = 0; e < per_cell; ++e) block.tags.push_back(per_cell * cell + e + 1);
  }
  return block;
}

void add_to_sets(const LargeBox& box, const HalfCells& p, std::int64_t node, MeshSlices& slices) {
  const HalfCells end = {2 * box.nx, 2 * box.ny, 2 * box.nz};
  const char* names[3][2] = {{"x_min", "x_max"}, {"y_min", "y_max"}, {"z_min", "z_max"}};
  for (int i = 0; i < 3; ++i) {
    if (p[i] == 0) slices.sets[names[i][0]].nodes.push_back(node);
    if (p[i] == end[i]) slices.sets[names[i][1]].nodes.push_back(node);
  }
  slices.sets["body"].nodes.push_back(node);
}

void make_nodes(MPI_Comm comm, const LargeBox& box, const NodeNumbers& numbers,
                MeshSlices& slices) {
  for (const char* name : {"x_min", "x_max", "y_min", "y_max", "z_min", "z_max"})
    slices.sets[name].dimension = 2;
  slices.sets["body"].dimension = 3;
  slices.n_nodes = numbers.count();
  const std::int64_t first = slice_begin(slices.n_nodes, base::rank(comm), base::size(comm));
  const std::int64_t end = slice_begin(slices.n_nodes, base::rank(comm) + 1, base::size(comm));
  slices.x.resize(3, end - first);
  const HalfCells ends = {2 * box.nx, 2 * box.ny, 2 * box.nz};
  for (std::int64_t node = first; node < end; ++node) {
    const HalfCells p = numbers.point(node);
    for (int i = 0; i < 3; ++i)
      slices.x(i, node - first) =
          box.origin[i] + box.size[i] * static_cast<double>(p[i]) / static_cast<double>(ends[i]);
    slices.node_tags.push_back(node + 1);
    add_to_sets(box, p, node, slices);
  }
}

std::int64_t count_nodes(LargeBox box, double cells_per_metre) {
  const Eigen::Array3d n = (box.size.array() * cells_per_metre).round().max(1.0);
  box.nx = std::int64_t(n[0]), box.ny = std::int64_t(n[1]), box.nz = std::int64_t(n[2]);
  return box.n_nodes();
}

}  // namespace

std::int64_t LargeBox::n_nodes() const { return NodeNumbers(*this).count(); }
std::int64_t LargeBox::n_elements() const { return elements_per_cell(type) * nx * ny * nz; }

LargeBox make_large_box(ElementType type, const Eigen::Vector3d& size, std::int64_t n_dofs) {
  LargeBox box;
  box.type = type;
  box.size = size;
  require_box(box);
  if (n_dofs < 1)
    throw base::InputError(fmt::format("a box cannot have {} unknowns", n_dofs),
                           "give a number of 1 or more");
  double few = 0.0, enough = 1.0 / size.minCoeff();
  while (3 * count_nodes(box, enough) < n_dofs) enough *= 2.0;
  for (int i = 0; i < 60; ++i) {
    const double half = 0.5 * (few + enough);
    (3 * count_nodes(box, half) < n_dofs ? few : enough) = half;
  }
  const Eigen::Array3d n = (size.array() * enough).round().max(1.0);
  box.nx = std::int64_t(n[0]), box.ny = std::int64_t(n[1]), box.nz = std::int64_t(n[2]);
  return box;
}

MeshSlices make_box_slices(MPI_Comm comm, const LargeBox& box) {
  require_box(box);
  const NodeNumbers numbers(box);
  MeshSlices slices;
  make_nodes(comm, box, numbers, slices);
  slices.blocks.push_back(make_elements(comm, box, numbers));
  return slices;
}

std::array<int, 3> find_rank_grid(const LargeBox& box, int n_ranks) {
  std::array<int, 3> best = {0, 0, 0};
  double least = std::numeric_limits<double>::infinity();
  const double nx = double(box.nx), ny = double(box.ny), nz = double(box.nz);
  for (int px = 1; px <= n_ranks; ++px) {
    if (n_ranks % px != 0 || px > box.nx) continue;
    for (int py = 1; py <= n_ranks / px; ++py) {
      const int pz = n_ranks / px / py;
      if (px * py * pz != n_ranks || py > box.ny || pz > box.nz) continue;
      const double area = (px - 1) * ny * nz + (py - 1) * nx * nz + (pz - 1) * nx * ny;
      if (area >= least) continue;
      least = area;
      best = {px, py, pz};
    }
  }
  return best;
}

DistributedMesh make_distributed_box(MPI_Comm comm, const LargeBox& box) {
  MeshSlices slices = make_box_slices(comm, box);
  const std::array<int, 3> grid = find_rank_grid(box, base::size(comm));
  if (grid[0] == 0) return distribute(comm, std::move(slices), "the box", Partitioner::curve);
  std::vector<std::int32_t> parts;
  const Cells cells(comm, box);
  for (std::int64_t cell = cells.first; cell < cells.end; ++cell) {
    const HalfCells at = cell_at(box, cell);
    const int part =
        slice_of(at[0], box.nx, grid[0]) +
        grid[0] * (slice_of(at[1], box.ny, grid[1]) + grid[1] * slice_of(at[2], box.nz, grid[2]));
    parts.insert(parts.end(), elements_per_cell(box.type), part);
  }
  return distribute(comm, std::move(slices), "the box", parts);
}

}  // namespace solidyn::mesh

#include "fem/assembly/element_groups.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <set>

#include "solidyn/base/error.h"
#include "solidyn/elements/tetrahedron.h"

namespace solidyn::fem {
namespace {

using Eigen::Vector3d;

// Every third bit of the result is one of the low 21 of `v`.
std::uint64_t spread_bits(std::uint64_t v) {
  v &= 0x1fffff;
  v = (v | v << 32) & 0x1f00000000ffff;
  v = (v | v << 16) & 0x1f0000ff0000ff;
  v = (v | v << 8) & 0x100f00f00f00f00f;
  v = (v | v << 4) & 0x10c30c30c30c30c3;
  v = (v | v << 2) & 0x1249249249249249;
  return v;
}

// Place along the Z-order curve through a cube around the mesh.
class Curve {
 public:
  explicit Curve(const Eigen::Matrix3Xd& x) {
    if (x.cols() == 0) return;
    low_ = x.rowwise().minCoeff();
    const double size = (x.rowwise().maxCoeff() - low_).maxCoeff();
    if (size > 0.0) scale_ = 0x1fffff / size;
  }
  std::uint64_t place(const Vector3d& p) const {
    std::uint64_t key = 0;
    for (int i = 0; i < 3; ++i)
      key |= spread_bits(static_cast<std::uint64_t>(std::max(0.0, (p[i] - low_[i]) * scale_))) << i;
    return key;
  }

 private:
  Vector3d low_ = Vector3d::Zero();
  double scale_ = 0.0;
};

Eigen::Matrix3Xd gather_nodes(const mesh::DistributedMesh& mesh, const mesh::ElementBlock& block,
                              std::int64_t e) {
  const int n = elements::n_nodes(block.type);
  Eigen::Matrix3Xd x(3, n);
  for (int a = 0; a < n; ++a) x.col(a) = mesh.x.col(block.connectivity[e * n + a]);
  return x;
}

// A tetrahedron with constant Jacobian; the tolerance is that of compute_stiffness().
bool is_affine(elements::ElementType type, const Eigen::Matrix3Xd& x) {
  if (type == elements::ElementType::tet4) return true;
  if (type != elements::ElementType::tet10) return false;
  double size = 0.0, offset = 0.0;
  for (int e = 0; e < 6; ++e) {
    const Vector3d a = x.col(elements::Tet10::edges[e][0]), b = x.col(elements::Tet10::edges[e][1]);
    size = std::max(size, (b - a).squaredNorm());
    offset = std::max(offset, (x.col(4 + e) - 0.5 * (a + b)).squaredNorm());
  }
  return offset <= 1e-24 * size;
}

// Elements of a block that have the region (any: -1) and the shape, along the curve.
std::vector<std::int64_t> sort_elements(const mesh::DistributedMesh& mesh,
                                        const mesh::ElementBlock& block, std::int32_t region,
                                        Shape shape, const Curve& curve) {
  std::vector<std::pair<std::uint64_t, std::int64_t>> keys;
  for (std::int64_t e = 0; e < block.size(); ++e) {
    if (region >= 0 && block.region(e) != region) continue;
    const Eigen::Matrix3Xd x = gather_nodes(mesh, block, e);
    if (is_affine(block.type, x) == (shape == Shape::affine))
      keys.emplace_back(curve.place(x.rowwise().mean()), e);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::int64_t> elements;
  for (const auto& [key, e] : keys) elements.push_back(e);
  return elements;
}

bool has_ghost(const mesh::DistributedMesh& mesh, const mesh::ElementBlock& block, std::int64_t e) {
  const auto first = block.connectivity.begin() + e * elements::n_nodes(block.type);
  return std::any_of(first, first + elements::n_nodes(block.type),
                     [&](std::int32_t node) { return node >= mesh.n_owned; });
}

// Those of each turn, in the order that they had.
std::array<std::vector<std::int64_t>, 2> deal_turns(const mesh::DistributedMesh& mesh,
                                                    const mesh::ElementBlock& block,
                                                    const std::vector<std::int64_t>& elements) {
  std::array<std::vector<std::int64_t>, 2> turns;
  for (const std::int64_t e : elements) turns[has_ghost(mesh, block, e) ? 0 : 1].push_back(e);
  return turns;
}

void append_batch(const mesh::ElementBlock& block, const std::vector<std::int64_t>& elements,
                  std::size_t first, ElementGroup& group) {
  const int n = group.n_nodes();
  std::int64_t of_lane[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) {
    of_lane[lane] = elements[std::min(first + lane, elements.size() - 1)];
    group.tags.push_back(block.tags[of_lane[lane]]);
  }
  for (int a = 0; a < n; ++a)
    for (const std::int64_t e : of_lane) group.nodes.push_back(block.connectivity[e * n + a]);
}

// @param temperature [n_local], or empty
void add_geometry(const mesh::DistributedMesh& mesh, const Eigen::VectorXd& temperature,
                  ElementGroup& group) {
  Vector X[kMaxNodes];
  Pack changes[kMaxNodes];
  const bool has_changes = temperature.size() > 0;
  SOLIDYN_ASSERT(!has_changes || temperature.size() == mesh.n_local());
  for (std::size_t batch = 0; batch < group.n_batches(); ++batch) {
    group.gather(batch, mesh.x.data(), X);
    if (has_changes) group.gather_scalars(batch, temperature.data(), changes);
    const Pack det = group.kernel->add_batch(X, has_changes ? changes : nullptr);
    for (int lane = 0; lane < kLanes; ++lane)
      if (!(det[lane] > 0.0))
        throw base::InputError(
            fmt::format(
                "{} element {} is inverted or degenerate: its Jacobian determinant is {:.3g} m^3",
                elements::name(group.type), group.tags[batch * kLanes + lane], det[lane]),
            "repair the mesh there; mid-side nodes of curved elements must stay near the middle of their edges");
  }
}

// The regions whose elements are made differently; -1 stands for all.
std::vector<std::int32_t> regions_of(const mesh::ElementBlock& block, const SolidOptions& options) {
  if (options.regions.empty()) return {-1};
  std::set<std::int32_t> regions(block.regions.begin(), block.regions.end());
  if (block.regions.empty()) regions.insert(0);
  const auto n = static_cast<std::int32_t>(options.regions.size());
  if (*regions.rbegin() >= n)
    throw base::InputError(
        fmt::format("the mesh has a region {}, but sections are defined for {} regions",
                    *regions.rbegin(), n),
        "assign a material to each region of the mesh");
  return {regions.begin(), regions.end()};
}

SolidOptions options_of(const SolidOptions& options, std::int32_t region) {
  if (region < 0) return options;
  const SolidRegion& own = options.regions[region];
  return {options.formulation, own.material, own.viscosity, own.hex8, own.hex20, {}, {}};
}

}  // namespace

std::vector<ElementGroup> make_element_groups(const mesh::DistributedMesh& mesh,
                                              const SolidOptions& options) {
  const Curve curve(mesh.x);
  std::vector<ElementGroup> groups;
  const auto add_group = [&](const mesh::ElementBlock& block, std::int32_t region, Shape shape,
                             Turn turn, const std::vector<std::int64_t>& elements) {
    if (elements.empty()) return;
    ElementGroup group;
    group.type = block.type;
    group.turn = turn;
    group.kernel = make_batch_kernel(block.type, shape, options_of(options, region));
    group.n_elements = static_cast<std::int64_t>(elements.size());
    for (std::size_t first = 0; first < elements.size(); first += kLanes)
      append_batch(block, elements, first, group);
    add_geometry(mesh, options.temperature, group);
    groups.push_back(std::move(group));
  };
  constexpr Turn kTurns[] = {Turn::with_ghosts, Turn::without_ghosts};
  for (const mesh::ElementBlock& block : mesh.solids)
    for (const std::int32_t region : regions_of(block, options))
      for (const Shape shape : {Shape::affine, Shape::curved}) {
        const auto of_turns =
            deal_turns(mesh, block, sort_elements(mesh, block, region, shape, curve));
        for (std::size_t turn = 0; turn < of_turns.size(); ++turn)
          add_group(block, region, shape, kTurns[turn], of_turns[turn]);
      }
  return groups;
}

}  // namespace solidyn::fem

#include "solidyn/fem/doubtful_elements.h"

#include <algorithm>
#include <array>

#include "fem/assembly/ghost_exchange.h"
#include "solidyn/base/mpi.h"
#include "solidyn/mesh/element_geometry.h"

namespace solidyn::fem {
namespace {

using elements::ElementType;
using mesh::ElementBlock;

constexpr std::array<ElementType, 4> kLinearSolids = {ElementType::tet4, ElementType::wedge6,
                                                      ElementType::pyramid5, ElementType::hex8};

bool is_too_stiff(ElementType type, const Section& section) {
  return type != ElementType::hex8 || section.hex8 != Hex8Formulation::incompatible_modes;
}

// Whether `holds` is true of the section of an element.
template <class Holds>
bool holds_for(const Sections& sections, const ElementBlock& block, std::int64_t e,
               const Holds& holds) {
  if (sections.is_one() || !block.regions.empty())
    return holds(sections.of_region(block.region(e)));
  return std::all_of(sections.all().begin(), sections.all().end(), holds);
}

// The local nodes on the surface, those of other ranks' faces too.
std::vector<bool> mark_surface(const mesh::DistributedMesh& mesh) {
  Eigen::Matrix3Xd marks = Eigen::Matrix3Xd::Zero(3, mesh.n_local());
  for (const ElementBlock& block : mesh.surface)
    for (const std::int32_t node : block.connectivity) marks(0, node) = 1.0;
  const GhostExchange ghosts(mesh);
  ghosts.add_to_owners(marks);
  ghosts.update(marks);
  std::vector<bool> on_surface(mesh.n_local());
  for (std::int32_t i = 0; i < mesh.n_local(); ++i) on_surface[i] = marks(0, i) > 0.0;
  return on_surface;
}

// Volumes of this rank's elements of a block: all, and those that count.
struct Volumes {
  double all = 0.0, doubtful = 0.0;
};

Volumes measure(const mesh::DistributedMesh& mesh, const ElementBlock& block,
                const Sections& sections, const std::vector<bool>& on_surface) {
  const bool is_linear = elements::linear_of(block.type) == block.type;
  const int n = elements::n_nodes(block.type);
  Volumes sum;
  for (std::int64_t e = 0; e < block.size(); ++e) {
    const double volume = mesh::volume(mesh::gather_positions(mesh.x, block, e));
    sum.all += volume;
    const std::int32_t* nodes = &block.connectivity[n * e];
    if (is_linear && std::any_of(nodes, nodes + n, [&](auto node) { return on_surface[node]; }) &&
        holds_for(sections, block, e,
                  [&](const Section& section) { return is_too_stiff(block.type, section); }))
      sum.doubtful += volume;
  }
  return sum;
}

// Six faces each, of which fewer than one per element are between two: a row, or a tree of rows.
bool is_row_of_reduced(const mesh::DistributedMesh& mesh, const Sections& sections) {
  std::int64_t n_reduced = 0, n_outer = 0;
  for (const ElementBlock& block : mesh.solids)
    if (block.type == ElementType::hex20)
      for (std::int64_t e = 0; e < block.size(); ++e)
        n_reduced += holds_for(sections, block, e, [](const Section& section) {
          return section.hex20 == Hex20Integration::reduced;
        });
  for (const ElementBlock& block : mesh.surface) n_outer += block.size();
  const std::int64_t n = base::sum(mesh.comm, n_reduced), outer = base::sum(mesh.comm, n_outer);
  return n > 0 && n == mesh.n_global_elements && (6 * n - outer) / 2 < n;
}

}  // namespace

double DoubtfulElements::locking_share() const {
  double sum = 0.0;
  for (const auto& [type, share] : locking) sum += share;
  return sum;
}

DoubtfulElements find_doubtful_elements(const mesh::DistributedMesh& mesh,
                                        const Sections& sections) {
  const std::vector<bool> on_surface = mark_surface(mesh);
  double total = 0.0;
  std::map<ElementType, double> doubtful;
  for (const ElementType type : kLinearSolids) doubtful[type] = 0.0;
  for (const ElementBlock& block : mesh.solids) {
    const Volumes volumes = measure(mesh, block, sections, on_surface);
    total += volumes.all;
    if (volumes.doubtful > 0.0) doubtful[block.type] += volumes.doubtful;
  }
  total = base::sum(mesh.comm, total);
  DoubtfulElements found;
  for (const auto& [type, volume] : doubtful) {
    const double of_all = base::sum(mesh.comm, volume);
    if (of_all > 0.0) found.locking[type] = of_all / total;
  }
  found.is_row_of_reduced_hex20 = is_row_of_reduced(mesh, sections);
  return found;
}

}  // namespace solidyn::fem

#include <utility>

#include "fem/assembly/corner_mesh.h"
#include "fem/assembly/ghost_exchange.h"
#include "reduction/basis/rigid_coordinates.h"
#include "solidyn/base/mpi.h"
#include "solidyn/math/rotation.h"
#include "solvers/summed_entries.h"

namespace solidyn::reduction {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;

// Owned nodes' numbers at ghosts too; whole up to 2^53 as numbers of the exchange.
std::vector<std::int64_t> number_at_ghosts(const mesh::DistributedMesh& mesh,
                                           const std::vector<std::int64_t>& owned) {
  Matrix3Xd number = Matrix3Xd::Zero(3, mesh.n_local());
  for (std::int32_t i = 0; i < mesh.n_owned; ++i) number(0, i) = static_cast<double>(owned[i]);
  fem::GhostExchange(mesh).update(number);
  std::vector<std::int64_t> all(mesh.n_local());
  for (std::int32_t i = 0; i < mesh.n_local(); ++i)
    all[i] = static_cast<std::int64_t>(number(0, i));
  return all;
}

}  // namespace

CornerInterpolation RigidCoordinates::make_corner_interpolation() const {
  constexpr std::int64_t kNone = -1;
  const fem::CornerMesh corners = fem::make_corner_mesh(mesh_);
  CornerInterpolation out;
  std::vector<std::int64_t> block(mesh_.n_owned, kNone), coarse(corners.mesh.n_owned, kNone);
  for (std::size_t j = 0; j < free_nodes_.size(); ++j) {
    const std::int32_t node = free_nodes_[j];
    block[node] = first_ + static_cast<std::int64_t>(j);
    if (corners.corners[node] == fem::CornerMesh::kMiddle) continue;
    coarse[corners.corners[node]] = static_cast<std::int64_t>(out.blocks.size());
    out.blocks.push_back(static_cast<std::int32_t>(j));
  }
  const auto n_nodes = static_cast<std::int64_t>(out.blocks.size());
  for (std::size_t j = free_nodes_.size(); j < static_cast<std::size_t>(n_blocks()); ++j)
    out.blocks.push_back(static_cast<std::int32_t>(j));
  std::int64_t n_coarse = static_cast<std::int64_t>(out.blocks.size()), first = 0;
  MPI_Exscan(&n_coarse, &first, 1, MPI_INT64_T, MPI_SUM, mesh_.comm);
  if (base::rank(mesh_.comm) == 0) first = 0;
  for (std::int64_t& number : coarse)
    if (number != kNone) number += first;
  std::vector<std::int64_t> of_frame(rigid_.sets().size(), kNone);
  for (std::size_t i = 0; i < frames_.size(); ++i)
    of_frame[frames_[i]] = first + n_nodes + 2 * static_cast<std::int64_t>(i);
  MPI_Allreduce(MPI_IN_PLACE, of_frame.data(), static_cast<int>(of_frame.size()), MPI_INT64_T,
                MPI_MAX, mesh_.comm);
  block = number_at_ghosts(mesh_, block);
  coarse = number_at_ghosts(corners.mesh, coarse);

  solvers::SummedEntries entries;
  for (std::size_t k = 0; k < out.blocks.size(); ++k)
    entries.add_block(first_ + out.blocks[k], first + static_cast<std::int64_t>(k),
                      Matrix3d::Identity());
  const auto ties_of = [&](std::int64_t node) -> const std::vector<RigidSets::Tie>* {
    const auto found = rigid_.ties().find(node);
    return found == rigid_.ties().end() ? nullptr : &found->second;
  };
  for (const fem::CornerWeight& w : fem::make_corner_weights(mesh_, corners)) {
    if (corners.corners[w.node] != fem::CornerMesh::kMiddle || block[w.node] == kNone) continue;
    const std::int64_t corner = mesh_.global[corners.nodes[w.corner]];
    const Matrix3d part = w.weight * rigid_.free_part(mesh_.global[w.node]);
    if (coarse[w.corner] != kNone)
      entries.add_block(block[w.node], coarse[w.corner], part * rigid_.free_part(corner));
    const std::vector<RigidSets::Tie>* ties = ties_of(corner);
    if (!ties) continue;
    const Matrix3Xd duals = dual_directions(*ties);
    for (std::size_t j = 0; j < ties->size(); ++j) {
      const RigidSets::Tie& tie = (*ties)[j];
      const Matrix3d tied = part * duals.col(static_cast<Eigen::Index>(j)) * tie.d.transpose();
      const Eigen::Vector3d arm = corners.mesh.x.col(w.corner) - rigid_.sets()[tie.set].origin;
      entries.add_block(block[w.node], of_frame[tie.set], tied);
      entries.add_block(block[w.node], of_frame[tie.set] + 1, -tied * math::skew(arm));
    }
  }
  out.P = entries.make_matrix(mesh_.comm, static_cast<PetscInt>(3 * n_blocks()),
                              static_cast<PetscInt>(3 * n_coarse));
  return out;
}

}  // namespace solidyn::reduction

#include <utility>

#include "fem/assembly/corner_mesh.h"
#include "fem/assembly/ghost_exchange.h"
#include "reduction/basis/rigid_coordinates.h"
#include "solidyn/base/mpi.h"
#include "solidyn/math/rotation.h"

namespace solidyn::reduction {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;

/// Entries of a matrix in the order in which they come; those at one place are added.
class SummedEntries {
 public:
  void add(std::int64_t row, std::int64_t column, const Matrix3d& block) {
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        if (block(i, j) == 0.0) continue;
        rows_.push_back(static_cast<PetscInt>(3 * row + i));
        columns_.push_back(static_cast<PetscInt>(3 * column + j));
        values_.push_back(block(i, j));
      }
  }
  // The copy does without the places of the entries, which take more memory than the matrix.
  base::Mat make_matrix(MPI_Comm comm, PetscInt n_rows, PetscInt n_columns) {
    base::Mat sums, out;
    SOLIDYN_PETSC(MatCreate(comm, sums.out()));
    SOLIDYN_PETSC(MatSetSizes(sums, n_rows, n_columns, PETSC_DETERMINE, PETSC_DETERMINE));
    SOLIDYN_PETSC(MatSetBlockSize(sums, 3));
    SOLIDYN_PETSC(MatSetType(sums, MATAIJ));
    SOLIDYN_PETSC(MatSetPreallocationCOO(sums, static_cast<PetscCount>(rows_.size()), rows_.data(),
                                         columns_.data()));
    SOLIDYN_PETSC(MatSetValuesCOO(sums, values_.data(), INSERT_VALUES));
    SOLIDYN_PETSC(MatDuplicate(sums, MAT_COPY_VALUES, out.out()));
    return out;
  }

 private:
  std::vector<PetscInt> rows_, columns_;
  std::vector<double> values_;
};

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

  SummedEntries entries;
  for (std::size_t k = 0; k < out.blocks.size(); ++k)
    entries.add(first_ + out.blocks[k], first + static_cast<std::int64_t>(k), Matrix3d::Identity());
  const auto ties_of = [&](std::int64_t node) -> const std::vector<RigidSets::Tie>* {
    const auto found = rigid_.ties().find(node);
    return found == rigid_.ties().end() ? nullptr : &found->second;
  };
  for (const fem::CornerWeight& w : fem::make_corner_weights(mesh_, corners)) {
    if (corners.corners[w.node] != fem::CornerMesh::kMiddle || block[w.node] == kNone) continue;
    const std::int64_t corner = mesh_.global[corners.nodes[w.corner]];
    const Matrix3d part = w.weight * rigid_.free_part(mesh_.global[w.node]);
    if (coarse[w.corner] != kNone)
      entries.add(block[w.node], coarse[w.corner], part * rigid_.free_part(corner));
    const std::vector<RigidSets::Tie>* ties = ties_of(corner);
    if (!ties) continue;
    const Matrix3Xd duals = dual_directions(*ties);
    for (std::size_t j = 0; j < ties->size(); ++j) {
      const RigidSets::Tie& tie = (*ties)[j];
      const Matrix3d tied = part * duals.col(static_cast<Eigen::Index>(j)) * tie.d.transpose();
      const Eigen::Vector3d arm = corners.mesh.x.col(w.corner) - rigid_.sets()[tie.set].origin;
      entries.add(block[w.node], of_frame[tie.set], tied);
      entries.add(block[w.node], of_frame[tie.set] + 1, -tied * math::skew(arm));
    }
  }
  out.P = entries.make_matrix(mesh_.comm, static_cast<PetscInt>(3 * n_blocks()),
                              static_cast<PetscInt>(3 * n_coarse));
  return out;
}

}  // namespace solidyn::reduction

#include "reduction/basis/rigid_coordinates.h"

#include <algorithm>
#include <cmath>

#include "reduction/basis/rigid_motion.h"
#include "solidyn/base/mpi.h"
#include "solidyn/math/dense.h"
#include "solidyn/math/rotation.h"

namespace solidyn::reduction {
namespace {

using Eigen::Matrix3d;

constexpr int kOwn = 3, kOfFrame = 6, kMostTies = 3;  // columns in a row of the expansion

void add_block(const base::Mat& T, std::int64_t row, std::int64_t column, const Matrix3d& block) {
  const PetscInt i = row, j = column;
  const Eigen::Matrix<double, 3, 3, Eigen::RowMajor> by_rows = block;
  SOLIDYN_PETSC(MatSetValuesBlocked(T, 1, &i, 1, &j, by_rows.data(), ADD_VALUES));
}

// (a, w) to (a, length w).
Eigen::Matrix<double, 6, 1> frame_scale(double length) {
  Eigen::Matrix<double, 6, 1> scale;
  scale << 1.0, 1.0, 1.0, length, length, length;
  return scale;
}

}  // namespace

RigidCoordinates::RigidCoordinates(const mesh::DistributedMesh& mesh, const RigidSets& rigid)
    : mesh_(mesh), rigid_(rigid) {
  number_blocks();
  find_idle();
}

void RigidCoordinates::number_blocks() {
  for (std::int32_t i = 0; i < mesh_.n_owned; ++i)
    if (!rigid_.is_tied(mesh_.first_owned + i)) free_nodes_.push_back(i);
  for (int i = 0; i < static_cast<int>(rigid_.sets().size()); ++i) {
    const std::int64_t local = rigid_.sets()[i].first_node - mesh_.first_owned;
    if (local >= 0 && local < mesh_.n_owned) frames_.push_back(i);
  }
  const std::int64_t n = n_blocks();
  MPI_Exscan(&n, &first_, 1, MPI_INT64_T, MPI_SUM, mesh_.comm);
  if (base::rank(mesh_.comm) == 0) first_ = 0;
  frame_block_.assign(rigid_.sets().size(), -1);
  std::int64_t next = first_ + static_cast<std::int64_t>(free_nodes_.size());
  for (const int i : frames_) {
    frame_block_[i] = next;
    next += 2;
  }
  MPI_Allreduce(MPI_IN_PLACE, frame_block_.data(), static_cast<int>(frame_block_.size()),
                MPI_INT64_T, MPI_MAX, mesh_.comm);
}

void RigidCoordinates::find_idle() {
  for (std::size_t j = 0; j < free_nodes_.size(); ++j) {
    const std::int64_t node = mesh_.first_owned + free_nodes_[j];
    if (rigid_.ties().count(node))
      idle_.push_back(
          {first_ + static_cast<std::int64_t>(j), Matrix3d::Identity() - rigid_.free_part(node)});
  }
  for (const int i : frames_) {
    const RigidSet& set = rigid_.sets()[i];
    if (set.null.isZero(0.0)) continue;
    const auto scale = frame_scale(set.length);
    idle_.push_back({frame_block_[i], scale.asDiagonal() * set.null * scale.asDiagonal()});
  }
  std::int64_t n = 0;
  for (const IdleBlock& block : idle_) n += math::FullLuFactor(block.projector).rank();
  n_idle_ = base::sum(mesh_.comm, n);
}

// u_k = P_k v_k + sum_j e_j d_j . (a_F + w_F x (x_k - x_F)): P_k on what is left to the node, d_j
// the directions in which it is tied to frames F, e_j their duals. Of a node of a rigid region that
// is a_F + w_F x (x_k - x_F).
base::Mat RigidCoordinates::make_expansion() const {
  base::Mat T;
  const auto n_columns = static_cast<PetscInt>(3 * n_blocks());
  SOLIDYN_PETSC(MatCreate(mesh_.comm, T.out()));
  SOLIDYN_PETSC(MatSetSizes(T, 3 * mesh_.n_owned, n_columns, PETSC_DETERMINE, PETSC_DETERMINE));
  SOLIDYN_PETSC(MatSetBlockSize(T, 3));
  SOLIDYN_PETSC(MatSetType(T, MATAIJ));
  const PetscInt n_tied = std::min<PetscInt>(n_columns, kOwn + kMostTies * kOfFrame);
  std::vector<PetscInt> n_in_row(3 * mesh_.n_owned, std::min<PetscInt>(n_columns, kOwn));
  const auto tied_here = [&](std::int64_t node) {
    return node >= mesh_.first_owned && node < mesh_.first_owned + mesh_.n_owned;
  };
  for (const auto& [node, ties] : rigid_.ties())
    if (tied_here(node)) std::fill_n(n_in_row.begin() + 3 * (node - mesh_.first_owned), 3, n_tied);
  SOLIDYN_PETSC(MatSeqAIJSetPreallocation(T, 0, n_in_row.data()));
  SOLIDYN_PETSC(MatMPIAIJSetPreallocation(T, 0, n_in_row.data(), kMostTies * kOfFrame, nullptr));
  for (std::size_t j = 0; j < free_nodes_.size(); ++j) {
    const std::int64_t node = mesh_.first_owned + free_nodes_[j];
    add_block(T, node, first_ + static_cast<std::int64_t>(j), rigid_.free_part(node));
  }
  for (const auto& [node, ties] : rigid_.ties())
    if (tied_here(node)) insert_ties(node, ties, T);
  SOLIDYN_PETSC(MatAssemblyBegin(T, MAT_FINAL_ASSEMBLY));
  SOLIDYN_PETSC(MatAssemblyEnd(T, MAT_FINAL_ASSEMBLY));
  return T;
}

void RigidCoordinates::insert_ties(std::int64_t node, const std::vector<RigidSets::Tie>& ties,
                                   const base::Mat& T) const {
  const Eigen::Vector3d x = mesh_.x.col(node - mesh_.first_owned);
  const Eigen::Matrix3Xd duals = dual_directions(ties);
  for (std::size_t j = 0; j < ties.size(); ++j) {
    const Matrix3d part = duals.col(static_cast<Eigen::Index>(j)) * ties[j].d.transpose();
    const std::int64_t frame = frame_block_[ties[j].set];
    add_block(T, node, frame, part);
    add_block(T, node, frame + 1, -part * math::skew(x - rigid_.sets()[ties[j].set].origin));
  }
}

void RigidCoordinates::add_idle(double value, const base::Mat& A) const {
  SOLIDYN_PETSC(MatSetOption(A, MAT_NEW_NONZERO_ALLOCATION_ERR, PETSC_FALSE));
  for (const IdleBlock& block : idle_) {
    const auto n = static_cast<PetscInt>(block.projector.rows());
    std::vector<PetscInt> rows(n);
    for (PetscInt i = 0; i < n; ++i) rows[i] = static_cast<PetscInt>(3 * block.block) + i;
    const Eigen::MatrixXd values = value * block.projector;  // symmetric: in any order
    SOLIDYN_PETSC(MatSetValues(A, n, rows.data(), n, rows.data(), values.data(), ADD_VALUES));
  }
  SOLIDYN_PETSC(MatAssemblyBegin(A, MAT_FINAL_ASSEMBLY));
  SOLIDYN_PETSC(MatAssemblyEnd(A, MAT_FINAL_ASSEMBLY));
}

MultiVector RigidCoordinates::rigid_motions(const Eigen::Vector3d& center) const {
  const auto n_free = static_cast<Eigen::Index>(free_nodes_.size());
  Eigen::Matrix3Xd x(3, n_free);
  for (Eigen::Index j = 0; j < n_free; ++j) x.col(j) = mesh_.x.col(free_nodes_[j]);
  MultiVector R = MultiVector::Zero(3 * n_blocks(), 6);
  R.topRows(3 * n_free) = make_rigid_motions(x, center);
  for (Eigen::Index j = 0; j < n_free; ++j) {
    const std::int64_t node = mesh_.first_owned + free_nodes_[j];
    if (rigid_.ties().count(node))
      R.middleRows<3>(3 * j) = (rigid_.free_part(node) * R.middleRows<3>(3 * j)).eval();
  }
  Eigen::Index row = 3 * n_free;
  for (const int i : frames_) {
    const RigidSet& set = rigid_.sets()[i];
    R.middleRows(row, 3) = make_rigid_motions(set.origin, center);
    R.block<3, 3>(row + 3, 3).setIdentity();
    if (!set.null.isZero(0.0)) {
      const auto scale = frame_scale(set.length);
      const Eigen::MatrixXd idle = set.null * scale.asDiagonal() * R.middleRows<6>(row);
      R.middleRows<6>(row) -= scale.cwiseInverse().asDiagonal() * idle;
    }
    row += 6;
  }
  return R;
}

}  // namespace solidyn::reduction

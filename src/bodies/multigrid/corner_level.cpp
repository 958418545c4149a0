#include "bodies/multigrid/corner_level.h"

#include <algorithm>
#include <cmath>

#include "bodies/nodal_view.h"
#include "fem/assembly/ghost_exchange.h"
#include "solidyn/base/mpi.h"

namespace solidyn::bodies {
namespace {

using Eigen::Matrix3Xd;
using Eigen::VectorXd;

// Linear elements that quadratic ones leave behind are those of the standard displacements, which
// the latter contain; options of hexahedra with eight nodes are those of the mesh' own ones.
fem::SolidOptions options_of_corners(const mesh::DistributedMesh& whole,
                                     const fem::CornerMesh& corners, fem::SolidOptions options) {
  const auto is_hex8 = [](const mesh::ElementBlock& block) {
    return block.type == elements::ElementType::hex8 && block.size() > 0;
  };
  const bool has_hex8 = std::any_of(whole.solids.begin(), whole.solids.end(), is_hex8);
  if (base::sum(whole.comm, std::int64_t{has_hex8}) == 0) {
    options.hex8 = fem::Hex8Formulation::standard;
    for (fem::SolidRegion& region : options.regions) region.hex8 = fem::Hex8Formulation::standard;
  }
  if (options.temperature.size() == 0) return options;
  const VectorXd of_whole = options.temperature;
  options.temperature.resize(corners.mesh.n_local());
  for (std::int32_t k = 0; k < corners.mesh.n_local(); ++k)
    options.temperature[k] = of_whole[corners.nodes[k]];
  return options;
}

}  // namespace

CornerLevel::CornerLevel(const mesh::DistributedMesh& whole, const fem::Sections& sections,
                         fem::SolidOptions options, fem::MassKind kind, const VectorXd& m)
    : whole_(whole),
      corners_(std::make_unique<fem::CornerMesh>(fem::make_corner_mesh(whole))),
      weights_(fem::make_corner_weights(whole, *corners_)),
      body_(fem::assemble_masses(corners_->mesh, sections)),
      x_(3, corners_->mesh.n_local()) {
  forces_ = std::make_unique<fem::SolidOperator>(
      corners_->mesh, body_, options_of_corners(whole, *corners_, std::move(options)));
  make_masses(m, kind);
  make_rough_field();
}

// Of the nodes' numbers, so that it does not depend on the partition.
void CornerLevel::make_rough_field() {
  SOLIDYN_PETSC(VecCreateMPI(whole_.comm, 3 * whole_.n_owned, PETSC_DETERMINE, rough_.out()));
  SOLIDYN_PETSC(VecSetBlockSize(rough_, 3));
  WritableNodalView view(rough_);
  for (std::int32_t i = 0; i < whole_.n_owned; ++i)
    for (int axis = 0; axis < 3; ++axis) {
      const std::uint64_t mixed = (3 * static_cast<std::uint64_t>(whole_.node_tags[i]) + axis + 1) *
                                  std::uint64_t{0x9e3779b97f4a7c15};
      view.nodes()(axis, i) = static_cast<double>(mixed >> 11) * 0x1p-52 - 1.0;
    }
}

// Lumped, which is not less than P^T S P.
void CornerLevel::add_springs(const std::vector<std::int32_t>& nodes, double stiffness) {
  Matrix3Xd is_spring = Matrix3Xd::Zero(3, whole_.n_local());
  for (const std::int32_t node : nodes) is_spring.col(node).setOnes();
  fem::GhostExchange(whole_).update(is_spring);
  Matrix3Xd sums = Matrix3Xd::Zero(3, corners_->mesh.n_local());
  for (const fem::CornerWeight& w : weights_)
    sums.col(w.corner) += std::abs(w.weight) * stiffness * is_spring.col(w.node);
  fem::GhostExchange(corners_->mesh).add_to_owners(sums);
  has_springs_ = true;
  springs_ = sums.leftCols(corners_->mesh.n_owned).reshaped();
}

// Row sums of P^T M P, which are those of P^T m. A lumped mass is all of them, a consistent one
// lacks the masses attached to nodes.
void CornerLevel::make_masses(const VectorXd& m, fem::MassKind kind) {
  Matrix3Xd of_whole = Matrix3Xd::Zero(3, whole_.n_local());
  of_whole.row(0).head(whole_.n_owned) = m.transpose();
  fem::GhostExchange(whole_).update(of_whole);
  Matrix3Xd sums = Matrix3Xd::Zero(3, corners_->mesh.n_local());
  for (const fem::CornerWeight& w : weights_) sums(0, w.corner) += w.weight * of_whole(0, w.node);
  fem::GhostExchange(corners_->mesh).add_to_owners(sums);
  const auto of_corners = sums.row(0).head(corners_->mesh.n_owned).transpose();
  if (kind == fem::MassKind::lumped) {
    body_.lumped_mass = of_corners;
    return;
  }
  for (std::int32_t i = 0; i < body_.n_owned(); ++i) {
    const auto begin = body_.row_start[i], end = body_.row_start[i + 1];
    double sum = 0.0;
    for (auto k = begin; k < end; ++k) sum += body_.mass[k];
    const auto diagonal = std::lower_bound(body_.columns.begin() + begin,
                                           body_.columns.begin() + end, body_.first_owned + i);
    body_.mass[diagonal - body_.columns.begin()] += std::max(0.0, of_corners[i] - sum);
  }
}

void CornerLevel::hold(const std::vector<PetscInt>& rows) {
  Matrix3Xd is_held = Matrix3Xd::Zero(3, whole_.n_local());
  for (const PetscInt row : rows) is_held(row % 3, row / 3) = 1.0;
  fem::GhostExchange(whole_).update(is_held);
  Matrix3Xd is_corner_held = Matrix3Xd::Zero(3, corners_->mesh.n_local());
  for (const fem::CornerWeight& w : weights_)
    if (w.is_end) is_corner_held.col(w.corner) += is_held.col(w.node);
  const fem::GhostExchange exchange(corners_->mesh);
  exchange.add_to_owners(is_corner_held);
  exchange.update(is_corner_held);
  held_rows_.clear();
  for (std::int32_t k = 0; k < corners_->mesh.n_owned; ++k)
    for (int axis = 0; axis < 3; ++axis)
      if (is_corner_held(axis, k) > 0.0)
        held_rows_.push_back(static_cast<PetscInt>(3 * (corners_->mesh.first_owned + k) + axis));
  make_interpolation(is_held, is_corner_held);
  std::vector<fem::CornerWeight>().swap(weights_);
}

void CornerLevel::make_interpolation(const Matrix3Xd& is_held, const Matrix3Xd& is_corner_held) {
  std::vector<PetscInt> rows, columns;
  std::vector<double> values;
  for (const fem::CornerWeight& w : weights_)
    for (int axis = 0; axis < 3; ++axis) {
      if (is_held(axis, w.node) > 0.0 || is_corner_held(axis, w.corner) > 0.0) continue;
      rows.push_back(static_cast<PetscInt>(3 * whole_.global[w.node] + axis));
      columns.push_back(static_cast<PetscInt>(3 * corners_->mesh.global[w.corner] + axis));
      values.push_back(w.weight);
    }
  base::Mat P;
  SOLIDYN_PETSC(MatCreate(whole_.comm, P.out()));
  SOLIDYN_PETSC(MatSetSizes(P, 3 * whole_.n_owned, 3 * corners_->mesh.n_owned, PETSC_DETERMINE,
                            PETSC_DETERMINE));
  SOLIDYN_PETSC(MatSetBlockSize(P, 3));
  SOLIDYN_PETSC(MatSetType(P, MATAIJ));
  SOLIDYN_PETSC(
      MatSetPreallocationCOO(P, static_cast<PetscCount>(rows.size()), rows.data(), columns.data()));
  SOLIDYN_PETSC(MatSetValuesCOO(P, values.data(), INSERT_VALUES));
  P_ = base::Mat();
  // The copy does without the places of the entries, which take more memory than the matrix.
  SOLIDYN_PETSC(MatDuplicate(P, MAT_COPY_VALUES, P_.out()));
}

CoarseLevel CornerLevel::assemble(const Matrix3Xd& x,
                                  const fem::TangentCoefficients& coefficients) {
  for (std::int32_t k = 0; k < corners_->mesh.n_local(); ++k) x_.col(k) = x.col(corners_->nodes[k]);
  if (!A_.get()) A_ = forces_->make_matrix(MATAIJ);
  forces_->assemble_tangent(x_, coefficients, A_);
  if (has_springs_) {
    base::Vec springs;
    SOLIDYN_PETSC(MatCreateVecs(A_, springs.out(), nullptr));
    WritableNodalView(springs).flat() = coefficients.stiffness * springs_;
    SOLIDYN_PETSC(MatDiagonalSet(A_, springs, ADD_VALUES));
  }
  SOLIDYN_PETSC(MatSetOption(A_, MAT_KEEP_NONZERO_PATTERN, PETSC_TRUE));
  SOLIDYN_PETSC(MatZeroRowsColumns(A_, static_cast<PetscInt>(held_rows_.size()), held_rows_.data(),
                                   1.0, nullptr, nullptr));
  return {P_, A_, x_.leftCols(corners_->mesh.n_owned),
          static_cast<double>(corners_->mesh.n_global_nodes), rough_};
}

}  // namespace solidyn::bodies

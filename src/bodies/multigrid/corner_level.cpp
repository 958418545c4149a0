#include "bodies/multigrid/corner_level.h"

#include <algorithm>
#include <cmath>

#include "bodies/nodal_view.h"
#include "fem/assembly/ghost_exchange.h"
#include "solidyn/base/mpi.h"
#include "solidyn/math/rotation.h"
#include "solvers/summed_entries.h"

namespace solidyn::bodies {
namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
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

bool CornerLevel::determines(const RigidRegions& regions) const {
  const auto owned = corners_->nodes.begin();
  return regions.are_determined_by({owned, owned + corners_->mesh.n_owned});
}

void CornerLevel::hold(const std::vector<PetscInt>& rows, const RigidRegions* regions) {
  regions_ = regions;
  find_members();
  Matrix3Xd is_held = Matrix3Xd::Zero(3, whole_.n_local());
  for (const PetscInt row : rows) is_held(row % 3, row / 3) = 1.0;
  fem::GhostExchange(whole_).update(is_held);
  hold_corners(is_held);
  for (std::int32_t k = 0; k < corners_->mesh.n_owned; ++k)
    for (int axis = 0; axis < 3; ++axis)
      if (is_corner_held_(axis, k) > 0.0 || is_member(corners_->nodes[k]))
        held_rows_.push_back(static_cast<PetscInt>(3 * (corners_->mesh.first_owned + k) + axis));
  make_interpolation(is_held);
  if (regions_) make_expansion();
  std::vector<fem::CornerWeight>().swap(weights_);
  for (Matrix3Xd* used : {&is_corner_held_, &of_regions_, &xi_}) used->resize(3, 0);
}

void CornerLevel::find_members() {
  if (!regions_) return;
  of_regions_ = xi_ = Matrix3Xd::Zero(3, whole_.n_local());
  for (const RigidRegions::Member& m : regions_->members()) {
    of_regions_.col(m.node) << m.first + 1.0, static_cast<double>(m.xi.size()), 0.0;
    xi_.col(m.node).head(m.xi.size()) = m.xi;
  }
  const fem::GhostExchange exchange(whole_);
  exchange.update(of_regions_);
  exchange.update(xi_);
}

// An end that is of no region, beside a middle that is of one, is held too: the coarse matrix is
// then too stiff for regions that have the middles of edges without their ends.
void CornerLevel::hold_corners(const Matrix3Xd& is_held) {
  is_corner_held_ = Matrix3Xd::Zero(3, corners_->mesh.n_local());
  for (const fem::CornerWeight& w : weights_) {
    if (!w.is_end || is_member(corners_->nodes[w.corner])) continue;
    is_corner_held_.col(w.corner) += is_held.col(w.node);
    if (is_member(w.node)) is_corner_held_.col(w.corner).array() += 1.0;
  }
  const fem::GhostExchange exchange(corners_->mesh);
  exchange.add_to_owners(is_corner_held_);
  exchange.update(is_corner_held_);
}

// Of a region's node: action(column, T's entry).
template <class Action>
void CornerLevel::for_coefficients(std::int32_t node, int axis, const Action& action) const {
  const auto first = static_cast<PetscInt>(3 * corners_->mesh.n_global_nodes) +
                     static_cast<PetscInt>(of_regions_(0, node)) - 1 + axis;
  action(first, 1.0);
  for (int j = 0; j < static_cast<int>(of_regions_(1, node)); ++j)
    action(first + 3 * (j + 1), xi_(j, node));
}

PetscInt CornerLevel::n_own_columns() const {
  const bool is_last = base::rank(whole_.comm) == base::size(whole_.comm) - 1;
  return static_cast<PetscInt>(3 * corners_->mesh.n_owned) +
         (regions_ && is_last ? regions_->n_columns() : 0);
}

void CornerLevel::make_interpolation(const Matrix3Xd& is_held) {
  solvers::SummedEntries entries;
  const auto row_of = [&](std::int32_t node, int axis) {
    return static_cast<PetscInt>(3 * whole_.global[node] + axis);
  };
  for (const fem::CornerWeight& w : weights_) {
    const std::int32_t corner = corners_->nodes[w.corner];
    if (is_member(w.node)) continue;
    for (int axis = 0; axis < 3; ++axis) {
      if (is_held(axis, w.node) > 0.0 || is_corner_held_(axis, w.corner) > 0.0) continue;
      const PetscInt row = row_of(w.node, axis);
      if (is_member(corner))
        for_coefficients(corner, axis, [&](PetscInt column, double entry) {
          entries.add(row, column, w.weight * entry);
        });
      else
        entries.add(row, static_cast<PetscInt>(3 * corners_->mesh.global[w.corner] + axis),
                    w.weight);
    }
  }
  for (std::int32_t node = 0; node < whole_.n_owned; ++node)
    for (int axis = 0; axis < 3 && is_member(node); ++axis)
      for_coefficients(node, axis, [&](PetscInt column, double entry) {
        entries.add(row_of(node, axis), column, entry);
      });
  P_ = entries.make_matrix(whole_.comm, 3 * whole_.n_owned, n_own_columns());
}

// Entries of zero on the diagonal are for the identity's rows of what is held.
void CornerLevel::make_expansion() {
  solvers::SummedEntries entries;
  for (std::int32_t k = 0; k < corners_->mesh.n_owned; ++k) {
    const bool is_of_region = is_member(corners_->nodes[k]);
    for (int axis = 0; axis < 3; ++axis) {
      const auto row = static_cast<PetscInt>(3 * (corners_->mesh.first_owned + k) + axis);
      entries.add(row, row, is_of_region ? 0.0 : 1.0);
      if (is_of_region)
        for_coefficients(corners_->nodes[k], axis,
                         [&](PetscInt column, double entry) { entries.add(row, column, entry); });
    }
  }
  E_ = entries.make_matrix(whole_.comm, 3 * corners_->mesh.n_owned, n_own_columns());
}

// About the mean of the corners, turns by the angle that moves them by one in the mean.
void CornerLevel::set_rigid_motions(const Matrix3Xd& x, MatrixXd& fields) const {
  const std::int32_t n_owned = corners_->mesh.n_owned;
  const auto of_corners = x_.leftCols(n_owned);
  const auto n = static_cast<double>(corners_->mesh.n_global_nodes);
  Eigen::Vector4d sums;
  sums << of_corners.rowwise().sum(), of_corners.squaredNorm();
  base::sum_in_place(whole_.comm, sums.data(), 4);
  const Eigen::Vector3d centre = sums.head<3>() / n;
  const double length = std::sqrt(sums[3] / n - centre.squaredNorm());
  const auto motions_of = [&](const Eigen::Vector3d& at) {
    Eigen::Matrix<double, 3, 6> motions;
    motions << Eigen::Matrix3d::Identity(), -math::skew(Eigen::Vector3d((at - centre) / length));
    return motions;
  };
  MatrixXd of_whole(3 * whole_.n_owned, 6);
  for (std::int32_t k = 0; k < whole_.n_owned; ++k)
    of_whole.middleRows<3>(3 * k) = motions_of(x.col(k));
  const MatrixXd of_regions = regions_->fit(of_whole);
  fields.resize(n_own_columns(), 6);
  for (std::int32_t k = 0; k < n_owned; ++k) fields.middleRows<3>(3 * k) = motions_of(x_.col(k));
  fields.bottomRows(fields.rows() - 3 * n_owned) = of_regions.topRows(fields.rows() - 3 * n_owned);
  for (const PetscInt row : held_rows_) fields.row(row - 3 * corners_->mesh.first_owned).setZero();
}

// E^T A E
::Mat CornerLevel::reduce() {
  if (reduced_.get()) {
    ::Mat again = reduced_;
    SOLIDYN_PETSC(MatPtAP(A_, E_, MAT_REUSE_MATRIX, PETSC_DEFAULT, &again));
  } else {
    SOLIDYN_PETSC(MatPtAP(A_, E_, MAT_INITIAL_MATRIX, PETSC_DEFAULT, reduced_.out()));
  }
  return reduced_;
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
  CoarseLevel level{P_,
                    A_,
                    x_.leftCols(corners_->mesh.n_owned),
                    {},
                    static_cast<double>(corners_->mesh.n_global_nodes),
                    rough_};
  if (regions_) {
    level.matrix = reduce();
    set_rigid_motions(x, level.rigid);
  }
  SOLIDYN_PETSC(MatSetOption(level.matrix, MAT_KEEP_NONZERO_PATTERN, PETSC_TRUE));
  SOLIDYN_PETSC(MatZeroRowsColumns(level.matrix, static_cast<PetscInt>(held_rows_.size()),
                                   held_rows_.data(), 1.0, nullptr, nullptr));
  return level;
}

}  // namespace solidyn::bodies

// How KeptTangent makes its matrix, or does without one.
#include <algorithm>
#include <exception>

#include "bodies/factor_size.h"
#include "kept_tangent.h"
#include "nodal_view.h"
#include "solidyn/base/log.h"
#include "solidyn/base/resource_error.h"
#include "solidyn/base/timer.h"

namespace solidyn::bodies {

using Eigen::MatrixXd;

// The load stiffness and axes of nodes are in the matrix only.
void KeptTangent::make_product(std::unique_ptr<CornerLevel> corners) {
  const bool needs_matrix = terms_.has_load_stiffness || !terms_.axes->is_empty();
  if (needs_matrix || !corners) solver_.refuse_corners();
  if (!solver_.is_matrix_free() || needs_matrix) return;
  product_ = std::make_unique<MatrixFreeTangent>(mesh_, forces_, mass_, fixed_rows_);
  corners_ = std::move(corners);
  std::vector<std::int32_t> anchors;
  for (const std::int64_t node : ports_.anchors)
    if (node >= mesh_.first_owned && node < mesh_.first_owned + mesh_.n_owned)
      anchors.push_back(static_cast<std::int32_t>(node - mesh_.first_owned));
  if (!ports_.anchors.empty()) {
    product_->add_springs(anchors, terms_.anchor_stiffness);
    if (corners_) corners_->add_springs(anchors, terms_.anchor_stiffness);
  }
  if (!corners_) return;
  corners_have_regions_ = !ports_.regions.is_empty() && corners_->determines(ports_.regions);
  if (corners_have_regions_)
    corners_->hold(terms_.held_rows, &ports_.regions);
  else
    corners_->hold(fixed_rows_);
}

void KeptTangent::add_anchors() {
  for (std::int64_t node : ports_.anchors) {
    if (node < mesh_.first_owned || node >= mesh_.first_owned + mesh_.n_owned) continue;
    for (int axis = 0; axis < 3; ++axis) {
      const auto row = static_cast<PetscInt>(3 * node + axis);
      SOLIDYN_PETSC(
          MatSetValue(A_, row, row, coefficients_.stiffness * terms_.anchor_stiffness, ADD_VALUES));
    }
  }
  SOLIDYN_PETSC(MatAssemblyBegin(A_, MAT_FINAL_ASSEMBLY));
  SOLIDYN_PETSC(MatAssemblyEnd(A_, MAT_FINAL_ASSEMBLY));
}

void KeptTangent::hold_rows() {
  std::vector<PetscInt> rows = fixed_rows_;
  for (PetscInt& row : rows) row += static_cast<PetscInt>(3 * mesh_.first_owned);
  SOLIDYN_PETSC(MatSetOption(A_, MAT_KEEP_NONZERO_PATTERN, PETSC_TRUE));
  SOLIDYN_PETSC(MatZeroRowsColumns(A_, static_cast<PetscInt>(rows.size()), rows.data(), 1.0,
                                   nullptr, nullptr));
}

// Regions that do not move in the iterations are multiplied already. Where the set-up has assembled
// A, its rows may be held or not.
void KeptTangent::replace_iterations() {
  assemble();
  const bool eliminates_now = std::exchange(moves_regions_, false);
  if (eliminates_now)
    multiply_regions([this](::Vec u, ::Vec f) { SOLIDYN_PETSC(MatMult(A_, u, f)); });
  if (!ports_.regions.is_empty() || terms_.has_supports) hold_rows();
  {
    base::ScopedTimer timer(factor_seconds);
    solver_.replace_iterations(A_, "the tangent");
  }
  if (eliminates_now)
    elastic_.regions.prepare([this](const MatrixXd& B) { return solver_.solve(B); });
}

void KeptTangent::set_up() {
  std::exception_ptr refusal;  // on all ranks alike
  try {
    if (!product_ || !set_up_without_matrix()) assemble_and_set();
  } catch (const NotPositiveDefinite&) {
    refusal = std::current_exception();
  }
  if (!refusal) return;
  if (!may_replace_iterations()) std::rethrow_exception(refusal);
  replace_iterations();
}

// Collective.
bool KeptTangent::may_replace_iterations() {
  return may_be_indefinite() && solver_.may_replace_iterations([this](double enough) {
    return predict_factor_bytes(mesh_, enough);
  });
}

// Nothing of the size of the mesh is assembled. @return false where the solver needs the matrix
bool KeptTangent::set_up_without_matrix() {
  product_->set(x_, coefficients_);
  moves_regions_ = false;
  if (!solver_.may_do_without_matrix()) return false;
  double ratio = 0.0;
  {
    base::ScopedTimer timer(assembly_seconds);
    product_->compute_blocks();
    ratio = mass_.stiffness_ratio(product_->matrix(), coefficients_.mass);
  }
  using Preconditioner = BodySolver::Preconditioner;
  const Preconditioner chosen = solver_.choose(ratio, corners_ != nullptr);
  if (chosen == Preconditioner::assembled) return false;
  std::optional<CoarseLevel> level;
  if (chosen == Preconditioner::corners) {
    if (corners_) level = assemble_corners();
    if (!level) return false;
  }
  moves_regions_ = level && corners_have_regions_;
  if (moves_regions_) {
    product_->move_regions(ports_.regions, terms_.held_rows);
  } else {
    multiply_regions([this](::Vec u, ::Vec f) { product_->multiply_free(u, f); });
  }
  base::ScopedTimer timer(factor_seconds);
  const bool is_single = level && solver_.has_single_cycle();
  solver_.set_shell(product_->matrix(), "the tangent", chosen, ratio,
                    is_single ? product_->keep_single() : product_->matrix(),
                    level ? &*level : nullptr);
  return true;
}

// Nothing where an element without its middle nodes is inverted.
std::optional<CoarseLevel> KeptTangent::assemble_corners() {
  base::ScopedTimer timer(assembly_seconds);
  try {
    return corners_->assemble(x_, coefficients_);
  } catch (const base::ResourceError&) {
    throw;
  } catch (const base::ComputationError& error) {
    base::log_info("body {}: the matrix is assembled, since on the corners of elements {}", name_,
                   error.what());
    return std::nullopt;
  }
}

// @param multiply by A before rows are held
void KeptTangent::multiply_regions(const std::function<void(::Vec, ::Vec)>& multiply) {
  if (ports_.regions.is_empty()) return;
  const base::Vec x = mass_.make_vector(), y = mass_.make_vector();
  elastic_.regions.multiply_columns(
      [&](const MatrixXd& X) { return apply_to_columns(X, x, y, multiply); });
}

// Before rows are held.
void KeptTangent::assemble() {
  base::ScopedTimer timer(assembly_seconds);
  if (!A_.get()) {
    const bool is_plain =
        ports_.regions.is_empty() && !terms_.has_supports && !terms_.has_load_stiffness;
    A_ = forces_.make_matrix(is_plain ? solver_.matrix_type() : MATAIJ);
  }
  forces_.assemble_tangent(x_, coefficients_, A_);
  if (!ports_.anchors.empty()) add_anchors();
  if (terms_.has_load_stiffness) terms_.add_load_stiffness(x_, coefficients_.stiffness, A_);
  terms_.axes->turn(A_);
}

void KeptTangent::assemble_and_set() {
  assemble();
  multiply_regions([this](::Vec u, ::Vec f) { SOLIDYN_PETSC(MatMult(A_, u, f)); });
  if (!ports_.regions.is_empty() || terms_.has_supports) hold_rows();
  base::ScopedTimer timer(factor_seconds);
  solver_.set_matrix(A_, "the tangent", x_.leftCols(mesh_.n_owned),
                     mass_.stiffness_ratio(A_, coefficients_.mass),
                     product_ ? product_->matrix() : nullptr,
                     may_be_indefinite() ? Definiteness::any : Definiteness::positive);
}

}  // namespace solidyn::bodies

#include "reduction/eigen/two_levels.h"

#include <fmt/format.h>

#include <algorithm>

#include "reduction/eigen/block_cycle.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc_options.h"
#include "solidyn/base/resource_error.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;

// Corners up to which a factor is made: its solution costs less than a cycle below.
constexpr double kFactorNodes = 80e3;
// What a factor in single precision may leave of an error: the cycle leaves a quarter and more.
constexpr double kUsableErrorOnCorners = 1e-2;
// Rows that are turned from columns into rows together, so that they stay in the cache.
constexpr Index kTile = 256;

using FloatsByRows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Columns into `width` numbers side by side, the others zero.
template <class Columns>
void pack(const Columns& columns, int width, float* to) {
  Eigen::Map<FloatsByRows> rows(to, columns.rows(), width);
  for (Index i = 0; i < columns.rows(); i += kTile) {
    const Index n = std::min(kTile, columns.rows() - i);
    rows.block(i, 0, n, columns.cols()) = columns.middleRows(i, n).template cast<float>();
    rows.block(i, columns.cols(), n, width - columns.cols()).setZero();
  }
}

void unpack(const float* from, int width, Eigen::Ref<MultiVector> columns) {
  const Eigen::Map<const FloatsByRows> rows(from, columns.rows(), width);
  for (Index i = 0; i < columns.rows(); i += kTile) {
    const Index n = std::min(kTile, columns.rows() - i);
    columns.middleRows(i, n) = rows.block(i, 0, n, columns.cols()).cast<double>();
  }
}

base::Mat transpose(::Mat P) {
  base::Mat transposed;
  SOLIDYN_PETSC(MatTranspose(P, MAT_INITIAL_MATRIX, transposed.out()));
  return transposed;
}

int count_smoothing_steps() {
  const int n = base::option_count("modes_", "-mg_levels_ksp_max_it").value_or(2);
  if (n < 1)
    throw base::InputError(fmt::format("option -modes_mg_levels_ksp_max_it is {}", n),
                           "it is the number of smoothing steps: give at least 1");
  return n;
}

}  // namespace

TwoLevels::TwoLevels(::Mat A, ::Mat P, const MultiVector& rigid)
    : comm_(PetscObjectComm(reinterpret_cast<PetscObject>(A))),
      mesh_(A),
      interpolation_(P),
      restriction_(transpose(P)),
      largest_eigenvalue_(estimate_largest_eigenvalue(A, PCPBJACOBI)),
      n_smoothing_steps_(count_smoothing_steps()) {
  invert_blocks(A);
  set_up_coarse(A, P, rigid);
  const auto make = [](std::vector<float>& buffer, std::int64_t blocks) {
    buffer.assign(std::size_t{3} * BlockRows::kWidest * blocks, 0.0F);
  };
  make(x_, mesh_.n_columns() + mesh_.n_ghosts());
  make(r_, restriction_.n_columns() + restriction_.n_ghosts());
  make(b_, mesh_.n_rows());
  make(d_, mesh_.n_rows());
  make(coarse_x_, interpolation_.n_columns() + interpolation_.n_ghosts());
  make(coarse_b_, restriction_.n_rows());
}

void TwoLevels::invert_blocks(::Mat A) {
  const PetscScalar* values = nullptr;
  SOLIDYN_PETSC(MatInvertBlockDiagonal(A, &values));
  inverses_.assign(values, values + std::ptrdiff_t{9} * mesh_.n_rows());  // symmetric: in any order
}

void TwoLevels::set_up_coarse(::Mat A, ::Mat P, const MultiVector& rigid) {
  SOLIDYN_PETSC(MatPtAP(A, P, MAT_INITIAL_MATRIX, PETSC_DEFAULT, coarse_.out()));
  SOLIDYN_PETSC(MatSetOption(coarse_, MAT_SYMMETRIC, PETSC_TRUE));
  SOLIDYN_PETSC(MatSetOption(coarse_, MAT_SPD, PETSC_TRUE));
  PetscInt n_rows = 0;
  SOLIDYN_PETSC(MatGetSize(coarse_, &n_rows, nullptr));
  const bool has_factor = n_rows <= 3.0 * kFactorNodes;
  if (has_factor) {
    single_ = std::make_unique<solvers::RefinedFactor>(comm_);
    if (single_->factorise(coarse_) != solvers::SymmetricFactor::Outcome::done ||
        !(single_->rate() <= kUsableErrorOnCorners))
      single_.reset();
  }
  if (has_factor && !single_) {
    factor_ = std::make_unique<solvers::SymmetricFactor>(
        comm_, solvers::SymmetricFactor::Kind::positive_definite);
    const solvers::SymmetricFactor::Outcome outcome = factor_->factorise(coarse_);
    if (outcome == solvers::SymmetricFactor::Outcome::out_of_memory)
      throw base::ResourceError(
          "out of memory while factorising the matrix of the mesh's corners\n  use -modes_pc_type gamg, or more ranks on more machines");
    if (outcome != solvers::SymmetricFactor::Outcome::done)
      throw base::ComputationError(
          "the factorisation of K + shift M on the mesh's corners failed: it is not positive definite\n  look for badly shaped elements (`solidyn check` lists the worst)");
  }
  if (!has_factor) multigrid_ = std::make_unique<Multigrid>(coarse_, rigid);
  base::log_info("reduction: multigrid of two levels, {} on the {} corners",
                 single_   ? "a factor in single precision"
                 : factor_ ? "a factor"
                           : "multigrid",
                 n_rows / 3);
}

MultiVector TwoLevels::apply(const MultiVector& r) const {
  Eigen::VectorXd sizes = column_norms(comm_, r);
  for (double& size : sizes)
    if (size == 0.0) size = 1.0;
  MultiVector z(r.rows(), r.cols());
  Index n = 0;
  for (Index j = 0; j < r.cols(); j += n) {
    n = std::min<Index>(BlockRows::kWidest, r.cols() - j);
    const int width = *std::lower_bound(std::begin(BlockRows::kWidths),
                                        std::end(BlockRows::kWidths), static_cast<int>(n));
    const auto scale = sizes.segment(j, n);
    pack(r.middleCols(j, n) * scale.cwiseInverse().asDiagonal(), width, b_.data());
    cycle(width, n);
    unpack(x_.data(), width, z.middleCols(j, n));
    z.middleCols(j, n) *= scale.asDiagonal();
  }
  return z;
}

// x_ from b_.
void TwoLevels::cycle(int width, Index n) const {
  smooth(width, true);
  mesh_.subtract_product(width, x_.data(), b_.data(), r_.data());
  restriction_.multiply(width, r_.data(), coarse_b_.data());
  solve_coarse(width, n);
  interpolation_.add_product(width, coarse_x_.data(), x_.data());
  smooth(width, false);
}

void TwoLevels::solve_coarse(int width, Index n) const {
  MultiVector B(Index{3} * restriction_.n_rows(), n), X;
  unpack(coarse_b_.data(), width, B);
  if (single_)
    single_->solve(B, X, 1.0);  // as the factor has it
  else
    X = factor_ ? factor_->solve(B) : multigrid_->apply(B);
  pack(X, width, coarse_x_.data());
}

// Chebyshev's semi-iteration (Saad, Iterative Methods for Sparse Linear Systems, algorithm 12.1).
void TwoLevels::smooth(int width, bool starts_from_zero) const {
  const double upper = kSmoothedTo * largest_eigenvalue_,
               lower = kSmoothedFrom * largest_eigenvalue_;
  const double center = 0.5 * (upper + lower), half = 0.5 * (upper - lower);
  double rho = half / center;
  for (int step = 0; step < n_smoothing_steps_; ++step) {
    const bool is_first = step == 0 && starts_from_zero;
    if (is_first)
      std::copy_n(b_.data(), std::ptrdiff_t{3} * width * mesh_.n_rows(), r_.data());
    else
      mesh_.subtract_product(width, x_.data(), b_.data(), r_.data());
    if (step == 0) {
      correct(width, 0.0F, static_cast<float>(1.0 / center), is_first);
    } else {
      const double next = 1.0 / (2.0 * center / half - rho);
      correct(width, static_cast<float>(next * rho), static_cast<float>(2.0 * next / half), false);
      rho = next;
    }
  }
}

void TwoLevels::correct(int width, float share_of_old, float share_of_new, bool is_first) const {
  switch (width) {
    case 4:
      return correct_rows<4>(share_of_old, share_of_new, is_first);
    case 8:
      return correct_rows<8>(share_of_old, share_of_new, is_first);
    default:
      return correct_rows<16>(share_of_old, share_of_new, is_first);
  }
}

// d = share_of_old d + share_of_new D^-1 r; x += d
template <int W>
void TwoLevels::correct_rows(float share_of_old, float share_of_new, bool is_first) const {
  using Block = Eigen::Matrix<float, 3, W, Eigen::RowMajor>;
  using Inverse = Eigen::Matrix<float, 3, 3, Eigen::RowMajor>;
  for (std::int32_t i = 0; i < mesh_.n_rows(); ++i) {
    const std::ptrdiff_t at = std::ptrdiff_t{3 * W} * i;
    const Inverse scaled = share_of_new * Eigen::Map<const Inverse>(&inverses_[std::size_t{9} * i]);
    Eigen::Map<Block> d(&d_[at]), x(&x_[at]);
    Block change = scaled.lazyProduct(Eigen::Map<const Block>(&r_[at]));
    if (share_of_old != 0.0F) change += share_of_old * d;
    d = change;
    if (is_first)
      x = change;
    else
      x += change;
  }
}

}  // namespace solidyn::reduction

#include "reduction/eigen/block_cycle.h"

#include "solidyn/base/mpi.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Rows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A PETSc vector's own rows as [n x width], each row one after the other.
class View {
 public:
  View(::Vec v, int width) : v_(v) {
    PetscInt n = 0;
    SOLIDYN_PETSC(VecGetLocalSize(v, &n));
    SOLIDYN_PETSC(VecGetArray(v, &values_));
    n_ = n / width;
    width_ = width;
  }
  ~View() { VecRestoreArray(v_, &values_); }
  View(const View&) = delete;
  View& operator=(const View&) = delete;
  Eigen::Map<Rows> rows() { return {values_, n_, width_}; }

 private:
  ::Vec v_;
  PetscScalar* values_ = nullptr;
  Index n_ = 0, width_ = 0;
};

// Any vector will do that has a part in every eigenvector; this one is the same on every machine.
void fill_with_noise(::Vec v) {
  PetscInt first = 0;
  SOLIDYN_PETSC(VecGetOwnershipRange(v, &first, nullptr));
  View view(v, 1);
  auto x = view.rows();
  for (Index i = 0; i < x.rows(); ++i) {
    auto bits = static_cast<std::uint64_t>(first + i + 1) * 0x9E3779B97F4A7C15ULL;
    bits ^= bits >> 29;
    bits *= 0xBF58476D1CE4E5B9ULL;
    x(i, 0) = static_cast<double>(bits >> 11) * 0x1p-52 - 1.0;
  }
}

// Aggregates of few nodes cannot hold all rigid motions: the rows of the missing ones are zero, and
// what is done there does not matter.
Eigen::VectorXd invert_diagonal(Mat A) {
  base::Vec d;
  SOLIDYN_PETSC(MatCreateVecs(A, d.out(), nullptr));
  SOLIDYN_PETSC(MatGetDiagonal(A, d));
  View view(d, 1);
  const Eigen::ArrayXd values = view.rows().col(0);
  return (values != 0.0).select(values, 1.0).inverse();
}

}  // namespace

// Their Lanczos matrix knows the end of the spectrum.
double estimate_largest_eigenvalue(Mat A, PCType type) {
  constexpr int kSteps = 10;
  base::Vec x, b;
  SOLIDYN_PETSC(MatCreateVecs(A, x.out(), b.out()));
  fill_with_noise(b);
  base::Ksp ksp;
  PC pc = nullptr;
  SOLIDYN_PETSC(KSPCreate(PetscObjectComm(reinterpret_cast<PetscObject>(A)), ksp.out()));
  SOLIDYN_PETSC(KSPSetOperators(ksp, A, A));
  SOLIDYN_PETSC(KSPSetType(ksp, KSPCG));
  SOLIDYN_PETSC(KSPSetComputeEigenvalues(ksp, PETSC_TRUE));
  SOLIDYN_PETSC(KSPSetTolerances(ksp, 1e-12, PETSC_DEFAULT, PETSC_DEFAULT, kSteps));
  SOLIDYN_PETSC(KSPGetPC(ksp, &pc));
  SOLIDYN_PETSC(PCSetType(pc, type));
  SOLIDYN_PETSC(KSPSolve(ksp, b, x));
  double largest = 0.0, smallest = 0.0;
  SOLIDYN_PETSC(KSPComputeExtremeSingularValues(ksp, &largest, &smallest));
  return largest;
}

std::vector<MultigridLevel> take_levels(::PC pc) {
  PetscInt n_levels = 0;
  SOLIDYN_PETSC(PCMGGetLevels(pc, &n_levels));
  std::vector<MultigridLevel> levels(n_levels);
  for (PetscInt l = 0; l < n_levels; ++l) {
    MultigridLevel& level = levels[l];
    ::KSP smoother = nullptr;
    SOLIDYN_PETSC(PCMGGetSmoother(pc, l, &smoother));
    SOLIDYN_PETSC(KSPGetOperators(smoother, &level.A, nullptr));
    if (l == 0) continue;
    PetscInt n_steps = 0;
    SOLIDYN_PETSC(KSPGetTolerances(smoother, nullptr, nullptr, nullptr, &n_steps));
    level.n_smoothing_steps = static_cast<int>(n_steps);
    SOLIDYN_PETSC(PCMGGetInterpolation(pc, l, &level.prolongation));
    level.inverse_diagonal = invert_diagonal(level.A);
    level.largest_eigenvalue = estimate_largest_eigenvalue(level.A, PCJACOBI);
  }
  return levels;
}

BlockCycle::BlockCycle(const std::vector<MultigridLevel>& levels, ::KSP coarse, int width)
    : levels_(levels), coarse_(coarse), width_(width), work_(levels.size()) {
  for (std::size_t l = 0; l < levels.size(); ++l) {
    Work& work = work_[l];
    SOLIDYN_PETSC(MatCreateMAIJ(levels[l].A, width, work.A.out()));
    SOLIDYN_PETSC(MatCreateVecs(work.A, work.solution.out(), work.right.out()));
    if (l == 0) continue;
    SOLIDYN_PETSC(MatCreateMAIJ(levels[l].prolongation, width, work.prolongation.out()));
    SOLIDYN_PETSC(VecDuplicate(work.right, work.residual.out()));
    SOLIDYN_PETSC(VecDuplicate(work.right, work.direction.out()));
  }
  SOLIDYN_PETSC(MatCreateVecs(levels[0].A, coarse_solution_.out(), coarse_right_.out()));
}

void BlockCycle::apply(const Eigen::Ref<const MultiVector>& r, Eigen::Ref<MultiVector> z) {
  const Work& finest = work_.back();
  {
    View right(finest.right, width_);
    auto rows = right.rows();
    rows.leftCols(r.cols()) = r;
    rows.rightCols(width_ - r.cols()).setZero();
  }
  solve(work_.size() - 1);
  View solution(finest.solution, width_);
  z = solution.rows().leftCols(z.cols());
}

// A V-cycle from zero on one level: work.solution from work.right.
void BlockCycle::solve(std::size_t level) {
  if (level == 0) return solve_coarsest();
  Work& work = work_[level];
  smooth(level, true);
  SOLIDYN_PETSC(MatMult(work.A, work.solution, work.residual));
  SOLIDYN_PETSC(VecAYPX(work.residual, -1.0, work.right));
  SOLIDYN_PETSC(MatMultTranspose(work.prolongation, work.residual, work_[level - 1].right));
  solve(level - 1);
  SOLIDYN_PETSC(
      MatMultAdd(work.prolongation, work_[level - 1].solution, work.solution, work.solution));
  smooth(level, false);
}

void BlockCycle::solve_coarsest() {
  View right(work_[0].right, width_), solution(work_[0].solution, width_);
  for (int j = 0; j < width_; ++j) {
    View(coarse_right_, 1).rows() = right.rows().col(j);
    SOLIDYN_PETSC(KSPSolve(coarse_, coarse_right_, coarse_solution_));
    solution.rows().col(j) = View(coarse_solution_, 1).rows();
  }
}

// Chebyshev's semi-iteration (Saad, Iterative Methods for Sparse Linear Systems, algorithm 12.1).
void BlockCycle::smooth(std::size_t level, bool starts_from_zero) {
  Work& work = work_[level];
  const double upper = kSmoothedTo * levels_[level].largest_eigenvalue,
               lower = kSmoothedFrom * levels_[level].largest_eigenvalue;
  const double center = 0.5 * (upper + lower), half = 0.5 * (upper - lower);
  double rho = half / center;
  for (int step = 0; step < levels_[level].n_smoothing_steps; ++step) {
    if (step == 0 && starts_from_zero) {
      SOLIDYN_PETSC(VecCopy(work.right, work.residual));
    } else {
      SOLIDYN_PETSC(MatMult(work.A, work.solution, work.residual));
      SOLIDYN_PETSC(VecAYPX(work.residual, -1.0, work.right));
    }
    if (step == 0) {
      correct(level, 0.0, 1.0 / center, starts_from_zero);
    } else {
      const double next = 1.0 / (2.0 * center / half - rho);
      correct(level, next * rho, 2.0 * next / half, false);
      rho = next;
    }
  }
}

// direction = share_of_old * direction + share_of_new * D^-1 residual; solution += direction
void BlockCycle::correct(std::size_t level, double share_of_old, double share_of_new,
                         bool is_first) {
  Work& work = work_[level];
  View residual(work.residual, width_), direction(work.direction, width_),
      solution(work.solution, width_);
  const auto r = residual.rows();
  auto d = direction.rows();
  auto x = solution.rows();
  const Eigen::VectorXd& inverse = levels_[level].inverse_diagonal;
  for (Index i = 0; i < r.rows(); ++i) {
    const double scale = share_of_new * inverse[i];
    if (share_of_old == 0.0)
      d.row(i) = scale * r.row(i);
    else
      d.row(i) = share_of_old * d.row(i) + scale * r.row(i);
    if (is_first)
      x.row(i) = d.row(i);
    else
      x.row(i) += d.row(i);
  }
}

}  // namespace solidyn::reduction

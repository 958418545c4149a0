#include "bodies/multigrid/corner_cycle.h"

#include <fmt/format.h>

#include <algorithm>

#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc_options.h"
#include "solvers/near_null_space.h"

namespace solidyn::bodies {
namespace {

using base::has_option;

// Coarse nodes up to which a factor is made: its solution costs less than a cycle of GAMG, and its
// memory and time are small beside those of the mesh (benchmarks/RESULTS.md).
constexpr double kFactorNodes = 80e3;
// On one rank, up to so many nodes a solution of CHOLMOD takes a tenth of the time of MUMPS' and
// no more memory than counts, whatever the precision.
constexpr double kSmallFactorNodes = 1000;
// Chebyshev's polynomial: degree, and the part of the spectrum that it smooths.
constexpr int kDegree = 2;
constexpr double kSmoothed = 0.1;
// Steps of conjugate gradients after which the largest Ritz value is near the largest eigenvalue,
// and by what it is raised to be above.
constexpr int kLanczosSteps = 8;
constexpr double kSafety = 1.1;
// What a factor in single precision may leave of an error: the cycle leaves a quarter and more.
constexpr double kUsableError = 1e-2;
constexpr const char* kNotPositive = "not positive definite on the corners";

::KSP smoother_of(::PC pc) {
  ::KSP smoother = nullptr;
  SOLIDYN_PETSC(PCMGGetSmoother(pc, 1, &smoother));
  return smoother;
}

bool is_of_type(::PC pc, const char* type) {
  PetscBool is = PETSC_FALSE;
  SOLIDYN_PETSC(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(pc), type, &is));
  return is == PETSC_TRUE;
}

}  // namespace

CornerCycle::CornerCycle(base::OptionsReader options)
    : options_(std::move(options)), comm_(options_.comm), prefix_(options_.prefix) {}

void CornerCycle::make_levels(::PC pc) {
  factor_.reset();
  single_.reset();
  SOLIDYN_PETSC(PCSetType(pc, PCMG));
  SOLIDYN_PETSC(PCMGSetLevels(pc, 2, nullptr));
  SOLIDYN_PETSC(PCMGSetNumberSmooth(pc, kDegree));
  ::KSP smoother = smoother_of(pc), coarse = nullptr;
  ::PC smoother_pc = nullptr;
  SOLIDYN_PETSC(KSPSetType(smoother, KSPCHEBYSHEV));
  SOLIDYN_PETSC(KSPGetPC(smoother, &smoother_pc));
  SOLIDYN_PETSC(PCSetType(smoother_pc, PCPBJACOBI));
  SOLIDYN_PETSC(PCMGGetCoarseSolve(pc, &coarse));
  SOLIDYN_PETSC(KSPSetType(coarse, KSPPREONLY));
  base::obey_options(options_, [&] { return PCSetFromOptions(pc); });
}

double CornerCycle::largest_eigenvalue(::Mat fine, ::Vec start) {
  base::Ksp lanczos;
  base::Vec x;
  ::PC pc = nullptr;
  SOLIDYN_PETSC(VecDuplicate(start, x.out()));
  SOLIDYN_PETSC(KSPCreate(comm_, lanczos.out()));
  SOLIDYN_PETSC(KSPSetType(lanczos, KSPCG));
  SOLIDYN_PETSC(KSPSetOperators(lanczos, fine, fine));
  SOLIDYN_PETSC(KSPGetPC(lanczos, &pc));
  SOLIDYN_PETSC(PCSetType(pc, PCPBJACOBI));
  SOLIDYN_PETSC(KSPSetComputeSingularValues(lanczos, PETSC_TRUE));
  SOLIDYN_PETSC(KSPSetNormType(lanczos, KSP_NORM_NONE));
  SOLIDYN_PETSC(
      KSPSetTolerances(lanczos, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, kLanczosSteps));
  SOLIDYN_PETSC(KSPSolve(lanczos, start, x));
  PetscReal largest = 0.0, smallest = 0.0;
  SOLIDYN_PETSC(KSPComputeExtremeSingularValues(lanczos, &largest, &smallest));
  return largest;
}

// The eigenvalues are estimated here, from a field that does not depend on the partition, but where
// options choose other blocks or other estimates.
void CornerCycle::set_smoother(::PC pc, ::Mat fine, ::Vec start) {
  for (const char* option : {"pc_type", "ksp_type", "ksp_chebyshev_esteig",
                             "ksp_chebyshev_eigenvalues", "ksp_chebyshev_esteig_steps"})
    for (const char* level : {"-mg_levels_", "-mg_levels_1_"})
      if (has_option(prefix_, std::string(level) + option)) return;
  const double largest = kSafety * largest_eigenvalue(fine, start);
  SOLIDYN_PETSC(KSPChebyshevSetEigenvalues(smoother_of(pc), largest, kSmoothed * largest));
}

std::string CornerCycle::set_coarse(::PC pc, const CoarseLevel& coarse, Precision precision) {
  ::KSP solver = nullptr;
  ::PC coarse_pc = nullptr;
  SOLIDYN_PETSC(PCMGGetCoarseSolve(pc, &solver));
  SOLIDYN_PETSC(KSPGetPC(solver, &coarse_pc));
  SOLIDYN_PETSC(MatSetOption(coarse.matrix, MAT_SPD, PETSC_TRUE));
  if (coarse.rigid.cols() > 0)
    solvers::attach_near_null_space(coarse.matrix, coarse.rigid);
  else
    solvers::attach_rigid_motions(coarse.matrix, coarse.x);
  SOLIDYN_PETSC(KSPSetOperators(solver, coarse.matrix, coarse.matrix));
  const bool is_chosen = has_option(prefix_, "-mg_coarse_pc_type");
  is_small_ = !is_chosen && coarse.n_nodes <= kSmallFactorNodes && base::size(comm_) == 1;
  if (is_small_) return factorise_small(solver);
  if (!is_chosen && coarse.n_nodes <= kFactorNodes)
    return factorise(coarse_pc, coarse.matrix, precision);
  factor_.reset();
  single_.reset();
  if (!is_chosen) SOLIDYN_PETSC(PCSetType(coarse_pc, PCGAMG));
  return "";
}

// PETSc's own way to CHOLMOD. What it says of a matrix comes as an error.
std::string CornerCycle::factorise_small(::KSP solver) {
  ::PC coarse_pc = nullptr;
  factor_.reset();
  single_.reset();
  SOLIDYN_PETSC(KSPGetPC(solver, &coarse_pc));
  SOLIDYN_PETSC(PCSetType(coarse_pc, PCCHOLESKY));
  SOLIDYN_PETSC(PCFactorSetMatSolverType(coarse_pc, MATSOLVERCHOLMOD));
  const std::string option = "-" + prefix_ + "mg_coarse_mat_cholmod_print";
  if (!has_option(prefix_, "-mg_coarse_mat_cholmod_print"))
    SOLIDYN_PETSC(PetscOptionsSetValue(nullptr, option.c_str(), "0"));
  SOLIDYN_PETSC(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr));
  const PetscErrorCode code = KSPSetUp(solver);
  SOLIDYN_PETSC(PetscPopErrorHandler());
  if (code == PETSC_ERR_MAT_CH_ZRPVT) return kNotPositive;
  SOLIDYN_PETSC(code);
  return "";
}

// In double precision where single precision would leave too much of an error.
std::string CornerCycle::factorise(::PC coarse_pc, ::Mat A, Precision precision) {
  using Factor = solvers::SymmetricFactor;
  if (precision == Precision::single) {
    if (!single_) single_ = std::make_unique<solvers::RefinedFactor>(comm_);
    if (single_->factorise(A) == Factor::Outcome::done && single_->rate() <= kUsableError) {
      single_->act_as(coarse_pc);
      factor_.reset();
      return "";
    }
  }
  single_.reset();
  if (!factor_) factor_ = std::make_unique<Factor>(comm_, Factor::Kind::positive_definite);
  factor_->act_as(coarse_pc);
  const Factor::Outcome outcome = factor_->factorise(A);
  if (outcome == Factor::Outcome::done) return "";
  return outcome == Factor::Outcome::not_positive_definite ? kNotPositive : factor_->error();
}

std::string CornerCycle::set_up(::PC pc, ::Mat fine, const CoarseLevel& coarse,
                                Precision precision) {
  if (!is_of_type(pc, PCMG) || !has_levels_) make_levels(pc);
  has_levels_ = true;
  SOLIDYN_PETSC(PCMGSetInterpolation(pc, 1, coarse.interpolation));
  SOLIDYN_PETSC(KSPSetOperators(smoother_of(pc), fine, fine));
  set_smoother(pc, fine, coarse.rough);
  return set_coarse(pc, coarse, precision);
}

std::string CornerCycle::description() const {
  if (single_) return "a factor in single precision on the corners";
  return factor_ || is_small_ ? "a factor on the corners" : "multigrid on the corners";
}

}  // namespace solidyn::bodies

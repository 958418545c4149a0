#include "body_solver.h"

#include <fmt/format.h>

#include <limits>
#include <utility>

#include "bodies/node_ordering.h"
#include "solidyn/base/log.h"
#include "solidyn/base/log_stage.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc_options.h"
#include "solidyn/base/resource_error.h"
#include "solidyn/base/threads.h"
#include "solvers/near_null_space.h"

namespace solidyn::bodies {
namespace {

using base::has_option;

// Of stiffness over mass: up to there point-block Jacobi beats multigrid (benchmarks/RESULTS.md),
// whose cycle of two levels costs less than that of GAMG.
constexpr double kJacobiRatio = 1e3, kJacobiRatioWithCorners = 1e2;
// What solutions by a factor in single precision may leave of an error: Newton gains less with a
// kept tangent, and eight refinements give what double precision does.
constexpr double kUsableRate = 1e-2;
// Where multigrid has not converged by then it does not, and each iteration is dear; the nodes'
// blocks keep PETSc's limit.
constexpr int kMostCycles = 500, kMostBlockIterations = 10000;
constexpr const char* kNotPositive = "not positive definite";

}  // namespace

BodySolver::BodySolver(MPI_Comm comm, std::string name, const FactorBytes& predict_bytes,
                       Solutions solutions)
    : comm_(comm), name_(std::move(name)) {
  base::use_one_thread_per_rank();
  register_node_ordering();
  const std::string prefix = prefix_ = options_prefix(name_);
  base::check_option_numbers(options_reader());
  const bool is_free_choice = !has_option(prefix, "-ksp_type") && !has_option(prefix, "-pc_type");
  const auto asked = asked_precision(prefix);
  const double memory = total_memory(comm_);
  const bool matters = is_free_choice && asked != SolverChoice::double_factor;
  const double factor_bytes = matters ? predict_bytes(kPartOfMemory * memory) : 0.0;
  const SolverChoice fitting = choose_solver(factor_bytes, memory);
  const SolverChoice choice = asked.value_or(fitting);
  if (is_free_choice) double_fits_ = fitting == SolverChoice::double_factor;
  is_iterative_ = is_free_choice ? choice == SolverChoice::iterations : asks_for_iterations(prefix);
  if (is_free_choice && is_iterative_)
    base::log_warning(
        "body {}: the stiffness factorisation would need about {:.3g} GB of {:.3g} GB of memory; conjugate gradients with multigrid are used instead (override with -{}ksp_type, -{}pc_type)",
        name_, 1e-9 * factor_bytes, 1e-9 * memory, prefix, prefix);
  const bool is_serial = base::size(comm_) == 1;
  const bool takes_own_factor =
      !is_iterative_ && is_free_choice && !asks_for_petscs_factor(comm_, name_, prefix);
  is_single_asked_ = takes_own_factor && choice == SolverChoice::single_factor;
  if (is_single_asked_ && !asked)
    base::log_warning(
        "body {}: the stiffness factorisation would need about {:.3g} GB of {:.3g} GB of memory; it is made in single precision, which needs half of that (override with -{}precision, -{}ksp_type)",
        name_, 1e-9 * factor_bytes, 1e-9 * memory, prefix, prefix);
  // Half as much to read for a solution, of which Newton's method needs as many.
  const bool gains = takes_own_factor && !asked && solutions == Solutions::corrections;
  if (is_single_asked_ || gains) make_single();
  wants_rows_ = is_serial || is_iterative_ || !is_free_choice || (single_ && !*double_fits_);
  chooses_preconditioner_ = is_iterative_ && !has_option(prefix, "-pc_type");
  is_matrix_free_ = is_iterative_ && base::option_flag(prefix, "-matrix_free", true);
  has_single_cycle_ = !is_precision(prefix, "double") && !is_pipelined(prefix);
  refuse_numbers_of_levels();

  PC pc;
  SOLIDYN_PETSC(KSPCreate(comm_, ksp_.out()));
  SOLIDYN_PETSC(KSPSetOptionsPrefix(ksp_, prefix.c_str()));
  SOLIDYN_PETSC(KSPGetPC(ksp_, &pc));
  if (is_iterative_) {
    set_up_iterations();
  } else if (takes_own_factor) {
    factor_ = std::make_unique<Factor>(comm_, Factor::Kind::positive_definite);
    return;
  } else {
    SOLIDYN_PETSC(KSPSetType(ksp_, KSPPREONLY));
    SOLIDYN_PETSC(PCSetType(pc, PCCHOLESKY));
    SOLIDYN_PETSC(PCFactorSetMatSolverType(pc, is_serial ? MATSOLVERCHOLMOD : MATSOLVERMUMPS));
    if (is_serial) SOLIDYN_PETSC(PCFactorSetMatOrderingType(pc, kNodeOrdering));
  }
  set_from_options();
  use_shell_in_smoother();
  if (is_iterative_ && has_type(PCGAMG)) limit_iterations(kMostCycles);
}

bool BodySolver::has_type(PCType type) const {
  PC pc;
  PetscBool yes = PETSC_FALSE;
  SOLIDYN_PETSC(KSPGetPC(ksp_, &pc));
  SOLIDYN_PETSC(PetscObjectTypeCompare(reinterpret_cast<PetscObject>(pc), type, &yes));
  return yes == PETSC_TRUE;
}

base::OptionsReader BodySolver::options_reader() const {
  return options_of_body(comm_, name_, prefix_);
}

// Before anything is written.
void BodySolver::refuse_numbers_of_levels() const {
  const auto pc = base::option_word(prefix_, "-pc_type");
  if ((!is_iterative_ && !is_single_asked_) || (pc && *pc != "mg") ||
      !has_option(prefix_, "-pc_mg_levels"))
    return;
  throw base::InputError(
      fmt::format(
          "body {}: option -{}pc_mg_levels: the levels are two, the mesh and its corners, and gamg finds out how many it needs",
          name_, prefix_),
      fmt::format("remove it; -{}mg_coarse_pc_type gamg has more levels below the corners",
                  prefix_));
}

void BodySolver::set_from_options() {
  base::obey_options(options_reader(), [this] { return KSPSetFromOptions(ksp_); });
}

void BodySolver::set_up_iterations() {
  PC pc;
  SOLIDYN_PETSC(KSPSetType(ksp_, KSPCG));
  set_tolerance(kIterativeTolerance);
  SOLIDYN_PETSC(KSPGetPC(ksp_, &pc));
  SOLIDYN_PETSC(PCSetType(pc, PCGAMG));
}

// Multigrid's smoother on the mesh itself does most of the products.
void BodySolver::use_shell_in_smoother() {
  PC pc;
  SOLIDYN_PETSC(KSPGetPC(ksp_, &pc));
  SOLIDYN_PETSC(PCSetUseAmat(pc, is_matrix_free_ && has_type(PCGAMG) ? PETSC_TRUE : PETSC_FALSE));
}

void BodySolver::set_tolerance(double relative) {
  SOLIDYN_PETSC(KSPSetTolerances(ksp_, relative, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT));
}

void BodySolver::limit_iterations(int n) {
  if (has_option(prefix_, "-ksp_max_it")) return;
  SOLIDYN_PETSC(KSPSetTolerances(ksp_, PETSC_DEFAULT, PETSC_DEFAULT, PETSC_DEFAULT, n));
}

bool BodySolver::insists_on_corners() const {
  return is_iterative_ && !chooses_preconditioner_ && has_type(PCMG);
}

void BodySolver::refuse_corners() const {
  if (!insists_on_corners()) return;
  throw base::InputError(
      fmt::format(
          "body {}: -{}pc_type mg needs nodes in the middle of edges, elements that are sound without them, and products without a matrix, which floating frames, follower loads and supports along skew directions do not have",
          name_, prefix_),
      is_matrix_free_ ? "use gamg" : fmt::format("remove -{}matrix_free 0, or use gamg", prefix_));
}

bool BodySolver::may_do_without_matrix() const {
  return is_matrix_free_ && (chooses_preconditioner_ || insists_on_corners());
}

// Jacobi's iterations grow like the square root of the ratio; multigrid's do not, but each costs
// ten times as much.
BodySolver::Preconditioner BodySolver::choose(double stiffness_ratio, bool has_corners) const {
  if (!chooses_preconditioner_)
    return insists_on_corners() ? Preconditioner::corners : Preconditioner::assembled;
  if (stiffness_ratio < (has_corners ? kJacobiRatioWithCorners : kJacobiRatio))
    return Preconditioner::blocks;
  return has_corners ? Preconditioner::corners : Preconditioner::assembled;
}

void BodySolver::log_preconditioner(const std::string& words, double stiffness_ratio) {
  has_told_ = false;
  if (words == logged_) return;
  logged_ = words;
  if (is_precision(prefix_, "single") && !cycle_)
    base::log_warning(
        "body {}: -{}precision single has no effect: it is of a factor, or of multigrid of two levels, and {} were taken",
        name_, prefix_, words);
  base::log_info("body {}: conjugate gradients with {}: stiffness is {:.2g} times the masses",
                 name_, words, stiffness_ratio);
}

void BodySolver::take_preconditioner(const char* type, double stiffness_ratio) {
  PC pc;
  PCType present = nullptr;
  SOLIDYN_PETSC(KSPGetPC(ksp_, &pc));
  SOLIDYN_PETSC(PCGetType(pc, &present));
  log_preconditioner(std::string(type) == PCGAMG ? "multigrid" : "the nodes' blocks",
                     stiffness_ratio);
  limit_iterations(std::string(type) == PCGAMG ? kMostCycles : kMostBlockIterations);
  if (present == std::string(type)) return;
  SOLIDYN_PETSC(PCSetType(pc, type));
  SOLIDYN_PETSC(PCSetFromOptions(pc));
  use_shell_in_smoother();
}

void BodySolver::set_shell(::Mat shell, const std::string& what, Preconditioner preconditioner,
                           double stiffness_ratio, ::Mat smoothed, const CoarseLevel* corners) {
  const base::LogStage stage(base::Stage::factor);
  negatives_.reset();
  SOLIDYN_ASSERT(preconditioner != Preconditioner::assembled);
  indefinite_.reset();
  std::string failure;
  if (preconditioner == Preconditioner::corners) {
    if (!cycle_) cycle_ = std::make_unique<CornerCycle>(options_reader());
    PC pc;
    SOLIDYN_PETSC(KSPGetPC(ksp_, &pc));
    SOLIDYN_PETSC(PCSetUseAmat(pc, PETSC_FALSE));
    const auto precision =
        has_single_cycle_ ? CornerCycle::Precision::single : CornerCycle::Precision::full;
    failure = cycle_->set_up(pc, smoothed, *corners, precision);
    limit_iterations(kMostCycles);
    log_preconditioner("multigrid of two levels, " + cycle_->description(), stiffness_ratio);
  } else {
    take_preconditioner(PCPBJACOBI, stiffness_ratio);
  }
  if (failure.empty()) failure = set_up_krylov(shell, shell, what);
  if (!failure.empty()) throw_failed(what, failure);
}

void BodySolver::throw_failed(const std::string& what, const std::string& failure) const {
  const bool is_of_coarsest = failure == PCFailedReasons[PC_SUBPC_ERROR] && has_type(PCGAMG);
  if (const auto coarse = base::option_word(prefix_, "-mg_coarse_pc_type");
      coarse && is_of_coarsest)
    throw base::InputError(
        fmt::format(
            "body {}: option -{}mg_coarse_pc_type {} cannot solve with the coarsest matrix of gamg",
            name_, prefix_, *coarse),
        "remove it for the factor that gamg takes there; on the corners of -body_pc_type mg it may stand");
  throw NotPositiveDefinite(fmt::format(
      "body {}: the factorisation of {} failed ({})\n  the matrix may be indefinite, or an element inverted{}",
      name_, what, failure,
      is_iterative_
          ? fmt::format(
                ": take smaller steps, or where memory allows a factor, -{}pc_type cholesky instead of -{}ksp_type cg",
                prefix_, prefix_)
          : ""));
}

bool BodySolver::may_replace_iterations(const FactorBytes& predict_bytes) {
  if (!is_iterative_) return false;
  if (!double_fits_) {
    const double memory = total_memory(comm_);
    double_fits_ =
        choose_solver(predict_bytes(kPartOfMemory * memory), memory) == SolverChoice::double_factor;
  }
  return *double_fits_;
}

void BodySolver::replace_iterations(Mat A, const std::string& what) {
  const base::LogStage stage(base::Stage::factor);
  negatives_.reset();
  if (!std::exchange(has_told_of_factor_, true))
    base::log_warning(
        "body {}: {} is not positive definite, as under thermal strain or compression that is not in equilibrium yet, and conjugate gradients need that: where it is so a factor is made, which needs more memory",
        name_, what);
  SOLIDYN_PETSC(KSPReset(ksp_));  // memory; and what failed is not kept
  set_indefinite_matrix(A, what);
}

// Cholesky has refused A: L D L^T with pivoting.
void BodySolver::set_indefinite_matrix(Mat A, const std::string& what) {
  SOLIDYN_PETSC(MatSetOption(A, MAT_SPD, PETSC_FALSE));
  SOLIDYN_PETSC(MatSetOption(A, MAT_SYMMETRIC, PETSC_TRUE));
  indefinite_ = std::make_unique<Factor>(comm_, Factor::Kind::indefinite);
  const Factor::Outcome outcome = indefinite_->factorise(A);
  if (outcome == Factor::Outcome::out_of_memory) throw_out_of_memory(what);
  if (outcome != Factor::Outcome::done || indefinite_->n_zero() > 0)
    throw base::ComputationError(
        fmt::format("body {}: the factorisation of {} failed ({}), positive definite or not", name_,
                    what, outcome == Factor::Outcome::done ? "singular" : indefinite_->error()));
}

void BodySolver::throw_out_of_memory(const std::string& what) {
  if (!factor_) SOLIDYN_PETSC(KSPReset(ksp_));  // room to save what there is
  indefinite_.reset();
  throw base::ResourceError(fmt::format(
      "body {}: out of memory while factorising {}\n  use -body_ksp_type cg, which needs less memory, or more ranks on more machines",
      name_, what));
}

// CHOLMOD reads them when it is set up. @return those that are to be taken back then: other bodies
// would take them for the user's
std::vector<std::string> BodySolver::set_defaults_of_cholmod() const {
  PC pc;
  MatSolverType type = nullptr;
  SOLIDYN_PETSC(KSPGetPC(ksp_, &pc));
  SOLIDYN_PETSC(PCFactorGetMatSolverType(pc, &type));
  std::vector<std::string> given;
  if (!type || std::string(type) != MATSOLVERCHOLMOD) return given;
  const auto set_default = [&](const char* option, const char* value) {
    if (has_option(prefix_, std::string("-") + option)) return;
    given.push_back("-" + prefix_ + option);
    SOLIDYN_PETSC(PetscOptionsSetValue(nullptr, given.back().c_str(), value));
  };
  set_default("mat_cholmod_print", "0");  // what it says comes as an error
  set_default("mat_cholmod_nrelax", "8,24,64");
  set_default("mat_cholmod_zrelax", "0.8,0.2,0.1");
  return given;
}

// Empty where it has succeeded.
std::string BodySolver::set_up_krylov(Mat A, Mat shell, const std::string& what) {
  SOLIDYN_PETSC(KSPSetOperators(ksp_, shell ? shell : A, A));
  const std::vector<std::string> defaults = set_defaults_of_cholmod();
  // CHOLMOD's refusal of an indefinite matrix is an error to PETSc, which would print it at length.
  SOLIDYN_PETSC(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr));
  const PetscErrorCode code = KSPSetUp(ksp_);
  SOLIDYN_PETSC(PetscPopErrorHandler());
  for (const std::string& option : defaults)
    SOLIDYN_PETSC(PetscOptionsClearValue(nullptr, option.c_str()));
  base::refuse_options(options_reader(), code);
  if (code != 0 && code != PETSC_ERR_MAT_CH_ZRPVT) SOLIDYN_PETSC(code);
  PC pc;
  PCFailedReason failure;
  SOLIDYN_PETSC(KSPGetPC(ksp_, &pc));
  SOLIDYN_PETSC(PCGetFailedReason(pc, &failure));
  if (failure == PC_FACTOR_OUTMEMORY) throw_out_of_memory(what);
  // What an analysis without a factorisation leaves, the next analysis would take for its own.
  if (code != 0) SOLIDYN_PETSC(KSPReset(ksp_));
  if (code != 0) return kNotPositive;
  return failure == PC_NOERROR ? "" : PCFailedReasons[failure];
}

std::string BodySolver::factorise(Mat A, const std::string& what) {
  has_double_factor_ = true;
  const Factor::Outcome outcome = factor_->factorise(A);
  if (outcome == Factor::Outcome::out_of_memory) throw_out_of_memory(what);
  if (outcome == Factor::Outcome::not_positive_definite) return kNotPositive;
  return outcome == Factor::Outcome::done ? "" : factor_->error();
}

// @return why the factor cannot be used; empty where it can
std::string BodySolver::factorise_single(Mat A, const std::string& what) {
  what_ = what;
  const Factor::Outcome outcome = single_->factorise(A);
  if (outcome == Factor::Outcome::out_of_memory) throw_out_of_memory(what);
  if (outcome != Factor::Outcome::done) return kNotPositive;
  if (!(single_->rate() <= kUsableRate))
    return fmt::format("a solution leaves {:.2g} of an error", single_->rate());
  if (!std::exchange(has_told_of_single_, true))
    base::log_info(
        "body {}: factor of {} in single precision, {:.3g} MB; a solution leaves {:.2g} of an error",
        name_, what, 1e-6 * single_->bytes(), single_->rate());
  return "";
}

void BodySolver::make_single() {
  single_ = std::make_unique<solvers::RefinedFactor>(
      comm_, *double_fits_ ? Factor::Aim::speed : Factor::Aim::memory);
}

void BodySolver::leave_single(const std::string& why) {
  const std::string words =
      fmt::format("body {}: {} is too ill-conditioned for a factor in single precision ({}): {}",
                  name_, what_, why,
                  *double_fits_ ? "double precision is used from now on"
                                : "conjugate gradients with multigrid are used from now on");
  if (is_single_asked_)
    base::log_warning("{}", words);
  else
    base::log_info("{}", words);
  single_.reset();
  uses_single_ = false;
  if (*double_fits_) return;
  factor_.reset();
  is_iterative_ = chooses_preconditioner_ = true;
  set_up_iterations();
  set_from_options();
}

// By another solver than the factor in single precision.
void BodySolver::factorise_again(const std::string& why) {
  if (!*double_fits_)
    throw base::ComputationError(fmt::format(
        "body {}: solutions with {} by a factor in single precision do not converge ({})\n"
        "  use -body_ksp_type cg, or more ranks on more machines",
        name_, what_, why));
  const base::Mat A = single_->release_matrix();
  leave_single(why);
  set_matrix(A, what_, Eigen::Matrix3Xd(), std::numeric_limits<double>::infinity());
}

void BodySolver::set_matrix(Mat A, const std::string& what,
                            const Eigen::Ref<const Eigen::Matrix3Xd>& x, double stiffness_ratio,
                            Mat shell, Definiteness definiteness) {
  const base::LogStage stage(base::Stage::factor);
  negatives_.reset();
  indefinite_.reset();
  SOLIDYN_PETSC(MatSetOption(A, MAT_SPD, PETSC_TRUE));
  // Without masses each iteration has a tangent of its own, and solutions are little beside it.
  const bool tries_single = single_ && (is_single_asked_ || definiteness == Definiteness::positive);
  const std::string doubt = tries_single ? factorise_single(A, what) : "";
  uses_single_ = tries_single && doubt.empty();
  // There is one factor at a time.
  if (uses_single_ && std::exchange(has_double_factor_, false))
    factor_ = std::make_unique<Factor>(comm_, Factor::Kind::positive_definite);
  if (uses_single_) return;
  if (single_ && !is_single_asked_ && doubt != kNotPositive) make_single();
  if (tries_single && !*double_fits_ && doubt != kNotPositive) leave_single(doubt);
  if (is_iterative_) solvers::attach_rigid_motions(A, x);
  if (insists_on_corners())  // of a body that has them, or refuse_corners() would have been called
    throw base::ComputationError(fmt::format(
        "body {}: elements without the nodes in the middle of their edges are inverted, so that -{}pc_type mg has no matrix of their corners\n  take smaller steps, or use -{}pc_type gamg",
        name_, prefix_, prefix_));
  if (chooses_preconditioner_)
    take_preconditioner(stiffness_ratio < kJacobiRatio ? PCPBJACOBI : PCGAMG, stiffness_ratio);
  // One rank's factors in either precision begin in double precision.
  const bool is_refused = tries_single && doubt == kNotPositive && base::size(comm_) == 1;
  const bool is_decided = is_refused || (tries_single && single_ && !*double_fits_);
  const std::string failure = is_decided ? doubt
                              : factor_  ? factorise(A, what)
                                         : set_up_krylov(A, shell, what);
  // It was no fault of the matrix.
  if (failure.empty() && tries_single && single_) leave_single(doubt);
  if (failure.empty()) return;
  if (definiteness == Definiteness::any && !is_iterative_) return set_indefinite_matrix(A, what);
  throw_failed(what, failure);
}

}  // namespace solidyn::bodies

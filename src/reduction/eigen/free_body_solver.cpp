#include "reduction/eigen/free_body_solver.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "reduction/eigen/conjugate_gradients.h"
#include "reduction/eigen/lobpcg.h"
#include "solidyn/base/blas_check.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc_options.h"
#include "solidyn/base/resource_error.h"
#include "solidyn/base/threads.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;

// A residual above this is no mode; the eigenvalue's error is of the order of its square.
constexpr double kAcceptedResidual = 1e-5;

// Of the shift: a lowest eigenvalue further below is inaccurate, and one so low is a motion that
// nothing resists.
constexpr double kFarShift = 1.0, kLeastShift = 1e-8;

// The search for missed copies only has to distinguish them from the next modes.
constexpr double kCheckTolerance = 1e-2;

constexpr const char* kOptions = "modes_";

std::vector<base::Vec> wrap_columns(MPI_Comm comm, const MultiVector& X) {
  std::vector<base::Vec> columns;
  for (Index j = 0; j < X.cols(); ++j)
    columns.push_back(wrap(comm, const_cast<double*>(X.col(j).data()), X.rows()));
  return columns;
}

MultiVector join(const MultiVector& A, const MultiVector& B) {
  MultiVector out(A.rows(), A.cols() + B.cols());
  out << A, B;
  return out;
}

std::string describe(EPSConvergedReason reason) {
  switch (reason) {
    case EPS_DIVERGED_ITS:
      return "too many iterations";
    case EPS_DIVERGED_BREAKDOWN:
      return "breakdown of the Krylov space";
    case EPS_DIVERGED_SYMMETRY_LOST:
      return "loss of symmetry";
    default:
      return EPSConvergedReasons[reason];
  }
}

// K is known to |K| eps only, so the residual of a low mode of a stiff mesh cannot be smaller than
// that.
double largest_residual(const Pencil& pencil, const ElasticModes& modes,
                        const HeldFrames* held = nullptr) {
  const MultiVector scaled = pencil.multiply_mass(modes.vectors) * modes.eigenvalues.asDiagonal();
  MultiVector r = multiply(pencil.K, modes.vectors) - scaled;
  if (held) held->remove_frame_forces(r);
  const Index n = modes.vectors.cols();
  Eigen::VectorXd squares(2 * n);
  squares << r.colwise().squaredNorm().transpose(), scaled.colwise().squaredNorm().transpose();
  base::sum_in_place(pencil.comm, squares.data(), static_cast<int>(2 * n));
  return n ? (squares.head(n).array() / squares.tail(n).array()).sqrt().maxCoeff() : 0.0;
}

// x.K x / x.M x, the smallest of all modes.
double lowest_rayleigh_quotient(const Pencil& pencil, const MultiVector& X) {
  const Index n = X.cols();
  Eigen::VectorXd sums(2 * n);
  sums << X.cwiseProduct(multiply(pencil.K, X)).colwise().sum().transpose(),
      X.cwiseProduct(pencil.multiply_mass(X)).colwise().sum().transpose();
  base::sum_in_place(pencil.comm, sums.data(), static_cast<int>(2 * n));
  return n ? (sums.head(n).array() / sums.tail(n).array()).minCoeff() : 0.0;
}

MultiVector multiply_shifted(const Pencil& pencil, const MultiVector& X) {
  return multiply(pencil.K, X) + pencil.shift * pencil.multiply_mass(X);
}

bool uses_slepc() { return base::option_choice(kOptions, "-solver", {"block", "slepc"}) == 1; }

base::OptionsReader reader(const Pencil& pencil) {
  return {"the reduction", kOptions, pencil.comm,
          "doc/solvers.md, \"Modes\", has those that go together"};
}

// CHOLMOD's supernodes, a little larger than its default: a third less time in the factorisation of
// slender bodies, the same in solves. Options given by the user win.
// @return the options set here, to be cleared again once the factor has read them
std::vector<const char*> choose_supernodes() {
  std::vector<const char*> chosen;
  const char* const options[][2] = {{"-modes_mat_cholmod_nrelax", "8,24,64"},
                                    {"-modes_mat_cholmod_zrelax", "0.8,0.2,0.1"}};
  for (const auto& [name, value] : options) {
    if (base::has_option("", name)) continue;
    SOLIDYN_PETSC(PetscOptionsSetValue(nullptr, name, value));
    chosen.push_back(name);
  }
  return chosen;
}

std::unique_ptr<solvers::SymmetricFactor> make_factor(const Pencil& pencil) {
  using Factor = solvers::SymmetricFactor;
  auto factor = std::make_unique<Factor>(pencil.comm, Factor::Kind::positive_definite);
  switch (factor->factorise(pencil.shifted)) {
    case Factor::Outcome::done:
      return factor;
    case Factor::Outcome::out_of_memory:
      throw base::ResourceError(
          "out of memory while factorising K + shift M\n  use -modes_route iterative, which needs less memory, or more ranks on more machines");
    default:
      throw base::ComputationError(
          "the factorisation of K + shift M failed: it is not positive definite\n  look for badly shaped elements (`solidyn check` lists the worst)");
  }
}

[[noreturn]] void throw_unconverged(const char* what, const ConjugateGradientsResult& result,
                                    double tolerance, Index n_columns) {
  throw base::ComputationError(fmt::format(
      "{} did not converge in {} iterations of conjugate gradients: {} of {} right-hand sides, number {} with an error of {:.1e} in the energy norm (tolerance {:.0e})\n  look for badly shaped elements (`solidyn check` lists the worst), try -modes_mg_levels_ksp_max_it 4, or use -modes_route direct",
      what, result.n_iterations, result.n_left, n_columns, result.worst + 1, result.worst_error,
      tolerance));
}

// Of iterations that options have chosen in place of the factor.
[[noreturn]] void throw_unconverged(::KSP ksp) {
  PetscInt n = 0;
  KSPConvergedReason reason;
  SOLIDYN_PETSC(KSPGetIterationNumber(ksp, &n));
  SOLIDYN_PETSC(KSPGetConvergedReason(ksp, &reason));
  throw base::ComputationError(fmt::format(
      "the linear solver of the reduction stopped after {} iterations ({})\n  the options were{}: allow more iterations with -modes_ksp_max_it, or remove them for a factor",
      n, KSPConvergedReasons[reason], base::options_given({"the reduction", kOptions})));
}

void check_count(int n, std::int64_t n_all, const char* kind) {
  if (n <= n_all) return;
  throw base::InputError(
      fmt::format("{} {} modes are requested, but the body has only {}", n, kind, n_all),
      fmt::format("request at most {}", n_all));
}

void sort_and_keep(int n, ElasticModes& modes) {
  std::vector<Index> order(modes.eigenvalues.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return modes.eigenvalues[a] < modes.eigenvalues[b]; });
  order.resize(std::min<std::size_t>(order.size(), n));
  modes.eigenvalues = modes.eigenvalues(order).eval();
  modes.vectors = modes.vectors(Eigen::all, order).eval();
}

}  // namespace

// LOBPCG's vectors are done when their energy is; short waves in the residual carry hardly any.
void FreeBodySolver::check_modes(const ElasticModes& modes) const {
  if (!modes.has_converged)
    throw base::ComputationError(fmt::format(
        "the eigensolver did not find {} modes in {} blocks of vectors\n  try -modes_solver slepc, or a looser tolerance than {:.1e}",
        modes.eigenvalues.size(), modes.iterations, tolerance_));
  const double largest = modes.largest_residual;
  if (multigrid_ || largest < kAcceptedResidual) return;
  throw base::ComputationError(fmt::format(
      "the modes are inaccurate: the largest relative residual |K x - omega^2 M x| is {:.1e} (accepted: {:.1e})\n  look for badly shaped elements (`solidyn check` lists the worst), or try -modes_pc_factor_mat_solver_type mumps",
      largest, kAcceptedResidual));
}

FreeBodySolver::FreeBodySolver(Pencil& pencil, double tolerance)
    : pencil_(pencil), tolerance_(tolerance) {
  if (pencil.route == Route::direct) {
    factorise();
    prepare_frame_masses();
  } else {
    multigrid_ = make_multigrid(pencil);
  }
}

void FreeBodySolver::prepare_frame_masses() {
  if (!pencil_.has_frame_masses()) return;
  frame_mass_solutions_ = apply_sparse_factor(pencil_.frame_masses);
  Eigen::MatrixXd C = inner_products(pencil_.comm, pencil_.frame_masses, frame_mass_solutions_);
  C = (0.5 * (C + C.transpose())).eval();
  C.diagonal().array() += 1.0 / pencil_.shift;
  frame_mass_factor_.compute(C);
}

void FreeBodySolver::factorise() {
  const bool is_serial = base::size(pencil_.comm) == 1;
  PetscInt n_rows = 0;
  PC pc;
  SOLIDYN_PETSC(MatGetSize(pencil_.K, &n_rows, nullptr));
  base::warn_if_blas_is_slow(n_rows);
  base::use_one_thread_per_rank();
  SOLIDYN_PETSC(KSPCreate(pencil_.comm, ksp_.out()));
  SOLIDYN_PETSC(KSPSetOptionsPrefix(ksp_, kOptions));
  SOLIDYN_PETSC(KSPSetOperators(ksp_, pencil_.shifted, pencil_.shifted));
  SOLIDYN_PETSC(KSPSetType(ksp_, KSPPREONLY));
  SOLIDYN_PETSC(KSPSetErrorIfNotConverged(ksp_, PETSC_TRUE));
  SOLIDYN_PETSC(KSPGetPC(ksp_, &pc));
  if (!is_serial && !base::has_option(kOptions, "-ksp_type") &&
      !base::has_option(kOptions, "-pc_type") &&
      !base::has_option(kOptions, "-pc_factor_mat_solver_type")) {
    factor_ = make_factor(pencil_);
    factor_->act_as(pc);
  } else {
    SOLIDYN_PETSC(PCSetType(pc, PCCHOLESKY));
    SOLIDYN_PETSC(PCFactorSetMatSolverType(pc, is_serial ? MATSOLVERCHOLMOD : MATSOLVERMUMPS));
  }
  const std::vector<const char*> chosen =
      is_serial ? choose_supernodes() : std::vector<const char*>{};
  base::obey_options(reader(pencil_), [this] { return KSPSetFromOptions(ksp_); });
  base::obey_options(reader(pencil_), [this] { return KSPSetUp(ksp_); });
  for (const char* name : chosen) SOLIDYN_PETSC(PetscOptionsClearValue(nullptr, name));
}

void FreeBodySolver::find_modes(int n_wanted, double tolerance, const MultiVector& deflated,
                                ElasticModes& found) {
  // An eigensolver that dies resets the factor it was lent, so all of them live as long as this
  // object.
  const Eps& eps = passes_.emplace_back();
  ST st;
  SOLIDYN_PETSC(EPSCreate(pencil_.comm, passes_.back().out()));
  SOLIDYN_PETSC(EPSSetOptionsPrefix(eps, kOptions));
  SOLIDYN_PETSC(EPSSetOperators(eps, pencil_.K, pencil_.M));
  SOLIDYN_PETSC(EPSSetProblemType(eps, EPS_GHEP));
  SOLIDYN_PETSC(EPSSetType(eps, EPSKRYLOVSCHUR));
  SOLIDYN_PETSC(EPSSetDimensions(eps, n_wanted, PETSC_DEFAULT, PETSC_DEFAULT));
  SOLIDYN_PETSC(EPSSetWhichEigenpairs(eps, EPS_TARGET_MAGNITUDE));
  SOLIDYN_PETSC(EPSSetTarget(eps, -pencil_.shift));
  SOLIDYN_PETSC(EPSSetTolerances(eps, tolerance, PETSC_DEFAULT));
  SOLIDYN_PETSC(EPSGetST(eps, &st));
  SOLIDYN_PETSC(STSetType(st, STSINVERT));
  // SLEPc never sums K + shift M: the factor is that of the assembled sum, and M stays m (x) I3.
  SOLIDYN_PETSC(STSetMatMode(st, ST_MATMODE_SHELL));
  SOLIDYN_PETSC(STSetPreconditionerMat(st, pencil_.shifted));
  SOLIDYN_PETSC(STSetKSP(st, ksp_));
  base::obey_options(reader(pencil_), [&] { return EPSSetFromOptions(eps); });
  const std::vector<base::Vec> columns = wrap_columns(pencil_.comm, deflated);
  std::vector<::Vec> raw(columns.begin(), columns.end());
  SOLIDYN_PETSC(EPSSetDeflationSpace(eps, static_cast<PetscInt>(raw.size()), raw.data()));
  base::obey_options(reader(pencil_), [&] { return EPSSolve(eps); });

  PetscInt n_converged = 0, iterations = 0;
  EPSConvergedReason reason;
  SOLIDYN_PETSC(EPSGetConverged(eps, &n_converged));
  SOLIDYN_PETSC(EPSGetConvergedReason(eps, &reason));
  SOLIDYN_PETSC(EPSGetIterationNumber(eps, &iterations));
  if (reason < 0 || n_converged < n_wanted)
    throw base::ComputationError(fmt::format(
        "the eigensolver found {} of {} modes in {} restarts: {}\n  try more vectors, for example -modes_eps_ncv {}, or a looser tolerance than {:.1e}",
        n_converged, n_wanted, iterations, describe(reason), 4 * n_wanted + 40, tolerance));

  found.iterations += iterations;
  const Index before = found.vectors.cols();
  found.vectors.conservativeResize(pencil_.rigid.rows(), before + n_converged);
  found.eigenvalues.conservativeResize(before + n_converged);
  for (PetscInt j = 0; j < n_converged; ++j) {
    const base::Vec x =
        wrap(pencil_.comm, found.vectors.col(before + j).data(), pencil_.rigid.rows());
    SOLIDYN_PETSC(EPSGetEigenpair(eps, j, &found.eigenvalues[before + j], nullptr, x, nullptr));
  }
}

double FreeBodySolver::find_lowest_beside(const MultiVector& known) {
  ElasticModes rough;
  find_modes(1, kCheckTolerance, known, rough);
  return rough.eigenvalues.minCoeff();
}

// Rows that look random but depend on their global number only.
MultiVector FreeBodySolver::make_start_block(int n_columns) const {
  PetscInt first = 0;
  SOLIDYN_PETSC(MatGetOwnershipRange(pencil_.K, &first, nullptr));
  MultiVector start(pencil_.rigid.rows(), n_columns);
  for (Index i = 0; i < start.rows(); ++i) {
    std::minstd_rand random(static_cast<unsigned>(first + i) * 2654435761u + 1u);
    random.discard(4);  // neighbouring seeds begin alike
    for (int j = 0; j < n_columns; ++j) start(i, j) = random() / 2147483646.0 - 0.5;
  }
  return start;
}

ElasticModes FreeBodySolver::compute_with_blocks(BlockOperator op, int n, std::int64_t n_elastic) {
  constexpr int kBlock = 8;
  op.comm = pencil_.comm;
  op.multiply_M = [this](const MultiVector& X) { return pencil_.multiply_mass(X); };
  op.solve = [this](const MultiVector& F) { return apply_factor(F); };
  const int block = static_cast<int>(std::min<std::int64_t>(kBlock, n_elastic));
  BlockKrylovResult found = find_largest(op, make_start_block(block), n, tolerance_, n_elastic);
  ElasticModes modes;
  modes.iterations = found.n_blocks;
  modes.has_converged = found.has_converged;
  modes.eigenvalues = found.values.cwiseInverse().array() - pencil_.shift;
  modes.vectors = std::move(found.vectors);
  return modes;
}

ElasticModes FreeBodySolver::compute_with_slepc(int n, std::int64_t n_elastic) {
  if (pencil_.has_frame_masses())
    throw base::InputError("-modes_solver slepc does not support masses that are not at nodes",
                           "remove it");
  ElasticModes modes;
  modes.vectors.resize(pencil_.rigid.rows(), 0);
  find_modes(n, tolerance_, pencil_.rigid, modes);
  while (modes.eigenvalues.size() < n_elastic) {
    sort_and_keep(static_cast<int>(modes.eigenvalues.size()), modes);
    const double limit = (1.0 + kCheckTolerance) * modes.eigenvalues[n - 1];
    const MultiVector known = join(pencil_.rigid, modes.vectors);
    if (find_lowest_beside(known) > limit) break;
    base::log_debug("modes: searching for further modes of a repeated frequency");
    const Index n_known = modes.eigenvalues.size();
    find_modes(1, tolerance_, known, modes);
    if (modes.eigenvalues.tail(modes.eigenvalues.size() - n_known).minCoeff() > limit) break;
  }
  return modes;
}

std::int64_t FreeBodySolver::count_modes_but(int n_excluded) const {
  PetscInt n_rows = 0;
  SOLIDYN_PETSC(MatGetSize(pencil_.K, &n_rows, nullptr));
  return std::max<std::int64_t>(0, n_rows - pencil_.n_idle - n_excluded);
}

// The shift comes from fields that know little of bodies such as springs and open rings. What the
// modes found with it say of the lowest eigenvalue is better: an upper bound, as Ritz values are.
// @return whether there is another factor now
bool FreeBodySolver::bring_shift_near(const ElasticModes& modes) {
  return (!modes.has_converged || modes.largest_residual >= kAcceptedResidual) &&
         bring_shift_near(lowest_rayleigh_quotient(pencil_, modes.vectors));
}

bool FreeBodySolver::bring_shift_near(double lowest) {
  if (multigrid_ || !is_shift_chosen()) return false;
  if (!(lowest > kLeastShift * pencil_.shift) || lowest > kFarShift * pencil_.shift) return false;
  const double before = pencil_.shift;
  change_shift(pencil_, choose_shift(lowest));
  base::log_info(
      "modes: the lowest eigenvalue is about {:.3g} rad^2/s^2, far below the shift of {:.3g}; repeating the factorisation with {:.3g}",
      lowest, before, pencil_.shift);
  passes_.clear();  // they were lent the factor
  ksp_ = base::Ksp();
  factor_.reset();
  factorise();
  prepare_frame_masses();
  return true;
}

ElasticModes FreeBodySolver::compute_modes(int n) {
  const std::int64_t n_elastic = count_modes_but(6);
  check_count(n, n_elastic, "free-free");
  ElasticModes modes;
  modes.vectors.resize(pencil_.rigid.rows(), 0);
  if (n == 0) return modes;
  do {
    modes = find_free_modes(n, n_elastic);
  } while (bring_shift_near(modes));
  check_modes(modes);
  return modes;
}

ElasticModes FreeBodySolver::find_free_modes(int n, std::int64_t n_elastic) {
  ElasticModes modes;
  BlockOperator free;
  free.project = [this](MultiVector& X) { pencil_.remove_rigid_motion(X); };
  if (multigrid_)
    modes = compute_iteratively(n, n_elastic, free.project,
                                [this](MultiVector& r) { pencil_.balance(r); });
  else if (uses_slepc())
    modes = compute_with_slepc(n, n_elastic);
  else
    modes = compute_with_blocks(free, n, n_elastic);
  sort_and_keep(n, modes);
  pencil_.remove_rigid_motion(modes.vectors);
  modes.largest_residual = largest_residual(pencil_, modes);
  return modes;
}

ElasticModes FreeBodySolver::compute_held_modes(int n, const MultiVector& F,
                                                const MultiVector& left) {
  ElasticModes modes;
  do {
    modes = find_held_modes(n, HeldFrames(pencil_.comm, F, apply_factor(F)), left);
  } while (bring_shift_near(modes));
  check_modes(modes);
  return modes;
}

ElasticModes FreeBodySolver::find_held_modes(int n, const HeldFrames& held,
                                             const MultiVector& left) {
  const std::int64_t n_held_modes = count_modes_but(held.n_held() + static_cast<int>(left.cols()));
  check_count(n, n_held_modes, "fixed-interface");
  ElasticModes modes;
  modes.vectors.resize(pencil_.rigid.rows(), 0);
  if (n == 0) return modes;
  const MultiVector M_left = left.cols() > 0 ? pencil_.multiply_mass(left) : MultiVector();
  BlockOperator fixed;
  fixed.project = [&](MultiVector& X) {
    held.project(X);
    if (left.cols() > 0) X.noalias() -= left * inner_products(pencil_.comm, M_left, X);
  };
  const auto project_forces = [&](MultiVector& r) {
    held.project_forces(r);
    if (left.cols() > 0) r.noalias() -= M_left * inner_products(pencil_.comm, left, r);
  };
  modes = multigrid_ ? compute_iteratively(n, n_held_modes, fixed.project, project_forces)
                     : compute_with_blocks(fixed, n, n_held_modes);
  sort_and_keep(n, modes);
  modes.largest_residual = largest_residual(pencil_, modes, &held);
  return modes;
}

ElasticModes FreeBodySolver::compute_iteratively(
    int n, std::int64_t n_all, const std::function<void(MultiVector&)>& project,
    const std::function<void(MultiVector&)>& project_forces) {
  // The frequency's error is of the order of the square.
  constexpr double kTolerance = 1e-6;
  constexpr int kMaxIterations = 300, kGuards = 6;
  PreconditionedPencil problem;
  problem.comm = pencil_.comm;
  problem.multiply_K = [this](const MultiVector& X) { return multiply(pencil_.K, X); };
  problem.multiply_M = [this](const MultiVector& X) { return pencil_.multiply_mass(X); };
  problem.project = project;
  problem.precondition = [&](const MultiVector& R) {
    MultiVector r = R;
    project_forces(r);
    MultiVector w = multigrid_->apply(r);
    project(w);
    return w;
  };
  const int block = static_cast<int>(std::min<std::int64_t>(n + kGuards + n / 10, n_all));
  LobpcgResult found =
      find_smallest(problem, make_start_block(block), n, kTolerance, kMaxIterations);
  if (!found.has_converged)
    throw base::ComputationError(fmt::format(
        "LOBPCG did not find {} modes in {} iterations: the largest error is {:.1e} (tolerance {:.1e})\n  look for badly shaped elements (`solidyn check` lists the worst), or use -modes_route direct",
        n, found.n_iterations, found.largest_error, kTolerance));
  ElasticModes modes;
  modes.iterations = found.n_iterations;
  modes.eigenvalues = std::move(found.values);
  modes.vectors = std::move(found.vectors);
  return modes;
}

// Conjugate gradients on K itself, which is definite beside the rigid motions. Energy to 1e-14 of
// each answer, so that the compliance is right to that.
MultiVector FreeBodySolver::solve_iteratively(const MultiVector& f, const ElasticModes& known,
                                              MultiVector start) {
  constexpr double kTolerance = 1e-7;
  constexpr int kMaxIterations = 500;
  SymmetricSystem system;
  system.comm = pencil_.comm;
  system.multiply = [this](const MultiVector& X) { return multiply(pencil_.K, X); };
  system.precondition = [this](const MultiVector& R) {
    MultiVector r = R;
    pencil_.balance(r);
    MultiVector z = multigrid_->apply(r);
    pencil_.remove_rigid_motion(z);
    return z;
  };
  MultiVector first = std::move(start);
  if (first.cols() != f.cols())
    first = known.vectors * (known.eigenvalues.cwiseInverse().asDiagonal() *
                             inner_products(pencil_.comm, known.vectors, f));
  ConjugateGradientsResult result =
      solve_by_conjugate_gradients(system, f, std::move(first), kTolerance, kMaxIterations);
  if (!result.has_converged)
    throw_unconverged("static correction modes", result, kTolerance, f.cols());
  pencil_.remove_rigid_motion(result.u);
  return std::move(result.u);
}

MultiVector FreeBodySolver::apply_factor(const MultiVector& f) {
  if (multigrid_) {
    constexpr double kTolerance = 1e-9;
    constexpr int kMaxIterations = 500;
    SymmetricSystem system;
    system.comm = pencil_.comm;
    system.multiply = [this](const MultiVector& X) { return multiply_shifted(pencil_, X); };
    system.precondition = [this](const MultiVector& R) { return multigrid_->apply(R); };
    ConjugateGradientsResult result = solve_by_conjugate_gradients(
        system, f, MultiVector::Zero(f.rows(), f.cols()), kTolerance, kMaxIterations);
    if (!result.has_converged)
      throw_unconverged("solutions with K + shift M", result, kTolerance, f.cols());
    return std::move(result.u);
  }
  MultiVector u = apply_sparse_factor(f);
  if (pencil_.has_frame_masses())
    u.noalias() -= frame_mass_solutions_ *
                   frame_mass_factor_.solve(inner_products(pencil_.comm, pencil_.frame_masses, u));
  return u;
}

MultiVector FreeBodySolver::apply_sparse_factor(const MultiVector& f) {
  if (factor_) return factor_->solve(f);
  MultiVector u(f.rows(), f.cols());
  base::Mat F, U;
  const auto n_columns = static_cast<PetscInt>(f.cols());
  const auto n_rows = static_cast<PetscInt>(f.rows());
  SOLIDYN_PETSC(MatCreateDense(pencil_.comm, n_rows, PETSC_DECIDE, PETSC_DETERMINE, n_columns,
                               const_cast<double*>(f.data()), F.out()));
  SOLIDYN_PETSC(MatCreateDense(pencil_.comm, n_rows, PETSC_DECIDE, PETSC_DETERMINE, n_columns,
                               u.data(), U.out()));
  const PetscErrorCode code = KSPMatSolve(ksp_, F, U);
  if (code == PETSC_ERR_NOT_CONVERGED) throw_unconverged(ksp_);
  SOLIDYN_PETSC(code);
  return u;
}

MultiVector FreeBodySolver::solve_static(const MultiVector& f, const ElasticModes& known,
                                         MultiVector start, double accepted) {
  if (multigrid_) return solve_iteratively(f, known, std::move(start));
  MultiVector u = std::move(start);
  do {
    if (iterate_static(f, known, accepted, u)) return u;
  } while (bring_shift_near(lowest_rayleigh_quotient(pencil_, u)));
  throw base::ComputationError(fmt::format(
      "static correction modes did not converge with the shift {:.3e} rad^2/s^2\n  give a smaller one with -modes_shift",
      pencil_.shift));
}

// u <- u + (K + s M)^-1 r leaves the share s/(omega^2 + s) of each mode's error; that of the known
// modes is repaired exactly, so that the slowest is the first unknown one.
// @return whether it has converged
bool FreeBodySolver::iterate_static(const MultiVector& f, const ElasticModes& known,
                                    double accepted, MultiVector& u) {
  constexpr int kMaxIterations = 200;
  // Of the energy norm. Round-off of K u, larger for point loads on slender bodies, ends the
  // progress somewhere below kGood; going on would not make the modes better.
  constexpr double kGood = 1e-6;
  const Eigen::ArrayXd omega2 = known.eigenvalues.array();
  const Eigen::VectorXd missing = omega2.inverse() - (omega2 + pencil_.shift).inverse();
  MultiVector r = f;
  if (u.cols() == f.cols()) {
    r -= multiply(pencil_.K, u);
    pencil_.balance(r);
  } else {
    u.setZero(f.rows(), f.cols());
  }
  double before = std::numeric_limits<double>::infinity();
  for (int iteration = 0; iteration < kMaxIterations; ++iteration) {
    MultiVector du = apply_factor(r);
    du.noalias() +=
        known.vectors * (missing.asDiagonal() * inner_products(pencil_.comm, known.vectors, r));
    pencil_.remove_rigid_motion(du);
    u += du;
    Eigen::VectorXd energies(2 * f.cols());
    for (Index j = 0; j < f.cols(); ++j) {
      energies[j] = r.col(j).dot(du.col(j));
      energies[f.cols() + j] = f.col(j).dot(u.col(j));
    }
    base::sum_in_place(pencil_.comm, energies.data(), static_cast<int>(energies.size()));
    const double change =
        (energies.head(f.cols()).cwiseAbs().array() / energies.tail(f.cols()).cwiseAbs().array())
            .maxCoeff();
    if (change < accepted * accepted) return true;
    if (change < kGood * kGood && change > 0.5 * before) return true;
    before = change;
    r = f - multiply(pencil_.K, u);
    pencil_.balance(r);
  }
  return false;
}

}  // namespace solidyn::reduction

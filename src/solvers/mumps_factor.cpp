// SymmetricFactor by MUMPS.

#include <dmumps_c.h>
#include <fmt/format.h>
#include <smumps_c.h>

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "matrix_entries.h"
#include "nested_dissection.h"
#include "solidyn/base/gather.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/resource_error.h"
#include "symmetric_backend.h"

namespace solidyn::solvers {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
static_assert(std::is_same_v<MUMPS_INT, int> && std::is_same_v<PetscInt, int>,
              "MUMPS and PETSc with 32-bit indices");

using StarForest = base::Handle<::PetscSF, PetscSFDestroy>;

enum Job { initialise = -1, finish = -2, analyse = 1, factor = 2, solve_columns = 3 };
constexpr int kDistributed = 3, kDistributedRhs = 10, kUserOrdering = 1, kSequentialAnalysis = 1;
// Room beyond what the analysis foresees, in percent: what pivoting needs is not known before.
constexpr int kFirstRoom = 20, kMostRoom = 400;

// MUMPS' library of a precision.
template <class Real>
struct Library;
template <>
struct Library<double> {
  using Struct = DMUMPS_STRUC_C;
  static void run(Struct* it) { dmumps_c(it); }
  static MPI_Datatype type() { return MPI_DOUBLE; }
};
template <>
struct Library<float> {
  using Struct = SMUMPS_STRUC_C;
  static void run(Struct* it) { smumps_c(it); }
  static MPI_Datatype type() { return MPI_FLOAT; }
};

// Where each block comes, from pairs of all ranks.
std::vector<int> positions_of_blocks(int n_blocks, const std::vector<int>& pairs) {
  std::vector<int> start(n_blocks + 1, 0);
  for (const int i : pairs) ++start[i + 1];
  std::partial_sum(start.begin(), start.end(), start.begin());
  std::vector<int> neighbours(pairs.size()), next(start.begin(), start.end() - 1);
  for (std::size_t k = 0; k < pairs.size(); k += 2) {
    neighbours[next[pairs[k]]++] = pairs[k + 1];
    neighbours[next[pairs[k + 1]]++] = pairs[k];
  }
  return dissect(start, neighbours).position;
}

using Outcome = SymmetricFactor::Outcome;

// Of MUMPS' INFOG(1), below zero.
bool is_lack_of_room(int code) {
  return code == -8 || code == -9 || code == -14 || code == -17 || code == -20;
}

Outcome outcome_of(int code, const std::string& error) {
  if (code == -40) return Outcome::not_positive_definite;
  if (code == -6 || code == -10) return Outcome::singular;
  if (code == -5 || code == -7 || code == -13 || code == -19 || is_lack_of_room(code))
    return Outcome::out_of_memory;
  throw base::ComputationError(error);
}

template <class Real>
struct MumpsOf final : SymmetricFactor::Backend {
  typename Library<Real>::Struct it{};
  MPI_Comm comm = MPI_COMM_NULL;
  std::size_t pattern = 0;
  std::vector<int> rows;  // of this rank, counted from 1
  std::vector<int> solution_rows;
  std::vector<Real> given, solution, column;
  StarForest to_rows;  // from solution_rows
  bool is_analysed = false;
  int room = kFirstRoom;  // percent
  double scale = 1.0;     // of the matrix: single precision ends at 1e38

  using Kind = SymmetricFactor::Kind;

  MumpsOf(MPI_Comm of_ranks, Kind kind) {
    MPI_Comm_dup(of_ranks, &comm);
    it.comm_fortran = MPI_Comm_c2f(comm);
    it.par = 1;
    it.sym = kind == Kind::positive_definite ? 1 : 2;
    start();
  }
  ~MumpsOf() override {
    if (!base::petsc_is_running()) return;
    run(finish);
    MPI_Comm_free(&comm);
  }

  void start() {
    if (run(initialise) < 0) throw base::ComputationError(error());
    for (const int stream : {1, 2, 3}) control(stream) = -1;
    control(4) = 0;
    control(18) = kDistributed;
    control(20) = kDistributedRhs;
    control(21) = 1;  // solutions stay with the ranks
    // ScaLAPACK, which takes a large last front on several ranks, counts no signs of pivots.
    control(13) = it.sym == 2 ? 1 : 0;
    control(24) = it.sym == 2 ? 1 : 0;
    control(28) = kSequentialAnalysis;
  }
  // Frees what there is.
  void start_anew() {
    run(finish);
    start();
    is_analysed = false;
    to_rows = StarForest();
  }

  int& control(int number) { return it.icntl[number - 1]; }
  int info(int number) const { return it.infog[number - 1]; }
  int n_negative() const override { return info(12); }
  int n_zero() const override { return info(28); }
  // INFOG(29), in millions where it is below zero.
  double bytes() const override {
    const double entries = info(29);
    return static_cast<double>(sizeof(Real)) * (entries < 0.0 ? -1e6 * entries : entries);
  }
  int run(Job job) {
    it.job = job;
    Library<Real>::run(&it);
    return info(1);
  }
  std::string error() const { return fmt::format("MUMPS returned {} ({})", info(1), info(2)); }

  // Shorter steps would find no room either.
  [[noreturn]] void throw_failed_solution() const {
    if (outcome_of(info(1), error()) != Outcome::out_of_memory)
      throw base::ComputationError(error());
    throw base::ResourceError(fmt::format(
        "out of memory for a solution with a factor: {}\n  use more ranks on more machines, or conjugate gradients (-body_ksp_type cg of bodies with all nodes)",
        error()));
  }

  int order_and_analyse(::Mat A, const Entries<Real>& entries) {
    is_analysed = false;
    room = kFirstRoom;
    PetscInt n = 0, block = 1;
    SOLIDYN_PETSC(MatGetSize(A, &n, nullptr));
    SOLIDYN_PETSC(MatGetBlockSize(A, &block));
    const std::vector<int> pairs =
        base::gather_on_first(comm, pairs_of_blocks(entries, block), MPI_INT);
    std::vector<int> position;
    base::run_together(comm, [&] {
      if (base::rank(comm) > 0) return;
      for (const int of_block : positions_of_blocks(n / block, pairs))
        for (int i = 1; i <= block; ++i) position.push_back(block * of_block + i);
    });
    it.n = n;
    control(7) = kUserOrdering;
    it.perm_in = position.data();
    const int code = run(analyse);
    it.perm_in = nullptr;
    is_analysed = code >= 0;
    return code;
  }

  int factorise_analysed() {
    int code = 0;
    while (true) {
      control(14) = room;
      code = run(factor);
      if (!is_lack_of_room(code) || room >= kMostRoom) return code;
      room *= 2;
    }
  }

  void prepare_solutions(::Mat A) {
    PetscInt first = 0, last = 0;
    SOLIDYN_PETSC(MatGetOwnershipRange(A, &first, &last));
    rows.resize(last - first);
    std::iota(rows.begin(), rows.end(), first + 1);
    solution_rows.assign(it.info[23 - 1], 0);
    to_rows = StarForest();
  }

  // Where MUMPS leaves solutions is a matter of its own, told with the first one.
  void connect_solution() {
    PetscLayout layout = nullptr;
    std::vector<int> from_zero(solution_rows);
    for (int& row : from_zero) --row;
    SOLIDYN_PETSC(
        PetscLayoutCreateFromSizes(comm, static_cast<PetscInt>(rows.size()), it.n, 1, &layout));
    SOLIDYN_PETSC(PetscSFCreate(comm, to_rows.out()));
    SOLIDYN_PETSC(PetscSFSetGraphLayout(to_rows, layout, static_cast<PetscInt>(from_zero.size()),
                                        nullptr, PETSC_OWN_POINTER, from_zero.data()));
    SOLIDYN_PETSC(PetscLayoutDestroy(&layout));
  }

  // Right-hand sides in the precision of the factor, each by its largest value.
  VectorXd take(const double* B, int n_columns) {
    const auto n_rows = static_cast<Eigen::Index>(rows.size());
    const Eigen::Map<const MatrixXd> columns(B, n_rows, n_columns);
    VectorXd sizes = VectorXd::Zero(n_columns);
    if (n_rows > 0) sizes = columns.cwiseAbs().colwise().maxCoeff().transpose();
    MPI_Allreduce(MPI_IN_PLACE, sizes.data(), n_columns, MPI_DOUBLE, MPI_MAX, comm);
    given.resize(static_cast<std::size_t>(n_rows * n_columns));
    for (int k = 0; k < n_columns; ++k) {
      if (!(sizes[k] > 0.0)) sizes[k] = 1.0;
      for (Eigen::Index i = 0; i < n_rows; ++i)
        given[static_cast<std::size_t>(k * n_rows + i)] =
            static_cast<Real>(columns(i, k) / sizes[k]);
    }
    return sizes;
  }

  void solve(const double* B, double* X, int n_columns) override {
    const auto n_rows = static_cast<int>(rows.size());
    const std::size_t n_mine = solution_rows.size();
    const Real* from = nullptr;
    VectorXd sizes;
    if constexpr (std::is_same_v<Real, double>) {
      from = B;
    } else {
      sizes = take(B, n_columns);
      from = given.data();
    }
    solution.resize(n_mine * n_columns);
    it.nrhs = n_columns;
    it.nloc_rhs = n_rows;
    it.lrhs_loc = std::max(n_rows, 1);
    it.irhs_loc = rows.data();
    it.rhs_loc = const_cast<Real*>(from);  // it is read only
    it.lsol_loc = std::max(static_cast<int>(n_mine), 1);
    it.isol_loc = solution_rows.data();
    it.sol_loc = solution.data();
    if (run(solve_columns) < 0) throw_failed_solution();
    if (!to_rows) connect_solution();
    column.resize(rows.size());
    for (int k = 0; k < n_columns; ++k) {
      const Real* found = solution.data() + k * n_mine;
      double* to = X + static_cast<std::ptrdiff_t>(k) * n_rows;
      Real* target = column.data();
      if constexpr (std::is_same_v<Real, double>) target = to;
      SOLIDYN_PETSC(PetscSFReduceBegin(to_rows, Library<Real>::type(), found, target, MPI_REPLACE));
      SOLIDYN_PETSC(PetscSFReduceEnd(to_rows, Library<Real>::type(), found, target, MPI_REPLACE));
      if constexpr (!std::is_same_v<Real, double>)
        for (int i = 0; i < n_rows; ++i) to[i] = scale * sizes[k] * static_cast<double>(column[i]);
    }
  }

  Outcome factorise(::Mat A, std::string& text) override {
    Entries<Real> entries;
    std::size_t present = 0;
    if constexpr (!std::is_same_v<Real, double>) scale = 1.0 / largest_pivot(A);
    base::run_together(comm, [&] {  // the largest of what is in memory beside the factor
      entries = upper_triangle<Real>(A, scale);
      present = hash_of_pattern(A, entries);
    });
    const bool is_same = base::sum(comm, std::int64_t{present != pattern}) == 0;
    pattern = present;
    it.nnz_loc = static_cast<std::int64_t>(entries.row.size());
    it.irn_loc = entries.row.data();
    it.jcn_loc = entries.column.data();
    it.a_loc = entries.value.data();
    int code = !is_same || !is_analysed ? order_and_analyse(A, entries) : 0;
    if (code >= 0) code = factorise_analysed();
    text = error();
    // Without pivoting MUMPS goes on over negative pivots.
    const bool is_negative = code >= 0 && it.sym == 1 && info(12) > 0;
    if (code < 0 || is_negative) {
      start_anew();
      return is_negative ? Outcome::not_positive_definite : outcome_of(code, text);
    }
    prepare_solutions(A);
    return Outcome::done;
  }
};

}  // namespace

std::unique_ptr<SymmetricFactor::Backend> SymmetricFactor::Backend::make_mumps(
    MPI_Comm comm, Kind kind, Precision precision) {
  if (precision == Precision::full) return std::make_unique<MumpsOf<double>>(comm, kind);
  return std::make_unique<MumpsOf<float>>(comm, kind);
}

}  // namespace solidyn::solvers

#include <fmt/format.h>
#include <slepcpep.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "missed_saddle.h"
#include "mode_shapes.h"
#include "solidyn/analyses/modes.h"
#include "solidyn/base/error.h"
#include "solidyn/base/petsc.h"
#include "solidyn/base/petsc_options.h"
#include "sparse_scaled.h"
#include "triplets.h"

namespace solidyn::analyses {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;
using system::Linearisation;
using Pep = base::Handle<::PEP, PEPDestroy>;
using Triplets = std::vector<Eigen::Triplet<double>>;

// The first shift, as part of the largest ratio of stiffness and mass; a later one goes no further
// down at once than the second part of the one before it.
constexpr double kFirstShift = 1e-4, kFollows = 1e-4, kNearShift = 0.5, kBeside = 0.8;
// Where nothing converges, as all that is slow is one cluster about it: the next shift.
constexpr double kOutOfCluster = 1e-2;
constexpr int kMaxShifts = 10;
constexpr double kReal = 1e-9;
constexpr double kTolerance = 1e-12;
// Starts from other vectors, which find what one start leaves out of multiple eigenvalues.
constexpr int kMaxStarts = 6, kMore = 4;
constexpr double kSameEigenvalue = 1e-6, kSameShape = 1e-4;
// Eigenvalues are the same within so many times their errors, and shapes that differ by this part
// within so many times these.
constexpr double kWithinErrors = 10.0, kShapeWithinErrors = 1e3, kLeastOfAnother = 0.2;

base::Mat petsc_matrix(Index n, const Triplets& list) {
  Eigen::SparseMatrix<double, Eigen::RowMajor> rows(n, n);
  rows.setFromTriplets(list.begin(), list.end());
  const std::vector<PetscInt> starts(rows.outerIndexPtr(), rows.outerIndexPtr() + n + 1);
  const std::vector<PetscInt> columns(rows.innerIndexPtr(), rows.innerIndexPtr() + rows.nonZeros());
  base::Mat matrix;
  SOLIDYN_PETSC(MatCreateSeqAIJ(PETSC_COMM_SELF, static_cast<PetscInt>(n), static_cast<PetscInt>(n),
                                0, nullptr, matrix.out()));
  SOLIDYN_PETSC(
      MatSeqAIJSetPreallocationCSR(matrix, starts.data(), columns.data(), rows.valuePtr()));
  return matrix;
}

// s^2 M + s D + K with multipliers of constraints and, so that no eigenvalue is zero, of two sets
// of conditions that all other eigenvectors meet: V^T M x = 0 for rigid displacements V, V^T (D + s
// M) x = 0 for those that a damper brakes. At rest rows of velocity level hold x itself where s is
// not zero.
class Polynomial {
 public:
  Polynomial(const ScaledEquations& e, const FreeDisplacements& free)
      : e_(e),
        free_(free),
        rigid_(e.n() + e.G.rows()),
        neutral_(rigid_ + free.rigid.cols()),
        size_(neutral_ + free.neutral.cols()) {}

  Index n() const { return e_.n(); }
  /// Eigenvalues that are neither zero nor the infinite ones of multipliers.
  int n_finite() const {
    return static_cast<int>(2 * (e_.n() - e_.G.rows()) - e_.n_laws - 2 * free_.rigid.cols() -
                            free_.neutral.cols());
  }
  /// Of the eigenvalues, so that `count` modes are among them: two of a mode, and some more.
  int n_wanted(int count) const { return std::min(2 * count + kMore, n_finite()); }
  // The three coefficients in s/shift, multipliers in units of the stiffness.
  std::vector<base::Mat> at(double shift) const {
    std::vector<base::Mat> matrices;
    for (int k = 0; k < 3; ++k) matrices.push_back(coefficient(k, shift));
    return matrices;
  }

 private:
  base::Mat coefficient(int k, double shift) const {
    Triplets list;
    for (Index i = 0; i < size_; ++i)
      list.emplace_back(static_cast<int>(i), static_cast<int>(i), 0.0);
    const MatrixXd of_rigid = scale() * (e_.M * free_.rigid),
                   of_neutral = scale() * (e_.M * free_.neutral);
    if (k == 0) {
      add_block(e_.K, 1.0, 0, 0, list);
      add_block(e_.B, e_.stiffness, 0, e_.n(), list);
      add_block(e_.G, e_.stiffness, e_.n(), 0, list);
      add_block(of_rigid.sparseView(), 1.0, 0, rigid_, list);
      add_block(of_neutral.sparseView(), 1.0, 0, neutral_, list);
      add_block(of_rigid.transpose().sparseView(), 1.0, rigid_, 0, list);
      add_block((free_.neutral.transpose() * e_.D).sparseView(), scale(), neutral_, 0, list);
    }
    if (k == 1) {
      add_block(e_.D, shift, 0, 0, list);
      add_block(of_neutral.transpose().sparseView(), shift, neutral_, 0, list);
    }
    if (k == 2) add_block(e_.M, shift * shift, 0, 0, list);
    return petsc_matrix(size_, list);
  }
  double scale() const { return e_.stiffness / e_.M.coeffs().cwiseAbs().maxCoeff(); }

  const ScaledEquations& e_;
  const FreeDisplacements& free_;
  Index rigid_, neutral_, size_;  // where their rows begin, and how many rows there are
};

// MUMPS takes pivots off the diagonal of such matrices and needs more room than it has foreseen.
void give_room_to_mumps() {
  if (!base::has_option("mechanism_", "-st_mat_mumps_icntl_14"))
    SOLIDYN_PETSC(PetscOptionsSetValue(nullptr, "-mechanism_st_mat_mumps_icntl_14", "200"));
}

Pep make_solver(std::vector<base::Mat>& matrices, int n_wanted) {
  give_room_to_mumps();
  Pep pep;
  SOLIDYN_PETSC(PEPCreate(PETSC_COMM_SELF, pep.out()));
  SOLIDYN_PETSC(PEPSetOptionsPrefix(pep, "mechanism_"));
  ::Mat raw[] = {matrices[0], matrices[1], matrices[2]};
  SOLIDYN_PETSC(PEPSetOperators(pep, 3, raw));
  SOLIDYN_PETSC(PEPSetType(pep, PEPTOAR));
  SOLIDYN_PETSC(PEPSetDimensions(pep, n_wanted, PETSC_DEFAULT, PETSC_DEFAULT));
  SOLIDYN_PETSC(PEPSetTolerances(pep, kTolerance, PETSC_DEFAULT));
  SOLIDYN_PETSC(PEPSetWhichEigenpairs(pep, PEP_TARGET_MAGNITUDE));
  SOLIDYN_PETSC(PEPSetTarget(pep, 1.0));
  ST st;
  KSP ksp;
  PC pc;
  SOLIDYN_PETSC(PEPGetST(pep, &st));
  SOLIDYN_PETSC(STSetType(st, STSINVERT));
  SOLIDYN_PETSC(STGetKSP(st, &ksp));
  SOLIDYN_PETSC(KSPSetType(ksp, KSPPREONLY));
  SOLIDYN_PETSC(KSPGetPC(ksp, &pc));
  SOLIDYN_PETSC(PCSetType(pc, PCLU));
  SOLIDYN_PETSC(PCFactorSetMatSolverType(pc, MATSOLVERMUMPS));
  base::obey_options({"the modes of the mechanism", "mechanism_"},
                     [&] { return PEPSetFromOptions(pep); });
  return pep;
}

VectorXd values_of(::Vec v, Index n) {
  const PetscScalar* values = nullptr;
  SOLIDYN_PETSC(VecGetArrayRead(v, &values));
  const VectorXd copy = Eigen::Map<const VectorXd>(values, n);
  SOLIDYN_PETSC(VecRestoreArrayRead(v, &values));
  return copy;
}

struct PolynomialPair {
  Complex s;
  VectorXcd x;         // measured by the weights
  double error = 0.0;  // of s, relative: by MissedSaddle
};

// Those with imag(s) >= 0 of the eigenvalues nearest to the shift, from a start of its own.
std::vector<PolynomialPair> solve_once(std::vector<base::Mat>& matrices, Index n, int n_wanted,
                                       int start) {
  const Pep pep = make_solver(matrices, n_wanted);
  base::Vec real, imaginary;
  SOLIDYN_PETSC(MatCreateVecs(matrices[0], real.out(), imaginary.out()));
  ::Vec first = real;
  for (Index i = 0; i < n; ++i)
    SOLIDYN_PETSC(VecSetValue(first, static_cast<PetscInt>(i),
                              std::sin(static_cast<double>((i + 1) * (start + 1) * (i + 7))),
                              INSERT_VALUES));
  SOLIDYN_PETSC(VecAssemblyBegin(first));
  SOLIDYN_PETSC(VecAssemblyEnd(first));
  SOLIDYN_PETSC(PEPSetInitialSpace(pep, 1, &first));
  SOLIDYN_PETSC(PEPSolve(pep));
  PetscInt n_found = 0;
  SOLIDYN_PETSC(PEPGetConverged(pep, &n_found));
  std::vector<PolynomialPair> pairs;
  for (PetscInt k = 0; k < n_found; ++k) {
    PetscScalar re = 0.0, im = 0.0;
    SOLIDYN_PETSC(PEPGetEigenpair(pep, k, &re, &im, real, imaginary));
    if (im < 0.0) continue;
    PolynomialPair pair{Complex(re, im <= kReal * std::hypot(re, im) ? 0.0 : im), VectorXcd(n)};
    pair.x.real() = values_of(real, n);
    pair.x.imag() = values_of(imaginary, n);
    pair.x.normalize();
    pairs.push_back(std::move(pair));
  }
  return pairs;
}

// The same eigenvalue within what both may be wrong by: beside strong dampers the solver finds one
// several times, by more than round-off apart.
bool is_same_eigenvalue(const PolynomialPair& a, const PolynomialPair& b) {
  return std::abs(a.s - b.s) <=
         std::max(kSameEigenvalue, kWithinErrors * (a.error + b.error)) * std::abs(a.s);
}

// Of a multiple eigenvalue there are independent shapes; copies of one are combinations of those
// that are there.
bool is_another(const PolynomialPair& pair, const std::vector<PolynomialPair>& pairs) {
  std::vector<VectorXcd> basis;
  VectorXcd rest = pair.x;
  double error = pair.error;
  for (const PolynomialPair& other : pairs) {
    if (!is_same_eigenvalue(pair, other)) continue;
    error = std::max(error, other.error);
    VectorXcd direction = other.x;
    for (const VectorXcd& b : basis) direction -= b * b.dot(direction);
    if (direction.norm() < kSameShape) continue;
    basis.push_back(direction.normalized());
    rest -= basis.back() * basis.back().dot(rest);
  }
  return rest.norm() > std::clamp(kShapeWithinErrors * error, kSameShape, kLeastOfAnother);
}

void sort_by_rate(std::vector<PolynomialPair>& pairs) {
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const PolynomialPair& a, const PolynomialPair& b) {
                     return std::abs(a.s) < std::abs(b.s);
                   });
}

// Adds what is not yet there, an eigenvalue or another shape of the same one, the best ones first;
// whether it is among the `count` of lowest |s|. Sorted by |s|.
bool add_new(std::vector<PolynomialPair> found, std::size_t count,
             std::vector<PolynomialPair>& pairs) {
  const double wanted = pairs.size() < count
                            ? std::numeric_limits<double>::infinity()
                            : (1.0 + kSameEigenvalue) * std::abs(pairs[count - 1].s);
  std::stable_sort(
      found.begin(), found.end(),
      [](const PolynomialPair& a, const PolynomialPair& b) { return a.error < b.error; });
  bool is_any_wanted = false;
  for (PolynomialPair& pair : found) {
    if (!is_another(pair, pairs)) continue;
    is_any_wanted |= std::abs(pair.s) < wanted;
    pairs.push_back(std::move(pair));
  }
  sort_by_rate(pairs);
  return is_any_wanted;
}

// The eigenvalues of lowest |s|, of which `count` are wanted, about a shift near them; none where
// the solver does not converge.
std::vector<PolynomialPair> find_pairs(const Polynomial& polynomial, double shift, int count) {
  std::vector<base::Mat> matrices = polynomial.at(shift);
  std::vector<PolynomialPair> pairs =
      solve_once(matrices, polynomial.n(), polynomial.n_wanted(count), 0);
  for (PolynomialPair& pair : pairs) pair.s *= shift;
  sort_by_rate(pairs);
  return pairs;
}

// The same from several starts, each once.
std::vector<PolynomialPair> find_all_pairs(const Polynomial& polynomial, double shift, int count,
                                           const MissedSaddle& missed) {
  std::vector<base::Mat> matrices = polynomial.at(shift);
  std::vector<PolynomialPair> pairs;
  for (int start = 0; start < kMaxStarts; ++start) {
    std::vector<PolynomialPair> found =
        solve_once(matrices, polynomial.n(), polynomial.n_wanted(count), start);
    for (PolynomialPair& pair : found) {
      pair.s *= shift;
      pair.error = missed.by(pair.s, pair.x);
    }
    if (!add_new(std::move(found), static_cast<std::size_t>(count), pairs)) break;
  }
  return pairs;
}

// Near the lowest |s|.
double find_shift(const Polynomial& polynomial, double highest_rate) {
  double shift = kFirstShift * highest_rate;
  for (int i = 0; i < kMaxShifts; ++i) {
    const std::vector<PolynomialPair> pairs = find_pairs(polynomial, shift, 1);
    if (pairs.empty()) {
      shift *= kOutOfCluster;
      continue;
    }
    const double lowest = std::abs(pairs.front().s);
    if (lowest >= kNearShift * shift && lowest <= shift / kNearShift) break;
    shift = std::max(kBeside * lowest, kFollows * shift);
  }
  return shift;
}

void refuse_too_few(int n_found, int n_wanted, double highest_rate) {
  if (n_found >= n_wanted) return;
  throw base::ComputationError(fmt::format(
      "the eigensolver of the linearised system has found {} of {} modes: it converges slowly where motions lie many decades apart, and the fastest is at {:.2g} 1/s\n  make parts that hardly give to springs or dampers that are much stiffer than the others rigid (joints), ask for fewer modes (`count`), or give it more vectors and iterations, for example solver: {{petsc_options: -mechanism_pep_ncv 200 -mechanism_pep_max_it 2000}}",
      n_found, n_wanted, highest_rate));
}

}  // namespace

std::vector<Mode> find_sparse_modes(const Linearisation& l, int count) {
  const ScaledEquations equations(l);
  const FreeDisplacements free = find_free_displacements(equations);
  const Polynomial polynomial(equations, free);
  std::vector<Mode> modes;
  const auto add_mode = [&](Mode::Kind kind, Complex s, const VectorXcd& x,
                            const MissedSaddle& missed) {
    modes.push_back(make_mode(l, kind, s, equations.columns.cwiseProduct(x)));
    modes.back().residual = missed.by(s, x);
  };
  const auto add_zeros = [&](double shift) {
    const MissedSaddle missed(equations, shift);
    for (Index k = 0; k < free.rigid.cols(); ++k)
      add_mode(Mode::Kind::rigid, 0.0, free.rigid.col(k).cast<Complex>(), missed);
    for (const MatrixXd* columns : {&free.neutral, &free.displaced})
      for (Index k = 0; k < columns->cols(); ++k)
        add_mode(Mode::Kind::neutral, 0.0, columns->col(k).cast<Complex>(), missed);
  };
  if (polynomial.n_finite() <= 0) {
    add_zeros(equations.rate);
    return modes;
  }
  const double shift = find_shift(polynomial, equations.rate);
  const MissedSaddle missed(equations, shift);
  const std::vector<PolynomialPair> pairs = find_all_pairs(polynomial, shift, count, missed);
  refuse_too_few(static_cast<int>(pairs.size()), std::min(count, (polynomial.n_finite() + 1) / 2),
                 equations.rate);
  add_zeros(kBeside * std::abs(pairs.front().s));
  // Infinite ones of multipliers may be found too, as very large numbers: they come last.
  int n_left = polynomial.n_finite();
  for (int k = 0; k < std::min(count, static_cast<int>(pairs.size())); ++k) {
    n_left -= pairs[k].s.imag() == 0.0 ? 1 : 2;
    if (n_left < 0) break;
    add_mode(kind_of(pairs[k].s), pairs[k].s, pairs[k].x, missed);
  }
  return modes;
}

}  // namespace solidyn::analyses

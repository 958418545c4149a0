#include <fmt/format.h>
#include <slepcpep.h>

#include <algorithm>

#include "mode_shapes.h"
#include "round_off.h"
#include "solidyn/analyses/modes.h"
#include "solidyn/base/petsc.h"

namespace solidyn::analyses {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::VectorXcd;
using Eigen::VectorXd;
using system::Linearisation;
using Matrix = Linearisation::Matrix;
using Pep = base::Handle<::PEP, PEPDestroy>;
using Triplets = std::vector<Eigen::Triplet<double>>;

// The first shift, as part of the largest ratio of stiffness and mass; no later one is lower than
// the second part of it.
constexpr double kFirstShift = 1e-4, kLowestShift = 1e-7;
constexpr double kMaybeZero = 1e-4;
constexpr double kReal = 1e-9;
constexpr double kTolerance = 1e-12;

void add(const Matrix& matrix, Index row, Index column, Triplets& list) {
  for (Index j = 0; j < matrix.outerSize(); ++j)
    for (Matrix::InnerIterator it(matrix, j); it; ++it)
      list.emplace_back(static_cast<int>(row + it.row()), static_cast<int>(column + j), it.value());
}

// The unknowns measured by the weights: with W = 1/weights, W K W and rows of G W of like size.
struct Scaled {
  Matrix M, D, K, B, G, E;
  VectorXd columns;
  double stiffness = 0.0, rate = 0.0;  // the largest entry of K, and sqrt of its ratio to M's

  explicit Scaled(const Linearisation& l) : columns(l.weights.cwiseInverse()) {
    const auto both = [&](const Matrix& m) {
      return Matrix(columns.asDiagonal() * m * columns.asDiagonal());
    };
    M = both(l.M);
    D = both(l.D);
    K = both(l.K);
    B = columns.asDiagonal() * l.B;
    G = l.G * columns.asDiagonal();
    E = l.E * columns.asDiagonal();
    const auto largest = [](const Matrix& m) {
      return m.nonZeros() ? m.coeffs().cwiseAbs().maxCoeff() : 0.0;
    };
    for (Index i = 0; i < M.rows(); ++i)
      if (M.coeff(i, i) > 0.0)
        rate = std::max(rate, std::sqrt(std::abs(K.coeff(i, i)) / M.coeff(i, i)));
    if (rate == 0.0) rate = 1.0;
    stiffness = largest(K) > 0.0 ? largest(K) : largest(M);
  }
};

// Coefficient k of the polynomial in s/shift, multipliers in units of the stiffness.
base::Mat coefficient(const Scaled& scaled, const Linearisation& l, int k, double shift) {
  const Index n = scaled.M.rows(), n_rows = scaled.G.rows();
  Triplets list;
  for (Index i = 0; i < n + n_rows; ++i)
    list.emplace_back(static_cast<int>(i), static_cast<int>(i), 0.0);
  if (k == 2) add(shift * shift * scaled.M, 0, 0, list);
  if (k == 1) add(shift * scaled.D, 0, 0, list);
  if (k == 0) {
    add(scaled.K, 0, 0, list);
    add(scaled.stiffness * scaled.B, 0, n, list);
    add(scaled.stiffness * scaled.E, n, 0, list);
  }
  for (Index j = 0; j < scaled.G.outerSize() && k < 2; ++j)
    for (Matrix::InnerIterator it(scaled.G, j); it; ++it)
      if (l.is_rate[it.row()] == (k == 1))
        list.emplace_back(static_cast<int>(n + it.row()), static_cast<int>(j),
                          scaled.stiffness * it.value() * (k == 1 ? shift : 1.0));
  Eigen::SparseMatrix<double, Eigen::RowMajor> rows(n + n_rows, n + n_rows);
  rows.setFromTriplets(list.begin(), list.end());
  const std::vector<PetscInt> starts(rows.outerIndexPtr(), rows.outerIndexPtr() + rows.rows() + 1);
  const std::vector<PetscInt> columns(rows.innerIndexPtr(), rows.innerIndexPtr() + rows.nonZeros());
  base::Mat matrix;
  SOLIDYN_PETSC(MatCreateSeqAIJ(PETSC_COMM_SELF, static_cast<PetscInt>(rows.rows()),
                                static_cast<PetscInt>(rows.rows()), 0, nullptr, matrix.out()));
  SOLIDYN_PETSC(
      MatSeqAIJSetPreallocationCSR(matrix, starts.data(), columns.data(), rows.valuePtr()));
  return matrix;
}

Pep make_solver(std::vector<base::Mat>& matrices, int n_wanted) {
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
  SOLIDYN_PETSC(PEPSetFromOptions(pep));
  return pep;
}

VectorXd values_of(::Vec v, Index n) {
  const PetscScalar* values = nullptr;
  SOLIDYN_PETSC(VecGetArrayRead(v, &values));
  const VectorXd copy = Eigen::Map<const VectorXd>(values, n);
  SOLIDYN_PETSC(VecRestoreArrayRead(v, &values));
  return copy;
}

struct Pair {
  Complex s;
  VectorXcd x;  // measured by the weights
};

// Those with imag(s) >= 0 of the eigenvalues nearest to the shift, sorted by size.
std::vector<Pair> find_pairs(const Scaled& scaled, const Linearisation& l, double shift,
                             int n_wanted) {
  std::vector<base::Mat> matrices;
  for (int k = 0; k < 3; ++k) matrices.push_back(coefficient(scaled, l, k, shift));
  const Pep pep = make_solver(matrices, n_wanted);
  SOLIDYN_PETSC(PEPSolve(pep));
  PetscInt n_found = 0;
  SOLIDYN_PETSC(PEPGetConverged(pep, &n_found));
  base::Vec real, imaginary;
  SOLIDYN_PETSC(MatCreateVecs(matrices[0], real.out(), imaginary.out()));
  std::vector<Pair> pairs;
  for (PetscInt k = 0; k < n_found; ++k) {
    PetscScalar re = 0.0, im = 0.0;
    SOLIDYN_PETSC(PEPGetEigenpair(pep, k, &re, &im, real, imaginary));
    if (im < 0.0) continue;
    Pair pair;
    const bool is_real = im <= kReal * std::hypot(re, im);
    pair.s = shift * Complex(re, is_real ? 0.0 : im);
    pair.x.resize(scaled.M.rows());
    pair.x.real() = values_of(real, scaled.M.rows());
    pair.x.imag() = values_of(imaginary, scaled.M.rows());
    pairs.push_back(std::move(pair));
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const Pair& a, const Pair& b) { return std::abs(a.s) < std::abs(b.s); });
  return pairs;
}

bool is_zero(const Scaled& scaled, const Pair& pair, double shift) {
  return std::abs(pair.s) <= kMaybeZero * shift && cancels(scaled.K, pair.x, pair.x) &&
         cancels(scaled.D, pair.x, pair.x);
}

}  // namespace

std::vector<Mode> find_sparse_modes(const Linearisation& l, int count) {
  const Scaled scaled(l);
  double shift = kFirstShift * scaled.rate;
  constexpr int kFirstLook = 16;  // six rigid modes, and the next
  std::vector<Pair> pairs = find_pairs(scaled, l, shift, kFirstLook);
  for (const Pair& pair : pairs)
    if (!is_zero(scaled, pair, shift)) {
      shift = std::max(std::abs(pair.s), kLowestShift * scaled.rate);
      break;
    }
  pairs = find_pairs(scaled, l, shift, 2 * count + kFirstLook);
  std::vector<Mode> rigid, others;
  int n_zero = 0;
  for (const Pair& pair : pairs) {
    const VectorXcd x = scaled.columns.cwiseProduct(pair.x);
    if (is_zero(scaled, pair, shift)) {
      if (n_zero++ % 2 == 0) rigid.push_back(make_mode(l, Mode::Kind::rigid, 0.0, x));
    } else if (static_cast<int>(others.size()) < count) {
      others.push_back(make_mode(l, kind_of(pair.s), pair.s, x));
    }
  }
  if (static_cast<int>(others.size()) < std::min<int>(count, 1))
    throw base::ComputationError(
        "the eigenvalues of the linearised system were not found\n  try more vectors, for example "
        "solver: {petsc_options: -mechanism_pep_ncv 200}");
  rigid.insert(rigid.end(), others.begin(), others.end());
  return rigid;
}

}  // namespace solidyn::analyses

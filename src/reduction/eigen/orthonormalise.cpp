#include "reduction/eigen/orthonormalise.h"

#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/math/dense.h"

namespace solidyn::reduction {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr double kDependentVector = 1e-10;  // of a candidate's strain energy

MatrixXd stiffness_gram(const Pencil& pencil, const MultiVector& X) {
  return symmetric(inner_products(pencil.comm, X, multiply(pencil.K, X)));
}

MatrixXd mass_gram(const Pencil& pencil, const MultiVector& X) {
  return symmetric(inner_products(pencil.comm, X, pencil.multiply_mass(X)));
}

// Unit strain energy each; that of a vector without any would be noise.
void scale_to_unit_energy(const Pencil& pencil, MultiVector& X) {
  const MultiVector K_X = multiply(pencil.K, X);
  VectorXd energies = X.cwiseProduct(K_X).colwise().sum().transpose();
  base::sum_in_place(pencil.comm, energies.data(), static_cast<int>(energies.size()));
  X = (X * energies.cwiseSqrt().cwiseInverse().asDiagonal()).eval();
}

// Rows and columns of a Gram matrix of vectors that earlier ones do not span: Cholesky's method
// that passes over a row whose pivot is rounding.
std::vector<Index> find_independent(const MatrixXd& G) {
  std::vector<Index> rows;
  MatrixXd L = MatrixXd::Zero(G.rows(), G.rows());
  for (Index i = 0; i < G.rows(); ++i) {
    const Index n = static_cast<Index>(rows.size());
    for (Index k = 0; k < n; ++k)
      L(i, k) = (G(i, rows[k]) - L.row(i).head(k).dot(L.row(rows[k]).head(k))) / L(rows[k], k);
    const double pivot = G(i, i) - L.row(i).head(n).squaredNorm();
    if (pivot <= kDependentVector) continue;
    L(i, n) = std::sqrt(pivot);
    rows.push_back(i);
  }
  return rows;
}

// Condition of kept modes and candidates together, all of unit strain energy. `rest`: the Gram
// matrix in K of what the candidates add to the modes; `shares` [kept x n]: what they have of them.
double condition_with_kept(const MatrixXd& rest, const MatrixXd& shares) {
  const Index k = shares.rows(), n = shares.cols();
  MatrixXd G = MatrixXd::Identity(k + n, k + n);
  G.topRightCorner(k, n) = shares;
  G.bottomLeftCorner(n, k) = shares.transpose();
  G.bottomRightCorner(n, n) = rest + shares.transpose() * shares;
  const VectorXd values = math::symmetric_eigenvalues(G);
  return std::sqrt(values.maxCoeff() / values.minCoeff());
}

// Combinations of vectors that have mass, all of them when M is regular: imported matrices may have
// rows without mass, and a vector of these alone has no frequency. @param K, M Gram matrices
MatrixXd find_massive_directions(const MatrixXd& K, const MatrixXd& M) {
  constexpr double kMassless = 1e-13;  // of the largest 1 / omega^2
  const auto ritz = math::generalized_spectrum(M, K);
  if (!ritz.has_converged)
    throw base::ComputationError(
        "reduction: the static correction modes are linearly dependent to rounding: their strain energy matrix is not positive definite");
  const VectorXd& mu = ritz.values;
  const Index n = (mu.array() > kMassless * mu.maxCoeff()).count();
  if (n == mu.size()) return MatrixXd::Identity(n, n);
  base::log_info("reduction: {} directions without mass were removed", mu.size() - n);
  return ritz.vectors.rightCols(n) *
         mu.tail(n).cwiseSqrt().cwiseInverse().asDiagonal();  // unit mass
}

// Ritz's method in the span of Q. A second time, because the first leaves in M what rounding of K,
// whose condition is far worse, made of it.
MatrixXd find_ritz_vectors(const Pencil& pencil, MultiVector& Q, VectorXd& eigenvalues) {
  MatrixXd total = MatrixXd::Identity(Q.cols(), Q.cols());
  for (int pass = 0; pass < 2; ++pass) {
    const auto ritz = math::generalized_spectrum(stiffness_gram(pencil, Q), mass_gram(pencil, Q));
    if (!ritz.has_converged)
      throw base::ComputationError(
          "reduction: the basis vectors are linearly dependent to rounding in the mass matrix");
    eigenvalues = ritz.values;
    Q = (Q * ritz.vectors).eval();
    total = (total * ritz.vectors).eval();
  }
  return total;
}

}  // namespace

void Candidates::append(const MultiVector& more, Mode::Kind kind,
                        const std::vector<std::string>& more_names) {
  vectors.conservativeResize(more.rows(), vectors.cols() + more.cols());
  vectors.rightCols(more.cols()) = more;
  kinds.insert(kinds.end(), more.cols(), kind);
  names.insert(names.end(), more_names.begin(), more_names.end());
}

OrthonormalVectors orthonormalise(const Pencil& pencil, Candidates candidates,
                                  const ElasticModes& kept) {
  MultiVector& U = candidates.vectors;
  pencil.remove_rigid_motion(U);
  scale_to_unit_energy(pencil, U);
  const MultiVector M_kept = pencil.multiply_mass(kept.vectors);
  MatrixXd in_kept = MatrixXd::Zero(kept.vectors.cols(), U.cols());
  for (int pass = 0; pass < 2; ++pass) {
    const MatrixXd part = inner_products(pencil.comm, M_kept, U);
    in_kept += part;
    U.noalias() -= kept.vectors * part;
    pencil.remove_rigid_motion(U);
  }
  const MatrixXd G = stiffness_gram(pencil, U);
  const std::vector<Index> independent = find_independent(G);

  OrthonormalVectors result;
  result.condition =
      condition_with_kept(G(independent, independent), kept.eigenvalues.cwiseSqrt().asDiagonal() *
                                                           in_kept(Eigen::all, independent));
  for (Index i = 0, k = 0; i < candidates.size(); ++i)
    if (k < static_cast<Index>(independent.size()) && independent[k] == i)
      ++k;
    else
      result.dropped.push_back(candidates.names[i]);
  U = U(Eigen::all, independent).eval();
  if (U.cols() == 0) {
    result.modes.vectors = U;
    return result;
  }
  const MatrixXd massive = find_massive_directions(stiffness_gram(pencil, U), mass_gram(pencil, U));
  if (massive.cols() < U.cols()) U = (U * massive).eval();
  const MatrixXd shares = massive * find_ritz_vectors(pencil, U, result.modes.eigenvalues);
  for (Index j = 0; j < shares.cols(); ++j) {
    Index largest = 0;
    shares.col(j).cwiseAbs().maxCoeff(&largest);
    result.kinds.push_back(candidates.kinds[independent[largest]]);
  }
  result.modes.vectors = std::move(U);
  return result;
}

void remove_coupling(const Pencil& pencil, MultiVector& X, VectorXd& eigenvalues) {
  const Index n = X.cols();
  VectorXd values;
  const MatrixXd shares = find_ritz_vectors(pencil, X, values).cwiseAbs();
  std::vector<Index> source(n, -1);  // of each place
  std::vector<bool> is_taken(n, false);
  for (Index j = 0; j < n; ++j) {
    Index place = -1;
    for (Index i = 0; i < n; ++i)
      if (!is_taken[i] && (place < 0 || shares(i, j) > shares(place, j))) place = i;
    is_taken[place] = true;
    source[place] = j;
  }
  X = X(Eigen::all, source).eval();
  eigenvalues = values(source);
}

}  // namespace solidyn::reduction

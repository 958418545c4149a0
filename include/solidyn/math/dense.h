#pragma once
#include <Eigen/Dense>
#include <optional>

/// Decompositions of dense matrices. They are Eigen's, compiled once: each costs a second or two
/// wherever its templates are instantiated. What is small and of fixed size in a hot path (the
/// inverse of a Jacobian) calls Eigen itself.
///
/// Thresholds are Eigen's own where none is given: round-off of the size of the matrix, relative to
/// its largest pivot or singular value. Matrices of 0 x 0 are allowed wherever nothing else is
/// said. Local, no throw. Proved by tests/unit/math/dense_test.cpp.
namespace solidyn::math {

/// Eigenvalues, ascending, and eigenvectors in columns.
template <class Vector, class Matrix>
struct Spectrum {
  Vector values;
  Matrix vectors;
  bool has_converged = false;  ///< false too where an entry is not finite
};

/// A = V diag(values) V^T with orthonormal V. Of A the lower triangle is read.
Spectrum<Eigen::VectorXd, Eigen::MatrixXd> symmetric_spectrum(const Eigen::MatrixXd& A);
Spectrum<Eigen::Vector3d, Eigen::Matrix3d> symmetric_spectrum(const Eigen::Matrix3d& A);
Eigen::VectorXd symmetric_eigenvalues(const Eigen::MatrixXd& A);
Eigen::Vector3d symmetric_eigenvalues(const Eigen::Matrix3d& A);

/// The same of the matrix with this diagonal and, `off`, this one beside it. [n], [n - 1], n > 0
Spectrum<Eigen::VectorXd, Eigen::MatrixXd> tridiagonal_spectrum(const Eigen::VectorXd& diagonal,
                                                                const Eigen::VectorXd& off);

/// A x = lambda B x, vectors with X^T B X = 1, of symmetric A and positive definite B (requested,
/// not checked).
Spectrum<Eigen::VectorXd, Eigen::MatrixXd> generalized_spectrum(const Eigen::MatrixXd& A,
                                                                const Eigen::MatrixXd& B);

/// A^(-1/2) of a symmetric positive definite A.
Eigen::MatrixXd inverse_square_root(const Eigen::MatrixXd& A);

/// A x = lambda x of any square A, in no order, x of length one. Conjugate pairs stand together,
/// the one with positive imaginary part first. NaN where the iteration has not converged.
Spectrum<Eigen::VectorXcd, Eigen::MatrixXcd> general_spectrum(const Eigen::MatrixXd& A);

/// A = U diag(values) V^T, values descending. U, V as requested by `parts`.
struct SingularValues {
  Eigen::VectorXd values;
  Eigen::MatrixXd U, V;
  Eigen::Index rank = 0;  ///< values above threshold times the largest
};
/// @param parts of Eigen::ComputeFullU, ComputeThinU, ComputeFullV, ComputeThinV
SingularValues singular_values(const Eigen::MatrixXd& A, unsigned parts = 0,
                               std::optional<double> threshold = {});

/// The part of a factor's solve() that is common: a vector for a vector, a matrix for a matrix.
template <class Factor>
class Solves {
 public:
  template <class Rhs>
  auto solve(const Eigen::MatrixBase<Rhs>& b) const {
    const auto& factor = static_cast<const Factor&>(*this);
    if constexpr (Rhs::ColsAtCompileTime == 1)
      return factor.solve_vector(b.derived());
    else
      return factor.solve_columns(b.derived());
  }
};

/// P A = L U, rows exchanged. Of a regular matrix; of a singular one solutions are not finite.
class LuFactor : public Solves<LuFactor> {
 public:
  LuFactor() = default;
  explicit LuFactor(const Eigen::MatrixXd& A) { compute(A); }
  void compute(const Eigen::Ref<const Eigen::MatrixXd>& A);
  Eigen::MatrixXd solve_columns(const Eigen::MatrixXd& b) const;
  Eigen::VectorXd solve_vector(const Eigen::VectorXd& b) const;
  Eigen::MatrixXd inverse() const;
  /// The size of the smallest: 0 of a matrix that is exactly singular. @pre it has rows
  double smallest_pivot() const;

 private:
  Eigen::PartialPivLU<Eigen::MatrixXd> lu_;
};

/// P A Q = L U, rows and columns permuted: reveals the rank. Any shape with entries; solve() gives
/// one solution of those that b allows.
class FullLuFactor : public Solves<FullLuFactor> {
 public:
  FullLuFactor() = default;
  explicit FullLuFactor(const Eigen::MatrixXd& A, std::optional<double> threshold = {});
  void compute(const Eigen::MatrixXd& A);
  Eigen::Index rank() const;
  bool is_invertible() const;  ///< square, and of full rank
  /// A basis of what A maps to zero, in columns; one column of zeros where that is nothing.
  Eigen::MatrixXd kernel() const;
  Eigen::MatrixXd solve_columns(const Eigen::MatrixXd& b) const;
  Eigen::VectorXd solve_vector(const Eigen::VectorXd& b) const;

 private:
  Eigen::FullPivLU<Eigen::MatrixXd> lu_;
};

/// A = L L^T of a symmetric positive definite matrix, of which the lower triangle is read.
class CholeskyFactor : public Solves<CholeskyFactor> {
 public:
  CholeskyFactor() = default;
  explicit CholeskyFactor(const Eigen::MatrixXd& A) { compute(A); }
  void compute(const Eigen::MatrixXd& A);
  bool is_positive_definite() const;
  Eigen::MatrixXd solve_columns(const Eigen::MatrixXd& b) const;
  Eigen::VectorXd solve_vector(const Eigen::VectorXd& b) const;
  /// X L^-T: columns with X^T M X = A become columns with X^T M X = 1.
  Eigen::MatrixXd divide_by_upper(const Eigen::MatrixXd& X) const;

 private:
  Eigen::LLT<Eigen::MatrixXd> llt_;
};

/// A P = Q R, columns exchanged: least squares of a matrix of full column rank, and the rank.
class PivotedQr : public Solves<PivotedQr> {
 public:
  PivotedQr() = default;
  explicit PivotedQr(const Eigen::MatrixXd& A, std::optional<double> threshold = {});
  Eigen::Index rank() const;
  /// Of Q the first `n` columns, of rows() at most: orthonormal, the first rank() span those of A.
  Eigen::MatrixXd Q(Eigen::Index n) const;
  Eigen::VectorXd diagonal() const;  ///< of R, sizes descending
  Eigen::MatrixXd solve_columns(const Eigen::MatrixXd& b) const;
  Eigen::VectorXd solve_vector(const Eigen::VectorXd& b) const;
  /// The shortest x with A^T x = b, of as many equations as the rank.
  Eigen::MatrixXd solve_transposed(const Eigen::MatrixXd& b) const;

 private:
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr_;
};

/// A P = Q [T 0; 0 0] Z: the shortest solution of least squares, whatever the rank.
class LeastSquares : public Solves<LeastSquares> {
 public:
  explicit LeastSquares(const Eigen::MatrixXd& A, std::optional<double> threshold = {});
  Eigen::Index rank() const;
  Eigen::MatrixXd pseudo_inverse() const;
  Eigen::MatrixXd null_space() const;  ///< orthonormal columns that A maps to zero
  Eigen::MatrixXd solve_columns(const Eigen::MatrixXd& b) const;
  Eigen::VectorXd solve_vector(const Eigen::VectorXd& b) const;

 private:
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> cod_;
};

/// The first `n` columns of Q in A = Q R, without pivots.
Eigen::MatrixXd orthonormal_columns(const Eigen::MatrixXd& A, Eigen::Index n);

/// A^-1 b of a symmetric A that is positive or negative semidefinite, by L D L^T with pivots; of a
/// singular A one solution of those that b allows.
Eigen::MatrixXd solve_symmetric(const Eigen::MatrixXd& A, const Eigen::MatrixXd& b);
Eigen::VectorXd solve_symmetric(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

/// A^-1 b by LU with row exchanges.
Eigen::VectorXcd solve_complex(const Eigen::MatrixXcd& A, const Eigen::VectorXcd& b);
using Matrix6d = Eigen::Matrix<double, 6, 6>;
using Vector6d = Eigen::Matrix<double, 6, 1>;
Vector6d solve(const Matrix6d& A, const Vector6d& b);
Matrix6d inverse(const Matrix6d& A);

}  // namespace solidyn::math

#include "sparse_qr.h"

#include <SuiteSparseQR.hpp>
#include <algorithm>

#include "solidyn/base/resource_error.h"

namespace solidyn::system {
namespace {

using Eigen::Index;
using Eigen::VectorXd;
using LongMatrix = Eigen::SparseMatrix<double, Eigen::ColMajor, SuiteSparse_long>;

class Cholmod {
 public:
  Cholmod() {
    cholmod_l_start(&common_);
    common_.print = 0;
  }
  ~Cholmod() { cholmod_l_finish(&common_); }
  Cholmod(const Cholmod&) = delete;
  Cholmod& operator=(const Cholmod&) = delete;
  cholmod_common* get() { return &common_; }
  [[noreturn]] void fail() const {
    throw base::ResourceError(
        "out of memory while factorising the constraint Jacobian (SuiteSparseQR status " +
        std::to_string(common_.status) + ")");
  }

 private:
  cholmod_common common_{};
};

cholmod_sparse view(LongMatrix& A) {
  cholmod_sparse out{};
  out.nrow = static_cast<std::size_t>(A.rows());
  out.ncol = static_cast<std::size_t>(A.cols());
  out.nzmax = static_cast<std::size_t>(A.nonZeros());
  out.p = A.outerIndexPtr();
  out.i = A.innerIndexPtr();
  out.x = A.valuePtr();
  out.itype = CHOLMOD_LONG;
  out.xtype = CHOLMOD_REAL;
  out.dtype = CHOLMOD_DOUBLE;
  out.sorted = 1;
  out.packed = 1;
  return out;
}

cholmod_dense view(VectorXd& b) {
  cholmod_dense out{};
  out.nrow = out.nzmax = out.d = static_cast<std::size_t>(b.size());
  out.ncol = 1;
  out.x = b.data();
  out.xtype = CHOLMOD_REAL;
  out.dtype = CHOLMOD_DOUBLE;
  return out;
}

LongMatrix with_identity(const SparseMatrix& B, double factor) {
  LongMatrix both(B.rows(), B.cols() + B.rows());
  both.reserve(B.nonZeros() + B.rows());
  for (Index j = 0; j < B.cols(); ++j) {
    both.startVec(j);
    for (SparseMatrix::InnerIterator entry(B, j); entry; ++entry)
      both.insertBack(entry.row(), j) = entry.value();
  }
  for (Index i = 0; i < B.rows(); ++i) {
    both.startVec(B.cols() + i);
    both.insertBack(i, B.cols() + i) = factor;
  }
  both.finalize();
  return both;
}

// Columns of length one; those that are zero stay so.
LongMatrix normalised(const SparseMatrix& A) {
  LongMatrix unit = A;
  for (Index j = 0; j < unit.cols(); ++j) {
    const double size = unit.col(j).norm();
    if (size > 0.0) unit.col(j) /= size;
  }
  return unit;
}

// Of a staircase, whose columns in their order either begin a new row or depend on those before.
std::vector<int> columns_without_pivot(const cholmod_sparse& R) {
  const auto* starts = static_cast<const SuiteSparse_long*>(R.p);
  const auto* rows = static_cast<const SuiteSparse_long*>(R.i);
  std::vector<int> without;
  SuiteSparse_long rank = 0;
  for (std::size_t j = 0; j < R.ncol; ++j) {
    const auto* lowest = std::max_element(rows + starts[j], rows + starts[j + 1]);
    if (lowest != rows + starts[j + 1] && *lowest >= rank)
      ++rank;
    else
      without.push_back(static_cast<int>(j));
  }
  return without;
}

}  // namespace

VectorXd damped_solution(const SparseMatrix& B, const VectorXd& b, double damping) {
  Cholmod cholmod;
  LongMatrix wide = with_identity(B, damping);
  VectorXd rhs = b;
  cholmod_sparse A = view(wide);
  cholmod_dense right = view(rhs);
  cholmod_dense* x =
      SuiteSparseQR_min2norm<double>(SPQR_ORDERING_AMD, SPQR_NO_TOL, &A, &right, cholmod.get());
  if (!x) cholmod.fail();
  const VectorXd solution = Eigen::Map<const VectorXd>(static_cast<double*>(x->x), B.cols());
  cholmod_l_free_dense(&x, cholmod.get());
  return solution;
}

// A fill-reducing order of the columns shows whether any depends on others; only then the given
// order, in which factors may fill, is needed to tell which.
std::vector<int> dependent_columns(const SparseMatrix& A, double threshold) {
  Cholmod cholmod;
  LongMatrix unit = normalised(A);
  cholmod_sparse matrix = view(unit);
  cholmod_sparse* R = nullptr;
  SuiteSparse_long* order = nullptr;
  const auto rank =
      SuiteSparseQR<double>(SPQR_ORDERING_AMD, threshold, 0, &matrix, &R, &order, cholmod.get());
  cholmod_l_free_sparse(&R, cholmod.get());
  cholmod_l_free(static_cast<std::size_t>(A.cols()), sizeof(SuiteSparse_long), order,
                 cholmod.get());
  if (rank == A.cols()) return {};
  if (rank < 0 || SuiteSparseQR<double>(SPQR_ORDERING_FIXED, threshold, 0, &matrix, &R, nullptr,
                                        cholmod.get()) < 0)
    cholmod.fail();
  const std::vector<int> dependent = columns_without_pivot(*R);
  cholmod_l_free_sparse(&R, cholmod.get());
  return dependent;
}

}  // namespace solidyn::system

// BLAS' products with one column or one row, which Solidyn's own functions hand to those for
// vectors.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <petscsys.h>

#include <Eigen/Dense>
#include <limits>

#include "solidyn/base/blas_kernels.h"

using Int = PetscBLASInt;

// The program calls and its libraries call what these names mean in it.
extern "C" {
void sgemm_(const char*, const char*, const Int*, const Int*, const Int*, const float*,
            const float*, const Int*, const float*, const Int*, const float*, float*, const Int*);
void dgemm_(const char*, const char*, const Int*, const Int*, const Int*, const double*,
            const double*, const Int*, const double*, const Int*, const double*, double*,
            const Int*);
}

namespace solidyn::base {
namespace {

template <class Real>
using Matrix = Eigen::Matrix<Real, Eigen::Dynamic, Eigen::Dynamic>;

template <class Real>
struct Blas;
template <>
struct Blas<float> {
  static constexpr auto* gemm = &sgemm_;
};
template <>
struct Blas<double> {
  static constexpr auto* gemm = &dgemm_;
};

template <class Real>
class BlasColumns : public testing::Test {};
using Precisions = testing::Types<float, double>;
TYPED_TEST_SUITE(BlasColumns, Precisions, );

void* library_of(const void* function) {
  Dl_info info{};
  EXPECT_NE(dladdr(const_cast<void*>(function), &info), 0);
  return info.dli_fbase;
}

// Libraries of the program (MUMPS, PETSc, LAPACK) find a name in the first one that has it.
TEST(BlasColumnsOfAllLibraries, AreMultipliedBySolidyn) {
  const void* const own = reinterpret_cast<const void*>(&blas_kernels);
  for (const char* name : {"sgemm_", "dgemm_"}) {
    const void* const found = dlsym(RTLD_DEFAULT, name);
    ASSERT_NE(found, nullptr) << name;
    EXPECT_EQ(library_of(found), library_of(own)) << name;
  }
  EXPECT_NE(library_of(dlsym(RTLD_DEFAULT, "sgemv_")), library_of(own));
}

template <class Real>
Matrix<Real> turned(const Matrix<Real>& A, char trans) {
  return trans == 'N' || trans == 'n' ? A : Matrix<Real>(A.transpose());
}

// Some rows of the memory are not the matrix'.
template <class Real>
void expect_product(Int m, Int n, Int k, char trans_a, char trans_b, Real alpha, Real beta,
                    Int padding) {
  const bool a_turned = trans_a != 'N' && trans_a != 'n';
  const bool b_turned = trans_b != 'N' && trans_b != 'n';
  const Int a_rows = a_turned ? k : m, b_rows = b_turned ? n : k;
  const Int lda = std::max<Int>(1, a_rows + padding), ldb = std::max<Int>(1, b_rows + padding);
  const Int ldc = std::max<Int>(1, m + padding);
  constexpr Real kNone = std::numeric_limits<Real>::quiet_NaN();
  Matrix<Real> A = Matrix<Real>::Random(lda, a_turned ? m : k);
  Matrix<Real> B = Matrix<Real>::Random(ldb, b_turned ? k : n);
  Matrix<Real> C = Matrix<Real>::Random(ldc, n), expected = C;
  const Matrix<Real> product = turned<Real>(A.topRows(a_rows), trans_a)
                                   .lazyProduct(turned<Real>(B.topRows(b_rows), trans_b));
  expected.topRows(m) = alpha * product + beta * C.topRows(m);
  // Nothing is read of those rows, without beta nothing of C, without alpha nothing of A and B.
  A.bottomRows(lda - (alpha == 0 ? 0 : a_rows)).setConstant(kNone);
  B.bottomRows(ldb - (alpha == 0 ? 0 : b_rows)).setConstant(kNone);
  if (beta == 0 && k > 0) C.topRows(m).setConstant(kNone);
  Blas<Real>::gemm(&trans_a, &trans_b, &m, &n, &k, &alpha, A.data(), &lda, B.data(), &ldb, &beta,
                   C.data(), &ldc);
  if (C.size() == 0) return;
  const Real error = (C - expected).cwiseAbs().maxCoeff();
  EXPECT_LE(error, 40 * std::numeric_limits<Real>::epsilon())
      << m << " x " << k << " times " << k << " x " << n << ", " << trans_a << trans_b << ", alpha "
      << alpha << ", beta " << beta << ", padding " << padding;
}

TYPED_TEST(BlasColumns, AreMultipliedAsAllMatrices) {
  using Real = TypeParam;
  for (const Int m : {0, 1, 2, 13})
    for (const Int n : {0, 1, 2, 13})
      for (const Int k : {0, 1, 2, 13})
        for (const char trans_a : {'N', 'T', 'c'})
          for (const char trans_b : {'n', 't', 'C'})
            for (const Int padding : {0, 3}) {
              expect_product<Real>(m, n, k, trans_a, trans_b, 1, 0, padding);
              expect_product<Real>(m, n, k, trans_a, trans_b, -1, 1, padding);
              expect_product<Real>(m, n, k, trans_a, trans_b, 0.5, -2, padding);
              expect_product<Real>(m, n, k, trans_a, trans_b, 0, 0.5, padding);
              expect_product<Real>(m, n, k, trans_a, trans_b, 0, 0, padding);
            }
}

// As many rows as fronts of factors have.
TYPED_TEST(BlasColumns, AreMultipliedWhereTheyAreLong) {
  for (const char trans : {'N', 'T'}) {
    expect_product<TypeParam>(301, 1, 13, trans, 'N', -1, 1, 2);
    expect_product<TypeParam>(1, 301, 13, 'N', trans, -1, 1, 2);
  }
}

}  // namespace
}  // namespace solidyn::base

// BLAS' sgemm_ and dgemm_, which all libraries of a program take from Solidyn. With one column or
// one row they call gemv, else BLAS' own functions: OpenBLAS 0.3.21 copies the whole matrix for a
// product with one column, which takes 2 to 6 times as long, and MUMPS solves for one right-hand
// side by such products. (Its triangles are too small to gain by trsv in place of trsm.) With a
// BLAS that calls gemv itself nothing changes. Proved by BlasColumns.*
#ifndef SOLIDYN_BLAS_IS_STATIC
#include <dlfcn.h>
#include <petscsys.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace solidyn::base {
namespace {

using Int = PetscBLASInt;
// With the lengths of the names, which Fortran compilers hand over behind the arguments.
template <class Real>
using Gemm = void(const char*, const char*, const Int*, const Int*, const Int*, const Real*,
                  const Real*, const Int*, const Real*, const Int*, const Real*, Real*, const Int*,
                  std::size_t, std::size_t);
template <class Real>
using Gemv = void(const char*, const Int*, const Int*, const Real*, const Real*, const Int*,
                  const Real*, const Int*, const Real*, Real*, const Int*, std::size_t);

// BLAS' own function, behind ours in the order in which names are looked for.
template <class F>
F* find_next(const char* name) {
  if (void* const found = dlsym(RTLD_NEXT, name)) return reinterpret_cast<F*>(found);
  std::fprintf(stderr,
               "error: no library has the function %s of BLAS\n"
               "  link a shared library of BLAS (doc/building.md)\n",
               name);
  std::abort();
}

template <class Real>
struct Blas {
  Gemm<Real>* gemm;
  Gemv<Real>* gemv;
};

const Blas<float>& next_blas(float) {
  static const Blas<float> blas{find_next<Gemm<float>>("sgemm_"), find_next<Gemv<float>>("sgemv_")};
  return blas;
}
const Blas<double>& next_blas(double) {
  static const Blas<double> blas{find_next<Gemm<double>>("dgemm_"),
                                 find_next<Gemv<double>>("dgemv_")};
  return blas;
}

bool is_known(char trans) { return std::strchr("NTCntc", trans) && trans; }
bool is_transposed(char trans) { return trans != 'N' && trans != 'n'; }

// C = alpha op(A) op(B) + beta C. Arguments that BLAS complains about are left to its own function.
template <class Real>
void multiply(const char* trans_a, const char* trans_b, const Int* m, const Int* n, const Int* k,
              const Real* alpha, const Real* A, const Int* lda, const Real* B, const Int* ldb,
              const Real* beta, Real* C, const Int* ldc) {
  const Blas<Real>& blas = next_blas(Real{});
  const bool a_is_turned = is_transposed(*trans_a), b_is_turned = is_transposed(*trans_b);
  const Int a_rows = a_is_turned ? *k : *m, a_columns = a_is_turned ? *m : *k;
  const Int b_rows = b_is_turned ? *n : *k, b_columns = b_is_turned ? *k : *n;
  const bool is_column = *n == 1, is_row = *m == 1;
  const bool is_sound = is_known(*trans_a) && is_known(*trans_b) && *m > 0 && *n > 0 && *k > 0 &&
                        *lda >= a_rows && *ldb >= b_rows && *ldc >= *m;
  if (!is_sound || !(is_column || is_row))
    return blas.gemm(trans_a, trans_b, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc, 1, 1);
  const Int a_step = a_is_turned ? 1 : *lda, b_step = b_is_turned ? *ldb : 1;
  const Int c_step = is_column ? 1 : *ldc;
  // C may hold anything then, and not every gemv forgets NaN where beta is 0.
  if (*beta == Real(0))
    for (Int i = 0; i < *m * *n; ++i) C[static_cast<std::ptrdiff_t>(i) * c_step] = Real(0);
  if (is_column)
    blas.gemv(trans_a, &a_rows, &a_columns, alpha, A, lda, B, &b_step, beta, C, &c_step, 1);
  else
    blas.gemv(b_is_turned ? "N" : "T", &b_rows, &b_columns, alpha, B, ldb, A, &a_step, beta, C,
              &c_step, 1);
}

}  // namespace
}  // namespace solidyn::base

// In place of BLAS' own ones for all libraries of the program, MUMPS first: names are looked for in
// Solidyn before BLAS (tests/unit/base/blas_columns_test.cpp). As BLAS declares them.
extern "C" {
void sgemm_(const char* trans_a, const char* trans_b, const PetscBLASInt* m, const PetscBLASInt* n,
            const PetscBLASInt* k, const float* alpha, const float* A, const PetscBLASInt* lda,
            const float* B, const PetscBLASInt* ldb, const float* beta, float* C,
            const PetscBLASInt* ldc) {
  solidyn::base::multiply(trans_a, trans_b, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
}
void dgemm_(const char* trans_a, const char* trans_b, const PetscBLASInt* m, const PetscBLASInt* n,
            const PetscBLASInt* k, const double* alpha, const double* A, const PetscBLASInt* lda,
            const double* B, const PetscBLASInt* ldb, const double* beta, double* C,
            const PetscBLASInt* ldc) {
  solidyn::base::multiply(trans_a, trans_b, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc);
}
}
#endif

#include "solidyn/base/blas_check.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "solidyn/base/blas_kernels.h"
#include "solidyn/base/log.h"

namespace solidyn::base {
namespace {

using testing::HasSubstr;

TEST(BlasCheck, MeasuresAPlausibleRate) {
  const double gflops = measure_blas_gflops();
  EXPECT_GT(gflops, 0.1);
  EXPECT_LT(gflops, 1000.0);
}

// The main() of the tests has called it before, so that all tests have these kernels; a second call
// changes nothing.
TEST(BlasKernels, AreNoneOfAnOlderProcessorThanThis) {
  use_blas_kernels_of_this_processor();
  const char* const asked = std::getenv("OPENBLAS_CORETYPE");
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
      (!asked || std::string(asked) != "Prescott"))
    EXPECT_NE(blas_kernels(), "Prescott");
#endif
}

TEST(BlasCheck, NamesThePackageWhenALargeMatrixMeetsTheReferenceBlas) {
  const std::string warning = warning_about_blas(1.7, 300000);
  EXPECT_THAT(warning, HasSubstr("1.7 GFlop/s"));
  EXPECT_THAT(warning, HasSubstr("300000 unknowns"));
  EXPECT_THAT(warning, HasSubstr("libopenblas0-serial"));
}

TEST(BlasCheck, IsSilentWhereBlasIsFastOrTheMatrixSmall) {
  EXPECT_EQ(warning_about_blas(40.0, 300000), "");
  EXPECT_EQ(warning_about_blas(1.7, 2000), "");
}

TEST(BlasCheck, WarnsAtMostOnce) {
  clear_logged_warnings();
  warn_if_blas_is_slow(300000);
  warn_if_blas_is_slow(400000);
  EXPECT_LE(logged_warnings().size(), 1u);
  for (const std::string& warning : logged_warnings())
    EXPECT_THAT(warning, HasSubstr("300000 unknowns"));
  clear_logged_warnings();
}

}  // namespace
}  // namespace solidyn::base

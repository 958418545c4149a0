#include "solidyn/base/blas_check.h"

#include <petscsys.h>
// After petscsys.h, which it needs but does not include.
#include <petscblaslapack.h>

#include <cstdlib>
#include <ctime>
#include <vector>

#include "solidyn/base/log.h"
#include "solidyn/base/resource_error.h"

namespace solidyn::base {
namespace {

constexpr long kLarge = 50000;
// The reference BLAS reaches 1 to 3 on today's processors, optimised ones 15 to 100.
constexpr double kSlowGflops = 5.0;

}  // namespace

double measure_blas_gflops() {
  const PetscBLASInt n = 512;
  const std::vector<PetscScalar> a(n * n, 1.0), b(n * n, 0.5);
  std::vector<PetscScalar> c(n * n, 0.0);
  const PetscScalar one = 1.0, zero = 0.0;
  const std::clock_t start = std::clock();
  BLASgemm_("N", "N", &n, &n, &n, &one, a.data(), &n, b.data(), &n, &zero, c.data(), &n);
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  return 2e-9 * n * n * n / std::max(seconds, 1e-6);
}

std::string warning_about_blas(double gflops, long n_unknowns) {
  if (n_unknowns < kLarge || gflops >= kSlowGflops) return {};
  return fmt::format(
      "BLAS is slow here ({:.1f} GFlop/s in dgemm): factorising {} unknowns will take several times longer than necessary; install an optimised BLAS, on Debian and Ubuntu: apt install libopenblas0-serial",
      gflops, n_unknowns);
}

void warn_if_blas_is_slow(long n_unknowns) {
  static bool is_done = false;
  if (is_done || n_unknowns < kLarge) return;
  is_done = true;
  const std::string warning = warning_about_blas(measure_blas_gflops(), n_unknowns);
  if (!warning.empty()) log_message(LogLevel::warning, warning);
}

void reserve_blas_memory() {
  constexpr std::size_t kBuffer = std::size_t{160} << 20;  // of OpenBLAS 0.3, and what dgemm needs
  // Volatile: clang removes an unused allocation, and OpenBLAS waits for ever for its
  // own.
  void* volatile const probe = std::malloc(kBuffer);
  if (!probe)
    throw ResourceError(fmt::format(
        "out of memory: {} MiB are not available for BLAS\n  check the memory limits: `ulimit -v`, or the memory per rank granted by the batch system",
        kBuffer >> 20));
  std::free(probe);
  measure_blas_gflops();
}

}  // namespace solidyn::base

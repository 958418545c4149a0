#include "solidyn/base/blas_kernels.h"

#include <dlfcn.h>

#include <cstdlib>

namespace solidyn::base {
namespace {

// Found at run time: BLAS may be another library than that which we were built with.
template <class F>
F* find(const char* name) {
  return reinterpret_cast<F*>(dlsym(RTLD_DEFAULT, name));
}

bool has_haswells_instructions() {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
#else
  return false;
#endif
}

}  // namespace

std::string blas_kernels() {
  auto* const name = find<char*()>("openblas_get_corename");
  return name ? name() : "";
}

void use_blas_kernels_of_this_processor() {
  constexpr const char* kOption = "OPENBLAS_CORETYPE";
  if (std::getenv(kOption) || blas_kernels() != "Prescott" || !has_haswells_instructions()) return;
  // What its own constructor and destructor call: it reads the environment anew.
  auto *const quit = find<void()>("gotoblas_quit"), *const init = find<void()>("gotoblas_init");
  if (!quit || !init) return;
  setenv(kOption, "Haswell", 0);
  quit();
  init();
}

}  // namespace solidyn::base

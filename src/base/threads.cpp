#include "solidyn/base/threads.h"

#include <dlfcn.h>

#include <cstdlib>

namespace solidyn::base {

void use_one_thread_per_rank() {
  if (std::getenv("OMP_MAX_ACTIVE_LEVELS") || std::getenv("OMP_THREAD_LIMIT")) return;
  // Found at run time: which OpenMP library CHOLMOD brought, if any, is not known when we are
  // built.
  const auto set_levels =
      reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "omp_set_max_active_levels"));
  if (set_levels) set_levels(0);
}

}  // namespace solidyn::base

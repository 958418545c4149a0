#include "solidyn/base/petsc.h"

#include <fmt/format.h>

namespace solidyn::base {

void throw_petsc_error(PetscErrorCode code, const char* call, const char* file, int line) {
  const char* text = nullptr;
  char* specific = nullptr;
  PetscErrorMessage(code, &text, &specific);
  throw ComputationError(fmt::format("PETSc error {} ({}{}{}) in {} at {}:{}", code,
                                     text ? text : "unknown", specific && *specific ? ": " : "",
                                     specific ? specific : "", call, file, line));
}

bool petsc_is_running() {
  PetscBool initialized = PETSC_FALSE, finalized = PETSC_FALSE;
  PetscInitialized(&initialized);
  PetscFinalized(&finalized);
  return initialized && !finalized;
}

}  // namespace solidyn::base

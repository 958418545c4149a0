#include "bodies/multigrid/petsc_settings.h"

namespace solidyn::bodies {

bool has_option(const std::string& prefix, const char* option) {
  PetscBool is_set = PETSC_FALSE;
  SOLIDYN_PETSC(PetscOptionsHasName(nullptr, prefix.c_str(), option, &is_set));
  return is_set == PETSC_TRUE;
}

}  // namespace solidyn::bodies

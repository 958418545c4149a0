#include "bodies/multigrid/petsc_settings.h"

#include <cctype>
#include <sstream>

namespace solidyn::bodies {

bool has_option(const std::string& prefix, const char* option) {
  PetscBool is_set = PETSC_FALSE;
  SOLIDYN_PETSC(PetscOptionsHasName(nullptr, prefix.c_str(), option, &is_set));
  return is_set == PETSC_TRUE;
}

std::string options_given(const std::string& prefix) {
  char* all = nullptr;
  SOLIDYN_PETSC(PetscOptionsGetAll(nullptr, &all));
  std::istringstream words(all);
  SOLIDYN_PETSC(PetscFree(all));
  std::string given;
  bool is_ours = false;
  for (std::string word; words >> word;) {
    const bool is_option = word.size() > 1 && word[0] == '-' && !std::isdigit(word[1]);
    if (is_option) is_ours = word.compare(1, prefix.size(), prefix) == 0;
    if (is_ours) given += " " + word;
  }
  return given;
}

}  // namespace solidyn::bodies

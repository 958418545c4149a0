#pragma once
#include <string>
#include <vector>

#include "solidyn/base/petsc.h"

namespace solidyn::test {

/// While it lives, what is made takes these options: {"-body_ksp_type cg", "-body_matrix_free"}.
class ScopedPetscOptions {
 public:
  explicit ScopedPetscOptions(const std::vector<std::string>& options) {
    for (const std::string& option : options) {
      SOLIDYN_PETSC(PetscOptionsInsertString(nullptr, option.c_str()));
      names_.push_back(option.substr(0, option.find(' ')));
    }
  }
  ~ScopedPetscOptions() {
    for (const std::string& name : names_) PetscOptionsClearValue(nullptr, name.c_str());
  }
  ScopedPetscOptions(const ScopedPetscOptions&) = delete;
  ScopedPetscOptions& operator=(const ScopedPetscOptions&) = delete;

 private:
  std::vector<std::string> names_;
};

}  // namespace solidyn::test

#include "solidyn/base/petsc_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <string_view>

#include "solidyn/base/petsc.h"

namespace solidyn::base {

std::optional<int> find_petsc_word(const char* prefix, const char* option,
                                   std::initializer_list<const char*> words) {
  char given[64] = "";
  PetscBool is_set = PETSC_FALSE;
  SOLIDYN_PETSC(PetscOptionsGetString(nullptr, prefix, option, given, sizeof given, &is_set));
  if (!is_set) return {};
  const auto found = std::find(words.begin(), words.end(), std::string_view(given));
  if (found == words.end())
    throw InputError(fmt::format("option -{}{} is `{}`", prefix, option + 1, given),
                     fmt::format("write {}", fmt::join(words, " or ")));
  return static_cast<int>(found - words.begin());
}

}  // namespace solidyn::base

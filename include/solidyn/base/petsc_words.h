#pragma once
#include <initializer_list>
#include <optional>

namespace solidyn::base {

/// Which of `words` the user gave to the PETSc option -<prefix><option>; empty: none.
/// @param option  with its dash, as PETSc takes it: "-route"
/// @throws InputError that names the option, its value and the words, when it is another one
std::optional<int> find_petsc_word(const char* prefix, const char* option,
                                   std::initializer_list<const char*> words);

}  // namespace solidyn::base

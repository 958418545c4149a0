#pragma once
#include <petscsys.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace solidyn::base {

/// PETSc's options are input of the user's: what PETSc, or what reads them here, cannot take is an
/// InputError that names the option and says what it may be. An option is given as its prefix
/// ("body_") and the rest with the hyphen ("-ksp_type"). Proved by PetscOptions.*

bool has_option(const std::string& prefix, const std::string& option);
/// Empty where the option is not given.
std::optional<std::string> option_word(const std::string& prefix, const std::string& option);
/// Which of `words` it is; empty where it is not given. @throws InputError for another word
std::optional<int> option_choice(const std::string& prefix, const std::string& option,
                                 const std::vector<std::string>& words);
/// @throws InputError for a word that is no number
std::optional<double> option_number(const std::string& prefix, const std::string& option);
/// @throws InputError for a word that is no whole number
std::optional<int> option_count(const std::string& prefix, const std::string& option);
/// @throws InputError for a word that is neither yes nor no
bool option_flag(const std::string& prefix, const std::string& option, bool otherwise);

/// Who reads options: `name` begins the message ("body rod"), `page` says where those that go
/// together are.
struct OptionsReader {
  std::string name, prefix;
  MPI_Comm comm = PETSC_COMM_SELF;
  std::string page = "doc/solvers.md has those that go together";
  /// How the reader's options go on after the prefix, where others begin with the same prefix:
  /// "-body_rod_ksp_rtol" is none of "-body_"; empty: in any way.
  std::vector<std::string> beginnings = {};
};

/// The reader's options in the database, each after a space, with their values. Like PETSc's own,
/// names are the same in upper and lower case.
std::string options_given(const OptionsReader& reader);

/// @throws InputError for tolerances and limits of iterations with the prefix that no solver can
/// work with, whether PETSc takes them, refuses them, or dies of them
void check_option_numbers(const OptionsReader& reader);

/// Calls what obeys options, as KSPSetFromOptions().
/// @throws InputError as check_option_numbers(), and for all that PETSc refuses while options with
/// the prefix are given
void obey_options(const OptionsReader& reader, const std::function<PetscErrorCode()>& call);

/// Of a call whose error codes the caller looks at itself: throws where `code` is one of those with
/// which PETSc refuses options, and there are any with the prefix.
void refuse_options(const OptionsReader& reader, PetscErrorCode code);

}  // namespace solidyn::base

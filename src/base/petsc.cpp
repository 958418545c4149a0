#include "solidyn/base/petsc.h"

#include <fmt/format.h>

#include <cctype>
#include <sstream>

#include "solidyn/base/log.h"
#include "solidyn/base/log_stage.h"
#include "solidyn/base/resource_error.h"

namespace solidyn::base {

void throw_petsc_error(PetscErrorCode code, const char* call, const char* file, int line) {
  const char* text = nullptr;
  char* specific = nullptr;
  PetscErrorMessage(code, &text, &specific);
  if (code == PETSC_ERR_MEM) text = "out of memory";
  const std::string path = file;
  const std::size_t name = path.rfind('/') + 1;
  throw ResourceError(fmt::format("linear algebra error: {}{}{}\n  PETSc error {}, {}:{}: {}",
                                  text ? text : "no reason given",
                                  specific && *specific ? ": " : "", specific ? specific : "", code,
                                  path.substr(name), line, call));
}

namespace {

// "-ksp_type", not "-1.5".
bool is_option(const std::string& word) {
  return word.size() > 1 && word[0] == '-' &&
         (std::isalpha(static_cast<unsigned char>(word[1])) || word[1] == '-');
}

// The first word that is no option and follows none, which PETSc passes over without a word.
std::string stray_word(const std::string& text) {
  std::istringstream words(text);
  bool follows_option = false;
  for (std::string word; words >> word;) {
    if (!is_option(word) && !follows_option) return word;
    follows_option = is_option(word);
  }
  return {};
}

}  // namespace

void insert_petsc_options(const std::string& text, const std::vector<std::string>& command_line) {
  if (text.find_first_not_of(" \t\n") == std::string::npos) return;
  const std::string stray = stray_word(text);
  if (!stray.empty())
    throw InputError(
        stray == text
            ? fmt::format("solver.petsc_options: `{}` is not a PETSc option", text)
            : fmt::format(
                  "solver.petsc_options: `{}` in `{}` is neither a PETSc option nor the value of one",
                  stray, text),
        "options start with a dash, for example  -system_pc_factor_mat_solver_type superlu");
  SOLIDYN_PETSC(PetscOptionsInsertString(nullptr, text.c_str()));
  std::vector<std::string> words = command_line;
  std::vector<char*> pointers;
  pointers.reserve(words.size());
  for (std::string& word : words) pointers.push_back(word.data());
  SOLIDYN_PETSC(
      PetscOptionsInsertArgs(nullptr, static_cast<int>(pointers.size()), pointers.data()));
  PetscBool logs = PETSC_FALSE;
  SOLIDYN_PETSC(PetscOptionsHasName(nullptr, nullptr, "-log_view", &logs));
  if (logs) SOLIDYN_PETSC(PetscLogDefaultBegin());
  LogStage::begin();
}

void warn_of_unused_petsc_options() {
  // PetscFinalize asks for these itself.
  for (const char* name : {"-options_left", "-options_view", "-log_view", "-malloc_dump",
                           "-malloc_view", "-objects_dump", "-memory_view"}) {
    PetscBool is_given;
    SOLIDYN_PETSC(PetscOptionsHasName(nullptr, nullptr, name, &is_given));
  }
  PetscInt n = 0;
  char **names = nullptr, **values = nullptr;
  SOLIDYN_PETSC(PetscOptionsLeftGet(nullptr, &n, &names, &values));
  std::string list;
  for (PetscInt i = 0; i < n; ++i) list += fmt::format(" -{}", names[i]);
  SOLIDYN_PETSC(PetscOptionsLeftRestore(nullptr, &n, &names, &values));
  if (list.empty()) return;
  log_warning(
      "unused PETSc options:{}\n  check their spelling and prefixes (-system_, -body_, -modes_, -recursive_), and that the `preset` uses PETSc solvers",
      list);
  PetscBool wants_report = PETSC_FALSE;
  SOLIDYN_PETSC(PetscOptionsHasName(nullptr, nullptr, "-options_left", &wants_report));
  if (!wants_report) SOLIDYN_PETSC(PetscOptionsSetValue(nullptr, "-options_left", "no"));
}

int iterations_of(::KSP ksp, const std::string& what) {
  KSPConvergedReason reason;
  PetscInt n = 0;
  SOLIDYN_PETSC(KSPGetConvergedReason(ksp, &reason));
  SOLIDYN_PETSC(KSPGetIterationNumber(ksp, &n));
  if (reason < 0)
    throw ComputationError(fmt::format("{}: the linear solver stopped after {} iterations ({})",
                                       what, n, KSPConvergedReasons[reason]));
  return static_cast<int>(n);
}

bool petsc_is_running() {
  PetscBool initialized = PETSC_FALSE, finalized = PETSC_FALSE;
  PetscInitialized(&initialized);
  PetscFinalized(&finalized);
  return initialized && !finalized;
}

}  // namespace solidyn::base

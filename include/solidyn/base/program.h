#pragma once
#include <fmt/format.h>

#include <functional>
#include <string>
#include <vector>

/// What a program around the library does before and after its work, whether it is `solidyn` or one
/// of your own.
namespace solidyn::base {

/// Exit statuses that run_program() makes of errors.
constexpr int kExitFailed = 1, kExitWrongInput = 2;

/// Runs `work` between SlepcInitialize and SlepcFinalize, which start and end MPI and PETSc too,
/// and turns its errors into an exit status: each is printed once, by rank 0. A crash is reported
/// in one line (crash.h). Collective over the program; once per process. A rank that is left alone
/// with an error for ten seconds, while the others wait for it elsewhere, aborts the program.
/// @param petsc_arguments words for PETSc: {"-ksp_type", "cg"}
/// @param work @return the exit status; the same on all ranks
/// Proved by tests/programs/command_line, tests/programs/failure and tests/programs/cpp.
/// @return that status; kExitWrongInput after an InputError, kExitFailed after any other exception
int run_program(const std::vector<std::string>& petsc_arguments, const std::function<int()>& work);

/// Prints on rank 0 of PETSC_COMM_WORLD alone, to the standard output.
void print_once(const std::string& text);
template <class... Args>
void print_once(fmt::format_string<Args...> text, Args&&... args) {
  print_once(fmt::format(text, std::forward<Args>(args)...));
}

}  // namespace solidyn::base

#include "bodies/solver_choice.h"

#include <fmt/format.h>
#include <unistd.h>

#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc.h"

namespace solidyn::bodies {
namespace {

using base::has_option;
using base::option_word;

base::OptionsReader of_petscs_factor(MPI_Comm comm, const std::string& name,
                                     const std::string& prefix) {
  base::OptionsReader reader = options_of_body(comm, name, prefix);
  reader.beginnings = {"pc_factor_", "mat_"};
  return reader;
}

}  // namespace

SolverChoice choose_solver(double bytes, double memory) {
  if (bytes <= kPartOfMemory * memory) return SolverChoice::double_factor;
  return 0.5 * bytes <= kPartOfMemory * memory ? SolverChoice::single_factor
                                               : SolverChoice::iterations;
}

double total_memory(MPI_Comm comm) {
  MPI_Comm machine;
  MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &machine);
  const int ranks_here = base::size(machine);
  MPI_Comm_free(&machine);
  const double bytes =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGE_SIZE));
  return base::sum(comm, bytes / ranks_here);
}

base::OptionsReader options_of_body(MPI_Comm comm, const std::string& name,
                                    const std::string& prefix) {
  return {"body " + name,
          prefix,
          comm,
          "doc/solvers.md, \"Conjugate gradients\", has those that go together",
          {"ksp_", "pc_", "mg_", "mat_", "sub_", "precision", "matrix_free"}};
}

std::string options_prefix(const std::string& name) {
  const std::string own = "body_" + name + "_";
  return base::options_given(options_of_body(PETSC_COMM_SELF, name, own)).empty() ? "body_" : own;
}

bool asks_for_iterations(const std::string& prefix) {
  const auto ksp = option_word(prefix, "-ksp_type"), pc = option_word(prefix, "-pc_type");
  const bool is_factor = !pc || *pc == "cholesky" || *pc == "lu";
  if (!ksp) return !is_factor;
  if (*ksp != "preonly") return true;
  if (is_factor) return false;
  throw base::InputError(
      fmt::format("option -{}ksp_type preonly takes one application of {} for a solution", prefix,
                  *pc),
      fmt::format("use -{}ksp_type cg", prefix));
}

bool asks_for_petscs_factor(MPI_Comm comm, const std::string& name, const std::string& prefix) {
  return !base::options_given(of_petscs_factor(comm, name, prefix)).empty();
}

std::optional<SolverChoice> asked_precision(const std::string& prefix) {
  const auto word = option_word(prefix, "-precision");
  if (!word || *word == "double")
    return word ? std::optional(SolverChoice::double_factor) : std::nullopt;
  if (*word != "single")
    throw base::InputError(fmt::format("option -{}precision is `{}`", prefix, *word),
                           "write single or double");
  const auto pc = option_word(prefix, "-pc_type");
  if (has_option(prefix, "-ksp_type") || pc)
    if (asks_for_iterations(prefix) && (!pc || *pc == "mg")) return std::nullopt;
  for (const char* other : {"-ksp_type", "-pc_type", "-pc_factor_mat_solver_type"})
    if (has_option(prefix, other))
      throw base::InputError(
          fmt::format(
              "option -{}precision single is of Solidyn's own factor, and -{}{} takes another solver",
              prefix, prefix, other + 1),
          "remove one of them");
  if (asks_for_petscs_factor(PETSC_COMM_SELF, "", prefix))
    throw base::InputError(
        fmt::format(
            "option -{}precision single is of Solidyn's own factor, and these are of another:{}",
            prefix, base::options_given(of_petscs_factor(PETSC_COMM_SELF, "", prefix))),
        "remove one of them");
  return SolverChoice::single_factor;
}

bool is_pipelined(const std::string& prefix) {
  const auto ksp = option_word(prefix, "-ksp_type");
  if (!ksp || ksp->rfind("pipe", 0) != 0) return false;
  if (is_precision(prefix, "single"))
    throw base::InputError(
        fmt::format(
            "option -{}precision single: -{}ksp_type {} needs a preconditioner in double precision",
            prefix, prefix, *ksp),
        fmt::format("remove it, or use -{}ksp_type cg", prefix));
  return true;
}

bool is_precision(const std::string& prefix, const char* word) {
  return option_word(prefix, "-precision") == std::string(word);
}

}  // namespace solidyn::bodies

#pragma once
#include <mpi.h>

#include <optional>
#include <string>

#include "solidyn/base/petsc_options.h"

namespace solidyn::bodies {

/// Factors may take this part of the memory.
constexpr double kPartOfMemory = 0.5;

/// How a body's matrix is to be solved with, where nothing is said.
enum class SolverChoice { double_factor, single_factor, iterations };
/// @param bytes  of the factor in double precision  @param memory  of the machines, bytes
SolverChoice choose_solver(double bytes, double memory);

/// Collective. Physical memory of all machines that the ranks run on, bytes.
double total_memory(MPI_Comm comm);

/// "body_<name>_" when the options database has an option of a body that begins so, else "body_".
std::string options_prefix(const std::string& name);
/// Who reads the body's options, which are none of other bodies'.
base::OptionsReader options_of_body(MPI_Comm comm, const std::string& name,
                                    const std::string& prefix);
/// Whether -<prefix>ksp_type and pc_type, where one is given, are of an iterative method: a
/// preconditioner that is no factorisation is one of conjugate gradients.
/// @throws base::InputError where a preconditioner would be taken for a solution
bool asks_for_iterations(const std::string& prefix);
/// Whether options, -<prefix>pc_factor_ or mat_ ones, are of a factorisation of PETSc's.
bool asks_for_petscs_factor(MPI_Comm comm, const std::string& name, const std::string& prefix);
/// -<prefix>precision, of the factor: what is asked for, if anything. With conjugate gradients it
/// is that of the cycle of two levels, and nothing is asked for of a factor.
/// @throws base::InputError for other words, and beside options of another solver
std::optional<SolverChoice> asked_precision(const std::string& prefix);
/// Whether -<prefix>ksp_type is a pipelined method. It takes the preconditioner to be linear to
/// round-off: with one in single precision the strain energy was off by 3.5e-5 at 1e-10.
/// @throws base::InputError where single precision is asked for besides
bool is_pipelined(const std::string& prefix);
/// -<prefix>precision single, or double.
bool is_precision(const std::string& prefix, const char* word);

}  // namespace solidyn::bodies

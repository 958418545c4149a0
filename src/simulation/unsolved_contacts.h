#pragma once
#include <mpi.h>

#include <string>

#include "solidyn/integrators/contact_solver.h"
#include "solidyn/simulation/run.h"

namespace solidyn::simulation {

/// Collective. Writes the contact problem of a failed step, if there is one and somebody writes it.
/// @param unsolved  the same on all ranks; null: none
/// @return a line about it for the message of the failure; else empty. Does not throw.
std::string save_unsolved_contacts(MPI_Comm comm, const integrators::UnsolvedContacts* unsolved,
                                   const RunOptions& options, const std::string& path);

}  // namespace solidyn::simulation

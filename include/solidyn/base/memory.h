#pragma once
#include <mpi.h>

#include <vector>

namespace solidyn::base {

/// What this process has had resident at most since its start, in 10^6 bytes. Local.
double peak_rss_mb();

/// Collective. The same of every rank, on every rank.
std::vector<double> peak_rss_mb_of_ranks(MPI_Comm comm);

/// Collective. Bytes that programs can still get without swapping on all machines of the ranks;
/// the total memory where the system does not report it.
double available_memory(MPI_Comm comm);

}  // namespace solidyn::base

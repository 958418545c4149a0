#pragma once
#include <mpi.h>

#include <functional>
#include <vector>

namespace solidyn::simulation {

/// Seconds of the slowest rank, from a barrier on. Collective.
double timed(MPI_Comm comm, const std::function<void()>& work);

double median(std::vector<double> samples);

/// Collective. The median of `repeat` timings.
double median_time(MPI_Comm comm, int repeat, const std::function<void()>& work);

}  // namespace solidyn::simulation

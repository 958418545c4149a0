#pragma once
#include <mpi.h>

namespace solidyn::simulation {

/// What the ranks at hand do at best, all of them at once; medians of samples.
struct MachineSpeed {
  double triad = 0.0;      ///< B/s of memory for each rank: a = b + s c in arrays of 16 MB
  double latency = 0.0;    ///< s of a message of 8 bytes; 0 on one rank, as what follows
  double bandwidth = 0.0;  ///< B/s of a message of 1 MB that each rank sends and receives
  double reduction = 0.0;  ///< s of a sum of two numbers over all ranks
};

/// Collective. Messages go between ranks half of all apart, which a launcher that fills one machine
/// after the other puts on different ones; the last of an odd number sends none.
MachineSpeed measure_machine(MPI_Comm comm);

}  // namespace solidyn::simulation

#pragma once
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/recursive/step_equations.h"

namespace solidyn::integrators {

/// Gives branches of a mechanism to the ranks of the run (recursive::RanksForBranches) where that
/// is worth while; the log of several ranks says how it is done.
inline void share_branches_of_run(recursive::Mechanism& mechanism) {
  const MPI_Comm ranks = recursive::RanksForBranches::now();
  mechanism.share_branches(ranks);
  if (base::size(ranks) > 1)
    base::log_info("{}", mechanism.describe_shares(base::size(ranks),
                                                   recursive::Mechanism::Sweeps::of_accelerations));
}

/// The same for implicit steps.
inline void share_branches_of_run(recursive::StepEquations& equations) {
  const MPI_Comm ranks = recursive::RanksForBranches::now();
  equations.share_branches(ranks);
  if (base::size(ranks) > 1) base::log_info("{}", equations.describe_shares(base::size(ranks)));
}

}  // namespace solidyn::integrators

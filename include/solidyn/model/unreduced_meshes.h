#pragma once
#include <mpi.h>

#include "solidyn/model/description.h"

namespace solidyn::model {

/// Collective. How many of the ranks, from the first, are worth starting for the meshes that a
/// model solves unreduced. A solution of few unknowns takes longer on several ranks than on one,
/// and ranks that wait for each other keep their processors busy (doc/scaling.md has what was
/// measured). All ranks where no mesh is unreduced, where other meshes are to be reduced, or where
/// a file is too large to be counted beforehand or cannot be read: build() then reports why.
int ranks_worth_starting(MPI_Comm comm, const ModelDescription& model);

}  // namespace solidyn::model

#pragma once
#include <mpi.h>

#include "solidyn/model/description.h"

namespace solidyn::model {

/// Collective. The model with the nodes that shapes of `nodes` select as points of their bodies,
/// named in those shapes; under set-valued laws without the corners of tet10 faces that are wholly
/// selected. Reads the meshes of such bodies.
/// @throws base::InputError when a selection is empty or a mesh is wrong, for all of them
ModelDescription with_contact_nodes(MPI_Comm comm, ModelDescription model);

}  // namespace solidyn::model

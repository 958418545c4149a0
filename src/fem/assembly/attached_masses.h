#pragma once
#include <vector>

#include "fem/assembly/node_rows.h"
#include "fem/kernels/mass_moments.h"
#include "solidyn/fem/attached_mass.h"

namespace solidyn::fem {

/// Collective. Adds masses at nodes to the rows of the nodes that this rank owns.
/// @throws base::InputError (on all ranks) that names every mass whose node the mesh lacks
void add_node_masses(const mesh::DistributedMesh& mesh, const std::vector<NodeMass>& masses,
                     NodeRows& rows, MassMoments& moments);

}  // namespace solidyn::fem

#pragma once
#include <vector>

#include "mass_moments.h"
#include "node_rows.h"
#include "solidyn/fem/attached_mass.h"

namespace solidyn::fem {

/// Collective. Adds the masses to the rows and moments of this rank's elements.
/// Throws InputError (on all ranks) for masses whose nodes no element has.
void add_attached_masses(const mesh::DistributedMesh& mesh, const std::vector<AttachedMass>& masses,
                         NodeRows& rows, MassMoments& moments);

}  // namespace solidyn::fem

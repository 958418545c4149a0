#pragma once
#include "model/bodies/flexible_entry.h"
#include "solidyn/fem/sections.h"
#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::model {

/// Collective. Logs a warning where a flexible body's mesh bends too stiffly, since there are few
/// linear elements through its thickness, or has motions without energy. Of several bodies of one
/// mesh the first tells of bending for all.
void warn_of_doubtful_elements(const ModelDescription& model, const FlexibleEntry& body,
                               const mesh::DistributedMesh& mesh, const fem::Sections& sections);

}  // namespace solidyn::model

#pragma once
#include <mpi.h>

#include <functional>
#include <string>
#include <vector>

#include "model/bodies/flexible_entry.h"
#include "solidyn/fem/elastic_body.h"
#include "solidyn/mesh/interface.h"

namespace solidyn::model {

/// What a flexible body is computed from: its mesh file and its part of the model file.
struct BodySource {
  fem::Sections sections{fem::Section{}};
  /// Those of the model file, then those that the mesh file's rigid elements make.
  std::vector<mesh::InterfaceDefinition> interfaces;
  fem::AttachedMasses masses;  ///< of the mesh file
  /// Collective; called at most once. Reads, checks and distributes the mesh, unless it is read.
  std::function<mesh::DistributedMesh()> load_mesh;
  std::string content_hash;  ///< of a mesh file of another program and what it includes; else empty
};

/// Collective. Of a Gmsh file or .smesh nothing is read yet. A mesh file of another program is read
/// by rank 0: its regions have the body's `material`, or the file's own, of which a material of the
/// model file with the same name takes the place; its point masses and rigid elements come along
/// (doc/import.md). An error leaves on all ranks together.
/// @throws base::InputError  with everything found: reading, materials, cards that would change
///   stiffness or mass and are not understood
BodySource make_body_source(MPI_Comm comm, const ModelDescription& model,
                            const FlexibleEntry& body);

}  // namespace solidyn::model

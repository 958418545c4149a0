#pragma once
#include <string>

#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::formats {

/// Local. Reads a mesh file as one whole mesh, Gmsh's or ours (.smesh) by its name.
/// @param scale  metres per unit of the file   @throws base::InputError as its reader does
mesh::Mesh read_mesh(const std::string& path, double scale = 1.0);

/// Collective. Reads, checks and distributes such a file. Rank 0 reads Gmsh's, every rank its share
/// of ours. An error leaves on all ranks together.
mesh::DistributedMesh read_mesh(MPI_Comm comm, const std::string& path, double scale = 1.0);

}  // namespace solidyn::formats

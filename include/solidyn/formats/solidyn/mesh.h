#pragma once
#include <string>

#include "solidyn/mesh/mesh_slices.h"

/// Our own mesh file, HDF5, that every rank reads its share of (doc/meshes.md has the layout).
namespace solidyn::formats {

/// Collective. Every rank writes its slices; the file appears complete or not at all. Lengths are
/// in metres. Throws ComputationError on all ranks when it cannot be written.
void write_solidyn_mesh(MPI_Comm comm, const std::string& path, const mesh::MeshSlices& slices);

/// The same for a whole mesh. Local.
void write_solidyn_mesh(const std::string& path, const mesh::Mesh& mesh);

/// Collective. Each rank opens the file by itself, read-only, and reads its share of every array:
/// no rank holds the whole mesh. Blocks of all dimensions and all sets.
/// @param scale  metres per unit of the file
/// Throws InputError on all ranks when the file is not ours, of another version, truncated, or its
/// counts, node numbers or coordinates make no mesh.
/// Proved by tests/mpi/solidyn_mesh.
mesh::MeshSlices read_solidyn_mesh(MPI_Comm comm, const std::string& path, double scale = 1.0);

/// The same as one whole mesh. Local. Throws InputError too when it has 2^31 nodes or more.
mesh::Mesh read_whole_solidyn_mesh(const std::string& path, double scale = 1.0);

/// Whether the file is ours, by its name: it ends in .smesh.
bool is_solidyn_mesh_name(const std::string& path);

}  // namespace solidyn::formats

#pragma once
#include <string>
#include <string_view>

#include "solidyn/imported/solid_model.h"

/// Gmsh's mesh files, MSH 1, 2.x, 4.0 and 4.1, ASCII and binary (doc/meshes.md).
namespace solidyn::formats {

/// Reads a mesh. Solids, faces and lines of first and second order become blocks; those with nodes
/// inside their faces (hex27, wedge18, pyramid14, quad9) lose these nodes, with a warning; lines
/// and faces of higher order are left out with a warning; points only count for sets. Every
/// physical group becomes a set: the nodes of its elements, called by its name, or
/// "physical_<dimension>_<tag>" without one. When groups of several dimensions share a name, the
/// solids keep it and the others become
/// "<name>_<dimension>d". An element that is repeated at once for a further group (as MSH 2 does)
/// counts once. Node order in memory is Gmsh's (mesh/topology.h).
/// @param scale  metres per unit of the file, e.g. 1e-3 for millimetres
/// Throws InputError with line (ASCII) or byte (binary) when the file is damaged, or holds
/// solids of higher order. Local. Proved by tests/interop/gmsh and tests/robustness/meshes.
mesh::Mesh read_gmsh(const std::string& path, double scale = 1.0);

/// The same from memory; `file` is the name that errors carry.
mesh::Mesh parse_gmsh(std::string_view bytes, const std::string& file, double scale = 1.0);

/// The same, with its lines as beams: those of three nodes are two each. Their groups are the
/// physical groups of dimension 1, their sets of nodes those of points. @throws as read_gmsh()
imported::SolidModel read_gmsh_model(const std::string& path);

enum class GmshVersion { v2_2, v4_1 };
enum class GmshEncoding { ascii, binary };

/// Writes a mesh so that Gmsh, and read_gmsh, find the same nodes, elements, numbers and sets. A
/// set becomes the physical group of the elements of its dimension whose nodes it holds; for a set
/// of faces in a mesh without faces, the outer faces of the solids are written. Lengths are in
/// metres, or divided by `scale`. Throws ComputationError when the file cannot be written. Local.
void write_gmsh(const std::string& path, const mesh::Mesh& mesh,
                GmshVersion version = GmshVersion::v4_1,
                GmshEncoding encoding = GmshEncoding::ascii, double scale = 1.0);

}  // namespace solidyn::formats

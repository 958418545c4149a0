#pragma once
#include "solidyn/mesh/distributed_mesh.h"

namespace solidyn::mesh {

/// Prepares a mesh as read for distribute(), or reports all errors in it (doc/meshes.md).
///
/// Dropped, with a note: nodes of no element. Dropped, with a warning, from sets too: nodes and
/// elements that no solid holds. Warnings: elements inverted at nodes only, empty sets, parts
/// that are not connected, nodes at the same place.
///
/// Errors: no solid element at all; elements inverted or collapsed (Jacobian at the points of
/// smallest_jacobian() below 1e-9 of the cube of the longest edge); faces
/// shared by more than two solids, or by linear and quadratic ones.
/// @param file  the name that messages carry
/// Throws one InputError with a diagnostic for each kind of error. Local.
/// Proved by tests/unit/mesh/check_test.cpp.
void check(Mesh& mesh, const std::string& file);

/// Collective. The checks of single elements by check(), for a mesh that no rank holds as a whole:
/// inverted and collapsed ones are errors, those inverted at nodes only a warning. Throws on all
/// ranks what the first rank with faults found.
void check(const DistributedMesh& mesh, const std::string& file);

/// Number of parts of the solids that share no node. Nodes of no solid do not count. Local.
std::int64_t count_connected_parts(const Mesh& mesh);

}  // namespace solidyn::mesh

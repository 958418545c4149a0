#pragma once

namespace solidyn::bodies {

/// PETSc's name of nested dissection of the node graph (METIS), each node expanded to its three
/// rows. For a matrix on one rank.
constexpr const char* kNodeOrdering = "solidyn_nodes";

/// Makes it known to PETSc; a second call does nothing.
void register_node_ordering();

}  // namespace solidyn::bodies

#pragma once
#include <vector>

#include "solidyn/mesh/mesh.h"

namespace solidyn::formats {

/// Takes nodes inside faces and volumes out of a mesh and its sets, unless an element has them
/// after all. @param is_inner [n_nodes]   @return how many nodes left
std::int64_t drop_inner_nodes(std::vector<bool> is_inner, mesh::Mesh& mesh);

}  // namespace solidyn::formats

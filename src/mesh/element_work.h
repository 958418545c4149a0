#pragma once
#include "solidyn/elements/element_type.h"

namespace solidyn::mesh {

/// What an element weighs in a partition, as a whole number: as many as it has nodes, to which the
/// time of forces and of products without a matrix is about proportional.
inline int element_work(elements::ElementType type) { return elements::n_nodes(type); }

}  // namespace solidyn::mesh

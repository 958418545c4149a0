#pragma once
#include <array>
#include <vector>

#include "solidyn/elements/element_type.h"

namespace solidyn::elements {

/// Node i of our element is node `order[i]` of the same element in the order that Abaqus,
/// CalculiX's input and VTK share: corners as ours; then nodes on the edges around the bottom,
/// around the top, and between them. All types of at most second order; identity for linear ones.
/// Proved by EdgeOrder.MiddleNodesLieBetweenTheirCorners.
const std::vector<int>& around_order(ElementType type);

}  // namespace solidyn::elements

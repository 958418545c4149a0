#pragma once
#include <optional>

#include "solidyn/mesh/mesh.h"

namespace solidyn::formats {

/// A row of Gmsh's list of element types; `type` is empty for those that Solidyn has no element
/// for, and of fewer nodes for those with nodes inside faces.
struct GmshType {
  int number;
  const char* name;
  int dimension;
  int n_nodes;
  std::optional<elements::ElementType> type;
};

/// Second-order elements with nodes inside faces: quad9, hex27, wedge18, pyramid14. Without these
/// nodes they are quad8, hex20, wedge15, pyramid13.
bool has_inner_nodes(const GmshType& type);

/// nullptr when the number is not in the list.
const GmshType* find_gmsh_type(std::int64_t number);
inline constexpr int kGmshPoint = 15;

}  // namespace solidyn::formats

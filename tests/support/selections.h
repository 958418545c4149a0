#pragma once
#include <string>

#include "solidyn/mesh/interface.h"

namespace solidyn::test {

inline mesh::NodeSelection in_set(const std::string& set) { return mesh::NodesInSet{set}; }

/// An interface of a set's nodes, named like the set.
inline mesh::InterfaceDefinition at_set(const std::string& set,
                                        mesh::Attachment attach = mesh::Attachment::rbe3) {
  mesh::InterfaceDefinition definition;
  definition.name = set;
  definition.nodes = in_set(set);
  definition.attach = attach;
  return definition;
}

}  // namespace solidyn::test

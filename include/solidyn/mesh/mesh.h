#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "solidyn/elements/element_type.h"

namespace solidyn::mesh {

using elements::ElementType;

/// Elements of one type. `connectivity` holds n_nodes(type) node indices (columns of Mesh::x) per
/// element, one element after the other.
struct ElementBlock {
  ElementType type = ElementType::tet10;
  std::vector<std::int32_t> connectivity;
  std::vector<std::int64_t> tags;  ///< the element numbers of the file, one per element
  /// The region of each element, whose material and integration the reader's model tells; empty:
  /// all elements are of region 0.
  std::vector<std::int32_t> regions = {};
  std::int64_t size() const { return static_cast<std::int64_t>(tags.size()); }
  std::int32_t region(std::int64_t e) const { return regions.empty() ? 0 : regions[e]; }
};

/// A named set (Gmsh physical group, Nastran SET, Abaqus NSET/ELSET): the nodes of its elements,
/// sorted.
struct NodeSet {
  int dimension = 0;  ///< of the elements that made it; 0 for a bare set of nodes
  std::vector<std::int32_t> nodes;
};

/// A whole mesh in one memory, as a file holds it. Node coordinates in metres (readers take a
/// scale).
struct Mesh {
  Eigen::Matrix3Xd x;                   ///< [3 x n] node coordinates, m
  std::vector<std::int64_t> node_tags;  ///< [n] the node numbers of the file
  std::vector<ElementBlock> blocks;     ///< at most one block per type
  std::map<std::string, NodeSet> sets;
  std::int64_t n_nodes() const { return x.cols(); }
  const ElementBlock* find_block(ElementType type) const;
};

}  // namespace solidyn::mesh

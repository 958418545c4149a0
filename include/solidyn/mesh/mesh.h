#pragma once
#include <Eigen/Dense>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace solidyn::mesh {

/// Element shapes, named by their node count. Node orders are Gmsh's.
enum class ElementType {
  line2,
  line3,
  tri3,
  tri6,
  quad4,
  quad8,
  tet4,
  tet10,
  hex8,
  hex20,
  wedge6,
  wedge15,
  pyramid5,
  pyramid13
};

int n_nodes(ElementType type);
int dimension(ElementType type);  ///< 1 lines, 2 faces, 3 solids
const char* name(ElementType type);
int n_corners(ElementType type);             ///< the nodes that are not in the middle of an edge
ElementType linear_of(ElementType type);     ///< the type of the same shape with corners only
ElementType quadratic_of(ElementType type);  ///< that with nodes in the middle of its edges too

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

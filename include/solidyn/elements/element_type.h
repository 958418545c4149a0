#pragma once
#include <array>
#include <cstddef>

namespace solidyn::elements {

/// Element shapes, named by their node count. Node orders are Gmsh's (topology.h).
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

/// What a shape is, and what other programs call it. Empty names: they have no such element.
struct ElementTraits {
  ElementType type;
  const char* name;
  int dimension;  ///< 1 lines, 2 faces, 3 solids
  int n_nodes;
  int gmsh;             ///< number in MSH files
  int vtk;              ///< number of the cell type in VTK files
  const char* xdmf;     ///< topology type in XDMF
  const char* nastran;  ///< card of solids, with and without nodes in the middle of edges
  const char* abaqus;   ///< solid of full integration
};

/// The one table of shapes, in the order of the enumeration.
inline constexpr std::array<ElementTraits, 14> kElements = {{
    {ElementType::line2, "line2", 1, 2, 1, 3, "Polyline", "", ""},
    {ElementType::line3, "line3", 1, 3, 8, 21, "Edge_3", "", ""},
    {ElementType::tri3, "tri3", 2, 3, 2, 5, "Triangle", "", ""},
    {ElementType::tri6, "tri6", 2, 6, 9, 22, "Triangle_6", "", ""},
    {ElementType::quad4, "quad4", 2, 4, 3, 9, "Quadrilateral", "", ""},
    {ElementType::quad8, "quad8", 2, 8, 16, 23, "Quadrilateral_8", "", ""},
    {ElementType::tet4, "tet4", 3, 4, 4, 10, "Tetrahedron", "CTETRA", "C3D4"},
    {ElementType::tet10, "tet10", 3, 10, 11, 24, "Tetrahedron_10", "CTETRA", "C3D10"},
    {ElementType::hex8, "hex8", 3, 8, 5, 12, "Hexahedron", "CHEXA", "C3D8"},
    {ElementType::hex20, "hex20", 3, 20, 17, 25, "Hexahedron_20", "CHEXA", "C3D20"},
    {ElementType::wedge6, "wedge6", 3, 6, 6, 13, "Wedge", "CPENTA", "C3D6"},
    {ElementType::wedge15, "wedge15", 3, 15, 18, 26, "Wedge_15", "CPENTA", "C3D15"},
    {ElementType::pyramid5, "pyramid5", 3, 5, 7, 14, "Pyramid", "CPYRAM", "C3D5"},
    {ElementType::pyramid13, "pyramid13", 3, 13, 19, 27, "Pyramid_13", "CPYRAM", ""},
}};

constexpr const ElementTraits& traits(ElementType type) {
  return kElements[static_cast<std::size_t>(type)];
}
constexpr int n_nodes(ElementType type) { return traits(type).n_nodes; }
constexpr int dimension(ElementType type) { return traits(type).dimension; }
constexpr const char* name(ElementType type) { return traits(type).name; }
/// The type of the same shape with corners only. Each stands right before its quadratic one.
constexpr ElementType linear_of(ElementType type) {
  return static_cast<ElementType>(static_cast<int>(type) / 2 * 2);
}
/// That with nodes in the middle of its edges too.
constexpr ElementType quadratic_of(ElementType type) {
  return static_cast<ElementType>(static_cast<int>(linear_of(type)) + 1);
}
/// The nodes that are not in the middle of an edge.
constexpr int n_corners(ElementType type) { return n_nodes(linear_of(type)); }

}  // namespace solidyn::elements

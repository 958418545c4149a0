#include "formats/gmsh/types.h"

#include <algorithm>
#include <array>

namespace solidyn::formats {
namespace {

using mesh::ElementType;

const std::array<GmshType, 33> kTypes = {{
    {1, "line2", 1, 2, ElementType::line2},
    {2, "tri3", 2, 3, ElementType::tri3},
    {3, "quad4", 2, 4, ElementType::quad4},
    {4, "tet4", 3, 4, ElementType::tet4},
    {5, "hex8", 3, 8, ElementType::hex8},
    {6, "wedge6", 3, 6, ElementType::wedge6},
    {7, "pyramid5", 3, 5, ElementType::pyramid5},
    {8, "line3", 1, 3, ElementType::line3},
    {9, "tri6", 2, 6, ElementType::tri6},
    {10, "quad9", 2, 9, ElementType::quad8},
    {11, "tet10", 3, 10, ElementType::tet10},
    {12, "hex27", 3, 27, ElementType::hex20},
    {13, "wedge18", 3, 18, ElementType::wedge15},
    {14, "pyramid14", 3, 14, ElementType::pyramid13},
    {15, "point", 0, 1, {}},
    {16, "quad8", 2, 8, ElementType::quad8},
    {17, "hex20", 3, 20, ElementType::hex20},
    {18, "wedge15", 3, 15, ElementType::wedge15},
    {19, "pyramid13", 3, 13, ElementType::pyramid13},
    {20, "tri9", 2, 9, {}},
    {21, "tri10", 2, 10, {}},
    {22, "tri12", 2, 12, {}},
    {23, "tri15", 2, 15, {}},
    {24, "tri15i", 2, 15, {}},
    {25, "tri21", 2, 21, {}},
    {26, "line4", 1, 4, {}},
    {27, "line5", 1, 5, {}},
    {28, "line6", 1, 6, {}},
    {29, "tet20", 3, 20, {}},
    {30, "tet35", 3, 35, {}},
    {31, "tet56", 3, 56, {}},
    {92, "hex64", 3, 64, {}},
    {93, "hex125", 3, 125, {}},
}};

}  // namespace

const GmshType* find_gmsh_type(std::int64_t number) {
  const auto found = std::find_if(kTypes.begin(), kTypes.end(),
                                  [number](const GmshType& type) { return type.number == number; });
  return found == kTypes.end() ? nullptr : &*found;
}

bool has_inner_nodes(const GmshType& type) {
  return type.type && type.n_nodes > mesh::n_nodes(*type.type);
}

int gmsh_number(ElementType type) {
  return std::find_if(
             kTypes.begin(), kTypes.end(),
             [type](const GmshType& row) { return row.type == type && !has_inner_nodes(row); })
      ->number;
}

}  // namespace solidyn::formats

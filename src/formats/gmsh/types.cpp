#include "formats/gmsh/types.h"

#include <algorithm>
#include <iterator>
#include <vector>

namespace solidyn::formats {
namespace {

using elements::ElementType;

// Beside those that are elements of Solidyn: with nodes inside, which are left out, and others.
constexpr GmshType kOthers[] = {
    {10, "quad9", 2, 9, ElementType::quad8},
    {12, "hex27", 3, 27, ElementType::hex20},
    {13, "wedge18", 3, 18, ElementType::wedge15},
    {14, "pyramid14", 3, 14, ElementType::pyramid13},
    {kGmshPoint, "point", 0, 1, {}},
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
};

const std::vector<GmshType>& types() {
  static const std::vector<GmshType> all = [] {
    std::vector<GmshType> made;
    made.reserve(elements::kElements.size() + std::size(kOthers));
    for (const elements::ElementTraits& e : elements::kElements)
      made.push_back({e.gmsh, e.name, e.dimension, e.n_nodes, e.type});
    made.insert(made.end(), std::begin(kOthers), std::end(kOthers));
    return made;
  }();
  return all;
}

}  // namespace

const GmshType* find_gmsh_type(std::int64_t number) {
  const auto found = std::find_if(types().begin(), types().end(),
                                  [number](const GmshType& type) { return type.number == number; });
  return found == types().end() ? nullptr : &*found;
}

bool has_inner_nodes(const GmshType& type) {
  return type.type && type.n_nodes > elements::n_nodes(*type.type);
}

}  // namespace solidyn::formats

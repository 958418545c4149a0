#include "formats/vtu/types.h"

#include <algorithm>

#include "solidyn/elements/edge_order.h"

namespace solidyn::formats {
namespace {

using elements::ElementType;

const std::vector<VtuType>& types() {
  static const std::vector<VtuType> all = [] {
    std::vector<VtuType> made;
    const auto add = [&made](int number, ElementType type, int n_nodes) {
      made.push_back({number, type, n_nodes, elements::around_order(type)});
    };
    for (const elements::ElementTraits& e : elements::kElements) add(e.vtk, e.type, e.n_nodes);
    // Behind those of our own, which writing finds first.
    add(28, ElementType::quad8, 9);
    add(29, ElementType::hex20, 27);
    add(32, ElementType::wedge15, 18);
    made.push_back({11, ElementType::hex8, 8, {0, 1, 3, 2, 4, 5, 7, 6}});  // voxel
    return made;
  }();
  return all;
}

}  // namespace

const VtuType* find_vtu_type(std::int64_t number) {
  const auto found = std::find_if(types().begin(), types().end(),
                                  [number](const VtuType& type) { return type.number == number; });
  return found == types().end() ? nullptr : &*found;
}

const VtuType& vtu_type(ElementType type) {
  return *std::find_if(types().begin(), types().end(),
                       [type](const VtuType& row) { return row.type == type; });
}

}  // namespace solidyn::formats

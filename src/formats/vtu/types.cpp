#include "formats/vtu/types.h"

#include <algorithm>

#include "formats/shared/edge_order.h"

namespace solidyn::formats {
namespace {

using mesh::ElementType;

const std::vector<VtuType>& types() {
  static const std::vector<VtuType> all = [] {
    std::vector<VtuType> made;
    const auto add = [&made](int number, ElementType type, int n_nodes) {
      made.push_back({number, type, n_nodes, around_order(type)});
    };
    add(3, ElementType::line2, 2);
    add(5, ElementType::tri3, 3);
    add(9, ElementType::quad4, 4);
    add(10, ElementType::tet4, 4);
    add(12, ElementType::hex8, 8);
    add(13, ElementType::wedge6, 6);
    add(14, ElementType::pyramid5, 5);
    add(21, ElementType::line3, 3);
    add(22, ElementType::tri6, 6);
    add(23, ElementType::quad8, 8);
    add(24, ElementType::tet10, 10);
    add(25, ElementType::hex20, 20);
    add(26, ElementType::wedge15, 15);
    add(27, ElementType::pyramid13, 13);
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

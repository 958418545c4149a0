#pragma once
#include "solidyn/base/error.h"
#include "solidyn/elements/hexahedron.h"
#include "solidyn/elements/pyramid.h"
#include "solidyn/elements/tetrahedron.h"
#include "solidyn/elements/wedge.h"

namespace solidyn::elements {

/// Calls visit(Element{}) with the class of shape functions of a solid element type, so that a loop
/// over elements is written once: `visit_element(block.type, [&](auto element) { using Element =
/// decltype(element); ... })`. The type must be that of a solid (asserted).
template <class Visit>
void visit_element(ElementType type, const Visit& visit) {
  switch (type) {
    case ElementType::tet4:
      return visit(Tet4{});
    case ElementType::tet10:
      return visit(Tet10{});
    case ElementType::hex8:
      return visit(Hex8{});
    case ElementType::hex20:
      return visit(Hex20{});
    case ElementType::wedge6:
      return visit(Wedge6{});
    case ElementType::wedge15:
      return visit(Wedge15{});
    case ElementType::pyramid5:
      return visit(Pyramid5{});
    case ElementType::pyramid13:
      return visit(Pyramid13{});
    default:
      SOLIDYN_ASSERT(dimension(type) == 3);
  }
}

}  // namespace solidyn::elements

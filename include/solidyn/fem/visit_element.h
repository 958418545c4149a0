#pragma once
#include "solidyn/base/error.h"
#include "solidyn/fem/hexahedron.h"
#include "solidyn/fem/pyramid.h"
#include "solidyn/fem/tetrahedron.h"
#include "solidyn/fem/wedge.h"

namespace solidyn::fem {

/// Calls visit(Element{}) with the class of shape functions of a solid element type, so that a loop
/// over elements is written once: `visit_element(block.type, [&](auto element) { using Element =
/// decltype(element); ... })`. The type must be that of a solid (asserted).
template <class Visit>
void visit_element(mesh::ElementType type, const Visit& visit) {
  switch (type) {
    case mesh::ElementType::tet4:
      return visit(Tet4{});
    case mesh::ElementType::tet10:
      return visit(Tet10{});
    case mesh::ElementType::hex8:
      return visit(Hex8{});
    case mesh::ElementType::hex20:
      return visit(Hex20{});
    case mesh::ElementType::wedge6:
      return visit(Wedge6{});
    case mesh::ElementType::wedge15:
      return visit(Wedge15{});
    case mesh::ElementType::pyramid5:
      return visit(Pyramid5{});
    case mesh::ElementType::pyramid13:
      return visit(Pyramid13{});
    default:
      SOLIDYN_ASSERT(mesh::dimension(type) == 3);
  }
}

}  // namespace solidyn::fem

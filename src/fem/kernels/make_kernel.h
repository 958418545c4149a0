#pragma once
#include "fem/kernels/corotational.h"
#include "fem/kernels/total_lagrangian.h"
#include "solidyn/elements/quadrature.h"

namespace solidyn::fem {

/// The table of a rule, which kernels refer to: an element has one rule, hex20 may have two.
template <class Element, Shape shape>
const PointTable<Element>& point_table(int degree) {
  if constexpr (Element::type == elements::ElementType::hex20) {
    static const PointTable<Element> reduced(
        elements::make_rule<Element>(elements::kReducedHex20Degree));
    if (degree == elements::kReducedHex20Degree) return reduced;
  }
  static const PointTable<Element> table(elements::make_rule<Element>(degree));
  return table;
}

/// The kernel of an element with the law of the options; its rule has degree `degree`. Instantiated
/// in one source per family of elements, so that these compile side by side.
template <class Element, Shape shape>
std::unique_ptr<BatchKernel> make_kernel(const SolidOptions& options, int degree) {
  const PointTable<Element>& table = point_table<Element, shape>(degree);
  switch (options.formulation) {
    case SolidFormulation::st_venant_kirchhoff:
      return std::make_unique<TotalLagrangianKernel<Element, shape, StVenantKirchhoff>>(table,
                                                                                        options);
    case SolidFormulation::neo_hookean:
      return std::make_unique<TotalLagrangianKernel<Element, shape, NeoHookean>>(table, options);
    case SolidFormulation::corotational:
      return std::make_unique<CorotationalKernel<Element, shape>>(table, options);
  }
  return nullptr;
}

}  // namespace solidyn::fem

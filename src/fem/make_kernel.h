#pragma once
#include "corotational.h"
#include "solidyn/fem/quadrature.h"
#include "total_lagrangian.h"

namespace solidyn::fem {

/// The kernel of an element with the law of the options; its rule has degree `degree`. Instantiated
/// in one source per family of elements, so that these compile side by side.
template <class Element, Shape shape>
std::unique_ptr<BatchKernel> make_kernel(const SolidOptions& options, int degree) {
  static const PointTable<Element> table(make_rule<Element>(degree));
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

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

/// In materials::LargeStrainLaws.
inline const char* name_of_law(SolidFormulation formulation) {
  return formulation == SolidFormulation::neo_hookean ? "neo_hookean" : "st_venant_kirchhoff";
}

/// The kernel of an element with the law of the options; its rule has degree `degree`. Instantiated
/// in one source per family of elements, so that these compile side by side.
template <class Element, Shape shape>
std::unique_ptr<BatchKernel> make_kernel(const SolidOptions& options, int degree) {
  const PointTable<Element>& table = point_table<Element, shape>(degree);
  std::unique_ptr<BatchKernel> kernel;
  if (options.formulation == SolidFormulation::corotational)
    materials::visit_small_strain_law(options.material, [&](auto law) {
      using Law = typename decltype(law)::type;
      kernel = std::make_unique<CorotationalKernel<Element, shape, Law>>(table, options);
    });
  else
    materials::visit_large_strain_law(
        name_of_law(options.formulation), options.material, [&](auto law) {
          using Law = typename decltype(law)::type;
          kernel = std::make_unique<TotalLagrangianKernel<Element, shape, Law>>(table, options);
        });
  return kernel;
}

}  // namespace solidyn::fem

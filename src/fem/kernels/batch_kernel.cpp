#include "fem/kernels/batch_kernel.h"

#include "fem/kernels/stored_stiffness.h"
#include "solidyn/elements/quadrature.h"
#include "solidyn/elements/visit_element.h"

namespace solidyn::fem {

// In kernels_*.cpp.
template <class Element, Shape shape>
std::unique_ptr<BatchKernel> make_kernel(const SolidOptions& options, int degree);

namespace {

std::unique_ptr<BatchKernel> make_stored_hex8_kernel(const SolidOptions& options) {
  if (options.formulation != SolidFormulation::corotational)
    throw base::InputError(
        "hex8 elements with b_bar or incompatible_modes have no total Lagrangian form",
        "use hex8: standard, or a corotational body");
  static const PointTable<elements::Hex8> table(
      elements::make_rule<elements::Hex8>(elements::stiffness_degree(elements::Hex8::type)));
  return std::make_unique<StoredHex8Kernel>(table, options);
}

}  // namespace

std::unique_ptr<BatchKernel> make_batch_kernel(elements::ElementType type, Shape shape,
                                               const SolidOptions& options) {
  const int degree = elements::stiffness_degree(type);
  if (type == elements::ElementType::tet4)
    return make_kernel<elements::Tet4, Shape::affine>(options, degree);
  // Exact for the linear stiffness, as compute_stiffness() has it.
  if (type == elements::ElementType::tet10 && shape == Shape::affine)
    return make_kernel<elements::Tet10, Shape::affine>(options, 2);
  if (type == elements::ElementType::hex8 && options.hex8 != Hex8Formulation::standard)
    return make_stored_hex8_kernel(options);
  if (type == elements::ElementType::hex20 && options.hex20 == Hex20Integration::reduced)
    return make_kernel<elements::Hex20, Shape::curved>(options, elements::kReducedHex20Degree);
  std::unique_ptr<BatchKernel> kernel;
  elements::visit_element(type, [&](auto element) {
    using Element = decltype(element);
    if constexpr (Element::n_nodes != 4)
      kernel = make_kernel<Element, Shape::curved>(options, degree);
  });
  return kernel;
}

}  // namespace solidyn::fem

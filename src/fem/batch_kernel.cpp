#include "batch_kernel.h"

#include "solidyn/fem/quadrature.h"
#include "solidyn/fem/visit_element.h"
#include "stored_stiffness.h"

namespace solidyn::fem {

// In kernels_*.cpp.
template <class Element, Shape shape>
std::unique_ptr<BatchKernel> make_kernel(const SolidOptions& options, int degree);

namespace {

std::unique_ptr<BatchKernel> make_stored_hex8_kernel(const SolidOptions& options) {
  if (options.formulation != SolidFormulation::corotational)
    throw base::InputError(
        "hex8 elements with b_bar or incompatible_modes have no total Lagrangian form",
        "take hex8: standard, or a corotational body");
  static const PointTable<Hex8> table(make_rule<Hex8>(stiffness_degree(Hex8::type)));
  return std::make_unique<StoredHex8Kernel>(table, options);
}

}  // namespace

std::unique_ptr<BatchKernel> make_batch_kernel(mesh::ElementType type, Shape shape,
                                               const SolidOptions& options) {
  const int degree = stiffness_degree(type);
  if (type == mesh::ElementType::tet4) return make_kernel<Tet4, Shape::affine>(options, degree);
  // Exact for the linear stiffness, as compute_stiffness() has it.
  if (type == mesh::ElementType::tet10 && shape == Shape::affine)
    return make_kernel<Tet10, Shape::affine>(options, 2);
  if (type == mesh::ElementType::hex8 && options.hex8 != Hex8Formulation::standard)
    return make_stored_hex8_kernel(options);
  if (type == mesh::ElementType::hex20 && options.hex20 == Hex20Integration::reduced)
    return make_kernel<Hex20, Shape::curved>(options, kReducedHex20Degree);
  std::unique_ptr<BatchKernel> kernel;
  visit_element(type, [&](auto element) {
    using Element = decltype(element);
    if constexpr (Element::n_nodes != 4)
      kernel = make_kernel<Element, Shape::curved>(options, degree);
  });
  return kernel;
}

}  // namespace solidyn::fem

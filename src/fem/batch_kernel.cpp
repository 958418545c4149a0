#include "batch_kernel.h"

#include "solidyn/fem/quadrature.h"
#include "solidyn/fem/visit_element.h"

namespace solidyn::fem {

// In kernels_*.cpp.
template <class Element, Shape shape>
std::unique_ptr<BatchKernel> make_kernel(const SolidOptions& options, int degree);

std::unique_ptr<BatchKernel> make_batch_kernel(mesh::ElementType type, Shape shape,
                                               const SolidOptions& options) {
  const int degree = stiffness_degree(type);
  if (type == mesh::ElementType::tet4) return make_kernel<Tet4, Shape::affine>(options, degree);
  // Exact for the linear stiffness, as compute_stiffness() has it.
  if (type == mesh::ElementType::tet10 && shape == Shape::affine)
    return make_kernel<Tet10, Shape::affine>(options, 2);
  std::unique_ptr<BatchKernel> kernel;
  visit_element(type, [&](auto element) {
    using Element = decltype(element);
    if constexpr (Element::n_nodes != 4)
      kernel = make_kernel<Element, Shape::curved>(options, degree);
  });
  return kernel;
}

}  // namespace solidyn::fem

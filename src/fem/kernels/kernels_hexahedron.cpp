#include "fem/kernels/make_kernel.h"
#include "solidyn/elements/hexahedron.h"

namespace solidyn::fem {

template std::unique_ptr<BatchKernel> make_kernel<elements::Hex8, Shape::curved>(
    const SolidOptions&, int);
template std::unique_ptr<BatchKernel> make_kernel<elements::Hex20, Shape::curved>(
    const SolidOptions&, int);

}  // namespace solidyn::fem

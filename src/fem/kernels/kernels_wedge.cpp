#include "fem/kernels/make_kernel.h"
#include "solidyn/elements/wedge.h"

namespace solidyn::fem {

template std::unique_ptr<BatchKernel> make_kernel<elements::Wedge6, Shape::curved>(
    const SolidOptions&, int);
template std::unique_ptr<BatchKernel> make_kernel<elements::Wedge15, Shape::curved>(
    const SolidOptions&, int);

}  // namespace solidyn::fem

#include "fem/kernels/make_kernel.h"
#include "solidyn/elements/pyramid.h"

namespace solidyn::fem {

template std::unique_ptr<BatchKernel> make_kernel<elements::Pyramid5, Shape::curved>(
    const SolidOptions&, int);
template std::unique_ptr<BatchKernel> make_kernel<elements::Pyramid13, Shape::curved>(
    const SolidOptions&, int);

}  // namespace solidyn::fem

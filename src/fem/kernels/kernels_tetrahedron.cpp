#include "fem/kernels/make_kernel.h"
#include "solidyn/elements/tetrahedron.h"

namespace solidyn::fem {

template std::unique_ptr<BatchKernel> make_kernel<elements::Tet4, Shape::affine>(
    const SolidOptions&, int);
template std::unique_ptr<BatchKernel> make_kernel<elements::Tet10, Shape::affine>(
    const SolidOptions&, int);
template std::unique_ptr<BatchKernel> make_kernel<elements::Tet10, Shape::curved>(
    const SolidOptions&, int);

}  // namespace solidyn::fem

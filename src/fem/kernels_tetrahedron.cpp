#include "make_kernel.h"
#include "solidyn/fem/tetrahedron.h"

namespace solidyn::fem {

template std::unique_ptr<BatchKernel> make_kernel<Tet4, Shape::affine>(const SolidOptions&, int);
template std::unique_ptr<BatchKernel> make_kernel<Tet10, Shape::affine>(const SolidOptions&, int);
template std::unique_ptr<BatchKernel> make_kernel<Tet10, Shape::curved>(const SolidOptions&, int);

}  // namespace solidyn::fem

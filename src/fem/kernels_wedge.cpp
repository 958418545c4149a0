#include "make_kernel.h"
#include "solidyn/fem/wedge.h"

namespace solidyn::fem {

template std::unique_ptr<BatchKernel> make_kernel<Wedge6, Shape::curved>(const SolidOptions&, int);
template std::unique_ptr<BatchKernel> make_kernel<Wedge15, Shape::curved>(const SolidOptions&, int);

}  // namespace solidyn::fem

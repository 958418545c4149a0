#include "eigen_products.h"

#if !EIGEN_VERSION_AT_LEAST(3, 4, 90)
#define SOLIDYN_INSTANCE template
#include "eigen_products.inc"
#undef SOLIDYN_INSTANCE
#endif

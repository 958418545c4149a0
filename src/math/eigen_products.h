#pragma once
#include <Eigen/Dense>

/// Eigen's kernels of products, compiled once (eigen_products.cpp) instead of in every file that
/// multiplies two matrices. It is part of the precompiled headers and changes nothing but the time
/// to compile: no file includes it by name. The list is of Eigen 3.4, whose internals these are.
#if !EIGEN_VERSION_AT_LEAST(3, 4, 90)
namespace Eigen::internal {
using ProductTraits_ = gebp_traits<double, double>;
using ByColumns_ = const_blas_data_mapper<double, Index, ColMajor>;
using ByRows_ = const_blas_data_mapper<double, Index, RowMajor>;
using Answer_ = blas_data_mapper<double, Index, ColMajor, Unaligned, 1>;
}  // namespace Eigen::internal
#define SOLIDYN_INSTANCE extern template
#include "eigen_products.inc"
#undef SOLIDYN_INSTANCE
#endif

#pragma once
#include <Eigen/Core>
#include <type_traits>

/// Products of matrices that have a few to some thirty rows, whose number is not known beforehand.
/// Eigen's kernels for large ones take longer to begin than these do to end, and its plain loops
/// go by single entries wherever a column is not aligned.
namespace solidyn::math {

namespace small_product {

// C += sign A B of a block of rows and columns, by column-major matrices.
template <int n_rows, int n_columns>
inline void add_block(const double* A, Eigen::Index stride_A, const double* B,
                      Eigen::Index stride_B, double* C, Eigen::Index stride_C, Eigen::Index depth,
                      double sign) {
  using Rows = Eigen::Matrix<double, n_rows, 1>;
  Rows sum[n_columns];
  for (int j = 0; j < n_columns; ++j) sum[j].setZero();
  for (Eigen::Index k = 0; k < depth; ++k) {
    const Rows a = Eigen::Map<const Rows>(A + k * stride_A);
    for (int j = 0; j < n_columns; ++j) sum[j] += B[k + j * stride_B] * a;
  }
  for (int j = 0; j < n_columns; ++j) Eigen::Map<Rows>(C + j * stride_C) += sign * sum[j];
}

template <int n_columns>
inline void add_columns(const double* A, Eigen::Index stride_A, const double* B,
                        Eigen::Index stride_B, double* C, Eigen::Index stride_C,
                        Eigen::Index n_rows, Eigen::Index depth, double sign) {
  Eigen::Index i = 0;
  const auto add = [&](auto block) {
    constexpr int n = decltype(block)::value;
    add_block<n, n_columns>(A + i, stride_A, B, stride_B, C + i, stride_C, depth, sign);
  };
  for (; i + 8 <= n_rows; i += 8) add(std::integral_constant<int, 8>());
  for (; i + 4 <= n_rows; i += 4) add(std::integral_constant<int, 4>());
  for (; i + 2 <= n_rows; i += 2) add(std::integral_constant<int, 2>());
  if (i < n_rows) add(std::integral_constant<int, 1>());
}

// From where on Eigen's kernels are faster, measured: of vectors by entries of A, of matrices by
// rows and depth.
constexpr Eigen::Index kMostEntries = 1000, kMostRows = 16, kMostDepth = 12;

}  // namespace small_product

/// C += sign A B; what is not small goes to Eigen. @pre shapes fit, all column-major with
/// contiguous columns, C is none of the others. Local, no allocation where it is small.
/// Proved by SmallProduct.*
template <class Left, class Right, class Sum>
void add_small_product(const Left& A, const Right& B, Sum&& C, double sign = 1.0) {
  static_assert(
      !((Left::Flags | Right::Flags | std::remove_reference_t<Sum>::Flags) & Eigen::RowMajorBit));
  const Eigen::Index n_rows = A.rows(), depth = A.cols(), n = B.cols();
  eigen_assert(B.rows() == depth && C.rows() == n_rows && C.cols() == n);
  if (n == 1 ? n_rows * depth > small_product::kMostEntries
             : n_rows > small_product::kMostRows && depth > small_product::kMostDepth) {
    C.noalias() += sign * A * B;
    return;
  }
  const double *a = A.data(), *b = B.data();
  double* c = C.data();
  const Eigen::Index stride_A = A.outerStride(), stride_B = B.outerStride(),
                     stride_C = C.outerStride();
  Eigen::Index j = 0;
  for (; j + 4 <= n; j += 4)
    small_product::add_columns<4>(a, stride_A, b + j * stride_B, stride_B, c + j * stride_C,
                                  stride_C, n_rows, depth, sign);
  for (; j < n; ++j)
    small_product::add_columns<1>(a, stride_A, b + j * stride_B, stride_B, c + j * stride_C,
                                  stride_C, n_rows, depth, sign);
}

}  // namespace solidyn::math

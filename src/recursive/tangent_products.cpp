#include "recursive/tangent_products.h"

#include <algorithm>
#include <cmath>

namespace solidyn::recursive {

using Eigen::ArrayXXd;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

// Of the largest far entry: the rest is round-off.
constexpr double kNotCoupled = 1e-14;
// Of the largest entry of its row and column: with less a product is much larger than what it is
// taken from, and the difference loses these digits. Levers of a thousand metres are allowed.
constexpr double kLeastPivot = 1e-3;
bool is_pivot(const MatrixXd& A, Eigen::Index i, Eigen::Index j) {
  return std::abs(A(i, j)) >= kLeastPivot * std::max(A.row(i).lpNorm<Eigen::Infinity>(),
                                                     A.col(j).lpNorm<Eigen::Infinity>());
}

}  // namespace

std::vector<TangentProduct> take_products(MatrixXd& A, const ArrayXXd& far, const ArrayXXd& first) {
  std::vector<TangentProduct> products;
  const double least = kNotCoupled * (A.array().abs() * far).maxCoeff();
  products.reserve(A.rows());
  for (;;) {
    Eigen::Index i = 0, j = 0, i_first = 0, j_first = 0;
    const ArrayXXd sizes = A.array().abs() * far;
    if (!(sizes.maxCoeff(&i, &j) > least)) return products;
    if ((sizes * first).maxCoeff(&i_first, &j_first) > least && is_pivot(A, i_first, j_first)) {
      i = i_first;
      j = j_first;
    } else if (!is_pivot(A, i, j)) {
      A.cwiseAbs().maxCoeff(&i, &j);
    }
    const VectorXd column = A.col(j), row = A.row(i).transpose() / A(i, j);
    const double size = column.norm();
    products.push_back({column / size, size * row});
    A -= column * row.transpose();
    A.row(i).setZero();
    A.col(j).setZero();
  }
}

}  // namespace solidyn::recursive

#pragma once
#include <Eigen/Dense>
#include <vector>

namespace solidyn::recursive {

/// One term `force` `row`^T of a matrix: |force| = 1.
struct TangentProduct {
  Eigen::VectorXd force, row;
};

/// Takes products from A until its entries where `far` is one are zero: A = sum of them + what is
/// left of A. By Gaussian elimination: the pivot is the largest far entry, among those of `first`
/// while there are some, so that a force between two points is three products; where it is small
/// beside its row or column, the largest entry of all A. Columns of A are of comparable size.
/// What a stiff force does to the bodies by themselves goes with the products.
/// @param far, first  [as A]: 0 or 1
/// Local. Proved by TangentProducts.*
std::vector<TangentProduct> take_products(Eigen::MatrixXd& A, const Eigen::ArrayXXd& far,
                                          const Eigen::ArrayXXd& first);

}  // namespace solidyn::recursive

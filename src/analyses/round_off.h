#pragma once
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>

namespace solidyn::analyses {

/// by^H matrix v is round-off of its terms, or of what its largest entry could make. What the
/// matrix is made of cancels in a rigid motion, and is not zero in the computer. [n x n], [n], [n]
template <class Matrix>
bool cancels(const Matrix& matrix, const Eigen::VectorXcd& by, const Eigen::VectorXcd& v) {
  constexpr double kCancels = 1e-12, kRoundOff = 1e-14;
  if (matrix.size() == 0) return true;
  const Matrix sizes = matrix.cwiseAbs();
  const Eigen::VectorXd of_v = v.cwiseAbs(), terms = sizes * of_v;
  const double largest = (sizes * Eigen::VectorXd::Ones(sizes.cols())).maxCoeff();
  const Eigen::VectorXd real = matrix * Eigen::VectorXd(v.real()),
                        imaginary = matrix * Eigen::VectorXd(v.imag());
  Eigen::VectorXcd product(real.size());
  product.real() = real;
  product.imag() = imaginary;
  const double bound =
      std::max(kCancels * by.cwiseAbs().dot(terms), kRoundOff * largest * by.norm() * v.norm());
  return std::abs(by.dot(product)) <= bound;
}

}  // namespace solidyn::analyses

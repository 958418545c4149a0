#include "missed_saddle.h"

#include <cmath>
#include <limits>
#include <vector>

#include "triplets.h"

namespace solidyn::analyses {
namespace {

using Complex = std::complex<double>;
using Eigen::Index;
using Eigen::VectorXcd;
using Eigen::VectorXd;

VectorXcd sparse_times(const ScaledEquations::Matrix& a, const VectorXcd& x) {
  VectorXcd product(a.rows());
  product.real() = a * VectorXd(x.real());
  product.imag() = a * VectorXd(x.imag());
  return product;
}

}  // namespace

MissedSaddle::MissedSaddle(const ScaledEquations& e, double shift) : e_(e), shift_(shift) {
  const Index n = e.n(), size = n + e.G.rows();
  std::vector<Eigen::Triplet<double>> list;
  add_block(e.M, shift * shift, 0, 0, list);
  add_block(e.D, shift, 0, 0, list);
  add_block(e.K, 1.0, 0, 0, list);
  add_block(e.B, e.stiffness, 0, n, list);
  add_block(e.G, e.stiffness, n, 0, list);
  ScaledEquations::Matrix matrix(size, size);
  matrix.setFromTriplets(list.begin(), list.end());
  lu_.compute(matrix);
}

// Of z = [x; x'/shift] with x' = s x, e is missed as MissedEquation::by() has it.
double MissedSaddle::by(Complex s, const VectorXcd& x) const {
  if (lu_.has_failed()) return std::numeric_limits<double>::infinity();
  const Index n = e_.n();
  VectorXcd rest(n + e_.G.rows());
  rest << s * s * sparse_times(e_.M, x) + s * sparse_times(e_.D, x) + sparse_times(e_.K, x),
      e_.stiffness * sparse_times(e_.G, x);
  for (Index i = 0; i < e_.G.rows(); ++i)
    if (e_.is_rate[i]) rest[n + i] *= s / shift_;
  VectorXcd missed(n);
  missed.real() = lu_.solve(VectorXd(rest.real())).head(n);
  missed.imag() = lu_.solve(VectorXd(rest.imag())).head(n);
  const double nearness = s == 0.0 ? 1.0 : std::abs(s - shift_) / std::abs(s);
  return std::sqrt(2.0) * missed.norm() / (x.norm() * std::hypot(1.0, std::abs(s) / shift_)) *
         nearness;
}

}  // namespace solidyn::analyses

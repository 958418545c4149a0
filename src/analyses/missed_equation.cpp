#include "missed_equation.h"

#include <cmath>

namespace solidyn::analyses {
namespace {

using Complex = std::complex<double>;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;

VectorXcd times(const MatrixXd& a, const VectorXcd& x) {
  VectorXcd product(a.rows());
  product.real() = a * x.real();
  product.imag() = a * x.imag();
  return product;
}

}  // namespace

// y' = Z u + C y + q and M u' + D u + K y = r with ' = shift: y = (shift - C)^-1 (Z u + q) and
// (shift M + D + K (shift - C)^-1 Z) u = r - K (shift - C)^-1 q.
MissedEquation::MissedEquation(const MinimalCoordinates& m, double shift) : m_(m), shift_(shift) {
  if (m.C.isZero(0.0)) {
    y_by_rates_ = MatrixXd::Identity(m.n_y(), m.n_y()) / shift;
    y_by_u_ = m.Z / shift;
  } else {
    y_by_rates_ = math::LuFactor(shift * MatrixXd::Identity(m.n_y(), m.n_y()) - m.C).inverse();
    y_by_u_ = y_by_rates_ * m.Z;
  }
  const MatrixXd equations = shift * m.M + m.D + m.K * y_by_u_;
  sizes_ = equations.rowwise().lpNorm<Eigen::Infinity>().cwiseMax(1e-300).cwiseInverse();
  factor_.compute(sizes_.asDiagonal() * equations);
}

// With e = (A - shift E)^-1 (A - s E) z the inverse's eigenvalue 1/(s - shift) is missed by the
// part |e|/|z| of it. u = Z^T (s y - C y) meets the equations of rates but for q, across Z: a law
// of first order, which no u can meet.
double MissedEquation::by(Complex s, const VectorXcd& y) const {
  const VectorXcd rate = s * y - times(m_.C, y), u = times(m_.Z.transpose(), rate),
                  q_y = times(y_by_rates_, rate - times(m_.Z, u)),
                  rest = sizes_.cast<Complex>().cwiseProduct(s * times(m_.M, u) + times(m_.D, u) +
                                                             times(m_.K, y - q_y));
  VectorXcd e_u(u.size());
  e_u.real() = factor_.solve(VectorXd(rest.real()));
  e_u.imag() = factor_.solve(VectorXd(rest.imag()));
  const VectorXcd e_y = times(y_by_u_, e_u) + q_y;
  const double missed = std::hypot(e_y.norm(), e_u.norm() / shift_),
               size = std::hypot(y.norm(), u.norm() / shift_),
               nearness = s == 0.0 ? 1.0 : std::abs(s - shift_) / std::abs(s);
  return size > 0.0 ? missed / size * nearness : 0.0;
}

}  // namespace solidyn::analyses

#include "fem/kernels/stress_fit.h"

#include "solidyn/math/dense.h"

namespace solidyn::fem {
namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;

MatrixXd make_terms(elements::ElementType type, const Matrix3Xd& rst) {
  const bool is_hex20 = type == elements::ElementType::hex20;
  const bool is_wedge15 = type == elements::ElementType::wedge15;
  MatrixXd terms(rst.cols(), is_hex20 ? 8 : is_wedge15 ? 6 : 4);
  for (Eigen::Index i = 0; i < rst.cols(); ++i) {
    const double r = rst(0, i), s = rst(1, i), t = rst(2, i);
    terms.row(i).head<4>() << 1.0, r, s, t;
    if (is_hex20) terms.row(i).tail<4>() << r * s, s * t, t * r, r * s * t;
    if (is_wedge15) terms.row(i).tail<2>() << r * t, s * t;
  }
  return terms;
}

}  // namespace

PolynomialFit::PolynomialFit(elements::ElementType type, const Matrix3Xd& points,
                             const Matrix3Xd& nodes) {
  MatrixXd at_points = make_terms(type, points);
  at_nodes = make_terms(type, nodes);
  if (points.cols() == 1) {
    at_points = at_points.leftCols<1>().eval();
    at_nodes = at_nodes.leftCols<1>().eval();
  }
  from_points = math::LeastSquares(at_points).pseudo_inverse();
}

MatrixXd PolynomialFit::nodes_from_points() const { return at_nodes * from_points; }

}  // namespace solidyn::fem

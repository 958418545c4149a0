#include "solidyn/fem/quadrature.h"

#include <cmath>

#include "solidyn/base/error.h"

namespace solidyn::fem {
namespace {

using Eigen::Vector3d;

// Appends the orbit of (a, a, a, 1 - 3a) in barycentric coordinates: four points.
void add_corner_orbit(double a, double weight, Quadrature& rule, int& at) {
  for (int i = 0; i < 4; ++i) {
    Eigen::Vector4d barycentric = Eigen::Vector4d::Constant(a);
    barycentric[i] = 1.0 - 3.0 * a;
    rule.points.col(at) = barycentric.tail<3>();
    rule.weights[at++] = weight;
  }
}

// Appends the orbit of (a, a, 1/2 - a, 1/2 - a): six points.
void add_edge_orbit(double a, double weight, Quadrature& rule, int& at) {
  for (int i = 0; i < 4; ++i)
    for (int j = i + 1; j < 4; ++j) {
      Eigen::Vector4d barycentric = Eigen::Vector4d::Constant(0.5 - a);
      barycentric[i] = barycentric[j] = a;
      rule.points.col(at) = barycentric.tail<3>();
      rule.weights[at++] = weight;
    }
}

Quadrature make_empty(int n) { return {Eigen::Matrix3Xd(3, n), Eigen::VectorXd(n)}; }

// Gauss-Jacobi nodes and weights for the weight (1 - x)^alpha on [0, 1], by Golub and Welsch.
void gauss_jacobi(int n, int alpha, Eigen::VectorXd& x, Eigen::VectorXd& w) {
  Eigen::VectorXd diagonal(n), off(n - 1);
  for (int k = 0; k < n; ++k) {
    const double s = 2.0 * k + alpha;
    diagonal[k] = k == 0 ? -alpha / (alpha + 2.0) : -1.0 * alpha * alpha / (s * (s + 2.0));
  }
  for (int k = 1; k < n; ++k) {
    const double s = 2.0 * k + alpha;
    off[k - 1] = 2.0 * k * (k + alpha) / (s * std::sqrt((s + 1.0) * (s - 1.0)));
  }
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(diagonal, off);
  x = 0.5 * (solver.eigenvalues().array() + 1.0);
  w = solver.eigenvectors().row(0).array().square() / (alpha + 1.0);
}

Quadrature make_conical_rule(int n) {
  Eigen::VectorXd x[3], w[3];
  for (int alpha = 0; alpha < 3; ++alpha) gauss_jacobi(n, alpha, x[alpha], w[alpha]);
  Quadrature rule = make_empty(n * n * n);
  int at = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < n; ++k) {
        const double r = x[2][i], s = x[1][j] * (1.0 - r);
        rule.points.col(at) = Vector3d(r, s, x[0][k] * (1.0 - r - s));
        rule.weights[at++] = w[2][i] * w[1][j] * w[0][k];
      }
  return rule;
}

}  // namespace

Quadrature make_tetrahedron_rule(int degree) {
  SOLIDYN_ASSERT(degree >= 1);
  int at = 0;
  if (degree == 1) {
    Quadrature rule = make_empty(1);
    rule.points.setConstant(0.25);
    rule.weights.setConstant(1.0 / 6.0);
    return rule;
  }
  if (degree == 2) {
    Quadrature rule = make_empty(4);
    add_corner_orbit((5.0 - std::sqrt(5.0)) / 20.0, 1.0 / 24.0, rule, at);
    return rule;
  }
  if (degree == 5) {
    Quadrature rule = make_empty(14);
    add_corner_orbit(0.31088591926330060980, 0.11268792571801585080 / 6.0, rule, at);
    add_corner_orbit(0.092735250310891226402, 0.073493043116361949544 / 6.0, rule, at);
    add_edge_orbit(0.045503704125649649492, 0.042546020777081466438 / 6.0, rule, at);
    return rule;
  }
  return make_conical_rule((degree + 2) / 2);
}

}  // namespace solidyn::fem

#include "solidyn/elements/quadrature.h"

#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/math/dense.h"

namespace solidyn::elements {
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
  const auto spectrum = math::tridiagonal_spectrum(diagonal, off);
  x = 0.5 * (spectrum.values.array() + 1.0);
  w = spectrum.vectors.row(0).array().square() / (alpha + 1.0);
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

// Gauss-Legendre on [-1, 1].
void gauss_legendre(int n, Eigen::VectorXd& x, Eigen::VectorXd& w) {
  gauss_jacobi(n, 0, x, w);
  x = 2.0 * x.array() - 1.0;
  w *= 2.0;
}

int n_gauss_points(int degree) { return (degree + 2) / 2; }

struct TriangleRule {
  Eigen::Matrix2Xd points;
  Eigen::VectorXd weights;  // sum to 1/2
};

// The orbit of (a, a, 1 - 2a): three points.
void add_triangle_orbit(double a, double weight, TriangleRule& rule, int& at) {
  for (int i = 0; i < 3; ++i) {
    Eigen::Vector3d barycentric = Eigen::Vector3d::Constant(a);
    barycentric[i] = 1.0 - 2.0 * a;
    rule.points.col(at) = barycentric.tail<2>();
    rule.weights[at++] = weight;
  }
}

TriangleRule make_conical_triangle_rule(int n) {
  Eigen::VectorXd x[2], w[2];
  for (int alpha = 0; alpha < 2; ++alpha) gauss_jacobi(n, alpha, x[alpha], w[alpha]);
  TriangleRule rule{Eigen::Matrix2Xd(2, n * n), Eigen::VectorXd(n * n)};
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      rule.points.col(n * i + j) << x[1][i], x[0][j] * (1.0 - x[1][i]);
      rule.weights[n * i + j] = w[1][i] * w[0][j];
    }
  return rule;
}

TriangleRule make_triangle_rule(int degree) {
  if (degree == 1) return {Eigen::Vector2d::Constant(1.0 / 3.0), Eigen::VectorXd::Constant(1, 0.5)};
  int at = 0;
  if (degree == 2) {
    TriangleRule rule{Eigen::Matrix2Xd(2, 3), Eigen::VectorXd(3)};
    add_triangle_orbit(1.0 / 6.0, 1.0 / 6.0, rule, at);
    return rule;
  }
  if (degree == 4) {
    TriangleRule rule{Eigen::Matrix2Xd(2, 6), Eigen::VectorXd(6)};
    const double root = std::sqrt(10.0), inner = std::sqrt(38.0 - 44.0 * std::sqrt(0.4)),
                 spread = std::sqrt(213125.0 - 53320.0 * root);
    add_triangle_orbit((8.0 - root + inner) / 18.0, (620.0 + spread) / 7440.0, rule, at);
    add_triangle_orbit((8.0 - root - inner) / 18.0, (620.0 - spread) / 7440.0, rule, at);
    return rule;
  }
  return make_conical_triangle_rule(n_gauss_points(degree));
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
  return make_conical_rule(n_gauss_points(degree));
}

Quadrature make_hexahedron_rule(int degree) {
  SOLIDYN_ASSERT(degree >= 1);
  const int n = n_gauss_points(degree);
  Eigen::VectorXd x, w;
  gauss_legendre(n, x, w);
  Quadrature rule = make_empty(n * n * n);
  int at = 0;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        rule.points.col(at) = Vector3d(x[i], x[j], x[k]);
        rule.weights[at++] = w[i] * w[j] * w[k];
      }
  return rule;
}

Quadrature make_wedge_rule(int degree) {
  SOLIDYN_ASSERT(degree >= 1);
  const TriangleRule triangle = make_triangle_rule(degree);
  Eigen::VectorXd x, w;
  gauss_legendre(n_gauss_points(degree), x, w);
  Quadrature rule = make_empty(static_cast<int>(triangle.weights.size() * w.size()));
  int at = 0;
  for (Eigen::Index k = 0; k < w.size(); ++k)
    for (Eigen::Index i = 0; i < triangle.weights.size(); ++i) {
      rule.points.col(at) << triangle.points.col(i), x[k];
      rule.weights[at++] = triangle.weights[i] * w[k];
    }
  return rule;
}

Quadrature make_pyramid_rule(int degree) {
  SOLIDYN_ASSERT(degree >= 1);
  const int n = n_gauss_points(degree);
  Eigen::VectorXd x, w, t, w_t;
  gauss_legendre(n, x, w);
  gauss_jacobi(n, 2, t, w_t);
  Quadrature rule = make_empty(n * n * n);
  int at = 0;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < n; ++j)
      for (int i = 0; i < n; ++i) {
        const double d = 1.0 - t[k];
        rule.points.col(at) = Vector3d(d * x[i], d * x[j], t[k]);
        rule.weights[at++] = w[i] * w[j] * w_t[k];
      }
  return rule;
}

Quadrature make_rule(ElementType type, int degree) {
  switch (linear_of(type)) {
    case ElementType::hex8:
      return make_hexahedron_rule(degree);
    case ElementType::wedge6:
      return make_wedge_rule(degree);
    case ElementType::pyramid5:
      return make_pyramid_rule(degree);
    default:
      SOLIDYN_ASSERT(linear_of(type) == ElementType::tet4);
      return make_tetrahedron_rule(degree);
  }
}

// Of int grad N_a dV = int cof(J) dN_a the degrees are, in each variable: hex8 2, hex20 5, pyramid5
// 2, pyramid13 5 (in r/d and s/d); for wedges in (r, s) together and in t: wedge6 1 and 2, wedge15
// 4 and 5; of the stiffness of straight wedges 2 and 2, 4 and 4. In total for tet10: 3.
int stiffness_degree(ElementType type) {
  switch (type) {
    case ElementType::tet4:
      return 1;
    case ElementType::hex8:
    case ElementType::pyramid5:
      return 3;
    case ElementType::wedge6:
      return 2;
    case ElementType::wedge15:
      return 4;
    default:
      return 5;
  }
}

// N N^T det J: det J has the degrees 2 (hex8, pyramid5, in each variable), 1 and 2 (wedge6); first
// moments of curved elements int x dV: 7 (hex20, pyramid13, tet10), 6 and 7 (wedge15).
int mass_degree(ElementType type) {
  switch (type) {
    case ElementType::tet4:
      return 2;
    case ElementType::wedge6:
      return 4;
    case ElementType::hex8:
    case ElementType::pyramid5:
      return 5;
    default:
      return 7;
  }
}

}  // namespace solidyn::elements

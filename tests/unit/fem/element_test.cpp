#include <gtest/gtest.h>

#include "solidyn/elements/quadrature.h"
#include "solidyn/elements/topology.h"
#include "solidyn/fem/hex8_stiffness.h"
#include "solidyn/fem/solid_element.h"

namespace solidyn::fem {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

const IsotropicElastic kMaterial{2.1e11, 0.3, 7850.0};

// int of r^i s^j t^k over each reference shape.
double factorial(int n) { return n < 2 ? 1.0 : n * factorial(n - 1); }

double over_tetrahedron(int i, int j, int k) {
  return factorial(i) * factorial(j) * factorial(k) / factorial(i + j + k + 3);
}

double over_interval(int i) { return i % 2 ? 0.0 : 2.0 / (i + 1.0); }

double over_cube(int i, int j, int k) {
  return over_interval(i) * over_interval(j) * over_interval(k);
}

double over_wedge(int i, int j, int k) {
  return factorial(i) * factorial(j) / factorial(i + j + 2) * over_interval(k);
}

// With r = a (1 - t), s = b (1 - t), dV = (1 - t)^2 da db dt.
double over_pyramid(int i, int j, int k) {
  const int m = i + j + 2;
  return over_interval(i) * over_interval(j) * factorial(k) * factorial(m) / factorial(k + m + 1);
}

double integrate_monomial(const elements::Quadrature& rule, int i, int j, int k) {
  double sum = 0.0;
  for (Eigen::Index q = 0; q < rule.weights.size(); ++q) {
    const Vector3d p = rule.points.col(q);
    sum += rule.weights[q] * std::pow(p[0], i) * std::pow(p[1], j) * std::pow(p[2], k);
  }
  return sum;
}

class QuadratureDegree : public testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Degrees, QuadratureDegree, testing::Values(1, 2, 3, 4, 5, 6, 7, 9));

TEST_P(QuadratureDegree, IntegratesMonomialsExactly) {
  struct Case {
    elements::Quadrature rule;
    double (*exact)(int, int, int);
  };
  const int degree = GetParam();
  const Case cases[] = {{elements::make_tetrahedron_rule(degree), over_tetrahedron},
                        {elements::make_hexahedron_rule(degree), over_cube},
                        {elements::make_wedge_rule(degree), over_wedge},
                        {elements::make_pyramid_rule(degree), over_pyramid}};
  for (const Case& c : cases) {
    EXPECT_GT(c.rule.weights.minCoeff(), 0.0);
    for (int i = 0; i <= degree; ++i)
      for (int j = 0; i + j <= degree; ++j)
        for (int k = 0; i + j + k <= degree; ++k)
          EXPECT_NEAR(integrate_monomial(c.rule, i, j, k), c.exact(i, j, k),
                      1e-14 * c.exact(0, 0, 0) + 1e-15)
              << i << j << k << " with " << c.rule.weights.size() << " points";
  }
}

TEST_P(QuadratureDegree, ProductRulesAreExactInEachVariable) {
  const int n = GetParam();
  EXPECT_NEAR(integrate_monomial(elements::make_hexahedron_rule(n), n, n - 1, n),
              over_cube(n, n - 1, n), 1e-14);
  EXPECT_NEAR(integrate_monomial(elements::make_wedge_rule(n), n - 1, 1, n),
              over_wedge(n - 1, 1, n), 1e-14);
  const elements::Quadrature pyramid = elements::make_pyramid_rule(n);
  elements::Quadrature box = pyramid;  // r / (1 - t), s / (1 - t), t
  for (int c = 0; c < 2; ++c) box.points.row(c).array() /= 1.0 - pyramid.points.row(2).array();
  const double t_part = factorial(n) * 2.0 / factorial(n + 3);
  EXPECT_NEAR(integrate_monomial(box, n, n - 1, n),
              over_interval(n) * over_interval(n - 1) * t_part, 1e-14);
}

// The shape functions of every element on their reference shape.
template <class Element>
class ShapeContract : public testing::Test {
 public:
  const int order = elements::linear_of(Element::type) == Element::type ? 1 : 2;
  // Points inside that have no symmetry.
  static std::vector<Vector3d> points() {
    const elements::Quadrature rule = elements::make_rule<Element>(3);
    std::vector<Vector3d> result;
    for (Eigen::Index q = 0; q < rule.weights.size(); ++q)
      result.emplace_back(rule.points.col(q) + 0.05 * Vector3d(0.3, -0.2, 0.1));
    return result;
  }
};
using Shapes =
    testing::Types<elements::Tet4, elements::Tet10, elements::Hex8, elements::Hex20,
                   elements::Wedge6, elements::Wedge15, elements::Pyramid5, elements::Pyramid13>;
TYPED_TEST_SUITE(ShapeContract, Shapes, );

TYPED_TEST(ShapeContract, IsOneAtItsNodeAndZeroAtTheOthers) {
  const auto nodes = TypeParam::nodes();
  for (int a = 0; a < TypeParam::n_nodes; ++a) {
    const VectorXd N = TypeParam::values(nodes.col(a));
    for (int b = 0; b < TypeParam::n_nodes; ++b)
      EXPECT_NEAR(N[b], a == b ? 1.0 : 0.0, 1e-15) << b << " at node " << a;
  }
}

TYPED_TEST(ShapeContract, ContainsThePolynomialsOfItsOrder) {
  const auto nodes = TypeParam::nodes();
  for (const Vector3d& p : this->points())
    for (int i = 0; i <= this->order; ++i)
      for (int j = 0; i + j <= this->order; ++j)
        for (int k = 0; i + j + k <= this->order; ++k) {
          const auto monomial = [&](const Vector3d& x) {
            return std::pow(x[0], i) * std::pow(x[1], j) * std::pow(x[2], k);
          };
          double sum = 0.0;
          const VectorXd N = TypeParam::values(p);
          for (int a = 0; a < TypeParam::n_nodes; ++a) sum += N[a] * monomial(nodes.col(a));
          EXPECT_NEAR(sum, monomial(p), 1e-14) << i << j << k;
        }
}

TYPED_TEST(ShapeContract, GradientsAreDerivatives) {
  for (const Vector3d& p : this->points())
    for (int c = 0; c < 3; ++c) {
      const Vector3d h = 1e-6 * Vector3d::Unit(c);
      const VectorXd difference = (TypeParam::values(p + h) - TypeParam::values(p - h)) / 2e-6;
      EXPECT_LT((difference - TypeParam::gradients(p).col(c)).norm(), 1e-8);
    }
}

TEST(PyramidShapes, AreFiniteAtTheApexAndOnTheWayThere) {
  for (const double d : {0.0, 1e-300, 1e-12}) {
    const Vector3d p(0.5 * d, -0.25 * d, 1.0 - d);
    EXPECT_TRUE(elements::Pyramid5::gradients(p).allFinite());
    EXPECT_TRUE(elements::Pyramid13::gradients(p).allFinite());
    EXPECT_NEAR(elements::Pyramid13::values(p).sum(), 1.0, 1e-14);
    EXPECT_LT(elements::Pyramid13::gradients(p).colwise().sum().norm(), 1e-13);
  }
}

// An irregular element away from the origin: a skewed reference shape whose corners are moved, so
// that faces with four corners are warped; `bulge` moves mid-side nodes off their edges.
template <class Element>
ElementNodes<Element> make_nodes(double bulge) {
  const auto corners_at = Element::nodes();
  const int n_corners = elements::n_corners(Element::type);
  Matrix3d skew;
  skew << 1.1, 0.2, 0.1, 0.3, 1.1, -0.2, -0.1, 0.2, 1.2;
  ElementNodes<Element> x = (skew * corners_at).colwise() + Vector3d(0.1, -0.2, 0.5);
  for (int a = 0; a < n_corners; ++a)
    x.col(a) += 0.12 * Vector3d(std::sin(2.0 * a), std::cos(3.0 * a), std::sin(5.0 * a + 1.0));
  const auto& edges = elements::edges(Element::type);
  for (int e = 0; e + n_corners < Element::n_nodes; ++e)
    x.col(n_corners + e) =
        0.5 * (x.col(edges[e][0]) + x.col(edges[e][1])) +
        bulge * Vector3d(std::sin(e + 1.0), std::cos(2.0 * e), std::sin(3.0 * e));
  return x;
}

template <class AnElement>
struct Straight {
  using Element = AnElement;
  static ElementNodes<Element> nodes() { return make_nodes<Element>(0.0); }
};
template <class AnElement>
struct Curved {
  using Element = AnElement;
  static ElementNodes<Element> nodes() { return make_nodes<Element>(0.04); }
};

// Volume and first moments by a rule that is exact for the isoparametric map of every element.
template <class Element>
std::pair<double, Vector3d> integrate_volume(const ElementNodes<Element>& x) {
  const elements::Quadrature rule = elements::make_rule<Element>(9);
  double volume = 0.0;
  Vector3d moment = Vector3d::Zero();
  for (Eigen::Index q = 0; q < rule.weights.size(); ++q) {
    const Vector3d p = rule.points.col(q);
    const double dV = rule.weights[q] * Matrix3d(x * Element::gradients(p)).determinant();
    volume += dV;
    moment += dV * (x * Element::values(p));
  }
  return {volume, moment};
}

template <class T>
class ElementContract : public testing::Test {
 public:
  using Element = typename T::Element;
  static constexpr int n = Element::n_nodes;
  ElementContract() {
    determinant_ = compute_stiffness<Element>(x_, kMaterial, K_);
    compute_mass<Element>(x_, kMaterial.density, m_);
  }

 protected:
  VectorXd flatten(const ElementNodes<Element>& u) const {
    return Eigen::Map<const VectorXd>(u.data(), 3 * n);
  }
  ElementNodes<Element> x_ = T::nodes();
  ElementStiffness<Element> K_;
  ElementMass<Element> m_;
  double determinant_ = 0.0;
};
using Elements =
    testing::Types<Straight<elements::Tet4>, Straight<elements::Tet10>, Curved<elements::Tet10>,
                   Straight<elements::Hex8>, Straight<elements::Hex20>, Curved<elements::Hex20>,
                   Straight<elements::Wedge6>, Straight<elements::Wedge15>,
                   Curved<elements::Wedge15>, Straight<elements::Pyramid5>,
                   Straight<elements::Pyramid13>, Curved<elements::Pyramid13>>;
TYPED_TEST_SUITE(ElementContract, Elements, );

TYPED_TEST(ElementContract, RigidMotionGivesNoForce) {
  using Element = typename TestFixture::Element;
  for (int c = 0; c < 6; ++c) {
    ElementNodes<Element> u;
    for (int a = 0; a < Element::n_nodes; ++a)
      u.col(a) = c < 3 ? Vector3d(Vector3d::Unit(c))
                       : Vector3d(Vector3d::Unit(c - 3).cross(this->x_.col(a)));
    EXPECT_LT((this->K_ * this->flatten(u)).norm(), 1e-14 * this->K_.norm() * u.norm());
  }
}

TYPED_TEST(ElementContract, HasSixZeroEnergyMotionsOnly) {
  const MatrixXd K = this->K_;
  EXPECT_LT((K - K.transpose()).norm(), 1e-15 * K.norm());
  const VectorXd values = Eigen::SelfAdjointEigenSolver<MatrixXd>(K).eigenvalues();
  EXPECT_LT(values.head(6).cwiseAbs().maxCoeff(), 1e-12 * values.tail(1)[0]);
  EXPECT_GT(values[6], 1e-4 * values.tail(1)[0]);
}

// The nodal forces of a constant stress are sigma int grad N dV, which the rule integrates exactly
// on curved elements too; neighbours' forces then cancel and the patch test passes.
TYPED_TEST(ElementContract, ConstantStressGivesExactForces) {
  using Element = typename TestFixture::Element;
  Matrix3d H;
  H << 1.0, 0.3, -0.2, 0.5, 2.0, 0.4, -0.7, 0.1, 0.6;
  const ElementNodes<Element> u = H * this->x_;
  const Matrix3d eps = 0.5 * (H + H.transpose());
  const Matrix3d sigma = kMaterial.lame_lambda() * eps.trace() * Matrix3d::Identity() +
                         2.0 * kMaterial.shear_modulus() * eps;
  const elements::Quadrature rule = elements::make_rule<Element>(9);
  ElementNodes<Element> f = ElementNodes<Element>::Zero();
  for (Eigen::Index q = 0; q < rule.weights.size(); ++q) {
    const auto dN = Element::gradients(rule.points.col(q));
    const Matrix3d J = this->x_ * dN;
    f += rule.weights[q] * J.determinant() * sigma * (dN * J.inverse()).transpose();
  }
  const VectorXd force = this->K_ * this->flatten(u);
  EXPECT_LT((force - this->flatten(f)).norm(), 1e-13 * f.norm());
  const Eigen::Matrix<double, 6, 1> s =
      stress(kMaterial, strain<Element>(this->x_, u, Vector3d(0.2, 0.3, 0.1)));
  EXPECT_NEAR(s[0], sigma(0, 0), 1e-3);
  EXPECT_NEAR(s[3], sigma(0, 1), 1e-3);
  EXPECT_NEAR(s[4], sigma(1, 2), 1e-3);
  EXPECT_NEAR(s[5], sigma(2, 0), 1e-3);
}

TYPED_TEST(ElementContract, MassSumsToDensityTimesVolume) {
  const auto [volume, moment] = integrate_volume<typename TestFixture::Element>(this->x_);
  const double mass = kMaterial.density * volume;
  EXPECT_GT(this->determinant_, 0.0);
  EXPECT_NEAR(this->m_.sum(), mass, 1e-13 * mass);
  EXPECT_LT((this->x_ * this->m_.rowwise().sum() - kMaterial.density * moment).norm(),
            1e-13 * mass);
  EXPECT_GT(Eigen::SelfAdjointEigenSolver<MatrixXd>(MatrixXd(this->m_)).eigenvalues()[0], 0.0);
}

TYPED_TEST(ElementContract, LumpedMassIsPositiveAndKeepsTheMass) {
  using Element = typename TestFixture::Element;
  const VectorXd lumped = make_lumped_mass<Element>(this->m_);
  EXPECT_GT(lumped.minCoeff(), 0.0);
  EXPECT_NEAR(lumped.sum(), this->m_.sum(), 1e-13 * this->m_.sum());
}

// The three stiffnesses of a hex8, on the irregular element and on a brick.
class Hex8Contract : public testing::TestWithParam<Hex8Formulation> {
 protected:
  static ElementStiffness<elements::Hex8> stiffness(const ElementNodes<elements::Hex8>& x,
                                                    const IsotropicElastic& material = kMaterial) {
    ElementStiffness<elements::Hex8> K;
    EXPECT_GT(compute_hex8_stiffness(x, material, GetParam(), K), 0.0);
    return K;
  }
  static VectorXd flatten(const ElementNodes<elements::Hex8>& u) {
    return Eigen::Map<const VectorXd>(u.data(), 24);
  }
  const ElementNodes<elements::Hex8> x_ = make_nodes<elements::Hex8>(0.0);
  const ElementStiffness<elements::Hex8> K_ = stiffness(x_);
};
INSTANTIATE_TEST_SUITE_P(Formulations, Hex8Contract,
                         testing::Values(Hex8Formulation::standard, Hex8Formulation::b_bar,
                                         Hex8Formulation::incompatible_modes));

TEST_P(Hex8Contract, HasSixZeroEnergyMotionsOnly) {
  const MatrixXd K = K_;
  EXPECT_LT((K - K.transpose()).norm(), 1e-15 * K.norm());
  const VectorXd values = Eigen::SelfAdjointEigenSolver<MatrixXd>(K).eigenvalues();
  EXPECT_LT(values.head(6).cwiseAbs().maxCoeff(), 1e-12 * values.tail(1)[0]);
  EXPECT_GT(values[6], 1e-3 * values.tail(1)[0]);
  for (int c = 0; c < 6; ++c) {
    ElementNodes<elements::Hex8> u;
    for (int a = 0; a < 8; ++a)
      u.col(a) =
          c < 3 ? Vector3d(Vector3d::Unit(c)) : Vector3d(Vector3d::Unit(c - 3).cross(x_.col(a)));
    EXPECT_LT((K_ * flatten(u)).norm(), 1e-13 * K_.norm() * u.norm());
  }
}

TEST_P(Hex8Contract, ConstantStressGivesTheForcesOfTheTrilinearElement) {
  Matrix3d H;
  H << 1.0, 0.3, -0.2, 0.5, 2.0, 0.4, -0.7, 0.1, 0.6;
  ElementStiffness<elements::Hex8> trilinear;
  compute_stiffness<elements::Hex8>(x_, kMaterial, trilinear);
  const VectorXd u = flatten(H * x_), f = trilinear * u;
  EXPECT_LT((K_ * u - f).norm(), 1e-13 * f.norm());
}

TEST_P(Hex8Contract, InvertedElementIsReported) {
  ElementStiffness<elements::Hex8> K;
  ElementNodes<elements::Hex8> x = x_;
  x.row(0) *= -1.0;
  EXPECT_LT(compute_hex8_stiffness(x, kMaterial, GetParam(), K), 0.0);
}

// A brick bent by moments: the corners move as in pure bending, u = (xy, -x^2/2, 0) (plane strain).
// Its energy is E/(1 - nu^2) int y^2 dV / 2 exactly; what the trilinear field adds is shear.
TEST(Hex8Stiffness, OnlyIncompatibleModesBendABrickWithItsExactEnergy) {
  const double a = 1.0, b = 0.25, nu = 0.3;
  const IsotropicElastic material{1.0, nu, 1.0};
  const ElementNodes<elements::Hex8> x = Vector3d(a, b, 0.5).asDiagonal() * elements::Hex8::nodes();
  ElementNodes<elements::Hex8> u;
  for (int k = 0; k < 8; ++k) u.col(k) = Vector3d(x(0, k) * x(1, k), 0.0, 0.0);
  const double exact = 0.5 / (1.0 - nu * nu) * (4.0 / 3.0 * a * b * b * b);  // depth 1
  const auto energy = [&](Hex8Formulation formulation) {
    ElementStiffness<elements::Hex8> K;
    compute_hex8_stiffness(x, material, formulation, K);
    const Eigen::Map<const VectorXd> all(u.data(), 24);
    return 0.5 * all.dot(K * all);
  };
  EXPECT_NEAR(energy(Hex8Formulation::incompatible_modes), exact, 1e-14);
  EXPECT_GT(energy(Hex8Formulation::standard), 5.0 * exact);
  EXPECT_GT(energy(Hex8Formulation::b_bar), 5.0 * exact);
}

// Of the 24 eigenvalues of a cube those that grow with lambda are the locked motions: one, the mean
// volume change, is as many as there should be.
TEST(Hex8Stiffness, OnlyTheTrilinearElementLocksNearIncompressibility) {
  const ElementNodes<elements::Hex8> x = elements::Hex8::nodes();
  const auto n_locked = [&](Hex8Formulation formulation) {
    ElementStiffness<elements::Hex8> K;
    compute_hex8_stiffness(x, IsotropicElastic{1.0, 0.4999999, 1.0}, formulation, K);
    const VectorXd values = Eigen::SelfAdjointEigenSolver<MatrixXd>(MatrixXd(K)).eigenvalues();
    return (values.array() > 1e3).count();
  };
  EXPECT_EQ(n_locked(Hex8Formulation::b_bar), 1);
  EXPECT_EQ(n_locked(Hex8Formulation::standard), 7);
  EXPECT_LT(n_locked(Hex8Formulation::incompatible_modes), 7);
}

TEST(Tet10Mass, RowSumsAreNegativeAtCorners) {
  ElementMass<elements::Tet10> m;
  compute_mass<elements::Tet10>(make_nodes<elements::Tet10>(0.0), 1.0, m);
  for (int a = 0; a < 10; ++a) EXPECT_NEAR(m.row(a).sum() / m.sum(), a < 4 ? -0.05 : 0.2, 1e-14);
}

// A pure bending field is quadratic: the straight tet10 contains it, forces inside vanish and the
// stress is E y.
TEST(Tet10, ReproducesPureBending) {
  const ElementNodes<elements::Tet10> x = make_nodes<elements::Tet10>(0.0);
  const double nu = kMaterial.poissons_ratio;
  ElementNodes<elements::Tet10> u;
  for (int a = 0; a < 10; ++a) {
    const double X = x(0, a), Y = x(1, a), Z = x(2, a);
    u.col(a) = Vector3d(X * Y, -0.5 * (X * X + nu * Y * Y - nu * Z * Z), -nu * Y * Z);
  }
  for (const Vector3d& rst : {Vector3d(0.1, 0.2, 0.3), Vector3d(0.6, 0.1, 0.2)}) {
    const double y = x.row(1) * elements::Tet10::values(rst);
    Eigen::Matrix<double, 6, 1> expected = Eigen::Matrix<double, 6, 1>::Zero();
    expected[0] = kMaterial.youngs_modulus * y;
    const auto s = stress(kMaterial, strain<elements::Tet10>(x, u, rst));
    EXPECT_LT((s - expected).norm(), 1e-13 * kMaterial.youngs_modulus);
  }
}

TEST(CurvedTet10, StiffnessNeedsNoMorePoints) {
  // Against a rule of degree 19: what the 14-point rule leaves out of the rational integrand.
  const ElementNodes<elements::Tet10> x = make_nodes<elements::Tet10>(0.04);
  ElementStiffness<elements::Tet10> K;
  compute_stiffness<elements::Tet10>(x, kMaterial, K);
  const elements::Quadrature rule = elements::make_tetrahedron_rule(19);
  const double lambda = kMaterial.lame_lambda(), mu = kMaterial.shear_modulus();
  MatrixXd exact = MatrixXd::Zero(30, 30);
  for (Eigen::Index q = 0; q < rule.weights.size(); ++q) {
    const auto dN = elements::Tet10::gradients(rule.points.col(q));
    const Matrix3d J = x * dN;
    const Eigen::Matrix<double, 10, 3> g = dN * J.inverse();
    for (int a = 0; a < 10; ++a)
      for (int b = 0; b < 10; ++b) {
        const Matrix3d G = g.row(a).transpose() * g.row(b);
        exact.block<3, 3>(3 * a, 3 * b) +=
            rule.weights[q] * J.determinant() *
            (lambda * G + mu * G.transpose() + mu * G.trace() * Matrix3d::Identity());
      }
  }
  EXPECT_LT((K - exact).norm(), 5e-3 * exact.norm());
}

TEST(Tet10, InvertedElementIsReported) {
  ElementNodes<elements::Tet10> x = make_nodes<elements::Tet10>(0.0);
  x.col(0).swap(x.col(1));
  ElementStiffness<elements::Tet10> K;
  EXPECT_LT(compute_stiffness<elements::Tet10>(x, kMaterial, K), 0.0);
}

}  // namespace
}  // namespace solidyn::fem

// The equations of Newton's method: their derivatives, and that they are zero where the law is met.
#include <gtest/gtest.h>

#include <random>

#include "solvers/friction/newton.h"
#include "solvers/friction/second_order_cone.h"

namespace solidyn::solvers::friction {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Equation = ContactEquation (*)(double, double, const Vector3d&, const Vector3d&);

Vector3d random_point(std::mt19937& g) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  return {uniform(g), uniform(g), uniform(g)};
}

void expect_derivatives(Equation equation) {
  std::mt19937 g(5);
  int counts[3] = {0, 0, 0};
  for (int k = 0; k < 1000; ++k) {
    const Vector3d r = random_point(g) + Vector3d(0.6, 0.0, 0.0), u = random_point(g);
    const double mu = 0.7, rho = 0.4, step = 1e-6;
    const ContactEquation e = equation(mu, rho, r, u);
    ++counts[static_cast<int>(e.state)];
    for (int i = 0; i < 3; ++i) {
      const Vector3d d = step * Vector3d::Unit(i);
      const ContactEquation r_plus = equation(mu, rho, r + d, u),
                            r_minus = equation(mu, rho, r - d, u),
                            u_plus = equation(mu, rho, r, u + d),
                            u_minus = equation(mu, rho, r, u - d);
      if (r_plus.state != e.state || r_minus.state != e.state || u_plus.state != e.state ||
          u_minus.state != e.state)
        continue;  // across a kink there is no derivative
      EXPECT_LT(((r_plus.value - r_minus.value) / (2.0 * step) - e.A.col(i)).norm(), 1e-8);
      EXPECT_LT(((u_plus.value - u_minus.value) / (2.0 * step) - e.C.col(i)).norm(), 1e-8);
    }
  }
  for (const int count : counts) EXPECT_GT(count, 20);
}

TEST(NewtonEquations, OfCoulombHaveTheirDerivatives) { expect_derivatives(coulomb_equation); }
TEST(NewtonEquations, OfTheAssociatedLawHaveTheirDerivatives) {
  expect_derivatives(associated_equation);
}

TEST(NewtonEquations, AreZeroWhereTheLawIsMet) {
  const double mu = 0.5, rho = 2.0;
  EXPECT_EQ(coulomb_equation(mu, rho, {0, 0, 0}, {0.3, 1.0, 2.0}).value, Vector3d::Zero());
  EXPECT_EQ(coulomb_equation(mu, rho, {1.0, 0.3, 0.2}, {0, 0, 0}).value, Vector3d::Zero());
  EXPECT_LT(coulomb_equation(mu, rho, {1.0, -0.3, -0.4}, {0, 0.6, 0.8}).value.norm(), 1e-15);
  EXPECT_GT(coulomb_equation(mu, rho, {1.0, -0.4, -0.3}, {0, 0.6, 0.8}).value.norm(), 0.01);
  // The associated law lifts by mu times the speed.
  EXPECT_LT(associated_equation(mu, rho, {1.0, -0.3, -0.4}, {0.5, 0.6, 0.8}).value.norm(), 1e-15);
  EXPECT_GT(associated_equation(mu, rho, {1.0, -0.3, -0.4}, {0, 0.6, 0.8}).value.norm(), 0.01);
}

TEST(SecondOrderCone, ScalingMakesAPairEqual) {
  std::mt19937 g(6);
  for (int k = 0; k < 50; ++k) {
    Vector3d x = random_point(g), y = random_point(g), d = random_point(g);
    x[0] = x.tail<2>().norm() + 0.1 + 0.01 * k;
    y[0] = y.tail<2>().norm() + 0.001;
    const ConeScaling S(x, y);
    const double size = (S.matrix() * y).norm();
    EXPECT_LT((S.matrix() * y - S.inverse() * x).norm(), 1e-11 * size);
    EXPECT_LT((S.matrix() * S.inverse() - Matrix3d::Identity()).norm(), 1e-11);
    EXPECT_LT((S.hessian() * x - y).norm(), 1e-11 * y.norm());
    EXPECT_LT((cone_product(x, cone_quotient(x, d)) - d).norm(), 1e-12);
    const double t = cone_step(x, d);
    if (t < 1e6) EXPECT_NEAR(cone_determinant(x + t * d), 0.0, 1e-12 * (1.0 + t * t));
    EXPECT_GT(cone_determinant(x + 0.999 * std::min(t, 1e6) * d), 0.0);
  }
}

}  // namespace
}  // namespace solidyn::solvers::friction

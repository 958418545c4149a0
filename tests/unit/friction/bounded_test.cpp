// Friction whose size has a bound of its own: one contact exactly, its Newton equations, several
// contacts by every method that knows the law, and the refusal of the others.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "solidyn/base/error.h"
#include "solidyn/solvers/friction/delassus.h"
#include "solidyn/solvers/friction/friction_contact.h"
#include "solvers/friction/bounded_solver.h"
#include "solvers/friction/newton.h"

namespace solidyn::solvers::friction {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr Method kMethods[] = {Method::automatic, Method::newton, Method::gauss_seidel,
                               Method::projected_gradient};

VectorXd random_vector(Eigen::Index n, std::mt19937& g) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  VectorXd x(n);
  for (double& value : x) value = uniform(g);
  return x;
}

MatrixXd random_matrix(Eigen::Index n, std::mt19937& g) {
  MatrixXd A(n, n);
  for (Eigen::Index i = 0; i < n; ++i) A.col(i) = random_vector(n, g);
  return A;
}

ContactLaw bounded(double c) { return {ContactLaw::Type::bounded, 0.0, c}; }

// The law in its own words, without the natural map: no normal force, and either no slip or the
// whole force against it.
void expect_law(double c, const Vector3d& r, const Vector3d& u, double size) {
  EXPECT_EQ(r[0], 0.0);
  const Vector2d r_T = r.tail<2>(), u_T = u.tail<2>();
  EXPECT_LE(r_T.norm(), c * (1.0 + 1e-12));
  if (u_T.norm() <= 1e-11 * size) return;
  EXPECT_NEAR(r_T.norm(), c, 1e-11 * c);
  EXPECT_NEAR(r_T.dot(u_T), -c * u_T.norm(), 1e-9 * c * u_T.norm());
}

TEST(BoundedFriction, OfOneContactMeetsTheLawWithAnyBlock) {
  std::mt19937 g(1);
  int n_sticks = 0, n_slips = 0;
  for (int k = 0; k < 3000; ++k) {
    const Matrix3d A = random_matrix(3, g);
    Matrix3d W = A * A.transpose() + 0.01 * Matrix3d::Identity();
    if (k % 3 == 1) W += 0.3 * (A - A.transpose());  // unsymmetric
    if (k % 3 == 2) {                                // one direction that can slip
      W.setZero();
      W(1, 1) = 0.1 + std::abs(A(0, 0));
    }
    Vector3d q = random_vector(3, g);
    if (k % 3 == 2) q[0] = q[2] = 0.0;
    const double c = 0.01 + std::abs(random_vector(1, g)[0]);
    LocalSolution solution{Vector3d::Zero(), ContactState::open};
    solve_bounded(W, c, q, solution);
    expect_law(c, solution.r, W * solution.r + q, q.norm());
    const bool sticks = solution.state == ContactState::stick;
    (sticks ? n_sticks : n_slips) += 1;
    EXPECT_EQ(sticks, (W * solution.r + q).tail<2>().norm() <= 1e-11 * q.norm());
  }
  EXPECT_GT(n_sticks, 300);
  EXPECT_GT(n_slips, 300);
}

// An interval by hand: w = 2, c = 1, so that it sticks for |q| <= 2.
TEST(BoundedFriction, OfOneDirectionIsAnInterval) {
  Matrix3d W = Matrix3d::Zero();
  W(1, 1) = 2.0;
  const auto force = [&](double q) {
    LocalSolution solution{Vector3d::Zero(), ContactState::open};
    solve_bounded(W, 1.0, {0.0, q, 0.0}, solution);
    return solution.r[1];
  };
  EXPECT_DOUBLE_EQ(force(1.0), -0.5);
  EXPECT_DOUBLE_EQ(force(-2.0), 1.0);
  EXPECT_DOUBLE_EQ(force(5.0), -1.0);
  EXPECT_DOUBLE_EQ(force(-1e9), 1.0);
  EXPECT_EQ(force(0.0), 0.0);
}

TEST(BoundedFriction, HasTheDerivativesOfItsEquations) {
  std::mt19937 g(5);
  int counts[3] = {0, 0, 0};
  for (int k = 0; k < 500; ++k) {
    const Vector3d r = random_vector(3, g), u = random_vector(3, g);
    const double c = 0.7, rho = 0.4, step = 1e-6;
    const ContactEquation e = bounded_equation(c, rho, r, u);
    ++counts[static_cast<int>(e.state)];
    for (int i = 0; i < 3; ++i) {
      const Vector3d d = step * Vector3d::Unit(i);
      const ContactEquation by_r[] = {bounded_equation(c, rho, r + d, u),
                                      bounded_equation(c, rho, r - d, u)};
      const ContactEquation by_u[] = {bounded_equation(c, rho, r, u + d),
                                      bounded_equation(c, rho, r, u - d)};
      if (by_r[0].state != by_r[1].state || by_u[0].state != by_u[1].state) continue;
      EXPECT_LT(((by_r[0].value - by_r[1].value) / (2.0 * step) - e.A.col(i)).norm(), 1e-8);
      EXPECT_LT(((by_u[0].value - by_u[1].value) / (2.0 * step) - e.C.col(i)).norm(), 1e-8);
    }
  }
  EXPECT_GT(counts[static_cast<int>(ContactState::stick)], 50);
  EXPECT_GT(counts[static_cast<int>(ContactState::slip)], 50);
  EXPECT_EQ(counts[static_cast<int>(ContactState::open)], 0);
}

// Bounds, cones and contacts without friction together; W of rank 3 n, or less by a third.
class MixedLaws : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(All, MixedLaws, testing::ValuesIn(kMethods),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST_P(MixedLaws, AreMetTogether) {
  std::mt19937 g(7);
  int n_sticks = 0, n_slips = 0;
  for (int k = 0; k < 40; ++k) {
    constexpr int kContacts = 6;
    const Eigen::Index n = 3 * kContacts;
    MatrixXd J(n, k % 2 == 0 ? n : 2 * n / 3);
    for (Eigen::Index i = 0; i < J.cols(); ++i) J.col(i) = random_vector(n, g);
    MatrixXd dense = J * J.transpose();
    if (k % 2 == 0) dense += 0.5 * MatrixXd::Identity(n, n);
    const ContactBlocks W = ContactBlocks::from_dense(dense);
    Problem problem{&W, J * random_vector(J.cols(), g), {}, {}};
    for (int i = 0; i < kContacts; ++i)
      problem.laws.push_back(i % 3 == 0   ? bounded(0.05 + 0.1 * i)
                             : i % 3 == 1 ? ContactLaw{ContactLaw::Type::coulomb, 0.3, 0.0}
                                          : ContactLaw{ContactLaw::Type::unilateral, 0.0, 0.0});
    const Result result = solve(problem, {GetParam(), 1e-11, 0});
    for (int i = 0; i < kContacts; i += 3) {
      const Vector3d r = result.r.segment<3>(3 * i), u = result.u.segment<3>(3 * i);
      EXPECT_EQ(r[0], 0.0);
      const double c = problem.laws[i].bound;
      EXPECT_LE(r.norm(), c * (1.0 + 1e-9));
      const bool sticks = result.states[i] == ContactState::stick;
      (sticks ? n_sticks : n_slips) += 1;
      if (!sticks) EXPECT_NEAR(r.dot(u), -c * u.tail<2>().norm(), 1e-8);
      if (sticks) EXPECT_LT(u.tail<2>().norm(), 1e-8);
    }
  }
  EXPECT_GT(n_sticks, 5);
  EXPECT_GT(n_slips, 5);
}

TEST(BoundedFriction, IsRefusedByMethodsOfCones) {
  const ContactBlocks W = ContactBlocks::from_dense(MatrixXd::Identity(3, 3));
  Problem problem{&W, Vector3d(0.0, 1.0, 0.0), {bounded(0.5)}, {}};
  for (const Method method : {Method::interior_point, Method::convex}) {
    try {
      solve(problem, {method, 1e-10, 0});
      FAIL() << name(method);
    } catch (const base::InputError& e) {
      EXPECT_THAT(e.what(), testing::HasSubstr(name(method)));
      EXPECT_THAT(e.what(), testing::HasSubstr("gauss_seidel"));
    }
  }
  problem.laws[0].bound = -1.0;
  EXPECT_THROW(solve(problem), base::InputError);
}

}  // namespace
}  // namespace solidyn::solvers::friction

// Friction of a given size beside that of a cone, as the expansion of Poisson's impact law has it:
// one contact exactly, its Newton equations, several contacts by every method that knows the law.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "solidyn/base/error.h"
#include "solidyn/solvers/friction/friction_contact.h"
#include "solvers/friction/cone.h"
#include "solvers/friction/cut_cone_solver.h"
#include "solvers/friction/newton.h"

namespace solidyn::solvers::friction {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

VectorXd numbers_between_ones(Eigen::Index n, std::mt19937& g) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  VectorXd x(n);
  for (double& value : x) value = uniform(g);
  return x;
}

// W of n contacts on half as many bodies.
MatrixXd operator_of_contacts(Eigen::Index n, std::mt19937& g) {
  MatrixXd A(n, n);
  for (Eigen::Index i = 0; i < n; ++i) A.col(i) = numbers_between_ones(n, g);
  return A * A.transpose() / double(n) + 0.05 * MatrixXd::Identity(n, n);
}

// The law in its own words.
void expect_law(double mu, double c, const Vector3d& r, const Vector3d& u, double size) {
  const double nothing = 1e-10 * size;
  EXPECT_GE(r[0], -nothing);
  EXPECT_GE(u[0], -nothing);
  EXPECT_LT(std::min(std::abs(u[0]), std::abs(r[0])), nothing);
  const Vector2d r_T = r.tail<2>(), u_T = u.tail<2>();
  const double limit = mu * r[0] + c;
  EXPECT_LE(r_T.norm(), limit + nothing);
  if (u_T.norm() <= nothing) return;
  EXPECT_NEAR(r_T.norm(), limit, 1e2 * nothing);
  EXPECT_NEAR(r_T.dot(u_T), -limit * u_T.norm(), 1e2 * nothing * u_T.norm());
}

TEST(CutCone, OfOneContactMeetsTheLaw) {
  std::mt19937 g(3);
  int parts_and_sticks = 0, parts_and_slips = 0, sticks = 0, slips = 0;
  for (int k = 0; k < 4000; ++k) {
    const Matrix3d W = operator_of_contacts(3, g);
    const Vector3d q = numbers_between_ones(3, g);
    const double mu = 0.05 + std::abs(numbers_between_ones(1, g)[0]),
                 c = (k % 2 ? 0.5 : 6.0) * std::abs(q[1]) + 0.01;
    LocalSolution solution{Vector3d::Zero(), ContactState::open};
    ASSERT_TRUE(solve_cut_cone(LocalSolver(W, mu), c, q, solution)) << k;
    const Vector3d u = W * solution.r + q;
    expect_law(mu, c, solution.r, u, 10.0);
    const bool moves = u.tail<2>().norm() > 1e-11;
    if (solution.state == ContactState::open) (moves ? parts_and_slips : parts_and_sticks) += 1;
    if (solution.state == ContactState::stick) ++sticks;
    if (solution.state == ContactState::slip) ++slips;
  }
  EXPECT_GT(parts_and_sticks, 200);
  EXPECT_GT(parts_and_slips, 200);
  EXPECT_GT(sticks, 200);
  EXPECT_GT(slips, 200);
}

// By hand, W = I, mu = 1/2, c = 0.1. Coming at (-1, 1, 0): r_N = 1, and r_T = -0.6 of which 0.1 is
// there whatever presses. Parting: 0.1 alone.
TEST(CutCone, AddsTheGivenFrictionToThatOfTheCone) {
  const LocalSolver cone(Matrix3d::Identity(), 0.5);
  LocalSolution solution{Vector3d::Zero(), ContactState::open};
  ASSERT_TRUE(solve_cut_cone(cone, 0.1, {-1.0, 1.0, 0.0}, solution));
  EXPECT_LT((solution.r - Vector3d(1.0, -0.6, 0.0)).norm(), 1e-14);
  ASSERT_TRUE(solve_cut_cone(cone, 0.1, {0.5, 1.0, 0.0}, solution));
  EXPECT_LT((solution.r - Vector3d(0.0, -0.1, 0.0)).norm(), 1e-14);
}

// A projection is where the rest is orthogonal to the set, for which points of it are compared.
TEST(CutCone, HasTheNearestPointOfTheSetAsItsProjection) {
  std::mt19937 g(4);
  for (int k = 0; k < 300; ++k) {
    const double mu = 0.6, c = 0.2;
    const Vector3d z = numbers_between_ones(3, g), p = project_on_cut_cone(mu, c, z);
    EXPECT_LE(p.tail<2>().norm(), mu * p[0] + c + 1e-15);
    EXPECT_GE(p[0], 0.0);
    for (int i = 0; i < 50; ++i) {
      Vector3d x = 2.0 * numbers_between_ones(3, g);
      x[0] = std::abs(x[0]);
      x.tail<2>() *= std::min(1.0, (mu * x[0] + c) / x.tail<2>().norm());
      EXPECT_LE((z - p).dot(x - p), 1e-14);
    }
  }
}

TEST(CutCone, HasTheDerivativesOfItsEquations) {
  std::mt19937 g(5);
  const double mu = 0.5, c = 0.2, rho = 0.4, step = 1e-6;
  for (int k = 0; k < 500; ++k) {
    const Vector3d r = numbers_between_ones(3, g), u = numbers_between_ones(3, g);
    if (std::abs(r[0] - rho * u[0]) < 1e-5) continue;
    const ContactEquation e = coulomb_equation(mu, rho, r, u, c);
    EXPECT_NE(e.state, ContactState::open);
    for (int i = 0; i < 3; ++i) {
      const Vector3d d = step * Vector3d::Unit(i);
      const ContactEquation by_r[] = {coulomb_equation(mu, rho, r + d, u, c),
                                      coulomb_equation(mu, rho, r - d, u, c)};
      const ContactEquation by_u[] = {coulomb_equation(mu, rho, r, u + d, c),
                                      coulomb_equation(mu, rho, r, u - d, c)};
      if (by_r[0].state != by_r[1].state || by_u[0].state != by_u[1].state) continue;
      EXPECT_LT(((by_r[0].value - by_r[1].value) / (2.0 * step) - e.A.col(i)).norm(), 1e-8);
      EXPECT_LT(((by_u[0].value - by_u[1].value) / (2.0 * step) - e.C.col(i)).norm(), 1e-8);
    }
  }
}

// Beside cones, bounds and contacts without friction.
TEST(CutCone, IsSolvedByEveryMethodAmongOtherLaws) {
  for (const Method method : {Method::automatic, Method::newton, Method::gauss_seidel}) {
    std::mt19937 g(11);
    int slips = 0, parts = 0;
    for (int k = 0; k < 60; ++k) {
      constexpr int kN = 8;
      const MatrixXd dense = operator_of_contacts(3 * kN, g);
      const ContactBlocks W = ContactBlocks::from_dense(dense);
      Problem problem{&W, numbers_between_ones(3 * kN, g), {}, {}};
      using Type = ContactLaw::Type;
      for (int i = 0; i < kN; ++i)
        problem.laws.push_back(i % 4 == 0   ? ContactLaw{Type::coulomb, 0.4, 0.0}
                               : i % 4 == 3 ? ContactLaw{Type::unilateral, 0.0, 0.0}
                                            : ContactLaw{Type::coulomb, 0.3, 0.1 * i});
      Options options;
      options.method = method;
      options.tolerance = 1e-12;
      const Result result = solve(problem, options);
      for (int i = 0; i < kN; ++i) {
        const ContactLaw& law = problem.laws[i];
        expect_law(law.cone(), law.bound, result.r.segment<3>(3 * i), result.u.segment<3>(3 * i),
                   10.0);
        if (law.bound > 0.0) slips += result.states[i] == ContactState::slip;
        if (law.bound > 0.0) parts += result.states[i] == ContactState::open;
      }
    }
    EXPECT_GT(slips, 10);
    EXPECT_GT(parts, 10);
  }
}

TEST(CutCone, IsRefusedWithoutAConeAndByInteriorPoints) {
  const ContactBlocks W = ContactBlocks::from_dense(Matrix3d::Identity());
  Problem problem{&W, Vector3d(-1.0, 1.0, 0.0), {{ContactLaw::Type::coulomb, 0.0, 0.5}}, {}};
  EXPECT_THROW(check(problem), base::InputError);
  problem.laws[0] = {ContactLaw::Type::unilateral, 0.3, 0.5};
  EXPECT_THROW(check(problem), base::InputError);
  problem.laws[0] = {ContactLaw::Type::coulomb, 0.3, 0.5};
  Options options;
  options.method = Method::interior_point;
  EXPECT_THROW(solve(problem, options), base::InputError);
}

}  // namespace
}  // namespace solidyn::solvers::friction

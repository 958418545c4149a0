// One contact, exactly: every solution of random problems against a search of all slip directions.
#include "solvers/friction/local_solver.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "solvers/friction/cone.h"
#include "solvers/friction/polynomial_roots.h"

namespace solidyn::solvers::friction {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

Vector3d random_vector3(std::mt19937& g) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  return {uniform(g), uniform(g), uniform(g)};
}

Matrix3d random_matrix3(std::mt19937& g) {
  Matrix3d A;
  for (int i = 0; i < 3; ++i) A.col(i) = random_vector3(g);
  return A;
}

/// How far r is from the law, in velocities.
double violation(const Matrix3d& W, const Vector3d& q, double mu, const Vector3d& r) {
  const Vector3d u = W * r + q;
  const double rho = 1.0 / W.norm();
  return (r - project_on_cone(mu, r - rho * lifted_velocity(mu, u))).norm() / rho;
}

/// Slip by brute force: directions where u_T of u_N = 0 changes its side, by bisection.
std::vector<Vector3d> slips_by_search(const Matrix3d& W, const Vector3d& q, double mu) {
  const auto force = [&](double angle) {
    const Vector3d ray(1.0, -mu * std::cos(angle), -mu * std::sin(angle));
    return Vector3d(-q[0] / W.row(0).dot(ray) * ray);
  };
  const auto side = [&](double angle) {
    const Vector3d u = W * force(angle) + q;
    return std::cos(angle) * u[2] - std::sin(angle) * u[1];
  };
  constexpr int kSamples = 4000;
  std::vector<Vector3d> found;
  for (int k = 0; k < kSamples; ++k) {
    double a = 2.0 * M_PI * k / kSamples, b = 2.0 * M_PI * (k + 1) / kSamples;
    const double at_a = side(a);
    if ((at_a > 0.0) == (side(b) > 0.0)) continue;
    for (int i = 0; i < 60; ++i) {
      const double c = 0.5 * (a + b);
      ((side(c) > 0.0) == (at_a > 0.0) ? a : b) = c;
    }
    const Vector3d r = force(a), u = W * r + q;
    if (r[0] >= 0.0 && r.norm() < 1e6 && u[1] * std::cos(a) + u[2] * std::sin(a) >= 0.0)
      found.push_back(r);  // poles change sides too, with forces without bound
  }
  return found;
}

void expect_all_found(const Matrix3d& W, const Vector3d& q, double mu) {
  const LocalSolver solver(W, mu);
  const std::vector<LocalSolution> all = solver.enumerate(q);
  for (const LocalSolution& one : all)
    EXPECT_LT(violation(W, q, mu, one.r), 1e-9 * (q.norm() + W.norm() * one.r.norm()))
        << "W\n"
        << W << "\nq " << q.transpose() << " mu " << mu;
  for (const Vector3d& r : slips_by_search(W, q, mu)) {
    double nearest = HUGE_VAL;
    for (const LocalSolution& one : all) nearest = std::min(nearest, (one.r - r).norm());
    EXPECT_LT(nearest, 1e-6 * (1.0 + r.norm()))
        << "W\n"
        << W << "\nq " << q.transpose() << " mu " << mu << " misses " << r.transpose();
  }
  LocalSolution one{Vector3d::Zero(), ContactState::open};
  EXPECT_EQ(solver.solve(q, one), !all.empty());
  if (!all.empty())
    EXPECT_LT(violation(W, q, mu, one.r), 1e-9 * (q.norm() + W.norm() * one.r.norm()));
}

TEST(LocalContact, SolutionsOfSymmetricBlocksAreAllFound) {
  std::mt19937 g(1);
  std::uniform_real_distribution<double> friction(0.01, 2.0);
  for (int k = 0; k < 400; ++k) {
    const Matrix3d A = random_matrix3(g);
    expect_all_found(A * A.transpose() + 0.01 * Matrix3d::Identity(), random_vector3(g),
                     friction(g));
  }
}

// W_NN - mu W_NT.d has either sign here, and there may be none, one or several solutions.
TEST(LocalContact, SolutionsOfUnsymmetricAndPainleveBlocksAreAllFound) {
  std::mt19937 g(2);
  std::uniform_real_distribution<double> friction(0.01, 4.0);
  int n_without = 0, n_several = 0;
  for (int k = 0; k < 400; ++k) {
    Matrix3d W = random_matrix3(g);
    W.diagonal() += Vector3d(0.5, 1.0, 1.0);
    const Vector3d q = random_vector3(g);
    const double mu = friction(g);
    expect_all_found(W, q, mu);
    const std::size_t n = LocalSolver(W, mu).enumerate(q).size();
    n_without += n == 0;
    n_several += n > 1;
  }
  EXPECT_GT(n_without, 5);
  EXPECT_GT(n_several, 20);
}

TEST(LocalContact, LastStateAndDirectionLeadToASolution) {
  std::mt19937 g(3);
  for (int k = 0; k < 400; ++k) {
    const Matrix3d A = random_matrix3(g);
    const Matrix3d W = A * A.transpose() + 0.1 * Matrix3d::Identity();
    const LocalSolver solver(W, 0.5);
    LocalSolution last{Vector3d::Zero(), static_cast<ContactState>(k % 3),
                       random_vector3(g).head<2>().normalized()};
    const Vector3d q = random_vector3(g);
    ASSERT_TRUE(solver.solve(q, last));
    EXPECT_LT(violation(W, q, 0.5, last.r), 1e-10 * q.norm());
    const Vector3d nearby = q + 1e-3 * random_vector3(g);
    ASSERT_TRUE(solver.solve(nearby, last));
    EXPECT_LT(violation(W, nearby, 0.5, last.r), 1e-10 * q.norm());
  }
}

TEST(LocalContact, SingularBlocksStickWhereAForceHolds) {
  std::mt19937 g(4);
  for (int k = 0; k < 600; ++k) {
    const int rank = k % 3;
    Matrix3d W = Matrix3d::Zero();
    for (int i = 0; i < rank; ++i) {
      const Vector3d a = random_vector3(g);
      W += a * a.transpose();
    }
    Vector3d held(1.0, 0.2 * std::cos(k), 0.2 * std::sin(k));
    const Vector3d q = -W * held;
    const double mu = 0.3;
    LocalSolution one{Vector3d::Zero(), ContactState::stick};
    ASSERT_TRUE(LocalSolver(W, mu).solve(q, one)) << "rank " << rank << "\n" << W;
    const double size = W.norm() > 0.0 ? W.norm() : 1.0;
    const Vector3d u = W * one.r + q;
    EXPECT_LT((one.r - project_on_cone(mu, one.r - lifted_velocity(mu, u) / size)).norm(),
              1e-8 * (1.0 + one.r.norm()))
        << "rank " << rank;
  }
}

TEST(LocalContact, WithoutFrictionOnlyTheNormalForceActs) {
  Matrix3d W;
  W << 2.0, 0.3, 0.1, 0.3, 1.0, 0.0, 0.1, 0.0, 1.0;
  LocalSolution one{Vector3d::Zero(), ContactState::open};
  ASSERT_TRUE(LocalSolver(W, 0.0).solve({-1.0, 0.4, 0.2}, one));
  EXPECT_EQ(one.r, Vector3d(0.5, 0.0, 0.0));
  ASSERT_TRUE(LocalSolver(W, 0.0).solve({1.0, 0.4, 0.2}, one));
  EXPECT_EQ(one.r, Vector3d::Zero());
  EXPECT_FALSE(LocalSolver(Matrix3d::Zero(), 0.0).solve({-1.0, 0.0, 0.0}, one));
}

// Double roots, roots at infinity and polynomials of lower degree.
TEST(RealRoots, OfKnownPolynomials) {
  RealRoots roots = real_roots({24.0, -50.0, 35.0, -10.0, 1.0});  // 1, 2, 3, 4
  ASSERT_EQ(roots.count, 4);
  for (int i = 0; i < 4; ++i) EXPECT_NEAR(roots.values[i], i + 1.0, 1e-12);
  roots = real_roots({4.0, 0.0, -4.0, 0.0, 1.0});  // (t^2 - 2)^2
  ASSERT_EQ(roots.count, 2);
  EXPECT_NEAR(roots.values[1], std::sqrt(2.0), 1e-7);
  EXPECT_EQ(real_roots({1.0, 0.0, 1.0, 0.0, 1.0}).count, 0);
  EXPECT_EQ(real_roots({0.0, 0.0, 0.0, 0.0, 0.0}).count, 0);
  roots = real_roots({-6.0, 2.0, 0.0, 0.0, 1e-20});
  ASSERT_EQ(roots.count, 1);
  EXPECT_NEAR(roots.values[0], 3.0, 1e-14);
}

// Page D11 of the verification set: Painleve's rod, tan(theta) = 2.
struct PainleveStep {
  double mu, h, P_N, P_T, v_x, v_y, omega;
};

TEST(PainleveRod, StepHasTheOneSolutionThatExists) {
  const double cosine = 1.0 / std::sqrt(5.0), sine = 2.0 * cosine;
  Eigen::Matrix<double, 2, 3> J;  // normal up, tangent along x; columns v_x, v_y, omega
  J << 0.0, 1.0, -0.5 * cosine, 1.0, 0.0, 0.5 * sine;
  const Vector3d inverse_mass(1.0, 1.0, 12.0);
  const Eigen::Matrix2d G = J * inverse_mass.asDiagonal() * J.transpose();
  EXPECT_NEAR(G(0, 0), 1.6, 1e-14);
  EXPECT_NEAR(G(0, 1), -1.2, 1e-14);
  EXPECT_NEAR(G(1, 1), 3.4, 1e-14);
  Matrix3d W = Matrix3d::Zero();
  W.topLeftCorner<2, 2>() = G;
  W(2, 2) = 1.0;  // along z nothing moves
  for (const PainleveStep& c :
       {PainleveStep{1.2, 1e-3, 0.0613125, 0.073575, -0.926425, 0.0515025, 0.230326182},
        PainleveStep{1.2, 1e-2, 0.383385, 0.42943, -0.57057, 0.285285, 1.275833306},
        PainleveStep{1.6, 1e-6, 0.300008339, 0.400002943, -0.599997057, 0.299998529, 1.341634206},
        PainleveStep{1.6, 1e-3, 0.3083385, 0.402943, -0.597057, 0.2985285, 1.335060038}}) {
    const Vector3d v(-1.0, -9.81 * c.h, 0.0);
    Vector3d q = Vector3d::Zero();
    q.head<2>() = J * v;
    const LocalSolver solver(W, c.mu);
    EXPECT_EQ(solver.enumerate(q).size(), 1U) << c.mu << " " << c.h;
    LocalSolution one{Vector3d::Zero(), ContactState::open};
    ASSERT_TRUE(solver.solve(q, one));
    EXPECT_NEAR(one.r[0], c.P_N, 1e-9);
    EXPECT_NEAR(one.r[1], c.P_T, 1e-9);
    const Vector3d after = v + inverse_mass.asDiagonal() * (J.transpose() * one.r.head<2>());
    EXPECT_NEAR(after[0], c.v_x, 1e-9);
    EXPECT_NEAR(after[1], c.v_y, 1e-9);
    EXPECT_NEAR(after[2], c.omega, 1e-9);
  }
}

}  // namespace
}  // namespace solidyn::solvers::friction

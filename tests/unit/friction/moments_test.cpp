// Moments of rolling and drilling friction: discs whose size is a coefficient times the normal
// force of the contact before them, by every method that knows the law.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "solidyn/base/error.h"
#include "solidyn/solvers/friction/delassus.h"
#include "solidyn/solvers/friction/friction_contact.h"
#include "solvers/friction/newton.h"

namespace solidyn::solvers::friction {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::Vector3d;
using Eigen::VectorXd;

constexpr Method kMethodsForMoments[] = {Method::automatic, Method::newton, Method::gauss_seidel,
                                         Method::projected_gradient};

VectorXd random_velocities(Eigen::Index n, std::mt19937& g) {
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  VectorXd x(n);
  for (double& value : x) value = uniform(g);
  return x;
}

ContactLaw moment(double mu, int partner) { return {ContactLaw::Type::bounded, mu, 0.0, partner}; }

// In its own words: as long as the disc allows, and against the turning where there is any.
// @return whether it turns
bool expect_moment(double bound, const Vector2d& m, const Vector2d& w, double size) {
  EXPECT_LE(m.norm(), bound + 1e-9);
  if (w.norm() <= 1e-7 * size) return false;
  EXPECT_NEAR(m.dot(w), -bound * w.norm(), 1e-7 * size);
  return true;
}

class Moments : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(All, Moments, testing::ValuesIn(kMethodsForMoments),
                         [](const auto& info) { return std::string(name(info.param)); });

// Contacts with and without friction, each with two moments; coupled at random.
TEST_P(Moments, AreBoundedByTheirContacts) {
  std::mt19937 g(3);
  int n_turn = 0, n_held = 0, n_open = 0;
  for (int k = 0; k < 60; ++k) {
    const int n_contacts = 1 + k % 4;
    const Eigen::Index n = 9 * n_contacts;
    MatrixXd J(n, 2 * n);
    for (Eigen::Index i = 0; i < J.cols(); ++i) J.col(i) = random_velocities(n, g);
    const ContactBlocks W = ContactBlocks::from_dense(J * J.transpose() / double(n));
    Problem problem{&W, 3.0 * random_velocities(n, g), {}, {}};
    for (int i = 0; i < n_contacts; ++i) {
      problem.laws.push_back(i % 2 == 0 ? ContactLaw{ContactLaw::Type::coulomb, 0.3, 0.0}
                                        : ContactLaw{ContactLaw::Type::unilateral, 0.0, 0.0});
      problem.laws.push_back(moment(1.5, 3 * i));
      problem.laws.push_back(moment(k % 5 == 0 ? 0.0 : 0.05, 3 * i));
    }
    const Result result = solve(problem, {GetParam(), 1e-11, 0});
    for (int i = 0; i < n_contacts; ++i) {
      const double normal = result.r[9 * i];
      n_open += normal == 0.0 ? 1 : 0;
      for (int j = 1; j <= 2; ++j) {
        const Eigen::Index at = 9 * i + 3 * j;
        EXPECT_EQ(result.r[at], 0.0);
        const bool turns =
            expect_moment(problem.laws[3 * i + j].mu * normal, result.r.segment<2>(at + 1),
                          result.u.segment<2>(at + 1), problem.q.norm());
        (turns ? n_turn : n_held) += 1;
        EXPECT_EQ(result.states[3 * i + j], turns ? ContactState::slip : ContactState::stick);
      }
    }
  }
  EXPECT_GT(n_turn, 40);
  EXPECT_GT(n_held, 10);
  EXPECT_GT(n_open, 10);
}

// A ball on a plane by hand: without coupling of spin and normal the moment is known.
TEST_P(Moments, OfABallOnAPlaneAreThoseByHand) {
  const double m = 2.0, r = 0.1, inertia = 0.4 * m * r * r;
  Eigen::Matrix<double, 6, 6> inverse = Eigen::Matrix<double, 6, 6>::Zero();
  inverse.topLeftCorner<3, 3>().diagonal().setConstant(1.0 / m);
  inverse.bottomRightCorner<3, 3>().diagonal().setConstant(1.0 / inertia);
  ContactLeg contact, rolling, drilling;
  contact.contact = 0;
  contact.J << 0, 0, 1, 0, 0, 0,  //
      1, 0, 0, 0, -r, 0,          // a point below the centre: v + w x (0, 0, -r)
      0, 1, 0, r, 0, 0;
  rolling.contact = 1;
  rolling.J.setZero();
  rolling.J(1, 3) = rolling.J(2, 4) = r;
  drilling.contact = 2;
  drilling.J.setZero();
  drilling.J(1, 5) = r;
  ContactBlocks W = delassus_of_bodies(3, {inverse}, {contact, rolling, drilling});
  W = W.plus_diagonal({Vector3d::Zero(), Vector3d(1.0, 0.0, 0.0), Vector3d(1.0, 0.0, 1.0)});
  // It falls with 1 m/s, rolls with 3 m/s along x, and spins with 20 rad/s.
  Problem problem{&W, VectorXd::Zero(9), {}, {}};
  problem.q << -1.0, 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 2.0, 0.0;
  problem.laws = {{ContactLaw::Type::coulomb, 0.5, 0.0}, moment(0.02, 0), moment(0.01, 0)};
  const Result result = solve(problem, {GetParam(), 1e-12, 0});
  EXPECT_NEAR(result.r[0], m, 1e-9);
  EXPECT_NEAR(result.r[5], -0.02 * m, 1e-9);
  EXPECT_NEAR(result.r[7], -0.01 * m, 1e-9);
  // The moment and the friction that keeps it rolling: (m + I / r^2) dv = -M / r.
  EXPECT_NEAR(result.u[5], 3.0 - 0.02 * m / (1.4 * m), 1e-9);
  EXPECT_NEAR(result.u[7], 2.0 - r * r * 0.01 * m / inertia, 1e-9);
  EXPECT_LT(result.u.segment<2>(1).norm(), 1e-9);
}

// More than the 500 from which on contacts are solved by gradients and products.
TEST(ManyMoments, AreFoundTogetherAsEachAlone) {
  std::mt19937 g(5);
  constexpr int kBodies = 300;
  std::vector<ContactBlock> blocks;
  Problem many{nullptr, VectorXd::Zero(6 * kBodies), {}, {}};
  VectorXd expected(6 * kBodies);
  for (int b = 0; b < kBodies; ++b) {
    MatrixXd J(6, 8);
    for (Eigen::Index i = 0; i < 8; ++i) J.col(i) = random_velocities(6, g);
    const MatrixXd W = J * J.transpose();
    VectorXd q = random_velocities(6, g);
    q[0] = -0.5 - std::abs(q[0]);
    const std::vector<ContactLaw> laws = {{ContactLaw::Type::coulomb, 0.4, 0.0}, moment(0.1, 0)};
    const ContactBlocks one = ContactBlocks::from_dense(W);
    const Result alone = solve({&one, q, laws, {}}, {Method::newton, 1e-12, 0});
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j)
        blocks.push_back({2 * b + i, 2 * b + j, W.block<3, 3>(3 * i, 3 * j)});
    many.q.segment<6>(6 * b) = q;
    many.laws.push_back(laws[0]);
    many.laws.push_back(moment(0.1, 2 * b));
    expected.segment<6>(6 * b) = W * alone.r + q;
  }
  const ContactBlocks W(2 * kBodies, blocks);
  many.W = &W;
  const Result result = solve(many, {Method::automatic, 1e-10, 0});
  EXPECT_LT((result.u - expected).norm(), 1e-7 * many.q.norm());
}

// What the coupling in Newton's matrix is made of.
TEST(MomentEquation, HasTheDerivativeByItsBound) {
  std::mt19937 g(7);
  int n_slips = 0;
  for (int k = 0; k < 200; ++k) {
    const Vector3d r = random_velocities(3, g), u = random_velocities(3, g);
    const double c = 0.5, rho = 0.4, step = 1e-6;
    const ContactEquation above = bounded_equation(c + step, rho, r, u),
                          below = bounded_equation(c - step, rho, r, u);
    if (above.state != below.state || above.state != ContactState::slip) continue;
    ++n_slips;
    const Vector2d z = r.tail<2>() - rho * u.tail<2>();
    const Vector3d by_bound = (above.value - below.value) / (2.0 * step);
    EXPECT_NEAR(by_bound[0], 0.0, 1e-12);
    EXPECT_LT((by_bound.tail<2>() + z / (rho * z.norm())).norm(), 1e-8);
  }
  EXPECT_GT(n_slips, 50);
}

TEST(MomentLaw, RefusesPartnersWithoutANormalForce) {
  const ContactBlocks W = ContactBlocks::from_dense(MatrixXd::Identity(6, 6));
  Problem problem{&W, VectorXd::Ones(6), {moment(0.1, 1), moment(0.1, 0)}, {}};
  EXPECT_THROW(solve(problem), base::InputError);
  problem.laws = {{ContactLaw::Type::coulomb, 0.4, 0.0}, moment(0.1, 0)};
  EXPECT_NO_THROW(solve(problem));
  EXPECT_THROW(solve(problem, {Method::interior_point, 1e-8, 0}), base::InputError);
  EXPECT_THROW(solve(problem, {Method::convex, 1e-8, 0}), base::InputError);
  problem.laws[1].mu = -0.1;
  EXPECT_THROW(solve(problem), base::InputError);
}

}  // namespace
}  // namespace solidyn::solvers::friction

// Each method on problems whose answers are known, and on problems that are wrong.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include "solidyn/base/error.h"
#include "solidyn/solvers/friction/delassus.h"
#include "solidyn/solvers/friction/friction_contact.h"

namespace solidyn::solvers::friction {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using testing::HasSubstr;

constexpr Method kExactMethods[] = {Method::automatic, Method::newton, Method::gauss_seidel,
                                    Method::interior_point, Method::projected_gradient};

/// Points with masses, each contact between two of them (or one and the ground).
struct PointContacts {
  std::vector<double> masses;
  std::vector<Eigen::Matrix<double, 3, 3>> axes;  // of a contact: rows normal, tangents
  std::vector<std::pair<int, int>> bodies;        // first -1: the ground; u is second less first
  MatrixXd J() const {
    MatrixXd J = MatrixXd::Zero(3 * axes.size(), 3 * masses.size());
    for (std::size_t c = 0; c < axes.size(); ++c) {
      J.block<3, 3>(3 * c, 3 * bodies[c].second) = axes[c];
      if (bodies[c].first >= 0) J.block<3, 3>(3 * c, 3 * bodies[c].first) = -axes[c];
    }
    return J;
  }
  VectorXd inverse_masses() const {
    VectorXd m(3 * masses.size());
    for (std::size_t b = 0; b < masses.size(); ++b) m.segment<3>(3 * b).setConstant(1 / masses[b]);
    return m;
  }
  ContactBlocks W() const {
    return ContactBlocks::from_dense(J() * inverse_masses().asDiagonal() * J().transpose());
  }
};

Matrix3d axes_of(const Vector3d& normal, const Vector3d& tangent) {
  Matrix3d axes;
  axes << normal.transpose(), tangent.transpose(), normal.cross(tangent).transpose();
  return axes;
}

Problem problem_of(const ContactBlocks& W, const VectorXd& q, double mu) {
  Problem problem;
  problem.W = &W;
  problem.q = q;
  problem.laws.assign(W.n_contacts(), {ContactLaw::Type::coulomb, mu});
  return problem;
}

class ExactMethod : public testing::TestWithParam<Method> {
 protected:
  Options options(double tolerance = 1e-12) const { return {GetParam(), tolerance, 0}; }
};

INSTANTIATE_TEST_SUITE_P(All, ExactMethod, testing::ValuesIn(kExactMethods),
                         [](const auto& info) { return std::string(name(info.param)); });

// Page D09 (a): N/m and a of a body in a V-groove, one step of 1 ms while it slides.
TEST_P(ExactMethod, GrooveHasItsNormalForceAndAcceleration) {
  struct Case {
    double beta, phi, mu, N, a;
  };
  for (const Case& c :
       {Case{30, 45, 0.2, 6.007373594, 2.502050562}, Case{30, 60, 0.3, 4.905, 1.962}}) {
    const double h = 1e-3, g = 9.81, beta = c.beta * M_PI / 180, phi = c.phi * M_PI / 180;
    PointContacts groove;
    groove.masses = {1.0};
    const Vector3d along(1.0, 0.0, 0.0);
    for (const double side : {-1.0, 1.0}) {
      groove.axes.push_back(axes_of({0.0, side * std::cos(phi), std::sin(phi)}, along));
      groove.bodies.emplace_back(-1, 0);
    }
    const Vector3d v(1.0 + h * g * std::sin(beta), 0.0, -h * g * std::cos(beta));
    const ContactBlocks W = groove.W();
    const Problem problem = problem_of(W, groove.J() * v, c.mu);
    const Result result = solve(problem, options());
    for (int i = 0; i < 2; ++i) {
      EXPECT_NEAR(result.r[3 * i] / h, c.N, 1e-8);
      EXPECT_EQ(result.states[i], ContactState::slip);
    }
    EXPECT_NEAR((result.u[1] - 1.0) / h, c.a, 1e-8);
  }
}

// ... and sticks at 20 degrees: the friction of both sides holds the body.
TEST_P(ExactMethod, GrooveHoldsWhereItSticks) {
  const double h = 1e-3, g = 9.81, beta = 20 * M_PI / 180, phi = 30 * M_PI / 180;
  PointContacts groove;
  groove.masses = {1.0};
  for (const double side : {-1.0, 1.0}) {
    groove.axes.push_back(axes_of({0.0, side * std::cos(phi), std::sin(phi)}, {1.0, 0.0, 0.0}));
    groove.bodies.emplace_back(-1, 0);
  }
  const Vector3d v = h * g * Vector3d(std::sin(beta), 0.0, -std::cos(beta));
  const ContactBlocks W = groove.W();
  const Problem problem = problem_of(W, groove.J() * v, 0.3);
  const Result result = solve(problem, options());
  EXPECT_LT(result.u.norm(), 1e-13);
  EXPECT_NEAR(-(result.r[1] + result.r[4]) / h, 2 * 1.677608803, 1e-8);
}

// Page D09 (c): block A on block B, a force on B.
TEST_P(ExactMethod, TwoBlocksStickSlipTogetherAndApart) {
  struct Case {
    double F, a_A, a_B;
  };
  for (const Case& c :
       {Case{5.8, 0.0, 0.0}, Case{8.0, 0.704666667, 0.704666667}, Case{20.0, 2.943, 5.5855}}) {
    const double h = 1e-3, g = 9.81;
    PointContacts blocks;
    blocks.masses = {2.0, 1.0};
    blocks.axes.assign(2, axes_of({0.0, 0.0, 1.0}, {1.0, 0.0, 0.0}));
    blocks.bodies = {{-1, 0}, {0, 1}};
    VectorXd v(6);
    v << h * c.F / 2.0, 0.0, -h * g, 0.0, 0.0, -h * g;
    const ContactBlocks W = blocks.W();
    Problem problem = problem_of(W, blocks.J() * v, 0.2);
    problem.laws[1].mu = 0.3;
    const Result result = solve(problem, options());
    const VectorXd after =
        v + blocks.inverse_masses().asDiagonal() * (blocks.J().transpose() * result.r);
    EXPECT_NEAR(after[0] / h, c.a_B, 1e-8) << c.F;
    EXPECT_NEAR(after[3] / h, c.a_A, 1e-8) << c.F;
    EXPECT_NEAR(result.r[0] / h, 3 * g, 1e-8);
  }
}

// Page D05 (b), (c): touching balls, Newton's law for all contacts at once.
TEST_P(ExactMethod, TouchingBallsShareTheirImpulse) {
  for (const double e : {1.0, 0.0})
    for (const int n : {3, 4, 7}) {
      PointContacts row;
      row.masses.assign(n, 0.3);
      for (int i = 0; i + 1 < n; ++i) {
        row.axes.push_back(axes_of({1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}));
        row.bodies.emplace_back(i, i + 1);
      }
      VectorXd v = VectorXd::Zero(3 * n);
      v[0] = 1.0;
      const ContactBlocks W = row.W();
      Problem problem = problem_of(W, (1.0 + e) * (row.J() * v), 0.0);
      for (ContactLaw& law : problem.laws) law.type = ContactLaw::Type::unilateral;
      const Result result = solve(problem, options(1e-13));
      const VectorXd after =
          v + row.inverse_masses().asDiagonal() * (row.J().transpose() * result.r);
      EXPECT_NEAR(after[0], e == 1.0 ? (2.0 - n) / n : 1.0 / n, 1e-10);
      for (int i = 1; i < n; ++i) EXPECT_NEAR(after[3 * i], (1.0 + e) / n, 1e-10);
    }
}

/// A heap: random contacts between random points, with rows enough to make W singular.
struct Heap {
  PointContacts contacts;
  VectorXd q;
  explicit Heap(int n_points, int n_contacts, unsigned seed = 11) {
    std::mt19937 g(seed);
    std::normal_distribution<double> normal;
    const auto random3 = [&] { return Vector3d(normal(g), normal(g), normal(g)); };
    for (int b = 0; b < n_points; ++b) contacts.masses.push_back(0.5 + std::abs(normal(g)));
    for (int c = 0; c < n_contacts; ++c) {
      Vector3d n = random3();
      n[2] = std::abs(n[2]) + 1.0;
      n.normalize();
      contacts.axes.push_back(axes_of(n, n.cross(random3()).normalized()));
      const int b = c % n_points;
      contacts.bodies.emplace_back(c < n_points ? -1 : (b + 1 + c / n_points) % n_points, b);
    }
    VectorXd v(3 * n_points);
    for (int b = 0; b < n_points; ++b) v.segment<3>(3 * b) = random3() - Vector3d(0, 0, 2.0);
    q = contacts.J() * v;
  }
};

TEST_P(ExactMethod, SolvesWhereWIsSingular) {
  const Heap heap(4, 10);
  const ContactBlocks W = heap.contacts.W();
  const Result result = solve(problem_of(W, heap.q, 0.4), options(1e-9));
  EXPECT_LE(result.error.relative, 1e-9);
  EXPECT_LE(contact_error(problem_of(W, heap.q, 0.4), result.r).relative, 1.01e-9);
}

TEST_P(ExactMethod, UnitsOfForceChangeNothing) {
  const Heap heap(12, 30);
  const MatrixXd J = heap.contacts.J();
  const MatrixXd dense = J * heap.contacts.inverse_masses().asDiagonal() * J.transpose();
  const ContactBlocks W = ContactBlocks::from_dense(dense);
  const Result one = solve(problem_of(W, heap.q, 0.4), options(1e-10));
  for (const double scale : {1e-9, 1e9}) {
    const ContactBlocks scaled = ContactBlocks::from_dense(scale * dense);
    const Result other = solve(problem_of(scaled, heap.q, 0.4), options(1e-10));
    EXPECT_LT((other.u - one.u).norm(), 1e-8 * one.u.norm());
    const ContactBlocks same = ContactBlocks::from_dense(dense);
    const Result faster = solve(problem_of(same, scale * heap.q, 0.4), options(1e-10));
    EXPECT_LT((faster.u - scale * one.u).norm(), 1e-8 * scale * one.u.norm());
  }
}

TEST_P(ExactMethod, OrderOfContactsChangesNothing) {
  const Heap heap(12, 30);
  std::vector<int> order(30);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(3));
  Heap other = heap;
  for (int c = 0; c < 30; ++c) {
    other.contacts.axes[c] = heap.contacts.axes[order[c]];
    other.contacts.bodies[c] = heap.contacts.bodies[order[c]];
    other.q.segment<3>(3 * c) = heap.q.segment<3>(3 * order[c]);
  }
  const ContactBlocks W = heap.contacts.W(), W_other = other.contacts.W();
  const Result a = solve(problem_of(W, heap.q, 0.4), options(1e-11));
  const Result b = solve(problem_of(W_other, other.q, 0.4), options(1e-11));
  for (int c = 0; c < 30; ++c)
    EXPECT_LT((b.u.segment<3>(3 * c) - a.u.segment<3>(3 * order[c])).norm(), 1e-8 * a.u.norm());
}

TEST_P(ExactMethod, TakesWThatIsNotSymmetric) {
  const Heap heap(12, 12);
  const MatrixXd J = heap.contacts.J();
  MatrixXd dense = J * heap.contacts.inverse_masses().asDiagonal() * J.transpose();
  for (int i = 0; i < 12; ++i) {
    dense(3 * i, 3 * i + 1) += 0.05;
    dense(3 * i + 1, 3 * i) -= 0.05;
  }
  const ContactBlocks W = ContactBlocks::from_dense(dense);
  EXPECT_FALSE(W.is_symmetric());
  EXPECT_LE(solve(problem_of(W, heap.q, 0.3), options(1e-9)).error.relative, 1e-9);
}

TEST_P(ExactMethod, FrictionOfNothingAndOfAThousand) {
  const Heap heap(12, 24);
  const ContactBlocks W = heap.contacts.W();
  const Result without = solve(problem_of(W, heap.q, 0.0), options(1e-10));
  for (int c = 0; c < 24; ++c) EXPECT_EQ(without.r.segment<2>(3 * c + 1).norm(), 0.0);
  Problem smooth = problem_of(W, heap.q, 0.0);
  for (ContactLaw& law : smooth.laws) law = {ContactLaw::Type::unilateral, 0.7};
  EXPECT_LT((solve(smooth, options(1e-10)).u - without.u).norm(), 1e-8 * without.u.norm());
  // One point on the ground, dragged along: it sticks.
  PointContacts point;
  point.masses = {1.0};
  point.axes = {axes_of({0, 0, 1}, {1, 0, 0})};
  point.bodies = {{-1, 0}};
  const ContactBlocks W1 = point.W();
  const Result rough = solve(problem_of(W1, Vector3d(-0.1, 5.0, 3.0), 1000.0), options(1e-10));
  EXPECT_LT((rough.r - Vector3d(0.1, -5.0, -3.0)).norm(), 1e-8);
}

TEST_P(ExactMethod, StartsFromTheLastForces) {
  const Heap heap(12, 30);
  const ContactBlocks W = heap.contacts.W();
  const Problem problem = problem_of(W, heap.q, 0.4);
  const Result first = solve(problem, options(1e-9));
  const Result again = solve(problem, options(1e-9), first.r);
  EXPECT_TRUE(again.attempts.empty());
  EXPECT_EQ(again.r, first.r);
  VectorXd wrong = VectorXd::Constant(90, std::numeric_limits<double>::quiet_NaN());
  EXPECT_LT((solve(problem, options(1e-9), wrong).u - first.u).norm(), 1e-6 * first.u.norm());
}

TEST_P(ExactMethod, NoContactsNeedNoForces) {
  const ContactBlocks W(0, {});
  const Result result = solve(problem_of(W, VectorXd(), 0.3), options());
  EXPECT_TRUE(result.has_converged);
  EXPECT_EQ(result.r.size(), 0);
}

/// A column of points under gravity, the topmost heavier by `ratio`.
Heap column(int n, double ratio) {
  Heap heap(1, 1);
  heap.contacts = {};
  heap.contacts.masses.assign(n, 1.0);
  heap.contacts.masses.back() = ratio;
  for (int i = 0; i < n; ++i) {
    heap.contacts.axes.push_back(axes_of({0, 0, 1}, {1, 0, 0}));
    heap.contacts.bodies.emplace_back(i - 1, i);
  }
  VectorXd v = VectorXd::Zero(3 * n);
  for (int i = 0; i < n; ++i) v[3 * i + 2] = -9.81;
  heap.q = heap.contacts.J() * v;
  return heap;
}

TEST(FrictionContact, HeavyTopOfAColumnIsCarried) {
  for (const double ratio : {1.0, 1e3, 1e6}) {
    const Heap heap = column(10, ratio);
    const ContactBlocks W = heap.contacts.W();
    const Result result = solve(problem_of(W, heap.q, 0.5), {Method::automatic, 1e-12, 0});
    for (int i = 0; i < 10; ++i)
      EXPECT_NEAR(result.r[3 * i], (ratio + 9 - i) * 9.81, 1e-8 * ratio * 9.81) << ratio;
  }
}

// Two walls push a point from both sides: no force keeps it out of both.
TEST(FrictionContact, ContradictionIsReportedWithItsContact) {
  std::vector<ContactBlock> blocks = {{0, 0, Matrix3d::Identity()}};  // contact 2 cannot move
  const ContactBlocks W(2, blocks);
  VectorXd q(6);
  q << -1.0, 0.0, 0.0, -0.5, 0.0, 0.0;
  Problem problem = problem_of(W, q, 0.3);
  problem.names = {"wheel on rail", "wedge in slot"};
  for (const Method method : kExactMethods) {
    const Options options{method, 1e-8, method == Method::automatic ? 0 : 300};
    const Result result = try_solve(problem, options);
    EXPECT_FALSE(result.has_converged) << name(method);
    EXPECT_EQ(result.error.worst, 1) << name(method);
    try {
      solve(problem, options);
      FAIL() << name(method);
    } catch (const base::ComputationError& error) {
      EXPECT_THAT(error.what(), HasSubstr("worst is contact wedge in slot")) << name(method);
      EXPECT_THAT(error.what(), HasSubstr("0.5")) << name(method);
    }
  }
}

std::string refusal(const Problem& problem, const Options& options = {}) {
  try {
    solve(problem, options);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(FrictionContact, WrongInputIsRefusedAllAtOnce) {
  const ContactBlocks W(3, {});
  Problem problem = problem_of(W, VectorXd::Zero(9), 0.3);
  problem.names = {"a", "b", "c"};
  problem.laws[0].mu = -0.1;
  problem.laws[2].mu = std::numeric_limits<double>::infinity();
  problem.q[4] = std::numeric_limits<double>::quiet_NaN();
  const std::string message = refusal(problem);
  EXPECT_THAT(message, HasSubstr("contact a has the coefficient of friction -0.1"));
  EXPECT_THAT(message, HasSubstr("contact b has the free velocity (0, nan, 0)"));
  EXPECT_THAT(message, HasSubstr("contact c has the coefficient of friction inf"));
  problem = problem_of(W, VectorXd::Zero(8), 0.3);
  EXPECT_THAT(refusal(problem), HasSubstr("a vector q of 8 numbers"));
  problem = problem_of(W, VectorXd::Zero(9), 0.3);
  problem.names = {"a"};
  EXPECT_THAT(refusal(problem), HasSubstr("has 1 names"));
  problem.W = nullptr;
  problem.names.clear();
  EXPECT_THAT(refusal(problem), HasSubstr("operator W of 0 contacts"));
  Matrix3d broken = Matrix3d::Identity();
  broken(1, 1) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(ContactBlocks(2, {{0, 1, broken}}), base::InputError);
  EXPECT_THROW(ContactBlocks(2, {{0, 2, Matrix3d::Identity()}}), base::InputError);
  EXPECT_THROW(ContactBlocks::from_dense(MatrixXd::Zero(6, 5)), base::InputError);
}

TEST(FrictionContact, ProductsAloneAreEnoughForProjectedGradients) {
  const Heap heap(12, 30);
  const ContactBlocks W = heap.contacts.W();
  std::vector<Matrix3d> diagonal;
  diagonal.reserve(30);
  for (int i = 0; i < 30; ++i) diagonal.push_back(W.diagonal_block(i));
  const ContactProducts products(
      diagonal, [&](const VectorXd& r, VectorXd& u) { W.multiply(r, u); }, true);
  Problem problem = problem_of(W, heap.q, 0.4);
  const Result with_blocks = solve(problem, {Method::newton, 1e-10, 0});
  problem.W = &products;
  const Result result = solve(problem, {Method::automatic, 1e-10, 0});
  EXPECT_EQ(result.method, Method::projected_gradient);
  EXPECT_LT((result.u - with_blocks.u).norm(), 1e-8 * with_blocks.u.norm());
  EXPECT_THAT(refusal(problem, {Method::newton, 1e-8, 0}), HasSubstr("needs the blocks of W"));
}

// Where nothing slips the relaxation is exact; where something does, it opens by mu |u_T|.
TEST(FrictionContact, ConvexLiftsWhatSlips) {
  PointContacts point;
  point.masses = {2.0};
  point.axes = {axes_of({0, 0, 1}, {1, 0, 0})};
  point.bodies = {{-1, 0}};
  const ContactBlocks W = point.W();
  const Options convex{Method::convex, 1e-10, 0};
  const Result sticks = solve(problem_of(W, Vector3d(-1.0, 0.1, 0.2), 0.5), convex);
  EXPECT_NEAR(sticks.u.norm(), 0.0, 1e-9);
  EXPECT_EQ(sticks.gap_opening_at, -1);
  const Result slips = solve(problem_of(W, Vector3d(-1.0, 3.0, 4.0), 0.5), convex);
  EXPECT_NEAR(slips.u[0], 0.5 * slips.u.tail<2>().norm(), 1e-9);
  EXPECT_EQ(slips.gap_opening_at, 0);
  EXPECT_NEAR(slips.gap_opening, slips.u[0], 1e-12);
  const Result exact = solve(problem_of(W, Vector3d(-1.0, 3.0, 4.0), 0.5));
  EXPECT_NEAR(exact.u[0], 0.0, 1e-9);
}

TEST(Delassus, OfBodiesIsTheirJacobiansAndMasses) {
  std::mt19937 g(9);
  std::normal_distribution<double> normal;
  const int n_contacts = 5, n_bodies = 3;
  std::vector<Eigen::Matrix<double, 6, 6>> inverse_masses(n_bodies);
  MatrixXd A = MatrixXd::Zero(18, 18), J = MatrixXd::Zero(15, 18);
  for (int b = 0; b < n_bodies; ++b) {
    Eigen::Matrix<double, 6, 6> root;
    for (double& value : root.reshaped()) value = normal(g);
    inverse_masses[b] = root * root.transpose();
    A.block<6, 6>(6 * b, 6 * b) = inverse_masses[b];
  }
  std::vector<ContactLeg> legs;
  for (int c = 0; c < n_contacts; ++c)
    for (const int b : {c % n_bodies, (c + 1) % n_bodies}) {
      legs.push_back({c, b, {}});
      for (double& value : legs.back().J.reshaped()) value = normal(g);
      J.block<3, 6>(3 * c, 6 * b) = legs.back().J;
    }
  const MatrixXd expected = J * A * J.transpose();
  const ContactBlocks W = delassus_of_bodies(n_contacts, inverse_masses, legs);
  EXPECT_TRUE(W.is_symmetric());
  const VectorXd x = VectorXd::LinSpaced(15, -1.0, 2.0);
  VectorXd Wx;
  W.multiply(x, Wx);
  EXPECT_LT((Wx - expected * x).norm(), 1e-12 * Wx.norm());
  // The same from the global form.
  const MatrixXd M = A.inverse();
  const VectorXd f = VectorXd::LinSpaced(18, 0.0, 1.0), w = VectorXd::LinSpaced(15, 1.0, 0.0);
  const CondensedProblem condensed =
      condense(M.sparseView(), MatrixXd(J.transpose()).sparseView(), f, w);
  condensed.W.multiply(x, Wx);
  EXPECT_LT((Wx - expected * x).norm(), 1e-10 * Wx.norm());
  EXPECT_LT((condensed.q - (w + J * A * f)).norm(), 1e-10 * condensed.q.norm());
}

}  // namespace
}  // namespace solidyn::solvers::friction

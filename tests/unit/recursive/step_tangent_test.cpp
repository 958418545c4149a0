// The iteration matrix of implicit steps in relative coordinates against central differences.
#include "solidyn/recursive/step_tangent.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "flexible_chain.h"
#include "mechanisms.h"
#include "random_bodies.h"
#include "random_trees.h"
#include "solidyn/recursive/dynamics_derivatives.h"
#include "solidyn/system/connect.h"

namespace solidyn {
namespace {

using bodies::BodyIndex;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using joints::Hinge;
using recursive::Mechanism;
using recursive::StepCoefficients;
using recursive::StepEquations;
using recursive::StepTangent;
using system::State;
using testing_support::random_vector;
using testing_support::RandomTree;

constexpr StepCoefficients kCoefficients{20.0, 300.0};

// A step under way: an increment since it began, and what follows of it.
class Step {
 public:
  explicit Step(RandomTree& random, double disturbance = 1.0,
                const StepCoefficients& coefficients = kCoefficients)
      : mechanism_(random.system()), coefficients_(coefficients), equations(mechanism_) {
    VectorXd u;
    state_ = random.state().clone();
    mechanism_.tree().find_coordinates(state_, before_, u);
    VectorXd du;
    q_ = before_;
    mechanism_.compute_accelerations(q_, u, state_, du);
    n = random_vector(random.generator(), equations.n_speeds(), 0.1 * disturbance);
    lambda = equations.closure_multipliers(state_) +
             random_vector(random.generator(), equations.n_closure_rows(), disturbance);
    u_ = u + random_vector(random.generator(), u.size(), disturbance);
    du_ = du + random_vector(random.generator(), u.size(), disturbance);
    for (const recursive::Link& k : mechanism_.tree().links())
      for (int j = k.n_free; j < k.n_speeds; ++j) n[k.u + k.order[j]] = 0.0;
    start_ = n;
  }

  // [residual; violation] at these increments and multipliers.
  VectorXd at(const VectorXd& increment, const VectorXd& multipliers) {
    q_ = before_;
    mechanism_.tree().advance(increment, q_);
    u = u_ + coefficients_.velocity * (increment - start_);
    du = du_ + coefficients_.acceleration * (increment - start_);
    equations.set_closure_multipliers(multipliers, state_);
    equations.evaluate(q_, u, du, state_);
    VectorXd all(equations.n_speeds() + equations.n_closure_rows());
    all << equations.residual(), equations.violation();
    return all;
  }

  // What the increment dn, dlambda is to give, by its solution.
  void expect_exact(double tolerance) {
    StepTangent tangent(equations);
    VectorXd here = at(n, lambda);
    tangent.factorise(coefficients_, q_, u, du, n, state_);
    const int n_u = equations.n_speeds(), n_l = equations.n_closure_rows();
    VectorXd dn, dlambda;
    std::mt19937 generator(5);
    for (int i = 0; i < 3; ++i) {
      VectorXd r = random_vector(generator, n_u, 100.0), phi = random_vector(generator, n_l);
      for (const recursive::Link& k : mechanism_.tree().links())
        for (int j = k.n_free; j < k.n_speeds; ++j) r[k.u + k.order[j]] = 0.0;
      for (int row = 0; row < n_l; ++row)
        if (equations.closures().is_rate(row)) phi[row] = 0.0;
      tangent.solve(r, phi, dn, dlambda);
      // Of fourth order: unknowns of random trees may be of very different size.
      const double step = 1e-4 / std::max(1e-12, dn.lpNorm<Eigen::Infinity>());
      const auto along = [&](double h) { return at(n + h * dn, lambda + h * dlambda); };
      const VectorXd change =
          (8.0 * (along(step) - along(-step)) - along(2.0 * step) + along(-2.0 * step)) /
          (12.0 * step);
      EXPECT_LT((change.head(n_u) + r).lpNorm<Eigen::Infinity>(), tolerance * r.norm())
          << change.head(n_u).transpose() << "\n"
          << -r.transpose();
      for (int row = 0; row < n_l; ++row)
        if (!equations.closures().is_rate(row))
          EXPECT_NEAR(change[n_u + row], -phi[row], 10 * tolerance);
    }
  }

  // How far solutions leave r, beyond round-off of the matrix times what moves; the matrix by the
  // derivatives of inverse dynamics, at no increment.
  void expect_solved(double tolerance) {
    n.setZero();
    start_.setZero();
    at(n, lambda);
    recursive::DynamicsDerivatives derivatives(equations);
    derivatives.evaluate(q_, u, du, state_);
    const MatrixXd A = coefficients_.acceleration * derivatives.by_du() +
                       coefficients_.velocity * derivatives.by_u() + derivatives.by_q();
    StepTangent tangent(equations);
    at(n, lambda);
    tangent.factorise(coefficients_, q_, u, du, n, state_);
    VectorXd dn, dlambda;
    std::mt19937 generator(5);
    for (int i = 0; i < 3; ++i) {
      const VectorXd r = random_vector(generator, equations.n_speeds(), 100.0);
      tangent.solve(r, VectorXd(), dn, dlambda);
      const double round_off = 1e-15 * (A.cwiseAbs() * dn.cwiseAbs()).lpNorm<Eigen::Infinity>();
      EXPECT_LT((A * dn + r).lpNorm<Eigen::Infinity>(), tolerance * r.norm() + round_off);
    }
  }

  int n_driven() const {
    int n = 0;
    for (const recursive::Link& k : mechanism_.tree().links()) n += k.n_speeds - k.n_free;
    return n;
  }

  // From beside a solution, with a new matrix each time. @return sizes of the corrections
  std::vector<double> newton(std::mt19937& generator, int n_iterations) {
    n += random_vector(generator, n.size(), 1e-2);
    for (const recursive::Link& k : mechanism_.tree().links())
      for (int j = k.n_free; j < k.n_speeds; ++j) n[k.u + k.order[j]] = 0.0;
    StepTangent tangent(equations);
    VectorXd dn, dlambda;
    std::vector<double> sizes;
    for (int i = 0; i < n_iterations; ++i) {
      at(n, lambda);
      tangent.factorise(coefficients_, q_, u, du, n, state_);
      tangent.solve(equations.residual(), equations.violation(), dn, dlambda);
      n += dn;
      lambda += dlambda;
      sizes.push_back(dn.lpNorm<Eigen::Infinity>());
    }
    return sizes;
  }

 private:
  Mechanism mechanism_;
  StepCoefficients coefficients_;
  VectorXd before_, q_, u_, du_, start_;
  State state_;

 public:
  StepEquations equations;
  VectorXd n, lambda, u, du;
};

TEST(StepEquations, AreSatisfiedByTheAccelerationsOfForwardDynamics) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow(random, seed % 2 == 0);
    random.set_in_motion();
    Mechanism mechanism(random.system());
    StepEquations equations(mechanism);
    VectorXd q, u, du;
    State state = random.state().clone();
    mechanism.tree().find_coordinates(state, q, u);
    mechanism.compute_accelerations(q, u, state, du);
    equations.evaluate(q, u, du, state);
    double size = 1.0;
    for (const recursive::Link& k : mechanism.tree().links()) size += k.f.norm();
    EXPECT_LT(equations.residual().lpNorm<Eigen::Infinity>(), 1e-10 * size);
  }
}

class StepTangentOfAHinge : public testing::TestWithParam<Hinge::Kind> {};

TEST_P(StepTangentOfAHinge, IsTheDerivative) {
  for (const bool is_reversed : {false, true})
    for (const int n_modes : {0, 2, 5}) {
      SCOPED_TRACE(testing::Message() << "reversed " << is_reversed << ", modes " << n_modes);
      RandomTree random(7);
      const BodyIndex base =
          random.add_body(bodies::kGround, Hinge::Kind::free, {n_modes, false, false});
      const BodyIndex last = random.add_body(base, GetParam(), {n_modes, is_reversed, false});
      random.add_body(last, Hinge::Kind::revolute, {0, is_reversed, false});
      random.set_in_motion();
      Step(random).expect_exact(1e-6);
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, StepTangentOfAHinge,
                         testing::ValuesIn(testing_support::hinge_kinds()), [](const auto& info) {
                           return std::to_string(static_cast<int>(info.param));
                         });

// @param factor  of a stiff one, which begins near its own length
void add_spring(RandomTree& random, BodyIndex first, BodyIndex second, double factor = 1.0) {
  forces::SpringDamper::Options options;
  options.stiffness = 300.0 * factor;
  options.damping = 5.0 * factor;
  const auto A = random.add_frame(first), B = random.add_frame(second);
  if (factor > 1.0) options.free = 0.99 * random.position(A, B).norm();
  system::add_spring(random.system(), "spring", bodies::Distance(), options, {A, B});
}

TEST(StepTangent, IsTheDerivativeOnRandomTreesWithSprings) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow(random, seed % 2 == 0);
    const int n = random.system().bodies().size();
    add_spring(random, BodyIndex(0), BodyIndex(n - 1));  // distant bodies, the ground, neighbours
    add_spring(random, bodies::kGround, BodyIndex(n / 2));
    add_spring(random, BodyIndex(0), BodyIndex(1));
    random.set_in_motion();
    Step(random).expect_exact(1e-6);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(StepTangent, IsTheDerivativeWithVirtualBodies) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow_with_virtual_bodies(random, seed);
    random.set_in_motion();
    Step(random).expect_exact(1e-6);
    if (testing::Test::HasFailure()) return;
  }
}

// Coordinates of forces, of two bodies, of one and the ground, and beside loops: they are found
// with all else, and Newton's method stays quadratic.
// From so far away Newton's method does not end for all random loops: 15 and 18 are in place of 6
// and 12, whose first corrections grow.
TEST(StepTangent, IsTheDerivativeWithCoordinatesOfForces) {
  for (const unsigned seed : {1U, 2U, 3U, 4U, 5U, 7U, 8U, 9U, 10U, 11U, 15U, 18U}) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    if (seed % 3 == 0)
      grow_with_loops(random, seed);
    else
      grow(random, seed % 2 == 0);
    const int n = random.system().bodies().size();
    random.add_series_damper(BodyIndex(0), BodyIndex(n - 1));
    random.add_series_damper(BodyIndex(0), BodyIndex(1));
    random.add_series_damper(BodyIndex(n / 2), bodies::kGround);
    random.add_series_damper(bodies::kGround, BodyIndex(n / 2));
    random.set_in_motion();
    Step(random).expect_exact(1e-6);
    Step step(random, 1e-3);
    const std::vector<double> sizes = step.newton(random.generator(), 7);
    EXPECT_LT(sizes[4], 100.0 * sizes[3] * sizes[3] + 1e-10);
    EXPECT_LT(sizes[6], 1e-10);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(StepTangent, IsTheDerivativeWithBeams) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow_with_beams(random, seed);
    random.set_in_motion();
    Step(random).expect_exact(1e-6);
    if (testing::Test::HasFailure()) return;
  }
}

// Bodies with none to many modes and frames of all kinds, soft and stiff springs, steps from 10
// microseconds to a second.
TEST(StepTangent, IsTheDerivativeForBodiesAndStepsOfAnyKind) {
  using Shapes = testing_support::FrameShapes;
  constexpr StepCoefficients kSteps[] = {{2e5, 4e10}, {2e3, 4e6}, {20.0, 300.0}, {2.0, 4.0}};
  constexpr int kModes[] = {0, 1, 5, 15};
  for (unsigned seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    std::mt19937& g = random.generator();
    const auto kinds = testing_support::hinge_kinds();
    const int n = 3 + static_cast<int>(g() % 4);
    for (int i = 0; i < n; ++i) {
      testing_support::RandomBody body;
      body.n_modes = kModes[g() % 4];
      body.is_reversed = g() % 2 == 0;
      body.shapes = static_cast<Shapes>(g() % 3);
      body.stiffens = g() % 2 == 0;
      const auto kind = i == 0 && g() % 2 == 0 ? Hinge::Kind::free : kinds[g() % kinds.size()];
      const int back = 1 + static_cast<int>(g() % 2);
      random.add_body(i - back < 0 && kind != Hinge::Kind::free ? bodies::kGround
                                                                : BodyIndex(std::max(0, i - back)),
                      kind, body);
    }
    const double factor = g() % 2 == 0 ? 1.0 : 1e3;
    if (g() % 3 > 0) {
      add_spring(random, BodyIndex(0), BodyIndex(n - 1), factor);
      add_spring(random, BodyIndex(n - 2), BodyIndex(n - 1), factor);
      add_spring(random, bodies::kGround, BodyIndex(1), factor);
    }
    random.set_in_motion();
    const StepCoefficients& c = kSteps[g() % 4];
    SCOPED_TRACE(testing::Message()
                 << n << " bodies, springs " << factor << ", 1/step " << c.velocity);
    Step(random, 1.0, c).expect_exact(1e-6);
  }
}

// What a kept matrix misses grows with the length of a chain; refined, it is of second order. What
// a chain has turned by as a whole adds nothing.
TEST(StepTangent, RefinesCorrectionsOfLongChainsThatHaveMoved) {
  constexpr StepCoefficients kStep{2e3, 4e6};  // of 1 ms
  const auto chain = testing_support::make_flexible_chain(40, 4);
  State state = testing_support::start(*chain);
  Mechanism mechanism(*chain);
  StepEquations equations(mechanism);
  VectorXd q, u, du, dn, dlambda, refined, change;
  mechanism.tree().find_coordinates(state, q, u);
  std::mt19937 generator(3);
  u = random_vector(generator, u.size(), 0.1);
  mechanism.compute_accelerations(q, u, state, du);
  const VectorXd none, way = random_vector(generator, u.size(), 1.0),
                       expected = random_vector(generator, u.size(), 1.0);
  StepTangent tangent(equations);
  equations.evaluate(q, u, du, state);
  tangent.factorise(kStep, q, u, du, VectorXd::Zero(u.size()), state);
  ASSERT_TRUE(tangent.can_refine());
  // What they miss of `expected` where coordinates have moved by `path`: of solutions, and when
  // these are refined.
  const auto missed_after = [&](const VectorXd& path) {
    VectorXd here = q;
    mechanism.tree().advance(path, here);
    const auto residual_at = [&](double step) {
      VectorXd q_at = here, u_at = u + step * kStep.velocity * expected,
               du_at = du + step * kStep.acceleration * expected;
      mechanism.tree().advance(step * expected, q_at);
      equations.evaluate(q_at, u_at, du_at, state);
      return equations.residual();
    };
    constexpr double kDifference = 1e-6;
    const VectorXd r = (residual_at(-kDifference) - residual_at(kDifference)) / (2.0 * kDifference);
    residual_at(0.0);
    tangent.solve(r, none, dn, dlambda);
    tangent.refine(refined, change);
    EXPECT_LT((refined - dn - change).norm(), 1e-14 * refined.norm());
    return std::pair<double, double>((dn - expected).norm() / expected.norm(),
                                     (refined - expected).norm() / expected.norm());
  };
  VectorXd turn = VectorXd::Zero(u.size());
  const auto [here, refined_here] = missed_after(turn);
  EXPECT_LT(here, 1e-5);  // of the differences
  EXPECT_LT(refined_here, 1e-5);
  for (const double distance : {1e-4, 1e-3}) {
    const auto [plain, after] = missed_after(distance * way);
    EXPECT_GT(plain, 500.0 * distance);  // much more than what columns have changed by
    EXPECT_LT(after, 0.03 * plain);
  }
  const double bent = missed_after(1e-4 * way).second;
  turn[mechanism.tree().links().front().u] = 0.1;
  EXPECT_LT(missed_after(turn).second, 1e-4);
  EXPECT_NEAR(missed_after(1e-4 * way + turn).second, bent, 0.01 * bent);
}

// Under a force of 100 N.
void add_stiff_spring(RandomTree& random, BodyIndex first, BodyIndex second, double stiffness) {
  forces::SpringDamper::Options options;
  options.stiffness = stiffness;
  options.damping = 5.0;
  const auto A = random.add_frame(first), B = random.add_frame(second);
  options.free = random.position(A, B).norm() - 100.0 / stiffness;
  system::add_spring(random.system(), "spring", bodies::Distance(), options, {A, B});
}

// What a stiff spring does to its bodies by themselves and between them cancels: together they
// lose nothing.
TEST(StepTangent, SolvesWithStiffSpringsBetweenDistantBodies) {
  constexpr StepCoefficients kSteps[] = {{2e5, 4e10}, {2e3, 4e6}, {20.0, 400.0}, {2.0, 4.0}};
  for (unsigned seed = 1; seed <= 6; ++seed)
    for (const double stiffness : {1e3, 1e6, 3e8, 1e10, 1e12})
      for (const StepCoefficients& step : kSteps) {
        SCOPED_TRACE(testing::Message()
                     << seed << ", " << stiffness << " N/m, 1/step " << step.velocity);
        RandomTree random(seed);
        grow(random, seed % 2 == 0);
        const int n = random.system().bodies().size();
        add_stiff_spring(random, BodyIndex(0), BodyIndex(n - 1), stiffness);
        add_stiff_spring(random, BodyIndex(0), BodyIndex(n / 2), 1e-3 * stiffness);
        add_stiff_spring(random, BodyIndex(1), BodyIndex(n - 1), stiffness);
        random.set_in_motion();
        Step(random, 0.1, step).expect_solved(1e-8);
      }
}

// Springs that do the same, of which only the sum can be found, and as many as there are bodies.
TEST(StepTangent, SolvesWithStiffSpringsBesideEachOther) {
  for (unsigned seed = 7; seed <= 12; ++seed)
    for (const double stiffness : {1e4, 1e7, 1e10}) {
      SCOPED_TRACE(testing::Message() << seed << ", " << stiffness << " N/m");
      RandomTree random(seed);
      grow(random, seed % 2 == 0);
      const int n = random.system().bodies().size();
      const auto A = random.add_frame(BodyIndex(0)), B = random.add_frame(BodyIndex(n - 1));
      forces::SpringDamper::Options options;
      options.stiffness = stiffness;
      options.free = random.position(A, B).norm();
      for (const char* name : {"first", "second", "third"})
        system::add_spring(random.system(), name, bodies::Distance(), options, {A, B});
      for (int i = 0; i + 2 < n; ++i)
        add_stiff_spring(random, BodyIndex(i), BodyIndex(i + 2), stiffness);
      random.set_in_motion();
      Step(random, 0.1, {200.0, 4e4}).expect_solved(1e-8);
    }
}

// Speeds that laws give are no unknowns, whatever place they have among those of their hinge.
TEST(StepTangent, IsTheDerivativeWithDrivenSpeedsBesideFreeOnes) {
  using K = Hinge::Kind;
  for (const K kind : {K::planar, K::cylindrical, K::revolute})
    for (const int n_modes : {0, 2}) {
      SCOPED_TRACE(testing::Message() << static_cast<int>(kind) << ", modes " << n_modes);
      RandomTree random(11);
      const BodyIndex base = random.add_body(bodies::kGround, K::free, {n_modes, false, false});
      const BodyIndex driven = random.add_body(base, kind, {n_modes, false, false});
      const double angle = random.angle(random.frame_A(), random.frame_B());
      system::add_rotation_drive(
          random.system(), "drive",
          math::TimeFunction::expression(fmt::format("{:.17g} + 0.7*t + t^2", angle)),
          {random.frame_A(), random.frame_B()});
      random.add_body(driven, K::universal, {n_modes, false, false});
      random.set_in_motion();
      Step step(random);
      step.expect_exact(1e-6);
      EXPECT_EQ(step.n_driven(), 1);
    }
}

TEST(StepTangent, IsTheDerivativeWithLoops) {
  using K = Hinge::Kind;
  for (unsigned seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    const int n_modes = seed % 2 == 0 ? 2 : 0;
    const auto chain = [&](const std::vector<K>& kinds, bool is_reversed) {
      BodyIndex last = bodies::kGround;
      for (const K kind : kinds) last = random.add_body(last, kind, {n_modes, is_reversed, false});
      return last;
    };
    const BodyIndex left = chain({K::universal, K::spherical, K::cylindrical}, seed % 3 == 0),
                    right = chain({K::spherical, K::cylindrical}, seed % 4 == 0);
    const auto A = random.add_frame(left), B = random.add_frame_at(right, A);
    system::add_joint(random.system(), "cut", joints::JointType::spherical, {A, B});
    const auto C = random.add_frame(BodyIndex(0)), D = random.add_frame(right);
    system::add_joint(random.system(), "rod", joints::distance_rows(random.position(C, D).norm()),
                      {C, D});
    random.set_in_motion();
    Step(random).expect_exact(1e-6);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(StepTangent, IsTheDerivativeWithLoopsInsideEachOther) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow_with_loops(random, seed);
    random.set_in_motion();
    Step(random).expect_exact(1e-6);
    if (testing::Test::HasFailure()) return;
  }
}

// Friction that follows what joints transmit, at accelerations with which forces balance: of
// hinges, driven or not, and of joints that close loops.
// Chains that rub lose digits: of forty random ones solutions have round-off of up to 1.5e-6.
TEST(StepTangent, IsTheDerivativeWithFrictionOfJoints) {
  using K = Hinge::Kind;
  for (unsigned seed = 1; seed <= 16; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    if (seed % 4 == 0) {
      grow_with_loops(random, seed);
    } else {
      const int n_modes = seed % 2 == 0 ? 2 : 0;
      BodyIndex last = random.add_body(bodies::kGround, K::free, {n_modes, false, false});
      for (const K kind : {K::revolute, K::screw, K::planar, K::universal, K::spherical})
        last = random.add_body(last, kind, {n_modes, seed % 3 == 0, false});
      if (seed % 4 == 1) {
        last = random.add_body(last, K::revolute, {n_modes, seed % 3 == 0, false});
        system::add_rotation_drive(
            random.system(), "drive",
            math::TimeFunction::expression(fmt::format(
                "{:.17g} + 0.7*t + t^2", random.angle(random.frame_A(), random.frame_B()))),
            {random.frame_A(), random.frame_B()});
        random.add_body(last, K::cylindrical, {0, false, false});
      }
    }
    EXPECT_GT(testing_support::add_friction(random.system(), 0.3), 1);
    random.set_in_motion();
    Step(random, 0.0).expect_exact(3e-6);
    if (testing::Test::HasFailure()) return;
  }
}

// The size of each correction is that of the one before squared, until nothing is left.
TEST(StepTangent, MakesNewtonQuadratic) {
  using K = Hinge::Kind;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    const int n_modes = seed % 2 == 0 ? 2 : 0;
    const auto chain = [&](const std::vector<K>& kinds) {
      BodyIndex last = bodies::kGround;
      for (const K kind : kinds) last = random.add_body(last, kind, {n_modes, false, false});
      return last;
    };
    const BodyIndex left = chain({K::universal, K::spherical, K::revolute}),
                    right = chain({K::spherical, K::cylindrical});
    add_spring(random, left, right);
    const auto A = random.add_frame(left), B = random.add_frame_at(right, A);
    system::add_joint(random.system(), "cut", joints::JointType::spherical, {A, B});
    const bool rubs = seed > 6;
    if (rubs) testing_support::add_friction(random.system(), 0.2);
    random.set_in_motion();
    const double factor = rubs ? 1e3 : 100.0;  // friction is less smooth
    const std::vector<double> sizes = Step(random, 0.0).newton(random.generator(), 6);
    EXPECT_LT(sizes[2], factor * sizes[1] * sizes[1]);
    EXPECT_LT(sizes[3], factor * sizes[2] * sizes[2] + 1e-13);
    EXPECT_LT(sizes[rubs ? 5 : 4], 1e-11);
    if (testing::Test::HasFailure()) return;
  }
}

// Elements of beams, closures on their nodes and springs between groups of them.
TEST(StepTangent, MakesNewtonQuadraticWithBeams) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow_with_beams(random, seed);
    random.set_in_motion();
    const std::vector<double> sizes = Step(random, 0.0).newton(random.generator(), 6);
    EXPECT_LT(sizes[2], 100.0 * sizes[1] * sizes[1]);
    EXPECT_LT(sizes[3], 100.0 * sizes[2] * sizes[2] + 1e-13);
    EXPECT_LT(sizes[4], 1e-11);
  }
}

}  // namespace
}  // namespace solidyn

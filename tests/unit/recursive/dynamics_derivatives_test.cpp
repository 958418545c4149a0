// Derivatives of inverse and forward dynamics against differences of fourth order.
#include "solidyn/recursive/dynamics_derivatives.h"

#include <gmock/gmock.h>

#include "mechanisms.h"
#include "random_bodies.h"
#include "random_trees.h"
#include "solidyn/bodies/beam_body.h"
#include "solidyn/recursive/composite_bodies.h"
#include "solidyn/system/connect.h"

namespace solidyn {
namespace {

using bodies::BodyIndex;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using joints::Hinge;
using recursive::DynamicsDerivatives;
using recursive::Mechanism;
using recursive::StepEquations;
using system::State;
using testing_support::random_vector;
using testing_support::RandomTree;

// What differences with kDifference are exact to; of accelerations, which light modes make large.
constexpr double kDifference = 1e-3, kExact = 1e-9, kOfAccelerations = 1e-8;

// Of f(x) at 0, with an error of order kDifference^4.
template <class Function>
VectorXd fourth_order(const Function& f) {
  return (f(-2 * kDifference) - f(2 * kDifference) + 8.0 * (f(kDifference) - f(-kDifference))) /
         (12.0 * kDifference);
}

class MotionOfTree {
 public:
  explicit MotionOfTree(RandomTree& random, double disturbance = 1.0)
      : mechanism(random.system()), equations(mechanism), derivatives(equations) {
    state = random.state().clone();
    mechanism.tree().find_coordinates(state, q, u);
    mechanism.compute_accelerations(q, u, state, du);
    equations.set_closure_multipliers(
        equations.closure_multipliers(state) +
            random_vector(random.generator(), equations.n_closure_rows(), disturbance),
        state);
    u += random_vector(random.generator(), u.size(), disturbance);
    du += random_vector(random.generator(), u.size(), disturbance);
    residual(q, u, du);
    derivatives.evaluate(q, u, du, state);
  }

  VectorXd residual(VectorXd at_q, VectorXd at_u, VectorXd at_du) {
    equations.evaluate(at_q, at_u, at_du, state);
    return equations.residual();
  }
  VectorXd moved(int j, double by) const {
    VectorXd at = q;
    mechanism.tree().advance(by * VectorXd::Unit(u.size(), j), at);
    return at;
  }
  std::vector<bool> follows_law() const {
    std::vector<bool> follows(u.size(), false);
    for (const recursive::Link& k : mechanism.tree().links())
      for (int j = k.n_free; j < k.n_speeds; ++j) follows[k.u + k.order[j]] = true;
    return follows;
  }

  void expect_exact() {
    const std::vector<bool> follows = follows_law();
    const auto expect_column = [&](const MatrixXd& found, int j, const VectorXd& expected,
                                   const char* what) {
      const double size = 1.0 + found.cwiseAbs().maxCoeff();
      for (int i = 0; i < expected.size(); ++i) {
        if (!follows[i])
          EXPECT_NEAR(found(i, j), expected[i], kExact * size) << what << " " << i << ", " << j;
      }
    };
    for (int j = 0; j < u.size(); ++j) {
      if (follows[j]) continue;  // they cannot be moved
      const VectorXd e = VectorXd::Unit(u.size(), j);
      expect_column(derivatives.by_q(), j,
                    fourth_order([&](double h) { return residual(moved(j, h), u, du); }), "q");
      expect_column(derivatives.by_u(), j,
                    fourth_order([&](double h) { return residual(q, u + h * e, du); }), "u");
      expect_column(derivatives.by_du(), j,
                    fourth_order([&](double h) { return residual(q, u, du + h * e); }), "du");
      if (testing::Test::HasFailure()) return;
    }
  }

  Mechanism mechanism;
  StepEquations equations;
  DynamicsDerivatives derivatives;
  VectorXd q, u, du;
  State state;
};

class DynamicsDerivativesOfAHinge : public testing::TestWithParam<Hinge::Kind> {};

TEST_P(DynamicsDerivativesOfAHinge, AreExact) {
  for (const bool is_reversed : {false, true})
    for (const int n_modes : {0, 2}) {
      SCOPED_TRACE(testing::Message() << "reversed " << is_reversed << ", modes " << n_modes);
      RandomTree random(7);
      const BodyIndex base =
          random.add_body(bodies::kGround, Hinge::Kind::free, {n_modes, false, false});
      const BodyIndex last = random.add_body(base, GetParam(), {n_modes, is_reversed, false});
      random.add_body(last, Hinge::Kind::revolute, {0, is_reversed, false});
      random.set_in_motion();
      MotionOfTree(random).expect_exact();
    }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, DynamicsDerivativesOfAHinge,
                         testing::ValuesIn(testing_support::hinge_kinds()), [](const auto& info) {
                           return std::to_string(static_cast<int>(info.param));
                         });

void tie(RandomTree& random, BodyIndex first, BodyIndex second) {
  forces::SpringDamper::Options options;
  options.stiffness = 300.0;
  options.damping = 5.0;
  system::add_spring(random.system(), "spring", bodies::Distance(), options,
                     {random.add_frame(first), random.add_frame(second)});
}

TEST(DynamicsDerivatives, AreExactOnRandomTreesWithSprings) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow(random, seed % 2 == 0);
    const int n = random.system().bodies().size();
    tie(random, BodyIndex(0), BodyIndex(n - 1));  // distant bodies, the ground, neighbours
    tie(random, bodies::kGround, BodyIndex(n / 2));
    tie(random, BodyIndex(0), BodyIndex(1));
    for (int i = 2; i + 1 < n; ++i) tie(random, BodyIndex(i - 1), BodyIndex(i + 1));
    random.set_in_motion();
    MotionOfTree(random).expect_exact();
    if (testing::Test::HasFailure()) return;
  }
}

TEST(DynamicsDerivatives, AreExactWithVirtualBodies) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow_with_virtual_bodies(random, seed);
    random.set_in_motion();
    MotionOfTree(random).expect_exact();
    if (testing::Test::HasFailure()) return;
  }
}

TEST(DynamicsDerivatives, AreExactWithCoordinatesOfForces) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow(random, seed % 2 == 0);
    const int n = random.system().bodies().size();
    random.add_series_damper(BodyIndex(0), BodyIndex(n - 1));
    random.add_series_damper(BodyIndex(0), BodyIndex(1));
    random.add_series_damper(BodyIndex(n / 2), bodies::kGround);
    random.set_in_motion();
    MotionOfTree motion(random);
    motion.expect_exact();
    EXPECT_LT(motion.derivatives.by_t(motion.state).lpNorm<Eigen::Infinity>(), 1e-8);
    if (testing::Test::HasFailure()) return;
  }
}

TEST(DynamicsDerivatives, AreExactWithBeams) {
  for (unsigned seed = 1; seed <= 4; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow_with_beams(random, seed);
    random.set_in_motion();
    MotionOfTree(random).expect_exact();
    if (testing::Test::HasFailure()) return;
  }
}

TEST(DynamicsDerivatives, AreExactWithLoops) {
  using K = Hinge::Kind;
  for (unsigned seed = 1; seed <= 6; ++seed) {
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
    random.set_in_motion();
    MotionOfTree(random).expect_exact();
    if (testing::Test::HasFailure()) return;
  }
}

// Columns of coordinates that follow laws do not depend on that they do.
TEST(DynamicsDerivatives, OfLawsAreThoseWithoutThem) {
  using K = Hinge::Kind;
  const auto build = [](RandomTree& random, bool has_drive) {
    const BodyIndex base = random.add_body(bodies::kGround, K::spherical, {});
    random.add_body(base, K::planar, {});
    const system::FramesOfPair frames{random.frame_A(), random.frame_B()};
    random.add_body(BodyIndex(1), K::revolute, {});
    if (has_drive)
      system::add_rotation_drive(random.system(), "drive",
                                 math::TimeFunction::constant(random.angle(frames.A, frames.B)),
                                 frames);
    random.set_in_motion();
  };
  RandomTree with(5), without(5);
  build(with, true);
  build(without, false);
  const auto all = [](RandomTree& random) {
    State state = random.state().clone();
    Mechanism mechanism(random.system());
    StepEquations equations(mechanism);
    DynamicsDerivatives derivatives(equations);
    VectorXd q, u;
    mechanism.tree().find_coordinates(state, q, u);
    u.setLinSpaced(-1.0, 2.0);
    const VectorXd du = VectorXd::LinSpaced(u.size(), 3.0, -1.0);
    equations.evaluate_as_given(q, u, du, state);
    derivatives.evaluate(q, u, du, state);
    MatrixXd both(u.size(), 3 * u.size());
    both << derivatives.by_q(), derivatives.by_u(), derivatives.by_du();
    return both;
  };
  const MatrixXd expected = all(without);
  EXPECT_LT((all(with) - expected).cwiseAbs().maxCoeff(), 1e-12 * expected.cwiseAbs().maxCoeff());
}

TEST(DynamicsDerivatives, OfForwardDynamicsAreThoseOfItsAccelerations) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow(random, seed % 2 == 0);
    const int n = random.system().bodies().size();
    tie(random, BodyIndex(0), BodyIndex(n - 1));
    random.set_in_motion();
    MotionOfTree m(random, 0.0);
    const recursive::ForwardDerivatives forward = forward_derivatives(m.derivatives);
    const MatrixXd M = recursive::composite_mass_matrix(m.mechanism.tree());
    EXPECT_LT((M - m.derivatives.by_du()).norm(), 1e-12 * M.norm());
    const MatrixXd one = forward.by_tau * M;
    EXPECT_LT((one - MatrixXd::Identity(M.rows(), M.rows())).norm(), 1e-9);
    const auto accelerations = [&](VectorXd q, VectorXd u) {
      VectorXd du;
      m.mechanism.compute_accelerations(q, u, m.state, du);
      return du;
    };
    for (int j = 0; j < m.u.size(); ++j) {
      const VectorXd by_q =
          fourth_order([&](double h) { return accelerations(m.moved(j, h), m.u); });
      const VectorXd by_u = fourth_order(
          [&](double h) { return accelerations(m.q, m.u + h * VectorXd::Unit(m.u.size(), j)); });
      EXPECT_LT((forward.by_q.col(j) - by_q).norm(),
                kOfAccelerations * (1.0 + forward.by_q.norm()));
      EXPECT_LT((forward.by_u.col(j) - by_u).norm(),
                kOfAccelerations * (1.0 + forward.by_u.norm()));
    }
    if (testing::Test::HasFailure()) return;
  }
}

math::TimeFunction law(const char* text) { return math::TimeFunction::expression(text); }

// By differences of the residual, at t = 0.3 s.
void expect_exact_rate_in_time(RandomTree& random) {
  random.set_in_motion();
  MotionOfTree m(random);
  m.state.t = 0.3;
  m.residual(m.q, m.u, m.du);
  m.derivatives.evaluate(m.q, m.u, m.du, m.state);
  const VectorXd found = m.derivatives.by_t(m.state),
                 expected = fourth_order([&](double h) {
                              m.state.t = 0.3 + 0.1 * h;
                              return m.residual(m.q, m.u, m.du);
                            }) *
                            10.0;
  EXPECT_GT(expected.norm(), 1.0);
  EXPECT_LT((found - expected).norm(), 1e-8 * expected.norm());
}

TEST(DynamicsDerivatives, HaveTheRateOfForcesInTime) {
  RandomTree random(3);
  const BodyIndex base =
      random.add_body(bodies::kGround, Hinge::Kind::universal, {2, false, false});
  const BodyIndex tip = random.add_body(base, Hinge::Kind::spherical, {0, false, false});
  for (const BodyIndex body : {base, tip})
    system::add_load(random.system(), "push", random.add_frame(body),
                     {law("3*sin(5*t)"), law("t^2"), law("exp(t)")},
                     {law("t"), law("cos(2*t)"), law("1")});
  expect_exact_rate_in_time(random);
}

TEST(DynamicsDerivatives, HaveTheRateOfLoadsOnBeamsInTime) {
  using Axes = beams::BeamLoad::Axes;
  for (const Axes axes : {Axes::world, Axes::section}) {
    RandomTree random(2);
    grow_with_beams(random, 2);
    for (const BodyIndex b : random.system().bodies())
      if (auto* beam = dynamic_cast<bodies::BeamBody*>(&random.system().body(b)))
        beam->add_load({"load",
                        axes,
                        {law("30*sin(5*t)"), law("20*t^2"), law("exp(t)")},
                        {law("t"), law("cos(2*t)"), law("1")},
                        {{0, {{}}}, {2, {{0.2, 0.7, 1.0, 2.0}}}}});
    expect_exact_rate_in_time(random);
  }
}

}  // namespace
}  // namespace solidyn

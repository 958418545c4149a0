// Friction in joints, which follows what they transmit, in relative coordinates: against absolute
// ones on random mechanisms, and where nothing balances.
#include <gmock/gmock.h>

#include <array>

#include "linkages.h"
#include "mechanisms.h"
#include "random_bodies.h"
#include "random_trees.h"
#include "solidyn/joints/joint_friction.h"
#include "solidyn/recursive/linearise.h"
#include "solidyn/recursive/step_equations.h"
#include "solidyn/system/accelerations.h"
#include "solidyn/system/connect.h"

namespace solidyn {
namespace {

using bodies::BodyIndex;
using Eigen::VectorXd;
using joints::Hinge;
using system::State;
using testing_support::RandomTree;

constexpr double kSameWithFriction = 1e-9;  // of the largest

void expect_same_with_friction(const VectorXd& found, const VectorXd& expected, const char* what) {
  EXPECT_LT((found - expected).lpNorm<Eigen::Infinity>(),
            kSameWithFriction * (1.0 + expected.lpNorm<Eigen::Infinity>()))
      << what << "\n"
      << found.transpose() << "\n"
      << expected.transpose();
}

// Also that friction has changed them, that inverse dynamics gives no residual with them, and that
// the multipliers that friction follows are there without those of all.
void expect_absolute_answer(system::System& system, const State& expected) {
  system.update(expected);
  recursive::Mechanism mechanism(system);
  VectorXd q, u, du;
  mechanism.tree().find_coordinates(expected, q, u);
  State state = expected.clone();
  state.a.setZero();
  state.lambda.setZero();
  mechanism.compute_state(q, u, state);
  expect_same_with_friction(state.a, expected.a, "accelerations");
  expect_same_with_friction(state.lambda, expected.lambda, "multipliers");

  state.lambda.setZero();
  mechanism.compute_accelerations(q, u, state, du);
  const VectorXd powers = system.external_powers(state);
  system.update(expected);
  const VectorXd of_expected = system.external_powers(expected);
  EXPECT_LT(of_expected.sum(), 0.0);
  expect_same_with_friction(powers, of_expected, "powers");

  recursive::StepEquations equations(mechanism);
  equations.set_closure_multipliers(equations.closure_multipliers(expected), state);
  equations.evaluate(q, u, du, state);
  double size = 1.0;
  for (const recursive::Link& k : mechanism.tree().links()) size += k.f.norm();
  EXPECT_LT(equations.residual().lpNorm<Eigen::Infinity>(), 1e-9 * size);
  equations.write_reactions(state);
  expect_same_with_friction(state.lambda, expected.lambda, "multipliers of inverse dynamics");
}

TEST(MultiplierForces, GiveTheAccelerationsAndReactionsOfAbsoluteCoordinates) {
  int n_forces = 0;
  for (unsigned seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow(random, seed % 2 == 0);
    const int n = testing_support::add_friction(random.system(), 0.1);
    n_forces += n;
    random.set_in_motion();
    if (n > 0) expect_absolute_answer(random.system(), random.absolute_accelerations());
    if (HasFailure()) return;
  }
  EXPECT_GT(n_forces, 60);
}

TEST(MultiplierForces, DoSoInLoops) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow_with_loops(random, seed);
    EXPECT_GT(testing_support::add_friction(random.system(), 0.1), 2);
    random.set_in_motion();
    expect_absolute_answer(random.system(), random.absolute_accelerations());
    if (HasFailure()) return;
  }
}

// Cranks of a plane that share what they transmit.
TEST(MultiplierForces, FollowReactionsOfLeastNormInDependentLoops) {
  const auto bars = testing_support::make_four_bars(2, {}, 0.1);
  const State expected = testing_support::start(*bars);
  expect_absolute_answer(*bars, expected);
}

TEST(MultiplierForces, WithoutACoefficientChangeNothing) {
  std::array<State, 2> states;
  for (const bool rubs : {false, true}) {
    RandomTree random(5);
    grow(random, true);
    if (rubs) EXPECT_GT(testing_support::add_friction(random.system(), 0.0), 0);
    random.set_in_motion();
    recursive::Mechanism mechanism(random.system());
    VectorXd q, u;
    mechanism.tree().find_coordinates(random.state(), q, u);
    states[rubs] = random.state().clone();
    mechanism.compute_state(q, u, states[rubs]);
  }
  expect_same_with_friction(states[1].a, states[0].a, "accelerations");
  expect_same_with_friction(states[1].lambda, states[0].lambda, "multipliers");
}

// A pin whose friction turns more than what it slows presses (Painleve).
TEST(MultiplierForces, SayWhichJointIsJammed) {
  RandomTree random(2);
  random.add_body(bodies::kGround, Hinge::Kind::revolute, {});
  random.add_body(BodyIndex(0), Hinge::Kind::prismatic, {});
  EXPECT_EQ(testing_support::add_friction(random.system(), 40.0), 2);
  random.set_in_motion();
  recursive::Mechanism mechanism(random.system());
  VectorXd q, u;
  mechanism.tree().find_coordinates(random.state(), q, u);
  State state = random.state().clone();
  try {
    mechanism.compute_state(q, u, state);
    ADD_FAILURE() << "no error";
  } catch (const system::JammedError& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr(" friction: its coefficients may be too large"));
    EXPECT_THAT(e.what(), testing::HasSubstr("a smaller coefficient of friction"));
  }
}

TEST(MultiplierForces, HaveNoSmallMotionsWhereTheySlip) {
  RandomTree random(3);
  random.add_body(bodies::kGround, Hinge::Kind::revolute, {});
  EXPECT_EQ(testing_support::add_friction(random.system(), 0.2), 1);
  random.set_in_motion();
  recursive::Mechanism mechanism(random.system());
  VectorXd q, u;
  mechanism.tree().find_coordinates(random.state(), q, u);
  State state = random.state().clone();
  mechanism.compute_state(q, u, state);
  try {
    recursive::linearise(random.system(), state, system::IncrementAxes::body);
    ADD_FAILURE() << "no error";
  } catch (const base::InputError& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("motion in which joints rub"));
  }
}

}  // namespace
}  // namespace solidyn

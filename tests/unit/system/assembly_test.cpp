// Assembly from poses that were guessed roughly.
#include <gmock/gmock.h>

#include <random>

#include "linkages.h"
#include "mechanisms.h"
#include "solidyn/math/rotation.h"

namespace solidyn::system {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

// Turns every body by `angle` about a random axis and moves it by `distance`.
State displaced(const System& system, double angle, double distance, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  const auto direction = [&] {
    return Vector3d(normal(random), normal(random), normal(random)).normalized();
  };
  VectorXd increment(system.layout().n_velocities());
  for (const bodies::BodyIndex b : system.bodies())
    increment.segment<6>(system.layout().velocity_offset(b)) << distance * direction(),
        angle * direction();
  State state = system.make_state();
  VectorXd q;
  system.advance(state.q, increment, q);
  state.q = q;
  return state;
}

double violation(System& system, const State& state) {
  VectorXd r, phi;
  system.update(state);
  system.compute_residual(state, r, phi);
  return phi.lpNorm<Eigen::Infinity>();
}

constexpr double k30Degrees = M_PI / 6.0;

void expect_assembly(System& system, const std::string& name) {
  for (unsigned seed = 0; seed < 20; ++seed) {
    State state = displaced(system, k30Degrees, 0.3, seed);
    EXPECT_GT(violation(system, state), 0.1);
    EXPECT_NO_THROW(assemble_positions(system, state, 1e-12)) << name << ", seed " << seed;
    EXPECT_LT(violation(system, state), 1e-12) << name << ", seed " << seed;
  }
}

// Bars of 1 m, guessed 30 degrees and 30 cm off.
TEST(AssemblePositions, ClosesLoopsOfRoughGuesses) {
  expect_assembly(*testing_support::make_four_bars(1), "one window");
  expect_assembly(*testing_support::make_four_bars(5), "five windows");
  expect_assembly(*testing_support::make_five_bar_parallelogram(), "five-bar parallelogram");
  expect_assembly(*testing_support::make_bricard(), "Bricard's linkage");
}

// In-plane rows of redundant loops do not agree when poses are typed with six digits; the least
// motion that closes them is as small as the digits.
TEST(AssemblePositions, MovesNoMoreThanTheDigitsOfThePoses) {
  const auto linkage = testing_support::make_bricard();
  const State exact = linkage->make_state();
  State state = displaced(*linkage, 1e-6, 1e-6, 3);
  assemble_positions(*linkage, state, 1e-12);
  EXPECT_LT((state.q - exact.q).lpNorm<Eigen::Infinity>(), 2e-5);
}

}  // namespace
}  // namespace solidyn::system

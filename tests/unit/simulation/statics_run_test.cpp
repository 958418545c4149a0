// Runs of statics, alone and before a motion.
#include <gmock/gmock.h>

#include <cmath>
#include <csignal>

#include "model_in_memory.h"

namespace solidyn::simulation {
namespace {

using base::ComputationError;
using base::InputError;
using results::RunStatus;
using testing::HasSubstr;
using StaticsRunTest = testing_support::RunsInMemory;

// 3 kg on a spring of 500 N/m along z, whose load grows with the load parameter.
const std::string kHanging = R"yaml(
solidyn: 1
bodies:
  mass: {type: rigid, mass: 3, inertia: [1, 1, 1]}
joints:
  guide: {type: prismatic, between: [ground, mass], at: [0, 0, 0], axis: [0, 0, 1], spring: {stiffness: 500}}
loads:
  weight: {type: force, at: mass, force: [0, 0, "-30*t"]}
sensors:
  z: {type: position, of: mass, component: z}
analyses:
  - statics: {load_steps: 4}
)yaml";

TEST_F(StaticsRunTest, HasARowForEachLoadStepAndTheWorkOfTheLoads) {
  EXPECT_EQ(run(kHanging), RunStatus::done);
  const results::History h = history();
  ASSERT_EQ(h.time.size(), 5);
  for (int i = 0; i < 5; ++i) {
    EXPECT_NEAR(h.time[i], 0.25 * i, 1e-15);
    EXPECT_NEAR(h.column("z")[i], -30.0 * 0.25 * i / 500.0, 1e-12);
  }
  const nlohmann::json s = summary();
  EXPECT_EQ(s["integrator"], "statics");
  EXPECT_EQ(s["steps"], 4);
  EXPECT_EQ(s["time"], 1.0);
  EXPECT_EQ(s["equilibria"],
            nlohmann::json({{"relaxed", 0}, {"relaxation_steps", 0}, {"unstable", 0}}));
  EXPECT_NEAR(s["energy"]["strain"], 0.5 * 30.0 * 30.0 / 500.0, 1e-10);
  EXPECT_NEAR(s["energy"]["work"], 0.5 * 30.0 * 30.0 / 500.0, 1e-10);
  EXPECT_TRUE(s["energy"]["imbalance"].is_null());
  EXPECT_FALSE(s.contains("statics"));
}

TEST_F(StaticsRunTest, ObserversSeeItsRowsAndPicturesFollowTheLoadParameter) {
  std::vector<double> parameters;
  RunOptions options;
  options.observe = [&](const auto&, double t, const Eigen::VectorXd&) { parameters.push_back(t); };
  run(kHanging, {"output={fields_interval: 0.5}"}, options);
  EXPECT_THAT(parameters, testing::ElementsAre(0.0, 0.25, 0.5, 0.75, 1.0));
  const std::string xdmf = written("fields.xdmf");
  int n_pictures = 0;
  for (std::size_t at = 0; (at = xdmf.find("<Time ", at)) != std::string::npos; ++at) ++n_pictures;
  EXPECT_EQ(n_pictures, 3);
}

// Upside down on a torsional spring that is too soft: 4 N m/rad against m g l = 9.81 N m.
const std::string kInverted = R"yaml(
solidyn: 1
gravity: [0, 0, -9.81]
bodies:
  bob: {type: rigid, mass: 1, inertia: [0.1, 0.1, 0.1], pose: {position: [0, 0, 1]}}
joints:
  pin: {type: revolute, between: [ground, bob], at: [0, 0, 0], axis: [0, 1, 0], spring: {stiffness: 4}}
loads:
  nudge: {type: force, at: bob, torque: [0, 0.01, 0]}
sensors:
  turn: {type: joint_angle, joint: pin}
analyses:
  - statics: {load_steps: 1}
)yaml";

TEST_F(StaticsRunTest, RelaxesWhatWouldNotStayAndCountsIt) {
  EXPECT_EQ(run(kInverted), RunStatus::done);
  const double turn = history().column("turn").tail(1)[0];
  EXPECT_NEAR(9.81 * std::sin(turn) + 0.01 - 4.0 * turn, 0.0, 1e-5);
  EXPECT_GT(turn, 1.0);
  EXPECT_GE(summary()["equilibria"]["relaxed"], 1);
  EXPECT_GE(summary()["equilibria"]["relaxation_steps"], 1);
  // Newton's method alone stays beside the vertical, and the summary says what that is worth.
  run(kInverted, {"analyses.statics.method=newton"});
  EXPECT_LT(std::abs(history().column("turn").tail(1)[0]), 0.01);
  EXPECT_GE(summary()["equilibria"]["unstable"], 1);
  EXPECT_EQ(summary()["equilibria"]["first_unstable"], 0.0);
}

// No number from 4 cm below the drawing on, which kHanging reaches at t = 2/3.
const std::string kBreaksBelow = R"yaml(
forces:
  break: {type: expression, at: mass, force: [0, 0, "z < -0.04 ? sqrt(-1 - z*z) : 0"]}
)yaml";

TEST_F(StaticsRunTest, AFailureKeepsTheEquilibriaBeforeIt) {
  const std::string error = message<ComputationError>(kHanging + kBreaksBelow);
  EXPECT_THAT(error, HasSubstr("no equilibrium was found"));
  const nlohmann::json s = summary();
  EXPECT_EQ(s["status"], "failed");
  const double reached = s["failure"]["time"];
  EXPECT_GT(reached, 0.66);
  EXPECT_LE(reached, 2.0 / 3.0);
  const results::History h = history();
  EXPECT_EQ(h.time.tail(1)[0], reached);
  EXPECT_NEAR(h.column("z").tail(1)[0], -30.0 * reached / 500.0, 1e-9);
}

TEST_F(StaticsRunTest, StopsAfterTheLoadStepInWhichItIsAskedTo) {
  RunOptions options;
  options.observe = [](const auto&, double t, const Eigen::VectorXd&) {
    if (t == 0.5) std::raise(SIGTERM);
  };
  EXPECT_THAT(message<ComputationError>(kHanging, {}, options),
              HasSubstr("t = 0.5: stopped by Terminated"));
  EXPECT_EQ(history().time.size(), 3);
  EXPECT_EQ(summary()["status"], "failed");
}

TEST_F(StaticsRunTest, HasNothingToGoOnFrom) {
  run(kHanging);
  RunOptions restart;
  restart.restart = true;
  EXPECT_THAT(message<InputError>(kHanging, {}, restart),
              HasSubstr("a statics analysis cannot be restarted from a checkpoint"));
}

// The motion begins from the equilibrium of the loads as they are at t = 0, and goes on with them.
const std::string kThenMoves = R"yaml(
solidyn: 1
gravity: [0, 0, -9.81]
bodies:
  mass: {type: rigid, mass: 3, inertia: [1, 1, 1]}
joints:
  guide: {type: prismatic, between: [ground, mass], at: [0, 0, 0], axis: [0, 0, 1], spring: {stiffness: 300}}
loads:
  pull: {type: force, at: mass, force: [0, 0, "12*cos(4*t)"]}
sensors:
  z: {type: position, of: mass, component: z}
analyses:
  - statics: {load_steps: 2}
  - dynamics: {duration: 0.5, step: 0.001}
output: {checkpoint_every: 250}
)yaml";

TEST_F(StaticsRunTest, BeforeDynamicsGivesItsStart) {
  EXPECT_EQ(run(kThenMoves), RunStatus::done);
  const double rest = (12.0 - 3.0 * 9.81) / 300.0;
  const results::History statics = results::read_history(path("statics.csv")), h = history();
  EXPECT_NEAR(statics.column("z").tail(1)[0], rest, 1e-12);
  EXPECT_NEAR(h.column("z")[0], rest, 1e-12);
  // x'' = (F(t) - F(0) - k x)/m: 12/(k - 16 m) (cos 4t - cos wt) - 12/k (1 - cos wt), w^2 = k/m
  const double w = 10.0, A = 12.0 / (300.0 - 48.0);
  for (const Eigen::Index i : {100, 300, 500}) {
    const double t = h.time[i];
    const double x = A * (std::cos(4.0 * t) - std::cos(w * t)) + 12.0 / 300.0 * std::cos(w * t) -
                     3.0 * 9.81 / 300.0;
    EXPECT_NEAR(h.column("z")[i], x, 1e-6) << t;
  }
  const nlohmann::json s = summary();
  EXPECT_EQ(s["integrator"], "generalized_alpha");
  EXPECT_EQ(s["time"], 0.5);
  EXPECT_GE(s["statics"]["newton_iterations"], 1);
  EXPECT_TRUE(s.contains("equilibria"));
  EXPECT_EQ(s["steps"], 500);
}

TEST_F(StaticsRunTest, IsNotDoneAgainWhereTheMotionHasBegun) {
  run(kThenMoves);
  const std::string whole = written("history.csv");
  run(kThenMoves, {"analyses.dynamics.duration=0.25"});
  std::filesystem::remove(path("statics.csv"));
  resume(kThenMoves);
  EXPECT_EQ(written("history.csv"), whole);
  EXPECT_FALSE(exists("statics.csv"));
}

TEST_F(StaticsRunTest, OfATimeThatIsHeldSaysThatKeysOfStepsHaveNoEffect) {
  run(kThenMoves);
  EXPECT_THAT(
      written("log.txt"),
      HasSubstr(
          "loads, supports and drives vary with time, so that keys of load steps (load_steps, control ...) have no effect"));
  run(kThenMoves, {"analyses.0.statics={}"});
  EXPECT_THAT(written("log.txt"), HasSubstr("with all inputs at t = 0"));
}

TEST_F(StaticsRunTest, ThatFailsBeforeAMotionLeavesAFailedFolder) {
  const std::string error = message<ComputationError>(kThenMoves + kBreaksBelow);
  EXPECT_EQ(summary()["status"], "failed");
  EXPECT_FALSE(exists("history.csv")) << error;
}

TEST_F(StaticsRunTest, TwoOfThemAreRefused) {
  EXPECT_THAT(message<InputError>(kHanging + "  - statics: {}\n"), HasSubstr("a second `statics`"));
}

}  // namespace
}  // namespace solidyn::simulation

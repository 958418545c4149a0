// A run that goes on from its checkpoint, and what it refuses.
#include <gmock/gmock.h>

#include <cmath>

#include "model_in_memory.h"

namespace solidyn::simulation {
namespace {

using base::InputError;
using results::RunStatus;
using testing::HasSubstr;
using RestartTest = testing_support::RunsInMemory;

// Two arms that turn over, and what a case hangs on them.
const std::string kArms = R"(
solidyn: 1
gravity: [0, 0, -9.81]
bodies:
  upper: {type: rigid, mass: 2, inertia: [0.1, 0.2, 0.3], pose: {position: [0.5, 0, 0]}, velocity: {angular: [0, 15, 0]}}
  lower: {type: rigid, mass: 1, inertia: [0.05, 0.1, 0.15], pose: {position: [1.4, 0.1, 0.2]}, frames: {end: {position: [0.3, 0, 0]}}}
joints:
  shoulder: {type: revolute, between: [ground, upper], at: [0, 0, 0], axis: [0, 1, 0]}
  elbow: {type: spherical, between: [upper, lower], at: [1, 0, 0]}
sensors:
  end: {type: position, of: lower.end}
  spin: {type: angular_velocity, of: lower}
  push: {type: acceleration, of: lower}
  turn: {type: joint_angle, joint: shoulder}
  bearing: {type: reaction, joint: shoulder}
  energy: {type: energy}
analyses:
  - dynamics: {duration: 0.4, step: 0.004}
output: {checkpoint_every: 25}
)";

struct Restart {
  const char* name;
  std::string added;  // to the model
  std::vector<std::string> overrides = {};
  int steps_before = 50;  // the checkpoint
};

std::vector<Restart> exact_restarts() {
  return {
      {"two_arms", ""},
      {"without_numerical_damping", "", {"analyses.dynamics.rho_infinity=1"}},
      {"hht", "", {"analyses.dynamics.integrator=hht", "analyses.dynamics.alpha=-0.2"}},
      {"springs_dampers_and_loads",
       "forces:\n  spring: {type: spring_damper, between: [ground, lower.end], at_first: [1, 1, 1], stiffness: 200, force_by_rate: {table: [[-5, -9], [0, 0], [5, 20]]}}\n"
       "loads:\n  push: {type: force, at: lower.end, force: [\"20*sin(30*t)\", 0, 1]}\n"},
      {"explicit_steps", "", {"analyses.dynamics.integrator=semi_implicit_euler"}},
      {"stiff_bushing",
       "forces:\n  mount: {type: bushing, between: [ground, lower], at: [1.4, 0.1, 0.2], stiffness: [1e5, 1e5, 1e4, 50, 50, 50], damping: [10, 10, 10, 1, 1, 1]}\n"},
      {"friction_and_stops",
       "",
       {"joints.shoulder.friction={static: 0.3, dynamic: 0.2, stribeck_speed: 0.1, radius: 0.05, transition_speed: 0.01}",
        "joints.shoulder.limits={lower: -1, upper: 1, stiffness: 2e3, damping: 0.1}"}},
      {"redundant_joints",
       "",
       {"joints.second={type: revolute, between: [ground, upper], at: [0, 1, 0], axis: [0, 1, 0]}"}},
      {"a_drive_of_many_turns",
       "",
       {"joints.motor={type: rotation_drive, joint: shoulder, angle: \"15*t + 200*t^2\"}"}},
      {"contact_with_friction",
       "contacts:\n  floor: {between: [ground, lower], first: {shape: plane, at: [0, 0, -0.7], axis: [0, 0, 1]}, second: {shape: sphere, radius: 0.2}, law: {type: lankarani_nikravesh, stiffness: 1e5, restitution: 0.6}, friction: {static: 0.3, transition_speed: 0.01}}\n",
       {"analyses.dynamics.step=0.001", "analyses.dynamics.duration=0.2"},
       125}};  // it touches from 0.111 s to 0.136 s
}

// Fixed steps from a checkpoint by their number: every digit of every column, and the account of
// energies, are those of the run that was not interrupted.
class RestartOfFixedSteps : public RestartTest {
 protected:
  void expect_same_steps(const std::string& text, const std::vector<std::string>& whole,
                         int steps_before) {
    ASSERT_NE(run(text, whole), RunStatus::failed);
    const std::string history_of_whole = written("history.csv");
    const nlohmann::json summary_of_whole = summary();
    const double duration = history().time.tail(1)[0], step = history().time[1];
    std::vector<std::string> half = whole;
    half.push_back(fmt::format("analyses.dynamics.duration={}", steps_before * step));
    run(text, half);
    ASSERT_LT(history().time.tail(1)[0], duration);
    resume(text, whole);
    EXPECT_EQ(written("history.csv"), history_of_whole);
    const nlohmann::json s = summary();
    EXPECT_EQ(s["energy"], summary_of_whole["energy"]);
    EXPECT_EQ(s["steps"], summary_of_whole["steps"]);
    EXPECT_EQ(s["status"], summary_of_whole["status"]);
  }
};

class ExactRestart : public RestartOfFixedSteps, public testing::WithParamInterface<Restart> {};
INSTANTIATE_TEST_SUITE_P(Of, ExactRestart, testing::ValuesIn(exact_restarts()),
                         [](const auto& info) { return std::string(info.param.name); });

TEST_P(ExactRestart, TakesTheSameStepsToTheLastBit) {
  expect_same_steps(kArms + GetParam().added, GetParam().overrides, GetParam().steps_before);
}

// Dampers that leave a step so little that its speeds follow the estimate of their rate, which must
// not know what earlier ones have found.
TEST_F(RestartOfFixedSteps, EstimatesStrongDampersAsBefore) {
  std::string bodies, joints, forces;
  for (int i = 0; i < 5; ++i) {
    bodies += fmt::format(
        "  b{0}: {{type: rigid, mass: {1}, inertia: [0.02, 0.08, 0.083], pose: {{position: [{0}.5, 0, 0]}}}}\n",
        i, i < 2 ? 1.0 : 0.7);
    joints += fmt::format(
        "  j{0}: {{type: revolute, between: [{1}, b{0}], at: [{0}, 0, 0], axis: [0, 0, 1]}}\n", i,
        i > 0 ? fmt::format("b{}", i - 1) : "ground");
    if (i > 0)
      forces +=
          fmt::format("  d{0}: {{type: torsional_spring_damper, joint: j{0}, damping: 4}}\n", i);
  }
  expect_same_steps("solidyn: 1\ngravity: [0, -9.81, 0]\nbodies:\n" + bodies + "joints:\n" +
                        joints + "forces:\n" + forces +
                        "analyses:\n  - dynamics: {duration: 2, step: 8e-3, integrator: "
                        "semi_implicit_euler}\noutput: {checkpoint_every: 105}\n"
                        "sensors:\n  end: {type: velocity, of: b4}\n",
                    {}, 105);
}

// The last one is not of a number of steps that the file asked for: rows that come after it are
// written anew.
TEST_F(RestartTest, GoesOnFromTheEndOfARunThatIsMadeLonger) {
  run(kArms, {"output.checkpoint_every=0", "analyses.dynamics.duration=0.1"});
  resume(kArms);
  const results::History h = history();
  ASSERT_EQ(h.time.size(), 101);
  for (Eigen::Index i = 0; i < h.time.size(); ++i) EXPECT_NEAR(h.time[i], 0.004 * i, 1e-14);
  run(kArms);
  EXPECT_LT((history().values - h.values).lpNorm<Eigen::Infinity>(),
            1e-6 * h.values.lpNorm<Eigen::Infinity>());
}

class ChangedIntegrator : public RestartTest,
                          public testing::WithParamInterface<std::tuple<const char*, const char*>> {
 protected:
  static std::vector<std::string> of(const std::string& name) {
    if (name == "adaptive")
      return {
          "analyses.dynamics.adaptive={tolerance: 1e-9, minimum_step: 1e-7, maximum_step: 1e-2}"};
    return {"analyses.dynamics.integrator=" + name, "analyses.dynamics.step=1e-4"};
  }
};
INSTANTIATE_TEST_SUITE_P(
    From, ChangedIntegrator,
    testing::Combine(testing::Values("generalized_alpha", "hht", "adaptive", "bdf", "runge_kutta"),
                     testing::Values("generalized_alpha", "adaptive", "bdf", "runge_kutta")),
    [](const auto& info) {
      return std::string(std::get<0>(info.param)) + "_to_" + std::get<1>(info.param);
    });

// doc/results.md: the integrator may change. The motion is the same within what the coarsest of
// them makes of it.
TEST_P(ChangedIntegrator, GoesOnWithTheSameMotion) {
  const std::string interval = "output={history_interval: 0.05}";
  std::vector<std::string> first = of(std::get<0>(GetParam())),
                           second = of(std::get<1>(GetParam()));
  for (auto* list : {&first, &second}) list->push_back(interval);
  first.emplace_back("analyses.dynamics.duration=0.1");
  second.emplace_back("analyses.dynamics.duration=0.2");
  run(kArms, {"analyses.dynamics.integrator=runge_kutta", interval,
              "analyses.dynamics.relative_tolerance=1e-10", "analyses.dynamics.duration=0.2"});
  const results::History exact = history();
  run(kArms, first);
  resume(kArms, second);
  const results::History h = history();
  ASSERT_EQ(h.time.size(), 5);
  for (const char* column : {"end.x", "end.y", "end.z", "spin.x", "spin.y", "spin.z", "turn"})
    EXPECT_NEAR(h.column(column)[4], exact.column(column)[4], 2e-3) << column;
  EXPECT_NEAR(h.column("energy")[4], exact.column("energy")[4], 2e-2);
  EXPECT_LT(std::abs(double(summary()["energy"]["imbalance"])), 0.05);
}

// The driven crank's motion is that of its drive, and dynamics takes it up from there.
TEST_F(RestartTest, OfKinematicsGoesOnAsDynamics) {
  std::string text = kArms;
  text.replace(text.find("elbow: {type: spherical"), 23, "elbow: {type: fixed");
  const std::string motor =
      "joints.motor={type: rotation_drive, joint: shoulder, angle: \"15*t + 10*t^2\"}";
  std::string kinematics = text;
  kinematics.replace(kinematics.find("- dynamics:"), 11, "- kinematics:");
  run(kinematics, {motor, "analyses.kinematics.duration=0.2"});
  resume(text, {motor});
  const results::History h = history();
  EXPECT_NEAR(h.column("turn").tail(1)[0], 15.0 * 0.4 + 10.0 * 0.16, 1e-9);
  EXPECT_EQ(summary()["integrator"], "generalized_alpha");
}

TEST_F(RestartTest, MayHaveAnotherStep) {
  run(kArms, {"analyses.dynamics.duration=0.1"});
  resume(kArms, {"analyses.dynamics.step=0.003", "analyses.dynamics.duration=0.2"});
  const results::History h = history();
  EXPECT_EQ(h.time.tail(1)[0], 0.2);
  // The first ends at a multiple of the new step, at most half of it longer or shorter.
  for (Eigen::Index i = 26; i + 1 < h.time.size(); ++i) {
    EXPECT_GT(h.time[i] - h.time[i - 1], 0.0014) << i;
    EXPECT_LT(h.time[i] - h.time[i - 1], 0.0046) << i;
  }
}

struct OtherModel {
  const char *change, *told;
};

class OtherModels : public RestartTest, public testing::WithParamInterface<OtherModel> {};
INSTANTIATE_TEST_SUITE_P(
    Of, OtherModels,
    testing::Values(OtherModel{"bodies.lower.mass=1.25", "bodies.lower.mass was 1, is 1.25"},
                    OtherModel{"gravity=[0, 0, -9.8]", "gravity"},
                    OtherModel{"joints.elbow.type=fixed", "joints.elbow.type"},
                    OtherModel{"joints.elbow.at=[1, 0, 0.1]", "joints.elbow.at"},
                    OtherModel{"joints.shoulder.spring={stiffness: 1}", "joints.shoulder.spring"},
                    OtherModel{"bodies.third={type: rigid, mass: 1, inertia: [1, 1, 1]}",
                               "bodies.third"}));

TEST_P(OtherModels, AreRefusedByNameAndLeaveTheResultsAsTheyAre) {
  run(kArms, {"analyses.dynamics.duration=0.1"});
  const std::string before = written("history.csv"), summary_before = written("summary.json");
  RunOptions restart;
  restart.restart = true;
  const std::string error = message<InputError>(kArms, {GetParam().change}, restart);
  EXPECT_THAT(error, HasSubstr("was written by another model"));
  EXPECT_THAT(error, HasSubstr(GetParam().told));
  EXPECT_EQ(written("history.csv"), before);
  EXPECT_EQ(written("summary.json"), summary_before);
}

// What is only written in another way is the same model.
TEST_F(RestartTest, TakesTheSameModelInOtherWords) {
  run(kArms, {"analyses.dynamics.duration=0.1"});
  EXPECT_NO_THROW(resume(kArms, {"bodies.lower.mass=1.0e0", "title=another",
                                 "bodies.lower.pose={position: [14e-1, 1e-1, 0.2]}"}));
}

TEST_F(RestartTest, WithoutACheckpointOrWithOtherColumnsIsRefused) {
  RunOptions restart;
  restart.restart = true;
  EXPECT_THAT(message<InputError>(kArms, {}, restart), HasSubstr("checkpoint.h5"));
  run(kArms, {"analyses.dynamics.duration=0.1"});
  const std::string before = written("history.csv");
  EXPECT_THAT(message<InputError>(kArms, {"sensors.more={type: energy}"}, restart),
              HasSubstr("history.csv"));
  EXPECT_EQ(written("history.csv"), before);
}

// One bit at a time, all over the file: a restart is refused with the file's name, or the bit was
// of no number.
TEST_F(RestartTest, FromADamagedCheckpointIsRefusedOrTheSame) {
  const std::string short_run = "analyses.dynamics.duration=0.1",
                    end = "analyses.dynamics.duration=0.112";
  run(kArms, {short_run});
  const std::string checkpoint = written("checkpoint.h5"), begun = written("history.csv");
  resume(kArms, {end});
  const std::string expected = written("history.csv");
  ASSERT_GT(expected.size(), begun.size());
  constexpr std::size_t kFlips = 97;
  int n_refused = 0;
  for (std::size_t i = 0; i < kFlips; ++i) {
    std::string damaged = checkpoint;
    const std::size_t at = (2 * i + 1) * checkpoint.size() / (2 * kFlips);
    damaged[at] = static_cast<char>(damaged[at] ^ (1 << i % 8));
    test::write_text(path("checkpoint.h5"), damaged);
    test::write_text(path("history.csv"), begun);
    try {
      resume(kArms, {end});
      EXPECT_EQ(written("history.csv"), expected) << "bit " << i % 8 << " of byte " << at;
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(), HasSubstr("checkpoint.h5"));
      ++n_refused;
    }
  }
  EXPECT_GT(n_refused, 10);
}

}  // namespace
}  // namespace solidyn::simulation

// What a run of dynamics leaves in its folder, however it ends.
#include <gmock/gmock.h>

#include <cmath>
#include <csignal>

#include "model_in_memory.h"

namespace solidyn::simulation {
namespace {

using base::ComputationError;
using base::InputError;
using results::RunStatus;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using DynamicsRunTest = testing_support::RunsInMemory;

// 2 kg on an arm of 0.5 m, let go from the horizontal: E = 0 there.
const std::string kPendulum = R"(
solidyn: 1
title: a pendulum
gravity: [0, 0, -10]
bodies:
  bob: {type: rigid, mass: 2, inertia: [0.1, 0.1, 0.1], pose: {position: [0.5, 0, 0]}}
joints:
  pin: {type: revolute, between: [ground, bob], at: [0, 0, 0], axis: [0, 1, 0]}
sensors:
  bob: {type: position, of: bob}
  turn: {type: joint_angle, joint: pin}
analyses:
  - dynamics: {duration: 0.2, step: 0.01}
)";

TEST_F(DynamicsRunTest, SummaryHasSizesCountsAndTheEnergyOfTheEnd) {
  EXPECT_EQ(run(kPendulum), RunStatus::done);
  const nlohmann::json s = summary();
  EXPECT_EQ(s["status"], "done");
  EXPECT_EQ(s["title"], "a pendulum");
  EXPECT_EQ(s["integrator"], "generalized_alpha");
  EXPECT_EQ(s["dofs"], 6);
  EXPECT_EQ(s["constraints"], 5);
  EXPECT_EQ(s["steps"], 20);
  EXPECT_EQ(s["time"], 0.2);
  EXPECT_GE(s["newton_iterations"], 20);
  EXPECT_LT(s["max_constraint_violation"]["position"], 1e-9);
  const results::History h = history();
  const double z = h.column("bob.z")[h.time.size() - 1];
  EXPECT_NEAR(s["energy"]["potential"], 20.0 * z, 1e-9);
  EXPECT_NEAR(s["energy"]["kinetic"], -20.0 * z, 1e-2);  // of order two
  EXPECT_NEAR(s["energy"]["exchanged"], s["energy"]["kinetic"], 1e-2);
  EXPECT_EQ(s["energy"]["work"], 0.0);
  EXPECT_FALSE(s.contains("doubts") || s.contains("failure") || s.contains("stopped_by"));
  EXPECT_FALSE(exists(".solidyn_lock"));
}

struct RowsOf {
  const char* name;
  std::vector<std::string> overrides;
  std::vector<double> times;
};

class HistoryRows : public DynamicsRunTest, public testing::WithParamInterface<RowsOf> {};
INSTANTIATE_TEST_SUITE_P(
    With, HistoryRows,
    testing::Values(
        RowsOf{"every_seventh_step", {"output={history_every: 7}"}, {0.0, 0.07, 0.14, 0.2}},
        RowsOf{
            "interval_of_steps", {"output={history_interval: 0.05}"}, {0.0, 0.05, 0.1, 0.15, 0.2}},
        RowsOf{"interval_beside_the_steps",
               {"output={history_interval: 0.035}"},
               {0.0, 0.04, 0.07, 0.11, 0.14, 0.18, 0.2}},
        RowsOf{"interval_longer_than_the_run", {"output={history_interval: 1}"}, {0.0, 0.2}},
        RowsOf{"interval_and_bdf",
               {"output={history_interval: 0.035}", "analyses.dynamics.integrator=bdf"},
               {0.0, 0.035, 0.07, 0.105, 0.14, 0.175, 0.2}},
        RowsOf{
            "interval_and_adaptive_steps",
            {"output={history_interval: 0.06}",
             "analyses.dynamics.adaptive={tolerance: 1e-5, minimum_step: 1e-6, maximum_step: 1}"},
            {0.0, 0.06, 0.12, 0.18, 0.2}},
        RowsOf{"duration_between_two_steps",
               {"analyses.dynamics.duration=0.025"},
               {0.0, 0.01, 0.02, 0.025}}),
    [](const auto& info) { return std::string(info.param.name); });

TEST_P(HistoryRows, ComeWhenTheyAreAskedForAndAtTheEnd) {
  run(kPendulum, GetParam().overrides);
  const results::History h = history();
  ASSERT_EQ(h.time.size(), static_cast<Eigen::Index>(GetParam().times.size()));
  for (Eigen::Index i = 0; i < h.time.size(); ++i)
    EXPECT_NEAR(h.time[i], GetParam().times[i], 1e-14);
  EXPECT_EQ(h.time[h.time.size() - 1], GetParam().times.back());
}

TEST_F(DynamicsRunTest, ObserversSeeTheRowsOfTheHistoryBitForBit) {
  std::vector<double> times;
  std::vector<Eigen::VectorXd> rows;
  std::string names;
  RunOptions options;
  options.observe = [&](const auto& columns, double t, const Eigen::VectorXd& row) {
    names.clear();
    for (const results::HistoryColumn& c : columns) names += c.name + "[" + c.unit + "] ";
    times.push_back(t);
    rows.push_back(row);
  };
  run(kPendulum, {"output={history_every: 3}"}, options);
  EXPECT_EQ(names, "bob.x[m] bob.y[m] bob.z[m] turn[rad] ");
  const results::History h = history();
  ASSERT_EQ(h.time.size(), static_cast<Eigen::Index>(times.size()));
  for (std::size_t i = 0; i < times.size(); ++i) {
    EXPECT_EQ(h.time[i], times[i]);
    EXPECT_EQ(h.values.row(i), rows[i].transpose());
  }
}

// A condition is looked at after each step, however rarely rows are written; the last one is of the
// step that met it.
TEST_F(DynamicsRunTest, AConditionEndsItAfterTheStepThatMeetsIt) {
  const std::string stop = "analyses.dynamics.stop_when=[{sensor: bob.z, below: -0.05}]";
  RunOptions options;
  EXPECT_EQ(run(kPendulum, {stop, "output={history_every: 1000}"}), RunStatus::done);
  const results::History h = history();
  EXPECT_LT(h.column("bob.z")[1], -0.05);
  EXPECT_EQ(summary()["time"], h.time[1]);
  EXPECT_THAT(std::string(summary()["stopped_by"]),
              HasSubstr("bob.z fell below -0.05 at about t = 0.1"));
  run(kPendulum, {stop});
  const results::History all = history();
  EXPECT_EQ(all.time[all.time.size() - 1], h.time[1]);
  EXPECT_GE(all.column("bob.z")[all.time.size() - 2], -0.05);
}

// A force that is a number until the arm has turned by 0.05 rad, with 10/0.6 rad/s^2 from rest.
const std::string kBreaks = kPendulum + R"yaml(
forces:
  push: {type: expression, at: bob, force: ["1e-6*sqrt(0.05 - turn)", 0, 0]}
)yaml";

TEST_F(DynamicsRunTest, AFailureKeepsTheLastGoodStateAndSaysWhen) {
  const std::string error = message<ComputationError>(kBreaks);
  EXPECT_THAT(error, HasSubstr("last good state: " + path("checkpoint.h5")));
  const nlohmann::json s = summary();
  EXPECT_EQ(s["status"], "failed");
  const double reached = s["failure"]["time"];
  EXPECT_NEAR(reached, std::sqrt(2.0 * 0.05 * 0.6 / 10.0), 1e-4);
  EXPECT_EQ(s["time"], reached);
  EXPECT_EQ(s["failure"]["step"], s["steps"]);
  EXPECT_THAT(error, HasSubstr(std::string(s["failure"]["message"])));
  EXPECT_THAT(written("log.txt"), HasSubstr("is subdivided"));
  const results::History h = history();
  EXPECT_NEAR(h.time[h.time.size() - 1], 0.07, 1e-12);  // parts of a step have no rows
  EXPECT_TRUE(h.values.allFinite());
  EXPECT_LT(h.column("turn").maxCoeff(), 0.05);
}

TEST_F(DynamicsRunTest, OfAModelThatIsWrongTouchesNothing) {
  std::filesystem::create_directories(out_);
  test::write_text(path("notes.txt"), "mine");
  const std::string contradiction = R"(
  left: {type: rotation_drive, joint: pin, angle: "t"}
  right: {type: rotation_drive, joint: pin, angle: "1 + t"}
sensors:)";
  std::string text = kPendulum;
  text.replace(text.find("\nsensors:"), 9, contradiction);
  EXPECT_ANY_THROW(run(text));
  std::vector<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(out_))
    left.push_back(entry.path().filename().string());
  EXPECT_THAT(left, ElementsAre("notes.txt"));
}

TEST_F(DynamicsRunTest, TwoOfThemAreRefusedWithTheLineOfTheSecond) {
  const std::string error =
      message<InputError>(kPendulum + "  - dynamics: {duration: 1, step: 0.01}\n");
  EXPECT_THAT(error, HasSubstr("model.yaml:14:5"));
  EXPECT_THAT(error, HasSubstr("a second `dynamics`, `kinematics` or `inverse_dynamics`"));
  EXPECT_FALSE(exists("summary.json"));
}

TEST_F(DynamicsRunTest, CheckCountsWhatARunWouldMeetAndWritesNothing) {
  std::string text = kPendulum;
  text.replace(
      text.find("\nsensors:"), 1,
      "\n  second: {type: revolute, between: [ground, bob], at: [0, 1, 0], axis: [0, 1, 0]}\n");
  const std::string told = check(MPI_COMM_SELF, testing_support::parsed(text));
  EXPECT_THAT(told, HasSubstr("total mass 2 kg"));
  EXPECT_THAT(told,
              HasSubstr("6 velocity unknowns, 10 constraint equations (5 redundant), 1 degrees"));
  EXPECT_THAT(told, HasSubstr("redundant: joint second"));
  EXPECT_FALSE(std::filesystem::exists(out_));
}

// The ranks agree on a request at the end of the first step.
TEST_F(DynamicsRunTest, ASignalEndsItWithACheckpointFromWhichItGoesOn) {
  run(kPendulum);
  const results::History whole = history();
  RunOptions interrupted;
  interrupted.observe = [](const auto&, double t, const Eigen::VectorXd&) {
    if (t == 0.0) std::raise(SIGTERM);
  };
  const std::string error = message<ComputationError>(kPendulum, {}, interrupted);
  EXPECT_THAT(error, HasSubstr("t = 0.01 s: stopped by Terminated; continue with --restart"));
  EXPECT_EQ(summary()["status"], "failed");
  EXPECT_EQ(summary()["steps"], 1);
  EXPECT_EQ(history().time.size(), 2);
  EXPECT_EQ(resume(kPendulum), RunStatus::done);
  const results::History both = history();
  EXPECT_EQ(both.time, whole.time);
  EXPECT_LT((both.values - whole.values).lpNorm<Eigen::Infinity>(), 1e-9);
  EXPECT_EQ(summary()["steps"], 20);
}

// 1 kg on a spring of 1e6 N/m, which the step does not resolve and rho_infinity = 0 damps away.
const std::string kUnresolved = R"(
solidyn: 1
bodies:
  flywheel: {type: rigid, mass: 10, inertia: [1, 1, 1], velocity: {angular: [0, 0, 10]}}
  ringing: {type: rigid, mass: 1, inertia: [1, 1, 1], pose: {position: [1.01, 0, 0]}}
joints:
  guide: {type: prismatic, between: [ground, ringing], at: [1, 0, 0], axis: [1, 0, 0]}
forces:
  spring: {type: spring_damper, between: [ground, ringing], at_first: [0, 0, 0], stiffness: 1e6, free_length: 1}
analyses:
  - dynamics: {duration: 0.2, step: 1e-3, rho_infinity: 0}
)";

TEST_F(DynamicsRunTest, EnergyThatStepsDoNotResolveMakesItDoubtful) {
  EXPECT_EQ(run(kUnresolved, {"bodies.flywheel.velocity={angular: [0, 0, 0]}"}),
            RunStatus::doubtful);
  EXPECT_EQ(summary()["status"], "doubtful");
  ASSERT_EQ(summary()["doubts"].size(), 1U);
  const std::string doubt = summary()["doubts"][0];
  EXPECT_THAT(doubt, HasSubstr("energies do not balance"));
  EXPECT_THAT(doubt, HasSubstr("is unaccounted for (lost)"));
  EXPECT_THAT(doubt, HasSubstr("less numerical damping (`rho_infinity`)"));
  EXPECT_LT(summary()["energy"]["imbalance"], -10.0);  // of 50 J
  EXPECT_THAT(summary()["warnings"], testing::Contains(doubt));
}

// What grows without end has no energy that can be compared.
TEST_F(DynamicsRunTest, EnergyBeyondAllNumbersMakesItDoubtful) {
  EXPECT_EQ(run(R"(
solidyn: 1
bodies:
  mass: {type: rigid, mass: 1e6, inertia: [1, 1, 1], velocity: {linear: [1, 0, 0]}}
joints:
  guide: {type: prismatic, between: [ground, mass], at: [0, 0, 0], axis: [1, 0, 0]}
forces:
  push: {type: spring_damper, between: [ground, mass], at_first: [-1, 0, 0], force: -1e8 * v}
analyses:
  - dynamics: {duration: 4.3, step: 1e-2, integrator: semi_implicit_euler}
)"),
            RunStatus::doubtful);
  EXPECT_TRUE(summary()["energy"]["exchanged"].is_null());
  ASSERT_EQ(summary()["doubts"].size(), 1U);
  EXPECT_THAT(std::string(summary()["doubts"][0]),
              AllOf(HasSubstr("have grown beyond all numbers"), HasSubstr("`runge_kutta`"),
                    Not(HasSubstr("`adaptive`"))));
}

// The stop is hit long after the limit of the step was found, that of another body.
TEST_F(DynamicsRunTest, ExplicitStepsSeeAStopThatNothingConnectsWithTheStiffestSpring) {
  run(R"(
solidyn: 1
gravity: [0, 0, -9.81]
bodies:
  ringing: {type: rigid, mass: 1, inertia: [1, 1, 1]}
  falling: {type: rigid, mass: 1, inertia: [1, 1, 1], pose: {position: [2, 0, 0]}}
joints:
  first: {type: prismatic, between: [ground, ringing], at: [0, 0, 0], axis: [0, 0, 1]}
  second: {type: prismatic, between: [ground, falling], at: [2, 0, 0], axis: [0, 0, 1]}
forces:
  spring: {type: spring_damper, between: [ground, ringing], at_first: [0, 0, -1], stiffness: 1e6, free_length: 1}
  stop: {type: bump_stop, between: [ground, falling], at: [2, 0, 0], axis: [0, 0, 1], force_by_travel: {table: [[0.02, 0], [1, 1e7]]}}
analyses:
  - dynamics: {duration: 0.2, step: 1e-3, integrator: semi_implicit_euler}
)");
  EXPECT_THAT(summary()["warnings"].dump(), HasSubstr("is not stable with the explicit forces"));
  EXPECT_LT(double(summary()["energy"]["exchanged"]), 10.0);  // J, of 0.2
}

// A body on a guide, and a damper that becomes stronger by a third long after the limit of the step
// was found.
const char* const kStrongerDamper = R"(
solidyn: 1
bodies:
  mass: {type: rigid, mass: 1, inertia: [1, 1, 1], velocity: {linear: [1, 0, 0]}}
joints:
  guide: {type: prismatic, between: [ground, mass], at: [0, 0, 0], axis: [1, 0, 0]}
forces:
  push: {type: spring_damper, between: [ground, mass], at_first: [-10, 0, 0], force: "(t < 1 ? 90 : 120)*v"}
analyses:
  - dynamics: {duration: 5, step: 1e-2, integrator: semi_implicit_euler}
)";

// With speeds that are ahead by half of what a step changes, 5e12 J came of half a joule before the
// limit was looked at again.
TEST_F(DynamicsRunTest, ExplicitStepsSeeADamperThatBecomesStronger) {
  run(kStrongerDamper);
  EXPECT_LT(double(summary()["energy"]["exchanged"]), 1.0);
}

// Beside a body that is fast, what grows is little until it is all there is.
TEST_F(DynamicsRunTest, ExplicitStepsSeeADamperThatBecomesStrongerBesideABodyThatIsFast) {
  run(kStrongerDamper,
      {"bodies.fast={type: rigid, mass: 1, inertia: [1, 1, 1], velocity: {linear: [0, 1000, 0]}}",
       "analyses.dynamics.duration=3"});
  EXPECT_LT(std::abs(double(summary()["energy"]["imbalance"])), 1.0);  // J
}

// In 0.02 s, 2 % are lost with steps of 0.1 ms and 13 % with twice these.
TEST_F(DynamicsRunTest, EnergyIsInDoubtFromThreePercentOn) {
  const auto status = [&](const char* step) {
    return run(kUnresolved,
               {"bodies.flywheel.velocity={angular: [0, 0, 0]}", "analyses.dynamics.duration=0.02",
                std::string("analyses.dynamics.step=") + step});
  };
  EXPECT_EQ(status("1e-4"), RunStatus::done);
  EXPECT_NEAR(double(summary()["energy"]["imbalance"]), -0.02 * 50.0, 0.1);
  EXPECT_FALSE(summary().contains("doubts"));
  EXPECT_EQ(status("2e-4"), RunStatus::doubtful);
  EXPECT_NEAR(double(summary()["energy"]["imbalance"]), -0.13 * 50.0, 0.3);
}

// The flywheel has 500 times the energy that is lost: the sum looks good.
TEST_F(DynamicsRunTest, EnergyLostByBodiesThatNothingConnectsIsNotHiddenByTheOthers) {
  EXPECT_EQ(run(kUnresolved, {"bodies.flywheel.velocity={angular: [0, 0, 200]}"}),
            RunStatus::doubtful);
  ASSERT_EQ(summary()["doubts"].size(), 1U);
  EXPECT_THAT(std::string(summary()["doubts"][0]),
              HasSubstr("energies of `ringing` do not balance"));
}

TEST_F(DynamicsRunTest, LossesTooSmallForWhatAllTurnOverAreNoDoubt) {
  EXPECT_EQ(run(kUnresolved, {"bodies.flywheel.velocity={angular: [0, 0, 1e5]}"}), RunStatus::done);
}

TEST_F(DynamicsRunTest, PicturesComeAtMultiplesOfTheirIntervalAndAtTheEnd) {
  run(kPendulum, {"output={fields_interval: 0.06}"});
  const std::string xdmf = written("fields.xdmf");
  std::vector<double> times;
  for (std::size_t at = 0; (at = xdmf.find("<Time Value=\"", at)) != std::string::npos;) {
    at += 13;
    times.push_back(std::stod(xdmf.substr(at)));
  }
  ASSERT_EQ(times.size(), 5U) << xdmf;
  const double expected[] = {0.0, 0.06, 0.12, 0.18, 0.2};
  for (int i = 0; i < 5; ++i) EXPECT_NEAR(times[i], expected[i], 1e-12);
}

// The drive turns evenly, so that the mechanism has its positions whatever the step is.
TEST_F(DynamicsRunTest, OfKinematicsHasNoDoubtsAndItsOwnName) {
  std::string text = kPendulum;
  text.replace(text.find("\nsensors:"), 1,
               "\n  motor: {type: rotation_drive, joint: pin, angle: \"40*t\"}\n");
  text.replace(text.find("dynamics:"), 9, "kinematics:");
  EXPECT_EQ(run(text, {"analyses.kinematics.step=0.05"}), RunStatus::done);
  EXPECT_EQ(summary()["integrator"], "kinematics");
  const results::History h = history();
  ASSERT_EQ(h.time.size(), 5);
  for (int i = 0; i < 5; ++i) {
    EXPECT_NEAR(h.column("turn")[i], 2.0 * i, 1e-12);  // more than a turn, counted
    EXPECT_NEAR(h.column("bob.x")[i], 0.5 * std::cos(2.0 * i), 1e-12);
    EXPECT_NEAR(h.column("bob.z")[i], -0.5 * std::sin(2.0 * i), 1e-12);
  }
}

}  // namespace
}  // namespace solidyn::simulation

// Forces of model files against closed forms.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <petsc.h>

#include <algorithm>
#include <cmath>

#include "model_runs.h"
#include "solidyn/analyses/statics.h"
#include "solidyn/base/error.h"
#include "solidyn/math/curve.h"
#include "solidyn/model/load.h"

namespace solidyn {
namespace {

using testing_support::ModelRun;
using testing_support::run_model;
using Settings = std::vector<std::string>;

constexpr double kGravity = 9.81;
const std::string kHere = "tests/verification/forces/";

ModelRun run(const std::string& name, const Settings& settings = {}) {
  return run_model(PETSC_COMM_WORLD, kHere + name, settings);
}

double last(const ModelRun& run, const std::string& column) {
  return run.history.at(column).back();
}

TEST(Spring, DampedOscillationIsTheClosedForm) {
  const ModelRun r = run("oscillator.yaml");
  const double m = 2.0, k = 800.0, d = 8.0;
  const double decay = d / (2.0 * m), w = std::sqrt(k / m - decay * decay);
  double worst = 0.0;
  for (std::size_t i = 0; i < r.history.at("time").size(); ++i) {
    const double t = r.history.at("time")[i];
    worst = std::max(
        worst, std::abs(r.history.at("x")[i] - 0.5 - std::exp(-decay * t) * std::sin(w * t) / w));
  }
  EXPECT_LT(worst, 1e-4 / w);
  // What the damper takes is what is missing: the balance closes to the order of the step.
  EXPECT_LT(r.monitor.energy.kinetic + r.monitor.energy.strain, 1e-3);
  EXPECT_LT(r.monitor.relative_drift(), 1e-4);
}

// The same motion from a table, an expression and an actuator that takes the spring's place.
TEST(Spring, EveryWayToWriteItIsTheSame) {
  const ModelRun plain = run("oscillator.yaml");
  const Settings ways = {
      "forces.spring={type: spring_damper, between: [ground, mass], at_first: [0, 0, 0], force_by_extension: {table: [[-1, -800], [1, 800]]}, force_by_rate: {table: [[-2, -16], [2, 16]]}}",
      "forces.spring={type: spring_damper, between: [ground, mass], at_first: [0, 0, 0], force: \"800*x + 8*v\"}",
      "forces.spring={type: spring_damper, between: [ground, mass], at_first: [0, 0, 0], stiffness: 800, damping: 8, free_length: 0.25, preload: -200}",
      "forces.spring={type: expression, at: mass, force: [\"-800*(x - 0.5) - 8*v\", 0, 0]}",
      "forces.spring={type: bushing, between: [ground, mass], at: [0.5, 0, 0], stiffness: [800, 0, 0, 0, 0, 0], damping: [8, 0, 0, 0, 0, 0]}"};
  for (const std::string& way : ways) {
    const ModelRun r = run("oscillator.yaml", {way});
    EXPECT_LT(testing_support::largest_difference(r.history.at("x"), plain.history.at("x")), 1e-11)
        << way;
    EXPECT_LT(r.monitor.relative_drift(), 1e-4) << way;
  }
}

// What a joint transmits comes from multipliers, or from what its hinge exerts.
class Friction : public testing::TestWithParam<const char*> {
 protected:
  static ModelRun run(const std::string& name, Settings settings = {}) {
    settings.push_back(fmt::format("formulation={}", GetParam()));
    return solidyn::run(name, settings);
  }
};
INSTANTIATE_TEST_SUITE_P(Formulations, Friction, testing::Values("absolute", "recursive"));

// Pressed by the multipliers of its guide, a block slides with g (sin - mu cos), or holds.
TEST_P(Friction, BlockOnAnIncline) {
  const double angle = M_PI / 6.0;
  for (const char* integrator : {"generalized_alpha", "bdf", "runge_kutta"}) {
    Settings settings = {fmt::format("analyses.dynamics.integrator={}", integrator),
                         "analyses.dynamics.step=1e-4"};
    // Explicit steps would have to resolve the transition speed.
    if (settings[0].find("runge") != std::string::npos)
      settings.push_back("joints.guide.friction.transition_speed=1e-2");
    const bool is_smooth = settings.size() > 2;
    const ModelRun r = run("incline.yaml", settings);
    const double a = kGravity * (std::sin(angle) - 0.2 * std::cos(angle));
    EXPECT_NEAR(last(r, "v"), -a * 0.5 * std::cos(angle), is_smooth ? 5e-3 : 1e-4) << integrator;
  }
  const ModelRun holds = run("incline.yaml", {"joints.guide.friction.static=0.7"});
  // r = tan(30 deg) / 0.7 of the friction is used: it creeps with v_0 r / sqrt(1 - r^2).
  const double used = std::tan(angle) / 0.7;
  const double creep = 1e-5 * used / std::sqrt(1.0 - used * used) * std::cos(angle);
  EXPECT_NEAR(last(holds, "v"), -creep, 0.02 * creep);
}

// Half a swing is a parabola in energy: turning points fall by 2 mu N / k each.
TEST_P(Friction, SwingsLoseTheSameEachTime) {
  const ModelRun r = run("coulomb.yaml");
  const auto &t = r.history.at("time"), &x = r.history.at("x");
  const double loss = 2.0 * 0.1 * kGravity / 100.0, w = 10.0;
  double amplitude = 0.1;
  for (int n = 1; n <= 4; ++n) {  // the fifth would start below mu N / k
    const double turn = n * M_PI / w;
    const std::size_t i = std::lower_bound(t.begin(), t.end(), turn) - t.begin();
    amplitude -= loss;
    EXPECT_NEAR(std::abs(x[i] + 0.1), amplitude, 2e-4) << n;
  }
  EXPECT_LT(std::abs(last(r, "v")), 1e-4);
  EXPECT_LT(r.monitor.relative_drift(), 1e-3);
}

TEST_P(Friction, WheelRunsDownEvenly) {
  const ModelRun r = run("pin.yaml");
  const double torque = 0.15 * 5.0 * kGravity * 0.01;
  EXPECT_NEAR(last(r, "spin"), 20.0 - torque / 0.2 * 2.0, 1e-4);
}

// Hung from its ball, whose friction opposes the spin about the vertical with mu m g r.
TEST_P(Friction, BallRunsDownEvenly) {
  const ModelRun r = run("ball.yaml");
  EXPECT_NEAR(last(r, "spin"), 20.0 - 0.15 * 5.0 * kGravity * 0.02 / 0.2 * 2.0, 1e-4);
}

// The pins of the arm that turns take mu m g r; those of the other one hold.
TEST_P(Friction, CrossRunsDownAboutTheArmThatTurns) {
  const ModelRun r = run("cross.yaml");
  const double torque = 0.15 * 5.0 * kGravity * 0.01;
  EXPECT_NEAR(last(r, "spin.x"), 3.0 - torque / 0.2 * 0.5, 1e-4);
  EXPECT_NEAR(last(r, "spin.y"), 0.0, 1e-10);
  EXPECT_NEAR(last(r, "first"), -torque, 1e-6);
  EXPECT_NEAR(last(r, "second"), 0.0, 1e-6);
}

// The position is prescribed from the first iteration on: forces that follow the multipliers must
// be waited for.
TEST_P(Friction, IsInBalanceWithTheDriveInEveryStep) {
  for (const char* step : {"1.0e-2", "5.0e-3", "1.0e-3"}) {
    const ModelRun r = run("driven_pin.yaml", {fmt::format("analyses.dynamics.step={}", step)});
    const std::vector<double>&t = r.history.at("time"), &torque = r.history.at("torque"),
          &friction = r.history.at("friction");
    for (std::size_t i = 0; i < t.size(); ++i)
      ASSERT_NEAR(torque[i] + friction[i] + 5.0 * std::cos(20.0 * t[i]), 0.0, 1e-5) << t[i];
  }
}

// A nut that a motor drives evenly, from the first row on: the motor prescribes all accelerations,
// and friction is not found with them, but with the multipliers. Weight presses it across, and
// friction the more: N (1 - mu tan a) = m g.
TEST_P(Friction, OfADrivenNutIsInBalanceFromTheStart) {
  const double lead = std::atan2(0.3, 2.0 * M_PI * 0.02), mu = 0.3;
  const double torque = mu * 2.0 * kGravity * 0.02 / (std::cos(lead) - mu * std::sin(lead));
  for (const char* integrator : {"generalized_alpha", "runge_kutta", "half_explicit"}) {
    if (GetParam() == std::string("recursive") && integrator == std::string("half_explicit"))
      continue;
    const ModelRun r =
        run("driven_nut.yaml", {fmt::format("analyses.dynamics.integrator={}", integrator)});
    ASSERT_GT(r.history.at("torque").size(), 3U);
    for (const double found : r.history.at("torque"))
      EXPECT_NEAR(found, torque, 4e-6 * torque) << integrator;  // of the rounding of |F|
    EXPECT_LT(r.monitor.relative_drift(), 1e-6) << integrator;
  }
}

// Above the cotangent of the lead angle no torque moves it.
TEST_P(Friction, NutThatNoTorqueMovesIsJammed) {
  for (const char* integrator : {"generalized_alpha", "runge_kutta"}) {
    try {
      run("driven_nut.yaml", {fmt::format("analyses.dynamics.integrator={}", integrator),
                              "joints.nut.friction.static=0.5"});
      ADD_FAILURE() << "no error: " << integrator;
    } catch (const base::InputError& e) {
      EXPECT_THAT(e.what(), testing::HasSubstr("jammed by friction at the start"));
      EXPECT_THAT(e.what(), testing::HasSubstr("worst that of joint nut friction"));
    }
  }
}

// Hunt and Crossley: restitution 1 - 2/3 c v to first order.
TEST(Limits, GiveBackWhatTheirDampingLeaves) {
  for (double c : {0.0, 0.05}) {
    const ModelRun r = run("bounce.yaml", {fmt::format("joints.guide.limits.damping={}", c)});
    const auto& v = r.history.at("v");
    const double impact = std::sqrt(2.0 * kGravity * 0.1);
    EXPECT_NEAR(*std::min_element(v.begin(), v.end()), -impact, 1e-3 * impact);
    const double restitution = *std::max_element(v.begin(), v.end()) / impact;
    EXPECT_NEAR(restitution, 1.0 - 2.0 / 3.0 * c * impact, c > 0.0 ? 2.0e-3 : 1e-3);
    EXPECT_LT(r.monitor.relative_drift(), 1e-3);
  }
}

// z of the bushing is world y, x is world z, y is world x.
TEST(Bushing, EquilibriumIsTheClosedForm) {
  const model::ModelDescription description = model::load_model(
      PETSC_COMM_WORLD, std::string(SOLIDYN_SOURCE_DIR) + "/" + kHere + "bushing.yaml");
  const auto built = model::build(PETSC_COMM_WORLD, description, {});
  analyses::Statics statics(built->system, {});
  statics.start();
  while (!statics.is_done()) statics.advance();
  double p[3], r[3];
  built->sensors[0].read({built->system, statics.state()}, p);
  built->sensors[1].read({built->system, statics.state()}, r);
  // [2000, 50; 50, 30] [y; rotation about z] = [0.04; 0] to first order; the others are springs.
  const double y = 0.04 / (2000.0 - 50.0 * 50.0 / 30.0), turn = -50.0 / 30.0 * y;
  EXPECT_NEAR(p[0], y, 1e-3 * y);
  EXPECT_NEAR(r[1], turn, -1e-3 * turn);
  EXPECT_NEAR(p[1], 0.05 / 4000.0, 1e-3 * 0.05 / 4000.0);
  EXPECT_NEAR(p[2], 0.06 / 1000.0, 1e-3 * 0.06 / 1000.0);
}

// A spring of 1e8 N/m written by sensors: Newton converges as for any other, momenta are kept.
TEST(Expression, StiffSpringConvergesAndBalances) {
  const ModelRun r = run("expression.yaml");
  EXPECT_LT(r.statistics.newton_iterations, 5 * r.statistics.steps);
  EXPECT_LT(std::abs(last(r, "gap.x") - 0.09), 1e-4);
  const double t = last(r, "time");
  EXPECT_NEAR(last(r, "p.z"), r.history.at("p.z").front() - 3.0 * kGravity * t, 1e-9);
  EXPECT_NEAR(last(r, "p.x"), 0.2, 1e-9);
  EXPECT_NEAR(last(r, "p.y"), 0.0, 1e-9);
}

// Without tilt the bearings are springs at the shaft's centre, as formulas say them too; energy is
// conserved, and the turn is counted over many turns.
TEST(JournalBearing, LetsAnUnbalancedRotorSpinFreely) {
  const ModelRun bearings = run("journal.yaml");
  const std::string left =
      "forces.left={type: expression, at: rotor.left, force: [\"-{=k}*l.x\", \"-{=k}*l.y\", \"-1e5*(l.z + 0.3)\"]}";
  const std::string right =
      "forces.right={type: expression, at: rotor.right, force: [\"-{=k}*r.x\", \"-{=k}*r.y\", \"-1e5*(r.z - 0.3)\"]}";
  const ModelRun springs =
      run("journal.yaml", {left, right, "sensors.l={type: position, of: rotor.left}",
                           "sensors.r={type: position, of: rotor.right}",
                           "sensors.turn={type: energy}", "sensors.tilt={type: energy}"});
  for (const char* column : {"x", "y", "spin", "push"}) {
    const auto& expected = springs.history.at(column);
    const double size = *std::max_element(expected.begin(), expected.end());
    EXPECT_LT(testing_support::largest_difference(bearings.history.at(column), expected),
              1e-7 * size)
        << column;
  }
  EXPECT_GT(last(bearings, "turn"), 9.0 * 2.0 * M_PI);
  EXPECT_NEAR(last(bearings, "turn"), 60.0, 0.2);
  EXPECT_LT(bearings.monitor.relative_drift(), 2e-6);
}

// With a push across the shaft it tilts and whirls: what it has of energy stays.
TEST(JournalBearing, KeepsTheEnergyOfAWhirlingShaft) {
  const Settings settings = {"bodies.rotor.velocity.angular=[2, 0, 60]"};
  const ModelRun r = run("journal.yaml", settings);
  const auto& tilt = r.history.at("tilt");
  EXPECT_GT(*std::max_element(tilt.begin(), tilt.end()), 1e-3);
  EXPECT_LT(r.monitor.relative_drift(), 2e-5);
}

// The work of a table over the wheel's own angle is its integral, and a cam takes none.
TEST(TableOverASensor, DoesTheWorkOfItsArea) {
  const ModelRun r = run("cycle.yaml");
  using math::TimeFunction;
  const TimeFunction::Ends periodic{TimeFunction::Ends::Kind::periodic};
  const math::Curve torque({0.0, 1.0, 2.5, 4.0, 5.0, 2.0 * M_PI}, {0.0, 2.0, 1.0, -1.5, 0.5, 0.0},
                           TimeFunction::Interpolation::cubic, periodic);
  const math::Curve lift({0.0, 1.0, 2.0, 3.0, 4.5, 5.5, 2.0 * M_PI},
                         {0.0, 0.01, 0.04, 0.05, 0.03, 0.005, 0.0},
                         TimeFunction::Interpolation::cubic, periodic);
  const auto &angle = r.history.at("angle"), &kinetic = r.history.at("kinetic");
  EXPECT_GT(angle.back(), 4.0 * 2.0 * M_PI);
  for (std::size_t i = 0; i < angle.size(); i += 50) {
    EXPECT_NEAR(kinetic[i], kinetic[0] + torque.integral(angle[i]), 2e-4 * kinetic[0]) << angle[i];
    EXPECT_NEAR(r.history.at("lift")[i], lift.value(angle[i]), 1e-9);
  }
  EXPECT_LT(r.monitor.relative_drift(), 1e-4);
}

// A spring that is a table over where the mass is: its work is external, and is accounted for.
TEST(Tabulated, IsTheSpringThatItsTableSays) {
  const ModelRun r = run("tabulated.yaml");
  const double w = 20.0;
  double worst = 0.0;
  for (std::size_t i = 0; i < r.history.at("time").size(); ++i) {
    const double t = r.history.at("time")[i];
    worst = std::max(worst, std::abs(r.history.at("place.x")[i] - 0.5 - std::sin(w * t) / w));
    EXPECT_NEAR(r.history.at("force.force_x")[i], -800.0 * (r.history.at("place.x")[i] - 0.5),
                1e-9);
  }
  EXPECT_LT(worst, 2e-3 / w);
  EXPECT_LT(r.monitor.relative_drift(), 1e-4);
  // A table that ends before the mass turns round.
  try {
    run("tabulated.yaml",
        {"forces.push.force.table=[[0.47, 24], [0.53, -24]]", "forces.push.beyond=refuse"});
    FAIL();
  } catch (const base::ComputationError& error) {
    EXPECT_NE(std::string(error.what()).find("`place.x` is 0.53"), std::string::npos)
        << error.what();
  }
  EXPECT_NEAR(last(run("tabulated.yaml", {"forces.push.force.table=[[0.47, 24], [0.53, -24]]",
                                          "forces.push.beyond=linear"}),
                   "place.x"),
              last(r, "place.x"), 1e-12);
}

}  // namespace
}  // namespace solidyn

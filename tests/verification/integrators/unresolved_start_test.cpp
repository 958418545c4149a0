// Models whose stiff parts meet a load at once: nothing is thrown.
#include <gtest/gtest.h>
#include <petsc.h>

#include <cmath>

#include "model_runs.h"

namespace solidyn {
namespace {

using testing_support::ModelRun;

ModelRun run_of(const std::string& file, std::vector<std::string> overrides, double step) {
  overrides.push_back("analyses.dynamics.step=" + std::to_string(step));
  return testing_support::run_model(PETSC_COMM_WORLD, "tests/verification/integrators/" + file,
                                    overrides);
}

// Before, 200 J and -0.46 rad in steps of 1 ms, and 8 kJ with rho_infinity 0.
TEST(UnresolvedStart, OfAStronglyDampedHingeFollowsTheSpring) {
  const double exact = 0.025 * (1.0 - std::exp(-0.4));
  for (const char* rho : {"0", "0.5", "0.8", "0.95"}) {
    double before = 1.0;
    for (const double step : {1e-3, 1e-4, 1e-5}) {
      const ModelRun run =
          run_of("stiff_hinge.yaml", {std::string("analyses.dynamics.rho_infinity=") + rho}, step);
      // The offset of the unresolved layer, (1 - rho)/(2 (1 + rho)) h f/D, and as much again.
      const double r = std::stod(rho), offset = 0.5 * (1.0 - r) / (1.0 + r) * step * 0.5;
      const double error = std::abs(run.history.at("q").back() - exact);
      EXPECT_LT(error, 2.0 * offset + 3e-7) << rho << " " << step;
      EXPECT_LT(error, std::max(before, 1e-7)) << rho << " " << step;
      before = error;
      for (std::size_t i = 0; i < run.history.at("q").size(); ++i)
        EXPECT_LE(run.history.at("energy")[i], 10.0 * std::abs(run.history.at("q")[i]) + 1e-9);
    }
  }
}

// What has nothing to do with the hinge does not change how it begins.
TEST(UnresolvedStart, DoesNotDependOnOtherBodies) {
  // In one formulation: `automatic` may take another one beside others.
  const ModelRun alone = run_of("stiff_hinge.yaml", {"formulation=absolute"}, 1e-3),
                 beside = run_of("beside_hinge.yaml", {"formulation=absolute"}, 1e-3);
  EXPECT_LT(testing_support::largest_difference(alone.history.at("q"), beside.history.at("q")),
            1e-10);
}

// Stiff forces that turn with the bodies are no vibration.
TEST(UnresolvedStart, OfBodiesThatGoRoundEachOtherTurnsTheirBushing) {
  double before = 1.0;
  for (const double step : {1e-3, 5e-4, 2.5e-4, 1.25e-4}) {
    const ModelRun run = run_of("bushing_pair.yaml", {}, step);
    EXPECT_FALSE(run.monitor.start_failed) << step;
    EXPECT_LT(std::abs(run.monitor.balance.imbalance), 0.01 * 6000.0) << step;
    const double error = std::abs(run.history.at("q").back() - 5.0);
    EXPECT_LT(error, before) << step;
    before = error / 3.0;
    for (std::size_t i = 0; i < run.history.at("x.x").size(); ++i)
      EXPECT_NEAR(std::hypot(run.history.at("x.x")[i], run.history.at("x.y")[i]), 1.0, 5e-5)
          << step << " row " << i;
  }
}

struct TorqueCase {
  const char* name;
  std::vector<std::string> overrides;
};

constexpr const char* kRope =
    "bodies.rope={type: beam, material: steel, points: {a: [5, 0, 0], b: [6, 0, 0]}, elements: 2, section: {type: circle, radius: 0.01}}";

class SuddenTorque : public testing::TestWithParam<TorqueCase> {};
INSTANTIATE_TEST_SUITE_P(
    On, SuddenTorque,
    testing::Values(
        TorqueCase{"modes", {}},
        TorqueCase{"modes_and_damper",
                   {"joints.hinge.damper.damping=20", "joints.hinge.spring.stiffness=400"}},
        TorqueCase{"all_nodes", {"bodies.rod.type=floating_frame"}},
        TorqueCase{"nodes_in_the_world", {"bodies.rod.type=corotational"}},
        TorqueCase{"superelement", {"bodies.rod.type=superelement"}},
        TorqueCase{"beside_a_beam", {kRope}},
        TorqueCase{"all_nodes_beside_a_beam", {kRope, "bodies.rod.type=floating_frame"}},
        TorqueCase{"nodes_in_the_world_beside_a_beam", {kRope, "bodies.rod.type=corotational"}},
        TorqueCase{
            "all_nodes_and_friction",
            {"bodies.rod.type=floating_frame",
             "joints.hinge.friction={static: 0.3, dynamic: 0.2, stribeck_speed: 0.1, radius: 0.005, transition_speed: 0.001}"}},
        TorqueCase{"all_nodes_and_damper",
                   {"bodies.rod.type=floating_frame", "joints.hinge.damper.damping=20",
                    "joints.hinge.spring.stiffness=400"}}),
    [](const auto& info) { return std::string(info.param.name); });

// The torque is constant: its work is 0.05 N m times the angle. 5 % is the bound of linear systems
// at rho_infinity 0.95.
TEST_P(SuddenTorque, PutsInNoMoreThanItsWork) {
  for (const char* rho : {"0.5", "0.8", "0.95"})
    for (const double step : {1e-3, 1e-4}) {
      std::vector<std::string> overrides = GetParam().overrides;
      overrides.push_back(std::string("analyses.dynamics.rho_infinity=") + rho);
      overrides.push_back("analyses.dynamics.duration=" + std::to_string(20 * step));
      const ModelRun run = run_of("sudden_torque.yaml", overrides, step);
      const std::vector<double>&q = run.history.at("q"), &energy = run.history.at("energy");
      double largest_work = 0.0;
      for (std::size_t i = 1; i < q.size(); ++i) {
        largest_work = std::max(largest_work, 0.05 * std::abs(q[i]));
        EXPECT_LE(energy[i], 1.05 * largest_work + 1e-12) << rho << " " << step << " row " << i;
      }
      EXPECT_GT(q.back(), 0.0);
    }
}

// The first step begins without velocities that dampers take away within it. A force on one body
// that depends on how another one moves takes nothing from either.
TEST(UnresolvedStart, LeavesBodiesThatOthersOnlyFollowAsTheyFly) {
  const ModelRun with = run_of("one_way.yaml", {}, 1e-3);
  const ModelRun without =
      run_of("one_way.yaml", {"forces.wind.force=[0, 0, 0]", "forces.dashpot.damping=0"}, 1e-3);
  EXPECT_LT(testing_support::largest_change(with.history.at("v.x")), 1e-12);
  // Whether accelerations begin with their rates is the same for all bodies.
  for (const char* column : {"w.x", "w.y", "w.z"})
    EXPECT_LT(
        testing_support::largest_difference(with.history.at(column), without.history.at(column)),
        1e-4)
        << column;
}

// What is in balance does not decay, however strong the dampers are.
TEST(UnresolvedStart, GoesOnAsItBeginsWhereDampersBalanceWhatDrives) {
  for (const double step : {1e-2, 1e-3, 1e-4}) {
    const ModelRun run = run_of("steady_start.yaml", {}, step);
    EXPECT_NEAR(run.history.at("angle").back(), 1.0, 1e-9) << step;
    EXPECT_NEAR(run.history.at("turn").back(), 0.05, 1e-9) << step;
    EXPECT_NEAR(run.history.at("way").back(), 1.0, 1e-9) << step;
    EXPECT_NEAR(run.monitor.balance.imbalance, 0.0, 1e-6) << step;
  }
}

// Constraints compare positions of 7e6 m, whose neighbours are 1e-9 m apart.
TEST(FarFromTheOrigin, AHingeMovesAsItDoesNear) {
  for (const double step : {1e-2, 1e-3, 1e-4}) {
    const ModelRun far = run_of("orbit.yaml", {}, step);
    const ModelRun near = run_of("orbit.yaml",
                                 {"bodies.bus.pose.position=[0, 0, 0]", "joints.hinge.at=[0, 1, 0]",
                                  "bodies.panel.pose.position=[0, 2, 0]"},
                                 step);
    EXPECT_LT(testing_support::largest_difference(far.history.at("q"), near.history.at("q")), 1e-5)
        << step;
  }
}

}  // namespace
}  // namespace solidyn

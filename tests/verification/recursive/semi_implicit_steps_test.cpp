// Semi-implicit Euler in relative coordinates: order two towards the limit of explicit steps of
// order eight, loops, laws, and the energy of pendulums.
#include <gmock/gmock.h>
#include <petsc.h>

#include <functional>

#include "limit.h"
#include "linkages.h"
#include "mechanisms.h"
#include "model_runs.h"
#include "reference_tree.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/integrators/petsc_ts.h"
#include "solidyn/integrators/semi_implicit_euler.h"
#include "solidyn/recursive/mechanism.h"
#include "solidyn/system/connect.h"

namespace solidyn {
namespace {

using bodies::BodyIndex;
using Eigen::Vector3d;
using Eigen::VectorXd;
using integrators::PetscTsOptions;
using integrators::SemiImplicitEuler;
using system::State;
using testing_support::difference;
using testing_support::limit;
using testing_support::ReferenceTree;
using testing_support::vector_of;

using MakeSystem = std::function<std::unique_ptr<system::System>()>;

void go(system::System& system, State& state, double duration, int n_steps) {
  SemiImplicitEuler integrator(system);
  integrator.initialize(state);
  for (int i = 0; i < n_steps; ++i) {
    integrator.step(state, duration / n_steps);
    system.accept(state);
  }
  integrator.complete(state);
}

State steps(system::System& system, double duration, int n_steps) {
  State state = testing_support::start(system);
  go(system, state, duration, n_steps);
  return state;
}

double largest(const VectorXd& x) { return x.size() > 0 ? x.lpNorm<Eigen::Infinity>() : 0.0; }

void expect_steps_of_order_two(const MakeSystem& make, double duration, int n_steps) {
  const auto of_limit = make();
  const State expected = limit(*of_limit, duration);
  std::vector<double> errors, of_forces;
  for (const int factor : {1, 2, 4}) {
    const auto system = make();
    const State state = steps(*system, duration, factor * n_steps);
    errors.push_back(difference(state, expected));
    of_forces.push_back(largest(state.lambda - expected.lambda));
    VectorXd phi;
    system->update(state);
    system->compute_constraints(state, phi);
    for (int i = 0; i < phi.size(); ++i)
      if (!system->layout().is_velocity_level()[i]) EXPECT_LT(std::abs(phi[i]), 1e-11);
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.2) << errors[0];
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.1) << errors[1];
  EXPECT_LT(errors[2], 1e-3 * (1.0 + expected.v.norm()));
  if (of_forces[0] > 1e-9 * largest(expected.lambda))
    EXPECT_NEAR(std::log2(of_forces[1] / of_forces[2]), 2.0, 0.3) << of_forces[1];
}

TEST(SemiImplicitEuler, ConvergesAtOrderTwoOnAPendulum) {
  expect_steps_of_order_two([] { return testing_support::make_simple_pendulum(); }, 1.0, 400);
}
TEST(SemiImplicitEuler, ConvergesAtOrderTwoOnABallJoint) {
  expect_steps_of_order_two(testing_support::make_heavy_top, 0.05, 500);
}
TEST(SemiImplicitEuler, ConvergesAtOrderTwoInALoop) {
  expect_steps_of_order_two(testing_support::make_bricard, 0.5, 200);
}
TEST(SemiImplicitEuler, ConvergesAtOrderTwoWithDependentRows) {
  expect_steps_of_order_two([] { return testing_support::make_four_bars(2); }, 0.3, 200);
}

TEST(SemiImplicitEuler, MeetsLawsExactly) {
  const auto system = testing_support::make_driven_disc({"20*t + t^2"}),
             same = testing_support::make_driven_disc({"20*t + t^2"});
  const State state = steps(*system, 0.5, 100), expected = limit(*same, 0.5);
  EXPECT_LT(difference(state, expected), 1e-9);
  EXPECT_LT(largest(state.lambda - expected.lambda), 1e-7 * largest(expected.lambda));
}

std::unique_ptr<system::System> make_double_pendulum() {
  auto system = std::make_unique<system::System>();
  system->set_gravity(Vector3d(0, -9.81, 0));
  for (int i = 0; i < 2; ++i) {
    system::InitialMotion pose;
    pose.p_WB = Vector3d(0.1 * i + 0.05, 0, 0);
    system->add_body(bodies::make_rigid_body(i == 0 ? "upper" : "lower", 1.0, Vector3d::Zero(),
                                             Vector3d(1e-5, 1e-2 / 12, 1e-2 / 12).asDiagonal()),
                     pose);
    const auto frames = system::add_frames(*system, i > 0 ? BodyIndex(0) : bodies::kGround,
                                           BodyIndex(i), Vector3d(0.1 * i, 0, 0));
    system::add_joint(*system, "hinge", joints::JointType::revolute, frames);
  }
  system->finalize();
  return system;
}

// A pendulum on a crank that a law turns and, with a kink, makes stand still: what hangs on it
// receives the impulse of the law.
std::unique_ptr<system::System> make_pendulum_on_crank() {
  auto system = std::make_unique<system::System>();
  system->set_gravity(Vector3d(0, -9.81, 0));
  for (int i = 0; i < 2; ++i) {
    system::InitialMotion pose;
    pose.p_WB = Vector3d(i + 0.5, 0, 0);
    pose.v_WB = Vector3d(0, 0.5 + i, 0);
    pose.w_WB_B = Vector3d::UnitZ();
    system->add_body(bodies::make_rigid_body(i == 0 ? "crank" : "pendulum", 1.0, Vector3d::Zero(),
                                             Vector3d(0.001, 1.0 / 12, 1.0 / 12).asDiagonal()),
                     pose);
    const auto frames = system::add_frames(*system, i > 0 ? BodyIndex(0) : bodies::kGround,
                                           BodyIndex(i), Vector3d(i, 0, 0));
    system::add_joint(*system, "hinge", joints::JointType::revolute, frames);
    if (i == 0)
      system::add_joint(*system, "drive",
                        joints::rotation_drive_rows(math::TimeFunction::expression("min(t, 0.2)")),
                        frames);
  }
  system->finalize();
  return system;
}

void stop_crank(system::System& system, State& state) {
  recursive::Mechanism mechanism(system);
  VectorXd q, u;
  system.update(state);
  mechanism.tree().find_coordinates(state, q, u);
  VectorXd speeds = u;
  speeds[mechanism.tree().link_of(BodyIndex(0)).u] = 0.0;
  mechanism.jump(q, u, speeds, state);
  mechanism.tree().compute_motion(q.data(), u.data());
  mechanism.tree().write(state);
}

TEST(SemiImplicitEuler, PassesOnTheImpulseOfALawWithAKink) {
  const auto of_limit = make_pendulum_on_crank();
  State expected = limit(*of_limit, 0.2);
  stop_crank(*of_limit, expected);
  PetscTsOptions options;
  options.type = PetscTsOptions::Type::rk;
  options.relative_tolerance = options.absolute_tolerance = 1e-11;
  options.is_relative = true;
  integrators::PetscTs integrator(*of_limit, options);
  integrator.initialize(expected);
  while (expected.t < 0.5) integrator.step(expected, 0.5);
  std::vector<double> errors;
  for (const int n_steps : {501, 1001, 2001}) {
    const auto system = make_pendulum_on_crank();
    errors.push_back(difference(steps(*system, 0.5, n_steps), expected));
  }
  EXPECT_LT(errors[2], 1e-2);
  EXPECT_NEAR(std::log2(errors[0] / errors[2]), 2.0, 0.5) << errors[0] << ", " << errors[2];
}

// 10^4 steps, some 50 periods: the energy is within the same band at the end as at the start.
TEST(SemiImplicitEuler, HasAnEnergyThatDoesNotDrift) {
  const auto system = testing_support::make_simple_pendulum();
  State state = testing_support::start(*system);
  SemiImplicitEuler integrator(*system);
  integrator.initialize(state);
  const double at_start = testing_support::total_energy(*system, state);
  double early = 0.0, late = 0.0, largest_kinetic = 0.0;
  for (int i = 0; i < 10000; ++i) {
    integrator.step(state, 0.01);
    system->accept(state);
    const double off = std::abs(testing_support::total_energy(*system, state) - at_start);
    (i < 1000 ? early : late) = std::max(i < 1000 ? early : late, off);
    largest_kinetic = std::max(largest_kinetic, system->energy(state).kinetic);
  }
  EXPECT_LT(early, 0.05 * largest_kinetic);
  EXPECT_LT(late, 1.02 * early);
}

// Two links of 0.1 m that turn over, their mass changing with the coordinates: with forces of
// second degree in the speeds at the start of a step a third of the energy went in these five
// seconds.
TEST(SemiImplicitEuler, KeepsTheEnergyOfADoublePendulum) {
  const auto system = make_double_pendulum();
  State state = testing_support::start(*system);
  SemiImplicitEuler integrator(*system);
  integrator.initialize(state);
  const double at_start = testing_support::total_energy(*system, state);
  double off = 0.0, largest_kinetic = 0.0;
  for (int i = 0; i < 20000; ++i) {
    integrator.step(state, 2.5e-4);
    system->accept(state);
    off = std::max(off, std::abs(testing_support::total_energy(*system, state) - at_start));
    largest_kinetic = std::max(largest_kinetic, system->energy(state).kinetic);
  }
  EXPECT_LT(off, 2e-3 * largest_kinetic);
}

// Superelements, and stresses of bodies with modes: as implicit steps of the same size.
TEST(SemiImplicitEuler, MovesFlexibleBodiesAsImplicitSteps) {
  const auto run = [](const char* model, const char* integrator) {
    return testing_support::run_model(
               PETSC_COMM_WORLD, std::string("examples/") + model,
               {"formulation=recursive", std::string("analyses.dynamics.integrator=") + integrator,
                "analyses.dynamics.step=2e-5", "analyses.dynamics.duration=0.01"})
        .history;
  };
  const auto expect_same = [&](const char* model, const std::vector<std::string>& columns) {
    SCOPED_TRACE(model);
    const auto cheap = run(model, "semi_implicit_euler"),
               expected = run(model, "generalized_alpha");
    for (const std::string& column : columns)
      EXPECT_LT(testing_support::largest_difference(cheap.at(column), expected.at(column)),
                2e-3 * testing_support::largest_change(expected.at(column)))
          << column;
  };
  expect_same("superelements/slider_crank_two.yaml", {"deflection", "slider_position"});
  expect_same("stress/arm.yaml", {"root", "fibre.xx", "drive", "tip.x"});
}

// E06: flexible links whose vibration the steps resolve.
TEST(FlexibleArm, MovesByTorquesAsTheReferenceInSemiImplicitSteps) {
  const nlohmann::json file = testing_support::flexible_arm();
  const nlohmann::json row = file["torque_driven"][1];
  std::vector<double> errors;
  for (const int n_steps : {2000, 4000}) {
    ReferenceTree tree;
    tree.add_all(file);
    testing_support::add_arm_torques(tree);
    const auto tip = tree.add_frame(tree.body(2), 8);
    tree.finish();
    go(tree.system(), tree.state(), row["t"], n_steps);
    tree.system().update(tree.state());
    errors.push_back((tree.system().kinematics().frames[tip].p - vector_of(row["tip"])).norm());
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.25) << errors[0] << ", " << errors[1];
  EXPECT_LT(errors[1], 1e-2);
}

}  // namespace
}  // namespace solidyn

// Motions in relative coordinates: reference problems E06, E07 and E08, and the classical
// mechanisms beside absolute coordinates.
#include <gmock/gmock.h>

#include "linkages.h"
#include "mechanisms.h"
#include "reference_tree.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/recursive/inverse_dynamics.h"
#include "solidyn/recursive/mechanism.h"
#include "solidyn/system/accelerations.h"
#include "solidyn/system/connect.h"
#include "solidyn/system/scales.h"

namespace solidyn {
namespace {

using bodies::BodyIndex;
using Eigen::Vector3d;
using Eigen::VectorXd;
using integrators::PetscTs;
using integrators::PetscTsOptions;
using Json = nlohmann::json;
using system::State;
using testing_support::ReferenceTree;
using testing_support::vector_of;

PetscTsOptions order_eight(double tolerance, bool is_relative = true) {
  PetscTsOptions options;
  options.type = PetscTsOptions::Type::rk;
  options.relative_tolerance = tolerance;
  options.absolute_tolerance = tolerance;
  options.is_relative = is_relative;
  return options;
}

void advance(PetscTs& integrator, system::System& system, State& state, double t) {
  while (integrator.step(state, t) > 0.0) system.accept(state);
  system.update(state);
}

// A state of a motion, found in relative coordinates: accelerations and reactions are those of
// absolute ones, and inverse dynamics leaves nothing for modes, which have no actuators. The force
// that each hinge exerts, with the modes' share in between, as [n_speeds].
VectorXd expect_consistent(system::System& system, const State& state) {
  constexpr double kOfLargest = 1e-9;
  recursive::Mechanism mechanism(system);
  VectorXd q, u, du, T;
  mechanism.tree().find_coordinates(state, q, u);
  State found = state.clone(), expected = state.clone();
  for (State* each : {&found, &expected}) {
    each->a.setZero();
    each->lambda.setZero();
  }
  mechanism.compute_state(q, u, found);
  mechanism.compute_accelerations(q, u, found, du);
  auto solver =
      solvers::make_linear_solver(solvers::Preset::automatic, system.layout().n_unknowns());
  system.set_pattern(*solver);
  system::solve_acceleration_equations(system, expected, {}, *solver);
  const auto expect_near = [](const VectorXd& a, const VectorXd& b, const char* what) {
    EXPECT_LT((a - b).lpNorm<Eigen::Infinity>(), kOfLargest * b.lpNorm<Eigen::Infinity>()) << what;
  };
  expect_near(found.a, expected.a, "accelerations");
  expect_near(found.lambda, expected.lambda, "reactions");
  recursive::Tree& tree = mechanism.tree();
  tree.compute_motion(q.data(), u.data());
  recursive::ArticulatedBodies(tree).set_forces_to_zero();
  recursive::InverseDynamics(tree).compute(system.gravity(), du, T);
  for (const recursive::Link& k : tree.links()) {
    const int n = k.modes >= 0 ? tree.modes()[k.modes].n : 0;
    EXPECT_LT(T.segment(k.u + k.n_speeds, n).norm(), kOfLargest * (1.0 + T.norm()));
  }
  system.update(state);
  return T;
}

// E06: links of large deflections, by torques.
TEST(FlexibleArm, MovesByTorquesAsTheReference) {
  const Json file = testing_support::flexible_arm();
  ReferenceTree tree;
  tree.add_all(file);
  testing_support::add_arm_torques(tree);
  const auto tip = tree.add_frame(tree.body(2), 8);
  tree.finish();
  PetscTs integrator(tree.system(), order_eight(1e-9));
  integrator.initialize(tree.state());
  for (const Json& row : file["torque_driven"]) {
    advance(integrator, tree.system(), tree.state(), row["t"]);
    const bodies::Kinematics& k = tree.system().kinematics();
    EXPECT_LT((k.frames[tip].p - vector_of(row["tip"])).norm(), 1e-5) << row["t"];
    EXPECT_NEAR(k.angles[tree.hinge(0).angle()], row["q"][0], 1e-5);
    EXPECT_NEAR(k.angles[tree.hinge(1).angle()], row["q"][5], 1e-5);
    EXPECT_NEAR(k.angles[tree.hinge(2).angle()], row["q"][10], 1e-5);
    for (int i : {1, 2}) {  // four modes each
      const int at = tree.system().layout().configuration_offset(tree.body(i)) + 7;
      for (int j = 0; j < 4; ++j)
        EXPECT_NEAR(tree.state().q[at + j], row["q"][5 * i - 4 + j], 1e-5) << row["t"];
    }
    EXPECT_NEAR(testing_support::total_energy(tree.system(), tree.state()), row["energy"], 1e-4);
    const double t = row["t"];
    const VectorXd T = expect_consistent(tree.system(), tree.state());
    EXPECT_NEAR(T[0], 6.0 * std::sin(4.0 * t), 1e-7);
    EXPECT_NEAR(T[1], -28.0 + 6.0 * std::sin(5.0 * t), 1e-7);
    EXPECT_NEAR(T[6], -6.0 * std::cos(6.0 * t), 1e-7);
  }
}

// The same arm along prescribed angles: what the drives need.
TEST(FlexibleArm, NeedsTheReferenceTorquesOnAPrescribedPath) {
  const Json file = testing_support::flexible_arm();
  ReferenceTree tree;
  tree.add_all(file);
  const char* laws[] = {"1.2*smooth_step(t,0,0.8)", "-0.6+0.9*smooth_step(t,0,0.8)",
                        "1-1.2*smooth_step(t,0,0.8)"};
  std::array<bodies::ConstraintIndex, 3> drives;
  for (int i = 0; i < 3; ++i)
    drives[i] = system::add_rotation_drive(
        tree.system(), "drive", math::TimeFunction::expression(laws[i]), tree.frames_of(i));
  const auto tip = tree.add_frame(tree.body(2), 8);
  tree.finish();
  PetscTs integrator(tree.system(), order_eight(1e-9));
  integrator.initialize(tree.state());
  for (const Json& row : file["prescribed"]) {
    if (row["t"] == 0.0) {  // the state has no multipliers yet
      recursive::Mechanism mechanism(tree.system());
      VectorXd q, u;
      mechanism.tree().find_coordinates(tree.state(), q, u);
      mechanism.compute_state(q, u, tree.state());
    } else {
      advance(integrator, tree.system(), tree.state(), row["t"]);
    }
    EXPECT_LT((tree.system().kinematics().frames[tip].p - vector_of(row["tip"])).norm(), 1e-5);
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(-tree.state().lambda[tree.system().layout().constraint_offset(drives[i])],
                  row["hinge_torques"][i], 1e-4)
          << row["t"];
    expect_consistent(tree.system(), tree.state());
  }
}

// E07: a free hub deploys flexible panels.
TEST(Satellite, DeploysAsTheReferenceAndKeepsMomentum) {
  const Json file = testing_support::folded_satellite();
  ReferenceTree tree;
  tree.add_all(file);
  testing_support::add_satellite_springs(tree);
  tree.finish();
  PetscTs integrator(tree.system(), order_eight(1e-9));
  integrator.initialize(tree.state());
  const double start =
      tree.system().energy(tree.state()).kinetic + tree.system().energy(tree.state()).strain;
  for (const Json& row : file["motion"]) {
    SCOPED_TRACE(row["t"].get<double>());
    advance(integrator, tree.system(), tree.state(), row["t"]);
    EXPECT_LT((tree.state().q.head<3>() - vector_of(row["hub_position"])).norm(), 1e-5);
    const VectorXd Q = tree.state().q.segment<4>(3), expected = vector_of(row["hub_quaternion"]);
    EXPECT_LT(std::min((Q - expected).norm(), (Q + expected).norm()), 1e-5);
    for (int i = 0; i < 4; ++i)
      EXPECT_NEAR(tree.system().kinematics().angles[tree.hinge(1 + i).angle()], row["hinges"][i],
                  1e-4);
    const bodies::Momentum momentum = tree.system().momentum(tree.state());
    EXPECT_LT(momentum.linear.norm(), 1e-9);
    EXPECT_LT((momentum.angular - Vector3d(0.8688, -0.4088, 0.7668)).norm(), 1e-9);
    const bodies::Energy energy = tree.system().energy(tree.state());
    EXPECT_NEAR(energy.kinetic + energy.strain - start, integrator.work().sum(), 1e-3 * start);
    // Of the file without the springs of the hinges.
    const double stiffness[] = {2.0, 1.0, 2.4, 1.2};
    double expected_energy = row["energy"];
    for (int i = 0; i < 4; ++i) {
      const double angle = row["hinges"][i];
      expected_energy += 0.5 * stiffness[i] * angle * angle;
    }
    EXPECT_NEAR(energy.kinetic + energy.strain, expected_energy, 1e-5);
  }
}

// E08: links of 1 m, 1 kg and 1/12 kg m2, from rest on the x axis.
TEST(LongChains, FallAsTheReference) {
  struct Fall {
    int n;
    double x, y;
  };
  for (const Fall& fall : {Fall{10, 7.52722902, -4.90626232}, Fall{30, 28.49235048, -4.905}}) {
    system::System chain;
    chain.set_gravity(Vector3d(0, -9.81, 0));
    for (int i = 0; i < fall.n; ++i) {
      system::InitialMotion pose;
      pose.p_WB = Vector3d(i + 0.5, 0, 0);
      chain.add_body(bodies::make_rigid_body("link", 1.0, Vector3d::Zero(),
                                             Vector3d(1e-3, 1.0 / 12, 1.0 / 12).asDiagonal()),
                     pose);
      system::add_joint(chain, "joint", joints::JointType::revolute,
                        system::add_frames(chain, i > 0 ? BodyIndex(i - 1) : bodies::kGround,
                                           BodyIndex(i), Vector3d(i, 0, 0)));
    }
    const auto tip = system::add_frame(chain, BodyIndex(fall.n - 1), Vector3d(fall.n, 0, 0));
    chain.finalize();
    const State end = testing_support::run_petsc_ts(chain, 1.0, order_eight(1e-9));
    chain.update(end);
    EXPECT_NEAR(chain.kinematics().frames[tip].p.x(), fall.x, 1e-6);
    EXPECT_NEAR(chain.kinematics().frames[tip].p.y(), fall.y, 1e-6);
    if (fall.n != 10) continue;
    const double angles[] = {-1.08770561, -1.03941676, -1.01238161, -0.9147571,  -0.84794497,
                             -0.62627168, -0.30380294, 0.13861446,  -0.01976839, -0.00128157};
    for (int i = 0; i < 10; ++i) {
      const Eigen::Matrix3d R = chain.kinematics().bodies[BodyIndex(i)].R_WB;
      EXPECT_NEAR(std::atan2(R(1, 0), R(0, 0)), angles[i], 1e-6) << i;
    }
  }
}

// Both formulations converge to the same motion, with the same reactions.
void expect_same_motion(const std::function<std::unique_ptr<system::System>()>& make,
                        double duration, double tolerance) {
  std::array<State, 2> ends;
  std::array<double, 2> energies{};
  for (const bool is_relative : {false, true}) {
    const auto system = make();
    State& state = ends[is_relative] = testing_support::start(*system);
    PetscTsOptions options = order_eight(1e-11, is_relative);
    options.dependent_rows =
        find_redundancy(*system, increment_weights(*system, characteristic_length(*system))).rows;
    options.regularization = redundancy_regularization(*system);
    PetscTs integrator(*system, options);
    integrator.initialize(state);
    advance(integrator, *system, state, duration);
    energies[is_relative] = testing_support::total_energy(*system, ends[is_relative]);
  }
  const auto differ = [](const VectorXd& a, const VectorXd& b) {
    return (a - b).lpNorm<Eigen::Infinity>() / (1.0 + b.lpNorm<Eigen::Infinity>());
  };
  const VectorXd &q = ends[1].q, &expected = ends[0].q;
  EXPECT_LT(std::min(differ(q, expected), differ(q.cwiseAbs(), expected.cwiseAbs())), tolerance);
  EXPECT_LT(differ(ends[1].v, ends[0].v), 10.0 * tolerance);
  EXPECT_LT(differ(ends[1].a, ends[0].a), 100.0 * tolerance);
  EXPECT_LT(differ(ends[1].lambda, ends[0].lambda), 100.0 * tolerance);
  EXPECT_NEAR(energies[1], energies[0], 1e-8 * (1.0 + std::abs(energies[0])));
}

TEST(BothFormulations, MoveThePendulumAlike) {  // A01
  expect_same_motion([] { return testing_support::make_simple_pendulum(); }, 2.0, 1e-8);
}
TEST(BothFormulations, MoveTheHeavyTopAlike) {  // A05
  expect_same_motion(testing_support::make_heavy_top, 0.5, 1e-7);
}
TEST(BothFormulations, MoveALoopOfThreeDimensionsAlike) {  // Bricard's linkage, A04
  expect_same_motion(testing_support::make_bricard, 1.0, 1e-7);
}
TEST(BothFormulations, MoveLoopsWithDependentRowsAlike) {  // A02 before its singular position
  expect_same_motion([] { return testing_support::make_four_bars(2); }, 0.3, 1e-7);
}
// Shafts bent by more than 90 degrees, where a shaft that turns could not drive the other one: the
// axes of the cross are at right angles there too, and neither formulation sees anything.
TEST(BothFormulations, MoveAlikeThroughAUniversalJointThatIsBentByARightAngle) {
  const auto make = [] {
    auto system = std::make_unique<system::System>();
    system::InitialMotion motion;
    motion.w_WB_B = Vector3d(0.7, 3.0, 0.0);
    const BodyIndex shaft =
        system->add_body(bodies::make_rigid_body("shaft", 2.0, Vector3d(0.0, 0.0, 0.4),
                                                 Vector3d(0.5, 0.6, 0.1).asDiagonal()),
                         motion);
    system::add_joint(*system, "cross", joints::JointType::universal,
                      system::add_frames(*system, bodies::kGround, shaft, Vector3d::Zero()));
    system->finalize();
    return system;
  };
  const auto system = make();
  State state = testing_support::start(*system);
  PetscTs integrator(*system, order_eight(1e-9));
  integrator.initialize(state);
  double smallest = 1.0;  // of the cosine of the bend
  for (int i = 1; i <= 20; ++i) {
    advance(integrator, *system, state, 0.05 * i);
    smallest = std::min(smallest, system->kinematics().bodies[BodyIndex(0)].R_WB(2, 2));
  }
  EXPECT_LT(smallest, -0.01);
  expect_same_motion(make, 1.0, 1e-8);
}
TEST(BothFormulations, FollowADriveAlike) {
  expect_same_motion([] { return testing_support::make_driven_disc({"2*t+sin(3*t)"}); }, 1.0, 1e-8);
}

}  // namespace
}  // namespace solidyn

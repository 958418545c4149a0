// Motions in relative coordinates: reference problems E06, E07 and E08, and the classical
// mechanisms beside absolute coordinates.
#include <gmock/gmock.h>

#include "linkages.h"
#include "mechanisms.h"
#include "reference_tree.h"
#include "solidyn/bodies/modal_body.h"
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
    if (row["t"] == 0.0) continue;  // the state has no multipliers yet
    advance(integrator, tree.system(), tree.state(), row["t"]);
    EXPECT_LT((tree.system().kinematics().frames[tip].p - vector_of(row["tip"])).norm(), 1e-5);
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(-tree.state().lambda[tree.system().layout().constraint_offset(drives[i])],
                  row["hinge_torques"][i], 1e-3)
          << row["t"];
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
TEST(BothFormulations, FollowADriveAlike) {
  expect_same_motion([] { return testing_support::make_driven_disc({"2*t+sin(3*t)"}); }, 1.0, 1e-8);
}

}  // namespace
}  // namespace solidyn

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
using testing_support::reference_data;
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

// A file of bodies alone, at these coordinates and speeds.
void set_start(Json& file, const VectorXd& q, const VectorXd& v) {
  file["q"] = std::vector<double>(q.data(), q.data() + q.size());
  file["v"] = std::vector<double>(v.data(), v.data() + v.size());
  file["generalised_force"] = std::vector<double>(q.size(), 0.0);
}

Json arm() {
  Json file = reference_data("e06_flexible_arm.json");
  VectorXd q = VectorXd::Zero(11);
  q[5] = -0.6;
  q[10] = 1.0;
  set_start(file, q, VectorXd::Zero(11));
  return file;
}

system::FramesOfPair frames_of(const ReferenceTree& tree, int hinge) {
  return {tree.hinge(hinge).frame_A(), tree.hinge(hinge).frame_B()};
}

// E06: links of large deflections, by torques.
TEST(FlexibleArm, MovesByTorquesAsTheReference) {
  const Json file = arm();
  ReferenceTree tree;
  tree.add_all(file);
  const std::array<std::function<double(double)>, 3> torques = {
      [](double t) { return 6.0 * std::sin(4.0 * t); },
      [](double t) { return -28.0 + 6.0 * std::sin(5.0 * t); },
      [](double t) { return -6.0 * std::cos(6.0 * t); }};
  for (int i = 0; i < 3; ++i)
    tree.system().add_force(std::make_unique<testing_support::HingeEffort>(
        "torque", tree.hinge(i), joints::Hinge(joints::Hinge::Kind::revolute),
        [f = torques[i]](double t) { return VectorXd::Constant(1, f(t)); }));
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
  const Json file = arm();
  ReferenceTree tree;
  tree.add_all(file);
  const char* laws[] = {"1.2*smooth_step(t,0,0.8)", "-0.6+0.9*smooth_step(t,0,0.8)",
                        "1-1.2*smooth_step(t,0,0.8)"};
  std::array<bodies::ConstraintIndex, 3> drives;
  for (int i = 0; i < 3; ++i)
    drives[i] = system::add_rotation_drive(
        tree.system(), "drive", math::TimeFunction::expression(laws[i]), frames_of(tree, i));
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
  Json file = reference_data("e07_satellite.json");
  VectorXd q = VectorXd::Zero(18), v = q;
  const std::array<int, 4> at = {8, 11, 14, 17};
  const std::array<double, 4> folded = {M_PI / 2, -M_PI, -M_PI / 2, M_PI},
                              stiffness = {2.0, 1.0, 2.4, 1.2}, damping = {1.0, 0.5, 1.0, 0.5};
  for (int i = 0; i < 4; ++i) q[at[i]] = folded[i];
  v.segment<3>(3) = Vector3d(0.02, -0.01, 0.03);
  set_start(file, q, v);
  ReferenceTree tree;
  tree.add_all(file);
  for (int i = 0; i < 4; ++i) {
    forces::SpringDamper::Options spring;
    spring.stiffness = stiffness[i];
    spring.damping = damping[i];
    system::add_spring(tree.system(), "spring", bodies::RotationAngle(), spring,
                       frames_of(tree, 1 + i));
  }
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

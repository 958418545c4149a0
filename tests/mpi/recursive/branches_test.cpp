// Accelerations and implicit steps of trees whose branches are on several ranks are those of one
// rank.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include "flexible_chain.h"
#include "mechanisms.h"
#include "random_bodies.h"
#include "random_trees.h"
#include "scoped_petsc_options.h"
#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/integrators/relative_generalized_alpha.h"
#include "solidyn/recursive/step_tangent.h"
#include "solidyn/system/connect.h"

namespace solidyn {
namespace {

using bodies::BodyIndex;
using Eigen::VectorXd;
using joints::Hinge;
using recursive::Mechanism;
using recursive::Sharing;
using recursive::StepEquations;
using recursive::StepTangent;
using recursive::SweptLinks;
using system::State;
using testing_support::RandomTree;

const MPI_Comm kWorld = MPI_COMM_WORLD;
constexpr double kSame = 1e-13;  // of the largest: the same operations in the same order
// Of many steps.
#ifdef __clang__
constexpr double kSameMotion = 0.0;
#else  // which may contract products otherwise
constexpr double kSameMotion = 1e-9;
#endif

void expect_same(const VectorXd& found, const VectorXd& expected, const char* what,
                 double allowed = kSame) {
  EXPECT_LE((found - expected).lpNorm<Eigen::Infinity>(),
            allowed * expected.lpNorm<Eigen::Infinity>())
      << what;
}

void expect_same_bits_on_all_ranks(const VectorXd& x, const char* what) {
  std::vector<double> of_first(x.data(), x.data() + x.size());
  base::broadcast(kWorld, of_first);
  EXPECT_EQ(Eigen::Map<const VectorXd>(of_first.data(), x.size()), x) << what;
}

struct Forces {
  bool springs = false, drives = false, series = false;
};

void add(RandomTree& random, const Forces& forces) {
  const BodyIndex last(random.system().bodies().size() - 1);
  if (forces.springs) {
    forces::SpringDamper::Options options;
    options.stiffness = 300.0;
    options.damping = 5.0;
    system::add_spring(random.system(), "spring", bodies::Distance(), options,
                       {random.add_frame(BodyIndex(0)), random.add_frame(last)});
  }
  if (forces.drives) {
    random.add_body(last, Hinge::Kind::revolute);
    const double angle = random.angle(random.frame_A(), random.frame_B());
    system::add_joint(random.system(), "drive",
                      joints::rotation_drive_rows(
                          math::TimeFunction::expression(fmt::format("{:.17g}+0.4*t+t^2", angle))),
                      {random.frame_A(), random.frame_B()});
  }
  if (forces.series) random.add_series_damper(BodyIndex(1), last);  // has a coordinate of its own
}

void expect_same_as_alone(system::System& system, const State& start) {
  system.update(start);
  Mechanism alone(system, Mechanism::Warnings::leave), shared(system, Mechanism::Warnings::leave);
  EXPECT_EQ(shared.share_branches(kWorld, Sharing::always), base::size(kWorld) > 1);
  VectorXd q, u, du, of_shared;
  alone.tree().find_coordinates(start, q, u);
  State state = start.clone(), other = start.clone();
  for (int i = 0; i < 2; ++i) {  // from elsewhere, too
    alone.compute_accelerations(q, u, state, du);
    shared.compute_accelerations(q, u, other, of_shared);
    expect_same(of_shared, du, "rates of speeds");
    expect_same_bits_on_all_ranks(of_shared, "rates of speeds");
    expect_same(other.lambda, state.lambda, "multipliers of drives");
    alone.compute_state(q, u, state);
    shared.compute_state(q, u, other);
    expect_same(other.q, state.q, "positions");
    expect_same(other.v, state.v, "velocities");
    expect_same(other.a, state.a, "accelerations");
    expect_same(other.lambda, state.lambda, "multipliers");
    expect_same_bits_on_all_ranks(other.lambda, "multipliers");
    alone.tree().advance(VectorXd::LinSpaced(u.size(), -1.0, 0.5), q);
    u = VectorXd::LinSpaced(u.size(), 0.3, -0.7);
  }
}

TEST(Branches, HaveTheAccelerationsOfOneRank) {
  for (unsigned seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow(random, seed % 2 == 0);
    add(random, {seed % 3 == 0, seed % 4 < 2});
    random.set_in_motion();
    expect_same_as_alone(random.system(), random.state());
    if (HasFailure()) return;
  }
}

// Residuals, and solutions with the iteration matrix.
void expect_same_iterations(RandomTree& random) {
  constexpr recursive::StepCoefficients kCoefficients{20.0, 300.0};
  system::System& system = random.system();
  system.update(random.state());
  Mechanism mechanism(system, Mechanism::Warnings::leave),
      of_ranks(system, Mechanism::Warnings::leave);
  StepEquations alone(mechanism), shared(of_ranks);
  EXPECT_EQ(shared.share_branches(kWorld, Sharing::always), base::size(kWorld) > 1);
  StepTangent of_all(alone), of_shared(shared);
  VectorXd q, u;
  mechanism.tree().find_coordinates(random.state(), q, u);
  State state = random.state().clone(), other = random.state().clone();
  const auto n_u = u.size();
  for (int i = 0; i < 2; ++i) {  // from elsewhere, too
    VectorXd du = testing_support::random_vector(random.generator(), n_u), q_shared = q,
             u_shared = u, du_shared = du;
    const VectorXd n = VectorXd::LinSpaced(n_u, -0.1, 0.2);
    alone.evaluate(q, u, du, state);
    shared.evaluate(q_shared, u_shared, du_shared, other, SweptLinks::of_rank);
    expect_same(shared.residual(), alone.residual(), "residual");
    expect_same_bits_on_all_ranks(shared.residual(), "residual");
    of_all.factorise(kCoefficients, q, u, du, n, state);
    of_shared.factorise(kCoefficients, q_shared, u_shared, du_shared, n, other);
    EXPECT_EQ(of_shared.has_couplings(), of_all.has_couplings());
    VectorXd dn, dn_shared, dlambda;
    const VectorXd phi;
    for (int j = 0; j < 2; ++j) {
      of_all.solve(alone.residual(), phi, dn, dlambda);
      of_shared.solve(alone.residual(), phi, dn_shared, dlambda);
      expect_same(dn_shared, dn, "increments");
      expect_same_bits_on_all_ranks(dn_shared, "increments");
    }
    shared.evaluate(q_shared, u_shared, du_shared, other);  // then all links are as of one rank
    shared.write(other);
    alone.write(state);
    expect_same(other.q, state.q, "positions");
    expect_same(other.a, state.a, "accelerations");
    expect_same(other.lambda, state.lambda, "multipliers");
    mechanism.tree().advance(VectorXd::LinSpaced(n_u, -1.0, 0.5), q);
    u = VectorXd::LinSpaced(n_u, 0.3, -0.7);
  }
}

TEST(Branches, HaveTheIterationsOfOneRank) {
  for (unsigned seed = 1; seed <= 24; ++seed) {
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow(random, seed % 2 == 0);
    add(random, {seed % 3 == 0, seed % 4 < 2, seed % 5 == 0});
    random.set_in_motion();
    expect_same_iterations(random);
    if (HasFailure()) return;
  }
}

// Two trees that nothing connects, and bodies that hang on nothing.
TEST(Branches, MayHangOnNothing) {
  RandomTree random(5);
  for (int i = 0; i < 5; ++i) {
    const BodyIndex root = random.add_body(bodies::kGround, Hinge::Kind::free);
    if (i < 2) {
      const BodyIndex arm = random.add_body(root, Hinge::Kind::spherical, {3, false, false});
      random.add_body(arm, Hinge::Kind::universal);
      random.add_body(arm, Hinge::Kind::revolute, {2, true, false});
    }
  }
  random.set_in_motion();
  expect_same_as_alone(random.system(), random.state());
  expect_same_iterations(random);
}

// Nothing exchanges energy: each rank moves its own links alone.
TEST(Branches, OfUndampedBodiesMoveByThemselves) {
  constexpr int kModes = 3;
  system::System system;
  system.set_gravity(Eigen::Vector3d(1.0, -2.0, -9.0));
  std::mt19937 generator(3);
  const auto add_frame = [&](BodyIndex body, double x) {
    bodies::Frame frame;
    frame.body = body;
    frame.x_B = Eigen::Vector3d(x, 0, 0);
    if (body == bodies::kGround) return system.add_frame(frame);
    for (Eigen::Matrix3Xd* modes : {&frame.Psi_t, &frame.Psi_r})
      *modes = testing_support::random_vector(generator, 3 * kModes, 0.2).reshaped(3, kModes);
    return system.add_frame(frame);
  };
  std::vector<double> at = {0.5};
  for (int i = 0; i < 9; ++i) {
    const testing_support::MassCloud cloud(8, kModes, 10 + i);
    const int parent = (i + 1) / 2 - 1;  // a binary tree
    if (parent >= 0) at.push_back(at[parent] + 1.0);
    system::InitialMotion pose;
    pose.p_WB = Eigen::Vector3d(at[i], 0, 0);
    const BodyIndex body = system.add_body(
        std::make_unique<bodies::ModalBody>(
            "link", cloud.invariants(), cloud.mass_matrix(), 50.0 * cloud.stiffness(20 + i),
            Eigen::MatrixXd::Zero(kModes, kModes), VectorXd::Ones(kModes)),
        pose);
    const auto A = parent < 0 ? add_frame(bodies::kGround, 0.0) : add_frame(BodyIndex(parent), 0.5);
    system::add_joint(system, "joint",
                      i % 3 == 1 ? joints::JointType::spherical : joints::JointType::revolute,
                      {A, add_frame(body, -0.5)});
  }
  system.finalize();
  const State start = system.make_state();
  EXPECT_FALSE([&] {
    system.update(start);
    return Mechanism(system).exchanges_energy();
  }());
  expect_same_as_alone(system, start);
}

// What a motion comes to, what its steps took, and which of them failed.
struct Steps {
  std::vector<VectorXd> states;
  std::int64_t corrections = 0, solutions = 0, tangents = 0;
  std::vector<std::string> failures;
};

Steps take_steps(MPI_Comm ranks, system::System& system, const State& start,
                 const std::vector<double>& steps) {
  const test::ScopedPetscOptions always({"-recursive_branches always"});
  const recursive::RanksForBranches of_run(ranks);
  State state = start.clone();
  system.update(state);
  integrators::RelativeGeneralizedAlpha integrator(system, {});
  integrator.initialize(state);
  Steps taken;
  for (const double h : steps) {
    try {
      integrator.step(state, h);
      system.accept(state);
    } catch (const base::ComputationError& e) {
      taken.failures.emplace_back(e.what());
    }
    integrator.complete(state);
    VectorXd all(state.q.size() + state.v.size() + state.a.size() + state.lambda.size());
    all << state.q, state.v, state.a, state.lambda;
    taken.states.push_back(std::move(all));
  }
  const integrators::IntegratorStatistics& n = integrator.statistics();
  taken.corrections = n.newton_iterations;
  taken.solutions = n.linear_solves;
  taken.tangents = n.tangents;
  return taken;
}

Steps expect_same_steps(system::System& system, const State& start,
                        const std::vector<double>& steps) {
  Steps alone = take_steps(MPI_COMM_SELF, system, start, steps);
  const Steps shared = take_steps(kWorld, system, start, steps);
  EXPECT_EQ(shared.failures, alone.failures);
  EXPECT_EQ(shared.corrections, alone.corrections);
  EXPECT_EQ(shared.solutions, alone.solutions);
  EXPECT_EQ(shared.tangents, alone.tangents);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    expect_same(shared.states[i], alone.states[i], "after a step", kSameMotion);
    expect_same_bits_on_all_ranks(shared.states[i], "after a step");
  }
  return alone;
}

// Of rows of bodies with modes that are so long that corrections with kept matrices are refined, on
// a trunk that has modes too.
TEST(Branches, AreRefinedAsOnOneRank) {
  const auto fork = testing_support::make_flexible_fork(5, 20, 4);
  const Steps taken =
      expect_same_steps(*fork, testing_support::start(*fork), std::vector<double>(40, 5e-3));
  EXPECT_GE(taken.solutions, 1.5 * taken.corrections);
}

// Between distant bodies, within branches and to the ground, so stiff that steps fail or let them
// go first; steps that change their length begin anew.
TEST(Branches, LetStiffSpringsGoAsOnOneRank) {
  std::int64_t more_solutions = 0;
  std::size_t n_failures = 0;
  for (unsigned seed = 1; seed <= 7; seed += 2) {  // without modes
    SCOPED_TRACE(seed);
    RandomTree random(seed);
    grow(random, false);
    const BodyIndex last(random.system().bodies().size() - 1);
    forces::SpringDamper::Options options;
    options.stiffness = 100.0;
    for (const BodyIndex body : {BodyIndex(0), BodyIndex(1), bodies::kGround}) {
      options.stiffness *= 3.0;
      system::add_spring(random.system(), "spring", bodies::Distance(), options,
                         {random.add_frame(body), random.add_frame(last)});
    }
    random.set_in_motion();
    const Steps taken = expect_same_steps(random.system(), random.state(),
                                          {2e-3, 2e-3, 2e-3, 5e-4, 5e-4, 2e-2, 1e-2});
    more_solutions += taken.solutions - taken.corrections;
    n_failures += taken.failures.size();
  }
  EXPECT_GT(more_solutions, 10);
  EXPECT_GT(n_failures, 0U);
}

// What one rank finds is thrown on all of them.
TEST(Branches, NameAHingeWithoutInertiaOnAllRanks) {
  RandomTree random(7);
  const BodyIndex hub = random.add_body(bodies::kGround, Hinge::Kind::revolute);
  for (int i = 0; i < 4; ++i) random.add_body(hub, Hinge::Kind::revolute);
  const BodyIndex light = random.system().add_body(
      bodies::make_rigid_body("rod", 1.0, Eigen::Vector3d::Zero(), Eigen::Matrix3d::Zero()), {});
  bodies::Frame on_hub, on_light;
  on_hub.body = hub;
  on_light.body = light;
  system::add_joint(random.system(), "axle", joints::JointType::revolute,
                    {random.system().add_frame(on_hub), random.system().add_frame(on_light)});
  random.system().finalize();
  State state = random.system().make_state();
  random.system().update(state);
  Mechanism shared(random.system(), Mechanism::Warnings::leave);
  shared.share_branches(kWorld, Sharing::always);
  VectorXd q = VectorXd::Zero(shared.tree().n_coordinates()),
           u = VectorXd::Zero(shared.tree().n_speeds()), du;
  try {
    shared.compute_accelerations(q, u, state, du);
    FAIL() << "accepted";
  } catch (const base::ComputationError& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("nothing has inertia about a hinge of the body `rod` "
                                             "(axle)"));
  }
  StepEquations equations(shared);
  equations.share_branches(kWorld, Sharing::always);
  StepTangent tangent(equations);
  du = u;
  equations.evaluate(q, u, du, state, SweptLinks::of_rank);
  try {
    tangent.factorise({20.0, 300.0}, q, u, du, du, state);
    FAIL() << "accepted";
  } catch (const base::ComputationError& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("singular at the hinge of the body `rod` (axle)"));
  }
}

TEST(Branches, AreSharedWhereItIsWorthWhile) {
  RandomTree random(8);
  grow(random, false);
  random.set_in_motion();
  Mechanism mechanism(random.system(), Mechanism::Warnings::leave);
  EXPECT_FALSE(mechanism.share_branches(kWorld));  // too few bodies
  EXPECT_THAT(mechanism.describe_shares(2, Mechanism::Sweeps::of_accelerations),
              "recursive: each of the 2 ranks sweeps over all bodies");
}

}  // namespace
}  // namespace solidyn

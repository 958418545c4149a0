// Generalized-alpha in relative coordinates: order two, the limit of the other integrators, loops,
// drives, and reference problems E06, E07 and E08.
#include <gmock/gmock.h>

#include <array>
#include <functional>

#include "flexible_chain.h"
#include "limit.h"
#include "linkages.h"
#include "mechanisms.h"
#include "reference_tree.h"
#include "solidyn/base/error.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/integrators/relative_generalized_alpha.h"
#include "solidyn/math/dense.h"
#include "solidyn/recursive/composite_bodies.h"
#include "solidyn/recursive/inverse_dynamics.h"
#include "solidyn/recursive/step_tangent.h"
#include "solidyn/system/connect.h"

namespace solidyn {
namespace {

using bodies::BodyIndex;
using Eigen::Vector3d;
using Eigen::VectorXd;
using integrators::GeneralizedAlphaOptions;
using integrators::RelativeGeneralizedAlpha;
using Json = nlohmann::json;
using system::State;
using testing_support::difference;
using testing_support::limit;
using testing_support::ReferenceTree;
using testing_support::vector_of;

using MakeSystem = std::function<std::unique_ptr<system::System>()>;

State relative_steps(system::System& system, double duration, int n_steps,
                     const GeneralizedAlphaOptions& options = {}) {
  State state = testing_support::start(system);
  RelativeGeneralizedAlpha integrator(system, options);
  integrator.initialize(state);
  for (int i = 0; i < n_steps; ++i) {
    integrator.step(state, duration / n_steps);
    system.accept(state);
  }
  integrator.complete(state);
  return state;
}

void advance(ReferenceTree& tree, double duration, int n_steps) {
  RelativeGeneralizedAlpha integrator(tree.system(), {});
  integrator.initialize(tree.state());
  for (int i = 0; i < n_steps; ++i) {
    integrator.step(tree.state(), duration / n_steps);
    tree.system().accept(tree.state());
  }
  tree.system().update(tree.state());
}

void expect_order_two(const MakeSystem& make, double duration, int n_steps) {
  const auto of_limit = make();
  const State expected = limit(*of_limit, duration);
  std::vector<double> errors;
  for (const int factor : {1, 2, 4}) {
    const auto system = make();
    errors.push_back(difference(relative_steps(*system, duration, factor * n_steps), expected));
  }
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.3) << errors[0];
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.2) << errors[1];
  EXPECT_LT(errors[2], 1e-3 * (1.0 + expected.v.norm()));
}

TEST(RelativeGeneralizedAlpha, ConvergesAtOrderTwoOnAPendulum) {
  expect_order_two([] { return testing_support::make_simple_pendulum(); }, 1.0, 200);
}
TEST(RelativeGeneralizedAlpha, ConvergesAtOrderTwoOnABallJoint) {
  expect_order_two(testing_support::make_heavy_top, 0.2, 200);
}
TEST(RelativeGeneralizedAlpha, ConvergesAtOrderTwoInALoop) {
  expect_order_two(testing_support::make_bricard, 0.5, 100);
}
TEST(RelativeGeneralizedAlpha, ConvergesAtOrderTwoWithDependentRows) {
  expect_order_two([] { return testing_support::make_four_bars(2); }, 0.3, 100);
}

// Reactions of redundant loops are found when somebody asks for them, and the motion does not see
// whether anybody did.
TEST(RelativeGeneralizedAlpha, FindsReactionsOfRedundantLoopsWhereTheyAreAskedFor) {
  for (const MakeSystem& make : {MakeSystem([] { return testing_support::make_four_bars(3); }),
                                 MakeSystem([] { return testing_support::make_bricard(); })}) {
    std::array<State, 2> ends;
    for (const bool is_asked : {false, true}) {
      const auto system = make();
      State state = testing_support::start(*system);
      RelativeGeneralizedAlpha integrator(*system, {});
      integrator.initialize(state);
      for (int i = 0; i < 30; ++i) {
        integrator.step(state, 2e-3);
        system->accept(state);
        if (is_asked || i == 29) integrator.complete(state);
      }
      ends[is_asked] = state.clone();
      if (!is_asked) continue;
      // They balance the forces of all bodies, and are the shortest that do.
      VectorXd r, phi;
      system->update(state);
      system->compute_residual(state, r, phi);
      const double size = state.lambda.lpNorm<Eigen::Infinity>();
      EXPECT_LT(r.lpNorm<Eigen::Infinity>(), 1e-6 * size);
      const Eigen::MatrixXd Gt = Eigen::MatrixXd(system->sparse_G()).transpose();
      const VectorXd shortest = math::LeastSquares(Gt, 1e-9).solve(VectorXd(Gt * state.lambda));
      EXPECT_LT((state.lambda - shortest).lpNorm<Eigen::Infinity>(), 1e-6 * size);
    }
    EXPECT_EQ(ends[0].q, ends[1].q);
    EXPECT_EQ(ends[0].v, ends[1].v);
    EXPECT_EQ(ends[0].a, ends[1].a);
    EXPECT_EQ(ends[0].lambda, ends[1].lambda);
  }
}

// Coordinates that follow laws are exact, whatever the step.
TEST(RelativeGeneralizedAlpha, FollowsADriveExactly) {
  const auto make = [] {
    auto system = std::make_unique<system::System>();
    system->set_gravity(Vector3d(0, -9.81, 0));
    const BodyIndex disc =
        system->add_body(bodies::make_rigid_body("disc", 2.0, Vector3d(0.2, 0, 0),
                                                 Vector3d(0.01, 0.02, 0.03).asDiagonal()),
                         {});
    const auto frames = system::add_frames(*system, bodies::kGround, disc, Vector3d::Zero());
    system::add_joint(*system, "bearing", joints::JointType::revolute, frames);
    system::add_rotation_drive(*system, "drive", math::TimeFunction::expression("2*t+sin(3*t)"),
                               frames);
    system->finalize();
    return system;
  };
  const auto system = make(), of_limit = make();
  const State state = relative_steps(*system, 1.0, 10), expected = limit(*of_limit, 1.0);
  EXPECT_LT(difference(state, expected), 1e-9);
  EXPECT_LT((state.lambda - expected.lambda).lpNorm<Eigen::Infinity>(), 1e-7);
}

std::unique_ptr<system::System> make_chain(int n) {
  auto chain = std::make_unique<system::System>();
  chain->set_gravity(Vector3d(0, -9.81, 0));
  for (int i = 0; i < n; ++i) {
    system::InitialMotion pose;
    pose.p_WB = Vector3d(i + 0.5, 0, 0);
    chain->add_body(bodies::make_rigid_body("link", 1.0, Vector3d::Zero(),
                                            Vector3d(1e-3, 1.0 / 12, 1.0 / 12).asDiagonal()),
                    pose);
    system::add_joint(*chain, "joint", joints::JointType::revolute,
                      system::add_frames(*chain, i > 0 ? BodyIndex(i - 1) : bodies::kGround,
                                         BodyIndex(i), Vector3d(i, 0, 0)));
  }
  system::add_frame(*chain, BodyIndex(n - 1), Vector3d(n, 0, 0));
  chain->finalize();
  return chain;
}

// E08: links of 1 m, 1 kg and 1/12 kg m2, from rest on the x axis; errors fall by four as steps
// are halved.
TEST(RelativeGeneralizedAlpha, FallsAsTheReferenceChain) {
  const Vector3d expected(7.52722902, -4.90626232, 0.0);
  std::vector<double> errors;
  for (const int n_steps : {1000, 2000}) {
    const auto chain = make_chain(10);
    const State end = relative_steps(*chain, 1.0, n_steps);
    chain->update(end);
    const auto& frames = chain->kinematics().frames;
    errors.push_back((frames[bodies::FrameIndex(frames.size() - 1)].p - expected).norm());
  }
  EXPECT_LT(errors[1], 1e-4);
  EXPECT_NEAR(errors[0] / errors[1], 4.0, 0.4);
}

// E08: small motions about hanging, omega^2 (K^-1 M) x = x with K^-1 column by column from the
// sweeps of the iteration matrix without velocities and accelerations, and M of composite bodies.
VectorXd hanging_frequencies(int n) {
  const auto chain = make_chain(n);
  State state = testing_support::start(*chain);
  recursive::Mechanism mechanism(*chain);
  recursive::StepEquations equations(mechanism);
  VectorXd q, u, du = VectorXd::Zero(n), x, none;
  mechanism.tree().find_coordinates(state, q, u);
  q[0] -= M_PI / 2;
  equations.evaluate(q, u, du, state);
  EXPECT_LT(equations.residual().lpNorm<Eigen::Infinity>(), 1e-9 * n * n);  // it rests
  recursive::StepTangent tangent(equations);
  tangent.factorise({0.0, 0.0}, q, u, du, VectorXd::Zero(n), state);
  Eigen::MatrixXd flexibility(n, n);
  for (int i = 0; i < n; ++i) {
    tangent.solve(-VectorXd::Unit(n, i), VectorXd(0), x, none);
    flexibility.col(i) = x;
  }
  EXPECT_LT((flexibility - flexibility.transpose()).norm(), 1e-11 * flexibility.norm());
  const auto mass = math::symmetric_spectrum(recursive::composite_mass_matrix(mechanism.tree()));
  const Eigen::MatrixXd root =
      mass.vectors * mass.values.cwiseSqrt().asDiagonal() * mass.vectors.transpose();
  return math::symmetric_eigenvalues(Eigen::MatrixXd(root * flexibility * root))
      .cwiseInverse()
      .cwiseSqrt()
      .reverse();
}

TEST(LongChains, SwingAboutHangingAsTheReference) {
  struct Reference {
    int n;
    std::array<double, 3> lowest;
    double highest;
  };
  for (const Reference& r : {Reference{10, {1.19129593, 2.76013762, 4.44153976}, 26.637702},
                             Reference{100, {0.37660789, 0.86455874, 1.35581821}, 103.171434}}) {
    const VectorXd found = hanging_frequencies(r.n);
    // Eight decimals are printed.
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(found[i], r.lowest[i], 1e-8 * r.lowest[i] + 5e-9) << r.n;
    EXPECT_NEAR(found[r.n - 1], r.highest, 1e-6) << r.n;  // six decimals are printed
  }
}

// The same of a thousand links without a dense matrix: of a few vectors together, M x by inverse
// dynamics at rest and K^-1 by the sweeps, until the lowest frequencies stay.
TEST(LongChains, OfAThousandLinksSwingAboutHangingAsTheReference) {
  constexpr int kLinks = 1000, kVectors = 8, kIterations = 20;
  const auto chain = make_chain(kLinks);
  State state = testing_support::start(*chain);
  recursive::Mechanism mechanism(*chain);
  recursive::StepEquations equations(mechanism);
  recursive::InverseDynamics inverse_dynamics(mechanism.tree());
  const VectorXd at_rest = VectorXd::Zero(kLinks);
  VectorXd q, u, du = at_rest, x, none, column;
  mechanism.tree().find_coordinates(state, q, u);
  q[0] -= M_PI / 2;
  equations.evaluate(q, u, du, state);
  recursive::StepTangent tangent(equations);
  tangent.factorise({0.0, 0.0}, q, u, du, at_rest, state);
  Eigen::MatrixXd X(kLinks, kVectors), MX = X, Y = X, MY = X;
  for (int j = 0; j < kVectors; ++j)  // of all lengths of waves
    for (int i = 0; i < kLinks; ++i) X(i, j) = std::cos((j + 0.5) * M_PI * i / kLinks);
  const auto multiply_mass = [&](const Eigen::MatrixXd& by, Eigen::MatrixXd& product) {
    for (int j = 0; j < kVectors; ++j) {
      inverse_dynamics.compute_alone(q.data(), at_rest.data(), Vector3d::Zero(), by.col(j), column);
      product.col(j) = column;
    }
  };
  VectorXd found;
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    multiply_mass(X, MX);
    for (int j = 0; j < kVectors; ++j) {
      tangent.solve(-VectorXd(MX.col(j)), VectorXd(0), x, none);
      Y.col(j) = x;
    }
    multiply_mass(Y, MY);
    // Rayleigh and Ritz: Y^T K Y = Y^T M X, Y^T M Y.
    const auto ritz = math::generalized_spectrum(Y.transpose() * MX, Y.transpose() * MY);
    found = ritz.values.cwiseSqrt();
    X = Y * ritz.vectors;
  }
  const double expected[] = {0.11909351, 0.27336958, 0.42855809};
  for (int i = 0; i < 3; ++i) EXPECT_NEAR(found[i], expected[i], 1e-8 * expected[i] + 5e-9);
}

// E06 and E07 by implicit steps: order two, towards the reference.
void expect_reference_motion(const std::function<double(int)>& error_of, int n_steps,
                             double tolerance) {
  const double coarse = error_of(n_steps), fine = error_of(2 * n_steps);
  // The arm has 1.79 from 400 to 800 steps.
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.25) << coarse << ", " << fine;
  EXPECT_LT(fine, tolerance);
}

TEST(FlexibleArm, MovesByTorquesAsTheReferenceInImplicitSteps) {
  const Json file = testing_support::flexible_arm();
  const Json row = file["torque_driven"][3];
  expect_reference_motion(
      [&](int n_steps) {
        ReferenceTree tree;
        tree.add_all(file);
        testing_support::add_arm_torques(tree);
        const auto tip = tree.add_frame(tree.body(2), 8);
        tree.finish();
        const double t = row["t"];
        advance(tree, t, n_steps);
        return (tree.system().kinematics().frames[tip].p - vector_of(row["tip"])).norm();
      },
      400, 1e-3);
}

TEST(Satellite, DeploysAsTheReferenceInImplicitSteps) {
  const Json file = testing_support::folded_satellite();
  const Json row = file["motion"][1];
  expect_reference_motion(
      [&](int n_steps) {
        ReferenceTree tree;
        tree.add_all(file);
        testing_support::add_satellite_springs(tree);
        tree.finish();
        const double t = row["t"];
        advance(tree, t, n_steps);
        double worst = (tree.state().q.head<3>() - vector_of(row["hub_position"])).norm();
        for (int i = 0; i < 4; ++i) {
          const double angle = tree.system().kinematics().angles[tree.hinge(1 + i).angle()];
          worst = std::max(worst, std::abs(angle - row["hinges"][i].get<double>()));
        }
        const bodies::Momentum momentum = tree.system().momentum(tree.state());
        EXPECT_LT(momentum.linear.norm(), 1e-3);
        EXPECT_LT((momentum.angular - Vector3d(0.8688, -0.4088, 0.7668)).norm(), 1e-3);
        return worst;
      },
      200, 1e-3);
}

// The same numbers of iterations as a scheme with an exact tangent: few.
TEST(RelativeGeneralizedAlpha, TakesFewIterations) {
  const auto chain = make_chain(50);
  State state = testing_support::start(*chain);
  RelativeGeneralizedAlpha integrator(*chain, {});
  integrator.initialize(state);
  for (int i = 0; i < 100; ++i) {
    integrator.step(state, 1e-3);
    chain->accept(state);
  }
  EXPECT_LE(integrator.statistics().newton_iterations, 300);
  EXPECT_LE(integrator.statistics().tangents, 20);
}

// Of long chains of bodies with modes too: corrections of tangents that are kept are refined. What
// steps leave over is no more than the tolerance says.
TEST(RelativeGeneralizedAlpha, KeepsTangentsOfLongFlexibleChains) {
  const int n_steps = 100;
  const auto chain = testing_support::make_flexible_chain(100, 8);
  std::vector<State> ends;
  for (const double tolerance : {1e-8, 1e-11}) {
    GeneralizedAlphaOptions options;
    options.tolerance = tolerance;
    State state = testing_support::start(*chain);
    RelativeGeneralizedAlpha integrator(*chain, options);
    integrator.initialize(state);
    for (int i = 0; i < n_steps; ++i) {
      integrator.step(state, 1e-3);
      chain->accept(state);
    }
    if (ends.empty()) {
      EXPECT_LE(integrator.statistics().newton_iterations, 1.4 * n_steps);
      EXPECT_LE(integrator.statistics().tangents, 8);
    }
    ends.push_back(state.clone());
  }
  EXPECT_LT((ends[0].q - ends[1].q).lpNorm<Eigen::Infinity>(), 1e-8);  // of 100 m
}

TEST(RelativeGeneralizedAlpha, TakesAStepBack) {
  const auto bricard = testing_support::make_bricard();
  State state = testing_support::start(*bricard);
  RelativeGeneralizedAlpha integrator(*bricard, {});
  integrator.initialize(state);
  integrator.step(state, 1e-3);
  bricard->accept(state);
  const State before = state.clone();
  integrator.step(state, 1e-3);
  const State once = state.clone();
  integrator.reject(state);
  EXPECT_EQ(state.q, before.q);
  EXPECT_EQ(state.v, before.v);
  integrator.step(state, 2e-3);  // another, and back again
  integrator.reject(state);
  integrator.step(state, 1e-3);
  EXPECT_LT(difference(state, once), 1e-11);
}

// A step that cannot be leaves all as it was, and says where.
TEST(RelativeGeneralizedAlpha, NamesWhatFails) {
  const auto system = testing_support::make_bricard();
  State state = testing_support::start(*system);
  GeneralizedAlphaOptions options;
  options.max_iterations = 1;
  RelativeGeneralizedAlpha integrator(*system, options);
  integrator.initialize(state);
  const VectorXd q = state.q, v = state.v;
  try {
    integrator.step(state, 0.05);
    FAIL() << "nothing was thrown";
  } catch (const base::ComputationError& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("Newton stopped after 1 iterations"));
    EXPECT_THAT(e.what(), testing::HasSubstr("`adaptive`"));
  }
  EXPECT_EQ(state.q, q);
  EXPECT_EQ(state.v, v);
  EXPECT_EQ(state.t, 0.0);
}

}  // namespace
}  // namespace solidyn

// Motions that integrators have without error, and the order of the others.
#include <gtest/gtest.h>

#include "small_systems.h"
#include "solidyn/math/rotation.h"

namespace solidyn::integrators {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using system::State;
using system::System;
using test_systems::make_free_body;
using test_systems::Oscillator;
using testing_support::run_generalized_alpha;

struct Choice {
  const char* name;
  double rho;
  std::optional<double> alpha;
  GeneralizedAlphaOptions options() const {
    GeneralizedAlphaOptions o;
    o.rho_infinity = rho;
    o.hht_alpha = alpha;
    o.tolerance = 1e-12;
    return o;
  }
};

class EveryChoice : public testing::TestWithParam<Choice> {};
INSTANTIATE_TEST_SUITE_P(Of, EveryChoice,
                         testing::Values(Choice{"rho_0", 0.0, {}}, Choice{"rho_60", 0.6, {}},
                                         Choice{"rho_95", 0.95, {}}, Choice{"hht", 0.0, -0.2}),
                         [](const auto& info) { return std::string(info.param.name); });

// Free fall, thrown: v t + g t^2/2, with steps from far too short to far too long.
TEST_P(EveryChoice, HasConstantAccelerationWithoutError) {
  const Vector3d g(0.3, -0.2, -9.81), v(1, 2, 3);
  for (const double h : {1e-5, 0.1, 20.0}) {
    const auto body = make_free_body(v, Vector3d::Zero(), g);
    const State s = run_generalized_alpha(*body, 8 * h, 8, GetParam().options());
    const double t = 8 * h;
    const Vector3d p = Vector3d(1, 2, 3) + t * v + 0.5 * t * t * g;
    EXPECT_LT((s.q.head<3>() - p).norm(), 1e-13 * (1.0 + p.norm()));
    EXPECT_LT((s.v.head<3>() - v - t * g).norm(), 1e-13 * (1.0 + t * 10));
    EXPECT_LT((s.a.head<3>() - g).norm(), 1e-11);
  }
}

// About a principal axis the spin stays, and rotations are those of the group: R exp(w t) after any
// number of turns per step.
TEST_P(EveryChoice, HasSteadySpinWithoutError) {
  for (const double turn : {0.01, 1.0, 2.5})
    for (int axis = 0; axis < 3; ++axis) {
      const double h = 0.1;
      Vector3d w = Vector3d::Zero();
      w[axis] = turn / h;
      const auto body = make_free_body(Vector3d::Zero(), w);
      const State before = testing_support::start(*body);
      const State s = run_generalized_alpha(*body, 10 * h, 10, GetParam().options());
      const auto rotation = [](const State& state) {
        return Eigen::Quaterniond(state.q[3], state.q[4], state.q[5], state.q[6])
            .toRotationMatrix();
      };
      const Eigen::Matrix3d expected = rotation(before) * math::exp_rotation(10 * h * w);
      EXPECT_LT((rotation(s) - expected).norm(), 1e-12);
      EXPECT_LT((s.v.tail<3>() - w).norm(), 1e-12 * w.norm());
      EXPECT_NEAR(s.q.segment<4>(3).norm(), 1.0, 1e-15);
    }
}

// Drives and joints hold at the end of each step, to the tolerance of constraints, however long it
// is; the angle is that of the law with its whole turns.
TEST_P(EveryChoice, KeepsConstraintsAtTheEndOfEachStep) {
  for (const double h : {1e-4, 0.02, 0.3}) {
    const auto disc = testing_support::make_driven_disc({"3*t + 2*t^2"});
    State s = testing_support::start(*disc);
    GeneralizedAlpha integrator(*disc, GetParam().options());
    integrator.initialize(s);
    for (int i = 0; i < 12; ++i) {
      integrator.step(s, h);
      disc->accept(s);
      EXPECT_LT(integrator.violation().lpNorm<Eigen::Infinity>(), 1e-10);
      const double angle = 3.0 * s.t + 2.0 * s.t * s.t;
      EXPECT_LT((s.q.head<2>() - 0.2 * Eigen::Vector2d(std::cos(angle), std::sin(angle))).norm(),
                1e-9);
    }
  }
}

struct Motion {
  const char* name;
  std::function<std::unique_ptr<System>()> make;
  double duration;
  int coarse;  // steps
  double slack = 0.1;
};

std::unique_ptr<System> damped_pendulum_with_spring() {
  auto system = std::make_unique<System>();
  system::InitialMotion motion;
  motion.p_WB = Vector3d(1, 0, 0);
  motion.w_WB_B = Vector3d(0, 0, 2);
  motion.v_WB = Vector3d(0, 2, 0);
  system->set_gravity(Vector3d(0, -9.81, 0));
  const auto body = system->add_body(bodies::make_rigid_body("arm", 1.5, Vector3d(0.1, 0, 0),
                                                             Vector3d(0.1, 0.2, 0.3).asDiagonal()),
                                     motion);
  const auto pin = system::add_frames(*system, system::kGround, body, Vector3d::Zero());
  system::add_joint(*system, "pin", joints::JointType::revolute, pin);
  forces::SpringDamper::Options options;
  options.stiffness = 60.0;
  options.damping = 1.5;
  options.free = 1.2;
  system::add_spring(*system, "spring", bodies::Distance(), options,
                     {system::add_frame(*system, system::kGround, Vector3d(2, 1, 0)),
                      system::add_frame(*system, body, motion.p_WB)});
  system->finalize();
  return system;
}

std::vector<Motion> motions() {
  return {
      {"oscillator",
       [] {
         return Oscillator{2.0, 200.0, 0.0, 0.1, 0.3}.make();
       },
       1.0, 128},
      {"strong_damper",
       [] {
         return Oscillator{1.0, 100.0, 60.0, 0.1, 0.0}.make();
       },
       0.4, 640, 0.25},
      {"push", [] { return Oscillator{1.0, 50.0, 1.0, 0.0, 0.0, "sin(9*t)*exp(t)"}.make(); }, 1.0,
       128},
      {"tumbling", [] { return make_free_body(Vector3d::Zero(), Vector3d(1, 4, 0.5)); }, 1.0, 128},
      {"pendulum", [] { return testing_support::make_simple_pendulum(); }, 0.8, 128},
      {"damped_pendulum", damped_pendulum_with_spring, 0.8, 256}};
}

class OrderTwo : public testing::TestWithParam<std::tuple<int, Choice>> {};
INSTANTIATE_TEST_SUITE_P(
    Of, OrderTwo,
    testing::Combine(testing::Range(0, 6),
                     testing::Values(Choice{"rho_0", 0.0, {}}, Choice{"rho_80", 0.8, {}},
                                     Choice{"rho_95", 0.95, {}}, Choice{"hht", 0.0, -0.3})),
    [](const auto& info) {
      return std::string(motions()[std::get<0>(info.param)].name) + "_" +
             std::get<1>(info.param).name;
    });

// States at eight instants, one under the other, of positions, velocities, accelerations and
// multipliers.
std::array<VectorXd, 4> sampled(const Motion& motion, int n_steps, const Choice& choice) {
  constexpr int kSamples = 8;
  const auto system = motion.make();
  State s = testing_support::start(*system);
  GeneralizedAlpha integrator(*system, choice.options());
  integrator.initialize(s);
  std::array<VectorXd, 4> samples;
  for (int i = 1; i <= n_steps; ++i) {
    integrator.step(s, motion.duration / n_steps);
    system->accept(s);
    if (i % (n_steps / kSamples) != 0) continue;
    const VectorXd* parts[] = {&s.q, &s.v, &s.a, &s.lambda};
    for (int k = 0; k < 4; ++k) {
      const auto before = samples[k].size();
      samples[k].conservativeResize(before + parts[k]->size());
      samples[k].tail(parts[k]->size()) = *parts[k];
    }
  }
  return samples;
}

// Without a reference: three step sizes.
TEST_P(OrderTwo, InPositionsVelocitiesAccelerationsAndMultipliers) {
  const Motion motion = motions()[std::get<0>(GetParam())];
  std::array<std::array<VectorXd, 4>, 3> samples;
  for (int i = 0; i < 3; ++i)
    samples[i] = sampled(motion, motion.coarse << i, std::get<1>(GetParam()));
  const char* names[] = {"positions", "velocities", "accelerations", "multipliers"};
  for (int k = 0; k < 4; ++k) {
    if (samples[0][k].size() == 0) continue;
    const double order =
        std::log2((samples[0][k] - samples[1][k]).norm() / (samples[1][k] - samples[2][k]).norm());
    EXPECT_NEAR(order, 2.0, motion.slack) << names[k];
  }
}

// The algorithmic accelerations belong to an instant within the step: when that changes, they are
// moved along, and the order stays.
TEST_P(EveryChoice, IsOfOrderTwoWithUnevenStepsToo) {
  const auto end = [&](int n) {
    const auto system = damped_pendulum_with_spring();
    State s = testing_support::start(*system);
    GeneralizedAlpha integrator(*system, GetParam().options());
    integrator.initialize(s);
    constexpr double kShares[] = {1.0, 0.7, 1.3, 0.8, 1.2};
    for (int i = 0; i < n; ++i) {
      integrator.step(s, 0.8 / n * kShares[i % 5]);
      system->accept(s);
    }
    EXPECT_NEAR(s.t, 0.8, 1e-12);
    VectorXd both(s.q.size() + s.v.size());
    both << s.q, s.v;
    return both;
  };
  const VectorXd coarse = end(200), fine = end(400), finest = end(800);
  EXPECT_NEAR(std::log2((coarse - fine).norm() / (fine - finest).norm()), 2.0, 0.1);
}

// The estimate of a step's error is of order three, as the error is, and of its size.
TEST(ErrorEstimate, FollowsTheErrorOfAStep) {
  const Oscillator o{1.0, 400.0, 4.0, 0.05, 0.5};
  const double decay = 2.0, w = std::sqrt(400.0 - decay * decay);
  const auto exact = [&](double t) {
    return std::exp(-decay * t) *
           (0.05 * std::cos(w * t) + (0.5 + decay * 0.05) / w * std::sin(w * t));
  };
  std::vector<double> estimates, errors;
  for (const double h : {4e-3, 2e-3, 1e-3}) {
    const auto system = o.make();
    State s = testing_support::start(*system);
    GeneralizedAlphaOptions options;
    options.rho_infinity = 0.5;
    options.tolerance = 1e-13;
    GeneralizedAlpha integrator(*system, options);
    integrator.initialize(s);
    double sum = 0.0;
    while (s.t < 0.1 - 1e-9) {
      integrator.step(s, h);
      sum += integrator.error_estimate();
    }
    estimates.push_back(integrator.error_estimate() * integrator.characteristic_length());
    errors.push_back(std::abs(s.q[0] - exact(s.t)));
    EXPECT_GT(sum * integrator.characteristic_length(), 0.2 * errors.back());
  }
  EXPECT_NEAR(std::log2(estimates[0] / estimates[1]), 3.0, 0.15);
  EXPECT_NEAR(std::log2(estimates[1] / estimates[2]), 3.0, 0.15);
  EXPECT_NEAR(std::log2(errors[1] / errors[2]), 2.0, 0.1);
}

}  // namespace
}  // namespace solidyn::integrators

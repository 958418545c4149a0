// Adaptive steps of generalized-alpha.
#include "solidyn/integrators/step_control.h"

#include <gmock/gmock.h>

#include "mechanisms.h"

namespace solidyn {
namespace {

using Eigen::Vector3d;
using integrators::GeneralizedAlpha;
using integrators::GeneralizedAlphaOptions;
using integrators::StepController;
using system::State;
using testing::HasSubstr;

GeneralizedAlphaOptions tight() {
  GeneralizedAlphaOptions options;
  options.tolerance = 1e-12;
  return options;
}

struct Outcome {
  State state;
  std::int64_t steps = 0, rejected = 0, tangents = 0;
  double smallest = 1e300, largest = 0.0;
};

Outcome run(system::System& system, double tolerance, double duration) {
  Outcome result;
  result.state = testing_support::start(system);
  GeneralizedAlpha integrator(system, tight());
  integrator.initialize(result.state);
  StepController control(tolerance, 1e-9, 1.0);
  control.set_next_step(1e-4);
  while (const double h = control.step(integrator, result.state, duration)) {
    result.smallest = std::min(result.smallest, h);
    result.largest = std::max(result.largest, h);
  }
  result.steps = integrator.statistics().steps;
  result.rejected = integrator.statistics().rejected_steps;
  result.tangents = integrator.statistics().tangents;
  return result;
}

double position_error(const State& s) {
  return (s.q.head<3>() - Vector3d(0.986291751, -0.165010853, 0)).norm();
}

// The error of a step is O(h^3) and that of the motion O(h^2), so it falls as tolerance^(2/3).
TEST(StepController, ErrorFollowsTheTolerance) {
  std::vector<double> errors;
  for (const double tolerance : {1e-5, 1e-8}) {
    const auto pendulum = testing_support::make_simple_pendulum();
    const Outcome r = run(*pendulum, tolerance, 1.0);
    errors.push_back(position_error(r.state));
    EXPECT_EQ(r.state.t, 1.0);
    EXPECT_GT(r.largest, 10.0 * r.smallest);  // from a first step of 1e-4 s
    EXPECT_LT(r.tangents, r.steps);
  }
  EXPECT_NEAR(std::log10(errors[0] / errors[1]), 2.0, 0.2);
}

// Of a smooth motion: about as exact as equal steps, without anybody having chosen one.
TEST(StepController, IsNotMuchWorseThanAsManyEqualSteps) {
  const auto pendulum = testing_support::make_simple_pendulum();
  const Outcome adaptive = run(*pendulum, 1e-7, 1.0);
  const auto same = testing_support::make_simple_pendulum();
  const State equal =
      testing_support::run_generalized_alpha(*same, 1.0, static_cast<int>(adaptive.steps), tight());
  EXPECT_LT(position_error(adaptive.state), 1.5 * position_error(equal));
}

TEST(StepController, RefusesTolerancesAndStepsOutOfRange) {
  const auto message = [](double tolerance, double smallest, double largest) -> std::string {
    try {
      StepController(tolerance, smallest, largest);
    } catch (const base::InputError& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_THAT(message(0.0, 1e-9, 1.0), HasSubstr("the tolerance of adaptive steps is 0"));
  EXPECT_THAT(message(1e-6, 0.0, 1.0), HasSubstr("is 0 s to 1 s"));
  EXPECT_THAT(message(1e-6, 1.0, 0.1), HasSubstr("is 1 s to 0.1 s"));
  EXPECT_EQ(message(1e-6, 1e-9, 1.0), "accepted");
}

}  // namespace
}  // namespace solidyn

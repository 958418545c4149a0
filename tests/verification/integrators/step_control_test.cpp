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

double pendulum_error(const State& s) {
  return (s.q.head<3>() - Vector3d(0.986291751, -0.165010853, 0)).norm();
}

TEST(StepController, Measure) {
  for (double tol : {1e-5, 1e-6, 1e-7, 1e-8}) {
    const auto p = testing_support::make_simple_pendulum();
    const Outcome r = run(*p, tol, 1.0);
    printf("MEASURED tol %g err %g steps %d rej %d tang %d h %g %g end %.17g\n", tol,
           pendulum_error(r.state), int(r.steps), int(r.rejected), int(r.tangents), r.smallest,
           r.largest, r.state.t);
    const auto q = testing_support::make_simple_pendulum();
    const State s = testing_support::run_generalized_alpha(*q, 1.0, r.steps, tight());
    printf("MEASURED   fixed %g\n", pendulum_error(s));
  }
}

}  // namespace
}  // namespace solidyn

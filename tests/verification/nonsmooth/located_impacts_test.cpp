// `locate_impacts`: steps end at impacts. Order two through impacts, as without it, which takes
// them at their own time by the motion of the end. Closed forms, and page D12 of the reference
// problems.
#include "nonsmooth_runs.h"

namespace solidyn::testing_support {
namespace {

std::vector<Overrides> locating_schemes() {
  std::vector<Overrides> schemes = nonsmooth_schemes();
  schemes.push_back({"analyses.dynamics.integrator=half_explicit"});
  return schemes;
}
const Overrides kLocated = {"analyses.dynamics.locate_impacts=true"};
Overrides located_step(double h) { return {"analyses.dynamics.step=" + std::to_string(h)}; }

// Of errors with steps h, h/2, h/4, ...: the slope of the straight line through their logarithms.
double order_of(const std::vector<double>& errors) {
  const double n = static_cast<double>(errors.size());
  double sum_x = 0.0, sum_y = 0.0, sum_xx = 0.0, sum_xy = 0.0;
  for (std::size_t i = 0; i < errors.size(); ++i) {
    const double x = -static_cast<double>(i), y = std::log2(errors[i]);
    sum_x += x;
    sum_y += y;
    sum_xx += x * x;
    sum_xy += x * y;
  }
  return (n * sum_xy - sum_x * sum_y) / (n * sum_xx - sum_x * sum_x);
}

// D12 (b): three impacts with the wall.
TEST(LocatedImpacts, KeepOrderTwoOfADoublePendulum) {
  const Overrides frictionless = {"parameters.wall=0.2", "parameters.restitution=0.8",
                                  "parameters.mu=0"};
  for (const Overrides& scheme : locating_schemes()) {
    const auto errors = [&](const Overrides& located) {
      std::vector<double> found;
      for (const double h : {2e-3, 1e-3, 5e-4, 2.5e-4}) {
        const ModelRun run =
            nonsmooth_run("pendulum", scheme + located + frictionless + located_step(h));
        const double th1 = last(run, "th1"), th2 = th1 + last(run, "th12");
        found.push_back(std::hypot(th1 + 1.213355008, th2 - 0.673480704));
        EXPECT_EQ(run.monitor.contacts.impacts, 3) << scheme[0] << " " << h;
      }
      return found;
    };
    const std::vector<double> located = errors(kLocated), plain = errors({});
    EXPECT_NEAR(order_of(located), 2.0, 0.25)
        << scheme[0] << " " << located[0] << " " << located[3];
    EXPECT_NEAR(order_of(plain), 2.0, 0.25) << scheme[0] << " " << plain[0] << " " << plain[3];
    EXPECT_LT(plain[3], 1.1 * located[3]) << scheme[0] << " " << located[3];
  }
}

// D12 (a), with friction, at the instants of the page.
TEST(LocatedImpacts, AreWhereTheEventDrivenReferenceHasThem) {
  for (const Overrides& scheme : locating_schemes()) {
    const ModelRun run = nonsmooth_run("pendulum", scheme + kLocated + located_step(1e-4));
    EXPECT_NEAR(last(run, "th1"), -1.102420482, 2e-5) << scheme[0];
    EXPECT_NEAR(last(run, "th1") + last(run, "th12"), -0.284826214, 2e-5) << scheme[0];
  }
}

// D01: parabolas between impacts are exact, and so is their sequence.
TEST(LocatedImpacts, OfABouncingBallAreExact) {
  for (const Overrides& scheme : locating_schemes()) {
    const ModelRun run = run_model(
        MPI_COMM_SELF, "examples/nonsmooth/bouncing_ball.yaml",
        scheme + kLocated + located_step(1e-3) +
            Overrides{"contacts.floor.law.restitution=0.8", "analyses.dynamics.duration=2.5"});
    constexpr double g = 9.81;
    const auto &t = run.history.at("time"), &height = run.history.at("height");
    double from = std::sqrt(2.0 / g), speed = 0.8 * std::sqrt(2.0 * g), error = 0.0;
    for (std::size_t i = 0; i < t.size(); ++i) {
      while (t[i] > from + 2.0 * speed / g) {
        from += 2.0 * speed / g;
        speed *= 0.8;
      }
      const double s = t[i] - from;
      const double exact = s < 0.0 ? 1.0 - 0.5 * g * t[i] * t[i] : speed * s - 0.5 * g * s * s;
      error = std::max(error, std::abs(height[i] - exact));
    }
    EXPECT_LT(error, 1e-8) << scheme[0];
  }
}

// They accumulate, in finitely many steps, and the ball rests.
TEST(LocatedImpacts, EndWhereTheyAccumulate) {
  for (const Overrides& scheme : locating_schemes()) {
    const ModelRun run = run_model(MPI_COMM_SELF, "examples/nonsmooth/bouncing_ball.yaml",
                                   scheme + kLocated + Overrides{"analyses.dynamics.step=1e-3"});
    EXPECT_LT(std::abs(last(run, "height")), 1e-12) << scheme[0];
    EXPECT_NEAR(last(run, "force"), 0.5 * 9.81, 1e-8) << scheme[0];
    EXPECT_LT(run.monitor.contacts.impacts, 30) << scheme[0];
    EXPECT_LT(run.statistics.steps, 1800) << scheme[0];
  }
}

TEST(LocatedImpacts, KeepTheirOrderWithControlledSteps) {
  for (const Overrides& scheme : locating_schemes()) {
    const ModelRun run = nonsmooth_run(
        "pendulum",
        scheme + kLocated +
            Overrides{
                "analyses.dynamics.adaptive={tolerance: 1e-9, minimum_step: 1e-9, maximum_step: 1e-2}"});
    EXPECT_NEAR(last(run, "th1"), -1.102420482, 1e-4) << scheme[0];
    EXPECT_NEAR(last(run, "th1") + last(run, "th12"), -0.284826214, 1e-4) << scheme[0];
  }
}

}  // namespace
}  // namespace solidyn::testing_support

// Steps of generalized-alpha are those of its formulas, whatever the step resolves.
#include <gtest/gtest.h>

#include "small_systems.h"

namespace solidyn::integrators {
namespace {

using test_systems::Oscillator;

struct Coefficients {
  double alpha_m, alpha_f, beta, gamma;
};

// Chung & Hulbert (1993), and Hilber, Hughes & Taylor (1977).
Coefficients of_rho(double rho) {
  Coefficients c{(2.0 * rho - 1.0) / (rho + 1.0), rho / (rho + 1.0), 0.0, 0.0};
  c.gamma = 0.5 + c.alpha_f - c.alpha_m;
  c.beta = 0.25 * (0.5 + c.gamma) * (0.5 + c.gamma);
  return c;
}
Coefficients of_alpha(double alpha) {
  return {0.0, -alpha, 0.25 * (1.0 - alpha) * (1.0 - alpha), 0.5 - alpha};
}

struct Point {
  double x, v, a, A;
};

// One step of m x'' + d x' + k x = 0 by the formulas of the header, solved for the new A.
Point next(const Oscillator& o, const Coefficients& c, const Point& p, double h) {
  const double x_A = h * h * c.beta, v_A = h * c.gamma;
  const double x_0 = p.x + h * p.v + h * h * (0.5 - c.beta) * p.A,
               v_0 = p.v + h * (1.0 - c.gamma) * p.A;
  // (1 - am) A + am A_n = (1 - af) a + af a_n with a = -(d v + k x)/m
  const double left =
      (1.0 - c.alpha_m) + (1.0 - c.alpha_f) * (o.damping * v_A + o.stiffness * x_A) / o.mass;
  const double right = c.alpha_f * p.a - c.alpha_m * p.A -
                       (1.0 - c.alpha_f) * (o.damping * v_0 + o.stiffness * x_0) / o.mass;
  Point q;
  q.A = right / left;
  q.x = x_0 + x_A * q.A;
  q.v = v_0 + v_A * q.A;
  q.a = -(o.damping * q.v + o.stiffness * q.x) / o.mass;
  return q;
}

struct Method {
  const char* name;
  std::optional<double> rho, alpha;
  GeneralizedAlphaOptions options() const {
    GeneralizedAlphaOptions o;
    if (rho) o.rho_infinity = *rho;
    o.hht_alpha = alpha;
    o.tolerance = 1e-13;
    return o;
  }
  Coefficients coefficients() const { return rho ? of_rho(*rho) : of_alpha(*alpha); }
  double radius() const { return rho ? *rho : (1.0 + *alpha) / (1.0 - *alpha); }
};

const Method kMethods[] = {{"rho_0", 0.0, {}},   {"rho_50", 0.5, {}},
                           {"rho_80", 0.8, {}},  {"rho_95", 0.95, {}},
                           {"rho_100", 1.0, {}}, {"hht_33", {}, -1.0 / 3.0},
                           {"hht_10", {}, -0.1}, {"trapezoidal_rule", {}, 0.0}};

class Recurrence : public testing::TestWithParam<Method> {};
INSTANTIATE_TEST_SUITE_P(Of, Recurrence, testing::ValuesIn(kMethods),
                         [](const auto& info) { return std::string(info.param.name); });

// From slow to a million radians per step, undamped to overdamped. The beginning is the
// integrator's own; from then on each step is compared with the formulas from where it began.
TEST_P(Recurrence, HoldsForEveryFrequencyAndDamping) {
  const double h = 0.01;
  for (const double angle : {1e-3, 0.1, 1.0, 10.0, 1e3, 1e6})
    for (const double ratio : {0.0, 0.05, 1.0, 20.0}) {
      const double w = angle / h;
      const Oscillator o{2.0, 2.0 * w * w, 2.0 * 2.0 * ratio * w, 0.01, 0.2};
      const auto system = o.make();
      system::State s = testing_support::start(*system);
      GeneralizedAlpha integrator(*system, GetParam().options());
      integrator.initialize(s);
      for (int i = 0; i < 6; ++i) {
        const Point before{s.q[0], s.v[0], s.a[0], integrator.memory().acceleration[0]};
        integrator.step(s, h);
        system->accept(s);
        if (i == 0) continue;
        const Point expected = next(o, GetParam().coefficients(), before, h);
        const double size =
            std::abs(before.x) + h * std::abs(before.v) + h * h * std::abs(before.A);
        // Positions are exact to the round-off of 1 m, which a stiff spring makes accelerations of.
        const double limit = 1e-9 * size + 1e-14 + 5e-18 * angle * angle;
        EXPECT_NEAR(s.q[0], expected.x, limit) << angle << " " << ratio;
        EXPECT_NEAR(h * s.v[0], h * expected.v, 4 * limit) << angle << " " << ratio;
      }
      EXPECT_EQ(s.v[1], 0.0);
      EXPECT_EQ(s.v[4], 0.0);
    }
}

// What no step resolves decays by the spectral radius at infinity, in the mean over some steps: its
// modes there are multiple, so that single steps say nothing.
TEST_P(Recurrence, DampsWhatIsInfinitelyFastByItsRadius) {
  if (GetParam().radius() < 0.4) GTEST_SKIP() << "gone after a few steps";
  const Coefficients c = GetParam().coefficients();
  const Oscillator o{1.0, 1e12, 0.0, 0.0, 0.0};  // 1e6 rad per step of 1 s
  Point p{1.0, 0.0, 0.0, 0.0};
  const int n_steps = 400;
  double first = 0.0;
  for (int i = 0; i < n_steps; ++i) {
    p = next(o, c, p, 1.0);
    if (i == n_steps / 2 - 1) first = std::hypot(p.x, p.v);
  }
  // A double or triple eigenvalue adds a factor n or n^2.
  EXPECT_NEAR(std::pow(std::hypot(p.x, p.v) / first, 2.0 / n_steps), GetParam().radius(), 0.02);
}

// As Newton's method solves linear equations at once, a step costs two iterations at most, and the
// tangent is factorised once.
TEST_P(Recurrence, TakesOneTangentForALinearMotion) {
  const Oscillator o{2.0, 800.0, 3.0, 0.01, 0.2};
  const auto system = o.make();
  GeneralizedAlphaOptions options = GetParam().options();
  options.tolerance = 1e-6;
  system::State s = testing_support::start(*system);
  GeneralizedAlpha integrator(*system, options);
  integrator.initialize(s);
  for (int i = 0; i < 50; ++i) integrator.step(s, 0.01);
  EXPECT_EQ(integrator.statistics().steps, 50);
  EXPECT_LE(integrator.statistics().tangents, 2);
  EXPECT_LE(integrator.statistics().newton_iterations, 100);
  EXPECT_EQ(integrator.statistics().linear_solves, integrator.statistics().newton_iterations);
  EXPECT_EQ(integrator.statistics().rejected_steps, 0);
}

}  // namespace
}  // namespace solidyn::integrators

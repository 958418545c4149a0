// The energy decaying scheme: its steps are those of its formulas, whatever they resolve; spectral
// radii, periods and orders are those that it has by theory (P-NONSMOOTH Figs 7 to 12).
#include "solidyn/integrators/ed_alpha.h"

#include <gmock/gmock.h>

#include <Eigen/LU>
#include <complex>

#include "small_systems.h"

namespace solidyn::integrators::ed_alpha_steps {
namespace {

using Eigen::Matrix2d;
using system::State;
using system::System;
using test_systems::expect_same;
using test_systems::Oscillator;
using testing::HasSubstr;

EdAlphaOptions options_of(double rho, double alpha_AR = 1.0 / 6.0) {
  EdAlphaOptions options;
  options.rho_infinity = rho;
  options.alpha_AR = alpha_AR;
  options.tolerance = 1e-13;
  return options;
}

State run(System& system, const EdAlphaOptions& options, double h, int n_steps) {
  State s = testing_support::start(system);
  EdAlpha integrator(system, options);
  integrator.initialize(s);
  for (int i = 0; i < n_steps; ++i) {
    integrator.step(s, h);
    system.accept(s);
  }
  return s;
}

// (x, v) after a step by (77) to (82), all six equations at once, to more digits than the code has.
Eigen::Vector2d next(const Oscillator& o, double rho, double a_AR, double x, double v, double h) {
  using Real = long double;
  const Real alpha = (1.0L - rho) / (1.0L + rho);
  const Real c = Real(h) * o.damping / o.mass, k = Real(h) * h * o.stiffness / o.mass;
  const Real u = Real(h) * v, b = -(k * x + c * u);  // h v, h^2 a
  Eigen::Matrix<Real, 6, 6> A = Eigen::Matrix<Real, 6, 6>::Identity();
  Eigen::Matrix<Real, 6, 1> rhs;  // of q_j, h v_j, h^2 a_j, q, h v, h^2 a
  A(0, 1) = A(1, 2) = -a_AR * alpha;
  A(0, 4) = A(1, 5) = a_AR;
  A(3, 1) = A(3, 4) = A(4, 2) = A(4, 5) = -0.5L;
  for (const int at : {0, 3}) {
    A(at + 2, at) = k;
    A(at + 2, at + 1) = c;
  }
  rhs << x + u * a_AR * (1 - alpha), u + b * a_AR * (1 - alpha), 0, x, u, 0;
  const Eigen::Matrix<Real, 6, 1> solution = A.fullPivLu().solve(rhs);
  return {double(solution[3]), double(solution[4] / h)};
}

class EdAlphaOf : public testing::TestWithParam<double> {};
INSTANTIATE_TEST_SUITE_P(Rho, EdAlphaOf, testing::Values(0.0, 0.5, 0.8, 0.95, 1.0));

TEST_P(EdAlphaOf, StepsAreThoseOfTheFormulas) {
  const double h = 0.01;
  for (const double alpha_AR : {1.0 / 6.0, 0.05, 0.5})
    for (const double angle : {1e-3, 0.1, 1.0, 10.0, 1e3, 1e6})
      for (const double ratio : {0.0, 0.05, 1.0, 20.0}) {
        const double w = angle / h;
        const Oscillator o{2.0, 2.0 * w * w, 2.0 * 2.0 * ratio * w, 0.01, 0.2};
        const auto system = o.make();
        State s = testing_support::start(*system);
        EdAlpha integrator(*system, options_of(GetParam(), alpha_AR));
        integrator.initialize(s);
        for (int i = 0; i < 5; ++i) {
          const double x = s.q[0], v = s.v[0];
          const double before = 0.5 * o.mass * v * v + 0.5 * o.stiffness * x * x;
          integrator.step(s, h);
          system->accept(s);
          const Eigen::Vector2d expected = next(o, GetParam(), alpha_AR, x, v, h);
          const double size = std::abs(x) + h * std::abs(v);
          // Positions are exact to the round-off of 1 m, which a stiff spring makes forces of.
          const double limit = 1e-9 * size + 1e-14;
          EXPECT_NEAR(s.q[0], expected[0], limit) << angle << " " << ratio << " " << alpha_AR;
          EXPECT_NEAR(h * s.v[0], h * expected[1], 20.0 * limit + 1e-13 * angle * size)
              << angle << " " << ratio;
          const double after = 0.5 * o.mass * s.v[0] * s.v[0] + 0.5 * o.stiffness * s.q[0] * s.q[0];
          EXPECT_LE(after, before * (1.0 + 1e-9) + 1e-16 * o.stiffness * size)
              << angle << " " << ratio;
        }
        EXPECT_EQ(s.v[1], 0.0);
        EXPECT_EQ(s.v[4], 0.0);
      }
}

// What a step makes of (x, h v), from the integrator itself.
Matrix2d amplification(double rho, double alpha_AR, double angle) {
  const double h = 0.01, w = angle / h;
  Matrix2d A;
  for (const int i : {0, 1}) {
    const Oscillator o{1.0, w * w, 0.0, i == 0 ? 1e-2 : 0.0, i == 1 ? 1e-2 / h : 0.0};
    const State s = run(*o.make(), options_of(rho, alpha_AR), h, 1);
    A.col(i) << 100.0 * s.q[0], 100.0 * h * s.v[0];
  }
  return A;
}

// R(z) of dx/dt = z x.
std::complex<double> of_theory(double rho, double a, double angle) {
  const double alpha = (1.0 - rho) / (1.0 + rho);
  const std::complex<double> z(0.0, angle);
  return (1.0 + z * (0.5 - a * alpha) + z * z * (0.5 * a * (1.0 - alpha))) /
         (1.0 - z * (0.5 + a * alpha) + z * z * (0.5 * a * (1.0 + alpha)));
}

// Figs 7 to 12: the radius is one for slow motion, rho_infinity for fast, and never above one.
TEST_P(EdAlphaOf, SpectralRadiusAndPeriodAreThoseOfTheory) {
  const double rho = GetParam();
  for (const double alpha_AR : {1.0 / 6.0, 0.05, 0.5})
    for (const double angle : {0.01, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 100.0, 1e3, 1e4}) {
      const Eigen::Vector2cd values = amplification(rho, alpha_AR, angle).eigenvalues();
      const double radius = values.cwiseAbs().maxCoeff();
      const std::complex<double> R = of_theory(rho, alpha_AR, angle);
      EXPECT_NEAR(radius, std::abs(R), 2e-7 * (1.0 + 1e-3 * angle)) << angle;
      EXPECT_LE(radius, 1.0 + 1e-9) << angle;
      if (angle > 1.0) continue;
      EXPECT_NEAR(std::abs(std::arg(values[0])), std::arg(R), 1e-9) << angle;
      // T/T_exact - 1 is of order two, or of four where alpha_AR is 1/6.
      const double period = angle / std::arg(R) - 1.0;
      const double second = 1.0 / 12.0 - 0.5 * alpha_AR;
      EXPECT_NEAR(period, second * angle * angle, 0.1 * std::pow(angle, 4)) << angle;
    }
  EXPECT_NEAR(amplification(rho, 1.0 / 6.0, 1e4).eigenvalues().cwiseAbs().maxCoeff(), rho, 1e-3);
}

double error_of_oscillator(double rho, double alpha_AR, int n_steps) {
  const Oscillator o{1.0, 4.0, 0.4, 0.3, 1.0};
  const double t = 2.0, decay = 0.2, w = std::sqrt(4.0 - decay * decay);
  const double b = (1.0 + 0.3 * decay) / w, c = std::cos(w * t), d = std::sin(w * t);
  const double x = std::exp(-decay * t) * (0.3 * c + b * d),
               v = -decay * x + w * std::exp(-decay * t) * (b * c - 0.3 * d);
  const State s = run(*o.make(), options_of(rho, alpha_AR), t / n_steps, n_steps);
  return std::hypot(s.q[0] - x, s.v[0] - v);
}

TEST_P(EdAlphaOf, OrderIsTwoAndThreeAtOneSixth) {
  if (GetParam() == 1.0) GTEST_SKIP() << "of order four there";
  const auto order = [&](double alpha_AR) {
    return std::log2(error_of_oscillator(GetParam(), alpha_AR, 400) /
                     error_of_oscillator(GetParam(), alpha_AR, 800));
  };
  EXPECT_NEAR(order(1.0 / 6.0), 3.0, 0.1);
  EXPECT_NEAR(order(0.3), 2.0, 0.1);
}

// What no step resolves is gone after one of rho_infinity 0, and decays by it otherwise.
TEST_P(EdAlphaOf, DampsWhatIsInfinitelyFastByItsRadius) {
  const double h = 1.0, rho = GetParam();
  const Oscillator o{1.0, 1e12, 0.0, 1e-3, 0.0};
  const auto system = o.make();
  State s = testing_support::start(*system);
  EdAlpha integrator(*system, options_of(rho));
  integrator.initialize(s);
  double before = 1e-3;
  for (int i = 0; i < 4; ++i) {
    integrator.step(s, h);
    system->accept(s);
    const double size = std::hypot(s.q[0], s.v[0] / 1e6);
    EXPECT_NEAR(size, rho * before, 1e-5 * before + 1e-12);
    before = size;
  }
}

// Of a free body and of a top, with its multipliers; against short steps.
double ratio_of_errors(System& system, const std::function<Eigen::VectorXd(const State&)>& of) {
  const EdAlphaOptions options = options_of(0.6);
  const Eigen::VectorXd exact = of(run(system, options, 0.1 / 3200, 3200));
  const double coarse = (of(run(system, options, 0.1 / 100, 100)) - exact).norm(),
               fine = (of(run(system, options, 0.1 / 200, 200)) - exact).norm();
  return coarse / fine;
}

TEST(EdAlpha, IsOfOrderTwoOnTheLieGroup) {
  const auto body = test_systems::make_free_body({1, 2, 3}, {20, 30, -10}, {0, 0, -9.81});
  EXPECT_NEAR(ratio_of_errors(*body, [](const State& s) { return s.q; }), 4.0, 0.4);
  EXPECT_NEAR(ratio_of_errors(*body, [](const State& s) { return s.v; }), 4.0, 0.4);
  const auto top = testing_support::make_heavy_top();
  EXPECT_NEAR(ratio_of_errors(*top, [](const State& s) { return s.q; }), 4.0, 0.4);
  EXPECT_NEAR(ratio_of_errors(*top, [](const State& s) { return s.v; }), 4.0, 0.4);
  EXPECT_NEAR(ratio_of_errors(*top, [](const State& s) { return s.lambda; }), 4.0, 0.6);
  EXPECT_NEAR(ratio_of_errors(*top, [](const State& s) { return s.a; }), 4.0, 0.6);
}

TEST(EdAlpha, MeetsJointsOnPositionAndVelocityLevel) {
  for (const auto& system :
       {testing_support::make_simple_pendulum(), testing_support::make_driven_disc({"20*t + t^2"}),
        testing_support::make_heavy_top()}) {
    const State s = run(*system, options_of(0.8), 1e-3, 300);
    Eigen::VectorXd phi, nu, gamma, Gv;
    system->update(s);
    system->compute_constraints(s, phi);
    system->update_accelerations();
    system->compute_rates(s, nu, gamma);
    system->multiply_G(s.v, Gv);
    EXPECT_LT(phi.lpNorm<Eigen::Infinity>(), 1e-13);
    EXPECT_LT((Gv - nu).lpNorm<Eigen::Infinity>(), 1e-10 * (1.0 + s.v.norm()));
  }
}

TEST(EdAlpha, TakesOneTangentForALinearMotion) {
  const Oscillator o{2.0, 800.0, 3.0, 0.01, 0.2};
  const auto system = o.make();
  EdAlphaOptions options = options_of(0.8);
  options.tolerance = 1e-6;
  State s = testing_support::start(*system);
  EdAlpha integrator(*system, options);
  integrator.initialize(s);
  for (int i = 0; i < 50; ++i) integrator.step(s, 0.01);
  EXPECT_EQ(integrator.statistics().steps, 50);
  EXPECT_LE(integrator.statistics().tangents, 2);
  EXPECT_LE(integrator.statistics().newton_iterations, 100);
}

using Make = std::unique_ptr<System> (*)();
class EdAlphaProtocol : public testing::TestWithParam<Make> {};
INSTANTIATE_TEST_SUITE_P(
    Of, EdAlphaProtocol,
    testing::Values([] { return Oscillator{1.0, 1e10, 1e4, 0.1, 1.0, "1e5"}.make(); },
                    [] { return testing_support::make_simple_pendulum(); },
                    [] { return testing_support::make_heavy_top(); },
                    [] { return testing_support::make_driven_disc({"20*t + t^2"}); }));

TEST_P(EdAlphaProtocol, StepsThatAreTakenBackLeaveTheStateAsItWas) {
  const auto system = GetParam()();
  State s = testing_support::start(*system);
  EdAlpha integrator(*system, options_of(0.5));
  integrator.initialize(s);
  integrator.step(s, 1e-3);
  system->accept(s);
  const State before = s.clone();
  integrator.step(s, 4e-3);
  ASSERT_NE(s.q, before.q);
  integrator.reject(s);
  expect_same(s, before);
  EXPECT_EQ(integrator.statistics().steps, 1);
  EXPECT_EQ(integrator.statistics().rejected_steps, 1);
}

// The state is all that it needs, when the other forgets the rest.
TEST_P(EdAlphaProtocol, ANewIntegratorTakesTheSameStepsToTheLastBit) {
  const auto system = GetParam()(), again = GetParam()();
  State s = testing_support::start(*system);
  EdAlpha first(*system, options_of(0.5)), second(*again, options_of(0.5));
  first.initialize(s);
  const auto go = [](EdAlpha& integrator, System& of, State& state) {
    for (int i = 0; i < 5; ++i) {
      integrator.step(state, 1e-3);
      of.accept(state);
    }
  };
  go(first, *system, s);
  State other = s.clone();
  first.forget_history(s);
  second.initialize(other);
  go(first, *system, s);
  go(second, *again, other);
  expect_same(s, other);
}

// Local errors of one step from the start: of order three, and the estimate is not below them.
TEST(EdAlpha, EstimatesItsErrorFromAbove) {
  for (const double h : {1e-3, 5e-4}) {
    const auto body = test_systems::make_free_body({0, 0, 0}, {20, 30, -10});
    State s = testing_support::start(*body);
    EdAlpha integrator(*body, options_of(0.5));
    integrator.initialize(s);
    integrator.step(s, h);
    const State exact = run(*body, options_of(0.5), h / 64, 64);
    const double error = (s.q - exact.q).norm();
    EXPECT_GT(integrator.error_estimate(), error);
    EXPECT_LT(integrator.error_estimate(), 100.0 * h * h * h * 1e5);
  }
}

TEST(EdAlpha, FailsLoudlyAndLeavesTheState) {
  const auto disc = testing_support::make_driven_disc({"0", "40*t^3"});  // contradict each other
  State s = testing_support::start(*disc);
  EdAlphaOptions options = options_of(0.8);
  options.regularization = system::redundancy_regularization(*disc);
  EdAlpha integrator(*disc, options);
  integrator.initialize(s);
  const State before = s.clone();
  try {
    integrator.step(s, 0.1);
    FAIL() << "no error";
  } catch (const base::ComputationError& e) {
    EXPECT_THAT(e.what(), HasSubstr("t = 0.1 s"));
    EXPECT_THAT(e.what(), HasSubstr("contradict each other"));
  }
  expect_same(s, before);
  for (const double h : {0.0, -1e-3, std::numeric_limits<double>::infinity(),
                         std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(integrator.step(s, h), base::InputError) << h;
  expect_same(s, before);
}

TEST(EdAlpha, RefusesParametersOutOfRange) {
  const auto system = testing_support::make_simple_pendulum();
  for (const double rho : {-0.1, 1.1, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(EdAlpha(*system, options_of(rho)), base::InputError) << rho;
  for (const double alpha_AR : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()})
    EXPECT_THROW(EdAlpha(*system, options_of(0.5, alpha_AR)), base::InputError) << alpha_AR;
}

}  // namespace
}  // namespace solidyn::integrators::ed_alpha_steps

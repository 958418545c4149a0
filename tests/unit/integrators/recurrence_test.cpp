// Steps of generalized-alpha are those of its formulas, whatever the step resolves; spectral radii
// and periods of it and of Bathe's scheme (P-NONSMOOTH Figs 7 to 12); what a start does that leaves
// the force of a closed contact out (its Figs 17 and 18).
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/SVD>
#include <complex>

#include "small_systems.h"
#include "solidyn/integrators/bathe.h"

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

// What steps of a spring without damping, omega h = angle, make of `states`, the columns of (x, h
// v) and what else a scheme goes on with: from the steps of several starts, as far as these say.
template <class Scheme, class Options, class StateOf>
Eigen::MatrixXd step_matrix(const Options& options, double angle, const StateOf& state_of) {
  const double h = 0.01, w = angle / h;
  constexpr int kSteps = 4;
  std::vector<Eigen::VectorXd> before, after;
  for (const double phase : {0.0, 1.0, 2.0}) {
    const Oscillator o{1.0, w * w, 0.0, 1e-2 * std::cos(phase), 1e-2 * std::sin(phase) / h};
    const auto system = o.make();
    system::State s = testing_support::start(*system);
    Scheme scheme(*system, options);
    scheme.initialize(s);
    for (int i = 0; i < kSteps; ++i) {
      const Eigen::VectorXd x = state_of(scheme, s, h);
      scheme.step(s, h);
      system->accept(s);
      if (i == 0) continue;  // begun in its own way
      before.push_back(x / x.norm());
      after.push_back(state_of(scheme, s, h) / x.norm());
    }
  }
  const auto n = static_cast<Eigen::Index>(before.size());
  Eigen::MatrixXd X(before[0].size(), n), Y(before[0].size(), n);
  for (Eigen::Index k = 0; k < n; ++k) {
    X.col(k) = before[static_cast<std::size_t>(k)];
    Y.col(k) = after[static_cast<std::size_t>(k)];
  }
  Eigen::JacobiSVD<Eigen::MatrixXd> svd(X.transpose(), Eigen::ComputeThinU | Eigen::ComputeThinV);
  svd.setThreshold(1e-9);
  return svd.solve(Y.transpose()).transpose();
}

Eigen::MatrixXd step_matrix_of(double rho, double angle) {
  GeneralizedAlphaOptions options;
  options.rho_infinity = rho;
  options.tolerance = 1e-13;
  const double scale = std::max(1.0, angle * angle);  // of h^2 A beside x
  return step_matrix<GeneralizedAlpha>(
      options, angle, [&](const GeneralizedAlpha& scheme, const system::State& s, double h) {
        return Eigen::Vector3d(s.q[0], h * s.v[0] / std::sqrt(scale),
                               h * h * scheme.memory().acceleration[0] / scale);
      });
}

Eigen::MatrixXd step_matrix_of_bathe(double angle) {
  StageOptions options;
  options.tolerance = 1e-13;
  return step_matrix<Bathe>(options, angle, [&](const Bathe&, const system::State& s, double h) {
    return Eigen::Vector2d(s.q[0], h * s.v[0] / std::max(1.0, angle));
  });
}

// Eigenvalues of the formulas: (x, h v, h^2 A), with a = -(omega h)^2 x.
Eigen::VectorXcd eigenvalues_of_theory(double rho, double angle) {
  const Coefficients c = of_rho(rho);
  const double w = angle * angle;
  Eigen::Matrix3d left, right;
  left << 1, 0, -c.beta, 0, 1, -c.gamma, (1 - c.alpha_f) * w, 0, 1 - c.alpha_m;
  right << 1, 1, 0.5 - c.beta, 0, 1, 1 - c.gamma, -c.alpha_f * w, 0, -c.alpha_m;
  return Eigen::Matrix3d(left.inverse() * right).eigenvalues();
}

double radius_of(const Eigen::VectorXcd& values) { return values.cwiseAbs().maxCoeff(); }

// T / T_exact - 1, of the pair whose frequency is that of the spring.
double period_error(const Eigen::VectorXcd& values, double angle) {
  double turn = 0.0, nearest = 1e9;
  for (const std::complex<double>& value : values) {
    const double distance = std::abs(value - std::polar(1.0, angle));
    if (distance < nearest) turn = std::arg(value);
    nearest = std::min(nearest, distance);
  }
  return angle / turn - 1.0;
}

// Figs 7 to 12. The radius is never above one, and at infinity rho; periods are too long by the
// second order of the step.
TEST(SpectralRadiiAndPeriods, AreThoseOfGeneralizedAlpha) {
  for (const double rho : {0.0, 0.5, 0.8}) {
    for (const double angle : {0.1, 0.3, 1.0, 2.0, 5.0, 10.0, 100.0, 1e3}) {
      const Eigen::VectorXcd values = step_matrix_of(rho, angle).eigenvalues(),
                             expected = eigenvalues_of_theory(rho, angle);
      // Multiple eigenvalues, as at infinity, are as exact as the root of round-off.
      const double tolerance = angle < 3.0 ? 1e-7 : 3e-4;
      EXPECT_NEAR(radius_of(values), radius_of(expected), tolerance) << rho << " " << angle;
      EXPECT_LT(radius_of(values), 1.0 + 1e-9) << rho << " " << angle;
      if (angle <= 2.0) {
        EXPECT_NEAR(period_error(values, angle), period_error(expected, angle), 1e-7)
            << rho << " " << angle;
      }
    }
    EXPECT_NEAR(radius_of(step_matrix_of(rho, 1e4).eigenvalues()), rho, 0.02);
    const auto error = [&](double angle) {
      return period_error(step_matrix_of(rho, angle).eigenvalues(), angle);
    };
    EXPECT_GT(error(0.1), 0.0);
    EXPECT_NEAR(std::log2(error(0.1) / error(0.05)), 2.0, 0.02) << rho;
  }
}

TEST(SpectralRadiiAndPeriods, AreThoseOfBathe) {
  const auto of_theory = [](double angle) {
    const std::complex<double> z(0.0, angle);
    return (12.0 + 5.0 * z) / ((3.0 - z) * (4.0 - z));
  };
  for (const double angle : {0.05, 0.1, 0.3, 1.0, 2.0, 5.0, 10.0, 100.0, 1e3, 1e4}) {
    const Eigen::VectorXcd values = step_matrix_of_bathe(angle).eigenvalues();
    EXPECT_NEAR(radius_of(values), std::abs(of_theory(angle)), 1e-8) << angle;
    if (angle > 2.0) continue;
    EXPECT_NEAR(period_error(values, angle), angle / std::arg(of_theory(angle)) - 1.0, 1e-8);
    // R - exp(z) = z^3/24 + ...: of order two, half of the trapezoidal rule's.
    EXPECT_NEAR(period_error(values, angle) / (angle * angle), 1.0 / 24.0, 0.02 * angle * angle);
  }
  EXPECT_NEAR(radius_of(step_matrix_of_bathe(1e4).eigenvalues()), 0.0, 1e-3);
}

}  // namespace
}  // namespace solidyn::integrators

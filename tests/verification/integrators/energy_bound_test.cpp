// No choice of the step, of damping or of rho_infinity lets generalized-alpha create energy: linear
// systems with vibrations and decays from a thousandth to a million times as fast as the step.
#include <gtest/gtest.h>

#include <random>

#include "mechanisms.h"
#include "solidyn/bodies/modal_body.h"

namespace solidyn {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using integrators::GeneralizedAlpha;
using integrators::GeneralizedAlphaOptions;
using system::State;

constexpr int kBodies = 3;
constexpr int kTranslations = 3 * kBodies;
constexpr double kStep = 1e-3;

// -K x - D v + f on the translations x of all bodies.
class LinearForce final : public forces::Force {
 public:
  LinearForce(MatrixXd K, MatrixXd D, VectorXd f)
      : Force("springs and dampers",
              {bodies::BodyIndex(0), bodies::BodyIndex(1), bodies::BodyIndex(2)}),
        K_(std::move(K)),
        D_(std::move(D)),
        f_(std::move(f)) {}
  void add_residual(const bodies::Kinematics& kinematics, double,
                    Eigen::Ref<VectorXd> r) const override {
    VectorXd x(kTranslations), v(kTranslations);
    for (int b = 0; b < kBodies; ++b) {
      x.segment<3>(3 * b) = kinematics.bodies[bodies::BodyIndex(b)].p_WB;
      v.segment<3>(3 * b) = kinematics.bodies[bodies::BodyIndex(b)].v_WB();
    }
    const VectorXd force = K_ * x + D_ * v - f_;
    for (int b = 0; b < kBodies; ++b) r.segment<3>(6 * b) += force.segment<3>(3 * b);
  }
  void add_tangent(const bodies::Kinematics&, double, const bodies::TangentCoefficients& c,
                   Eigen::Ref<MatrixXd> J_rate, Eigen::Ref<MatrixXd> J_q) const override {
    for (int a = 0; a < kBodies; ++a)
      for (int b = 0; b < kBodies; ++b) {
        J_rate.block<3, 3>(6 * a, 6 * b) += c.damping * D_.block<3, 3>(3 * a, 3 * b);
        J_q.block<3, 3>(6 * a, 6 * b) += c.stiffness * K_.block<3, 3>(3 * a, 3 * b);
      }
  }
  double power(const bodies::Kinematics&, double) const override { return 0.0; }

 private:
  MatrixXd K_, D_;
  VectorXd f_;
};

// M x'' + D x' + K x = f from x_0, v_0, with K = L Q W^2 Q^T L, L = sqrt(M).
struct LinearSystem {
  VectorXd masses{kTranslations}, f, x_0, v_0;  // of each translation
  MatrixXd K, D;

  // Kinetic and elastic energy, and that of the load.
  double energy(const VectorXd& x, const VectorXd& v) const {
    return 0.5 * v.dot(masses.cwiseProduct(v)) + 0.5 * x.dot(K * x) - f.dot(x);
  }
  double least_energy() const { return f.isZero(0.0) ? 0.0 : -0.5 * f.dot(K.ldlt().solve(f)); }
};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  double decades(double low, double high) { return std::pow(10.0, uniform(low, high)); }
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }
  VectorXd vector(int n) {
    VectorXd v(n);
    for (double& x : v) x = std::normal_distribution<double>()(engine_);
    return v;
  }
  MatrixXd rotation(int n) {
    MatrixXd A(n, n);
    for (int i = 0; i < n; ++i) A.col(i) = vector(n);
    return Eigen::HouseholderQR<MatrixXd>(A).householderQ();
  }

 private:
  std::mt19937 engine_;
};

// Frequencies of one system lie within five decades, so that sums of doubles hold the softest.
LinearSystem make_linear_system(Random& random) {
  LinearSystem s;
  for (int b = 0; b < kBodies; ++b) s.masses.segment<3>(3 * b).setConstant(random.decades(-1, 1));
  const double lowest = random.uniform(-3.0, 6.0), highest = std::min(6.0, lowest + 5.0);
  VectorXd w(kTranslations), decay(kTranslations);
  const int damping = random.below(4);
  for (int i = 0; i < kTranslations; ++i) {
    w[i] = random.decades(lowest, highest) / kStep;
    const double ratio = damping == 0   ? 0.0
                         : damping == 1 ? random.uniform(0.0, 1.5)
                                        : random.decades(-3, 2);
    decay[i] = 2.0 * ratio * w[i];
  }
  const VectorXd root = s.masses.cwiseSqrt();
  const auto quadratic = [&](const MatrixXd& Q, const VectorXd& values) -> MatrixXd {
    const MatrixXd A = root.asDiagonal() * Q;
    return A * values.asDiagonal() * A.transpose();
  };
  const MatrixXd Q = random.rotation(kTranslations);
  s.K = quadratic(Q, w.cwiseAbs2());
  // Dampers of their own directions in one system of four.
  s.D = quadratic(damping == 3 ? random.rotation(kTranslations) : Q, decay);
  // Each mode begins with some energy of its own, displaced or moving.
  const VectorXd share = random.vector(kTranslations), speed = random.vector(kTranslations);
  const MatrixXd X = root.cwiseInverse().asDiagonal() * Q;
  s.x_0 = X * share.cwiseQuotient(w);
  s.v_0 = X * speed;
  s.f = VectorXd::Zero(kTranslations);
  const int start = random.below(4);
  if (start == 1) s.v_0.setZero();
  if (start == 2) s.x_0.setZero();
  if (start == 3) {  // a load that is there at once
    s.f = s.K * s.x_0;
    s.x_0.setZero();
    s.v_0.setZero();
  }
  return s;
}

std::unique_ptr<system::System> build(const LinearSystem& s) {
  auto system = std::make_unique<system::System>();
  for (int b = 0; b < kBodies; ++b) {
    const double mass = s.masses[3 * b];
    system::InitialMotion motion;
    motion.p_WB = s.x_0.segment<3>(3 * b);
    motion.v_WB = s.v_0.segment<3>(3 * b);
    system->add_body(bodies::make_rigid_body("mass " + std::to_string(b), mass, Vector3d::Zero(),
                                             mass * Eigen::Matrix3d::Identity()),
                     motion);
  }
  system->add_force(std::make_unique<LinearForce>(s.K, s.D, s.f));
  system->finalize();
  return system;
}

VectorXd translations(const VectorXd& of_bodies, int stride) {
  VectorXd x(kTranslations);
  for (int b = 0; b < kBodies; ++b) x.segment<3>(3 * b) = of_bodies.segment<3>(stride * b);
  return x;
}

enum class Steps { equal, changing };

// The largest energy above the least, relative to that of the start.
double energy_growth(const LinearSystem& linear, const GeneralizedAlphaOptions& options,
                     Steps steps, Random& random) {
  const auto system = build(linear);
  State state = testing_support::start(*system);
  GeneralizedAlpha integrator(*system, options);
  integrator.initialize(state);
  const double least = linear.least_energy();
  const auto energy = [&] {
    return linear.energy(
               translations(state.q, system->body(bodies::BodyIndex(0)).n_configuration()),
               translations(state.v, 6)) -
           least;
  };
  const double first = energy();
  double largest = first, h = kStep;
  for (int i = 0; i < 40; ++i) {
    if (steps == Steps::changing && i % 3 == 2) h = kStep * std::pow(2.0, random.below(9) - 4);
    integrator.step(state, h);
    system->accept(state);
    largest = std::max(largest, energy());
  }
  return largest / first;
}

struct EnergyCase {
  double rho;
  std::optional<double> alpha;
  double limit;  // doc/theory/time_integration.md
};

class EnergyOfAnyStep : public testing::TestWithParam<EnergyCase> {};
INSTANTIATE_TEST_SUITE_P(Of, EnergyOfAnyStep,
                         testing::Values(EnergyCase{0.0, {}, 1.09}, EnergyCase{0.5, {}, 1.01},
                                         EnergyCase{0.8, {}, 1.01}, EnergyCase{0.9, {}, 1.02},
                                         EnergyCase{0.95, {}, 1.05},
                                         EnergyCase{0.0, -1.0 / 3.0, 1.01},
                                         EnergyCase{0.0, -0.1, 1.07}),
                         [](const auto& info) { return "case_" + std::to_string(info.index); });

TEST_P(EnergyOfAnyStep, NeverExceedsWhatWasPutIn) {
  GeneralizedAlphaOptions options;
  options.rho_infinity = GetParam().rho;
  options.hht_alpha = GetParam().alpha;
  options.tolerance = 1e-10;
  for (const Steps steps : {Steps::equal, Steps::changing}) {
    double worst = 1.0;
    unsigned worst_seed = 0;
    for (unsigned seed = 0; seed < 200; ++seed) {
      Random random(seed);
      const LinearSystem linear = make_linear_system(random);
      const double growth = energy_growth(linear, options, steps, random);
      if (!(growth <= worst)) {
        worst = growth;
        worst_seed = seed;
      }
    }
    EXPECT_LE(worst, GetParam().limit) << "seed " << worst_seed;
  }
}

// Six modes that steps resolve beside three that they do not, all displaced by a load that is gone
// at the start: the error of the six after one period of the slowest.
double error_of_slow_modes(double rho, int n_steps) {
  constexpr int kSlow = 6;
  Random random(7);
  LinearSystem s;
  s.masses.setOnes();
  const MatrixXd Q = random.rotation(kTranslations);
  VectorXd w(kTranslations), ratio(kTranslations);
  w << 2.0 * M_PI, 7.0, 9.0, 11.0, 12.0, 15.0, 1e3, 1e4, 1e5;
  ratio << 0.0, 0.1, 0.01, 0.3, 0.0, 0.7, 0.0, 0.1, 3.0;
  s.K = Q * w.cwiseAbs2().asDiagonal() * Q.transpose();
  s.D = Q * (2.0 * ratio.cwiseProduct(w)).asDiagonal() * Q.transpose();
  s.x_0 = Q * w.cwiseInverse();
  s.v_0 = s.f = VectorXd::Zero(kTranslations);
  const auto system = build(s);
  GeneralizedAlphaOptions options;
  options.rho_infinity = rho;
  const State state = testing_support::run_generalized_alpha(*system, 1.0, n_steps, options);
  const VectorXd q =
      Q.transpose() * translations(state.q, system->body(bodies::BodyIndex(0)).n_configuration());
  double worst = 0.0;
  for (int i = 0; i < kSlow; ++i) {
    const double decay = ratio[i] * w[i], wd = w[i] * std::sqrt(1.0 - ratio[i] * ratio[i]);
    const double exact = std::exp(-decay) * (std::cos(wd) + decay / wd * std::sin(wd)) / w[i];
    worst = std::max(worst, std::abs(q[i] - exact) * w[i]);
  }
  return worst;
}

TEST(ModesBesideStiffOnes, AreOfOrderTwo) {
  for (const double rho : {0.0, 0.5, 0.8, 0.95}) {
    const double coarse = error_of_slow_modes(rho, 200), fine = error_of_slow_modes(rho, 400);
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.15) << rho;
    EXPECT_LT(fine, 0.01) << rho;
  }
}

}  // namespace
}  // namespace solidyn

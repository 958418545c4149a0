// The method of Hilber, Hughes and Taylor (1977) as a case of generalized-alpha.
#include <gmock/gmock.h>

#include "mechanisms.h"
#include "solidyn/bodies/modal_body.h"

namespace solidyn {
namespace {

using Eigen::Vector3d;
using integrators::GeneralizedAlphaOptions;
using system::State;

GeneralizedAlphaOptions hht(double alpha) {
  GeneralizedAlphaOptions options;
  options.hht_alpha = alpha;
  options.tolerance = 1e-12;
  return options;
}

// A01 at 1 s: closed form in elliptic functions.
double pendulum_error(double alpha, int n_steps) {
  const auto pendulum = testing_support::make_simple_pendulum();
  const State s = testing_support::run_generalized_alpha(*pendulum, 1.0, n_steps, hht(alpha));
  return (s.q.head<3>() - Vector3d(0.986291751, -0.165010853, 0)).norm();
}

TEST(Hht, ConvergesWithOrderTwo) {
  for (const double alpha : {-1.0 / 3.0, -0.1, -0.05}) {
    const double coarse = pendulum_error(alpha, 500), fine = pendulum_error(alpha, 1000);
    EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.05) << "alpha = " << alpha;
    EXPECT_LT(fine, 1e-3) << "alpha = " << alpha;
  }
}

// -k p on a body of 1 kg.
class Spring final : public forces::Force {
 public:
  explicit Spring(double k) : Force("spring", {bodies::BodyIndex(0)}), k_(k) {}
  void add_residual(const bodies::Kinematics& kinematics, double,
                    Eigen::Ref<Eigen::VectorXd> r) const override {
    r.head<3>() += k_ * kinematics.bodies[bodies::BodyIndex(0)].p_WB;
  }
  void add_tangent(const bodies::Kinematics&, double, const bodies::TangentCoefficients& c,
                   Eigen::Ref<Eigen::MatrixXd>, Eigen::Ref<Eigen::MatrixXd> J_q) const override {
    J_q.topLeftCorner<3, 3>() += c.stiffness * k_ * Eigen::Matrix3d::Identity();
  }
  double power(const bodies::Kinematics&, double) const override { return 0.0; }

 private:
  double k_;
};

// What remains after n steps of a vibration that is far too fast for them.
double amplitude_after(int n_steps, double alpha) {
  constexpr double kStep = 1e-2, kStiffness = 1e12;
  system::System system;
  system::InitialMotion pose;
  pose.p_WB = Vector3d(1, 0, 0);
  system.add_body(
      bodies::make_rigid_body("mass", 1.0, Vector3d::Zero(), Eigen::Matrix3d::Identity()), pose);
  system.add_force(std::make_unique<Spring>(kStiffness));
  system.finalize();
  const State s =
      testing_support::run_generalized_alpha(system, kStep * n_steps, n_steps, hht(alpha));
  return s.q.head<3>().norm();
}

// The root at infinite frequency is double: (c + n) rho^n, so that the mean over a hundred steps
// misses log(rho) by some log(2)/100.
TEST(Hht, DampsInfiniteFrequenciesAsItsAlphaSays) {
  for (const double alpha : {-0.05, -0.02}) {
    const double rho = (1.0 + alpha) / (1.0 - alpha);
    const double ratio = amplitude_after(200, alpha) / amplitude_after(100, alpha);
    EXPECT_NEAR(std::log(ratio) / 100.0, std::log(rho), 0.01) << "alpha = " << alpha;
  }
}

}  // namespace
}  // namespace solidyn

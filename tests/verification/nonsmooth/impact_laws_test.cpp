// Newton's and Poisson's impact laws with friction, and sequences of impacts: against closed forms
// of a plane contact, pages D01 and D05, Kane's double pendulum.
#include <fmt/format.h>

#include <Eigen/Dense>

#include "nonsmooth_runs.h"

namespace solidyn::testing_support {
namespace {

using Eigen::Matrix2d;
using Eigen::Vector2d;
using Eigen::Vector3d;

const Overrides kSequential = {"analyses.dynamics.multiple_impacts=sequential"};

Overrides poisson(const std::string& contact) {
  return {"contacts." + contact + ".law.impact_law=poisson"};
}

std::string text(double x) { return fmt::format("{:.17g}", x); }

// A contact in a plane, r = (r_N, r_T), u = A r + q: 0 <= u_N, 0 <= r_N, u_N r_N = 0 and
// |r_T| <= mu r_N + c against the slip. Its cases one by one.
Vector2d plane_contact(const Matrix2d& A, const Vector2d& q, double mu, double c = 0.0) {
  constexpr double kNothing = 1e-13;
  const auto is_met = [&](const Vector2d& r, double slip) {
    const Vector2d u = A * r + q;
    const double limit = mu * r[0] + c;
    return u[0] >= -kNothing && r[0] >= -kNothing && std::abs(r[1]) <= limit + kNothing &&
           std::abs(u[0] * r[0]) < kNothing && (slip == 0.0 || slip * u[1] >= -kNothing);
  };
  std::vector<std::pair<Vector2d, double>> cases = {{Vector2d(0.0, -q[1] / A(1, 1)), 0.0},
                                                    {-A.inverse() * q, 0.0}};
  for (const double slip : {1.0, -1.0}) {
    cases.push_back({Vector2d(0.0, -slip * c), slip});
    const double normal = -(q[0] - slip * c * A(0, 1)) / (A(0, 0) - slip * mu * A(0, 1));
    cases.push_back({Vector2d(normal, -slip * (mu * normal + c)), slip});
  }
  for (const auto& [r, slip] : cases)
    if (is_met(r, slip)) return r;
  ADD_FAILURE() << "no case of the contact law applies";
  return Vector2d::Zero();
}

Vector2d newtons_impulse(const Matrix2d& A, const Vector2d& u, double mu, double e) {
  return plane_contact(A, u + Vector2d(e * u[0], 0.0), mu);
}

Vector2d poissons_impulse(const Matrix2d& A, const Vector2d& u, double mu, double e) {
  const Vector2d compression = plane_contact(A, u, mu), given(e * compression[0], 0.0);
  return compression + given + plane_contact(A, u + A * (compression + given), mu, mu * given[0]);
}

// Kane's double pendulum: angles from x, W = [normal, tangent] of the free end.
struct DoublePendulum {
  double first = (20.0 - 90.0) * M_PI / 180.0, second = (30.0 - 90.0) * M_PI / 180.0;
  Matrix2d M, W;
  Vector2d w{-0.1, -0.2};
  DoublePendulum() {
    const double c = 0.5 * std::cos(first - second);
    M << 4.0 / 3.0, c, c, 1.0 / 3.0;
    W << std::cos(first), -std::sin(first), std::cos(second), -std::sin(second);
  }
  Matrix2d A() const { return W.transpose() * M.inverse() * W; }
  Vector2d rates_after(const Vector2d& impulse) const { return w + M.inverse() * W * impulse; }
  double energy(const Vector2d& rates) const { return 0.5 * rates.dot(M * rates); }
};

// e = 0.5, mu = 0.7: the end sticks in both laws; Newton's makes 0.0368 J of 0.0232 J, Poisson's
// 0.0120 J.
TEST(KanesPendulum, GainsEnergyByNewtonsLawAndNoneByPoissons) {
  const DoublePendulum pendulum;
  const Vector2d u = pendulum.W.transpose() * pendulum.w;
  const double before = pendulum.energy(pendulum.w);
  for (const bool by_poisson : {false, true}) {
    const Vector2d impulse = by_poisson ? poissons_impulse(pendulum.A(), u, 0.7, 0.5)
                                        : newtons_impulse(pendulum.A(), u, 0.7, 0.5);
    const Vector2d rates = pendulum.rates_after(impulse);
    const ModelRun run =
        nonsmooth_run("double_pendulum_on_floor", by_poisson ? poisson("floor") : Overrides{});
    EXPECT_NEAR(run.history.at("w1").front(), rates[0], 1e-9);
    EXPECT_NEAR(run.history.at("w2").front(), rates[1], 1e-9);
    EXPECT_NEAR(run.history.at("energy").front(), pendulum.energy(rates), 1e-9);
    EXPECT_NEAR(run.monitor.contacts.energy_lost, before - pendulum.energy(rates), 1e-9);
    if (by_poisson)
      EXPECT_NEAR(pendulum.energy(rates) - before, -0.0111978, 1e-7);
    else
      EXPECT_NEAR(pendulum.energy(rates) - before, 0.0136190, 1e-7);
  }
}

// The rod of page D03 with slip that stops, goes on, or turns round in the expansion.
TEST(FallingRod, IsHitByPoissonsLawAsTheCasesOfAPlaneContactHaveIt) {
  int n_that_differ = 0;
  for (const double theta : {30.0, 60.0, 85.0, 110.0})
    for (const double mu : {0.05, 0.3, 0.6})
      for (const double vx : {-1.5, 0.0, 0.7, 4.0})
        for (const double e : {0.5, 1.0}) {
          const double x = 0.5 * std::cos(theta * M_PI / 180.0),
                       y = 0.5 * std::sin(theta * M_PI / 180.0);
          Matrix2d A;
          A << 1.0 + 12.0 * x * x, -12.0 * x * y, -12.0 * x * y, 1.0 + 12.0 * y * y;
          const Vector2d u(-2.0, vx), P = poissons_impulse(A, u, mu, e);
          const Overrides set = {"parameters.theta=" + text(theta), "parameters.mu=" + text(mu),
                                 "parameters.restitution=" + text(e), "parameters.vx=" + text(vx)};
          const ModelRun run = nonsmooth_run("rod", set + poisson("floor"));
          EXPECT_NEAR(run.history.at("v.x").front(), vx + P[1], 1e-9) << theta << mu << vx << e;
          EXPECT_NEAR(run.history.at("v.y").front(), -2.0 + P[0], 1e-9);
          // The end is at (-x, -y) from the centre.
          EXPECT_NEAR(run.history.at("w").front(), 12.0 * (y * P[1] - x * P[0]), 1e-8);
          EXPECT_LE(P.dot(u + 0.5 * A * P), 1e-12);
          n_that_differ += (P - newtons_impulse(A, u, mu, e)).norm() > 1e-3;
        }
  EXPECT_GT(n_that_differ, 10);
}

TEST(BouncingBall, KeepsItsEnergyByPoissonsLawToo) {
  for (const Overrides& scheme : nonsmooth_schemes()) {
    const ModelRun run =
        run_model(MPI_COMM_SELF, "examples/nonsmooth/bouncing_ball.yaml",
                  scheme + poisson("floor") + kSequential +
                      Overrides{"contacts.floor.law.restitution=1", "analyses.dynamics.duration=20",
                                "analyses.dynamics.step=7e-3"});
    EXPECT_GE(run.monitor.contacts.impacts, 20);
    EXPECT_LT(std::abs(run.monitor.contacts.energy_lost), 1e-9);
    const ModelRun rests = run_model(MPI_COMM_SELF, "examples/nonsmooth/bouncing_ball.yaml",
                                     scheme + poisson("floor"));
    EXPECT_LT(std::abs(last(rests, "height")), 1e-14);
    EXPECT_NEAR(last(rests, "force"), 0.5 * 9.81, 1e-9);
  }
}

// By hand: compression makes 1/3 of all; with restitution in the second contact alone, its
// expansion 1/3 m gives 1/3, 0, 2/3, and the first contact then holds both at 1/6. Newton's law
// has nothing to give back where nothing approached.
TEST(Cradle, GivesBackTheImpulseOfACompressionByPoissonsLaw) {
  const std::string model = "examples/nonsmooth/newtons_cradle.yaml";
  for (const Overrides& scheme : nonsmooth_schemes()) {
    const Overrides law = scheme + poisson("first_second") + poisson("second_third");
    const ModelRun equal = run_model(MPI_COMM_SELF, model, law);
    const ModelRun unequal =
        run_model(MPI_COMM_SELF, model, law + Overrides{"contacts.first_second.law.restitution=0"});
    const double v[] = {-1.0 / 3.0, 2.0 / 3.0, 2.0 / 3.0}, w[] = {1.0 / 6.0, 1.0 / 6.0, 2.0 / 3.0};
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(last(equal, fmt::format("v{}", i + 1)), v[i], 1e-10);
      EXPECT_NEAR(last(unequal, fmt::format("v{}", i + 1)), w[i], 1e-10);
    }
  }
}

// D05 (a) of touching balls: one impact after the other.
TEST(Cradle, PassesTheImpulseOnBallByBallInASequence) {
  for (const Overrides& scheme : nonsmooth_schemes()) {
    const ModelRun run =
        run_model(MPI_COMM_SELF, "examples/nonsmooth/newtons_cradle.yaml", scheme + kSequential);
    EXPECT_NEAR(last(run, "v1"), 0.0, 1e-10);
    EXPECT_NEAR(last(run, "v2"), 0.0, 1e-10);
    EXPECT_NEAR(last(run, "v3"), 1.0, 1e-10);
    EXPECT_LT(std::abs(run.monitor.contacts.energy_lost), 1e-12);
  }
}

// Balls in a line, one pair after the other: the one whose approach has most energy first.
std::vector<double> binary_impacts(const std::vector<double>& m, std::vector<double> v, double e) {
  while (true) {
    std::size_t hardest = m.size();
    double most = 0.0;
    for (std::size_t i = 0; i + 1 < m.size(); ++i) {
      const double approach = v[i] - v[i + 1];
      const double energy = approach * approach * m[i] * m[i + 1] / (m[i] + m[i + 1]);
      if (approach < 1e-12 || energy < most) continue;
      most = energy;
      hardest = i;
    }
    if (hardest == m.size()) return v;
    double &a = v[hardest], &b = v[hardest + 1];
    const double m_a = m[hardest], m_b = m[hardest + 1];
    const double impulse = (1.0 + e) * (a - b) * m_a * m_b / (m_a + m_b);
    a -= impulse / m_a;
    b += impulse / m_b;
  }
}

TEST(Cradle, OfFiveBallsIsASequenceOfBinaryImpacts) {
  const std::vector<std::vector<double>> masses = {
      {0.2, 0.2, 0.2, 0.2, 0.2}, {0.2, 0.5, 0.1, 0.4, 0.3}, {1.0, 0.1, 0.6, 0.05, 2.0}};
  for (const auto& m : masses)
    for (const double e : {1.0, 0.7}) {
      Overrides set = {"parameters.restitution=" + text(e)};
      for (int i = 0; i < 5; ++i) set.push_back(fmt::format("parameters.m{}={:.17g}", i + 1, m[i]));
      const std::vector<double> v = binary_impacts(m, {1.0, 0.0, 0.0, 0.0, 0.0}, e);
      const ModelRun run = nonsmooth_run("five_balls", set + kSequential);
      // Of restitution below one the rest of a sequence is slower than the slow speed: 1e-3 m/s.
      for (int i = 0; i < 5; ++i)
        EXPECT_NEAR(last(run, fmt::format("v{}", i + 1)), v[i], e == 1.0 ? 1e-10 : 2e-3) << e << i;
      if (e == 1.0) EXPECT_LT(std::abs(run.monitor.contacts.energy_lost), 1e-12);
      if (e == 1.0 && m[0] == m[1]) EXPECT_NEAR(v[4], 1.0, 1e-12);
    }
}

// Feet at -0.3 and 0.2 m, 1 kg, 0.03 kg m2: compliances 4, 7/3 and -1. All at once it leaves as it
// came; one by one the right foot, then the left: (13/7, 1/14) m/s.
TEST(TwoFeet, AreHitTogetherOrOneAfterTheOther) {
  const ModelRun together = nonsmooth_run("two_feet"),
                 sequence = nonsmooth_run("two_feet", kSequential);
  EXPECT_NEAR(together.history.at("v").front(), 1.0, 1e-12);
  EXPECT_NEAR(together.history.at("w").front(), 0.0, 1e-12);
  const double v = sequence.history.at("v").front(), w = sequence.history.at("w").front();
  EXPECT_NEAR(v - 0.3 * w, 13.0 / 7.0, 1e-12);
  EXPECT_NEAR(v + 0.2 * w, 1.0 / 14.0, 1e-12);
  EXPECT_NEAR(sequence.history.at("energy").front(), 0.5, 1e-12);
  EXPECT_EQ(sequence.monitor.contacts.impacts, 2);
}

// A box that tumbles over a floor with friction: by Poisson's law energy never grows, in any step.
TEST(TumblingBox, NeverGainsEnergyByPoissonsLaw) {
  for (const char* spin : {"[1, 3, -2]", "[-4, 0.5, 6]", "[0.2, -9, 1]"})
    for (const Overrides& how : {Overrides{}, kSequential}) {
      const ModelRun run = nonsmooth_run(
          "box", how + poisson("plane") +
                     Overrides{"parameters.v=2", "parameters.mu=0.8", "parameters.z=0.2",
                               "contacts.plane.law.restitution=0.8",
                               "bodies.box.pose.position=[0, 0, 0.3]",
                               std::string("bodies.box.velocity.angular=") + spin,
                               "sensors.energy={type: energy}", "analyses.dynamics.duration=2",
                               "analyses.dynamics.integrator=bathe"});
      const auto& energy = run.history.at("energy");
      EXPECT_GT(run.monitor.contacts.impacts, 5);
      EXPECT_LT(energy.back(), 0.8 * energy.front());
      for (std::size_t i = 1; i < energy.size(); ++i)
        EXPECT_LT(energy[i], energy[i - 1] + 1e-6 * energy.front()) << spin << i;
    }
}

// (12), (15): slip is that of u_T+ + e_T u_T-. A rod that stands on its end: compliance 1 along the
// floor's normal and 4 across it. Impulse 2 N s, friction 0.3 N s: u_T = 1 - 1.2 = -0.2 m/s, where
// the sum is 0.3 m/s. By the slip after the impact alone, as (13) is printed, nothing solves this.
TEST(TangentialRestitution, HasTheSlipOfTheSumOfVelocities) {
  const Overrides set = {
      "parameters.theta=90", "parameters.mu=0.15", "parameters.restitution=1",
      "parameters.vx=1",     "parameters.vy=-1",   "contacts.floor.law.tangential_restitution=0.5"};
  const ModelRun run = nonsmooth_run("rod", set);
  EXPECT_NEAR(run.history.at("v.x").front(), 0.7, 1e-12);
  EXPECT_NEAR(run.history.at("v.y").front(), 1.0, 1e-12);
  EXPECT_NEAR(run.history.at("w").front(), -1.8, 1e-12);
  const ModelRun sequence = nonsmooth_run("rod", set + kSequential);
  EXPECT_NEAR(sequence.history.at("w").front(), -1.8, 1e-12);
}

// The same in space, where the three directions differ.
TEST(TangentialRestitution, HasFrictionAgainstTheSumInSpace) {
  const Vector3d before(1.0, -2.0, 0.8), inertia(0.02, 0.09, 0.05);
  const ModelRun run = nonsmooth_run(
      "rod", {"parameters.theta=50", "parameters.mu=0.2", "parameters.restitution=0.6",
              "bodies.rod.inertia=[0.02, 0.09, 0.05]", "bodies.rod.velocity.linear=[1, -2, 0.8]",
              "contacts.floor.law.tangential_restitution=0.7",
              "sensors.spin={type: angular_velocity, of: rod}"});
  const auto first = [&](const char* name) { return run.history.at(name).front(); };
  const Vector3d after(first("v.x"), first("v.y"), first("v.z"));
  const Vector3d spin(first("spin.x"), first("spin.y"), first("spin.z"));
  const double angle = 50.0 * M_PI / 180.0;
  const Vector3d arm(-0.5 * std::cos(angle), -0.5 * std::sin(angle), 0.0);
  const Vector3d impulse = after - before, u = after + spin.cross(arm);
  EXPECT_LT((inertia.asDiagonal() * spin - arm.cross(impulse)).norm(), 1e-12);
  EXPECT_NEAR(u[1], 1.2, 1e-12);
  const Vector2d friction(impulse[0], impulse[2]), u_after(u[0], u[2]), u_before(1.0, 0.8);
  const Vector2d sum = u_after + 0.7 * u_before;
  EXPECT_NEAR(friction.norm(), 0.2 * impulse[1], 1e-12);
  EXPECT_NEAR(friction.dot(sum), -friction.norm() * sum.norm(), 1e-12);
  EXPECT_LT(std::abs(friction.dot(u_after)), 0.99 * friction.norm() * u_after.norm());
}

}  // namespace
}  // namespace solidyn::testing_support

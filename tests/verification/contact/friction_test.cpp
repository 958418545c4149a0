// Friction against closed forms: case D02 (regularised), rolling.
#include <gtest/gtest.h>

#include "ball.h"

namespace solidyn::contact {
namespace {

using system::State;

constexpr double kSlope = M_PI / 6.0;

NormalLaw soft() {
  NormalLaw l;
  l.stiffness = 1e6;
  l.exponent = 1.0;
  l.damping = 2e3;
  l.damping_depth = 1e-6;
  return l;
}

// A point mass on a plane that rises along x, resting in the normal direction.
struct Incline {
  Incline(const Friction& friction, double speed) {
    R = Eigen::AngleAxisd(-kSlope, Vector3d::UnitY()).toRotationMatrix();  // x up the slope
    Body b;
    b.position = R * Vector3d(0.0, 0.0, -kGravity * std::cos(kSlope) / 1e6);
    b.velocity = R * Vector3d(speed, 0.0, 0.0);
    system.set_gravity(Vector3d(0.0, 0.0, -kGravity));
    add_ball(system, b);
    add_contact(system, bodies::kGround, Plane{}, bodies::BodyIndex(0), Sphere{0.0}, soft(),
                friction, 10.0, R);
    system.finalize();
  }
  double x(const State& s) const { return R.col(0).dot(s.q.head<3>()); }
  double v(const State& s) const { return R.col(0).dot(s.v.head<3>()); }
  system::System system;
  Eigen::Matrix3d R;
};

Friction coulomb(double mu, double transition = 1e-4) {
  Friction f;
  f.static_coefficient = f.dynamic_coefficient = mu;
  f.transition_speed = transition;
  return f;
}

TEST(BlockOnIncline, SlidesWithTheAccelerationOfD02) {
  for (const auto& [mu, a] : {std::pair(0.2, 3.205858158), std::pair(0.5, 0.657145394)}) {
    Incline incline(coulomb(mu), 0.0);
    double v = 0.0;
    run(incline.system, 1.0, 1e-4, 0.0, [&](const State& s) { v = incline.v(s); });
    // While friction builds up the block gains mu g cos(slope) v_0 / a, at most 6.5e-4 m/s.
    EXPECT_NEAR(-v, a, 1e-3) << mu;
  }
}

// Sticking is a creep at v_0 r / sqrt(1 - r^2), r = tan(slope) / mu.
TEST(BlockOnIncline, CreepsInsteadOfSticking) {
  Incline incline(coulomb(0.7), 0.0);
  const double r = std::tan(kSlope) / 0.7;
  double v = 0.0;
  run(incline.system, 0.5, 1e-3, 0.0, [&](const State& s) { v = incline.v(s); });
  EXPECT_NEAR(-v, 1e-4 * r / std::sqrt(1.0 - r * r), 1e-8);
}

// Corrections that lead beyond a reversal are taken in part.
TEST(BlockOnIncline, ReversesInFewCorrectionsOfBdf) {
  Incline incline(coulomb(0.3, 1e-5), 3.0);
  analyses::DynamicsOptions options;
  options.integrator = analyses::IntegratorKind::bdf;
  options.duration = 1.118331978;
  options.step = 1e-4;
  options.relative_tolerance = 1e-5;
  analyses::Dynamics dynamics(incline.system, options);
  dynamics.start();
  while (!dynamics.is_done()) dynamics.advance();
  EXPECT_NEAR(incline.x(dynamics.state()), 0.0, 2e-3);
  EXPECT_LT(dynamics.stepper().statistics().newton_iterations, 3000);
}

TEST(BlockOnIncline, LaunchedUpwardsStopsAndComesBackAsInD02) {
  Incline incline(coulomb(0.3), 3.0);
  double turned = 0.0, highest = 0.0, back = 0.0, speed = 0.0;
  State before;
  run(incline.system, 1.2, 1e-4, 0.0, [&](const State& s) {
    highest = std::max(highest, incline.x(s));
    if (turned == 0.0 && incline.v(s) < 0.0) turned = s.t;
    if (back == 0.0 && s.t > 0.1 && incline.x(s) < 0.0) {
      back = s.t;
      speed = -incline.v(s);
    }
  });
  EXPECT_NEAR(turned, 0.402483983, 2e-4);
  EXPECT_NEAR(highest, 0.603725974, 1e-4);
  EXPECT_NEAR(back, 1.118331978, 4e-4);
  EXPECT_NEAR(speed, 1.686743494, 2e-3);
}

TEST(BlockOnIncline, NeverFeelsMoreThanItsCoefficient) {
  Incline incline(coulomb(0.7), 3.0);
  const auto& force = static_cast<const ContactForce&>(incline.system.force(forces::ForceIndex(0)));
  double last = 0.0;
  run(incline.system, 0.5, 1e-3, 0.0, [&](const State& s) {
    incline.system.update(s);
    const ContactState c = force.state(force.pair(incline.system.kinematics()));
    EXPECT_LE(c.friction.norm(), 0.7 * c.normal_force * (1.0 + 1e-12));
    last = incline.x(s);
  });
  EXPECT_NEAR(last, 0.414670243, 2e-4);
}

// Where slip reverses, friction turns round within a ten-thousandth of what the speed changes by in
// a step: Newton's method went back and forth between its two sides, and steps were gone through in
// parts, or not at all.
TEST(SlidingBall, ReversesItsSlipInWholeSteps) {
  for (const double mu : {0.3, 0.8})
    for (const double transition : {1e-3, 1e-5})
      for (const double step : {1e-2, 1e-3})
        for (const double speed : {1.0, -0.3, 0.0}) {
          Body b;
          b.position = Vector3d(0.0, 0.0, b.radius - kGravity * std::cos(kSlope) / 1e6);
          b.velocity = Vector3d(speed, 0.0, 0.0);
          system::System system;
          system.set_gravity(kGravity * Vector3d(-std::sin(kSlope), 0.0, -std::cos(kSlope)));
          add_ball(system, b);
          add_contact(system, bodies::kGround, Plane{}, bodies::BodyIndex(0), Sphere{b.radius},
                      soft(), coulomb(mu, transition), 1e3);
          system.finalize();
          State last;
          const auto statistics =
              run(system, 0.5, step, 0.0, [&](const State& s) { last.copy_from(s); });
          EXPECT_LE(statistics.steps, std::lround(0.5 / step) + 1)  // the first may be in two parts
              << mu << transition << speed;
          EXPECT_LE(statistics.newton_iterations, 8 * statistics.steps)
              << mu << transition << speed;
          EXPECT_NEAR(last.v[4] * b.radius, last.v[0], 3.0 * transition);
        }
}

// A ball that slides at first rolls at 5/7 of its speed, whatever the friction.
TEST(SlidingBall, ComesToRollAtFiveSevenths) {
  Body b;
  b.position = Vector3d(0.0, 0.0, b.radius - kGravity / 1e6);
  b.velocity = Vector3d(1.4, 0.0, 0.0);
  system::System system;
  system.set_gravity(Vector3d(0.0, 0.0, -kGravity));
  add_ball(system, b);
  add_contact(system, bodies::kGround, Plane{}, bodies::BodyIndex(0), Sphere{b.radius}, soft(),
              coulomb(0.3));
  system.finalize();
  State last;
  run(system, 0.4, 1e-3, 1e-7, [&](const State& s) { last.copy_from(s); });
  EXPECT_NEAR(last.v[0], 1.0, 2e-4);
  EXPECT_NEAR(last.v[4] * b.radius, last.v[0], 1e-4);
}

// Of a solid cylinder without slip: 2/3 g sin(slope), with no trace of the rim being points.
TEST(Cylinder, RollsDownAnIncline) {
  const Eigen::Matrix3d R = Eigen::AngleAxisd(-0.2, Vector3d::UnitY()).toRotationMatrix();
  const double radius = 0.1, length = 0.3;
  system::InitialMotion motion;
  motion.p_WB = R * Vector3d(0.0, 0.0, radius - kGravity * std::cos(0.2) / 2e6);
  motion.q_WB =
      Eigen::Quaterniond(R * Eigen::AngleAxisd(M_PI / 2.0, Vector3d::UnitX()).toRotationMatrix());
  system::System system;
  system.set_gravity(Vector3d(0.0, 0.0, -kGravity));
  const double across = (3.0 * radius * radius + length * length) / 12.0;
  system.add_body(
      bodies::make_rigid_body(
          "cylinder", 1.0, Vector3d::Zero(),
          Eigen::Matrix3d(Vector3d(across, across, 0.5 * radius * radius).asDiagonal())),
      motion);
  add_contact(system, bodies::kGround, Plane{}, bodies::BodyIndex(0), Cylinder{radius, length},
              soft(), coulomb(0.5), 0.3, R);
  system.finalize();
  double v = 0.0;
  run(system, 0.5, 1e-3, 1e-7, [&](const State& s) { v = R.col(0).dot(s.v.head<3>()); });
  EXPECT_NEAR(-v, 2.0 / 3.0 * kGravity * std::sin(0.2) * 0.5, 1e-3);
}

}  // namespace
}  // namespace solidyn::contact

// Bodies that pass the ends of what they touch: their force goes over smoothly and adds nothing to
// the energy.
#include <gtest/gtest.h>

#include "ball.h"

namespace solidyn::contact {
namespace {

using system::State;

// Across the axis x of bores and bushes, which is their z.
const Eigen::Matrix3d kAlongX = Eigen::AngleAxisd(M_PI / 2.0, Vector3d::UnitY()).toRotationMatrix();

NormalLaw elastic(double stiffness, double exponent) {
  NormalLaw l;
  l.stiffness = stiffness;
  l.exponent = exponent;
  return l;
}

// The largest distance of the energy from that of the start, and where the ball is in the end.
struct Course {
  double deviation = 0.0;
  State last;
};
Course course(system::System& system, double duration, double tolerance) {
  Course result;
  double first = 0.0;
  run(system, duration, 1e-3, tolerance, [&](const State& s) {
    const double energy = testing_support::total_energy(system, s);
    if (s.t == 0.0) first = energy;
    result.deviation = std::max(result.deviation, std::abs(energy - first));
    result.last.copy_from(s);
  });
  return result;
}

// A ball, or a point, that slides along the bottom of a bore and drops over its end.
TEST(EndOfBore, IsPassedWithoutLossOrGainOfEnergy) {
  for (const double radius : {0.0, 1e-3, 0.04}) {
    const double K = 1e9, weight = kGravity, depth = std::pow(weight / K, 1.0 / 1.5);
    Body b;
    b.position = Vector3d(0.02, 0.0, -(0.05 - radius + depth));
    b.velocity = Vector3d(0.3, 0.0, 0.0);
    system::System system;
    system.set_gravity(Vector3d(0.0, 0.0, -kGravity));
    add_ball(system, b);
    add_contact(system, bodies::kGround, Cylinder{0.05, 0.06, Side::inner}, bodies::BodyIndex(0),
                Sphere{radius}, elastic(K, 1.5), {}, 0.1, kAlongX);
    system.finalize();
    const Course c = course(system, 0.2, 1e-8);
    const double kinetic = 0.5 * 0.3 * 0.3;
    EXPECT_LT(c.deviation, 2e-5 * kinetic) << radius;
    EXPECT_GT(c.last.q[0], 0.03 + radius) << radius;
    EXPECT_LT(c.last.v[2], -0.5) << radius;
  }
}

// A pin that lies in its bush, slides out of it and falls.
TEST(PinInBush, SlidesOutWithoutLossOrGainOfEnergy) {
  const double K = 1e8, depth = 0.5 * kGravity / K;
  system::System system;
  system.set_gravity(Vector3d(0.0, 0.0, -kGravity));
  system::InitialMotion motion;
  motion.p_WB = Vector3d(0.0, 0.0, -1e-4 - depth);
  motion.q_WB = Eigen::Quaterniond(kAlongX);
  motion.v_WB = Vector3d(0.2, 0.0, 0.0);
  system.add_body(bodies::make_rigid_body("pin", 1.0, Vector3d::Zero(),
                                          Eigen::Matrix3d(Vector3d(3e-4, 3e-4, 1e-4).asDiagonal())),
                  motion);
  add_contact(system, bodies::kGround, Cylinder{0.0101, 0.04, Side::inner}, bodies::BodyIndex(0),
              Cylinder{0.01, 0.06}, elastic(K, 1.0), {}, 0.1, kAlongX);
  system.finalize();
  const Course c = course(system, 0.5, 1e-10);
  EXPECT_LT(c.deviation,
            1e-4 * 0.5 * 0.2 * 0.2);  // of a hundred small bounces; falls with the tolerance
  EXPECT_GT(c.last.q[0], 0.05);
  EXPECT_NEAR(c.last.a[2], -kGravity, 1e-9);
}

}  // namespace
}  // namespace solidyn::contact

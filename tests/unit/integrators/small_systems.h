#pragma once
#include <cmath>
#include <memory>

#include "mechanisms.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/system/connect.h"

/// Systems of a body or two whose motion is known.
namespace solidyn::integrators::test_systems {

using Eigen::Matrix3d;
using Eigen::Vector3d;

/// m x'' + d x' + k x = f(t) along x, of a body that nothing holds otherwise.
struct Oscillator {
  double mass = 1.0, stiffness = 0.0, damping = 0.0, x0 = 0.0, v0 = 0.0;
  std::string force = "0";

  std::unique_ptr<system::System> make() const {
    auto system = std::make_unique<system::System>();
    system::InitialMotion motion;
    motion.p_WB = Vector3d(x0, 0, 0);
    motion.v_WB = Vector3d(v0, 0, 0);
    const auto body = system->add_body(
        bodies::make_rigid_body("mass", mass, Vector3d::Zero(), Matrix3d::Identity()), motion);
    const auto origin =
                   system::add_frame(*system, system::kGround, Vector3d::Zero(), Vector3d::UnitX()),
               centre = system::add_frame(*system, body, motion.p_WB, Vector3d::UnitX());
    forces::SpringDamper::Options options;
    options.stiffness = stiffness;
    options.damping = damping;
    system::add_spring(*system, "spring", bodies::PointAlongFrameAxis(Vector3d::UnitZ()), options,
                       {origin, centre});
    if (force != "0")
      system::add_load(
          *system, "push", centre,
          {math::TimeFunction::expression(force), math::TimeFunction(), math::TimeFunction()});
    system->finalize();
    return system;
  }
};

/// A free body of three different moments of inertia.
inline std::unique_ptr<system::System> make_free_body(const Vector3d& v, const Vector3d& w_B,
                                                      const Vector3d& gravity = Vector3d::Zero()) {
  auto system = std::make_unique<system::System>();
  system::InitialMotion motion;
  motion.p_WB = Vector3d(1, 2, 3);
  motion.q_WB = Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Vector3d(1, -1, 2).normalized()));
  motion.v_WB = v;
  motion.w_WB_B = w_B;
  system->set_gravity(gravity);
  system->add_body(
      bodies::make_rigid_body("body", 2.0, Vector3d::Zero(), Vector3d(1, 2, 3).asDiagonal()),
      motion);
  system->finalize();
  return system;
}

/// Bit for bit, small vectors and time.
inline void expect_same(const system::State& a, const system::State& b) {
  EXPECT_EQ(a.t, b.t);
  EXPECT_EQ(a.q, b.q);
  EXPECT_EQ(a.v, b.v);
  EXPECT_EQ(a.a, b.a);
  EXPECT_EQ(a.lambda, b.lambda);
  EXPECT_EQ(a.angles, b.angles);
}

}  // namespace solidyn::integrators::test_systems

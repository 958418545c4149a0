#pragma once
#include <functional>

#include "mechanisms.h"
#include "solidyn/analyses/dynamics.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/contact/contact_force.h"

/// A rigid ball or two with contacts, for impacts and friction against closed forms.
namespace solidyn::contact {

using Eigen::Vector3d;

constexpr double kGravity = 9.81;  // m/s^2

struct Body {
  double mass = 1.0, radius = 0.1;
  Vector3d position, velocity = Vector3d::Zero();  ///< world
};

/// Balls as solid spheres.
inline bodies::BodyIndex add_ball(system::System& system, const Body& b) {
  system::InitialMotion motion;
  motion.p_WB = b.position;
  motion.v_WB = b.velocity;
  const double inertia = 0.4 * b.mass * b.radius * b.radius;
  return system.add_body(
      bodies::make_rigid_body("ball", b.mass, Vector3d::Zero(),
                              Eigen::Matrix3d(Vector3d::Constant(inertia).asDiagonal())),
      motion);
}

inline bodies::FrameIndex add_frame(system::System& system, bodies::BodyIndex body,
                                    const Eigen::Matrix3d& R_BF) {
  bodies::Frame frame;
  frame.body = body;
  frame.R_BF = R_BF;
  return system.add_frame(frame);
}

inline void add_contact(system::System& system, bodies::BodyIndex body_A, const Shape& A,
                        bodies::BodyIndex body_B, const Shape& B, const NormalLaw& law,
                        const Friction& friction = {}, double resolution = 0.1,
                        const Eigen::Matrix3d& R_A = Eigen::Matrix3d::Identity()) {
  const auto frame_A = add_frame(system, body_A, R_A);
  const auto frame_B = add_frame(system, body_B, Eigen::Matrix3d::Identity());
  system.add_force(std::make_unique<ContactForce>("contact", system.link(frame_A, frame_B),
                                                  make_geometry(A, B), law, friction, resolution));
}

/// A ball above the plane z = 0 of the ground.
inline std::unique_ptr<system::System> ball_on_plane(const Body& b, const NormalLaw& law,
                                                     double gravity = 0.0,
                                                     const Friction& friction = {}) {
  auto system = std::make_unique<system::System>();
  system->set_gravity(Vector3d(0.0, 0.0, -gravity));
  add_ball(*system, b);
  add_contact(*system, bodies::kGround, Plane{}, bodies::BodyIndex(0), Sphere{b.radius}, law,
              friction);
  system->finalize();
  return system;
}

/// Runs the system, with fixed steps or adaptive ones (tolerance > 0), and looks at every state.
inline integrators::IntegratorStatistics run(
    system::System& system, double duration, double step, double tolerance,
    const std::function<void(const system::State&)>& look) {
  analyses::DynamicsOptions options;
  options.duration = duration;
  options.step = step;
  options.rho_infinity = 0.9;
  options.tolerance = 1e-12;
  if (tolerance > 0.0) options.adaptive = {tolerance, 1e-12, step};
  analyses::Dynamics dynamics(system, options);
  dynamics.start();
  look(dynamics.state());
  while (!dynamics.is_done()) {
    dynamics.advance();
    look(dynamics.state());
  }
  return dynamics.stepper().statistics();
}

}  // namespace solidyn::contact

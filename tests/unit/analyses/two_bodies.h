#pragma once
#include <optional>

#include "random_bodies.h"
#include "solidyn/analyses/sensors.h"
#include "solidyn/system/system.h"

namespace solidyn::analyses {

constexpr int kModes = 3;
constexpr double kStep = 1e-4;  // s, of differences

inline bodies::Frame random_frame(bodies::BodyIndex body, std::mt19937& generator) {
  bodies::Frame frame;
  frame.body = body;
  frame.x_B = testing_support::random_vector(generator, 3);
  frame.R_BF = testing_support::random_rotation(generator).toRotationMatrix();
  frame.Psi_t = testing_support::random_vector(generator, 3 * kModes, 0.3).reshaped(3, kModes);
  frame.Psi_r = testing_support::random_vector(generator, 3 * kModes, 0.3).reshaped(3, kModes);
  return frame;
}

// Two flexible bodies in random motion, each with a frame that sees its deformation.
struct TwoBodies {
  system::System system;
  system::State state;
  bodies::FrameIndex first, second;

  TwoBodies() {
    std::mt19937 generator(7);
    for (bodies::FrameIndex* frame : {&first, &second}) {
      const testing_support::MassCloud cloud(10, kModes, 4);
      system::InitialMotion motion;
      motion.p_WB = testing_support::random_vector(generator, 3);
      motion.q_WB = testing_support::random_rotation(generator);
      const auto body =
          system.add_body(std::make_unique<bodies::ModalBody>(
                              "cloud", cloud.invariants(), cloud.mass_matrix(), cloud.stiffness(2),
                              Eigen::MatrixXd::Zero(kModes, kModes), Eigen::VectorXd::Ones(kModes)),
                          motion);
      *frame = system.add_frame(random_frame(body, generator));
    }
    system.finalize();
    state = system.make_state();
    Eigen::VectorXd q;
    system.advance(
        state.q, testing_support::random_vector(generator, system.layout().n_velocities(), 0.3), q);
    state.q = q;
    state.v = testing_support::random_vector(generator, system.layout().n_velocities());
    state.a = testing_support::random_vector(generator, system.layout().n_velocities());
  }

  // Where the motion with constant `a` is after a short time, to second order.
  system::State after(double t) const {
    system::State s = state.clone();
    system.advance(state.q, t * state.v + 0.5 * t * t * state.a, s.q);
    s.v += t * state.a;
    return s;
  }

  Eigen::Vector3d read(const Sensor& sensor, const system::State& s) {
    system.update(s);
    system.update_accelerations();
    Eigen::Vector3d value;
    sensor.read({system, s}, value.data());
    return value;
  }

  Sensor sensor(FrameQuantity quantity, bodies::FrameIndex relative_to,
                std::optional<bodies::FrameIndex> axes_of = std::nullopt) const {
    using C = VectorComponent;
    return frame_sensor("s", quantity, second, relative_to, {C::x, C::y, C::z}, axes_of);
  }
};

}  // namespace solidyn::analyses

// A force law of our own: two bodies attract each other by 1 / r^2 and go round each other on
// ellipses.
//
//   out/extend/force/extend_force
//   mpirun -n 2 out/extend/force/extend_force     (the same numbers)
//
// Known: a round takes 2 pi sqrt(a^3 m / k), a the mean of the largest and the smallest distance
// and m = m_A m_B / (m_A + m_B) (Kepler's third law); the smallest distance is (1 - e) / (1 + e) of
// the largest, and the energy is -k / (2 a).
#include <solidyn/solidyn.h>

#include <cmath>
#include <memory>
#include <random>

#include "inverse_square.h"

using namespace solidyn;
using bodies::FramePair;
using bodies::Matrix12;
using bodies::Vector12;
using Eigen::Vector3d;

constexpr double kMassA = 3.0, kMassB = 1.0, kStrength = 12.0;  // kg, kg, N m^2
constexpr double kFarthest = 1.6, kEccentricity = 0.5;          // m

// How far the derivatives are from the differences of the wrench, of what they are.
double error_of_derivatives(const InverseSquare& law) {
  std::mt19937 generator(7);
  std::normal_distribution<double> normal;
  const auto random = [&] {
    return Vector3d(normal(generator), normal(generator), normal(generator));
  };
  bodies::FrameMotion A, B;
  for (bodies::FrameMotion* frame : {&A, &B}) {
    frame->p = random();
    frame->R = math::exp_rotation(random());
    frame->v = random();
    frame->w = random();
  }
  const auto wrench_at = [&](const Vector12& step, const Vector12& twist) {
    bodies::FrameMotion a = A, b = B;
    a.p += step.segment<3>(0);
    a.R *= math::exp_rotation(Vector3d(step.segment<3>(3)));
    b.p += step.segment<3>(6);
    b.R *= math::exp_rotation(Vector3d(step.segment<3>(9)));
    a.v += twist.segment<3>(0);
    a.w += twist.segment<3>(3);
    b.v += twist.segment<3>(6);
    b.w += twist.segment<3>(9);
    return law.wrench(FramePair{a, b}, 0.0);
  };
  const double h = 1e-6;
  const Vector12 none = Vector12::Zero();
  Matrix12 by_position = Matrix12::Zero(), by_twist = Matrix12::Zero();
  law.add_derivatives(FramePair{A, B}, 0.0, by_position, by_twist);
  const double size = by_position.norm() + by_twist.norm();
  for (int i = 0; i < 12; ++i) {
    const Vector12 e = h * Vector12::Unit(i);
    by_position.col(i) -= (wrench_at(e, none) - wrench_at(-e, none)) / (2 * h);
    by_twist.col(i) -= (wrench_at(none, e) - wrench_at(none, -e)) / (2 * h);
  }
  return (by_position.norm() + by_twist.norm()) / size;
}

bodies::BodyIndex add_body(system::System& mechanism, const char* name, double mass, double x,
                           double speed) {
  bodies::InitialMotion start;
  start.p_WB = {x, 0, 0};
  start.v_WB = {0, speed, 0};
  return mechanism.add_body(
      bodies::make_rigid_body(name, mass, Vector3d::Zero(), 1e-3 * Eigen::Matrix3d::Identity()),
      start);
}

struct Round {
  double time = 0.0, nearest = kFarthest, energy = 0.0;
};

Round go_round(double a, double reduced_mass, double period) {
  // Model: two free bodies about their common centre, as far apart as they come.
  const double speed = std::sqrt(kStrength / reduced_mass * (2 / kFarthest - 1 / a));
  const double part_A = kMassB / (kMassA + kMassB), part_B = 1 - part_A;
  system::System mechanism;
  const bodies::BodyIndex A =
      add_body(mechanism, "A", kMassA, -part_A * kFarthest, -part_A * speed);
  const bodies::BodyIndex B = add_body(mechanism, "B", kMassB, part_B * kFarthest, part_B * speed);
  const bodies::FrameIndex frame_A =
      system::add_frame(mechanism, A, mechanism.initial_motion(A).p_WB);
  const bodies::FrameIndex frame_B =
      system::add_frame(mechanism, B, mechanism.initial_motion(B).p_WB);
  mechanism.add_force(
      std::make_unique<InverseSquare>("attraction", mechanism.link(frame_A, frame_B), kStrength));
  mechanism.finalize();

  // Analysis: until they are farthest again, and a little more.
  analyses::DynamicsOptions options;
  options.duration = 1.01 * period;
  options.step = period / 8000;
  options.rho_infinity = 1.0;  // nothing here is to be damped
  analyses::Dynamics dynamics(mechanism, options);
  dynamics.start();

  // Results: d . dd/dt falls through zero where they are farthest.
  Round round;
  double t = 0, radial = 0;
  while (!dynamics.is_done()) {
    dynamics.advance();
    dynamics.refresh();
    const double t_before = t, before = radial;
    const auto& frames = mechanism.kinematics().frames;
    const Vector3d d = frames[frame_B].p - frames[frame_A].p;
    t = dynamics.state().t;
    radial = d.dot(frames[frame_B].v - frames[frame_A].v);
    round.nearest = std::min(round.nearest, d.norm());
    if (before > 0 && radial <= 0)
      round.time = t_before + (t - t_before) * before / (before - radial);
  }
  const bodies::Energy energy = mechanism.energy(dynamics.state());
  round.energy = energy.kinetic + energy.strain;
  return round;
}

int run() {
  const double a = kFarthest / (1 + kEccentricity);
  const double reduced_mass = kMassA * kMassB / (kMassA + kMassB);
  const double period = 2 * M_PI * std::sqrt(a * a * a * reduced_mass / kStrength);
  const double nearest = a * (1 - kEccentricity), energy = -kStrength / (2 * a);
  const double derivatives = error_of_derivatives(
      InverseSquare("law",
                    bodies::FrameLink({bodies::FrameIndex(0), bodies::BodyIndex(0), 6},
                                      {bodies::FrameIndex(1), bodies::BodyIndex(1), 6}),
                    kStrength));
  const Round found = go_round(a, reduced_mass, period);
  base::print_once("derivatives {:.0e} from differences\n", derivatives);
  base::print_once("round    {:.6f} s, by Kepler {:.6f} s\n", found.time, period);
  base::print_once("nearest  {:.6f} m, of the ellipse {:.6f} m\n", found.nearest, nearest);
  base::print_once("energy {:.6f} J, of the ellipse {:.6f} J\n", found.energy, energy);
  const bool agrees = derivatives < 1e-7 && std::abs(found.time / period - 1) < 1e-5 &&
                      std::abs(found.nearest / nearest - 1) < 1e-5 &&
                      std::abs(found.energy / energy - 1) < 1e-6;
  return agrees ? 0 : 1;
}

int main() { return base::run_program({}, run); }

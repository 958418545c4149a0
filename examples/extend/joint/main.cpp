// A joint of our own: a bead inside a horizontal pipe keeps its distance from the pipe's axis.
//
//   out/extend/joint/extend_joint
//   mpirun -n 2 out/extend/joint/extend_joint     (the same numbers)
//
// Known: it swings as a pendulum as long as the pipe's radius, T = 4 K(sin(amplitude / 2)) sqrt(r /
// g), goes along the pipe at a steady speed, and presses on it with m g (3 - 2 cos(amplitude)) at
// the lowest point.
#include <solidyn/solidyn.h>

#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "distance_from_axis.h"

using namespace solidyn;
using bodies::FramePair;
using Eigen::Vector3d;

constexpr double kRadius = 0.4, kMass = 0.2, kGravity = 9.81;     // m, kg, m/s^2
constexpr double kAmplitude = 70.0 * M_PI / 180.0, kSpeed = 0.3;  // rad, m/s

// How far J is from the differences of the value, and K from those of J, of what they are.
double error_of_derivatives(const bodies::UserCoordinate::Formula& coordinate) {
  std::mt19937 generator(7);
  std::normal_distribution<double> normal;
  const auto random = [&] {
    return Vector3d(normal(generator), normal(generator), normal(generator));
  };
  bodies::FrameMotion A, B;
  for (bodies::FrameMotion* frame : {&A, &B}) {
    frame->p = random();
    frame->R = math::exp_rotation(random());
  }
  const auto value_at = [&](const bodies::Vector12& step) {
    bodies::FrameMotion a = A, b = B;
    a.p += step.segment<3>(0);
    a.R *= math::exp_rotation(Vector3d(step.segment<3>(3)));
    b.p += step.segment<3>(6);
    b.R *= math::exp_rotation(Vector3d(step.segment<3>(9)));
    return coordinate.value(FramePair{a, b});
  };
  const double h = 1e-6;
  bodies::Row12 J;
  bodies::Matrix12 K = bodies::Matrix12::Zero(), K_by_differences;
  for (int i = 0; i < 12; ++i) {
    const bodies::Vector12 e = h * bodies::Vector12::Unit(i);
    const auto ahead = value_at(e), behind = value_at(-e);
    J[i] = (ahead.value - behind.value) / (2 * h);
    K_by_differences.col(i) = (ahead.J - behind.J).transpose() / (2 * h);
  }
  const FramePair pair{A, B};
  coordinate.add_stiffness(pair, 1.0, K);
  return std::max((coordinate.value(pair).J - J).norm() / J.norm(),
                  (K - K_by_differences).norm() / K.norm());
}

struct Findings {
  double period = 0.0, pressure = 0.0, drift = 0.0;
};

Findings swing(const std::shared_ptr<const DistanceFromAxis>& coordinate, double period) {
  // Model: the pipe along y on the ground, and a bead that may turn as it likes.
  system::System mechanism;
  mechanism.set_gravity({0, 0, -kGravity});
  bodies::InitialMotion start;
  start.p_WB = kRadius * Vector3d(std::sin(kAmplitude), 0, -std::cos(kAmplitude));
  start.v_WB = {0, kSpeed, 0};
  const bodies::BodyIndex bead = mechanism.add_body(
      bodies::make_rigid_body("bead", kMass, Vector3d::Zero(), 1e-6 * Eigen::Matrix3d::Identity()),
      start);
  const system::FramesOfPair frames = {
      system::add_frame(mechanism, system::kGround, Vector3d::Zero(), Vector3d::UnitY()),
      system::add_frame(mechanism, bead, start.p_WB)};
  joints::JointRows rows;
  rows.primitives.emplace_back(bodies::UserCoordinate(coordinate), kRadius);
  rows.names.emplace_back("distance from the axis");
  const bodies::ConstraintIndex pipe = system::add_joint(mechanism, "pipe", rows, frames);
  mechanism.finalize();

  // Analysis: two swings.
  analyses::DynamicsOptions options;
  options.duration = 2 * period;
  options.step = 5e-4;
  analyses::Dynamics dynamics(mechanism, options);
  dynamics.start();

  // Results: when it passes the lowest point from behind, and the pressure there.
  Findings found;
  std::vector<double> passed;
  double t = 0, x = start.p_WB.x();
  while (!dynamics.is_done()) {
    dynamics.advance();
    dynamics.refresh();
    const double t_before = t, before = x;
    const bodies::Kinematics& now = mechanism.kinematics();
    t = dynamics.state().t;
    x = now.bodies[bead].p_WB.x();
    found.pressure = std::max(found.pressure, std::abs(now.multipliers[pipe][0]));
    found.drift = std::abs(now.bodies[bead].p_WB.y() - kSpeed * t);
    if (before < 0 && x >= 0) passed.push_back(t_before + (t - t_before) * before / (before - x));
  }
  if (passed.size() == 2) found.period = passed[1] - passed[0];
  return found;
}

int run() {
  const auto coordinate = std::make_shared<DistanceFromAxis>();
  const double derivatives = error_of_derivatives(*coordinate);
  const double period =
      4 * std::comp_ellint_1(std::sin(kAmplitude / 2)) * std::sqrt(kRadius / kGravity);
  const double pressure = kMass * kGravity * (3 - 2 * std::cos(kAmplitude));
  const Findings found = swing(coordinate, period);
  base::print_once("derivatives {:.0e} from differences\n", derivatives);
  base::print_once("period   {:.5f} s, of the pendulum {:.5f} s\n", found.period, period);
  base::print_once("pressure {:.4f} N, by the speed {:.4f} N\n", found.pressure, pressure);
  const bool agrees = derivatives < 1e-7 && std::abs(found.period / period - 1) < 1e-5 &&
                      std::abs(found.pressure / pressure - 1) < 1e-4 && found.drift < 1e-9;
  return agrees ? 0 : 1;
}

int main() { return base::run_program({}, run); }

// A rod of 1 m swings from a hinge, let go at 60 degrees: how long does a swing take?
//
//   out/cpp/pendulum                 out/cpp/pendulum 170
//   mpirun -n 2 out/cpp/pendulum     (the same numbers)
//
// The period is known by an elliptic integral: T = 4 K(sin(amplitude / 2)) sqrt(2 L / (3 g)).
#include <solidyn/solidyn.h>

#include <cmath>
#include <string>
#include <vector>

using namespace solidyn;
using Eigen::Vector3d;

constexpr double kLength = 1.0, kMass = 0.5, kGravity = 9.81;  // m, kg, m/s^2

// The rod at an angle about y, its upper end at the origin; body axes at its centre, z along it.
bodies::InitialMotion hanging_at(double angle) {
  bodies::InitialMotion motion;
  motion.q_WB = Eigen::AngleAxisd(angle, Vector3d::UnitY());
  motion.p_WB = motion.q_WB * Vector3d(0, 0, -kLength / 2);
  return motion;
}

int swing(double amplitude) {
  // Model: the ground, a rod, a hinge.
  system::System mechanism;
  mechanism.set_gravity({0, 0, -kGravity});
  const double slender = kMass * kLength * kLength / 12;  // about the centre
  const auto rod =
      mechanism.add_body(bodies::make_rigid_body("rod", kMass, Vector3d::Zero(),
                                                 Vector3d(slender, slender, 1e-6).asDiagonal()),
                         hanging_at(amplitude));
  const auto hinge =
      system::add_frames(mechanism, system::kGround, rod, Vector3d::Zero(), Vector3d::UnitY());
  system::add_joint(mechanism, "hinge", joints::JointType::revolute, hinge);
  const auto turned = mechanism.tracked_link(hinge.A, hinge.B).angle();  // from where it starts
  mechanism.finalize();

  // Analysis: two swings, in steps of 1 ms.
  const double period =
      4 * std::comp_ellint_1(std::sin(amplitude / 2)) * std::sqrt(2 * kLength / (3 * kGravity));
  analyses::DynamicsOptions options;
  options.duration = 2 * period;
  options.step = 1e-3;
  analyses::Dynamics dynamics(mechanism, options);
  dynamics.start();

  // Results: the angle every tenth of a second, and when it passes the lowest point backwards,
  // after 3/4 and 7/4 of a swing.
  base::print_once("time s   angle deg\n");
  std::vector<double> passed;
  double t = 0, angle = amplitude;
  while (!dynamics.is_done()) {
    dynamics.advance();
    dynamics.refresh();
    const double t_before = t, before = angle;
    t = dynamics.state().t;
    angle = amplitude + mechanism.kinematics().angles[turned];
    if (before < 0 && angle >= 0)
      passed.push_back(t_before + (t - t_before) * before / (before - angle));
    if (dynamics.steps() % 100 == 0) base::print_once("{:6.1f} {:11.4f}\n", t, angle * 180 / M_PI);
  }

  const double found = passed.size() == 2 ? passed[1] - passed[0] : 0.0;
  const double error = std::abs(found / period - 1);
  base::print_once("period {:.7f} s, by the elliptic integral {:.7f} s: {:.1e} apart\n", found,
                   period, error);
  return error < 1e-5 ? 0 : 1;
}

int main(int argc, char** argv) {
  const double degrees = argc > 1 ? std::stod(argv[1]) : 60.0;
  return base::run_program({}, [&] { return swing(degrees * M_PI / 180); });
}

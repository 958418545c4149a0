// Every kind of joint closes a loop of two swinging bodies; what it does must not change the
// energy.
#include <gtest/gtest.h>

#include <functional>

#include "mechanisms.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/joints/coupler.h"
#include "solidyn/system/scales.h"

namespace solidyn {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using joints::Joint;
using joints::JointRows;
using joints::JointType;
using system::InitialMotion;
using system::System;
using testing_support::frame_at;

const Vector3d kJoint(1.0, 0.1, 0.0), kAxis = Vector3d(0.3, -0.2, 1.0).normalized();

InitialMotion moving(const Vector3d& p, const Vector3d& w, const Vector3d& turn) {
  InitialMotion m;
  m.p_WB = p;
  m.w_WB_B = w;
  m.q_WB = Eigen::AngleAxisd(turn.norm(), turn.normalized());
  return m;
}

void join(System& s, const char* name, bodies::FrameIndex A, bodies::FrameIndex B,
          const JointRows& rows) {
  s.add_constraint(
      std::make_unique<Joint>(name, s.tracked_link(A, B), rows.primitives, rows.names));
}

// Two heavy bodies that point in different directions and turn from the start.
struct Pair {
  System system;
  InitialMotion first = moving({0.5, 0.0, 0.1}, {0.3, 1.0, -0.5}, {0.2, 0.4, -0.1});
  InitialMotion second = moving({1.5, 0.2, 0.1}, {-0.4, 0.2, 0.8}, {-0.3, 0.1, 0.5});
  Pair() {
    system.set_gravity(Vector3d(0.0, -9.81, 0.0));
    const Matrix3d inertia = Vector3d(0.05, 0.1, 0.12).asDiagonal();
    system.add_body(bodies::make_rigid_body("first", 2.0, Vector3d(0.05, 0.0, 0.02), inertia),
                    first);
    system.add_body(bodies::make_rigid_body("second", 1.5, Vector3d::Zero(), inertia), second);
  }
  bodies::FrameIndex frame(bodies::BodyIndex body, const Vector3d& p, const Vector3d& axis) {
    return system.add_frame(frame_at(body, body == bodies::BodyIndex(0) ? first : second, p, axis));
  }
  void hang(bodies::BodyIndex body, JointType type, const Vector3d& p, const Vector3d& axis) {
    join(system, "hanger", frame(bodies::kGround, p, axis), frame(body, p, axis),
         joints::joint_rows(type));
  }
};

using Close = std::function<void(Pair&)>;

// The first hangs on a ball, the second slides on a plane, and the joint is between them.
Close closed_by(const JointRows& rows, const Vector3d& to = kJoint, const Vector3d& axis = kAxis,
                const Vector3d& second_axis = kAxis) {
  return [=](Pair& m) {
    m.hang(bodies::BodyIndex(0), JointType::spherical, Vector3d::Zero(), Vector3d::UnitZ());
    m.hang(bodies::BodyIndex(1), JointType::point_on_plane, Vector3d(2, 0, 0),
           Vector3d(0.0, 1.0, 0.4));
    join(m.system, "joint", m.frame(bodies::BodyIndex(0), kJoint, axis),
         m.frame(bodies::BodyIndex(1), to, second_axis), rows);
  };
}

Close closed_by(JointType type) { return closed_by(joints::joint_rows(type)); }

// Both hang on the ground, and coordinates of their hangers are coupled.
Close coupled(JointType first, JointType second, std::vector<bodies::Coordinate> coordinates,
              std::vector<double> factors) {
  return [=](Pair& m) {
    const auto A = m.frame(bodies::kGround, Vector3d::Zero(), kAxis),
               B = m.frame(bodies::BodyIndex(0), Vector3d::Zero(), kAxis);
    // The second rides on the first, which therefore is the carrier of the coupling.
    const auto C = m.frame(bodies::BodyIndex(0), kJoint, kAxis),
               D = m.frame(bodies::BodyIndex(1), kJoint, kAxis);
    join(m.system, "first", A, B, joints::joint_rows(first));
    join(m.system, "second", C, D, joints::joint_rows(second));
    std::vector<joints::Coupler::Term> terms;
    for (std::size_t i = 0; i < coordinates.size(); ++i) {
      const bodies::FrameIndex from = i == 0 ? A : C, onto = i == 0 ? B : D;
      terms.push_back({m.system.tracked_link(from, onto), coordinates[i], factors[i]});
    }
    m.system.add_constraint(std::make_unique<joints::Coupler>("coupler", std::move(terms), 0.0));
  };
}

struct Case {
  const char* name;
  Close close;
};

std::vector<Case> cases() {
  const bodies::Coordinate angle = bodies::RotationAngle();
  const bodies::Coordinate slide = bodies::PointAlongFrameAxis(Vector3d::UnitZ());
  const Vector3d upright = kAxis.cross(Vector3d::UnitX()).normalized();
  return {{"fixed", closed_by(JointType::fixed)},
          {"spherical", closed_by(JointType::spherical)},
          {"revolute", closed_by(JointType::revolute)},
          {"cylindrical", closed_by(JointType::cylindrical)},
          {"prismatic", closed_by(JointType::prismatic)},
          {"planar", closed_by(JointType::planar)},
          {"universal", closed_by(JointType::universal)},
          {"constant_velocity", closed_by(JointType::constant_velocity)},
          {"point_on_line", closed_by(JointType::point_on_line)},
          {"point_on_plane", closed_by(JointType::point_on_plane)},
          {"parallel_axes", closed_by(JointType::parallel_axes)},
          {"perpendicular_axes", closed_by(JointType::perpendicular_axes)},
          {"orientation", closed_by(JointType::orientation)},
          {"screw", closed_by(joints::screw_rows(0.2))},
          {"distance", closed_by(joints::distance_rows(0.5), kJoint + Vector3d(0.4, 0.3, 0.0))},
          {"rolling", closed_by(joints::rolling_rows(0.3), kJoint + 0.3 * kAxis, kAxis, upright)},
          {"gear", coupled(JointType::revolute, JointType::revolute, {angle, angle}, {1.5, 1.0})},
          {"rack_and_pinion",
           coupled(JointType::revolute, JointType::prismatic, {angle, slide}, {-0.2, 1.0})},
          {"coupler", coupled(JointType::revolute, JointType::cylindrical, {angle, slide, angle},
                              {0.3, 1.0, -0.4})}};
}

class ClosedLoop : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(All, ClosedLoop, testing::ValuesIn(cases()),
                         [](const auto& info) { return std::string(info.param.name); });

struct Swing {
  double energy_error = 0.0, kinetic = 0.0;  // J: largest change of the sum; largest kinetic energy
};

Swing swing(const Case& c, int n_steps) {
  Pair m;
  c.close(m);
  m.system.finalize();
  integrators::GeneralizedAlphaOptions options;
  options.rho_infinity = 0.9;
  options.tolerance = 1e-12;
  system::State state = testing_support::start(m.system);
  const double start = testing_support::total_energy(m.system, state);
  const system::Redundancy redundancy =
      system::find_redundancy(m.system, increment_weights(m.system, 1.0));
  if (!redundancy.rows.empty())
    options.regularization = system::redundancy_regularization(m.system);
  integrators::GeneralizedAlpha integrator(m.system, options);
  integrator.initialize(state);
  Swing found;
  for (int i = 0; i < n_steps; ++i) {
    integrator.step(state, 0.5 / n_steps);
    m.system.accept(state);
    const double energy = testing_support::total_energy(m.system, state);
    found.energy_error = std::max(found.energy_error, std::abs(energy - start));
    found.kinetic = std::max(found.kinetic, m.system.energy(state).kinetic);
  }
  return found;
}

TEST_P(ClosedLoop, KeepsItsEnergyToSecondOrder) {
  const Swing coarse = swing(GetParam(), 500), fine = swing(GetParam(), 1000);
  EXPECT_GT(fine.kinetic, 0.5);
  EXPECT_LT(fine.energy_error, 5e-4 * fine.kinetic);
  EXPECT_GT(coarse.energy_error, 3.5 * fine.energy_error);
}

}  // namespace
}  // namespace solidyn

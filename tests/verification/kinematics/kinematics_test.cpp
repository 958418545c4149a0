// Positions, velocities and accelerations of a driven mechanism against closed forms, the torque of
// its drive against the power balance and against dynamics, and what is said where drives do not
// determine the motion.
#include <fmt/format.h>
#include <gmock/gmock.h>

#include <cmath>

#include "solidyn/analyses/dynamics.h"
#include "solidyn/base/error.h"
#include "solidyn/model/build.h"
#include "solidyn/model/load.h"

namespace solidyn::analyses {
namespace {

constexpr double kCrank = 0.15, kRod = 0.4;

// A slider-crank whose crank turns by `angle` of t.
std::string slider_crank(const std::string& angle, const std::string& analysis, double rod = kRod) {
  const std::string drive =
      angle.empty()
          ? ""
          : fmt::format("  drive: {{type: rotation_drive, joint: bearing, angle: {}}}\n", angle);
  return fmt::format(
      R"(solidyn: 1
gravity: [0, -9.81, 0]
bodies:
  crank: {{type: rigid, mass: 0.7, center_of_mass: [{0}, 0, 0], inertia: [1e-4, 2e-3, 2e-3]}}
  rod: {{type: rigid, mass: 0.5, center_of_mass: [{1}, 0, 0], inertia: [1e-4, 4e-3, 4e-3], pose: {{position: [{2}, 0, 0]}}}}
  slider: {{type: rigid, mass: 1.2, inertia: [1e-3, 1e-3, 1e-3], pose: {{position: [{3}, 0, 0]}}}}
joints:
  bearing: {{type: revolute, between: [ground, crank], at: [0, 0, 0], axis: [0, 0, 1]}}
  pin: {{type: revolute, between: [crank, rod], at: [{2}, 0, 0], axis: [0, 0, 1]}}
  wrist: {{type: spherical, between: [rod, slider], at: [{3}, 0, 0]}}
  guide: {{type: prismatic, between: [ground, slider], at: [{3}, 0, 0], axis: [1, 0, 0]}}
{4}sensors:
  x: {{type: position, of: slider, component: x}}
  v: {{type: velocity, of: slider, component: x}}
  a: {{type: acceleration, of: slider, component: x}}
  kinetic: {{type: energy, kind: kinetic}}
  potential: {{type: energy, kind: potential}}
{5}analyses:
  - {6}
)",
      0.5 * kCrank, 0.5 * rod, kCrank, kCrank + rod, drive,
      angle.empty() ? "" : "  torque: {type: reaction, joint: drive, component: torque_z}\n",
      analysis);
}

struct Row {
  double t, x, v, a, energy, torque, drift;
};

std::vector<Row> run(const std::string& text) {
  const model::ModelDescription description = model::parse_model(text, "model", ".");
  const auto built = model::build(MPI_COMM_SELF, description, {});
  Dynamics dynamics(
      built->system,
      model::dynamics_options(std::get<model::DynamicsDescription>(description.analyses[0]), {}));
  std::vector<Row> rows;
  const auto record = [&] {
    dynamics.observe();
    double x[6];
    for (std::size_t i = 0; i < built->sensors.size(); ++i)
      built->sensors[i].read({built->system, dynamics.state()}, &x[i]);
    rows.push_back({dynamics.state().t, x[0], x[1], x[2], x[3] + x[4], x[5],
                    dynamics.monitor().relative_drift()});
  };
  dynamics.start();
  record();
  while (!dynamics.is_done()) {
    dynamics.advance();
    record();
  }
  return rows;
}

TEST(Kinematics, SliderFollowsItsClosedForm) {
  const double w = 20.0;
  for (const Row& row : run(slider_crank("\"20*t\"", "kinematics: {duration: 0.7, step: 0.01}"))) {
    const double s = std::sin(w * row.t), c = std::cos(w * row.t);
    const double root = std::sqrt(kRod * kRod - kCrank * kCrank * s * s);
    const double dx = -kCrank * s - kCrank * kCrank * s * c / root;  // by the crank's angle
    const double ddx = -kCrank * c - kCrank * kCrank * (c * c - s * s) / root -
                       std::pow(kCrank, 4) * s * s * c * c / std::pow(root, 3);
    EXPECT_NEAR(row.x, kCrank * c + root, 1e-11);
    EXPECT_NEAR(row.v, w * dx, 1e-9);
    EXPECT_NEAR(row.a, w * w * ddx, 1e-7);
  }
}

// The drive's torque about its axis, on the crank, times the speed is the rate of the energy.
TEST(Kinematics, TorqueOfTheDriveBalancesThePower) {
  const double h = 1e-4, w = 20.0;
  const std::vector<Row> rows =
      run(slider_crank("\"20*t\"", "kinematics: {duration: 0.1, step: 1e-4}"));
  double largest = 0.0;
  for (std::size_t i = 1; i + 1 < rows.size(); ++i) {
    const double power = (rows[i + 1].energy - rows[i - 1].energy) / (2.0 * h);
    EXPECT_NEAR(rows[i].torque * w, power, 2e-3) << rows[i].t;
    largest = std::max(largest, std::abs(power));
  }
  EXPECT_GT(largest, 100.0);
  EXPECT_LT(rows.back().drift, 1e-5);
}

TEST(Kinematics, AgreesWithDynamics) {
  const auto kinematics = run(slider_crank("\"3*t^2\"", "kinematics: {duration: 1, step: 0.01}"));
  const auto dynamics = run(slider_crank(
      "\"3*t^2\"", "dynamics: {duration: 1, step: 5e-4, rho_infinity: 0.9, tolerance: 1e-11}"));
  for (std::size_t i = 0; i < kinematics.size(); ++i) {
    EXPECT_NEAR(kinematics[i].x, dynamics[20 * i].x, 1e-9);
    EXPECT_NEAR(kinematics[i].torque, dynamics[20 * i].torque, 2e-3);
  }
}

std::string refusal(const std::string& text) {
  try {
    run(text);
  } catch (const base::InputError& e) {
    return e.what();
  } catch (const base::ComputationError& e) {
    return std::string("failed: ") + e.what();
  }
  return "";
}

TEST(Kinematics, NamesWhatTheDrivesLeaveFree) {
  const std::string message = refusal(slider_crank("", "kinematics: {duration: 1, step: 0.01}"));
  EXPECT_THAT(message, testing::HasSubstr("the drives leave 1 motion of the mechanism free"));
  EXPECT_THAT(message, testing::HasSubstr("can move: crank, rod\n"));
  // The slider, at its dead point, does not move to first order.
}

// A rod shorter than the crank: the crank cannot go round.
TEST(Kinematics, SaysWhereTheMechanismLocks) {
  const double rod = 0.1;
  const std::string message =
      refusal(slider_crank("\"20*t\"", "kinematics: {duration: 0.7, step: 0.001}", rod));
  EXPECT_THAT(message,
              testing::StartsWith("failed: t = 0.037"));  // asin(rod / crank) / 20 = 0.0365
  EXPECT_THAT(message, testing::HasSubstr("the drives cannot be followed"));
}

// Its elements have no coordinates of their own, and come last among the bodies.
TEST(Kinematics, MovesABeamAllOfWhoseStrainsAreGiven) {
  const std::vector<Row> rows = run(R"(solidyn: 1
materials: {soft: {youngs_modulus: 2.0e9, poissons_ratio: 0.25, density: 1000}}
bodies:
  finger:
    type: beam
    points: {root: [0, 0, 0], tip: [1, 0, 0]}
    elements: 8
    section: {type: rectangle, width: 0.02, height: 0.01}
    material: soft
    curvature_rule: magnus
    fixed_strains: [stretch, twist, curvature_y]
    driven_strains: {curvature_z: '2*sin(4.9*t)'}
joints: {
wall : {
type:
  fixed, between : [ ground, finger.root ]
}
}
sensors:
  x: {type: position, of: finger.tip, component: x}
  v: {type: velocity, of: finger.tip, component: x}
  a: {type: acceleration, of: finger.tip, component: x}
  kinetic: {type: energy, kind: kinetic}
  potential: {type: energy, kind: potential}
  torque: {type: reaction, joint: wall, component: torque_z}
analyses:
  - kinematics: {duration: 0.2, step: 0.001}
)");
  ASSERT_EQ(rows.size(), 201u);
  for (const Row& row : rows) {
    const double c = 2.0 * std::sin(4.9 * row.t);
    EXPECT_NEAR(row.x, c == 0.0 ? 1.0 : std::sin(c) / c, 1e-6) << row.t;
  }
}

}  // namespace
}  // namespace solidyn::analyses

// What sensors say of energies, momenta, forces, drives and contacts, where it can be counted by
// hand.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "mechanisms.h"
#include "random_bodies.h"
#include "solidyn/analyses/contact_sensor.h"
#include "solidyn/analyses/force_sensors.h"
#include "solidyn/analyses/sensors.h"
#include "solidyn/base/error.h"
#include "solidyn/contact/contact_force.h"
#include "solidyn/system/connect.h"

namespace solidyn::analyses {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::TimeFunction;
using system::FramesOfPair;
using system::kGround;
using testing::ElementsAre;

std::vector<double> read(const Sensor& sensor, system::System& system, const system::State& state) {
  std::vector<double> values(sensor.columns.size(), std::nan(""));
  sensor.read({system, state}, values.data());
  return values;
}

std::vector<std::string> names(const Sensor& sensor) {
  std::vector<std::string> all;
  for (const Sensor::Column& column : sensor.columns)
    all.push_back(column.name + " [" + column.unit + "]");
  return all;
}

constexpr double kMass = 2.0;
const Vector3d kMoments(0.3, 0.4, 0.5), kGravity(0.0, 0.0, -9.81);

/// Two rigid bodies in known motion, and a spring with a damper between their origins.
struct TwoInMotion {
  system::System system;
  bodies::BodyIndex first, second;
  forces::ForceIndex spring;
  system::State state;

  TwoInMotion() {
    system.set_gravity(kGravity);
    first = add("first", {1, 0, 2}), second = add("second", {1, 4, 5});
    forces::SpringDamper::Options options;
    options.stiffness = 100.0, options.free = 4.5, options.damping = 7.0, options.preload = 3.0;
    spring =
        add_spring(system, "strut", bodies::Distance(), options, {frame(first), frame(second)});
    system.finalize();
    state = system.make_state();
    set(first, {1, 2, 3}, {0.5, -0.6, 0.7}), set(second, {0, -3, 4}, {-0.1, 0.2, 0.3});
    system.update(state);
  }
  bodies::BodyIndex add(const char* name, const Vector3d& p) {
    system::InitialMotion motion;
    motion.p_WB = p;
    motion.q_WB = Eigen::Quaterniond(Eigen::AngleAxisd(0.7, Vector3d(1, 2, -1).normalized()));
    return system.add_body(
        bodies::make_rigid_body(name, kMass, Vector3d::Zero(), kMoments.asDiagonal()), motion);
  }
  bodies::FrameIndex frame(bodies::BodyIndex body) {
    bodies::Frame frame;
    frame.body = body;
    return system.add_frame(frame);
  }
  void set(bodies::BodyIndex body, const Vector3d& v, const Vector3d& w_B) {
    state.v.segment<6>(system.layout().velocity_offset(body)) << v, w_B;
  }
  Matrix3d R() const {
    return Eigen::AngleAxisd(0.7, Vector3d(1, 2, -1).normalized()).toRotationMatrix();
  }
  double one(const Sensor& sensor) { return read(sensor, system, state).at(0); }
};

TEST(EnergySensor, OfABodyIsItsMotionAndHeight) {
  TwoInMotion two;
  const Vector3d v(1, 2, 3), w(0.5, -0.6, 0.7);
  const double kinetic = 0.5 * kMass * v.squaredNorm() + 0.5 * w.dot(kMoments.cwiseProduct(w)),
               potential = kMass * 9.81 * 2.0;
  EXPECT_NEAR(two.one(energy_sensor("e", EnergyPart::kinetic, {two.first})), kinetic, 1e-13);
  EXPECT_NEAR(two.one(energy_sensor("e", EnergyPart::potential, {two.first})), potential, 1e-13);
  EXPECT_EQ(two.one(energy_sensor("e", EnergyPart::strain, {two.first})), 0.0);
  EXPECT_NEAR(two.one(energy_sensor("e", EnergyPart::total, {two.first})), kinetic + potential,
              1e-13);
  EXPECT_THAT(names(energy_sensor("e", EnergyPart::total, {})), ElementsAre("e [J]"));
}

// A spring belongs to no body: it counts in the whole alone.
TEST(EnergySensor, OfTheWholeHasTheSpringsToo) {
  TwoInMotion two;
  const double x = 5.0 - 4.5;
  EXPECT_NEAR(two.one(energy_sensor("e", EnergyPart::strain, {})), 0.5 * 100.0 * x * x + 3.0 * x,
              1e-12);
  double of_bodies = 0.0;
  for (const auto body : {two.first, two.second})
    of_bodies += two.one(energy_sensor("e", EnergyPart::total, {body}));
  EXPECT_NEAR(two.one(energy_sensor("e", EnergyPart::total, {two.first, two.second})), of_bodies,
              1e-12);
  EXPECT_NEAR(two.one(energy_sensor("e", EnergyPart::total, {})) -
                  two.one(energy_sensor("e", EnergyPart::strain, {})),
              of_bodies, 1e-12);
}

TEST(MomentumSensor, IsTheSumOverBodiesAboutTheWorldOrigin) {
  TwoInMotion two;
  using C = VectorComponent;
  const Vector3d linear = kMass * (Vector3d(1, 2, 3) + Vector3d(0, -3, 4));
  Vector3d angular = Vector3d(1, 0, 2).cross(kMass * Vector3d(1, 2, 3)) +
                     Vector3d(1, 4, 5).cross(kMass * Vector3d(0, -3, 4));
  for (const Vector3d& w : {Vector3d(0.5, -0.6, 0.7), Vector3d(-0.1, 0.2, 0.3)})
    angular += two.R() * kMoments.cwiseProduct(w);
  const Sensor p = momentum_sensor("p", MomentumPart::linear, {C::x, C::z, C::magnitude});
  EXPECT_THAT(names(p), ElementsAre("p.x [kg m/s]", "p.z [kg m/s]", "p.magnitude [kg m/s]"));
  const auto values = read(p, two.system, two.state);
  EXPECT_NEAR(values[0], linear.x(), 1e-13);
  EXPECT_NEAR(values[1], linear.z(), 1e-13);
  EXPECT_NEAR(values[2], linear.norm(), 1e-13);
  const Sensor L = momentum_sensor("L", MomentumPart::angular, {C::x, C::y, C::z});
  const auto about_origin = read(L, two.system, two.state);
  EXPECT_LT((Vector3d(about_origin.data()) - angular).norm(), 1e-13);
  EXPECT_THAT(names(momentum_sensor("L", MomentumPart::angular, {C::y})),
              ElementsAre("L [kg m^2/s]"));
}

TEST(ForceSensor, ReadsTheForceItsEnergyAndItsPower) {
  TwoInMotion two;
  const auto& readings = two.system.force(two.spring).readings();
  std::vector<ForceColumn> columns;
  for (int i = 0; i < static_cast<int>(readings.size() + forces::readings_of_every_force().size());
       ++i)
    columns.push_back({i, {"c" + std::to_string(i), ""}});
  const auto values =
      read(force_sensor(two.spring, JointSide::second, ReactionAxes::world, columns), two.system,
           two.state);
  const Vector3d along(0, 0.8, 0.6);
  const double rate = along.dot(Vector3d(0, -3, 4) - Vector3d(1, 2, 3)), x = 0.5,
               tension = 100.0 * x + 7.0 * rate + 3.0;
  EXPECT_NEAR(values[0], 5.0, 1e-14);
  EXPECT_NEAR(values[1], x, 1e-14);
  EXPECT_NEAR(values[2], rate, 1e-14);
  EXPECT_NEAR(values[3], tension, 1e-12);
  EXPECT_LT((Vector3d(&values[4]) + tension * along).norm(),
            1e-12);  // pulls the second towards the first
  EXPECT_LT(Vector3d(&values[7]).norm(), 1e-12);
  EXPECT_NEAR(values[10], 0.5 * 100.0 * x * x + 3.0 * x, 1e-12);
  EXPECT_NEAR(values[11], -7.0 * rate * rate, 1e-12);  // what the damper takes
}

TEST(ForceSensor, GivesTheSideAndAxesThatAreAskedFor) {
  TwoInMotion two;
  const int first_of_wrench = static_cast<int>(two.system.force(two.spring).readings().size());
  std::vector<ForceColumn> columns;
  for (int i = 0; i < 3; ++i) columns.push_back({first_of_wrench + i, {"f", "N"}});
  const auto force = [&](JointSide side, ReactionAxes axes) {
    const auto values = read(force_sensor(two.spring, side, axes, columns), two.system, two.state);
    return Vector3d(values.data());
  };
  const Vector3d on_second = force(JointSide::second, ReactionAxes::world);
  EXPECT_LT((force(JointSide::first, ReactionAxes::world) + on_second).norm(), 1e-12);
  EXPECT_LT((two.R() * force(JointSide::second, ReactionAxes::first) - on_second).norm(), 1e-12);
  EXPECT_LT((two.R() * force(JointSide::first, ReactionAxes::second) + on_second).norm(), 1e-12);
}

/// A slide along a skew axis with two springs along it, and a hinge with one about it.
struct SlideAndHinge {
  system::System system;
  bodies::BodyIndex body;
  std::vector<forces::ForceIndex> along, about;
  const Vector3d axis = Vector3d(1, -2, 0.5).normalized();
  system::State state;

  SlideAndHinge() {
    body = system.add_body(
        bodies::make_rigid_body("body", kMass, Vector3d::Zero(), kMoments.asDiagonal()), {});
    const FramesOfPair frames = add_frames(system, kGround, body, {0.4, -0.2, 0.7}, axis);
    forces::SpringDamper::Options options;
    options.stiffness = 10.0, options.free = 0.3;
    along.push_back(add_spring(system, "soft", bodies::PointAlongFrameAxis(Vector3d::UnitZ()),
                               options, frames));
    options.stiffness = 40.0, options.free = -0.1;
    along.push_back(add_spring(system, "stiff", bodies::PointAlongFrameAxis(Vector3d::UnitZ()),
                               options, frames));
    options.stiffness = 6.0, options.free = 0.5;
    about.push_back(add_spring(system, "coil", bodies::RotationAngle(), options, frames));
    system.finalize();
    state = system.make_state();
    system.update(state);
  }
};

TEST(JointForceSensor, SumsTheForcesOnTheSecondPlaceInTheAxesOfAFrame) {
  SlideAndHinge s;
  const double force = 10.0 * 0.3 - 40.0 * 0.1, torque = 6.0 * 0.5;
  EXPECT_NEAR(read(joint_force_sensor("f", s.along, ReactionAxes::first, 2), s.system, s.state)[0],
              force, 1e-13);
  EXPECT_NEAR(read(joint_force_sensor("f", s.along, ReactionAxes::world, 0), s.system, s.state)[0],
              force * s.axis.x(), 1e-13);
  EXPECT_NEAR(read(joint_force_sensor("f", s.about, ReactionAxes::second, 5), s.system, s.state)[0],
              torque, 1e-13);
  EXPECT_EQ(read(joint_force_sensor("f", {}, ReactionAxes::first, 2), s.system, s.state)[0], 0.0);
  EXPECT_THAT(names(joint_force_sensor("f", {}, ReactionAxes::first, 2)), ElementsAre("f [N]"));
  EXPECT_THAT(names(joint_force_sensor("t", {}, ReactionAxes::first, 5)), ElementsAre("t [N m]"));
}

TEST(ForceAlongSensor, IsTheEffortOfTheCoordinate) {
  SlideAndHinge s;
  const auto sensor =
      force_along_sensor("f", s.along, bodies::PointAlongFrameAxis(Vector3d::UnitZ()));
  EXPECT_NEAR(read(sensor, s.system, s.state)[0], 10.0 * 0.3 - 40.0 * 0.1, 1e-13);
}

/// 2 kg on a slide along x that is driven by x(t) = 1 + 0.2 t + 1.5 t^2, with gravity of 4 m/s^2
/// against it.
struct DrivenSlider {
  system::System system;
  bodies::BodyIndex slider;
  bodies::ConstraintIndex guide, drive;
  system::State state;

  explicit DrivenSlider(const char* law = "0.2*t + 1.5*t^2") {
    system.set_gravity({-4.0, 0.0, -9.81});
    slider = system.add_body(
        bodies::make_rigid_body("slider", kMass, Vector3d::Zero(), kMoments.asDiagonal()), {});
    const FramesOfPair frames =
        add_frames(system, kGround, slider, Vector3d::Zero(), Vector3d::UnitX());
    guide = add_joint(system, "guide", joints::JointType::prismatic, frames);
    drive = add_joint(system, "drive",
                      joints::translation_drive_rows(TimeFunction::expression(law)), frames);
    system.finalize();
    state = testing_support::start(system);
    system.update(state);
  }
};

TEST(DriveSensor, IsTheForceThatTheMotionTakesAndItsPower) {
  DrivenSlider s;
  const Sensor both = drive_sensor("d", s.drive, {DriveQuantity::force, DriveQuantity::power});
  EXPECT_THAT(names(both), ElementsAre("d.force [N]", "d.power [W]"));
  const auto values = read(both, s.system, s.state);
  const double force = kMass * (3.0 + 4.0);
  EXPECT_NEAR(values[0], force, 1e-10);
  EXPECT_NEAR(values[1], force * 0.2, 1e-10);
  EXPECT_THAT(names(drive_sensor("d", s.drive, {DriveQuantity::power})), ElementsAre("d [W]"));
}

TEST(DriveSensor, OfAnAngleIsATorque) {
  system::System system;
  const auto wheel = system.add_body(
      bodies::make_rigid_body("wheel", kMass, Vector3d::Zero(), kMoments.asDiagonal()), {});
  const FramesOfPair frames =
      add_frames(system, kGround, wheel, Vector3d::Zero(), Vector3d::UnitZ());
  add_joint(system, "bearing", joints::JointType::revolute, frames);
  const auto drive =
      add_rotation_drive(system, "motor", TimeFunction::expression("2*t + 5*t^2"), frames);
  system.finalize();
  system::State state = testing_support::start(system);
  system.update(state);
  const auto values =
      read(drive_sensor("m", drive, {DriveQuantity::torque, DriveQuantity::power}), system, state);
  EXPECT_NEAR(values[0], kMoments.z() * 10.0, 1e-10);
  EXPECT_NEAR(values[1], kMoments.z() * 10.0 * 2.0, 1e-10);
}

TEST(MultiplierSensor, ReadsTheMultiplierOfItsConstraint) {
  DrivenSlider s;
  for (int i = 0; i < 5; ++i)
    EXPECT_EQ(read(multiplier_sensor("m", s.guide, i), s.system, s.state)[0],
              s.state.lambda[s.system.layout().constraint_offset(s.guide) + i]);
  EXPECT_EQ(read(multiplier_sensor("m", s.drive, 0), s.system, s.state)[0], s.state.lambda[5]);
  EXPECT_THAT(names(multiplier_sensor("m", s.drive, 0)), ElementsAre("m [N or N m]"));
}

// All that holds the slider: its weight, and the drive's force along the guide.
TEST(SupportForceSensor, OfJointsIsTheSumOnTheBody) {
  DrivenSlider s;
  using C = VectorComponent;
  const auto values =
      read(support_force_sensor("r", {s.guide, s.drive}, {C::x, C::y, C::z, C::magnitude}),
           s.system, s.state);
  const Vector3d expected(kMass * 7.0, 0.0, kMass * 9.81);
  EXPECT_LT((Vector3d(values.data()) - expected).norm(), 1e-9);
  EXPECT_NEAR(values[3], expected.norm(), 1e-9);
  EXPECT_LT(std::abs(read(support_force_sensor("r", {s.guide}, {C::x}), s.system, s.state)[0]),
            1e-9);
}

TEST(ChordDeflectionSensor, NamesItselfWhereItHasNoValue) {
  TwoInMotion two;
  const auto A = bodies::FrameIndex(0), B = bodies::FrameIndex(1);
  const Sensor good = chord_deflection_sensor("bend", B, A, B, Vector3d::UnitX(), 2.0);
  EXPECT_THAT(names(good), ElementsAre("bend [1]"));
  EXPECT_NEAR(read(good, two.system, two.state)[0], 0.0, 1e-15);
  EXPECT_THAT(names(chord_deflection_sensor("bend", B, A, B, Vector3d::UnitX(), 1.0)),
              ElementsAre("bend [m]"));
  try {
    read(chord_deflection_sensor("bend", B, A, A, Vector3d::UnitX(), 1.0), two.system, two.state);
    FAIL();
  } catch (const base::ComputationError& error) {
    EXPECT_THAT(error.what(),
                testing::HasSubstr("t = 0 s: sensor bend: a deflection from a chord is undefined"));
  }
}

/// A ball of radius 0.5 that is pressed 0.01 m into a floor, and slides on it.
struct BallOnFloor {
  system::System system;
  const contact::ContactForce* contact = nullptr;
  system::State state;

  explicit BallOnFloor(double height) {
    system::InitialMotion motion;
    motion.p_WB = {0.2, 0.3, height};
    motion.v_WB = {2.0, 0.0, 0.0};
    const auto ball = system.add_body(
        bodies::make_rigid_body("ball", kMass, Vector3d::Zero(), kMoments.asDiagonal()), motion);
    bodies::Frame on_ball, floor;
    on_ball.body = ball;
    const auto A = system.add_frame(floor), B = system.add_frame(on_ball);
    contact::NormalLaw law;
    law.stiffness = 1e6, law.exponent = 1.5;
    contact::Friction friction;
    friction.static_coefficient = friction.dynamic_coefficient = 0.3;
    auto force = std::make_unique<contact::ContactForce>(
        "touch", system.link(A, B), contact::make_geometry(contact::Plane{}, contact::Sphere{0.5}),
        law, friction, 0.1);
    contact = force.get();
    system.add_force(std::move(force));
    system.finalize();
    state = system.make_state();
    system.update(state);
    system.accept(state);
  }
};

TEST(ContactSensor, ReadsGapForcesAndSlip) {
  using Q = ContactQuantity;
  const std::vector<Q> all = {Q::gap,        Q::penetration, Q::normal_force, Q::friction_force,
                              Q::slip_speed, Q::in_contact,  Q::force_x,      Q::force_y,
                              Q::force_z};
  BallOnFloor pressed(0.49);
  const Sensor sensor = contact_sensor("c", {pressed.contact}, all);
  EXPECT_THAT(names(sensor),
              ElementsAre("c.gap [m]", "c.penetration [m]", "c.normal_force [N]",
                          "c.friction_force [N]", "c.slip_speed [m/s]", "c.in_contact [1]",
                          "c.force_x [N]", "c.force_y [N]", "c.force_z [N]"));
  const auto values = read(sensor, pressed.system, pressed.state);
  const double normal = 1e6 * std::pow(0.01, 1.5);
  EXPECT_NEAR(values[0], -0.01, 1e-15);
  EXPECT_NEAR(values[1], 0.01, 1e-15);
  EXPECT_NEAR(values[2], normal, 1e-9 * normal);
  EXPECT_NEAR(values[3], 0.3 * normal,
              1e-6 * normal);  // of the regularised law at 2000 times its speed
  EXPECT_NEAR(values[4], 2.0, 1e-12);
  EXPECT_EQ(values[5], 1.0);
  EXPECT_NEAR(values[6], -values[3], 1e-12 * normal);  // against the motion
  EXPECT_NEAR(values[7], 0.0, 1e-12 * normal);
  EXPECT_NEAR(values[8], normal, 1e-9 * normal);
}

TEST(ContactSensor, ApartIsAGapAndNothingElse) {
  using Q = ContactQuantity;
  BallOnFloor apart(0.7);
  const auto values = read(
      contact_sensor("c", {apart.contact},
                     {Q::gap, Q::penetration, Q::normal_force, Q::friction_force, Q::in_contact}),
      apart.system, apart.state);
  EXPECT_NEAR(values[0], 0.2, 1e-15);
  for (int i = 1; i < 5; ++i) EXPECT_EQ(values[i], 0.0) << i;
  EXPECT_THAT(names(contact_sensor("c", {apart.contact}, {Q::gap})), ElementsAre("c [m]"));
}

// Of several parts the gap is the smallest, forces add up, and slip is that of the part that is
// pressed most.
TEST(ContactSensor, SeveralContactsAreOne) {
  contact::ContactState light, heavy, apart;
  light.gap = -0.01, light.normal_force = 5.0, light.slip_speed = 9.0;
  light.friction = {1, 0, 0}, light.force = {1, 0, 5};
  heavy.gap = -0.005, heavy.normal_force = 50.0, heavy.slip_speed = 0.1;
  heavy.friction = {-3, 0, 0}, heavy.force = {-3, 0, 50};
  apart.gap = 0.2;
  const contact::ContactState all = contact::combined({apart, light, heavy});
  EXPECT_EQ(all.gap, -0.01);
  EXPECT_EQ(all.normal_force, 55.0);
  EXPECT_EQ(all.slip_speed, 0.1);
  EXPECT_EQ(all.friction, Vector3d(-2, 0, 0));
  EXPECT_EQ(all.force, Vector3d(-2, 0, 55));
}

}  // namespace
}  // namespace solidyn::analyses

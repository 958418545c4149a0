#include "solidyn/analyses/sensors.h"

#include "solidyn/analyses/joint_sensors.h"
#include "solidyn/analyses/stress_sensor.h"
#include "two_bodies.h"

namespace solidyn::analyses {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using testing_support::random_rotation;
using testing_support::random_vector;

TEST(CoordinateSensor, RatesAreThoseOfTheCoordinate) {
  TwoBodies two;
  const bodies::FrameLink link = two.system.link(two.first, two.second);
  const auto read = [&](const bodies::Coordinate& coordinate, Derivative derivative,
                        const system::State& s) {
    const Sensor sensor = coordinate_sensor("s", link, coordinate, derivative);
    two.system.update(s);
    two.system.update_accelerations();
    double value = 0.0;
    sensor.read({two.system, s}, &value);
    return value;
  };
  const system::State before = two.after(-kStep), after = two.after(kStep);
  for (const bodies::Coordinate& c :
       {bodies::Coordinate(bodies::RotationAngle()), bodies::Coordinate(bodies::Distance()),
        bodies::Coordinate(bodies::PointAlongFrameAxis(Vector3d::UnitZ()))}) {
    const double rate = read(c, Derivative::first, two.state);
    const double second = read(c, Derivative::second, two.state);
    EXPECT_NEAR(
        (read(c, Derivative::none, after) - read(c, Derivative::none, before)) / (2 * kStep), rate,
        1e-6 * (1.0 + std::abs(rate)));
    EXPECT_NEAR(
        (read(c, Derivative::first, after) - read(c, Derivative::first, before)) / (2 * kStep),
        second, 1e-5 * (1.0 + std::abs(second)));
  }
}

TEST(CoordinateSensor, WrapsAnglesWhenAsked) {
  TwoBodies two;
  bodies::FrameLink link = two.system.link(two.first, two.second);
  const auto units = coordinate_sensor("s", link, bodies::RotationAngle(), Derivative::second);
  EXPECT_EQ(units.columns[0].unit, "rad/s^2");
  EXPECT_TRUE(units.needs_accelerations);
  system::System disc;
  disc.add_body(bodies::make_rigid_body("disc", 1.0, Vector3d::Zero(), Eigen::Matrix3d::Identity()),
                {});
  bodies::Frame ground, moving;
  moving.body = bodies::BodyIndex(0);
  const auto A = disc.add_frame(ground), B = disc.add_frame(moving);
  link = disc.tracked_link(A, B);
  disc.finalize();
  system::State s = disc.make_state();
  s.angles[0] = 6.0 * M_PI;  // three turns already
  VectorXd turn = VectorXd::Zero(6), q;
  turn[5] = 2.0;
  disc.advance(s.q, turn, q);
  s.q = q;
  disc.update(s);
  double counted = 0.0, wrapped = 0.0;
  coordinate_sensor("s", link, bodies::RotationAngle(), Derivative::none).read({disc, s}, &counted);
  coordinate_sensor("s", link, bodies::RotationAngle(), Derivative::none, Turns::wrapped)
      .read({disc, s}, &wrapped);
  EXPECT_NEAR(counted, 6.0 * M_PI + 2.0, 1e-12);
  EXPECT_NEAR(wrapped, 2.0, 1e-12);
}

// A distance rod between two bodies: opposite forces along it, and moments in each one's own axes.
TEST(ReactionSensor, GivesBothSidesInTheAskedAxes) {
  system::System s;
  for (const char* name : {"a", "b"})
    s.add_body(bodies::make_rigid_body(name, 1.0, Vector3d::Zero(), Eigen::Matrix3d::Identity()),
               {});
  std::mt19937 generator(5);
  bodies::Frame first, second;
  first.body = bodies::BodyIndex(0);
  second.body = bodies::BodyIndex(1);
  first.R_BF = random_rotation(generator).toRotationMatrix();
  second.R_BF = random_rotation(generator).toRotationMatrix();
  second.x_B = Vector3d(1, 2, 3);
  const auto A = s.add_frame(first), B = s.add_frame(second);
  const joints::JointRows rows = joints::joint_rows(joints::JointType::prismatic);
  const auto joint = s.add_constraint(
      std::make_unique<joints::Joint>("j", s.link(A, B), rows.primitives, rows.names));
  s.finalize();
  system::State state = s.make_state();
  state.lambda = random_vector(generator, 5);
  s.update(state);
  const auto read = [&](JointSide on, ReactionAxes axes) {
    Eigen::Matrix<double, 6, 1> w;
    reaction_sensor("r", joint, on, axes, {0, 1, 2, 3, 4, 5}).read({s, state}, w.data());
    return w;
  };
  using Side = JointSide;
  using Axes = ReactionAxes;
  const auto on_A = read(Side::first, Axes::world), on_B = read(Side::second, Axes::world);
  EXPECT_LT((on_A + on_B).head<3>().norm(), 1e-14);
  // Moments about one point balance.
  EXPECT_LT((on_A.tail<3>() + on_B.tail<3>() + second.x_B.cross(Vector3d(on_B.head<3>()))).norm(),
            1e-13);
  for (const Side on : {Side::first, Side::second}) {
    const auto world = read(on, Axes::world), in_A = read(on, Axes::first),
               in_B = read(on, Axes::second);
    EXPECT_LT((first.R_BF * in_A.head<3>() - world.head<3>()).norm(), 1e-14);
    EXPECT_LT((second.R_BF * in_B.tail<3>() - world.tail<3>()).norm(), 1e-14);
  }
  EXPECT_NEAR(read(Side::second, Axes::first)[2], 0.0, 1e-14);  // it slides along z
}

// Of two nodes the one with more von Mises stress, whatever the pressure at the other.
TEST(StressSensor, ReadsTheNodeWithTheLargestStressInTheAskedAxes) {
  TwoBodies m;
  m.system.update(m.state);
  Eigen::MatrixXd S = Eigen::MatrixXd::Zero(12, kModes);
  S.col(1) << 9.0, 9.0, 9.0, 0.0, 0.0, 0.0, 4.0, 1.0, -2.0, 0.5, 3.0, -1.0;
  const bodies::BodyState& body = m.system.kinematics().bodies[bodies::BodyIndex(1)];
  const fem::Stress sigma = body.q_e[1] * S.col(1).tail<6>();
  const auto read = [&](StressAxes axes, const std::vector<StressComponent>& components) {
    const Sensor sensor = stress_sensor("s", bodies::BodyIndex(1), bodies::modal_stress(S),
                                        MPI_COMM_SELF, axes, components);
    EXPECT_EQ(sensor.columns.size(), components.size());
    EXPECT_EQ(sensor.columns[0].unit, "Pa");
    VectorXd values(components.size());
    sensor.read({m.system, m.state}, values.data());
    return values;
  };
  using C = StressComponent;
  EXPECT_LT((read(StressAxes::body, {C::xx, C::yy, C::zz, C::xy, C::yz, C::zx}) - sigma).norm(),
            1e-14);
  EXPECT_LT((read(StressAxes::world, {C::xx, C::yy, C::zz, C::xy, C::yz, C::zx}) -
             fem::rotated(sigma, body.R_WB))
                .norm(),
            1e-13);
  const Vector3d principal = fem::principal_stresses(sigma);
  EXPECT_LT((read(StressAxes::world, {C::principal_1, C::principal_2, C::principal_3}) - principal)
                .norm(),
            1e-13);
  EXPECT_NEAR(read(StressAxes::body, {C::von_mises})[0], fem::von_mises(sigma), 1e-13);
  const Sensor two = stress_sensor("s", bodies::BodyIndex(1), bodies::modal_stress(S),
                                   MPI_COMM_SELF, StressAxes::body, {C::zx, C::von_mises});
  EXPECT_EQ(two.columns[0].name, "s.zx");
  EXPECT_EQ(two.columns[1].name, "s.von_mises");
}

}  // namespace
}  // namespace solidyn::analyses

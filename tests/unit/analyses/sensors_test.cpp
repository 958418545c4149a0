#include "solidyn/analyses/sensors.h"

#include "random_bodies.h"
#include "solidyn/analyses/stress_sensor.h"
#include "solidyn/system/system.h"

namespace solidyn::analyses {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using testing_support::MassCloud;
using testing_support::random_rotation;
using testing_support::random_vector;

constexpr int kModes = 3;
constexpr double kStep = 1e-4;

bodies::Frame random_frame(int body, std::mt19937& generator) {
  bodies::Frame frame;
  frame.body = body;
  frame.x_B = random_vector(generator, 3);
  frame.R_BF = random_rotation(generator).toRotationMatrix();
  frame.Psi_t = random_vector(generator, 3 * kModes, 0.3).reshaped(3, kModes);
  frame.Psi_r = random_vector(generator, 3 * kModes, 0.3).reshaped(3, kModes);
  return frame;
}

// Two flexible bodies in random motion, each with a frame that sees its deformation.
struct TwoBodies {
  system::System system;
  system::State state;
  int first = -1, second = -1;  // frames

  TwoBodies() {
    std::mt19937 generator(7);
    for (int* frame : {&first, &second}) {
      const MassCloud cloud(10, kModes, 4);
      system::InitialMotion motion;
      motion.p_WB = random_vector(generator, 3);
      motion.q_WB = random_rotation(generator);
      const int body =
          system.add_body(std::make_unique<bodies::ModalBody>(
                              "cloud", cloud.invariants(), cloud.mass_matrix(), cloud.stiffness(2),
                              Eigen::MatrixXd::Zero(kModes, kModes), VectorXd::Ones(kModes)),
                          motion);
      *frame = system.add_frame(random_frame(body, generator));
    }
    system.finalize();
    state = system.make_state();
    VectorXd q;
    system.advance(state.q, random_vector(generator, system.n_velocities(), 0.3), q);
    state.q = q;
    state.v = random_vector(generator, system.n_velocities());
    state.a = random_vector(generator, system.n_velocities());
  }

  // Where the motion with constant `a` is after a short time, to second order.
  system::State after(double t) const {
    system::State s = state.clone();
    system.advance(state.q, t * state.v + 0.5 * t * t * state.a, s.q);
    s.v += t * state.a;
    return s;
  }

  Vector3d read(const Sensor& sensor, const system::State& s) {
    system.update(s);
    system.update_accelerations();
    Vector3d value;
    sensor.read({system, s}, value.data());
    return value;
  }

  Sensor sensor(FrameQuantity quantity, int relative_to) const {
    using C = VectorComponent;
    return frame_sensor("s", quantity, second, relative_to, {C::x, C::y, C::z});
  }
};

class RelativeTo : public testing::TestWithParam<bool> {};

TEST_P(RelativeTo, VelocityIsTheRateOfThePosition) {
  TwoBodies two;
  const int reference = GetParam() ? two.first : -1;
  const Sensor p = two.sensor(FrameQuantity::position, reference);
  const Vector3d rate =
      (two.read(p, two.after(kStep)) - two.read(p, two.after(-kStep))) / (2.0 * kStep);
  const Vector3d v = two.read(two.sensor(FrameQuantity::velocity, reference), two.state);
  EXPECT_LT((v - rate).norm(), 1e-6 * v.norm());
}

TEST_P(RelativeTo, AccelerationIsTheRateOfTheVelocityAndTheSecondRateOfThePosition) {
  TwoBodies two;
  const int reference = GetParam() ? two.first : -1;
  const Sensor p = two.sensor(FrameQuantity::position, reference);
  const Sensor v = two.sensor(FrameQuantity::velocity, reference);
  const system::State before = two.after(-kStep), after = two.after(kStep);
  const Vector3d rate = (two.read(v, after) - two.read(v, before)) / (2.0 * kStep);
  const Vector3d second_rate =
      (two.read(p, after) - 2.0 * two.read(p, two.state) + two.read(p, before)) / (kStep * kStep);
  const Vector3d a = two.read(two.sensor(FrameQuantity::acceleration, reference), two.state);
  EXPECT_LT((a - rate).norm(), 1e-5 * a.norm());
  EXPECT_LT((a - second_rate).norm(), 1e-5 * a.norm());
}

INSTANTIATE_TEST_SUITE_P(Frames, RelativeTo, testing::Values(false, true),
                         [](const auto& info) { return info.param ? "AMovingFrame" : "TheWorld"; });

// Of two nodes the one with more von Mises stress, whatever the pressure at the other.
TEST(StressSensor, ReadsTheNodeWithTheLargestStressInTheAskedAxes) {
  TwoBodies m;
  m.system.update(m.state);
  Eigen::MatrixXd S = Eigen::MatrixXd::Zero(12, kModes);
  S.col(1) << 9.0, 9.0, 9.0, 0.0, 0.0, 0.0, 4.0, 1.0, -2.0, 0.5, 3.0, -1.0;
  const bodies::BodyState& body = m.system.kinematics().bodies[1];
  const fem::Stress sigma = body.q_e[1] * S.col(1).tail<6>();
  const auto read = [&](StressAxes axes, const std::vector<StressComponent>& components) {
    const Sensor sensor =
        stress_sensor("s", 1, bodies::modal_stress(S), MPI_COMM_SELF, axes, components);
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
  const Sensor two = stress_sensor("s", 1, bodies::modal_stress(S), MPI_COMM_SELF, StressAxes::body,
                                   {C::zx, C::von_mises});
  EXPECT_EQ(two.columns[0].name, "s.zx");
  EXPECT_EQ(two.columns[1].name, "s.von_mises");
}

}  // namespace
}  // namespace solidyn::analyses

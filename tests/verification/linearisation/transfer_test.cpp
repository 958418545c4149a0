// Transfer functions: of an oscillator in closed form, and of a driven mechanism by state space and
// frequency by frequency.
#include "transfer.h"

#include "linear_laws.h"
#include "mechanisms.h"
#include "solidyn/analyses/joint_sensors.h"
#include "solidyn/bodies/modal_body.h"

namespace solidyn::analyses {
namespace {

using Complex = std::complex<double>;
using Eigen::Matrix3d;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using joints::JointType;
using system::IncrementAxes;
using system::System;
using testing_support::state_space;
using testing_support::transfer;

forces::VectorFunction constant(double x, double y, double z) {
  using math::TimeFunction;
  return {TimeFunction::constant(x), TimeFunction::constant(y), TimeFunction::constant(z)};
}

bodies::FrameIndex add_frame(System& system, bodies::BodyIndex body, const Vector3d& x) {
  bodies::Frame frame;
  frame.body = body;
  frame.x_B = x;
  return system.add_frame(frame);
}

TEST(Transfer, OfAnOscillatorIsThatOfTextbooks) {
  const double m = 2.0, c = 3.0, k = 500.0;
  System system;
  const Vector3d p(1, 0, 0);
  system.add_body(bodies::make_rigid_body("mass", m, Vector3d::Zero(), Matrix3d::Identity()), {p});
  testing_support::add_joint(system, "guide", JointType::prismatic, bodies::kGround, {},
                             bodies::BodyIndex(0), {p}, p, Vector3d::UnitX());
  const auto ground = add_frame(system, bodies::kGround, Vector3d::Zero());
  const auto mass = add_frame(system, bodies::BodyIndex(0), Vector3d::Zero());
  system.add_force(std::make_unique<testing_support::WorldSpring>(system.link(ground, mass), k, c,
                                                                  Vector3d::UnitX()));
  testing_support::add_load(system, "push", mass, constant(0, 0, 0), constant(0, 0, 0));
  system.finalize();
  const system::State state = testing_support::start(system);
  const system::Linearisation l = system::linearise(system, state, IncrementAxes::body);
  LinearInputs inputs;
  add_load_input(system, l, "push.force_x", forces::ForceIndex(1), 0, inputs);
  const Sensor position = frame_sensor("x", FrameQuantity::position, mass, bodies::kWorld,
                                       {VectorComponent::x}),
               velocity = frame_sensor("v", FrameQuantity::velocity, mass, bodies::kWorld,
                                       {VectorComponent::x}),
               acceleration = frame_sensor("a", FrameQuantity::acceleration, mass, bodies::kWorld,
                                           {VectorComponent::x});
  const LinearOutputs outputs =
      linearise_sensors(system, state, l, {&position, &velocity, &acceleration});
  const StateSpace space = state_space(l, inputs, outputs);
  EXPECT_EQ(space.A.rows(), 2);
  for (const double frequency : {0.0, 1.0, 2.5, 40.0}) {
    const Complex s(0.0, 2.0 * M_PI * frequency);
    const Complex x = 1.0 / (k + s * c + s * s * m);
    const MatrixXcd direct = frequency_response(l, inputs, outputs, frequency),
                    by_state = transfer(space, s);
    for (const MatrixXcd& h : {direct, by_state}) {
      EXPECT_LT(std::abs(h(0, 0) - x), 1e-8 * std::abs(x));
      EXPECT_LT(std::abs(h(1, 0) - s * x), 1e-8 * std::abs(s * x) + 1e-15);
      EXPECT_LT(std::abs(h(2, 0) - s * s * x), 1e-8 * std::abs(s * s * x) + 1e-12);
    }
  }
}

// A motor on a disc, and a rod that hangs from the disc with a spring to the ground.
class DrivenPendulum : public testing::Test {
 protected:
  DrivenPendulum() {
    system_.set_gravity({0, -9.81, 0});
    const system::InitialMotion disc{}, rod{{0.3, -0.4, 0}};
    const auto inertia = Matrix3d(Vector3d(0.1, 0.2, 0.3).asDiagonal());
    system_.add_body(bodies::make_rigid_body("disc", 2.0, Vector3d::Zero(), inertia), disc);
    system_.add_body(bodies::make_rigid_body("rod", 1.5, Vector3d::Zero(), inertia), rod);
    testing_support::add_joint(system_, "bearing", JointType::revolute, bodies::kGround, {},
                               bodies::BodyIndex(0), disc, Vector3d::Zero());
    testing_support::add_joint(system_, "pin", JointType::revolute, bodies::BodyIndex(0), disc,
                               bodies::BodyIndex(1), rod, {0.3, 0, 0});
    const auto A =
        system_.add_frame(testing_support::frame_at(bodies::kGround, {}, Vector3d::Zero()));
    const auto B =
        system_.add_frame(testing_support::frame_at(bodies::BodyIndex(0), disc, Vector3d::Zero()));
    const joints::JointRows rows = joints::rotation_drive_rows(math::TimeFunction::constant(0.0));
    motor_ = system_.add_constraint(
        std::make_unique<joints::Joint>("motor", system_.link(A, B), rows.primitives, rows.names));
    const auto ground = add_frame(system_, bodies::kGround, {0.3, -1, 0});
    tip_ = add_frame(system_, bodies::BodyIndex(1), {0, -0.6, 0});
    system_.add_force(std::make_unique<testing_support::WorldSpring>(system_.link(ground, tip_),
                                                                     80.0, 2.0, Vector3d::Zero()));
    testing_support::add_load(system_, "push", tip_, constant(0, 0, 0), constant(0, 0, 0));
    system_.finalize();
    state_ = testing_support::start(system_);
  }
  System system_;
  system::State state_;
  bodies::ConstraintIndex motor_;
  bodies::FrameIndex tip_;
};

TEST_F(DrivenPendulum, StateSpaceAndFrequenciesAgree) {
  const system::Linearisation l = system::linearise(system_, state_, IncrementAxes::world);
  LinearInputs inputs;
  add_load_input(system_, l, "push.force_x", forces::ForceIndex(1), 0, inputs);
  add_load_input(system_, l, "push.torque_z", forces::ForceIndex(1), 5, inputs);
  add_drive_input(system_, state_, l, "motor", motor_, 0, inputs);
  const Sensor tip = frame_sensor("tip", FrameQuantity::position, tip_, bodies::kWorld,
                                  {VectorComponent::x, VectorComponent::y}),
               shake = frame_sensor("shake", FrameQuantity::acceleration, tip_, bodies::kWorld,
                                    {VectorComponent::x}),
               torque =
                   reaction_sensor("torque", motor_, JointSide::second, ReactionAxes::world, {5});
  const LinearOutputs outputs = linearise_sensors(system_, state_, l, {&tip, &shake, &torque});
  const StateSpace space = state_space(l, inputs, outputs);
  EXPECT_EQ(space.states.size(), 4u);  // one coordinate, and the motor's angle
  for (const double frequency : {0.3, 2.0, 11.0}) {
    const Complex s(0.0, 2.0 * M_PI * frequency);
    const MatrixXcd direct = frequency_response(l, inputs, outputs, frequency);
    MatrixXcd by_state = transfer(space, s);
    by_state.col(2) *= s * s;  // the input is the motor's acceleration
    EXPECT_LT((direct - by_state).norm(), 1e-9 * direct.norm()) << frequency << " Hz";
  }
}

// The tip's and the torque's answer to a slow turn of the motor are those of equilibria.
TEST_F(DrivenPendulum, SlowMotionIsThatOfEquilibria) {
  const system::Linearisation l = system::linearise(system_, state_, IncrementAxes::world);
  LinearInputs inputs;
  add_drive_input(system_, state_, l, "motor", motor_, 0, inputs);
  const Sensor tip = frame_sensor("tip", FrameQuantity::position, tip_, bodies::kWorld,
                                  {VectorComponent::x, VectorComponent::y}),
               torque =
                   reaction_sensor("torque", motor_, JointSide::second, ReactionAxes::world, {5});
  const LinearOutputs outputs = linearise_sensors(system_, state_, l, {&tip, &torque});
  const MatrixXcd h = frequency_response(l, inputs, outputs, 0.0);
  // The pin goes up by 0.3 m/rad and takes the rod along, whose tip hangs where the spring, without
  // force as drawn, and gravity hold it. The rod turns by what the pin's rise leaves balanced: 0.
  EXPECT_NEAR(h(0, 0).real(), 0.0, 1e-8);
  EXPECT_NEAR(h(1, 0).real(), 0.3, 1e-8);
  // Torque of the motor on the disc: weight of the rod at a lever that stays, and the spring's
  // pull.
  EXPECT_NEAR(h(2, 0).real(), 80.0 * 0.3 * 0.3, 1e-6);
}

}  // namespace
}  // namespace solidyn::analyses

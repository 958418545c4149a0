// State spaces of systems without constraints, and with drives of every level among the inputs.
#include "linear_laws.h"
#include "mechanisms.h"
#include "solidyn/analyses/joint_sensors.h"
#include "solidyn/base/error.h"
#include "solidyn/bodies/modal_body.h"
#include "transfer.h"

namespace solidyn::analyses {
namespace {

using Complex = std::complex<double>;
using Eigen::Matrix3d;
using Eigen::MatrixXcd;
using Eigen::Vector3d;
using joints::JointType;
using Level = joints::Constraint::Level;
using system::IncrementAxes;
using system::System;
using testing_support::frame_at;
using testing_support::state_space;
using testing_support::transfer;

constexpr double kGravity = 9.81;

bodies::BodyIndex add_body(System& system, double mass, const Vector3d& p) {
  return system.add_body(bodies::make_rigid_body("body", mass, Vector3d::Zero(),
                                                 Matrix3d(Vector3d(0.1, 0.2, 0.3).asDiagonal())),
                         {p});
}

bodies::ConstraintIndex add_drive(System& system, const std::string& law, Level level,
                                  bodies::BodyIndex body, const system::InitialMotion& motion,
                                  const Vector3d& p) {
  const auto A = system.add_frame(frame_at(bodies::kGround, {}, p)),
             B = system.add_frame(frame_at(body, motion, p));
  const joints::JointRows rows =
      joints::rotation_drive_rows(math::TimeFunction::expression(law), level);
  return system.add_constraint(
      std::make_unique<joints::Joint>("drive", system.link(A, B), rows.primitives, rows.names));
}

TEST(StateSpaceOf, AFreeBodyIsTwelveIntegrators) {
  const double mass = 2.5;
  System system;
  add_body(system, mass, Vector3d::Zero());
  const auto centre = system.add_frame(frame_at(bodies::BodyIndex(0), {}, Vector3d::Zero()));
  const auto none = math::TimeFunction::constant(0.0);
  testing_support::add_load(system, "push", centre, {none, none, none}, {none, none, none});
  system.finalize();
  const system::State state = testing_support::start(system);
  const system::Linearisation l = system::linearise(system, state, IncrementAxes::body);
  LinearInputs inputs;
  add_load_input(system, l, "push.force_x", forces::ForceIndex(system.forces().size() - 1), 0,
                 inputs);
  const Sensor acceleration =
      frame_sensor("a", FrameQuantity::acceleration, centre, bodies::kWorld, {VectorComponent::x});
  const StateSpace s = state_space(l, inputs, linearise_sensors(system, state, l, {&acceleration}));
  EXPECT_EQ(s.A.rows(), 12);
  EXPECT_LT((s.A * s.A).norm(), 1e-12);
  EXPECT_NEAR(s.D(0, 0), 1.0 / mass, 1e-9);
}

// Two arms on the ground, one driven by its angle and one by its speed, in either order, and a
// pendulum at the end of the first or the second.
class TwoArms : public testing::TestWithParam<std::tuple<bool, bool>> {
 protected:
  TwoArms() {
    system_.set_gravity({0, -kGravity, 0});
    const Vector3d at[] = {{0, 0, 0}, {5, 0, 0}};
    const bool angle_comes_first = std::get<0>(GetParam());
    for (int arm : {0, 1}) {
      add_body(system_, 1.0, at[arm]);
      testing_support::add_joint(system_, "bearing", JointType::revolute, bodies::kGround, {},
                                 bodies::BodyIndex(arm), {at[arm]}, at[arm]);
    }
    for (int arm : {0, 1})
      drives_[arm] = add_drive(system_, "0",
                               (arm == 0) == angle_comes_first ? Level::position : Level::velocity,
                               bodies::BodyIndex(arm), {at[arm]}, at[arm]);
    const int carrier = std::get<1>(GetParam()) ? 0 : 1;
    const Vector3d pin = at[carrier] + Vector3d(0.5, 0, 0), bob = pin - Vector3d(0, 0.4, 0);
    add_body(system_, 1.5, bob);
    testing_support::add_joint(system_, "pin", JointType::revolute, bodies::BodyIndex(carrier),
                               {at[carrier]}, bodies::BodyIndex(2), {bob}, pin);
    tip_ = system_.add_frame(frame_at(bodies::BodyIndex(2), {bob}, bob));
    system_.finalize();
    state_ = testing_support::start(system_);
  }
  System system_;
  system::State state_;
  bodies::ConstraintIndex drives_[2];
  bodies::FrameIndex tip_;
};

TEST_P(TwoArms, StateSpaceAndFrequenciesAgree) {
  const system::Linearisation l = system::linearise(system_, state_, IncrementAxes::world);
  LinearInputs inputs;
  add_drive_input(system_, state_, l, "first", drives_[0], 0, inputs);
  add_drive_input(system_, state_, l, "second", drives_[1], 0, inputs);
  const Sensor tip = frame_sensor("tip", FrameQuantity::position, tip_, bodies::kWorld,
                                  {VectorComponent::x, VectorComponent::y});
  const LinearOutputs outputs = linearise_sensors(system_, state_, l, {&tip});
  const StateSpace space = state_space(l, inputs, outputs);
  for (const double frequency : {0.3, 2.0}) {
    const Complex s(0.0, 2.0 * M_PI * frequency);
    MatrixXcd by_state = transfer(space, s);
    // Inputs of the state space are accelerations; those of frequencies angles and speeds.
    const int angle = std::get<0>(GetParam()) ? 0 : 1;
    by_state.col(angle) *= s * s;
    by_state.col(1 - angle) *= s;
    const MatrixXcd direct = frequency_response(l, inputs, outputs, frequency);
    EXPECT_GT(direct.norm(), 1e-3);
    EXPECT_LT((direct - by_state).norm(), 1e-9 * direct.norm()) << frequency << " Hz";
  }
}

INSTANTIATE_TEST_SUITE_P(, TwoArms, testing::Combine(testing::Bool(), testing::Bool()));

TEST(DependentDrives, CannotBeInputs) {
  System system;
  add_body(system, 1.0, Vector3d::Zero());
  testing_support::add_joint(system, "bearing", JointType::revolute, bodies::kGround, {},
                             bodies::BodyIndex(0), {}, Vector3d::Zero());
  bodies::ConstraintIndex drives[2];
  for (bodies::ConstraintIndex& drive : drives)
    drive = add_drive(system, "0", Level::position, bodies::BodyIndex(0), {}, Vector3d::Zero());
  system.finalize();
  const system::State state = testing_support::start(system);
  const system::Linearisation l = system::linearise(system, state, IncrementAxes::world);
  for (const bodies::ConstraintIndex drive : drives) {
    LinearInputs inputs;
    EXPECT_THROW(add_drive_input(system, state, l, "drive", drive, 0, inputs),
                 base::ComputationError);
  }
}

// The slider of a crank that turns goes along x = f(angle); its speed f' w and its acceleration
// f'' w^2 change by derivatives of f up to the third.
TEST(SliderCrank, OutputsInMotionAreTheDerivativesOfItsKinematics) {
  const double r = 0.1, length = 0.3, angle = 0.7, w = 20.0;
  const Vector3d pin(r * std::cos(angle), r * std::sin(angle), 0);
  const auto f = [&](double p) {
    return r * std::cos(p) + std::sqrt(length * length - std::pow(r * std::sin(p), 2));
  };
  const Vector3d end(f(angle), 0, 0), middle = 0.5 * (pin + end);
  System system;
  const system::InitialMotion at[] = {{}, {middle}, {end}};
  for (const system::InitialMotion& motion : at) add_body(system, 1.0, motion.p_WB);
  testing_support::add_joint(system, "bearing", JointType::revolute, bodies::kGround, {},
                             bodies::BodyIndex(0), at[0], Vector3d::Zero());
  testing_support::add_joint(system, "pin", JointType::spherical, bodies::BodyIndex(0), at[0],
                             bodies::BodyIndex(1), at[1], pin);
  testing_support::add_joint(system, "wrist", JointType::cylindrical, bodies::BodyIndex(1), at[1],
                             bodies::BodyIndex(2), at[2], end);
  testing_support::add_joint(system, "guide", JointType::prismatic, bodies::kGround, {},
                             bodies::BodyIndex(2), at[2], end, Vector3d::UnitX());
  const auto drive =
      add_drive(system, "20*t", Level::position, bodies::BodyIndex(0), at[0], Vector3d::Zero());
  const auto slider = system.add_frame(frame_at(bodies::BodyIndex(2), at[2], end));
  system.finalize();
  const system::State state = testing_support::start(system);
  const Sensor x = frame_sensor("x", FrameQuantity::position, slider, bodies::kWorld,
                                {VectorComponent::x}),
               v = frame_sensor("v", FrameQuantity::velocity, slider, bodies::kWorld,
                                {VectorComponent::x}),
               a = frame_sensor("a", FrameQuantity::acceleration, slider, bodies::kWorld,
                                {VectorComponent::x});
  const double h = 1e-3;
  const double f1 = (f(angle + h) - f(angle - h)) / (2 * h),
               f2 = (f(angle + h) - 2 * f(angle) + f(angle - h)) / (h * h),
               f3 = (f(angle + 2 * h) - 2 * f(angle + h) + 2 * f(angle - h) - f(angle - 2 * h)) /
                    (2 * h * h * h);
  Eigen::Matrix<double, 3, 2> expected;
  expected << f1, 0.0, f2 * w, f1, f3 * w * w, 2.0 * f2 * w;
  for (const IncrementAxes axes : {IncrementAxes::body, IncrementAxes::world}) {
    const system::Linearisation l = system::linearise(system, state, axes);
    LinearInputs inputs;
    add_drive_input(system, state, l, "drive", drive, 0, inputs);
    const MinimalCoordinates m = make_minimal_coordinates(l);
    const DrivenMotions driven = find_driven_motions(l, m, inputs.motions);
    const StateSpace s =
        make_state_space(l, m, driven, inputs, linearise_sensors(system, state, l, {&x, &v, &a}));
    ASSERT_EQ(s.states, (std::vector<std::string>{"drive", "drive.rate"}));
    for (int row : {0, 1, 2})
      EXPECT_LT((s.C.row(row) - expected.row(row)).norm(), 1e-5 * expected.row(row).norm()) << row;
    EXPECT_NEAR(s.D(2, 0), f1, 1e-6);
    EXPECT_GT(driven.turns, 0.1);
  }
}

}  // namespace
}  // namespace solidyn::analyses

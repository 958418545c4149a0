// The linearised equations of two flexible bodies in motion, on a joint and on the ground, against
// differences of the accelerations of the whole constrained system.
#include "solidyn/system/linearisation.h"

#include "mechanisms.h"
#include "random_bodies.h"
#include "solidyn/analyses/minimal_coordinates.h"
#include "solidyn/joints/reference_condition.h"
#include "solidyn/system/accelerations.h"

namespace solidyn::system {
namespace {

using analyses::make_minimal_coordinates;
using analyses::MinimalCoordinates;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using joints::JointType;
using testing_support::MassCloud;
using testing_support::random_rotation;
using testing_support::random_vector;

constexpr int kModes = 3;

struct Case {
  const char* name;
  JointType to_ground, between;
  IncrementAxes axes;
  bool moves;
  enum { plain, doubled, driven } extra;
  bool is_carried = false;  // the first body, by axes that turn otherwise than it does
};

const Carriage& carriage() {
  static const Carriage turning{Vector3d(0.3, -0.5, 0.8), {BodyIndex(0)}};
  return turning;
}

class Linearised : public testing::TestWithParam<Case> {
 protected:
  Linearised() : generator_(7) {
    system_.set_gravity({1.0, -2.0, 3.0});
    add_body(5);
    add_body(6);
    const auto hanger = add_frame(bodies::kGround), held = add_frame(bodies::BodyIndex(0)),
               left = add_frame(bodies::BodyIndex(0)), right = add_frame(bodies::BodyIndex(1)),
               tip = add_frame(bodies::BodyIndex(1));
    add_joint("hanger", hanger, held, joints::joint_rows(GetParam().to_ground));
    add_joint("hinge", left, right, joints::joint_rows(GetParam().between));
    if (GetParam().extra == Case::doubled)
      add_joint("hinge again", left, right, joints::joint_rows(GetParam().between));
    if (GetParam().extra == Case::driven)
      add_joint("drive", left, right,
                joints::rotation_drive_rows(math::TimeFunction::expression("1.5*t + t^2")));
    const auto f = [](double c) { return math::TimeFunction::constant(c); };
    testing_support::add_load(system_, "push", tip, {f(3.0), f(-1.0), f(2.0)},
                              {f(0.5), f(0.2), f(-0.3)});
    system_.finalize();
    start();
  }

  Linearisation linearised() {
    return GetParam().is_carried ? linearise(system_, state_, carriage())
                                 : linearise(system_, state_, GetParam().axes);
  }

  void add_body(unsigned seed) {
    const MassCloud cloud(10, kModes, seed);
    const MatrixXd K = cloud.stiffness(seed);
    InitialMotion motion;
    motion.p_WB = random_vector(generator_, 3);
    motion.q_WB = random_rotation(generator_);
    system_.add_body(
        std::make_unique<bodies::ModalBody>("body", cloud.invariants(), cloud.mass_matrix(), K,
                                            0.05 * K, VectorXd::Ones(kModes)),
        motion);
  }

  bodies::FrameIndex add_frame(bodies::BodyIndex body) {
    bodies::Frame f;
    f.body = body;
    f.x_B = random_vector(generator_, 3);
    f.R_BF = random_rotation(generator_).toRotationMatrix();
    if (body != bodies::kGround) {
      f.Psi_t = Eigen::Map<const Eigen::Matrix3Xd>(
          random_vector(generator_, 3 * kModes, 0.3).eval().data(), 3, kModes);
      f.Psi_r = 0.5 * f.Psi_t;
      f.Y_t = testing_support::random_second_order(generator_, kModes, 0.2);
      f.Y_r = testing_support::random_second_order(generator_, kModes, 0.2);
    }
    return system_.add_frame(f);
  }

  void add_joint(const char* name, bodies::FrameIndex A, bodies::FrameIndex B,
                 const joints::JointRows& rows) {
    system_.add_constraint(
        std::make_unique<joints::Joint>(name, system_.link(A, B), rows.primitives, rows.names));
  }

  void start() {
    state_ = system_.make_state();
    const double speed = GetParam().moves ? 1.0 : 0.0;
    state_.v = random_vector(generator_, system_.layout().n_velocities(), speed);
    for (const BodyIndex b : {BodyIndex(0), BodyIndex(1)})
      state_.q.segment(system_.layout().elastic_offset(b), kModes) =
          random_vector(generator_, kModes, 0.1);
    assemble_positions(system_, state_, 1e-13);
    make_velocities_consistent(system_, state_, 1e-13);
    solver_ =
        solvers::make_linear_solver(solvers::Preset::automatic, system_.layout().n_unknowns());
    system_.set_pattern(*solver_);
    solve(state_);
  }

  void solve(State& state) {
    state.a.setZero();
    state.lambda.setZero();
    AccelerationOptions options;
    system_.update(state);
    if (GetParam().extra == Case::doubled)
      options.regularization = redundancy_regularization(system_);
    solve_acceleration_equations(system_, state, options, *solver_);
  }

  // The accelerations where positions and velocities are changed by these multiples of x and x'.
  VectorXd accelerations(const Linearisation& l, const VectorXd& x, const VectorXd& dx) {
    State moved = state_.clone();
    system_.advance(state_.q, l.T * x, moved.q);
    moved.v += l.T * dx + l.V * x;
    solve(moved);
    return moved.a;
  }

  std::mt19937 generator_;
  System system_;
  State state_;
  std::unique_ptr<solvers::LinearSolver> solver_;
};

TEST_P(Linearised, StateMatrixIsDerivativeOfConstrainedAccelerations) {
  const Linearisation l = linearised();
  const MinimalCoordinates m = make_minimal_coordinates(l);
  const MatrixXd A = analyses::state_matrix(m);
  for (int i = 0; i < m.n_y() + m.n_u(); ++i) {
    const VectorXd z = VectorXd::Unit(m.n_y() + m.n_u(), i), dz = A * z;
    const VectorXd y = z.head(m.n_y()), u = z.tail(m.n_u()), dy = dz.head(m.n_y());
    const VectorXd x = m.N * y, dx = m.P * u + m.Q * y,
                   ddx = m.P * dz.tail(m.n_u()) + 2.0 * m.dN * dy + m.ddN * y;
    const VectorXd expected = l.T * ddx + l.A1 * dx + l.A0 * x;
    constexpr double kStep = 1e-5;
    const VectorXd found =
        (accelerations(l, kStep * x, kStep * dx) - accelerations(l, -kStep * x, -kStep * dx)) /
        (2.0 * kStep);
    EXPECT_LT((found - expected).norm(), 2e-7 * (1.0 + expected.norm())) << "coordinate " << i;
  }
}

TEST_P(Linearised, FreeMotionsKeepTheConstraints) {
  const Linearisation l = linearised();
  const MinimalCoordinates m = make_minimal_coordinates(l);
  EXPECT_LT((l.G * m.N).norm(), 1e-12 * l.G.norm());
  EXPECT_LT((m.Y * m.N - MatrixXd::Identity(m.n_y(), m.n_y())).norm(), 1e-12);
  EXPECT_EQ(m.n_y(), system_.layout().n_velocities() - static_cast<int>(l.rows.size()));
}

const Case kCases[] = {
    {"at_rest", JointType::spherical, JointType::revolute, IncrementAxes::body, false, Case::plain},
    {"moving", JointType::spherical, JointType::revolute, IncrementAxes::body, true, Case::plain},
    {"in_world_axes", JointType::revolute, JointType::spherical, IncrementAxes::world, true,
     Case::plain},
    {"redundant", JointType::spherical, JointType::revolute, IncrementAxes::world, true,
     Case::doubled},
    {"driven", JointType::universal, JointType::revolute, IncrementAxes::body, true, Case::driven},
    {"carried", JointType::spherical, JointType::revolute, IncrementAxes::world, true, Case::plain,
     true}};

// A body that a carriage turns about a distant axis, and that turns in it about an axis of its own.
TEST(CarriedAlong, IsTheMotionItself) {
  System system;
  InitialMotion start;
  const Vector3d w(0.2, -0.1, 0.7), axle(0.0, 1.0, 0.0), p(3.0, 1.0, -2.0);
  start.p_WB = p;
  start.v_WB = w.cross(p);
  start.w_WB_B = w + 5.0 * axle;
  system.add_body(bodies::make_rigid_body("b", 2.0, Vector3d::Zero(), Eigen::Matrix3d::Identity()),
                  start);
  system.finalize();
  State state = system.make_state();
  state.a.head<3>() = w.cross(start.v_WB);
  state.a.segment<3>(3) = w.cross(5.0 * axle);
  constexpr double t = 0.3;
  const State later = carried_along(system, state, {w, {BodyIndex(0)}}, t);
  const Eigen::Matrix3d S = math::exp_rotation(t * w);
  EXPECT_LT((Vector3d(later.q.head<3>()) - S * p).norm(), 1e-13);
  const Eigen::Matrix3d R = Eigen::Quaterniond(later.q[3], later.q[4], later.q[5], later.q[6])
                                .toRotationMatrix(),
                        expected = S * math::exp_rotation(t * 5.0 * axle);
  EXPECT_LT((R - expected).norm(), 1e-13);
  EXPECT_LT((Vector3d(later.v.head<3>()) - S * start.v_WB).norm(), 1e-13);
  const Vector3d w_W = w + 5.0 * (S * axle);
  EXPECT_LT((R * Vector3d(later.v.segment<3>(3)) - w_W).norm(), 1e-13);
  EXPECT_LT((R * Vector3d(later.a.segment<3>(3)) - w.cross(5.0 * (S * axle))).norm(), 1e-13);
}

INSTANTIATE_TEST_SUITE_P(, Linearised, testing::ValuesIn(kCases),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace solidyn::system

// The matrix of generalized-alpha's Newton iteration, and how the iteration converges and fails.
#include <gmock/gmock.h>

#include "mechanisms.h"
#include "random_bodies.h"
#include "solidyn/bodies/modal_body.h"

namespace solidyn::system {
namespace {

using Eigen::Matrix3d;
using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using joints::JointType;
using testing::HasSubstr;
using testing_support::MassCloud;
using testing_support::random_rotation;
using testing_support::random_vector;

// Lets a test look at what was assembled.
class OpenMatrix final : public solvers::LinearSolver {
 public:
  OpenMatrix() : LinearSolver(Layout::dense) {}
  const char* name() const override { return "test"; }
  void factor() override { lu_.compute(matrix()); }
  void solve(const VectorXd& b, VectorXd& x) override { x = lu_.solve(b); }
  MatrixXd matrix() const { return Eigen::Map<const MatrixXd>(values_.data(), n_, n_); }

 private:
  void pattern_changed() override {}
  Eigen::PartialPivLU<MatrixXd> lu_;
};

// Ground - flexible - flexible - rigid with a revolute, a spherical and a prismatic joint and a
// drive, on random frames that see translation and rotation of the modes.
std::unique_ptr<System> make_random_mechanism() {
  std::mt19937 g(17);
  auto system = std::make_unique<System>();
  system->set_gravity(Vector3d(0.3, -9.81, 1.7));
  const std::array<int, 3> n_modes = {3, 2, 0};
  for (int b = 0; b < 3; ++b) {
    const int n = n_modes[b];
    MassCloud cloud(10, n, 31 + b);
    InitialMotion motion;
    motion.p_WB = random_vector(g, 3);
    motion.q_WB = random_rotation(g);
    system->add_body(std::make_unique<bodies::ModalBody>(
                         "body" + std::to_string(b), cloud.invariants(), cloud.mass_matrix(),
                         20.0 * cloud.stiffness(3), 0.3 * cloud.stiffness(4), VectorXd::Ones(n)),
                     motion);
  }
  const auto add_random_frame = [&](bodies::BodyIndex body) {
    bodies::Frame frame;
    frame.body = body;
    frame.x_B = random_vector(g, 3);
    frame.R_BF = random_rotation(g).toRotationMatrix();
    const int n = body == bodies::kGround ? 0 : n_modes[body.value()];
    frame.Psi_t = Matrix3Xd(3, n);
    frame.Psi_r = Matrix3Xd(3, n);
    for (int i = 0; i < n; ++i) {
      frame.Psi_t.col(i) = random_vector(g, 3);
      frame.Psi_r.col(i) = random_vector(g, 3);
    }
    return system->add_frame(frame);
  };
  const auto add = [&](const char* name, bodies::BodyIndex A, bodies::BodyIndex B,
                       const joints::JointRows& rows) {
    const auto frame_A = add_random_frame(A), frame_B = add_random_frame(B);
    system->add_constraint(std::make_unique<joints::Joint>(name, system->link(frame_A, frame_B),
                                                           rows.primitives, rows.names));
  };
  add("revolute", bodies::kGround, bodies::BodyIndex(0), joints::joint_rows(JointType::revolute));
  add("spherical", bodies::BodyIndex(0), bodies::BodyIndex(1),
      joints::joint_rows(JointType::spherical));
  add("prismatic", bodies::BodyIndex(1), bodies::BodyIndex(2),
      joints::joint_rows(JointType::prismatic));
  add("drive", bodies::BodyIndex(2), bodies::BodyIndex(0),
      joints::rotation_drive_rows(math::TimeFunction::expression("0.3 + 2*t")));
  system->finalize();
  return system;
}

// One step of generalized-alpha written out again: the scaled residual as a function of x = [n;
// mu],
//   v = v_p + gamma/(beta h) n,  a = a_p + n / s,  lambda = mu / s,  q = q_0 exp(n).
class Step {
 public:
  Step(System& system, double h) : system_(system) {
    const double rho = 0.8, alpha_m = (2 * rho - 1) / (rho + 1), alpha_f = rho / (rho + 1);
    const double gamma = 0.5 + alpha_f - alpha_m, beta = 0.25 * (gamma + 0.5) * (gamma + 0.5);
    options_.coefficients = {(1 - alpha_m) / ((1 - alpha_f) * beta * h * h), gamma / (beta * h),
                             1.0};
    options_.row_scale = 1.0 / options_.coefficients.mass;
    std::mt19937 g(23);
    state_ = system.make_state();
    q_0_ = state_.q;
    v_p_ = random_vector(g, system.layout().n_velocities(), 2.0);
    a_p_ = random_vector(g, system.layout().n_velocities(), 5.0);
    x_ = random_vector(g, system.layout().n_unknowns(), 0.4);
    x_.tail(system.layout().n_constraints()) *= 0.2;
    system.set_pattern(matrix_);
  }

  VectorXd residual(const VectorXd& x) {
    const int n_v = system_.layout().n_velocities(), n_l = system_.layout().n_constraints();
    const VectorXd n = x.head(n_v);
    system_.advance(q_0_, n, state_.q);
    state_.v = v_p_ + options_.coefficients.damping * n;
    state_.a = a_p_ + options_.coefficients.mass * n;
    state_.lambda = x.tail(n_l) / options_.row_scale;
    VectorXd r, phi, all(n_v + n_l);
    system_.update(state_);
    system_.compute_residual(state_, r, phi);
    all << options_.row_scale * r, phi;
    return all;
  }

  const OpenMatrix& assemble(const VectorXd& x) {
    residual(x);
    System::RotationTangents T;
    for (const bodies::BodyIndex b : system_.bodies())
      T.push_back(math::right_tangent(x.segment<3>(system_.layout().velocity_offset(b) + 3)));
    options_.rotation_tangents = &T;
    system_.assemble(state_, options_, matrix_);
    options_.rotation_tangents = nullptr;
    return matrix_;
  }

  /// One iteration for residual(x) = target.
  VectorXd newton_step(const VectorXd& x, const VectorXd& target) {
    const VectorXd r = residual(x) - target;
    assemble(x);
    matrix_.factor();
    VectorXd dx;
    matrix_.solve(-r, dx);
    return x + dx;
  }

  const VectorXd& x() const { return x_; }

 private:
  System& system_;
  System::TangentOptions options_;
  State state_;
  OpenMatrix matrix_;
  VectorXd q_0_, v_p_, a_p_, x_;
};

// Increments of 0.4 rad, so that the tangent of the exponential map is not the identity.
TEST(IterationMatrix, IsTheDerivativeOfTheScaledResidual) {
  const auto system = make_random_mechanism();
  Step step(*system, 0.05);
  const MatrixXd matrix = step.assemble(step.x()).matrix();
  const int n = system->layout().n_unknowns();
  const double h = 1e-6;
  MatrixXd expected(n, n);
  for (int i = 0; i < n; ++i) {
    const VectorXd d = h * VectorXd::Unit(n, i);
    expected.col(i) = (step.residual(step.x() + d) - step.residual(step.x() - d)) / (2 * h);
  }
  const int n_v = system->layout().n_velocities(), n_l = system->layout().n_constraints();
  const auto error = [&](int row, int col, int rows, int cols) {
    return (matrix - expected).block(row, col, rows, cols).norm() /
           expected.block(row, col, rows, cols).norm();
  };
  // Measured: 8e-11 to 2e-10, what central differences leave.
  EXPECT_LT(error(0, 0, n_v, n_v), 1e-8);
  EXPECT_LT(error(n_v, 0, n_l, n_v), 1e-8);
  EXPECT_LT(error(0, n_v, n_v, n_l), 1e-8);
  EXPECT_EQ(matrix.bottomRightCorner(n_l, n_l).norm(), 0.0);
}

TEST(IterationMatrix, FreshTangentsConvergeQuadratically) {
  const auto system = make_random_mechanism();
  Step step(*system, 0.05);
  const VectorXd solution = step.x(), target = step.residual(solution);
  std::mt19937 g(2);
  VectorXd x =
      solution + testing_support::random_vector(g, static_cast<int>(solution.size()), 0.02);
  std::vector<double> errors;
  for (int i = 0; i < 6; ++i) {
    errors.push_back((x - solution).norm());
    x = step.newton_step(x, target);
  }
  // Measured: 0.06, 0.1, 4e-3, 1.4e-6, 1e-13.
  for (int i = 0; i < 4; ++i)
    EXPECT_LT(errors[i + 1], std::max(50.0 * errors[i] * errors[i], 1e-11)) << "iteration " << i;
  EXPECT_LT(errors[4], 1e-10);
}

// Four iterations are not enough for a turn of 7 rad in one step.
TEST(GeneralizedAlphaFailure, NamesPlaceAndRestoresEveryBitOfTheState) {
  const auto top = testing_support::make_heavy_top();
  integrators::GeneralizedAlphaOptions options;
  options.max_iterations = 4;
  integrators::GeneralizedAlpha integrator(*top, options);
  State s = testing_support::start(*top);
  integrator.initialize(s);
  for (int i = 0; i < 3; ++i) integrator.step(s, 1e-4);
  const State before = s.clone();
  std::string message;
  try {
    integrator.step(s, 0.05);
  } catch (const base::ComputationError& e) {
    message = e.what();
  }
  EXPECT_THAT(message, HasSubstr("t = 0.0503 s, step 0.05 s: Newton stopped after"));
  EXPECT_THAT(message, HasSubstr("of body top"));
  EXPECT_THAT(message, HasSubstr("in tip (translation along world"));
  EXPECT_EQ(s.t, before.t);
  EXPECT_EQ(s.q, before.q);
  EXPECT_EQ(s.v, before.v);
  EXPECT_EQ(s.a, before.a);
  EXPECT_EQ(s.lambda, before.lambda);
}

// The integrator goes on from a failed and from a rejected step as if they had not been.
TEST(GeneralizedAlphaFailure, LeavesNoTraceInTheStepsThatFollow) {
  const auto top = testing_support::make_heavy_top();
  integrators::GeneralizedAlphaOptions options;
  options.tolerance = 1e-13;
  integrators::GeneralizedAlpha straight(*top, options), disturbed(*top, options);
  State a = testing_support::start(*top), b = a.clone();
  straight.initialize(a);
  disturbed.initialize(b);
  for (int i = 0; i < 20; ++i) {
    straight.step(a, 1e-4);
    disturbed.step(b, 1e-4);
    if (i == 7) {
      EXPECT_THROW(disturbed.step(b, 10.0), base::ComputationError);
    }
    if (i == 12) {
      disturbed.step(b, 3e-4);
      disturbed.reject(b);
    }
  }
  EXPECT_LT((a.q - b.q).norm(), 1e-12);
  EXPECT_LT((a.v - b.v).norm(), 1e-9 * a.v.norm());
  EXPECT_EQ(disturbed.statistics().steps, 20);
  EXPECT_EQ(disturbed.statistics().rejected_steps, 1);
}

}  // namespace
}  // namespace solidyn::system

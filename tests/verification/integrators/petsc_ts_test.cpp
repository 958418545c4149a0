// The index-1 form with Baumgarte's stabilisation, integrated by PETSc's TS.
#include "solidyn/integrators/petsc_ts.h"

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "linkages.h"
#include "mechanisms.h"
#include "random_bodies.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/bodies/nodal_body.h"
#include "solidyn/system/connect.h"
#include "solidyn/system/scales.h"

namespace solidyn {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using integrators::PetscTs;
using integrators::PetscTsOptions;
using system::State;
using testing::HasSubstr;
using Type = PetscTsOptions::Type;

PetscTsOptions with_tolerance(Type type, double tolerance) {
  PetscTsOptions options;
  options.type = type;
  options.relative_tolerance = tolerance;
  options.absolute_tolerance = tolerance;
  return options;
}

class BothMethods : public testing::TestWithParam<Type> {};
INSTANTIATE_TEST_SUITE_P(PetscTs, BothMethods, testing::Values(Type::bdf, Type::rk),
                         [](const auto& test) { return test.param == Type::bdf ? "Bdf" : "Rk"; });

// Position and velocity at 1 s, from the table of case A01.
double pendulum_error(const State& s) {
  return (s.q.head<3>() - Vector3d(0.986291751, -0.165010853, 0)).norm() +
         (s.v.head<3>() - Vector3d(0.296905516, 1.774643641, 0)).norm();
}

// Errors in proportion to the tolerance would fall by a hundred; variable order and step give
// 40 to 160.
TEST_P(BothMethods, PendulumErrorFallsInProportionToTheTolerance) {
  std::vector<double> errors;
  for (double tolerance : {1e-4, 1e-6, 1e-8}) {
    const auto pendulum = testing_support::make_simple_pendulum();
    errors.push_back(pendulum_error(
        testing_support::run_petsc_ts(*pendulum, 1.0, with_tolerance(GetParam(), tolerance))));
  }
  EXPECT_LT(errors[0], 1e-2);
  EXPECT_LT(errors[1], errors[0] / 30.0);
  EXPECT_LT(errors[2], errors[1] / 30.0);
}

// The reference is that of case A05 at 0.5 s; the multipliers are those of generalized-alpha in
// index-3 form, which knows no Baumgarte, after halving the step twice (its own error is 2e-5).
TEST_P(BothMethods, HeavyTopAgreesWithTheReferenceAndWithGeneralizedAlpha) {
  const auto top = testing_support::make_heavy_top();
  const State s = testing_support::run_petsc_ts(*top, 0.5, with_tolerance(GetParam(), 1e-9));
  const Vector3d reference(-0.702468297, -0.021165185, -0.711400258);
  EXPECT_LT((s.q.head<3>() - reference).norm(), 5e-6);
  integrators::GeneralizedAlphaOptions tight;
  tight.rho_infinity = 0.9;
  tight.tolerance = 1e-12;
  const State other = testing_support::run_generalized_alpha(*top, 0.5, 16000, tight);
  EXPECT_LT((s.v - other.v).norm(), 1e-4 * other.v.norm());
  EXPECT_LT((s.lambda - other.lambda).norm(), 1e-4 * other.lambda.norm());
}

// |Phi| of the heavy top's tip over a span of time, m.
double largest_violation(PetscTsOptions options, double rate, double t_begin, double t_end) {
  options.projection = false;
  options.baumgarte_alpha = options.baumgarte_beta = rate;
  const auto top = testing_support::make_heavy_top();
  State s = testing_support::start(*top);
  PetscTs integrator(*top, options);
  integrator.initialize(s);
  double largest = 0.0;
  VectorXd r, phi;
  while (integrator.step(s, t_end) > 0.0) {
    if (s.t < t_begin) continue;
    top->compute_residual(s, r, phi);
    largest = std::max(largest, phi.norm());
  }
  return largest;
}

// Without stabilisation the tip drifts away: 10, 34, 62 mm in the first three spans of 2 s with BDF
// at this tolerance. With 5/s it stays within 0.33 mm.
TEST_P(BothMethods, BaumgarteKeepsTheViolationBounded) {
  const PetscTsOptions options = with_tolerance(GetParam(), 1e-6);
  const double free_early = largest_violation(options, 0.0, 0.0, 2.0);
  const double free_late = largest_violation(options, 0.0, 4.0, 6.0);
  const double early = largest_violation(options, 5.0, 0.0, 2.0);
  const double late = largest_violation(options, 5.0, 4.0, 6.0);
  EXPECT_GT(free_late, 4.0 * free_early);
  EXPECT_LT(late, 1.1 * early);
  EXPECT_LT(late, free_late / 100.0);
}

// At the kinematics that the system holds.
std::vector<int> redundant_rows(const system::System& system) {
  return system::find_redundancy(system, increment_weights(system, characteristic_length(system)))
      .rows;
}

// Bricard's loop, one of whose rows depends on others.
TEST_P(BothMethods, ProjectionKeepsALoopOfDependentConstraints) {
  const auto bricard = testing_support::make_bricard();
  State s = testing_support::start(*bricard);
  PetscTsOptions options = with_tolerance(GetParam(), 1e-6);
  options.regularization = system::redundancy_regularization(*bricard);
  options.dependent_rows = redundant_rows(*bricard);
  const double energy = testing_support::total_energy(*bricard, s);
  PetscTs integrator(*bricard, options);
  integrator.initialize(s);
  double violation = 0.0, drift = 0.0, fastest = 0.0;
  VectorXd r, phi, Gv;
  while (integrator.step(s, 10.0) > 0.0) {
    fastest = std::max(fastest, s.v.lpNorm<Eigen::Infinity>());
    bricard->compute_residual(s, r, phi);
    bricard->multiply_G(s.v, Gv);
    violation = std::max({violation, phi.lpNorm<Eigen::Infinity>(), Gv.lpNorm<Eigen::Infinity>()});
    drift = std::max(drift, std::abs(testing_support::total_energy(*bricard, s) - energy));
  }
  EXPECT_GT(fastest, 1.0);
  EXPECT_LT(violation, 1e-11);
  EXPECT_LT(drift, 1e-3 * 5 * 9.81);
}

TEST_P(BothMethods, WorkOfADriveIsTheEnergyOfItsDisc) {
  const auto disc = testing_support::make_driven_disc({"20*t + sin(30*t)"});
  State s = testing_support::start(*disc);
  const double energy = testing_support::total_energy(*disc, s);
  PetscTs integrator(*disc, with_tolerance(GetParam(), 1e-9));
  integrator.initialize(s);
  while (integrator.step(s, 1.0) > 0.0) {
  }
  EXPECT_GT(std::abs(integrator.work().sum()), 10.0);
  EXPECT_NEAR(integrator.work().sum(), testing_support::total_energy(*disc, s) - energy, 1e-4);
}

// Its formula would go on from its last stage, which is not projected.
TEST(PetscTs, ProjectionMeetsFormulasThatReuseTheirLastStage) {
  const auto top = testing_support::make_heavy_top();
  PetscTsOptions options = with_tolerance(Type::rk, 1e-9);
  options.rk_type = "5dp";
  const State s = testing_support::run_petsc_ts(*top, 0.5, options);
  const Vector3d reference(-0.702468297, -0.021165185, -0.711400258);  // case A05
  EXPECT_LT((s.q.head<3>() - reference).norm(), 5e-6);
}

// The first step is tried with all of 10 s, in which a damper makes 1e30 of the motion; what is
// left of that when it is taken back is not to be seen.
TEST(PetscTs, ARejectedStepLeavesNothingBehind) {
  constexpr double kStiffness = 1e4, kDamping = 1e4, kStretch = 0.1, kDuration = 1e-2;
  const auto mass = std::make_unique<system::System>();
  system::InitialMotion pose;
  pose.p_WB = Vector3d(1.0 + kStretch, 0, 0);
  const bodies::BodyIndex body = mass->add_body(
      bodies::make_rigid_body("mass", 1.0, Vector3d::Zero(), Vector3d(0.1, 0.1, 0.1).asDiagonal()),
      pose);
  forces::SpringDamper::Options options;
  options.stiffness = kStiffness;
  options.damping = kDamping;
  options.free = 1.0;
  system::add_spring(*mass, "spring", bodies::Distance(), options,
                     {system::add_frame(*mass, bodies::kGround, Vector3d::Zero()),
                      system::add_frame(*mass, body, pose.p_WB)});
  mass->finalize();
  State state = testing_support::start(*mass);
  PetscTsOptions tight = with_tolerance(Type::rk, 1e-11);
  tight.initial_step = 10.0;
  PetscTs integrator(*mass, tight);
  integrator.initialize(state);
  integrator.step(state, 10.0);
  EXPECT_GT(integrator.statistics().rejected_steps, 3);
  while (integrator.step(state, kDuration) > 0.0) mass->accept(state);
  const double root = std::sqrt(0.25 * kDamping * kDamping - kStiffness),
               fast = -0.5 * kDamping - root, slow = kStiffness / fast;
  const double x = kStretch *
                   (fast * std::exp(slow * kDuration) - slow * std::exp(fast * kDuration)) /
                   (fast - slow);
  EXPECT_NEAR(state.q[0], 1.0 + x, 1e-9);
  EXPECT_NEAR(state.q.segment<2>(1).norm(), 0.0, 1e-12);
}

TEST_P(BothMethods, DependentConstraintsDoNotChangeTheMotion) {
  const auto pendulum = testing_support::make_simple_pendulum(
      {joints::JointType::revolute, joints::JointType::planar});
  State s = testing_support::start(*pendulum);
  PetscTsOptions options = with_tolerance(GetParam(), 1e-8);
  options.regularization = system::redundancy_regularization(*pendulum);
  options.dependent_rows = redundant_rows(*pendulum);
  PetscTs integrator(*pendulum, options);
  integrator.initialize(s);
  while (integrator.step(s, 1.0) > 0.0) {
  }
  EXPECT_LT(pendulum_error(s), 2e-6);
  // Multipliers of minimum norm have no part that G^T does not see.
  const Eigen::MatrixXd Gt = Eigen::MatrixXd(pendulum->sparse_G()).transpose();
  const VectorXd minimum = Gt.completeOrthogonalDecomposition().solve(Gt * s.lambda);
  EXPECT_LT((s.lambda - minimum).norm(), 1e-6 * s.lambda.norm());
}

TEST_P(BothMethods, NeverStepsBeyondTheEndAndFillsTheWholeState) {
  const auto pendulum = testing_support::make_simple_pendulum();
  State s = testing_support::start(*pendulum);
  PetscTs integrator(*pendulum, with_tolerance(GetParam(), 1e-6));
  integrator.initialize(s);
  for (double t_end : {0.1, 0.10001, 0.7}) {
    while (integrator.step(s, t_end) > 0.0) ASSERT_LE(s.t, t_end);
    EXPECT_EQ(s.t, t_end);
    EXPECT_NEAR(s.q.segment<4>(3).norm(), 1.0, 1e-15);
    VectorXd r, phi;
    pendulum->compute_residual(s, r, phi);
    EXPECT_LT(r.norm(), 1e-12 * 9.81);  // M a + h + G^T lambda at the new time
  }
  EXPECT_EQ(integrator.step(s, 0.5), 0.0);
}

int steps_to_one_second(int max_order) {
  const auto pendulum = testing_support::make_simple_pendulum();
  State s = testing_support::start(*pendulum);
  PetscTsOptions options = with_tolerance(Type::bdf, 1e-8);
  options.max_order = max_order;
  PetscTs integrator(*pendulum, options);
  integrator.initialize(s);
  int highest = 0;
  while (integrator.step(s, 1.0) > 0.0) highest = std::max(highest, integrator.order());
  EXPECT_EQ(highest, max_order);
  return static_cast<int>(integrator.statistics().steps);
}

TEST(PetscTs, VariableOrderTakesFarFewerStepsThanOrderTwo) {
  // Measured: 1407 and 119.
  const int two = steps_to_one_second(2), five = steps_to_one_second(5);
  EXPECT_LT(5 * five, two);
}

// A body of random masses and modes, spinning and vibrating freely, as free-free modes describe it.
struct FreeBody {
  system::System system;
  State state;
  FreeBody() {
    testing_support::MassCloud cloud(12, 4, 21);
    cloud.remove_rigid_motion();
    std::mt19937 g(5);
    system::InitialMotion motion;
    motion.p_WB = testing_support::random_vector(g, 3);
    motion.q_WB = testing_support::random_rotation(g);
    motion.v_WB = testing_support::random_vector(g, 3);
    motion.w_WB_B = testing_support::random_vector(g, 3, 8.0);
    system.add_body(std::make_unique<bodies::ModalBody>(
                        "cloud", cloud.invariants(), cloud.mass_matrix(),
                        200.0 * cloud.stiffness(3), Eigen::MatrixXd::Zero(4, 4), VectorXd::Ones(4)),
                    motion);
    system.finalize();
    state = testing_support::start(system);
    state.v.tail(4) = testing_support::random_vector(g, 4);
  }
};

// Nothing in the equations is made to conserve: that momentum and energy stay to the integrator's
// tolerance shows that the inertia terms are complete (measured: 3e-15 to 7e-15).
TEST(PetscTs, FreeFlexibleFlightConservesMomentaAndEnergy) {
  FreeBody body;
  PetscTs integrator(body.system, with_tolerance(Type::rk, 1e-12));
  integrator.initialize(body.state);
  const double energy = testing_support::total_energy(body.system, body.state);
  const bodies::Momentum before = body.system.momentum(body.state);
  double strain = 0.0;
  while (integrator.step(body.state, 1.0) > 0.0)
    strain = std::max(strain, body.system.energy(body.state).strain);
  const bodies::Momentum after = body.system.momentum(body.state);
  EXPECT_GT(strain, 0.1 * energy);  // it does deform
  EXPECT_LT((after.linear - before.linear).norm(), 1e-10 * before.linear.norm());
  EXPECT_LT((after.angular - before.angular).norm(), 1e-10 * before.angular.norm());
  EXPECT_NEAR(testing_support::total_energy(body.system, body.state), energy, 1e-10 * energy);
}

TEST(PetscTs, PetscOptionsWin) {
  SOLIDYN_PETSC(PetscOptionsSetValue(nullptr, "-ts_rk_type", "3bs"));
  SOLIDYN_PETSC(PetscOptionsSetValue(nullptr, "-ts_rtol", "1e-3"));
  FreeBody body;
  PetscTs integrator(body.system, with_tolerance(Type::rk, 1e-12));
  integrator.initialize(body.state);
  SOLIDYN_PETSC(PetscOptionsClearValue(nullptr, "-ts_rk_type"));
  SOLIDYN_PETSC(PetscOptionsClearValue(nullptr, "-ts_rtol"));
  TSRKType type;
  PetscReal tolerance;
  SOLIDYN_PETSC(TSRKGetType(integrator.ts(), &type));
  SOLIDYN_PETSC(TSGetTolerances(integrator.ts(), nullptr, nullptr, &tolerance, nullptr));
  EXPECT_STREQ(type, "3bs");
  EXPECT_EQ(tolerance, 1e-3);
}

// A rigid ball that must not be evaluated beyond x = 1.
class Fence final : public bodies::Body {
 public:
  Fence()
      : Body("ball", 0),
        ball_(bodies::make_rigid_body("ball", 1.0, Vector3d::Zero(), Eigen::Matrix3d::Identity())) {
  }
  void add_residual(const bodies::BodyState& state, const Vector3d& gravity,
                    Eigen::Ref<VectorXd> r) override {
    if (state.p_WB.x() > 1.0) throw base::ComputationError("the ball is over the fence");
    ball_->add_residual(state, gravity, r);
  }
  void add_tangent(const bodies::BodyState& state, const Vector3d& gravity,
                   const bodies::TangentCoefficients& c, Eigen::Ref<Eigen::MatrixXd> J_rate,
                   Eigen::Ref<Eigen::MatrixXd> J_q) override {
    ball_->add_tangent(state, gravity, c, J_rate, J_q);
  }
  bodies::Energy energy(const bodies::BodyState& state, const Vector3d& gravity) const override {
    return ball_->energy(state, gravity);
  }
  bodies::Momentum momentum(const bodies::BodyState& state) const override {
    return ball_->momentum(state);
  }
  double dissipation(const bodies::BodyState&) const override { return 0.0; }
  double mass() const override { return 1.0; }
  VectorXd elastic_amplitude() const override { return {}; }

 private:
  std::unique_ptr<bodies::ModalBody> ball_;
};

TEST_P(BothMethods, ErrorsInsideTheEquationsComeOutWithTimeCauseAndState) {
  system::System system;
  system::InitialMotion motion;
  motion.v_WB = Vector3d(1, 0, 0);
  system.add_body(std::make_unique<Fence>(), motion);
  system.finalize();
  State s = testing_support::start(system);
  PetscTs integrator(system, with_tolerance(GetParam(), 1e-6));
  integrator.initialize(s);
  State before = s.clone();
  std::string message;
  try {
    while (integrator.step(s, 2.0) > 0.0) before = s.clone();
  } catch (const base::ComputationError& e) {
    message = e.what();
  }
  EXPECT_THAT(message, HasSubstr("the ball is over the fence"));
  EXPECT_THAT(message, HasSubstr(fmt::format("t = {:.6g} s", before.t)));
  EXPECT_EQ(s.t, before.t);
  EXPECT_EQ(s.q, before.q);
  EXPECT_LE(s.q[0], 1.0);
  EXPECT_GT(s.q[0], 0.99);  // shorter steps came as near as they could
}

// A body of one node, as far as its kind matters here.
class OneNode final : public bodies::NodalBody {
 public:
  OneNode() : NodalBody("rod", 0) {}
  const mesh::DistributedMesh& mesh() const override { return mesh_; }
  bodies::NodalState make_state() const override { return {}; }
  void set_coefficients(const bodies::TangentCoefficients&) override {}
  void recover(const Eigen::Ref<const VectorXd>&, ::Vec) override {}
  void follow(const Eigen::Ref<const VectorXd>&, ::Vec) override {}
  VectorXd ports_of(::Vec) const override { return {}; }
  int linear_iterations() const override { return 0; }
  double interior_increment() const override { return 0.0; }
  void add_residual(const bodies::BodyState&, const Vector3d&, Eigen::Ref<VectorXd>) override {}
  void add_tangent(const bodies::BodyState&, const Vector3d&, const bodies::TangentCoefficients&,
                   Eigen::Ref<Eigen::MatrixXd>, Eigen::Ref<Eigen::MatrixXd>) override {}
  bodies::Energy energy(const bodies::BodyState&, const Vector3d&) const override { return {}; }
  bodies::Momentum momentum(const bodies::BodyState&) const override { return {}; }
  double dissipation(const bodies::BodyState&) const override { return 0.0; }
  double mass() const override { return 1.0; }
  VectorXd elastic_amplitude() const override { return {}; }

 private:
  mesh::DistributedMesh mesh_;
};

std::string refusal(system::System& system, const PetscTsOptions& options) {
  try {
    PetscTs integrator(system, options);
  } catch (const base::InputError& e) {
    return e.what();
  }
  return "accepted";
}

TEST(PetscTs, RefusesFullMeshBodiesAndOptionsOutOfRange) {
  system::System nodal;
  nodal.add_body(std::make_unique<OneNode>(), {});
  nodal.finalize();
  const std::string message = refusal(nodal, {});
  EXPECT_THAT(message, HasSubstr("`rod`"));
  EXPECT_THAT(message, HasSubstr("generalized_alpha"));

  const auto pendulum = testing_support::make_simple_pendulum();
  PetscTsOptions options;
  options.max_order = 7;
  EXPECT_THAT(refusal(*pendulum, options), HasSubstr("max_order of the integrator petsc_ts is 7"));
  options = {};
  options.absolute_tolerance = 0.0;
  EXPECT_THAT(refusal(*pendulum, options), HasSubstr("absolute_tolerance"));
  options = {};
  options.baumgarte_alpha = -1.0;
  EXPECT_THAT(refusal(*pendulum, options), HasSubstr("baumgarte_alpha"));
}

}  // namespace
}  // namespace solidyn

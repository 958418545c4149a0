// Mechanisms by the energy decaying scheme: joints, redundant ones, and those on velocity level,
// with order two in positions, velocities and multipliers.
#include "solidyn/integrators/ed_alpha.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <complex>

#include "linkages.h"
#include "mechanisms.h"
#include "model_runs.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/integrators/bathe.h"
#include "solidyn/integrators/generalized_alpha.h"
#include "solidyn/joints/joint.h"
#include "solidyn/system/connect.h"
#include "solidyn/system/scales.h"

namespace solidyn::ed_alpha_mechanisms {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using integrators::EdAlpha;
using integrators::EdAlphaOptions;
using joints::JointType;
using system::State;
using system::System;

EdAlphaOptions options_for(System& system, double rho, double alpha_AR = 1.0 / 6.0) {
  testing_support::start(system);
  EdAlphaOptions options;
  options.rho_infinity = rho;
  options.alpha_AR = alpha_AR;
  options.tolerance = 1e-12;
  const auto redundancy =
      system::find_redundancy(system, increment_weights(system, characteristic_length(system)));
  if (!redundancy.rows.empty()) options.regularization = system::redundancy_regularization(system);
  return options;
}

State run(System& system, const EdAlphaOptions& options, double h, int n_steps) {
  State s = testing_support::start(system);
  EdAlpha integrator(system, options);
  integrator.initialize(s);
  for (int i = 0; i < n_steps; ++i) {
    integrator.step(s, h);
    system.accept(s);
  }
  return s;
}

// Two rods of 1 kg and 1 m from the horizontal, the second one at an angle.
std::unique_ptr<System> make_double_pendulum(int n_hinges = 1) {
  auto system = std::make_unique<System>();
  system->set_gravity({0, -9.81, 0});
  const Vector3d inertia(0.01, 1.0 / 12.0, 1.0 / 12.0);
  system::InitialMotion first, second;
  first.p_WB = {0.5, 0, 0};
  second.p_WB = {1.0, 0.5, 0};
  second.q_WB = Eigen::Quaterniond(Eigen::AngleAxisd(M_PI / 2, Vector3d::UnitZ()));
  const auto add = [&](const char* name, const system::InitialMotion& pose) {
    return system->add_body(
        bodies::make_rigid_body(name, 1.0, Vector3d::Zero(), inertia.asDiagonal()), pose);
  };
  const auto a = add("first", first), b = add("second", second);
  for (int i = 0; i < n_hinges; ++i)
    testing_support::add_joint(*system, "hinge " + std::to_string(i), JointType::revolute,
                               bodies::kGround, {}, a, first,
                               {0, 0, n_hinges == 1 ? 0.0 : 0.2 * i - 0.1});
  testing_support::add_joint(*system, "elbow", JointType::revolute, a, first, b, second, {1, 0, 0});
  system->finalize();
  return system;
}

std::unique_ptr<System> make_wobbling_disc() {
  constexpr double kRadius = 0.3;
  auto system = std::make_unique<System>();
  system->set_gravity({0, 0, -9.81});
  system::InitialMotion m;
  m.q_WB = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitZ(), Vector3d(1.0, 0.2, 0.3));
  m.p_WB = Vector3d(0, 0, kRadius);
  m.w_WB_B = Vector3d(0.5, -1.0, 6.0);
  system->add_body(bodies::make_rigid_body("disc", 3.0, Vector3d::Zero(),
                                           Vector3d(0.11, 0.11, 0.2).asDiagonal()),
                   m);
  bodies::Frame plane, centre;
  centre.body = bodies::BodyIndex(0);
  const auto A = system->add_frame(plane), B = system->add_frame(centre);
  const joints::JointRows rows = joints::rolling_rows(kRadius);
  system->add_constraint(
      std::make_unique<joints::Joint>("rolling", system->link(A, B), rows.primitives, rows.names));
  system->finalize();
  return system;
}

struct Orders {
  double q, v, lambda, a;
};

template <class Run>
Orders orders_of(const Run& run_in, int n_steps, double duration) {
  const auto at = [&](int n) { return run_in(duration / n, n); };
  const State exact = at(16 * n_steps), coarse = at(n_steps), fine = at(2 * n_steps);
  const auto order = [&](VectorXd State::*part) {
    return std::log2((coarse.*part - exact.*part).norm() / (fine.*part - exact.*part).norm());
  };
  return {order(&State::q), order(&State::v), order(&State::lambda), order(&State::a)};
}

Orders observed(System& system, double rho, double alpha_AR, int n_steps, double duration) {
  const EdAlphaOptions options = options_for(system, rho, alpha_AR);
  return orders_of([&](double h, int n) { return run(system, options, h, n); }, n_steps, duration);
}

TEST(EdAlphaWithJoints, HasOrderTwoInMultipliersToo) {
  for (const double rho : {0.0, 0.5, 0.8}) {
    const auto pendulum = make_double_pendulum();
    const Orders of_pendulum = observed(*pendulum, rho, 1.0 / 6.0, 200, 0.6);
    EXPECT_NEAR(of_pendulum.q, 2.0, 0.15) << rho;
    EXPECT_NEAR(of_pendulum.v, 2.0, 0.15) << rho;
    EXPECT_NEAR(of_pendulum.lambda, 2.0, 0.2) << rho;
    const auto disc = make_wobbling_disc();
    const Orders of_disc = observed(*disc, rho, 1.0 / 6.0, 200, 0.5);
    EXPECT_NEAR(of_disc.q, 2.0, 0.15) << rho;
    EXPECT_NEAR(of_disc.v, 2.0, 0.15) << rho;
    EXPECT_NEAR(of_disc.lambda, 2.0, 0.2) << rho;
  }
}

// With another alpha_AR multipliers of joints on position level have order one; the motion has two.
TEST(EdAlphaWithJoints, HasOrderTwoInMotionWithAnyAlpha) {
  const auto pendulum = make_double_pendulum();
  const Orders orders = observed(*pendulum, 0.5, 0.3, 400, 0.6);
  EXPECT_NEAR(orders.q, 2.0, 0.15);
  EXPECT_NEAR(orders.v, 2.0, 0.15);
  EXPECT_NEAR(orders.lambda, 1.0, 0.2);
}

// By Bathe's scheme; every state that it shows is completed.
// @param[out] shown  the last one, completed   @return the last one as the scheme left it
State run_by_bathe(System& system, double h, int n_steps, State* shown = nullptr) {
  integrators::StageOptions options;
  options.tolerance = 1e-12;
  State s = testing_support::start(system);
  integrators::Bathe bathe(system, options);
  bathe.initialize(s);
  for (int i = 0; i < n_steps; ++i) {
    bathe.step(s, h);
    system.accept(s);
    if (!shown) continue;
    *shown = s.clone();
    bathe.complete(*shown);
    system.update(s);
  }
  return s;
}

// With steps so short that many of them share a tangent: what it has of old constraints must not
// enter the motion. The scheme's own multipliers are those of half a step before; what is shown has
// order two.
TEST(BatheWithJoints, HasOrderTwoInMotionAndInShownMultipliers) {
  const auto pendulum = make_double_pendulum(), disc = make_wobbling_disc();
  for (System* system : {pendulum.get(), disc.get()}) {
    const bool is_pendulum = system == pendulum.get();
    const int n_steps = is_pendulum ? 800 : 400;
    const Orders own =
        orders_of([&](double h, int n) { return run_by_bathe(*system, h, n); }, n_steps, 0.6);
    EXPECT_NEAR(own.q, 2.0, 0.1) << is_pendulum;
    EXPECT_NEAR(own.v, 2.0, 0.1) << is_pendulum;
    if (is_pendulum) EXPECT_NEAR(own.lambda, 1.0, 0.1);  // rolling is on velocity level
    const Orders shown = orders_of(
        [&](double h, int n) {
          State s;
          run_by_bathe(*system, h, n, &s);
          return s;
        },
        n_steps, 0.6);
    EXPECT_NEAR(shown.q, 2.0, 0.1) << is_pendulum;
    EXPECT_NEAR(shown.lambda, 2.0, 0.1) << is_pendulum;
    EXPECT_NEAR(shown.a, 2.0, 0.1) << is_pendulum;
  }
}

TEST(BatheWithJoints, IsNotDisturbedByWhatIsShown) {
  const auto pendulum = make_double_pendulum();
  State shown;
  const State alone = run_by_bathe(*pendulum, 2e-3, 300),
              looked_at = run_by_bathe(*pendulum, 2e-3, 300, &shown);
  EXPECT_EQ(alone.q, looked_at.q);
  EXPECT_EQ(alone.v, looked_at.v);
  EXPECT_EQ(alone.a, looked_at.a);
  EXPECT_EQ(alone.lambda, looked_at.lambda);
  EXPECT_EQ(alone.q, shown.q);
  EXPECT_EQ(alone.v, shown.v);
  EXPECT_GT((alone.lambda - shown.lambda).norm(), 1e-4 * alone.lambda.norm());
  // The shown one meets the equations of motion and the second derivative of the constraints.
  VectorXd r, phi, nu, gamma, Ga;
  pendulum->update(shown);
  pendulum->compute_residual(shown, r, phi);
  pendulum->update_accelerations();
  pendulum->compute_rates(shown, nu, gamma);
  pendulum->multiply_G(shown.a, Ga);
  EXPECT_LE((Ga - gamma).norm(), 1e-10 * gamma.norm());
  EXPECT_LE(r.norm(), 1e-3 * shown.lambda.norm());  // S is not M: of order h^2
}

TEST(EdAlphaWithJoints, MeetsBothLevelsAfterEachStep) {
  const auto pendulum = make_double_pendulum(), disc = make_wobbling_disc();
  for (System* system : {pendulum.get(), disc.get()}) {
    const EdAlphaOptions options = options_for(*system, 0.8);
    State s = testing_support::start(*system);
    EdAlpha integrator(*system, options);
    integrator.initialize(s);
    VectorXd phi, nu, gamma, Gv;
    for (int i = 0; i < 200; ++i) {
      integrator.step(s, 2e-3);
      system->accept(s);
      system->update(s);
      system->compute_constraints(s, phi);
      system->update_accelerations();
      system->compute_rates(s, nu, gamma);
      system->multiply_G(s.v, Gv);
      EXPECT_LT(phi.lpNorm<Eigen::Infinity>(), 1e-12);
      EXPECT_LT((Gv - nu).lpNorm<Eigen::Infinity>(), 1e-9);
    }
  }
}

TEST(EdAlphaWithJoints, SharesForcesOfRedundantOnesEqually) {
  for (const double h : {1e-2, 1e-3, 1e-4}) {
    const auto one = make_double_pendulum(1), two = make_double_pendulum(2);
    const int n_steps = std::min(2000, static_cast<int>(0.5 / h));
    const State a = run(*one, options_for(*one, 0.8), h, n_steps),
                b = run(*two, options_for(*two, 0.8), h, n_steps);
    EXPECT_LT((a.q - b.q).norm(), 1e-9) << h;
    EXPECT_LT((a.v - b.v).norm(), 1e-8) << h;
    const double scale = a.lambda.lpNorm<Eigen::Infinity>();
    EXPECT_LT((b.lambda.head<3>() - b.lambda.segment<3>(5)).norm(), 1e-6 * scale) << h;
    EXPECT_LT((b.lambda.head<3>() - 0.5 * a.lambda.head<3>()).norm(), 1e-4 * scale) << h;
  }
}

// Bricard's loop from rest, whose rows depend on each other in every position.
TEST(EdAlphaWithJoints, KeepsItsOrderInALoop) {
  const auto drift = [](double h, int n_steps) {
    const auto system = testing_support::make_bricard();
    const EdAlphaOptions options = options_for(*system, 0.8);
    State s = testing_support::start(*system);
    const double first = testing_support::total_energy(*system, s);
    EdAlpha integrator(*system, options);
    integrator.initialize(s);
    double worst = 0.0;
    for (int i = 0; i < n_steps; ++i) {
      integrator.step(s, h);
      system->accept(s);
      worst = std::max(worst, std::abs(testing_support::total_energy(*system, s) - first));
    }
    return worst;
  };
  const double coarse = drift(4e-3, 250), fine = drift(2e-3, 500);
  EXPECT_GT(std::log2(coarse / fine), 1.8);
  EXPECT_LT(fine, 1e-3);
}

// Page D06 (P-NONSMOOTH Figs 15 and 16): three masses and a spring of 1e7 N/m to the ground.
std::unique_ptr<System> make_masses_on_stiff_spring() {
  auto system = std::make_unique<System>();
  system->set_gravity({9.81, 0, 0});
  bodies::BodyIndex body[3];
  bodies::FrameIndex frame[3];
  for (int i = 0; i < 3; ++i)
    body[i] = system->add_body(
        bodies::make_rigid_body("mass", 1.0, Vector3d::Zero(), Eigen::Matrix3d::Identity()), {});
  const auto ground =
      system::add_frame(*system, system::kGround, Vector3d::Zero(), Vector3d::UnitX());
  for (int i = 0; i < 3; ++i)
    frame[i] = system::add_frame(*system, body[i], Vector3d::Zero(), Vector3d::UnitX());
  const auto spring = [&](double stiffness, bodies::FrameIndex a, bodies::FrameIndex b) {
    forces::SpringDamper::Options options;
    options.stiffness = stiffness;
    system::add_spring(*system, "spring", bodies::PointAlongFrameAxis(Vector3d::UnitZ()), options,
                       {a, b});
  };
  spring(1.0, ground, frame[0]);
  spring(1.0, frame[0], frame[1]);
  spring(1.0, frame[1], frame[2]);
  spring(1e7, ground, frame[2]);
  system->finalize();
  return system;
}

// m: of mass 3, from its static position under the pull of mass 2, at the end of each step of 1 ms.
template <class Integrator, class Options>
std::vector<double> ripple(System& system, const Options& options, State& s, int n_steps) {
  Integrator integrator(system, options);
  integrator.initialize(s);
  std::vector<double> found;
  for (int i = 0; i < n_steps; ++i) {
    integrator.step(s, 1e-3);
    system.accept(s);
    found.push_back(s.q[14] - (9.81 + s.q[7]) / (1e7 + 1.0));
  }
  return found;
}

// Of 503.292 Hz; it decays by rho_infinity, and masses 1 and 2 follow 9.81 (1 - cos t).
TEST(MassesOnAStiffSpring, LoseTheirRippleByEdAlpha) {
  for (const double rho : {0.0, 0.5, 0.8}) {
    const auto system = make_masses_on_stiff_spring();
    State s = testing_support::start(*system);
    const std::vector<double> left = ripple<EdAlpha>(*system, options_for(*system, rho), s, 1000);
    for (const int i : {19, 999})
      EXPECT_LT(std::abs(left[i]), 1e-6 * std::pow(0.9, i) + 1e-11) << rho << " " << i;
    EXPECT_NEAR(s.q[0], 4.50963438, 5e-6);
    EXPECT_NEAR(s.q[7], 4.50963438, 5e-6);
  }
}

// The spectral radius of a spring whose omega h is 3.162: of the characteristic polynomial of
// generalized-alpha; h is a thousandth of a second.
double spectral_radius_of_ripple(double rho) {
  const double alpha_m = (2.0 * rho - 1.0) / (rho + 1.0), alpha_f = rho / (rho + 1.0);
  const double gamma = 0.5 - alpha_m + alpha_f, beta = 0.25 * std::pow(gamma + 0.5, 2);
  const double w = 1e7 * 1e-6;  // (omega h)^2
  Eigen::Matrix3d left, right;  // of (q, h v, h^2 a)
  left << 1, 0, -beta, 0, 1, -gamma, (1 - alpha_f) * w, 0, 1 - alpha_m;
  right << 1, 1, 0.5 - beta, 0, 1, 1 - gamma, -alpha_f * w, 0, -alpha_m;
  const Eigen::Matrix3d step = left.inverse() * right;
  return step.eigenvalues().cwiseAbs().maxCoeff();
}

double largest(const std::vector<double>& values, int first, int last) {
  double found = 0.0;
  for (int i = first; i < last; ++i) found = std::max(found, std::abs(values[i]));
  return found;
}

// By how much it becomes smaller in a step: over some ten of them its amplitude is seen whatever
// its phase is.
double decay(const std::vector<double>& ripple) {
  const double early = largest(ripple, 0, 10), late = largest(ripple, 10, 20);
  return std::pow(late / early, 0.1);
}

// Each scheme keeps as much of it as its spectral radius at omega h = 3.16 says: 0.986 of
// generalized-alpha with 0.8, which has it for long, and 0.54 with 0, which has it for a few steps.
// That of Bathe's scheme is (12 + 5 z)/((3 - z)(4 - z)), 0.89: it drops at longer steps only.
TEST(MassesOnAStiffSpring, KeepTheirRippleByTheSpectralRadius) {
  for (const double rho : {0.0, 0.5, 0.8}) {
    const auto system = make_masses_on_stiff_spring();
    State s = testing_support::start(*system);
    integrators::GeneralizedAlphaOptions options;
    options.rho_infinity = rho;
    options.tolerance = 1e-12;
    const std::vector<double> left = ripple<integrators::GeneralizedAlpha>(*system, options, s, 20);
    EXPECT_NEAR(decay(left), spectral_radius_of_ripple(rho), 0.05) << rho;
  }
  const auto system = make_masses_on_stiff_spring();
  State s = testing_support::start(*system);
  integrators::StageOptions options;
  options.tolerance = 1e-12;
  const std::complex<double> z(0.0, std::sqrt(10.0));
  EXPECT_NEAR(decay(ripple<integrators::Bathe>(*system, options, s, 20)),
              std::abs((12.0 + 5.0 * z) / ((3.0 - z) * (4.0 - z))), 0.02);
}

// Lobatto IIIC is algebraically stable: bodies that turn by 0.1 rad per step on a bushing far
// stiffer than the step keep their energy. Of 6000 J.
TEST(EdAlphaOnAStiffSpring, CreatesNoEnergyWhereItTurns) {
  const testing_support::ModelRun run = testing_support::run_model(
      MPI_COMM_SELF, "tests/verification/integrators/bushing_pair.yaml",
      {"analyses.dynamics.integrator=ed_alpha", "analyses.dynamics.rho_infinity=0",
       "analyses.dynamics.alpha_AR=0.5", "analyses.dynamics.duration=0.02"});
  EXPECT_LT(run.monitor.largest_drift, 20.0);
  EXPECT_NEAR(run.history.at("q").back(), 2.0, 5e-3);
}

// Bodies of all kinds that it takes move as by generalized-alpha in the same steps, to what both
// leave of theirs.
struct BodyCase {
  const char *model, *duration, *column;
  double allowed;
};
class EdAlphaMoves : public testing::TestWithParam<BodyCase> {};
INSTANTIATE_TEST_SUITE_P(
    Bodies, EdAlphaMoves,
    testing::Values(
        BodyCase{"examples/import/table_rod.yaml", "0.01", "deflection", 1e-7},
        BodyCase{"examples/import/table_rod.yaml", "0.01", "slider_position", 1e-8},
        BodyCase{"examples/superelements/slider_crank.yaml", "0.01", "deflection", 1e-6},
        BodyCase{"examples/superelements/slider_crank.yaml", "0.01", "slider_position", 1e-5},
        BodyCase{"examples/beams/finger.yaml", "0.2", "hand.force_y", 1e-4},
        BodyCase{"examples/beams/flying_spaghetti_plane.yaml", "2", "lower.x", 2e-3}));

TEST_P(EdAlphaMoves, AsGeneralizedAlphaHasIt) {
  const auto end = [&](const char* integrator) {
    const testing_support::ModelRun run = testing_support::run_model(
        MPI_COMM_SELF, GetParam().model,
        {std::string("analyses.dynamics.integrator=") + integrator,
         std::string("analyses.dynamics.duration=") + GetParam().duration,
         "analyses.dynamics.rho_infinity=0.8"});
    EXPECT_LT(run.monitor.position_violation, 1e-12);
    return run.history.at(GetParam().column).back();
  };
  EXPECT_NEAR(end("ed_alpha"), end("generalized_alpha"), GetParam().allowed);
}

}  // namespace
}  // namespace solidyn::ed_alpha_mechanisms

// A06: a free asymmetric body that turns over (Dzhanibekov), and the precession of a symmetric one.
#include "mechanisms.h"
#include "random_bodies.h"
#include "solidyn/bodies/modal_body.h"

namespace solidyn {
namespace {

using Eigen::Vector3d;
using system::State;

constexpr double kPeriod = 41.50921952931;

std::unique_ptr<system::System> make_free_body(const Vector3d& inertia, const Vector3d& w_WB_B) {
  auto system = std::make_unique<system::System>();
  system::InitialMotion motion;
  motion.w_WB_B = w_WB_B;
  system->add_body(
      bodies::make_rigid_body("body", 1.0, Vector3d::Zero(), Eigen::Matrix3d(inertia.asDiagonal())),
      motion);
  system->finalize();
  return system;
}

std::unique_ptr<system::System> make_asymmetric_body() {
  return make_free_body(Vector3d(1, 2, 3), Vector3d(0.01, 1, 0));
}

integrators::GeneralizedAlphaOptions tight() {
  integrators::GeneralizedAlphaOptions options;
  options.rho_infinity = 0.9;
  options.tolerance = 1e-12;
  return options;
}

struct Row {
  double t;
  Vector3d w, second_axis;
};
const std::vector<Row>& table() {
  static const std::vector<Row> rows = {
      {4, {0.050809883, 0.998758407, -0.028761341}, {-0.011054878, 0.998813682, -0.047423826}},
      {8, {0.476375148, 0.879298992, -0.274974715}, {0.447149610, 0.877063244, 0.175548545}},
      {10, {0.976782616, 0.214466129, -0.563916152}, {-0.049555312, 0.214713905, -0.975418992}},
      {12, {0.679431586, -0.733807004, -0.392227519}, {-0.605895952, -0.730777524, 0.314411044}},
      {16, {0.078038250, -0.997000517, -0.044683959}, {0.012513848, -0.997063087, -0.075555311}},
      {20, {0.010964161, -0.999989894, -0.002595690}, {0.000855778, -0.999994172, 0.003304958}}};
  return rows;
}

struct Motion {
  std::vector<Vector3d> w, second_axis;  // at the times of the table
  double energy_drift = 0.0, momentum_drift = 0.0;
};

Motion run(double h) {
  const auto body = make_asymmetric_body();
  State s = testing_support::start(*body);
  integrators::GeneralizedAlpha integrator(*body, tight());
  integrator.initialize(s);
  Motion motion;
  int done = 0;
  for (const Row& row : table()) {
    for (; done < std::lround(row.t / h); ++done) {
      integrator.step(s, h);
      const double energy = testing_support::total_energy(*body, s);
      const Vector3d momentum = body->momentum(s).angular;
      motion.energy_drift = std::max(motion.energy_drift, std::abs(energy - 1.00005));
      motion.momentum_drift =
          std::max(motion.momentum_drift, (momentum - Vector3d(0.01, 2, 0)).norm());
    }
    const Eigen::Quaterniond Q(s.q[3], s.q[4], s.q[5], s.q[6]);
    motion.w.push_back(s.v.segment<3>(3));
    motion.second_axis.push_back(Q * Vector3d::UnitY());
  }
  return motion;
}

// Extrapolated to h = 0; the single runs are off by up to 2e-6 rad/s and 4e-6 (5 ms).
TEST(FreeBody, TurnsOverAsTheClosedFormSays) {
  const Motion coarse = run(5e-3), fine = run(2.5e-3);
  for (std::size_t i = 0; i < table().size(); ++i) {
    const Row& row = table()[i];
    EXPECT_LT((fine.w[i] - row.w).norm(), 1e-6) << "t = " << row.t;
    const Vector3d w = (4.0 * fine.w[i] - coarse.w[i]) / 3.0;
    const Vector3d second = (4.0 * fine.second_axis[i] - coarse.second_axis[i]) / 3.0;
    EXPECT_LT((w - row.w).norm(), 5e-8) << "t = " << row.t;
    EXPECT_LT((second - row.second_axis).norm(), 1e-7) << "t = " << row.t;
    EXPECT_NEAR((coarse.second_axis[i] - row.second_axis).norm() /
                    (fine.second_axis[i] - row.second_axis).norm(),
                4.0, 0.3)
        << "t = " << row.t;
  }
  // The integrator conserves neither: both drifts are its error, of order two.
  EXPECT_LT(fine.energy_drift, 1e-6);
  EXPECT_LT(fine.momentum_drift, 2e-6);
  EXPECT_NEAR(coarse.energy_drift / fine.energy_drift, 4.0, 0.3);
  EXPECT_NEAR(coarse.momentum_drift / fine.momentum_drift, 4.0, 0.3);
}

TEST(FreeBody, IsBackAfterThePeriod) {
  const Vector3d start(0.01, 1, 0);
  const auto body = make_asymmetric_body();
  const State s = testing_support::run_generalized_alpha(*body, kPeriod, 8000, tight());
  EXPECT_LT((s.v.segment<3>(3) - start).norm(), 1e-7);
  integrators::PetscTsOptions options;
  options.type = integrators::PetscTsOptions::Type::rk;
  options.relative_tolerance = options.absolute_tolerance = 1e-12;
  const State exact = testing_support::run_petsc_ts(*body, kPeriod, options);
  EXPECT_LT((exact.v.segment<3>(3) - start).norm(), 1e-11);  // the digits of the period
}

// w1 = 0.1 cos 2t, w2 = 0.1 sin 2t for inertia (1, 1, 3) and w3 = 1.
TEST(FreeBody, SymmetricBodyPrecesses) {
  const double t = 5.0;
  const Vector3d expected(0.1 * std::cos(2 * t), 0.1 * std::sin(2 * t), 1.0);
  std::vector<double> errors;
  for (int n : {1000, 2000}) {
    const auto body = make_free_body(Vector3d(1, 1, 3), Vector3d(0.1, 0, 1));
    const State s = testing_support::run_generalized_alpha(*body, t, n, tight());
    errors.push_back((s.v.segment<3>(3) - expected).norm());
    EXPECT_NEAR(s.v[5], 1.0, 1e-12);
  }
  EXPECT_LT(errors[1], 3e-6);
  EXPECT_NEAR(std::log2(errors[0] / errors[1]), 2.0, 0.02);
}

// A tumbling body with its origin beside the mass centre, rigid or elastic.
std::unique_ptr<system::System> make_tumbling_body(int n_modes) {
  auto system = std::make_unique<system::System>();
  system::InitialMotion motion;
  motion.v_WB = Vector3d(1, 2, 3);
  motion.w_WB_B = Vector3d(10, 50, 5);
  const testing_support::MassCloud cloud(10, n_modes, 4);
  std::unique_ptr<bodies::Body> body;
  if (n_modes == 0)
    body = bodies::make_rigid_body("body", 2.0, Vector3d(0.01, 0.02, -0.01),
                                   Eigen::Matrix3d(Vector3d(0.01, 0.02, 0.03).asDiagonal()));
  else
    body = std::make_unique<bodies::ModalBody>(
        "body", cloud.invariants(), cloud.mass_matrix(), 1e5 * cloud.stiffness(2),
        Eigen::MatrixXd::Zero(n_modes, n_modes), Eigen::VectorXd::Ones(n_modes));
  system->add_body(std::move(body), motion);
  system->finalize();
  return system;
}

// Small steps must not make the errors grow: without joints, no round-off is divided by h^2.
class SmallSteps : public testing::TestWithParam<int> {};

TEST_P(SmallSteps, KeepOrderTwo) {
  constexpr double kDuration = 0.02;
  const auto exact = make_tumbling_body(GetParam());
  integrators::PetscTsOptions options;
  options.type = integrators::PetscTsOptions::Type::rk;
  options.relative_tolerance = options.absolute_tolerance = 1e-13;
  const State reference = testing_support::run_petsc_ts(*exact, kDuration, options);
  std::vector<double> errors;
  for (int n : {200, 2000, 20000}) {  // 1e-4 s, 1e-5 s, 1e-6 s
    const auto body = make_tumbling_body(GetParam());
    const State s = testing_support::run_generalized_alpha(*body, kDuration, n, tight());
    errors.push_back((s.v - reference.v).tail(reference.v.size() - 3).norm());
  }
  EXPECT_NEAR(std::log10(errors[0] / errors[1]), 2.0, 0.05);
  EXPECT_NEAR(std::log10(errors[1] / errors[2]), 2.0, 0.1);
}

INSTANTIATE_TEST_SUITE_P(FreeBody, SmallSteps, testing::Values(0, 3),
                         [](const auto& info) { return info.param ? "Elastic" : "Rigid"; });

}  // namespace
}  // namespace solidyn

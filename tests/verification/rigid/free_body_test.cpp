// A06: a free asymmetric body that turns over (Dzhanibekov), and the precession of a symmetric one.
#include "mechanisms.h"
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

TEST(FreeBody, M) {
  for (double h : {0.01, 0.005, 0.0025}) {
    const auto body = make_asymmetric_body();
    State s = testing_support::start(*body);
    integrators::GeneralizedAlpha integrator(*body, tight());
    integrator.initialize(s);
    int done = 0;
    double dE = 0, dL = 0;
    for (const Row& row : table()) {
      for (; done < std::lround(row.t / h); ++done) {
        integrator.step(s, h);
        dE = std::max(dE, std::abs(testing_support::total_energy(*body, s) - 1.00005));
        dL = std::max(dL, (body->momentum(s).angular - Vector3d(0.01, 2, 0)).norm());
      }
      const Eigen::Quaterniond Q(s.q[3], s.q[4], s.q[5], s.q[6]);
      printf("MEASURED h %g t %g w %g R %g\n", h, row.t, (s.v.segment<3>(3) - row.w).norm(),
             (Q * Vector3d::UnitY() - row.second_axis).norm());
    }
    printf("MEASURED dE %g dL %g\n", dE, dL);
  }
  for (int n : {4000, 8000, 16000}) {
    const auto body = make_asymmetric_body();
    const State s = testing_support::run_generalized_alpha(*body, kPeriod, n, tight());
    printf("MEASURED period %d: %g\n", n, (s.v.segment<3>(3) - Vector3d(0.01, 1, 0)).norm());
  }
  for (int n : {500, 1000, 2000}) {
    const auto body = make_free_body(Vector3d(1, 1, 3), Vector3d(0.1, 0, 1));
    const State s = testing_support::run_generalized_alpha(*body, 5.0, n, tight());
    printf("MEASURED precession %d: %g  w3 %g\n", n,
           (s.v.segment<3>(3) - Vector3d(0.1 * cos(10), 0.1 * sin(10), 1)).norm(), s.v[5] - 1);
  }
  for (auto type :
       {integrators::PetscTsOptions::Type::bdf, integrators::PetscTsOptions::Type::rk}) {
    const auto body = make_asymmetric_body();
    integrators::PetscTsOptions o;
    o.type = type;
    o.relative_tolerance = o.absolute_tolerance =
        type == integrators::PetscTsOptions::Type::bdf ? 1e-9 : 1e-12;
    const State s = testing_support::run_petsc_ts(*body, kPeriod, o);
    printf("MEASURED ts period: %g\n", (s.v.segment<3>(3) - Vector3d(0.01, 1, 0)).norm());
  }
}

}  // namespace
}  // namespace solidyn

// Five rigid links that swing freely: what the integrator does to the energy.
#include "mechanisms.h"
#include "solidyn/bodies/modal_body.h"

namespace solidyn {
namespace {

using Eigen::Vector3d;
using system::State;

std::unique_ptr<system::System> make_chain(int n) {
  auto system = std::make_unique<system::System>();
  system->set_gravity(Vector3d(0, -9.81, 0));
  system::InitialMotion before;
  for (int i = 0; i < n; ++i) {
    system::InitialMotion pose;
    pose.p_WB = Vector3d(i + 0.5, 0, 0);
    system->add_body(bodies::make_rigid_body("link" + std::to_string(i + 1), 1.0, Vector3d::Zero(),
                                             Vector3d(1e-3, 1.0 / 12, 1.0 / 12).asDiagonal()),
                     pose);
    testing_support::add_joint(*system, "joint" + std::to_string(i + 1),
                               joints::JointType::revolute,
                               i > 0 ? bodies::BodyIndex(i - 1) : bodies::kGround, before,
                               bodies::BodyIndex(i), pose, Vector3d(i, 0, 0));
    before = pose;
  }
  system->finalize();
  return system;
}

double energy_drift(int n_steps) {
  const auto chain = make_chain(5);
  integrators::GeneralizedAlphaOptions options;
  options.rho_infinity = 0.9;
  options.tolerance = 1e-12;
  const State s = testing_support::run_generalized_alpha(*chain, 1.0, n_steps, options);
  return testing_support::total_energy(*chain, s);
}

// It starts at rest with no potential energy and has exchanged some 100 J after a second; with 1 ms
// 1.6e-3 J are lost.
TEST(PendulumChain, EnergyDriftFallsWithTheSquareOfTheStep) {
  const double coarse = energy_drift(500), fine = energy_drift(1000);
  EXPECT_LT(std::abs(fine), 2e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2.0, 0.02);
}

}  // namespace
}  // namespace solidyn

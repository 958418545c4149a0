// What no step of generalized-alpha changes, and what powers and energies say of each other.
#include <gtest/gtest.h>

#include "small_systems.h"

namespace solidyn::integrators {
namespace {

using Eigen::Vector3d;
using system::State;
using system::System;

// Three bodies with a spring and damper between each two, off their centres, of which the last is
// far from the others and on nothing.
std::unique_ptr<System> make_islands(const Vector3d& gravity = Vector3d::Zero()) {
  auto system = std::make_unique<System>();
  system->set_gravity(gravity);
  const Vector3d places[] = {{0, 0, 0}, {1, 0.2, -0.1}, {0.3, 1, 0.4}, {9, 9, 9}, {9, 10, 9}};
  std::vector<bodies::FrameIndex> frames;
  for (int b = 0; b < 5; ++b) {
    system::InitialMotion motion;
    motion.p_WB = places[b];
    motion.v_WB = Vector3d(0.3 * b, -0.5, 0.2 * b * b);
    motion.w_WB_B = Vector3d(1, -2 + b, 0.5);
    const auto body = system->add_body(
        bodies::make_rigid_body("body " + std::to_string(b), 1.0 + b, Vector3d::Zero(),
                                Vector3d(0.1, 0.2, 0.25).asDiagonal()),
        motion);
    frames.push_back(system::add_frame(*system, body, places[b] + Vector3d(0.1, 0.2, -0.1)));
  }
  forces::SpringDamper::Options options;
  options.stiffness = 80.0;
  options.damping = 0.7;
  options.free = 0.6;
  for (const auto& [a, b] : {std::make_pair(0, 1), {1, 2}, {2, 0}, {3, 4}})
    system::add_spring(*system, "spring " + std::to_string(a), bodies::Distance(), options,
                       {frames[a], frames[b]});
  system->finalize();
  return system;
}

Vector3d linear_momentum(const System& system, const State& s) {
  Vector3d p = Vector3d::Zero();
  for (const bodies::BodyIndex b : system.bodies())
    p += system.body(b).mass() * s.v.segment<3>(system.layout().velocity_offset(b));
  return p;
}

// Linear in what the formulas combine, it is kept by every choice, to round-off and what Newton's
// tolerance leaves, whatever the step is.
TEST(LinearMomentum, OfInternalForcesIsKeptByEveryChoice) {
  for (const double rho : {0.0, 0.5, 0.9, 1.0})
    for (const double h : {1e-3, 0.03}) {
      GeneralizedAlphaOptions options;
      options.rho_infinity = rho;
      options.tolerance = 1e-13;
      const auto system = make_islands();
      const Vector3d before = linear_momentum(*system, testing_support::start(*system));
      const State after = testing_support::run_generalized_alpha(*system, 30 * h, 30, options);
      EXPECT_LT((linear_momentum(*system, after) - before).norm(), 1e-10 * before.norm())
          << rho << " " << h;
    }
}

TEST(Islands, AreWhatForcesConnectAndSumUpToTheWhole) {
  const auto system = make_islands(Vector3d(0, 0, -9.81));
  const State s = testing_support::start(*system);
  system->update(s);
  ASSERT_EQ(system->connectivity().n_islands(), 2);
  const auto island = [&](int body) {
    return system->connectivity().island_of_body(bodies::BodyIndex(body));
  };
  for (const int b : {1, 2}) EXPECT_EQ(island(b), island(0));
  EXPECT_EQ(island(3), island(4));
  EXPECT_NE(island(3), island(0));
  const bodies::Energy whole = system->energy(s);
  bodies::Energy sum;
  for (const bodies::Energy& e : system->energies(s)) {
    sum.kinetic += e.kinetic;
    sum.strain += e.strain;
    sum.potential += e.potential;
  }
  EXPECT_NEAR(sum.kinetic, whole.kinetic, 1e-12 * whole.kinetic);
  EXPECT_NEAR(sum.strain, whole.strain, 1e-12 * whole.strain);
  EXPECT_NEAR(sum.potential, whole.potential, 1e-12 * std::abs(whole.potential));
}

// Of each island: central differences of its energy along an exact motion.
TEST(Islands, HaveThePowerThatTheirEnergyGrowsBy) {
  const auto system = make_islands(Vector3d(0, 1, -9.81));
  PetscTsOptions options;
  options.type = PetscTsOptions::Type::rk;
  options.relative_tolerance = options.absolute_tolerance = 1e-13;
  State s = testing_support::start(*system);
  PetscTs integrator(*system, options);
  integrator.initialize(s);
  const auto energies = [&](double t) {
    while (integrator.step(s, t) > 0.0) {
    }
    system->update(s);
    Eigen::VectorXd e(2);
    for (int i = 0; i < 2; ++i) {
      const bodies::Energy one = system->energies(s)[i];
      e[i] = one.kinetic + one.strain + one.potential;
    }
    return e;
  };
  constexpr double kStepOfDifference = 1e-4;
  for (const double t : {0.05, 0.2, 0.6}) {
    const Eigen::VectorXd before = energies(t - kStepOfDifference);
    energies(t);
    const Eigen::VectorXd powers = system->external_powers(s);
    const Eigen::VectorXd after = energies(t + kStepOfDifference);
    EXPECT_LT(powers.maxCoeff(), 0.0);  // dampers alone
    EXPECT_LT(((after - before) / (2.0 * kStepOfDifference) - powers).norm(), 1e-3 * powers.norm())
        << t;
  }
  // And their sum over time is what the integrator says.
  EXPECT_LT(integrator.work().maxCoeff(), 0.0);
}

}  // namespace
}  // namespace solidyn::integrators

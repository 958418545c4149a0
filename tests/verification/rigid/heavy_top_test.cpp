// A05: the heavy top of the Lie-group integrator literature (Bruls, Cardona & Arnold 2012).
#include <gtest/gtest.h>

#include "mechanisms.h"
#include "solidyn/bodies/modal_body.h"

namespace solidyn {
namespace {

using Eigen::Vector3d;

struct HeavyTop {
  system::System system;
  HeavyTop() {
    system::InitialMotion motion;
    motion.p_WB = Vector3d(0, 1, 0);  // body axes at the centre of mass
    motion.w_WB_B = Vector3d(0, 150, -4.61538);
    motion.v_WB = motion.w_WB_B.cross(motion.p_WB);
    system.set_gravity(Vector3d(0, 0, -9.81));
    system.add_body(bodies::make_rigid_body("top", 15.0, Vector3d::Zero(),
                                            Vector3d(0.234375, 0.46875, 0.234375).asDiagonal()),
                    motion);
    testing_support::add_joint(system, "tip", joints::JointType::spherical, -1, {}, 0, motion,
                               Vector3d::Zero());
    system.finalize();
  }
};

integrators::GeneralizedAlphaOptions tight() {
  integrators::GeneralizedAlphaOptions options;
  options.rho_infinity = 0.9;
  options.tolerance = 1e-12;
  return options;
}

TEST(HeavyTop, StartsWithTheKnownReactionAndEnergy) {
  HeavyTop top;
  const system::State s = testing_support::start(top.system);
  // Reaction on the body, from the page; G^T lambda is on the left-hand side.
  const Vector3d reaction = -s.lambda;
  EXPECT_LT((reaction - Vector3d(0, -319.52598817, -317.26246154)).norm(), 1e-6);
  const bodies::Energy e = top.system.energy(s);
  EXPECT_NEAR(e.kinetic + e.potential, 5435.696790865, 1e-8);
}

TEST(HeavyTop, ConvergesWithOrderTwoInPositionsVelocitiesAndMultipliers) {
  const double t_end = 0.5;
  std::vector<system::State> states;
  for (int n : {500, 1000, 2000, 16000}) {
    HeavyTop top;
    states.push_back(testing_support::run_generalized_alpha(top.system, t_end, n, tight()));
  }
  const system::State& fine = states.back();
  const auto order = [&](auto&& quantity) {
    const double coarse = (quantity(states[1]) - quantity(fine)).norm();
    const double half = (quantity(states[2]) - quantity(fine)).norm();
    return std::log2(coarse / half);
  };
  EXPECT_NEAR(order([](const system::State& s) { return s.q; }), 2.0, 0.15);
  EXPECT_NEAR(order([](const system::State& s) { return s.v; }), 2.0, 0.15);
  EXPECT_NEAR(order([](const system::State& s) { return s.lambda; }), 2.0, 0.2);
  const Vector3d reference(-0.702468297, -0.021165185, -0.711400258);
  EXPECT_LT((fine.q.head<3>() - reference).norm(), 1e-5);
}

TEST(HeavyTop, MeetsTheReferenceAtTwoSeconds) {
  HeavyTop top;
  integrators::GeneralizedAlphaOptions options = tight();
  options.rho_infinity = 0.95;
  const system::State s = testing_support::run_generalized_alpha(top.system, 2.0, 40000, options);
  const Vector3d reference(-0.150416823, -0.724165592, -0.673022270);
  EXPECT_LT((s.q.head<3>() - reference).norm(), 1e-4);
  EXPECT_NEAR(s.v[4], 150.0, 1e-3);
}

}  // namespace
}  // namespace solidyn

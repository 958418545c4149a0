// A planar four-bar of spatial bodies: its four revolute joints constrain the loop's motion out of
// the plane three times too often.
#include <gmock/gmock.h>

#include "mechanisms.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/system/scales.h"

namespace solidyn {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;
using joints::JointType;
using system::InitialMotion;
using system::State;

// Ground pivots A (0, 0) and D (1, 0); crank AB 0.3 m, coupler BC 1 m, rocker CD 0.8 m; 1 kg each,
// slender. The crank starts at 60 degrees with 2 rad/s.
std::unique_ptr<system::System> make_four_bar(const std::array<JointType, 4>& types) {
  const Vector3d A(0, 0, 0), D(1, 0, 0), B = 0.3 * Vector3d(0.5, std::sqrt(0.75), 0);
  // C from the two circles about B and D.
  const Vector3d BD = D - B;
  const double d = BD.norm(), along = (1.0 - 0.64 + d * d) / (2.0 * d);
  const Vector3d normal = Vector3d::UnitZ().cross(BD / d);
  const Vector3d C = B + along / d * BD + std::sqrt(1.0 - along * along) * normal;

  auto system = std::make_unique<system::System>();
  system->set_gravity(Vector3d(0, -9.81, 0));
  std::vector<InitialMotion> poses;
  const auto add_rod = [&](const char* name, const Vector3d& from, const Vector3d& to) {
    InitialMotion pose;
    pose.p_WB = 0.5 * (from + to);
    pose.q_WB = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitX(), to - from);
    const double inertia = (to - from).squaredNorm() / 12.0;
    const Vector3d moments(1e-4 * inertia, inertia, inertia);
    if (poses.empty()) {
      pose.w_WB_B = Vector3d(0, 0, 2);
      pose.v_WB = Vector3d(0, 0, 2).cross(pose.p_WB - from);
    }
    system->add_body(
        bodies::make_rigid_body(name, 1.0, Vector3d::Zero(), Eigen::Matrix3d(moments.asDiagonal())),
        pose);
    poses.push_back(pose);
  };
  add_rod("crank", A, B);
  add_rod("coupler", B, C);
  add_rod("rocker", D, C);
  const InitialMotion ground;
  testing_support::add_joint(*system, "A", types[0], bodies::kGround, ground, bodies::BodyIndex(0),
                             poses[0], A);
  testing_support::add_joint(*system, "B", types[1], bodies::BodyIndex(0), poses[0],
                             bodies::BodyIndex(1), poses[1], B);
  testing_support::add_joint(*system, "C", types[2], bodies::BodyIndex(1), poses[1],
                             bodies::BodyIndex(2), poses[2], C);
  testing_support::add_joint(*system, "D", types[3], bodies::BodyIndex(2), poses[2],
                             bodies::kGround, ground, D);
  system->finalize();
  return system;
}

constexpr JointType kRevolute = JointType::revolute;

integrators::GeneralizedAlphaOptions tight() {
  integrators::GeneralizedAlphaOptions options;
  options.rho_infinity = 0.9;
  options.tolerance = 1e-12;
  return options;
}

TEST(FourBar, RedundantRowsAreThoseOfTheJointThatClosesTheLoop) {
  const auto bars = make_four_bar({kRevolute, kRevolute, kRevolute, kRevolute});
  testing_support::start(*bars);
  const system::Redundancy found = system::find_redundancy(*bars, increment_weights(*bars, 1.0));
  EXPECT_EQ(found.rank, 17);  // 18 velocities, one degree of freedom
  EXPECT_THAT(found.names,
              testing::ElementsAre("D (translation along world z)", "D (rotation about joint x)",
                                   "D (rotation about joint y)"));
}

// The same loop with a spherical and a cylindrical joint has no redundant row.
TEST(FourBar, MovesAsItDoesWithoutRedundantRows) {
  const auto redundant = make_four_bar({kRevolute, kRevolute, kRevolute, kRevolute});
  const auto exact =
      make_four_bar({kRevolute, kRevolute, JointType::spherical, JointType::cylindrical});
  auto options = tight();
  const State e = testing_support::run_generalized_alpha(*exact, 1.0, 1000, options);
  EXPECT_TRUE(system::find_redundancy(*exact, increment_weights(*exact, 1.0)).names.empty());
  testing_support::start(*redundant);
  options.regularization = system::redundancy_regularization(*redundant);
  const State r = testing_support::run_generalized_alpha(*redundant, 1.0, 1000, options);
  EXPECT_LT((r.q - e.q).norm(), 1e-8);
  EXPECT_LT((r.v - e.v).norm(), 1e-7);
  EXPECT_LT((r.a - e.a).norm(), 1e-5);
  VectorXd residual, phi;
  redundant->update(r);
  redundant->compute_residual(r, residual, phi);
  EXPECT_LT(phi.norm(), 1e-12);
  // Nothing loads the mechanism out of its plane, so the least multipliers there are zero.
  const VectorXd D = r.lambda.tail<5>();
  EXPECT_GT(D.head<2>().norm(), 1.0);
  EXPECT_LT(D.tail<3>().norm(), 1e-6 * D.norm());
}

}  // namespace
}  // namespace solidyn

// What stands still: redundant contacts that stick, beside one that slips and one that is open.
#include "solvers/friction/standing_still.h"

#include <gtest/gtest.h>

#include <random>

namespace solidyn::solvers::friction {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

TEST(StandingStill, StopsWhatSticksAndLeavesTheRest) {
  std::mt19937 generator(7);
  std::normal_distribution<double> normal;
  // Four contacts of one body of six unknowns; two others on bodies of their own.
  MatrixXd J = MatrixXd::Zero(18, 12);
  J.topLeftCorner(12, 6) = MatrixXd::NullaryExpr(12, 6, [&] { return normal(generator); });
  J.block<3, 3>(12, 6).setIdentity();
  J.block<3, 3>(15, 9).setIdentity();
  const ContactBlocks W = ContactBlocks::from_dense(J * J.transpose());
  Problem problem{&W, VectorXd::Zero(18), std::vector<ContactLaw>(6), {}};
  for (ContactLaw& law : problem.laws) law.mu = 0.5;
  // Near the answer: forces well inside of their cones, velocities that are not zero yet.
  VectorXd r = VectorXd::Zero(18);
  for (int i = 0; i < 4; ++i) r.segment<3>(3 * i) = Vector3d(10.0, 1.0, -1.0);
  const VectorXd rates = VectorXd::NullaryExpr(6, [&] { return 0.01 * normal(generator); });
  problem.q = -(W * r);
  problem.q.head<12>() += J.topLeftCorner(12, 6) * rates;
  problem.q.segment<3>(12) = Vector3d(-1.0, 3.0, 0.0);  // slips
  problem.q.segment<3>(15) = Vector3d(1.0, 0.0, 0.0);   // open
  r.segment<3>(12) = Vector3d(1.0, -0.5, 0.0);
  const VectorXd still = stand_still(problem, W, r, 1e-13);
  const VectorXd u = W * still + problem.q;
  EXPECT_LT(u.head<12>().norm(), 1e-12);
  EXPECT_NEAR(u[12], 0.0, 1e-12);
  EXPECT_NEAR(u[13], 2.5, 1e-12);
  EXPECT_TRUE(still.tail<3>().isZero(0.0));
}

}  // namespace
}  // namespace solidyn::solvers::friction

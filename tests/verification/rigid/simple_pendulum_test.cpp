// A01: the simple pendulum (IFToMM benchmark A01; closed form in elliptic functions).
#include <gmock/gmock.h>

#include "mechanisms.h"
#include "solidyn/system/multipliers.h"
#include "solidyn/system/scales.h"

namespace solidyn {
namespace {

using Eigen::Vector2d;
using Eigen::VectorXd;
using joints::JointType;
using system::State;

constexpr double kPeriod = 2.3678419475762;

integrators::GeneralizedAlphaOptions tight() {
  integrators::GeneralizedAlphaOptions options;
  options.rho_infinity = 0.9;
  options.tolerance = 1e-12;
  return options;
}

struct Row {
  double t, x, y, xdot, ydot;
};
constexpr Row kTable[] = {{1, 0.986291751, -0.165010853, 0.296905516, 1.774643641},
                          {2, -0.793566195, -0.608483930, -2.102437874, 2.741935393},
                          {3, 0.176651790, -0.984273410, 4.325368675, 0.776292553},
                          {5, -0.942305435, -0.334754338, 0.857904257, -2.414928654},
                          {7, -0.998618779, -0.052540783, -0.053345073, 1.013905551},
                          {10, -0.275087463, -0.961419205, 4.175598101, -1.194749055}};

// Positions and velocities at the times of the table; the energy on the way.
struct Motion {
  std::vector<Vector2d> position, velocity;
  double largest_energy = 0.0;
};

Motion run(system::System& system, double h, double regularization = 0.0) {
  State s = testing_support::start(system);
  auto options = tight();
  options.regularization = regularization;
  integrators::GeneralizedAlpha integrator(system, options);
  integrator.initialize(s);
  Motion motion;
  int done = 0;
  for (const Row& row : kTable) {
    for (; done < std::lround(row.t / h); ++done) {
      integrator.step(s, h);
      motion.largest_energy =
          std::max(motion.largest_energy, std::abs(testing_support::total_energy(system, s)));
    }
    motion.position.push_back(s.q.head<2>());
    motion.velocity.push_back(s.v.head<2>());
  }
  return motion;
}

// With 1 ms the error reaches 1.2e-4 m at 10 s, four times less with half of it; extrapolation to
// h = 0 meets the closed form to 1e-5 m and, in the velocities, to 1e-5 m/s at all times.
TEST(SimplePendulum, ConvergesWithOrderTwoToTheClosedForm) {
  const auto pendulum = testing_support::make_simple_pendulum();
  const Motion coarse = run(*pendulum, 1e-3), fine = run(*pendulum, 5e-4);
  for (std::size_t i = 0; i < std::size(kTable); ++i) {
    const Row& row = kTable[i];
    const Vector2d p(row.x, row.y), v(row.xdot, row.ydot);
    const double error = (coarse.position[i] - p).norm(), half = (fine.position[i] - p).norm();
    EXPECT_NEAR(std::log2(error / half), 2.0, 0.02) << "t = " << row.t;
    const Vector2d position = (4.0 * fine.position[i] - coarse.position[i]) / 3.0;
    const Vector2d velocity = (4.0 * fine.velocity[i] - coarse.velocity[i]) / 3.0;
    EXPECT_LT((position - p).norm(), 1e-5) << "t = " << row.t;
    EXPECT_LT((velocity - v).norm(), 1e-5) << "t = " << row.t;
  }
  EXPECT_LT(coarse.largest_energy, 1e-3);  // J, of zero; measured 7e-5 and 1.8e-5
  EXPECT_NEAR(coarse.largest_energy / fine.largest_energy, 4.0, 0.2);
}

// At a quarter of the period the bob is at the lowest point: 3 m g.
TEST(SimplePendulum, RodForceAtTheLowestPointIsThreeTimesTheWeight) {
  const auto pendulum = testing_support::make_simple_pendulum();
  const State s = testing_support::run_generalized_alpha(*pendulum, kPeriod / 4.0, 1000, tight());
  const Eigen::Vector3d on_bob = -s.lambda.head<3>();
  EXPECT_LT((on_bob - Eigen::Vector3d(0, 29.43, 0)).norm(), 1e-4);
}

TEST(SimplePendulum, RedundantJointsAreNamedAndDoNotChangeTheMotion) {
  const auto plain = testing_support::make_simple_pendulum();
  const auto redundant =
      testing_support::make_simple_pendulum({JointType::revolute, JointType::planar});
  testing_support::start(*redundant);
  const system::Redundancy found =
      system::find_redundancy(*redundant, increment_weights(*redundant, 1.0));
  EXPECT_EQ(found.rank, 5);
  EXPECT_THAT(found.names, testing::ElementsAre("joint2 (translation along joint z)",
                                                "joint2 (rotation about joint x)",
                                                "joint2 (rotation about joint y)"));
  auto options = tight();
  const State a = testing_support::run_generalized_alpha(*plain, 1.0, 1000, options);
  options.regularization = system::redundancy_regularization(*redundant);
  const State b = testing_support::run_generalized_alpha(*redundant, 1.0, 1000, options);
  EXPECT_LT((a.q - b.q).norm(), 1e-9);  // what 1000 steps make of the tolerance
  EXPECT_LT((a.v - b.v).norm(), 1e-8);
  EXPECT_LT((a.a - b.a).norm(), 1e-5 * a.a.norm());
}

// Gravity across the plane of motion loads just the rows that the joints share: of all multipliers
// that carry it, the least are those that share it equally, and G^T sees all of them.
TEST(SimplePendulum, RedundantJointsShareTheirLoadWithTheLeastMultipliers) {
  const auto pendulum =
      testing_support::make_simple_pendulum({JointType::revolute, JointType::planar});
  pendulum->set_gravity(Eigen::Vector3d(0, -9.81, -3.0));
  testing_support::start(*pendulum);
  auto options = tight();
  options.regularization = system::redundancy_regularization(*pendulum);
  State s = testing_support::run_generalized_alpha(*pendulum, 1.0, 1000, options);
  pendulum->update(s);
  system::shorten_multipliers(*pendulum, s);
  const Eigen::MatrixXd Gt = Eigen::MatrixXd(pendulum->sparse_G()).transpose();
  const VectorXd least = Gt.completeOrthogonalDecomposition().solve(Gt * s.lambda);
  EXPECT_LT((s.lambda - least).norm(), 1e-6 * s.lambda.norm());
  EXPECT_NEAR(s.lambda[2], s.lambda[5], 1e-5);  // along z: 3 N between them
  EXPECT_NEAR(std::abs(s.lambda[2] + s.lambda[5]), 3.0, 1e-5);
}

}  // namespace
}  // namespace solidyn

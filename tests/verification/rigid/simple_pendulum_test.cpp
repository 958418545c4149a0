// A01: the simple pendulum (IFToMM benchmark A01; closed form in elliptic functions).
#include <gmock/gmock.h>

#include "mechanisms.h"

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

TEST(SimplePendulum, ConvergesWithOrderTwoToTheClosedForm) {
  const auto pendulum = testing_support::make_simple_pendulum();
  const Motion coarse = run(*pendulum, 1e-3), fine = run(*pendulum, 5e-4);
  for (std::size_t i = 0; i < std::size(kTable); ++i) {
    const Row& row = kTable[i];
    const Vector2d p(row.x, row.y), v(row.xdot, row.ydot);
    const double e1 = (coarse.position[i] - p).norm(), e2 = (fine.position[i] - p).norm();
    const Vector2d extrapolated = (4.0 * fine.position[i] - coarse.position[i]) / 3.0;
    const Vector2d velocity = (4.0 * fine.velocity[i] - coarse.velocity[i]) / 3.0;
    printf("MEASURED t %g: %g %g order %g extr %g v %g\n", row.t, e1, e2, std::log2(e1 / e2),
           (extrapolated - p).norm(), (velocity - v).norm());
  }
  printf("MEASURED E %g %g\n", coarse.largest_energy, fine.largest_energy);
}

TEST(SimplePendulum, RodForceAtTheLowestPointIsThreeTimesTheWeight) {
  const auto pendulum = testing_support::make_simple_pendulum();
  const State s = testing_support::run_generalized_alpha(*pendulum, kPeriod / 4.0, 1000, tight());
  const Eigen::Vector3d on_bob = -s.lambda.head<3>();
  printf("MEASURED %.9g %.9g %.9g x %g\n", on_bob[0], on_bob[1], on_bob[2], s.q[0]);
}

TEST(SimplePendulum, RedundantJointsAreNamedAndDoNotChangeTheMotion) {
  const auto plain = testing_support::make_simple_pendulum();
  const auto redundant =
      testing_support::make_simple_pendulum({JointType::revolute, JointType::planar});
  const State start = testing_support::start(*redundant);
  const system::Redundancy found =
      system::find_redundancy(*redundant, redundant->increment_weights(1.0));
  EXPECT_EQ(found.rank, 5);
  EXPECT_THAT(found.names, testing::ElementsAre("joint2 (translation along joint z)",
                                                "joint2 (rotation about joint x)",
                                                "joint2 (rotation about joint y)"));
  const double epsilon = system::redundancy_regularization(*redundant);
  auto options = tight();
  const State a = testing_support::run_generalized_alpha(*plain, 1.0, 1000, options);
  options.regularization = epsilon;
  const State b = testing_support::run_generalized_alpha(*redundant, 1.0, 1000, options);
  const Eigen::MatrixXd Gt = redundant->dense_G().transpose();
  for (const State* s : {&start, &b}) {
    redundant->update(*s);
    VectorXd r, phi;
    redundant->compute_residual(*s, r, phi);
    const Eigen::MatrixXd Gt = redundant->dense_G().transpose();
    const VectorXd minimum = Gt.completeOrthogonalDecomposition().solve(Gt * s->lambda);
    printf("MEASURED min norm %g of %g\n", (s->lambda - minimum).norm(), s->lambda.norm());
  }
  printf("MEASURED dq %g dv %g da %g\n", (a.q - b.q).norm(), (a.v - b.v).norm(),
         (a.a - b.a).norm());
}

}  // namespace
}  // namespace solidyn

#include "solidyn/system/condition.h"

#include <gmock/gmock.h>

#include <Eigen/SVD>

#include "linkages.h"
#include "solidyn/system/initial_conditions.h"
#include "solidyn/system/scales.h"

namespace solidyn::system {
namespace {

using Eigen::MatrixXd;
using testing::HasSubstr;

// A parallelogram whose left crank is driven clockwise from upright: at 0.25 turns it lies flat.
struct Parallelogram {
  explicit Parallelogram(double turns)
      : bars(testing_support::make_driven_parallelogram("-2*pi*t")), state(bars->make_state()) {
    constexpr int kParts = 50;  // on its branch
    for (int i = 1; i <= kParts; ++i) {
      state.t = turns * i / kParts;
      assemble_positions(*bars, state, 1e-12);
    }
    bars->update(state);
    Eigen::VectorXd r, phi;
    bars->compute_residual(state, r, phi);
  }
  // Of G with rows of length one, lengths in those of the mechanism.
  double smallest_singular_value() const {
    const Eigen::VectorXd weights = increment_weights(*bars, characteristic_length(*bars));
    MatrixXd G = Eigen::MatrixXd(bars->sparse_G()) * weights.cwiseInverse().asDiagonal();
    G.rowwise().normalize();
    return Eigen::JacobiSVD<MatrixXd>(G).singularValues().minCoeff();
  }
  std::unique_ptr<System> bars;
  State state;
};

double converged(Condition& condition) {
  for (int i = 0; i < 10; ++i) condition.estimate();
  return condition.estimate();
}

TEST(Condition, IsTheSmallestSingularValueOfTheConstraints) {
  for (const double turns : {0.02, 0.1, 0.2, 0.24, 0.249}) {
    const Parallelogram p(turns);
    Condition condition(*p.bars, {});
    EXPECT_NEAR(converged(condition) / p.smallest_singular_value(), 1.0, 1e-3) << turns;
  }
}

TEST(Condition, FallsWithTheDistanceFromADeadCentre) {
  const auto at = [](double turns) {
    const Parallelogram p(turns);
    Condition condition(*p.bars, {});
    return converged(condition);
  };
  EXPECT_NEAR(at(0.248) / at(0.249), 2.0, 1e-2);
  EXPECT_NEAR(at(0.2498) / at(0.2499), 2.0, 1e-2);
  EXPECT_GT(at(0.1), 100.0 * at(0.2499));
}

// Lying flat, the bars' own joints depend on each other: the drive has no part in that.
TEST(Condition, NamesTheJointsOfADeadCentre) {
  const Parallelogram p(0.2499);
  Condition condition(*p.bars, {});
  converged(condition);
  EXPECT_THAT(condition.participants(), HasSubstr("pin left"));
  EXPECT_THAT(condition.participants(), HasSubstr("pivot right"));
}

// What depends on others everywhere says nothing of a position.
TEST(Condition, LeavesRedundantRowsOut) {
  const auto bars = testing_support::make_four_bars(1);
  State state = bars->make_state();
  bars->update(state);
  Eigen::VectorXd r, phi;
  bars->compute_residual(state, r, phi);
  const Redundancy redundancy =
      find_redundancy(*bars, increment_weights(*bars, characteristic_length(*bars)));
  ASSERT_EQ(redundancy.rows.size(), 3u);
  Condition all(*bars, {}), independent(*bars, redundancy.rows);
  EXPECT_LT(converged(all), 1e-6);
  EXPECT_GT(converged(independent), 1e-3);
}

}  // namespace
}  // namespace solidyn::system

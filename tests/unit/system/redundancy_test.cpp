// Which rows of G depend on the ones declared before them.
#include <gmock/gmock.h>

#include <random>

#include "linkages.h"
#include "mechanisms.h"
#include "solidyn/system/scales.h"

namespace solidyn::system {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;
using testing::ElementsAre;
using testing::StartsWith;

// By definition: rows are taken one by one, and refused when the ones before span them.
std::vector<int> dependent_by_definition(const System& system, const VectorXd& weights) {
  const MatrixXd G = Eigen::MatrixXd(system.sparse_G()) * weights.cwiseInverse().asDiagonal();
  MatrixXd basis(G.cols(), 0);
  std::vector<int> dependent;
  for (int i = 0; i < G.rows(); ++i) {
    VectorXd rest = G.row(i).transpose().normalized();
    for (int pass = 0; pass < 2; ++pass) rest -= basis * (basis.transpose() * rest).eval();
    if (rest.norm() <= 1e-9) {
      dependent.push_back(i);
      continue;
    }
    basis.conservativeResize(Eigen::NoChange, basis.cols() + 1);
    basis.rightCols(1) = rest.normalized();
  }
  return dependent;
}

Redundancy redundancy_of(System& system) {
  testing_support::start(system);
  return find_redundancy(system, increment_weights(system, characteristic_length(system)));
}

// Each planar loop of spatial revolute joints has three rows too many, and a fill-reducing order
// would find them elsewhere than the order of declaration does.
TEST(FindRedundancy, KeepsToTheOrderOfDeclaration) {
  std::vector<int> order(10);  // of the joints of three windows
  for (int i = 0; i < 10; ++i) order[i] = i;
  std::mt19937 random(7);
  for (int trial = 0; trial < 20; ++trial) {
    const auto bars = testing_support::make_four_bars(3, order);
    const Redundancy found = redundancy_of(*bars);
    EXPECT_EQ(found.rows.size(), 9u);
    EXPECT_EQ(found.rank, 50 - 9);
    const VectorXd weights = increment_weights(*bars, characteristic_length(*bars));
    EXPECT_EQ(found.rows, dependent_by_definition(*bars, weights));
    std::shuffle(order.begin(), order.end(), random);
  }
}

TEST(FindRedundancy, FindsTheRowsOfAThirdCrank) {
  const auto bars = testing_support::make_five_bar_parallelogram();
  const Redundancy found = redundancy_of(*bars);
  EXPECT_EQ(found.rank, 4 * 6 - 1);  // one degree of freedom of four moving bars
  EXPECT_EQ(found.rows.size(), 7u);
}

// Six revolute joints and six bars, the ground one of them, leave no motion by count, but one by
// the symmetry of the cube.
TEST(FindRedundancy, FindsTheOneRowTooManyOfBricardsLinkage) {
  const auto linkage = testing_support::make_bricard();
  const Redundancy found = redundancy_of(*linkage);
  EXPECT_EQ(found.rank, 29);
  EXPECT_THAT(found.names, ElementsAre(StartsWith("joint 6 (rotation about joint")));
}

}  // namespace
}  // namespace solidyn::system

#include "recursive/refinement.h"

#include <gtest/gtest.h>

namespace solidyn::recursive {
namespace {

TEST(Refinement, BeginsWhereUnrefinedCorrectionsAreSeenToMissMuch) {
  Refinement refinement;
  EXPECT_FALSE(refinement.begin(1));
  refinement.learn(0.5, 0);  // by a matrix of this step: nothing has moved
  EXPECT_FALSE(refinement.begin(1));
  refinement.learn(0.08, 4);
  EXPECT_DOUBLE_EQ(refinement.predicted(4), 0.08);
  EXPECT_FALSE(refinement.begin(2));  // grows with the steps since the matrix was made
  EXPECT_TRUE(refinement.begin(3));
  EXPECT_TRUE(refinement.is_refined());
}

TEST(Refinement, EndsWhereRefiningShowsThatLittleIsMissed) {
  Refinement refinement;
  refinement.learn(0.5, 1);
  EXPECT_DOUBLE_EQ(refinement.predicted(10), 1.0);
  int n = 0;
  for (; refinement.begin(1); ++n) refinement.measure(1e-4, 1);
  EXPECT_GT(n, 3);  // one direction that is missed by little says little of others
  EXPECT_LT(n, 10);
  refinement.learn(0.5, 1);  // something else is slow
  EXPECT_FALSE(refinement.begin(1));
  refinement.renew();
  EXPECT_FALSE(refinement.begin(1));
  refinement.learn(0.5, 1);
  EXPECT_TRUE(refinement.begin(1));
  refinement.learn(0.9, 1);  // after a refined one
  EXPECT_DOUBLE_EQ(refinement.predicted(1), 0.5);
  refinement.forget();
  EXPECT_DOUBLE_EQ(refinement.predicted(1), 0.0);
}

}  // namespace
}  // namespace solidyn::recursive

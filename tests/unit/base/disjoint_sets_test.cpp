#include "solidyn/base/disjoint_sets.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace solidyn {
namespace {

TEST(DisjointSets, AreJoined) {
  base::DisjointSets<> sets(6);
  for (int i = 0; i < 6; ++i) EXPECT_EQ(sets.root(i), i);
  sets.join(0, 1);
  sets.join(2, 3);
  sets.join(4, 5);
  EXPECT_EQ(sets.root(0), 1);
  sets.join(0, 3);  // the root is the second one's
  EXPECT_EQ(sets.root(1), 3);
  EXPECT_EQ(sets.root(0), sets.root(2));
  EXPECT_NE(sets.root(0), sets.root(4));
  sets.join(2, 1);  // are joined already
  EXPECT_EQ(sets.root(0), 3);
}

TEST(DisjointSets, OfALongChainHaveOneRoot) {
  constexpr std::int32_t kLong = 200000;
  base::DisjointSets<std::int32_t> sets(kLong);
  for (std::int32_t i = 0; i + 1 < kLong; ++i) sets.join(i, i + 1);
  for (std::int32_t i = 0; i < kLong; ++i) ASSERT_EQ(sets.root(i), kLong - 1);
}

}  // namespace
}  // namespace solidyn

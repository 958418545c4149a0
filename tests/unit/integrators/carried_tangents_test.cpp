// Whether steps begin with the tangent that the last one left.
#include "solidyn/integrators/carried_tangents.h"

#include <gtest/gtest.h>

namespace solidyn::integrators {
namespace {

// Steps of a motion in which a tangent stands for `n` steps. @return how many began with a kept one
// that failed
int n_failures(int n, int n_steps) {
  CarriedTangents carried;
  int age = 0, failures = 0;
  for (int i = 0; i < n_steps; ++i) {
    const bool is_used = carried.use(i > 0), fails = is_used && age >= n;
    failures += fails ? 1 : 0;
    const bool is_renewed = !is_used || fails;
    age = is_renewed ? 1 : age + 1;
    carried.finish_step(is_renewed);
  }
  return failures;
}

TEST(CarriedTangents, AreTriedEverMoreRarelyWhereTheyNeverStand) {
  EXPECT_LE(n_failures(1, 100), 10);
  EXPECT_GE(n_failures(1, 100), 5);  // a look now and then
}

TEST(CarriedTangents, AreKeptWhereTheyStandForLonger) {
  EXPECT_EQ(n_failures(1000, 100), 0);
  EXPECT_EQ(n_failures(5, 100), 19);  // each time that one has become too old
}

TEST(CarriedTangents, AreTriedAgainAtOnceWhereALookHasEndedWell) {
  CarriedTangents carried;
  const auto step = [&](bool stands) {
    const bool is_used = carried.use(true);
    carried.finish_step(!is_used || !stands);
    return is_used;
  };
  carried.use(false);
  carried.finish_step(true);
  for (int i = 0; i < 40; ++i) step(false);
  int n = 0;
  while (!step(true)) ++n;
  EXPECT_LE(n, 16);
  for (int i = 0; i < 10; ++i) EXPECT_TRUE(step(true));
  EXPECT_TRUE(step(false));
  EXPECT_TRUE(step(true));  // that it was renewed once says nothing: it was old
}

}  // namespace
}  // namespace solidyn::integrators

// How far a correction of Newton's method may go where it reverses a slip.
#include "solidyn/forces/slip.h"

#include <gtest/gtest.h>

namespace solidyn::forces {
namespace {

using Eigen::Vector3d;

double share(const Vector3d& before, const Vector3d& after, double transition_speed = 1e-3) {
  return share_before_reversal({{before, transition_speed}}, {{after, transition_speed}});
}

TEST(Slip, CorrectionThatReversesItEndsWhereItIsSlowest) {
  EXPECT_DOUBLE_EQ(share({0.2, 0.0, 0.0}, {-0.6, 0.0, 0.0}), 0.25);
  const Vector3d before(0.3, 0.1, 0.0), after(-0.5, 0.2, 0.0);
  const double s = share(before, after);
  const Vector3d there = before + s * (after - before);
  EXPECT_NEAR(there.dot(after - before), 0.0, 1e-15);
  EXPECT_GT(s, 0.0);
  EXPECT_LT(s, 1.0);
}

TEST(Slip, OtherCorrectionsAreTakenWhole) {
  EXPECT_EQ(share({0.2, 0.0, 0.0}, {0.0, 0.7, 0.0}), 1.0);        // a right angle
  EXPECT_EQ(share({0.2, 0.0, 0.0}, {5.0, 0.1, 0.0}), 1.0);        // onwards
  EXPECT_EQ(share({4e-4, 0.0, 0.0}, {-0.6, 0.0, 0.0}), 1.0);      // from where friction is steep
  EXPECT_EQ(share({0.2, 0.0, 0.0}, {-0.6, 0.0, 0.0}, 0.0), 1.0);  // where nothing is pressed
  EXPECT_EQ(share_before_reversal({}, {}), 1.0);
}

TEST(Slip, TheFirstToReverseDecides) {
  const auto at = [](double a, double b) {
    return std::vector<Slip>{{Vector3d(a, 0.0, 0.0), 1e-3}, {Vector3d(0.0, b, 0.0), 1e-3}};
  };
  EXPECT_DOUBLE_EQ(share_before_reversal(at(0.2, 0.1), at(-0.2, -0.3)), 0.25);
}

}  // namespace
}  // namespace solidyn::forces

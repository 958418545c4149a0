#include "solidyn/math/hertz_ellipse.h"

#include <gtest/gtest.h>

#include <cmath>

namespace solidyn::math {
namespace {

// From the circle through both ends of the table; slopes of the exact ones by differences are in
// EllipticContact.DerivativesAreThoseOfDifferences.
TEST(HertzEllipse, TableIsExact) {
  for (double log_ratio = 0.0; log_ratio < 14.2; log_ratio += 0.0173) {
    const double ratio = std::exp(log_ratio);
    const HertzEllipseWithSlopes exact = exact_hertz_ellipse(ratio), table = hertz_ellipse(ratio);
    EXPECT_NEAR(table.value.log_axes, exact.value.log_axes, 1e-13) << ratio;
    EXPECT_NEAR(table.value.log_long, exact.value.log_long, 1e-13) << ratio;
    EXPECT_NEAR(table.value.log_approach, exact.value.log_approach, 1e-13) << ratio;
    EXPECT_NEAR(table.by_log_ratio.log_axes, exact.by_log_ratio.log_axes, 1e-11) << ratio;
    EXPECT_NEAR(table.by_log_ratio.log_long, exact.by_log_ratio.log_long, 1e-11) << ratio;
    EXPECT_NEAR(table.by_log_ratio.log_approach, exact.by_log_ratio.log_approach, 1e-11) << ratio;
  }
}

}  // namespace
}  // namespace solidyn::math

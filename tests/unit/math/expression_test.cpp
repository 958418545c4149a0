// Formulas of several variables, and tables with an integral.
#include "solidyn/math/expression.h"

#include <gmock/gmock.h>

#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/math/curve.h"

namespace solidyn::math {
namespace {

using testing::HasSubstr;

std::string error_of(const std::string& text) {
  try {
    Expression(text, {"x", "tip.y"});
  } catch (const base::InputError& e) {
    return e.what();
  }
  return "no error";
}

TEST(Expression, KnowsItsVariables) {
  const Expression e("2*tip.y + 0*t", {"x", "tip.y", "t"});
  const double values[] = {5.0, 1.5, 7.0};
  EXPECT_EQ(e.value(values), 3.0);
  EXPECT_FALSE(e.uses(0));
  EXPECT_TRUE(e.uses(1));
  EXPECT_EQ(Expression(e).value(values), 3.0);
}

TEST(Expression, DerivativeIsThatOfTheFormula) {
  const Expression e("sin(x)*exp(v)", {"x", "v"});
  const double values[] = {0.4, -0.3};
  EXPECT_NEAR(e.derivative(values, 0), std::cos(0.4) * std::exp(-0.3), 1e-9);
  EXPECT_NEAR(e.derivative(values, 1), std::sin(0.4) * std::exp(-0.3), 1e-9);
}

TEST(Expression, SaysWhatIsWrong) {
  EXPECT_THAT(error_of("2*z"), HasSubstr("unknown name at character 3"));
  EXPECT_THAT(error_of("2*z"), HasSubstr("is not a valid expression of x and tip.y"));
  EXPECT_THAT(error_of("x = 3"), HasSubstr("assigns a value at character 3"));
  EXPECT_THAT(error_of("1, 2"), HasSubstr("2 values"));
  EXPECT_THAT(error_of("(x"), HasSubstr("is not a valid expression"));
}

TEST(Curve, IntegralIsThatOfTheInterpolation) {
  for (auto interpolation :
       {TimeFunction::Interpolation::linear, TimeFunction::Interpolation::cubic}) {
    const Curve curve({-1.0, 0.5, 2.0, 3.0}, {2.0, -1.0, 4.0, 0.0}, interpolation);
    EXPECT_EQ(curve.integral(0.0), 0.0);
    for (double x : {-4.0, -0.7, 0.2, 0.5, 1.9, 2.7, 6.0}) {
      const double h = 1e-4;
      EXPECT_NEAR((curve.integral(x + h) - curve.integral(x - h)) / (2.0 * h), curve.value(x), 2e-4)
          << x;
    }
    EXPECT_NEAR(curve.integral(6.0) - curve.integral(3.0), 3.0 * curve.value(4.5), 1e-12);
  }
}

}  // namespace
}  // namespace solidyn::math

// What `--sweep` says, and the runs that follow from it.
#include <gmock/gmock.h>

#include <cmath>
#include <set>

#include "solidyn/base/error.h"
#include "solidyn/simulation/sweep.h"

namespace solidyn::simulation {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

struct WrittenSweep {
  const char* text;
  const char* path;
  std::vector<std::string> values;
};

class SweepText : public testing::TestWithParam<WrittenSweep> {};
INSTANTIATE_TEST_SUITE_P(
    Of, SweepText,
    testing::Values(WrittenSweep{"a=1,2,4", "a", {"1", "2", "4"}},
                    WrittenSweep{"bodies.rod.mass=2.50", "bodies.rod.mass", {"2.50"}},
                    WrittenSweep{"a=1:2:5", "a", {"1", "1.25", "1.5", "1.75", "2"}},
                    WrittenSweep{"a=5:1:3", "a", {"5", "3", "1"}},
                    WrittenSweep{"a=-1e-3:1e-3:2", "a", {"-0.001", "0.001"}},
                    WrittenSweep{"a=log:1:100:3", "a", {"1", "10", "100"}},
                    WrittenSweep{"a=log:-1:-100:3", "a", {"-1", "-10", "-100"}},
                    WrittenSweep{"a=[0, 1],[2,3]", "a", {"[0, 1]", "[2,3]"}},
                    WrittenSweep{"a={k: [1,2], n: 3}", "a", {"{k: [1,2], n: 3}"}},
                    WrittenSweep{"a=\"if(t < 1, 2, 3)\",0", "a", {"\"if(t < 1, 2, 3)\"", "0"}},
                    WrittenSweep{"a='x, y',z", "a", {"'x, y'", "z"}},
                    WrittenSweep{"a=min(t, 1),max(t, 1)", "a", {"min(t, 1)", "max(t, 1)"}},
                    WrittenSweep{"a=t < 1 ? 0 : t", "a", {"t < 1 ? 0 : t"}},
                    WrittenSweep{"a=1 : 2 : 3,4", "a", {"1 : 2 : 3", "4"}},
                    WrittenSweep{"a=steel,rubber", "a", {"steel", "rubber"}},
                    WrittenSweep{"a=b=c", "a", {"b=c"}}));

TEST_P(SweepText, SaysThePathAndItsValues) {
  const SweepParameter parameter = parse_sweep_parameter(GetParam().text);
  EXPECT_EQ(parameter.path, GetParam().path);
  EXPECT_EQ(parameter.values, GetParam().values);
}

// The numbers are those of the formula to the last digit that they carry, and the ends are exact.
TEST(SweepRange, IsEvenAndHitsBothEnds) {
  for (const int n : {2, 3, 7, 10, 49}) {
    const SweepParameter even = parse_sweep_parameter("a=0.1:0.7:" + std::to_string(n));
    const SweepParameter ratios = parse_sweep_parameter("a=log:0.02:50:" + std::to_string(n));
    ASSERT_EQ(even.values.size(), static_cast<std::size_t>(n));
    ASSERT_EQ(ratios.values.size(), static_cast<std::size_t>(n));
    EXPECT_EQ(even.values.front(), "0.1");
    EXPECT_EQ(even.values.back(), "0.7");
    EXPECT_EQ(ratios.values.back(), "50");
    for (int i = 0; i + 1 < n; ++i) {
      EXPECT_NEAR(std::stod(even.values[i + 1]) - std::stod(even.values[i]), 0.6 / (n - 1), 1e-15);
      EXPECT_NEAR(std::stod(ratios.values[i + 1]) / std::stod(ratios.values[i]),
                  std::pow(2500.0, 1.0 / (n - 1)), 1e-11);
    }
  }
}

struct WrongSweep {
  const char *text, *complaint;
};

class SweepTextRefused : public testing::TestWithParam<WrongSweep> {};
INSTANTIATE_TEST_SUITE_P(
    Of, SweepTextRefused,
    testing::Values(
        WrongSweep{"", "the path and `=` are missing"},
        WrongSweep{"bodies.rod.mass", "the path and `=` are missing"},
        WrongSweep{"=1,2", "the path and `=` are missing"}, WrongSweep{"a=", "a value is missing"},
        WrongSweep{"a=1,,2", "a value is missing"}, WrongSweep{"a=1,2,", "a value is missing"},
        WrongSweep{"a=1:2", "a first value, a last value and the number of values"},
        WrongSweep{"a=1:2:3:4", "a first value, a last value and the number of values"},
        WrongSweep{"a=1:two:3", "a first value, a last value and the number of values"},
        WrongSweep{"a=1:inf:3", "a first value, a last value and the number of values"},
        WrongSweep{"a=log:1:2", "a first value, a last value and the number of values"},
        WrongSweep{"a=log:steel", "a first value, a last value and the number of values"},
        WrongSweep{"a=1:2:1", "a range cannot have 1 values"},
        WrongSweep{"a=1:2:2.5", "a range cannot have 2.5 values"},
        WrongSweep{"a=1:2:-3", "a range cannot have -3 values"},
        WrongSweep{"a=1:2:1e9", "a range cannot have 1e9 values"},
        WrongSweep{"a=log:0:1:3", "a logarithmic range must not contain zero"},
        WrongSweep{"a=log:-1:1:3", "a logarithmic range must not contain zero"}));

TEST_P(SweepTextRefused, QuotesTheTextAndSaysWhatToWrite) {
  try {
    parse_sweep_parameter(GetParam().text);
    FAIL() << "accepted";
  } catch (const base::InputError& e) {
    EXPECT_THAT(e.what(), HasSubstr(std::string("--sweep ") + GetParam().text + ": "));
    EXPECT_THAT(e.what(), HasSubstr(GetParam().complaint));
    EXPECT_THAT(e.what(), HasSubstr("PATH=log:1:100:3"));
  }
}

TEST(SweepPoints, AreAllCombinationsWithTheLastParameterFastest) {
  const std::vector<SweepParameter> parameters = {
      {"a", {"1", "2"}}, {"b", {"x", "y", "z"}}, {"c", {"7"}}};
  const std::vector<SweepPoint> points = sweep_points(parameters);
  ASSERT_EQ(points.size(), 6U);
  EXPECT_THAT(points[0].values, ElementsAre("1", "x", "7"));
  EXPECT_THAT(points[1].values, ElementsAre("1", "y", "7"));
  EXPECT_THAT(points[3].values, ElementsAre("2", "x", "7"));
  std::set<std::vector<std::string>> distinct;
  for (const SweepPoint& point : points) distinct.insert(point.values);
  EXPECT_EQ(distinct.size(), points.size());
  EXPECT_THAT(points[4].overrides(parameters), ElementsAre("a=2", "b=y", "c=7"));
  EXPECT_EQ(points[4].shown(parameters), "a=2, b=y, c=7");
}

TEST(SweepPoints, OfNoParametersAreTheModelAsItIs) {
  const std::vector<SweepPoint> points = sweep_points({});
  ASSERT_EQ(points.size(), 1U);
  EXPECT_TRUE(points.front().values.empty());
}

TEST(SweepPoints, RefuseAPathTwiceAndMoreRunsThanCanBeMeant) {
  const auto message = [](const std::vector<SweepParameter>& parameters) -> std::string {
    try {
      sweep_points(parameters);
    } catch (const base::InputError& e) {
      return e.what();
    }
    return "accepted";
  };
  EXPECT_THAT(message({{"a", {"1"}}, {"a", {"2"}}}), HasSubstr("--sweep a: duplicate path"));
  const std::vector<std::string> many(400, "1");
  EXPECT_THAT(message({{"a", many}, {"b", many}}), HasSubstr("more than 100000 runs"));
  EXPECT_EQ(message({{"a", many}, {"b", {"1", "2"}}}), "accepted");
}

}  // namespace
}  // namespace solidyn::simulation

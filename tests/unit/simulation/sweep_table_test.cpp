// The numbers of a run in sweep.csv, and the table that they make.
#include "simulation/sweep_table.h"

#include <gmock/gmock.h>

#include <cmath>
#include <map>

namespace solidyn::simulation {
namespace {

using Eigen::Vector2d;
using Eigen::VectorXd;
using results::HistoryColumn;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

std::map<std::string, double> by_name(const RunNumbers& numbers) {
  std::map<std::string, double> values;
  for (const NamedNumber& number : numbers.all()) values[number.name] = number.value;
  return values;
}

VectorXd one(double x) { return VectorXd::Constant(1, x); }

// A triangle from 0 to 3 and back to -1, drawn with rows at uneven distances: they lie on the same
// lines, so that every set of them that has the corners gives the same integrals.
TEST(NumbersOfARun, AreThoseOfTheLinesBetweenRowsWhereverTheRowsAre) {
  const auto line = [](double t) { return t <= 2.0 ? 1.5 * t : 3.0 - 4.0 * (t - 2.0); };
  for (const std::vector<double>& times :
       {std::vector<double>{0.0, 2.0, 3.0}, {0.0, 0.1, 0.11, 1.9, 2.0, 2.5, 2.75, 3.0}}) {
    RunNumbers numbers;
    for (const double t : times) numbers.add({HistoryColumn{"x", "m"}}, t, one(line(t)));
    const auto found = by_name(numbers);
    EXPECT_EQ(found.at("x.last"), -1.0);
    EXPECT_EQ(found.at("x.least"), -1.0);
    EXPECT_EQ(found.at("x.largest"), 3.0);
    EXPECT_EQ(found.at("x.amplitude"), 2.0);
    EXPECT_NEAR(found.at("x.mean"), (0.5 * 2.0 * 3.0 + 0.5 * (3.0 - 1.0)) / 3.0, 1e-15);
    // The integral of x^2 is 2 * 3^2/3 on the way up, (3^3 + 1)/(3 * 4) on the way down.
    EXPECT_NEAR(found.at("x.rms"), std::sqrt((6.0 + 28.0 / 12.0) / 3.0), 1e-15);
  }
}

TEST(NumbersOfARun, LeaveOutWhatComesBeforeTheGivenTime) {
  RunNumbers numbers(1.0);
  const std::vector<HistoryColumn> columns = {{"x", "m"}};
  numbers.add(columns, 0.0, one(100.0));
  numbers.add(columns, 0.9, one(-100.0));
  EXPECT_TRUE(std::isnan(by_name(numbers).at("x.mean")));
  EXPECT_TRUE(std::isnan(by_name(numbers).at("x.largest")));
  EXPECT_EQ(by_name(numbers).at("x.last"), -100.0);
  numbers.add(columns, 1.0 - 1e-14, one(2.0));  // a sum of steps
  numbers.add(columns, 2.0, one(4.0));
  const auto found = by_name(numbers);
  EXPECT_EQ(found.at("x.least"), 2.0);
  EXPECT_EQ(found.at("x.largest"), 4.0);
  EXPECT_NEAR(found.at("x.mean"), 3.0, 1e-13);
  EXPECT_NEAR(found.at("x.rms"), std::sqrt(28.0 / 3.0), 1e-13);
}

// A sensor that has nothing to say for a while: that time does not count, in either direction.
TEST(NumbersOfARun, DoNotCountTheTimeInWhichAColumnIsNoNumber) {
  RunNumbers numbers;
  const std::vector<HistoryColumn> columns = {{"x", "m"}, {"y", "N"}};
  const double x[] = {kNan, 1.0, 3.0, kNan, 5.0, 5.0};
  for (int i = 0; i < 6; ++i) numbers.add(columns, i, Vector2d(x[i], 7.0));
  const auto found = by_name(numbers);
  EXPECT_EQ(found.at("x.least"), 1.0);
  EXPECT_EQ(found.at("x.largest"), 5.0);
  EXPECT_NEAR(found.at("x.mean"), (2.0 + 5.0) / 2.0, 1e-15);
  EXPECT_NEAR(found.at("x.rms"), std::sqrt((13.0 / 3.0 + 25.0) / 2.0), 1e-15);
  EXPECT_EQ(found.at("y.mean"), 7.0);
  EXPECT_EQ(found.at("y.amplitude"), 0.0);
}

TEST(NumbersOfARun, NameEveryKindForEveryColumnAndThenWhatIsFoundOnce) {
  RunNumbers numbers;
  numbers.add({{"x", "m"}, {"y", "N"}}, 0.0, Vector2d(1, 2));
  numbers.add({NamedNumber{"mode_1.frequency", "Hz", 12.5}});
  std::vector<std::string> names;
  for (const NamedNumber& number : numbers.all()) names.push_back(number.name + " " + number.unit);
  EXPECT_THAT(names,
              testing::ElementsAre("x.last m", "y.last N", "x.least m", "y.least N", "x.largest m",
                                   "y.largest N", "x.mean m", "y.mean N", "x.rms m", "y.rms N",
                                   "x.amplitude m", "y.amplitude N", "mode_1.frequency Hz"));
  EXPECT_TRUE(std::isnan(by_name(numbers).at("x.mean")));  // no time has passed
}

TEST(CsvCell, IsInQuotesWhereItMustBe) {
  EXPECT_EQ(csv_cell("0.25"), "0.25");
  EXPECT_EQ(csv_cell(""), "");
  EXPECT_EQ(csv_cell("[0, 1]"), "\"[0, 1]\"");
  EXPECT_EQ(csv_cell("say \"no\""), "\"say \"\"no\"\"\"");
  EXPECT_EQ(csv_cell("a\nb"), "\"a\nb\"");
}

// Run 10 has a column that run 2 lacks, one of another unit, and a parameter that is a list.
TEST(SweepTable, SortsRunsAndLeavesNoCellEmpty) {
  const std::vector<SweepParameter> parameters = {{"k", {}}, {"axis", {}}};
  const std::vector<SweepRow> rows = {
      {"run_010", {"2", "[0, 1]"}, "doubtful", 0.25, {{"x.last", "m", 0.1}, {"z.last", "N", kNan}}},
      {"run_002", {"1", "x"}, "done", 1e-3, {{"x.last", "rad", 1.0 / 3.0}}},
      {"run_003", {"1", "y"}, "failed", 12345678.0, {}}};
  EXPECT_EQ(sweep_table(MPI_COMM_SELF, parameters, rows),
            "# units: 1,of the model file,of the model file,1,s,of the run,N\n"
            "run,k,axis,status,seconds,x.last,z.last\n"
            "run_002,1,x,done,0.001,0.3333333333333333,nan\n"
            "run_003,1,y,failed,1.23457e+07,nan,nan\n"
            "run_010,2,\"[0, 1]\",doubtful,0.25,0.1,nan\n");
}

TEST(SweepTable, OfNoRunIsItsHead) {
  EXPECT_EQ(sweep_table(MPI_COMM_SELF, {{"k", {}}}, {}),
            "# units: 1,of the model file,1,s\nrun,k,status,seconds\n");
}

}  // namespace
}  // namespace solidyn::simulation

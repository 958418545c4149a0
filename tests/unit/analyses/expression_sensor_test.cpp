#include "solidyn/analyses/expression_sensor.h"

#include <cmath>

#include "solidyn/base/log.h"
#include "two_bodies.h"

namespace solidyn::analyses {
namespace {

// A sensor of known columns that counts how often it is read.
Sensor source(const std::string& name, const std::vector<double>& values, int& n_reads) {
  Sensor s;
  for (std::size_t i = 0; i < values.size(); ++i) s.columns.push_back({name, "m"});
  s.read = [=, &n_reads](const SensorContext&, double* out) {
    ++n_reads;
    std::copy(values.begin(), values.end(), out);
  };
  return s;
}

double read(const Sensor& sensor, TwoBodies& two, double t = 0.0) {
  two.state.t = t;
  double value = 0.0;
  sensor.read({two.system, two.state}, &value);
  return value;
}

TEST(ExpressionSensor, UsesColumnsTimeAndFormulasBeforeItInTheirUnits) {
  TwoBodies two;
  int n_reads = 0;
  // a = (1, 2) m, b = 3 m, in mm and ms; c = a_2 + t mm, d = c * b mm^2, read as m^2.
  const Formula c{{"t + a", {"t", "a"}}, {{1, 1e-3}}, 1e-3, 1e-3};
  const Formula d{{"c*b", {"t", "c", "b"}}, {{3, 1e-3}, {2, 1e-3}}, 1e-3, 1e-6};
  const Sensor sensor = expression_sensor(
      "d", "m^2", {source("a", {1.0, 2.0}, n_reads), source("b", {3.0}, n_reads)}, {c, d});
  EXPECT_EQ(sensor.columns.size(), 1u);
  EXPECT_EQ(sensor.columns[0].unit, "m^2");
  EXPECT_NEAR(read(sensor, two, 0.5), (2.0 + 0.5) * 3.0, 1e-14);
  EXPECT_EQ(n_reads, 2);
}

TEST(ExpressionSensor, NeedsAccelerationsWhenASourceDoes) {
  int n_reads = 0;
  Sensor a = source("a", {1.0}, n_reads);
  const Formula f{{"a", {"t", "a"}}, {{0, 1.0}}, 1.0, 1.0};
  EXPECT_FALSE(expression_sensor("f", "m", {a}, {f}).needs_accelerations);
  a.needs_accelerations = true;
  EXPECT_TRUE(expression_sensor("f", "m", {a}, {f}).needs_accelerations);
}

TEST(ExpressionSensor, WarnsOnceWhereItIsNoNumber) {
  TwoBodies two;
  const Sensor sensor =
      expression_sensor("root", "1", {}, {{{"sqrt(t - 1)", {"t"}}, {}, 1.0, 1.0}});
  base::clear_logged_warnings();
  EXPECT_TRUE(std::isnan(read(sensor, two, 0.0)));
  EXPECT_TRUE(std::isnan(read(sensor, two, 0.5)));
  EXPECT_EQ(read(sensor, two, 5.0), 2.0);
  ASSERT_EQ(base::logged_warnings().size(), 1u);
  EXPECT_NE(base::logged_warnings()[0].find("sensor root: `sqrt(t - 1)` is not a number"),
            std::string::npos);
  base::clear_logged_warnings();
}

}  // namespace
}  // namespace solidyn::analyses

// Beams under tensions that are large for the length of their elements, against the closed
// solutions of a pinned beam: (n pi/L)^2 (T + E I (n pi/L)^2)/mu is the square of its frequency.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "beam_statics.h"
#include "model_runs.h"
#include "solidyn/analyses/modes.h"
#include "solidyn/base/log.h"

namespace solidyn {
namespace {

using testing_support::BeamStatics;

constexpr double kLength = 8.0, kAcross = 1e-2;
const std::string kModel = "tension.yaml";

std::string pull(const std::string& force) {
  return fmt::format("loads.pull.force=['{}', 0, 0]", force);
}

double squared_frequency(int n, double tension, double EI) {
  const double wave = n * M_PI / kLength;
  return wave * wave * (tension + EI * wave * wave);
}

std::vector<double> frequencies(BeamStatics& beam, int count) {
  const system::Linearisation l =
      system::linearise(beam.built->system, beam.state(), system::IncrementAxes::body);
  std::vector<double> list;
  for (const analyses::Mode& mode : find_modes(l, analyses::make_minimal_coordinates(l), count))
    list.push_back(mode.s.imag());
  return list;
}

class BeamTension : public testing::TestWithParam<double> {};  // N, as E I/l^2 is 1 N
INSTANTIATE_TEST_SUITE_P(OfLongElements, BeamTension, testing::Values(10.0, 100.0, 1000.0));

TEST_P(BeamTension, FrequenciesAreThoseOfThePulledBeam) {
  BeamStatics beam(kModel, {pull(fmt::format("{}*t", GetParam()))});
  std::vector<double> expected;
  for (int n : {1, 2, 3})
    for (double EI : {1.0, 4.0})
      expected.push_back(std::sqrt(squared_frequency(n, GetParam(), EI)));
  std::sort(expected.begin(), expected.end());
  const std::vector<double> found = frequencies(beam, 6);
  for (int k = 0; k < 6; ++k)
    EXPECT_NEAR(found[k] / expected[k], 1.0, 2e-3) << k;  // of the third: 1.6e-3
}

// q/T (L^2/8 - (1 - 1/cosh(k L/2))/k^2), k^2 = T/(E I).
TEST_P(BeamTension, SagIsThatOfThePulledBeam) {
  const double T = GetParam(), k = std::sqrt(T);
  const BeamStatics beam(kModel, {pull(fmt::format("{}*t", T)),
                                  fmt::format("loads.across.force=[0, '{}*t', 0]", kAcross)});
  const double expected =
      kAcross / T *
      (kLength * kLength / 8.0 - (1.0 - 1.0 / std::cosh(0.5 * k * kLength)) / (k * k));
  EXPECT_NEAR(reading(beam)[0] / expected, 1.0, 1e-3);
}

// Pulled within 0.1 s, then loaded across at once.
TEST_P(BeamTension, SwingsAsThePulledBeam) {
  const double T = GetParam(), from = 0.1;
  const auto run = testing_support::run_model(
      PETSC_COMM_WORLD, "tests/verification/beams/" + kModel,
      {pull(fmt::format("{}*smooth_step(t, 0, {})", T, from)),
       fmt::format("loads.across.force=[0, '{}*ramp(t, {}, {})', 0]", kAcross, from, from + 1e-3),
       "analyses=[{dynamics: {duration: 2, step: 1e-3, rho_infinity: 0.9}}]"});
  std::vector<double> times, expected;
  double largest = 0.0;
  for (double t = 0.2; t < 2.0; t += 0.05) {
    double w = 0.0;
    for (int n = 1; n < 40; n += 2) {
      const double squared = squared_frequency(n, T, 1.0), sign = n % 4 == 1 ? 1.0 : -1.0;
      w += sign * 4.0 * kAcross / (n * M_PI * squared) *
           (1.0 - std::cos(std::sqrt(squared) * (t - from - 5e-4)));
    }
    times.push_back(t);
    expected.push_back(w);
    largest = std::max(largest, w);
  }
  const std::vector<double> found = testing_support::sampled(run.history, "middle", times);
  EXPECT_LT(testing_support::largest_difference(found, expected), 0.01 * largest);
}

std::string told() {
  std::string all;
  for (const std::string& warning : base::logged_warnings()) all += warning + "\n";
  return all;
}

// With constant torsion it is unstable from 48 E I/l^2 on: all nodes turn by the same angle, and
// stay where they are.
TEST(BeamTensionByLobatto, LosesItsStabilityAtTheLimit) {
  const auto lowest = [](double tension) {
    BeamStatics beam(kModel,
                     {pull(fmt::format("{}*t", tension)), "bodies.beam.torsion=constant",
                      "bodies.beam.curvature_rule=lobatto", "analyses.statics.method=newton"});
    return beam.statics->statistics().unstable_equilibria;
  };
  const std::size_t before = base::logged_warnings().size();
  EXPECT_EQ(lowest(0.99 * 48.0), 0);
  EXPECT_EQ(base::logged_warnings().size(), before);
  EXPECT_GT(lowest(1.01 * 48.0), 0);
  EXPECT_NE(
      told().find(
          "t = 1, body beam: its element 1 is under a tension of 48.5 N and becomes unstable at 48 N with the curvature rule `lobatto`"),
      std::string::npos)
      << told();
}

TEST(BeamTensionByLobatto, LinearTorsionHasALowerLimit) {
  const auto pulled = [](double tension, const char* rule) {
    BeamStatics(kModel, {pull(fmt::format("{}*t", tension)), "analyses.statics.method=newton",
                         std::string("bodies.beam.curvature_rule=") + rule});
    return base::logged_warnings().size();
  };
  const std::size_t before = base::logged_warnings().size();
  EXPECT_EQ(pulled(0.99 * 16.0, "lobatto"), before);
  EXPECT_EQ(pulled(1.01 * 16.0, "magnus"), before);
  EXPECT_GT(pulled(1.01 * 16.0, "lobatto"), before);
}

// It rolls about its line in no particular way, which is no motion without end: one of 4 elements
// was given up for that, with the advice to hold it.
TEST(Cable, OnTwoBallsFindsItsShapeWithAnyNumberOfElements) {
  for (const int n : {2, 3, 4, 5, 6}) {
    const BeamStatics cable("cable.yaml", {fmt::format("bodies.cable.elements={}", n)});
    EXPECT_NEAR(testing_support::reading(cable)[0], 1084.5, 0.5) << n;  // 1084.65 with more
  }
}

TEST(BeamTensionByLobatto, IsToldOnceInMotion) {
  const auto count = [] {
    const std::string all = told();
    std::size_t n = 0;
    for (std::size_t at = 0; (at = all.find("s, body beam: its element", at)) != std::string::npos;
         ++at)
      ++n;
    return n;
  };
  const std::size_t before = count();
  testing_support::run_model(PETSC_COMM_WORLD, "tests/verification/beams/" + kModel,
                             {pull("60*smooth_step(t, 0, 0.1)"), "bodies.beam.torsion=constant",
                              "bodies.beam.curvature_rule=lobatto",
                              "analyses=[{dynamics: {duration: 0.12, step: 1e-3}}]"});
  EXPECT_EQ(count(), before + 1);
}

}  // namespace
}  // namespace solidyn

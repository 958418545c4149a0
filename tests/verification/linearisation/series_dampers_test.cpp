// Dampers in series with springs on elastic bodies: their laws of first order leave decaying
// motions, which are no zeros, and zeros, which are.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <petsc.h>

#include <algorithm>
#include <cmath>
#include <complex>

#include "mechanisms.h"
#include "solidyn/analyses/modes.h"
#include "solidyn/model/build.h"
#include "solidyn/model/load.h"
#include "solidyn/recursive/linearise.h"

namespace solidyn::analyses {
namespace {

using Complex = std::complex<double>;
using system::IncrementAxes;
using system::Linearisation;
using Kind = Mode::Kind;

// Of the models, N/m, N m^2, kg/m; the beams are 1 m long.
constexpr double kSeriesStiffness = 900.0, kEI = 2e9 * M_PI / 4.0 * 1e-8,
                 kMassPerLength = 2000.0 * M_PI * 1e-4;

struct Found {
  std::vector<Mode> modes;
  int n_rigid = 0, n_neutral = 0;
  double residual = 0.0;

  explicit Found(std::vector<Mode> all) : modes(std::move(all)) {
    for (const Mode& mode : modes) {
      n_rigid += mode.kind == Kind::rigid;
      n_neutral += mode.kind == Kind::neutral;
      residual = std::max(residual, mode.residual);
    }
  }
  // |s - expected| / |expected| of the nearest that is not 0.
  double error_of(Complex expected) const {
    double error = INFINITY;
    for (const Mode& mode : modes)
      if (mode.s != 0.0) error = std::min(error, std::abs(mode.s - expected) / std::abs(expected));
    return error;
  }
};

// In absolute and in relative coordinates.
std::vector<Found> find_all(const std::string& model, const std::vector<std::string>& overrides,
                            int n) {
  const std::string path = SOLIDYN_SOURCE_DIR "/tests/verification/linearisation/" + model;
  const auto built =
      model::build(PETSC_COMM_SELF, model::load_model(path + ".yaml", overrides), {});
  const system::State state = testing_support::start(built->system);
  const Linearisation absolute = system::linearise(built->system, state, IncrementAxes::body);
  const Linearisation relative = recursive::linearise(built->system, state, IncrementAxes::body);
  std::vector<Found> found;
  found.emplace_back(find_modes(absolute, make_minimal_coordinates(absolute), n));
  found.emplace_back(find_modes(relative, make_minimal_coordinates(relative), n));
  return found;
}

// Force at the tip over its displacement times exp(s t), of a thin cantilever with b^4 = -m s^2/EI,
// and of spring and damper.
Complex stiffness_at_tip(Complex s, double damping) {
  const Complex b = std::sqrt(std::sqrt(-kMassPerLength * s * s / kEI));
  const Complex beam = kEI * b * b * b * (1.0 + std::cos(b) * std::cosh(b)) /
                       (std::sin(b) * std::cosh(b) - std::cos(b) * std::sinh(b));
  return beam + kSeriesStiffness * damping * s / (kSeriesStiffness + damping * s);
}

// By secants.
Complex root_near(Complex s, double damping) {
  Complex before = s * (1.0 + 1e-4), f_before = stiffness_at_tip(before, damping);
  for (int i = 0; i < 50; ++i) {
    const Complex f = stiffness_at_tip(s, damping);
    if (f == f_before) break;
    const Complex next = s - f * (s - before) / (f - f_before);
    before = s;
    f_before = f;
    s = next;
    if (std::abs(s - before) < 1e-13 * std::abs(s)) break;
  }
  return s;
}

class HeldTip : public testing::TestWithParam<double> {};

TEST_P(HeldTip, HasTheEigenvaluesOfAThinBeam) {
  // Of eight elements in the second bending mode, and of shear and rotary inertia.
  constexpr double kOfLowest = 4e-4, kOfSecond = 2e-3;
  const double damping = GetParam();
  const double held = 3.0 * kEI;  // N/m
  // The damper gives slowly, held by the beam's stiffness and its spring, or dampens the beam.
  const bool decays_slowly = damping > 5.0;
  std::vector<Complex> expected;
  if (decays_slowly)
    expected.push_back(
        root_near(-held * kSeriesStiffness / (held + kSeriesStiffness) / damping, damping));
  else
    expected.push_back(root_near({-3.2 * damping, 17.5}, damping));
  for (const Found& found :
       find_all("held_tip", {fmt::format("forces.strut.damping={}", damping)}, 14)) {
    EXPECT_EQ(found.n_rigid + found.n_neutral, 0);
    EXPECT_LT(found.residual, 1e-8);
    EXPECT_LT(found.error_of(expected[0]), kOfLowest) << expected[0];
    int n_compared = 0;
    for (const Mode& mode : found.modes) {
      // Those across the strut have no damping.
      if (std::abs(mode.s) > 250.0 || std::abs(mode.s.real()) < 1e-6 * std::abs(mode.s)) continue;
      ++n_compared;
      const Complex root = root_near(mode.s, damping);
      EXPECT_LT(std::abs(mode.s - root), kOfSecond * std::abs(root)) << mode.s;
    }
    EXPECT_EQ(n_compared, damping == 4.0 || decays_slowly ? 3 : 2);
  }
}

INSTANTIATE_TEST_SUITE_P(Dampings, HeldTip,
                         testing::Values(0.04, 1.0, 4.0, 6.0, 8.0, 40.0, 4e3, 4e4));

// Each damper stays where it is put: the beams' twelve rigid motions are ten that go on and two
// neutral ones. Along the line, and in the first one's bending, they come to rest.
TEST(FreeBeams, WithDampersInSeriesHaveExactZeros) {
  constexpr double kOfElasticity = 2e-3;
  for (const double scale : {0.1, 1.0, 1e3}) {
    const double damping = 40.0 * scale, mass = kMassPerLength;
    // Of both masses against each other: d m s^2 + k m s + 2 k d = 0.
    const Complex half = -kSeriesStiffness / (2.0 * damping);
    const Complex root = half + std::sqrt(half * half - 2.0 * kSeriesStiffness / mass);
    const Complex expected(root.real(), std::abs(root.imag()));
    const std::vector<Found> all =
        find_all("free_beams",
                 {fmt::format("forces.between.damping={}", damping),
                  fmt::format("forces.across.damping={}", 100.0 * scale)},
                 24);
    for (const Found& found : all) {
      EXPECT_EQ(found.n_rigid, 10) << scale;
      EXPECT_EQ(found.n_neutral, 2) << scale;
      EXPECT_LT(found.residual, 1e-8) << scale;
      EXPECT_LT(found.error_of(expected), kOfElasticity) << scale << expected;
    }
  }
}

}  // namespace
}  // namespace solidyn::analyses

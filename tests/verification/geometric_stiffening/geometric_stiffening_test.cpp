// Modal bodies with displacements of second order: they follow nonlinear beams where linear modes
// do not.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <petsc.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "model_runs.h"
#include "scratch_folder.h"
#include "solidyn/analyses/statics.h"
#include "solidyn/base/error.h"
#include "solidyn/formats/gmsh/gmsh.h"
#include "solidyn/mesh/generators.h"
#include "solidyn/model/load.h"

namespace solidyn {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using testing_support::History;
using testing_support::largest_difference;
using testing_support::ModelRun;
using testing_support::read_columns;
using testing_support::run_model;
using testing_support::sampled;
using Columns = std::vector<std::vector<double>>;
using Settings = std::vector<std::string>;

const std::string kHere = "tests/verification/geometric_stiffening/";
const std::string kSpinUp = "examples/spin_up/spin_up.yaml";

Columns data(const std::string& path) {
  return read_columns(std::string(SOLIDYN_SOURCE_DIR) + "/tests/verification/" + path);
}

// Frequency of a vibration about `mean`, rad/s, from the first to the last upward crossing.
double frequency(const History& history, const std::string& column, double mean, double after) {
  const std::vector<double>& t = history.at("time");
  const std::vector<double>& x = history.at(column);
  std::vector<double> crossings;
  for (std::size_t i = 1; i < t.size(); ++i)
    if (t[i - 1] >= after && x[i - 1] < mean && x[i] >= mean)
      crossings.push_back(t[i - 1] + (t[i] - t[i - 1]) * (mean - x[i - 1]) / (x[i] - x[i - 1]));
  EXPECT_GT(crossings.size(), 10u) << column << " hardly vibrates";
  if (crossings.size() < 2) return 0.0;
  return 2.0 * M_PI * static_cast<double>(crossings.size() - 1) /
         (crossings.back() - crossings.front());
}

double mean_of(const History& history, const std::string& column, double after) {
  const std::vector<double>&t = history.at("time"), &x = history.at(column);
  double sum = 0.0;
  int n = 0;
  for (std::size_t i = 0; i < t.size(); ++i)
    if (t[i] >= after) sum += x[i], ++n;
  return sum / n;
}

// ---- C01, C02: slider-cranks ----------------------------------------------------------------

// The modal slider-crank with stiffening against the nonlinear beam, over two turns, relative to
// the peak.
double distance_from_nonlinear_beam(Settings settings) {
  settings.push_back("bodies.rod.geometric_stiffening=second_order");
  const ModelRun run =
      run_model(PETSC_COMM_WORLD, "examples/slider_crank/slider_crank.yaml", settings);
  const Columns reference = data("slider_crank/data/c01_slider_crank_2d.csv");
  return largest_difference(sampled(run.history, "deflection", reference[0]), reference[2]) /
         0.0154;
}

Settings end_faces() {
  return {"bodies.rod.interfaces.big_end={nodes: {in_set: big_end_face}, attach: rbe3}",
          "bodies.rod.interfaces.small_end={nodes: {in_set: small_end_face}, attach: rbe3}"};
}

TEST(GeometricStiffening, SliderCrankFollowsTheNonlinearBeamWhateverTheBasis) {
  EXPECT_LT(distance_from_nonlinear_beam({}), 0.02);
  EXPECT_LT(
      distance_from_nonlinear_beam({"bodies.rod.modes={free_free: 24, static_correction: none}"}),
      0.02);
  EXPECT_LT(distance_from_nonlinear_beam(end_faces()), 0.02);
}

TEST(GeometricStiffening, SliderCrankFollowsTheNonlinearBeamInRelativeCoordinates) {
  EXPECT_LT(distance_from_nonlinear_beam({"formulation=recursive"}), 0.02);
}

// Deflection of the middle from the chord along C02's two normals, relative to the length.
std::array<double, 2> deflection(const History& h, std::size_t i) {
  const auto at = [&](const std::string& sensor) {
    return Vector3d(h.at(sensor + ".x")[i], h.at(sensor + ".y")[i], h.at(sensor + ".z")[i]);
  };
  const Vector3d A = at("big_end"), B = at("small_end"), e = (B - A).normalized();
  const Vector3d n1 = Vector3d::UnitX().cross(e).normalized(), n2 = e.cross(n1);
  const Vector3d bow = at("midpoint") - 0.5 * (A + B);
  return {n1.dot(bow) / 0.3, n2.dot(bow) / 0.3};
}

TEST(GeometricStiffening, SpatialSliderCrankFollowsTheNonlinearBeam) {
  const Columns reference = data("geometric_stiffening/data/c02_slider_crank_3d.csv");
  for (const char* formulation : {"absolute", "recursive"}) {
    SCOPED_TRACE(formulation);
    const ModelRun run = run_model(PETSC_COMM_WORLD, kHere + "slider_crank_spatial.yaml",
                                   {fmt::format("formulation={}", formulation)});
    History h = run.history;
    for (std::size_t i = 0; i < h.at("time").size(); ++i) {
      const auto [w1, w2] = deflection(h, i);
      h["w1"].push_back(w1);
      h["w2"].push_back(w2);
    }
    // The page's tolerance.
    EXPECT_LT(largest_difference(sampled(h, "w1", reference[0]), reference[1]), 5e-4);
    EXPECT_LT(largest_difference(sampled(h, "w2", reference[0]), reference[2]), 5e-4);
    EXPECT_LT(largest_difference(sampled(h, "small_end.x", reference[0]), reference[3]), 2e-4);
  }
}

// ---- C03: spin-up ---------------------------------------------------------------------------

TEST(GeometricStiffening, SpinUpOfABeamFollowsTheNonlinearBeam) {
  const Columns reference = data("geometric_stiffening/data/c03_spin_up.csv");
  for (const char* formulation : {"absolute", "recursive"}) {
    SCOPED_TRACE(formulation);
    const ModelRun run =
        run_model(PETSC_COMM_WORLD, kSpinUp, {fmt::format("formulation={}", formulation)});
    const std::vector<double> u1 = sampled(run.history, "tip.x", reference[0]),
                              u2 = sampled(run.history, "tip.y", reference[0]);
    double error_1 = 0.0, error_2 = 0.0;
    for (std::size_t i = 0; i < u1.size(); ++i) {
      error_1 = std::max(error_1, std::abs(u1[i] - 10.0 - reference[1][i]));
      error_2 = std::max(error_2, std::abs(u2[i] - reference[2][i]));
    }
    EXPECT_LT(error_2, 2e-3);  // the page's tolerances
    EXPECT_LT(error_1, 1e-4);
    EXPECT_NEAR(*std::min_element(u2.begin(), u2.end()), -0.57376, 1e-3);
    EXPECT_NEAR(mean_of(run.history, "tip.x", 15.0) - 10.0, 5.143e-4, 0.02 * 5.143e-4);
  }
}

// With linear modes the joint's force stiffens the body through its mean-axis frame alone.
TEST(GeometricStiffening, SpinUpGoesWrongWithoutIt) {
  const ModelRun run =
      run_model(PETSC_COMM_WORLD, kSpinUp, {"bodies.beam.geometric_stiffening=none"});
  const Columns reference = data("geometric_stiffening/data/c03_spin_up.csv");
  EXPECT_GT(largest_difference(sampled(run.history, "tip.y", reference[0]), reference[2]), 0.1);
}

// ---- A rotating blade -------------------------------------------------------------------------

// Lowest frequencies of an Euler-Bernoulli beam clamped to a hub that turns at `spin`: Ritz's
// method with powers x^2 ... x^9; across the plane of rotation, and in it, where the mass that
// turns takes spin^2 M off the stiffness.
struct BladeFrequencies {
  double flap, lag;
};

BladeFrequencies blade_frequencies(double EI, double mass_per_length, double length, double spin) {
  constexpr int n = 8;
  MatrixXd K(n, n), M(n, n);
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {  // w = sum a_i s^(i + 2), s = x / length
      const double p = i + 2, q = j + 2;
      const double bending = p * (p - 1) * q * (q - 1) / (p + q - 3);
      const double tension = 0.5 * p * q * (1.0 / (p + q - 1) - 1.0 / (p + q + 1));
      K(i, j) =
          EI / std::pow(length, 3) * bending + mass_per_length * spin * spin * length * tension;
      M(i, j) = mass_per_length * length / (p + q + 1);
    }
  const Eigen::GeneralizedSelfAdjointEigenSolver<MatrixXd> flap(K, M), lag(K - spin * spin * M, M);
  return {std::sqrt(flap.eigenvalues()[0]), std::sqrt(lag.eigenvalues()[0])};
}

TEST(GeometricStiffening, RotatingBladeHasTheFrequenciesOfABeamUnderItsTension) {
  for (const double spin : {2.0, 6.0}) {
    const BladeFrequencies exact = blade_frequencies(1.4e4, 1.2, 10.0, spin);
    const ModelRun run =
        run_model(PETSC_COMM_WORLD, kHere + "blade.yaml",
                  {fmt::format("bodies.beam.velocity.angular=[0, 0, {}]", spin),
                   fmt::format("joints.motor.angle={}*t + 1e-3*smooth_step(t, 0, 0.5)", spin)});
    const double flap = mean_of(run.history, "tip.z", 1.0),
                 lag = mean_of(run.history, "tip.y", 1.0);
    EXPECT_NEAR(frequency(run.history, "tip.z", flap, 1.0), exact.flap, 0.005 * exact.flap) << spin;
    EXPECT_NEAR(frequency(run.history, "tip.y", lag, 1.0), exact.lag, 0.005 * exact.lag) << spin;
  }
}

// ---- C05: a rotating shaft ----------------------------------------------------------------------

std::string make_shaft(const test::ScratchFolder& folder) {
  const double side = 0.04 * std::sqrt(12.0) / 4.0;
  mesh::BoxOptions box;
  box.type = elements::ElementType::hex20;
  box.nx = 24, box.ny = box.nz = 2;
  box.size = {1.2, side, side};
  box.origin = {0.0, -0.5 * side, -0.5 * side};
  formats::write_gmsh(folder / "shaft.msh", mesh::make_box(box));
  return folder / "shaft.msh";
}

struct Whirl {
  double split, mean;  // of forward and backward whirl, rad/s
};

// The plane in which the shaft vibrates, upright at the start, turns by half of the split.
Whirl whirl_by(const std::string& mesh, double spin, const std::string& stiffening, double step,
               const std::string& formulation) {
  const double duration = 0.5;
  const ModelRun run = run_model(
      PETSC_COMM_WORLD, kHere + "shaft.yaml",
      {"bodies.shaft.mesh=" + mesh, "bodies.shaft.geometric_stiffening=" + stiffening,
       "formulation=" + formulation, fmt::format("bodies.shaft.velocity.angular=[{}, 0, 0]", spin),
       fmt::format("joints.motor.angle={}*t", spin), fmt::format("analyses.dynamics.step={}", step),
       fmt::format("analyses.dynamics.duration={}", duration)});
  const std::vector<double>&t = run.history.at("time"), &y = run.history.at("middle.y"),
        &z = run.history.at("middle.z");
  const double sag = mean_of(run.history, "middle.z", 0.0);
  double yy = 0.0, zz = 0.0, yz = 0.0;  // the plane's angle from the last fifth's second moments
  for (std::size_t i = 0; i < t.size(); ++i) {
    if (t[i] < 0.8 * duration) continue;
    yy += y[i] * y[i], zz += (z[i] - sag) * (z[i] - sag), yz += y[i] * (z[i] - sag);
  }
  const double angle = 0.5 * std::atan2(-2.0 * yz, zz - yy);  // from z towards -y: about +x
  return {2.0 * angle / (0.9 * duration), frequency(run.history, "middle.z", sag, 0.0)};
}

// Two steps, and the error of second order between them taken off.
Whirl whirl(const std::string& mesh, double spin, const std::string& stiffening,
            const std::string& formulation = "automatic") {
  const Whirl coarse = whirl_by(mesh, spin, stiffening, 2e-4, formulation),
              fine = whirl_by(mesh, spin, stiffening, 1e-4, formulation);
  return {(4.0 * fine.split - coarse.split) / 3.0, (4.0 * fine.mean - coarse.mean) / 3.0};
}

TEST(GeometricStiffening, RotatingShaftWhirlsAsABeamWithRotatoryInertia) {
  const test::ScratchFolder folder;
  const std::string mesh = make_shaft(folder);
  const Whirl at_rest = whirl(mesh, 0.0, "second_order");
  EXPECT_NEAR(at_rest.mean, 0.999 * 354.375, 5e-4 * 354.375);  // the page: shear takes 0.1 %
  EXPECT_NEAR(at_rest.split, 0.0, 1e-6);
  const Whirl spinning = whirl(mesh, 500.0, "second_order");
  EXPECT_NEAR(spinning.split, 0.684920, 0.02 * 0.684920);  // the page's tolerance
  // Spin about its own axis neither stiffens nor softens a shaft ...
  EXPECT_NEAR(spinning.mean, at_rest.mean, 1e-4 * at_rest.mean);
  // ... but for linear modes: a section that tilts keeps its full moment of inertia about the axis,
  // which takes I/A (pi/L)^2 spin^2 off omega^2.
  const double softening = 1e-4 * std::pow(M_PI / 1.2, 2) * std::pow(500.0 / at_rest.mean, 2);
  const Whirl linear = whirl(mesh, 500.0, "none");
  EXPECT_NEAR(1.0 - std::pow(linear.mean / at_rest.mean, 2), softening, 0.1 * softening);
}

TEST(GeometricStiffening, RotatingShaftWhirlsInRelativeCoordinates) {
  const test::ScratchFolder folder;
  const Whirl w = whirl(make_shaft(folder), 500.0, "second_order", "recursive");
  EXPECT_NEAR(w.split, 0.684920, 0.02 * 0.684920);
  EXPECT_NEAR(w.mean, 0.999 * 354.375, 5e-4 * 354.375);
}

// Whichever body of the joint comes first. In the axes of the ground the shaft had gained 3e5 J by
// then.
TEST(GeometricStiffening, RotatingShaftHangsOnTheGroundOrTheGroundOnIt) {
  const test::ScratchFolder folder;
  const std::string mesh = make_shaft(folder);
  const auto run_with = [&](const char* bearing) {
    return run_model(
        PETSC_COMM_WORLD, kHere + "shaft.yaml",
        {"bodies.shaft.mesh=" + mesh, "formulation=recursive",
         fmt::format("joints.bearing.between={}", bearing), "analyses.dynamics.duration=0.02"});
  };
  const ModelRun on_ground = run_with("[ground, shaft.left]"),
                 on_shaft = run_with("[shaft.left, ground]");
  for (const char* axis : {"middle.y", "middle.z"})
    EXPECT_LT(
        testing_support::largest_difference(on_ground.history.at(axis), on_shaft.history.at(axis)),
        1e-9)
        << axis;
  EXPECT_LT(on_shaft.monitor.relative_drift(), 1e-3);
}

TEST(GeometricStiffening, CriticalSpeedOfAShaftIsThatOfSynchronousForwardWhirl) {
  const test::ScratchFolder folder;
  const Whirl w = whirl(make_shaft(folder), 354.618145, "second_order");
  EXPECT_NEAR(w.mean + 0.5 * w.split, 0.999 * 354.618145, 5e-4 * 354.618145);
}

// ---- An axially loaded rod ------------------------------------------------------------------

// Frequency of the rod's middle, between its pins, under an axial force. rad/s
double rod_frequency(double axial) {
  const ModelRun run =
      run_model(PETSC_COMM_WORLD, kHere + "pinned_rod.yaml",
                {fmt::format("loads.push.force=[\"{}*smooth_step(t, 0, 0.02)\", 0, 0]", axial),
                 "loads.side.force=[0, \"0.01*smooth_step(t, 0.02, 0.022)\", 0]"});
  return frequency(run.history, "middle.y", mean_of(run.history, "middle.y", 0.03), 0.03);
}

// N. Euler's load and the square of the frequency share one bending stiffness; the coarse mesh has
// a little too much of it.
double critical_load() {
  static const double load = [] {
    const double beam_frequency = 829.23, euler = 1395.0;  // the page of C01
    const double found = rod_frequency(0.0);
    EXPECT_NEAR(found, beam_frequency, 0.015 * beam_frequency);
    return euler * std::pow(found / beam_frequency, 2);
  }();
  return load;
}

TEST(GeometricStiffening, FrequencyOfARodFollowsItsAxialForce) {
  for (const double load : {0.5, -0.5, -0.9}) {
    const double expected = rod_frequency(0.0) * std::sqrt(1.0 + load);
    EXPECT_NEAR(rod_frequency(load * critical_load()), expected, 0.01 * expected) << load;
  }
}

// Deflection of the middle in equilibrium under a side force and an axial force.
double static_deflection(double axial) {
  const model::ModelDescription description = model::load_model(
      PETSC_COMM_WORLD, std::string(SOLIDYN_SOURCE_DIR) + "/" + kHere + "pinned_rod.yaml",
      {fmt::format("loads.push.force=[\"{}*t\", 0, 0]", axial),
       "loads.side.force=[0, \"0.1*t\", 0]"});
  const auto built = model::build(PETSC_COMM_WORLD, description, {});
  analyses::Statics statics(built->system, {});
  statics.start();
  while (!statics.is_done()) statics.advance();
  double p[3] = {};
  for (const analyses::Sensor& sensor : built->sensors)
    if (sensor.columns.front().name == "middle.x") sensor.read({built->system, statics.state()}, p);
  return p[1];
}

// Of a pinned beam under a central side force, by an axial force of `load` times the critical one:
// 3 (tan k - k) / k^3 in compression and 3 (k - tanh k) / k^3 in tension, k = L/2 sqrt(|N| / EI).
double magnification(double load) {
  const double k = 0.5 * M_PI * std::sqrt(std::abs(load));
  return 3.0 * (load < 0.0 ? std::tan(k) - k : k - std::tanh(k)) / (k * k * k);
}

TEST(GeometricStiffening, RodUnderAxialForceBendsAsABeamColumn) {
  const double alone = static_deflection(0.0);
  std::map<double, double> inverse;
  for (const double load : {1.0, -0.5, -0.9}) {
    const double factor = static_deflection(load * critical_load()) / alone;
    EXPECT_NEAR(factor, magnification(load), 0.01 * magnification(load)) << load;
    inverse[load] = 1.0 / factor;
  }
  // Southwell's line: the compression at which 1/deflection vanishes.
  const double buckling = 0.5 + 0.4 * inverse[-0.5] / (inverse[-0.5] - inverse[-0.9]);
  EXPECT_NEAR(buckling, 1.0, 0.01);
  // Beyond it the straight rod is no equilibrium to stay in: the deflection has the other sign.
  EXPECT_LT(static_deflection(-1.1 * critical_load()), 0.0);
}

}  // namespace
}  // namespace solidyn

// Linear analyses in a run: when they are done, and what their files say.
#include <gmock/gmock.h>

#include <cmath>
#include <complex>
#include <sstream>

#include "model_in_memory.h"

namespace solidyn::simulation {
namespace {

using base::ComputationError;
using base::InputError;
using results::RunStatus;
using testing::HasSubstr;
using LinearRunTest = testing_support::RunsInMemory;

// A damped mass on a spring along x: m = 2 kg, k = 800 N/m, d = 8 N s/m.
const std::string kOneMass = R"yaml(
solidyn: 1
bodies:
  mass: {type: rigid, mass: 2, inertia: [1, 1, 1]}
joints:
  guide: {type: prismatic, between: [ground, mass], at: [0, 0, 0], axis: [1, 0, 0]}
forces:
  spring: {type: spring_damper, between: [ground, mass], at_first: [-1, 0, 0], free_length: 1, stiffness: 800, damping: 8}
loads:
  push: {type: force, at: mass, force: [0, 0, 0]}
sensors:
  x: {type: position, of: mass, component: x}
  v: {type: velocity, of: mass, component: x}
analyses:
)yaml";

constexpr double kMass = 2.0, kStiffness = 800.0, kDamping = 8.0;

std::complex<double> root() {
  const double decay = kDamping / (2.0 * kMass);
  return {-decay, std::sqrt(kStiffness / kMass - decay * decay)};
}

struct Table {
  std::vector<std::string> names;
  std::vector<std::vector<std::string>> rows;
  std::string text(std::size_t row, const std::string& name) const {
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == name) return rows.at(row).at(i);
    return {};
  }
  double at(std::size_t row, const std::string& name) const { return std::stod(text(row, name)); }
};

Table table_of(const std::string& csv) {
  Table table;
  std::istringstream lines(csv);
  std::string line;
  std::getline(lines, line);  // units
  while (std::getline(lines, line)) {
    std::vector<std::string> cells;
    std::istringstream parts(line);
    for (std::string cell; std::getline(parts, cell, ',');) cells.push_back(cell);
    if (table.names.empty())
      table.names = cells;
    else
      table.rows.push_back(cells);
  }
  return table;
}

TEST_F(LinearRunTest, ModesAloneHaveTheirTableAndASummary) {
  std::vector<NamedNumber> found;
  RunOptions options;
  options.observe_modes = [&](const std::vector<NamedNumber>& numbers) { found = numbers; };
  EXPECT_EQ(run(kOneMass + "  - modes: {count: 3}\n", {}, options), RunStatus::done);
  const Table modes = table_of(written("modes.csv"));
  ASSERT_EQ(modes.rows.size(), 1U);
  EXPECT_EQ(modes.text(0, "kind"), "oscillation");
  EXPECT_EQ(modes.text(0, "moves_most"), "mass");
  EXPECT_NEAR(modes.at(0, "real"), root().real(), 1e-9);
  EXPECT_NEAR(modes.at(0, "imaginary"), root().imag(), 1e-9);
  EXPECT_NEAR(modes.at(0, "frequency"), root().imag() / (2.0 * M_PI), 1e-10);
  EXPECT_NEAR(modes.at(0, "natural_frequency"), 20.0 / (2.0 * M_PI), 1e-10);
  EXPECT_NEAR(modes.at(0, "damping_ratio"), 0.1, 1e-11);
  EXPECT_NEAR(modes.at(0, "part_of_energy"), 1.0, 1e-12);
  ASSERT_EQ(found.size(), 2U);
  EXPECT_EQ(found[0].name + " " + found[0].unit, "mode_1.frequency Hz");
  EXPECT_EQ(found[0].value, modes.at(0, "frequency"));
  EXPECT_EQ(found[1].name + " " + found[1].unit, "mode_1.damping_ratio 1");
  EXPECT_EQ(summary()["status"], "done");
  EXPECT_EQ(summary()["integrator"], "linear");
  EXPECT_FALSE(exists("history.csv"));
}

TEST_F(LinearRunTest, ResponsesAreThoseOfTheDampedOscillator) {
  run(kOneMass +
      "  - frequency_response: {inputs: [push.force_x], frequencies: [0, 0.5, 3.1, 3.2, 20]}\n");
  const Table responses = table_of(written("frequency_response.csv"));
  ASSERT_EQ(responses.rows.size(), 10U);  // two outputs at five frequencies
  for (std::size_t i = 0; i < 10; ++i) {
    const std::complex<double> s(0.0, 2.0 * M_PI * responses.at(i, "frequency"));
    std::complex<double> h = 1.0 / (kMass * s * s + kDamping * s + kStiffness);
    EXPECT_EQ(responses.text(i, "input"), "push.force_x");
    EXPECT_EQ(responses.text(i, "output"), i % 2 ? "v" : "x");
    if (i % 2) h *= s;
    EXPECT_NEAR(responses.at(i, "real"), h.real(), 1e-13);
    EXPECT_NEAR(responses.at(i, "imaginary"), h.imag(), 1e-13);
    EXPECT_NEAR(responses.at(i, "amplitude"), std::abs(h), 1e-13);
    if (std::abs(h) > 0.0) {
      EXPECT_NEAR(responses.at(i, "phase"), std::arg(h), 1e-9);
    }
  }
}

TEST_F(LinearRunTest, WarnsAtTheFrequencyOfAnUndampedMode) {
  std::string free = kOneMass;
  free.replace(free.find("stiffness: 800, damping: 8"), 26, "preload: 0");
  run(free +
      "  - frequency_response: {inputs: [push.force_x], outputs: [x], frequencies: [0, 1]}\n");
  const Table responses = table_of(written("frequency_response.csv"));
  EXPECT_EQ(responses.text(0, "amplitude"), "inf");
  EXPECT_NEAR(responses.at(1, "real"), -1.0 / (2.0 * 4.0 * M_PI * M_PI), 1e-14);
  EXPECT_THAT(summary()["warnings"].dump(), HasSubstr("the response at 0 Hz is unbounded"));
}

// A in modes' numbers: trace and determinant of the 2 x 2 matrix are those of the oscillator,
// whatever its coordinates are; and so is what goes from input to output at s = 0.
TEST_F(LinearRunTest, MatricesAreThoseOfTheOscillator) {
  run(kOneMass + "  - linearise: {inputs: [push.force_x], outputs: [x]}\n");
  const auto matrix = [&](const std::string& name) {
    std::istringstream text(written("state_space/" + name + ".mtx"));
    std::string line;
    do std::getline(text, line);
    while (line.front() == '%');
    std::istringstream sizes(line);
    Eigen::Index rows = 0, columns = 0;
    sizes >> rows >> columns;
    Eigen::MatrixXd m(rows, columns);
    for (Eigen::Index j = 0; j < columns; ++j)
      for (Eigen::Index i = 0; i < rows; ++i) text >> m(i, j);
    return m;
  };
  const Eigen::MatrixXd A = matrix("A"), B = matrix("B"), C = matrix("C"), D = matrix("D");
  ASSERT_EQ(A.rows(), 2);
  EXPECT_NEAR(A.trace(), -kDamping / kMass, 1e-11);
  EXPECT_NEAR(A.determinant(), kStiffness / kMass, 1e-9);
  EXPECT_NEAR((C * B)(0, 0), 0.0, 1e-14);  // a force moves nothing at once
  EXPECT_NEAR((C * A * B)(0, 0), 1.0 / kMass, 1e-12);
  EXPECT_NEAR((D - C * A.inverse() * B)(0, 0), 1.0 / kStiffness, 1e-14);
  EXPECT_TRUE(exists("state_space.h5"));
}

// The spring hardens as the mass moves on: f = 400 x^3, so that the modes of each instant differ.
std::string hardening(const std::string& analyses) {
  std::string text = kOneMass;
  text.replace(text.find("stiffness: 800, damping: 8"), 26, "force: \"400*x^3 + 200*x\"");
  return text + analyses;
}

TEST_F(LinearRunTest, AtTimesOfTheDynamicsAreDoneAtTheirStates) {
  const std::string text = hardening(
      "  - dynamics: {duration: 0.2, step: 1e-4}\n"
      "  - modes: {count: 1, times: [0, 0.05, 0.1]}\n");
  run(text, {"bodies.mass.velocity={linear: [4, 0, 0]}"});
  const results::History h = history();
  const Table modes = table_of(written("modes.csv"));
  ASSERT_EQ(modes.rows.size(), 3U);
  const double times[] = {0.0, 0.05, 0.1};
  for (std::size_t i = 0; i < 3; ++i) {
    const double t = modes.at(i, "time");
    EXPECT_NEAR(t, times[i], 1e-12);
    const double x = h.column("x")[std::lround(t / 1e-4)];
    const double stiffness = 200.0 + 1200.0 * x * x;
    EXPECT_NEAR(modes.at(i, "imaginary"), std::sqrt(stiffness / kMass), 1e-5 * stiffness) << t;
  }
  EXPECT_GT(modes.at(1, "imaginary"), 1.02 * modes.at(0, "imaginary"));
}

// At the equilibrium, where nothing has moved yet.
TEST_F(LinearRunTest, BetweenStaticsAndDynamicsAreDoneAtTheEquilibrium) {
  const std::string analyses =
      "  - statics: {}\n  - modes: {count: 1}\n  - dynamics: {duration: 0.05, step: 1e-3}\n";
  const std::string pulled = "loads.push.force=[600, 0, 0]";
  run(hardening(analyses), {pulled});
  const Table modes = table_of(written("modes.csv"));
  ASSERT_EQ(modes.rows.size(), 1U);
  const double x = 1.0;  // 400 + 200 = 600 N
  EXPECT_NEAR(modes.at(0, "imaginary"), std::sqrt((200.0 + 1200.0 * x * x) / kMass), 1e-6);
  RunOptions restart;
  restart.restart = true;
  EXPECT_THAT(
      message<InputError>(hardening(analyses), {pulled}, restart),
      HasSubstr("a linear analysis between statics and dynamics cannot be restarted from a"));
}

TEST_F(LinearRunTest, AtTimesCannotGoOnFromACheckpoint) {
  const std::string text = hardening(
      "  - dynamics: {duration: 0.01, step: 1e-3}\n  - modes: {count: 1, times: [0.005]}\n");
  run(text);
  RunOptions restart;
  restart.restart = true;
  EXPECT_THAT(message<InputError>(text, {}, restart),
              HasSubstr("linear analyses at `times` cannot be restarted from a checkpoint"));
}

// The number of the mode, and how far it is in its period.
TEST_F(LinearRunTest, PicturesGoThroughAPeriodOfEachMode) {
  run(kOneMass + "  - modes: {count: 1, pictures: 4}\n");
  const std::string xdmf = written("modes.xdmf");
  std::vector<double> times;
  for (std::size_t at = 0; (at = xdmf.find("<Time Value=\"", at)) != std::string::npos;) {
    at += 13;
    times.push_back(std::stod(xdmf.substr(at)));
  }
  EXPECT_THAT(times, testing::ElementsAre(1.0, 1.25, 1.5, 1.75));
}

TEST_F(LinearRunTest, AFailureAfterTheFirstResultsLeavesAFailedFolder) {
  const std::string text = kOneMass +
                           "  - frequency_response: {inputs: [push.force_x], frequencies: [1]}\n"
                           "  - modes: {count: 1, about: guide, axis: [0, 0, 1], speeds: [30]}\n";
  const std::string error = message<ComputationError>(text);
  EXPECT_EQ(summary()["status"], "failed");
  EXPECT_EQ(summary()["failure"]["message"], error);
  EXPECT_TRUE(exists("frequency_response.csv"));
  EXPECT_FALSE(exists("modes.csv"));
}

}  // namespace
}  // namespace solidyn::simulation

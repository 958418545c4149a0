// What tables say of modes and responses, and the branches of a Campbell diagram.
#include "simulation/mode_tables.h"

#include <gmock/gmock.h>

#include <cmath>

#include "solidyn/math/sparse_lu.h"

namespace solidyn::simulation {
namespace {

using analyses::Mode;
using Eigen::VectorXcd;
using testing::ElementsAre;
using testing::HasSubstr;

Mode mode(Mode::Kind kind, std::complex<double> s, const VectorXcd& shape = {}) {
  Mode m;
  m.kind = kind;
  m.s = s;
  m.shape = shape;
  return m;
}

ModeRow row(int number, Mode::Kind kind, std::complex<double> s) {
  const Mode m = mode(kind, s);
  return {number, number, kind, s, m.frequency(), m.natural_frequency(), m.damping_ratio(),
          "rod",  0.625};
}

TEST(ModeNumbers, AreThoseOfTheEigenvalue) {
  const Mode damped = mode(Mode::Kind::oscillation, {-3.0, 4.0});
  EXPECT_NEAR(damped.frequency(), 4.0 / (2.0 * M_PI), 1e-15);
  EXPECT_NEAR(damped.natural_frequency(), 5.0 / (2.0 * M_PI), 1e-15);
  EXPECT_NEAR(damped.damping_ratio(), 0.6, 1e-15);
  EXPECT_NEAR(mode(Mode::Kind::oscillation, {0.5, 2.0}).damping_ratio(),
              -0.5 / std::hypot(0.5, 2.0), 1e-15);
  EXPECT_EQ(mode(Mode::Kind::aperiodic, {7.0, 0.0}).damping_ratio(), -1.0);
  EXPECT_EQ(mode(Mode::Kind::rigid, 0.0).damping_ratio(), 0.0);
}

TEST(ModeTable, HasNumbersOfOscillationsAndWordsForTheOthers) {
  const std::string text = mode_table(
      {row(1, Mode::Kind::rigid, 0.0), row(2, Mode::Kind::neutral, 0.0),
       row(3, Mode::Kind::aperiodic, {-2.0, 0.0}), row(4, Mode::Kind::oscillation, {-3.0, 4.0})});
  EXPECT_THAT(text, testing::ContainsRegex("   1 +rigid "));
  EXPECT_THAT(text, testing::ContainsRegex("   2 +neutral "));
  EXPECT_THAT(text, testing::ContainsRegex("   3 +aperiodic +-2 +\\+0 i   rod \\(62 %\\)"));
  EXPECT_THAT(text, testing::ContainsRegex("   4 +0.6366198 +0.6 +-3 +\\+4 i   rod"));
}

TEST(ModeLines, ComeBackDigitByDigit) {
  const std::complex<double> s(-1.0 / 3.0, 1e5 / 7.0);
  const std::string line = mode_lines(0.1, 2.0 / 3.0, {row(4, Mode::Kind::oscillation, s)});
  std::vector<std::string> cells(1);
  for (const char c : line)
    if (c == ',')
      cells.emplace_back();
    else
      cells.back() += c;
  std::string names = mode_header();
  names = names.substr(names.find('\n') + 1);
  ASSERT_EQ(cells.size(),
            static_cast<std::size_t>(std::count(names.begin(), names.end(), ',') + 1));
  EXPECT_EQ(std::stod(cells[0]), 0.1);
  EXPECT_EQ(std::stod(cells[1]), 2.0 / 3.0);
  EXPECT_EQ(cells[4], "oscillation");
  EXPECT_EQ(std::stod(cells[8]), s.real());
  EXPECT_EQ(std::stod(cells[9]), s.imag());
  EXPECT_EQ(cells[11], "0.625\n");
}

TEST(ResponseLines, GoThroughOutputsOfEachInput) {
  Eigen::MatrixXcd response(2, 2);
  response << std::complex<double>(3, 4), 1.0, std::complex<double>(0, -2), -1.0;
  EXPECT_EQ(response_lines(0.5, 10.0, {"f", "g"}, {{"x", "m"}, {"y", "m"}}, response),
            fmt::format("0.5,10,f,x,3,4,5,{}\n0.5,10,f,y,0,-2,2,{}\n0.5,10,g,x,1,0,1,0\n"
                        "0.5,10,g,y,-1,0,1,{}\n",
                        std::atan2(4.0, 3.0), -M_PI / 2.0, M_PI));
}

system::Linearisation with_masses(const Eigen::VectorXd& masses) {
  system::Linearisation l;
  l.M = Eigen::SparseMatrix<double>(masses.size(), masses.size());
  for (Eigen::Index i = 0; i < masses.size(); ++i) l.M.insert(i, i) = masses[i];
  return l;
}

std::vector<int> branches(ModeTracker& tracker, const system::Linearisation& l,
                          const std::vector<VectorXcd>& shapes) {
  std::vector<Mode> modes;
  std::vector<ModeRow> rows;
  for (const VectorXcd& shape : shapes) {
    const double mass = std::real(shape.dot(l.M.cast<std::complex<double>>() * shape));
    modes.push_back(
        mode(Mode::Kind::oscillation, {0.0, 1.0 + rows.size()}, shape / std::sqrt(mass)));
    rows.push_back(row(static_cast<int>(rows.size()) + 1, Mode::Kind::oscillation, modes.back().s));
  }
  tracker.name_branches(l, modes, rows);
  std::vector<int> found;
  for (const ModeRow& r : rows) found.push_back(r.branch);
  return found;
}

// Two branches cross, and a phase of the complex shapes means nothing.
TEST(Branches, FollowShapesThroughACrossing) {
  const system::Linearisation l = with_masses(Eigen::Vector3d(1, 4, 9));
  const VectorXcd a = Eigen::Vector3cd(1.0, std::complex<double>(0, 0.1), 0.0);
  const VectorXcd b = Eigen::Vector3cd(-0.2, 1.0, 0.1);
  const VectorXcd c = Eigen::Vector3cd(0.0, 0.05, 1.0);
  ModeTracker tracker;
  EXPECT_THAT(branches(tracker, l, {a, b, c}), ElementsAre(1, 2, 3));
  EXPECT_THAT(branches(tracker, l, {std::polar(1.0, 2.0) * b, std::polar(1.0, -1.0) * a, c}),
              ElementsAre(2, 1, 3));
  EXPECT_THAT(branches(tracker, l, {c, b, a}), ElementsAre(3, 2, 1));
}

// As shapes turn into others, the most alike pair is taken first, whatever the order of the rows.
TEST(Branches, AreGivenToTheMostAlikeFirstAndNewOnesToTheRest) {
  const system::Linearisation l = with_masses(Eigen::Vector3d::Ones());
  const VectorXcd x = Eigen::Vector3cd::UnitX(), y = Eigen::Vector3cd::UnitY(),
                  z = Eigen::Vector3cd::UnitZ();
  ModeTracker tracker;
  EXPECT_THAT(branches(tracker, l, {x}), ElementsAre(1));
  EXPECT_THAT(branches(tracker, l, {0.8 * x + 0.6 * y, 0.9 * x - 0.43 * y}), ElementsAre(2, 1));
  // z is like neither; the branch that ends is not used again.
  EXPECT_THAT(branches(tracker, l, {z}), ElementsAre(3));
  EXPECT_THAT(branches(tracker, l, {x, z}), ElementsAre(4, 3));
}

TEST(Branches, WeighShapesByTheirMass) {
  const system::Linearisation l = with_masses(Eigen::Vector2d(1e4, 1.0));
  const VectorXcd heavy = Eigen::Vector2cd(0.01, 0.02), light = Eigen::Vector2cd(-2e-6, 1.0);
  ModeTracker tracker;
  branches(tracker, l, {heavy, light});
  // Two thirds of what moves in the second is the light body, yet its mass is that of the first.
  EXPECT_THAT(branches(tracker, l, {Eigen::Vector2cd(0.0, 1.0), Eigen::Vector2cd(0.01, 0.03)}),
              ElementsAre(2, 1));
}

}  // namespace
}  // namespace solidyn::simulation

// Loads along beams: textbook deflections of clamped beams, and large ones under dead and following
// loads.
#include <gtest/gtest.h>

#include <cmath>

#include "beam_statics.h"

namespace solidyn {
namespace {

using Eigen::Vector3d;
using testing_support::BeamStatics;

// Of loads that turn the tip by less than 1e-3: what is of second order.
constexpr double kSmall = 1e-6;

BeamStatics loaded(std::vector<std::string> overrides) {
  return BeamStatics("loaded.yaml", overrides);
}

struct Textbook {
  const char* name;
  std::vector<std::string> overrides;
  int axis;           // 1: y, 2: z
  double deflection;  // of the tip, m
};

class SmallDeflections : public testing::TestWithParam<Textbook> {};
INSTANTIATE_TEST_SUITE_P(
    OfCantilevers, SmallDeflections,
    testing::Values(
        Textbook{"q L^4/8EI", {"bodies.beam.elements=2"}, 1, 1e-3 / 8},
        // and q L^2/2GA: a shear modulus of 1/2, of an area that leaves k G A = 4 N
        Textbook{"with shear",
                 {"bodies.beam.shear=included", "bodies.beam.section.shear_y=8e-8"},
                 1,
                 1e-3 * (1.0 / 8 + 1.0 / 8)},
        Textbook{"in section axes", {"loads.q.axes=section"}, 1, 1e-3 / 8},
        Textbook{"along z", {"loads.q.force=[0, 0, '1e-3*t']"}, 2, 1e-3 / 16},
        Textbook{
            "falling to the tip, q L^4/30EI", {"loads.q.factors=[[0, 1], [1, 0]]"}, 1, 1e-3 / 30},
        Textbook{"growing to the tip, 11 q L^4/120EI",
                 {"loads.q.factors=[[0, 0], [1, 1]]", "loads.q.axes=section"},
                 1,
                 1e-3 * 11 / 120},
        // q a^4/8 + q a^3/6 (L - a), a = 1/2
        Textbook{"on its inner half", {"loads.q.between=[root, middle]"}, 1, 1e-3 * 7 / 384},
        // the same by factors, across an element
        Textbook{"with a jump within an element",
                 {"loads.q.factors=[[0, 1], [0.5, 1], [0.5, 0], [1, 0]]",
                  "bodies.beam.points={root: [0, 0, 0], tip: [1, 0, 0]}", "bodies.beam.elements=3"},
                 1,
                 1e-3 * 7 / 384}),
    [](const auto& info) { return "Case" + std::to_string(info.index); });

TEST_P(SmallDeflections, AreThoseOfTextbooks) {
  const BeamStatics beam = loaded(GetParam().overrides);
  EXPECT_NEAR(beam.tip_state().p_WB[GetParam().axis] / GetParam().deflection, 1.0, 2 * kSmall)
      << GetParam().name;
}

TEST(LineLoads, TorqueTwistsByHalfOfItAtTheTip) {
  const BeamStatics beam =
      loaded({"loads.q={type: distributed, body: beam, torque: ['0.3*t', 0, 0]}"});
  // m L^2/2GJ, G = 1/2, J = 3
  EXPECT_NEAR(std::atan2(beam.tip_state().R_WB(2, 1), beam.tip_state().R_WB(1, 1)), 0.1, 1e-9);
}

TEST(LineLoads, WallCarriesAllOfADeadLoad) {
  BeamStatics beam = loaded({"loads.q.force=[0, '5*t', 0]", "loads.q.factors=[[0, 2], [1, 0]]",
                             "analyses.statics.load_steps=5"});
  const Eigen::VectorXd wall = beam.state().lambda.tail<6>();
  EXPECT_NEAR(std::abs(wall[1]), 5.0, 1e-9);
  EXPECT_LT(std::abs(wall[0]) + std::abs(wall[2]), 1e-9);
}

// Under a pressure q that stays normal to a beam without stretch or shear the section forces obey
//   N' = Q theta',  Q' = -N theta' - q,  M' = -Q,  theta' = M/EI
// from a free tip, whatever its angle: integrated from there, then turned until the root is level.
Vector3d tip_under_pressure(double q) {
  using State = Eigen::Matrix<double, 6, 1>;  // N, Q, M, theta, x, y
  const auto rate = [q](const State& s) {
    State d;
    d << s[1] * s[2], -s[0] * s[2] - q, -s[1], s[2], std::cos(s[3]), std::sin(s[3]);
    return d;
  };
  State s = State::Zero();
  constexpr int n = 4000;
  const double h = -1.0 / n;
  for (int i = 0; i < n; ++i) {
    const State a = rate(s), b = rate(s + 0.5 * h * a), c = rate(s + 0.5 * h * b),
                d = rate(s + h * c);
    s += h / 6.0 * (a + 2.0 * b + 2.0 * c + d);
  }
  // Seen from the root, whose axis is turned by theta.
  const double theta = s[3], x = -s[4], y = -s[5];
  return {std::cos(theta) * x + std::sin(theta) * y, -std::sin(theta) * x + std::cos(theta) * y,
          -theta};
}

double error_under_pressure(int n, const Vector3d& exact) {
  const BeamStatics beam =
      loaded({"loads.q.force=[0, '12*t', 0]", "loads.q.axes=section",
              "analyses.statics.load_steps=6", "bodies.beam.elements=" + std::to_string(n)});
  const bodies::BodyState& tip = beam.tip_state();
  return (tip.p_WB.head<2>() - exact.head<2>()).norm();
}

TEST(LineLoads, FollowingPressureConvergesWithOrderFour) {
  const Vector3d exact = tip_under_pressure(12.0);
  EXPECT_GT(exact[2], 1.5);  // rad: it curls up
  const double coarse = error_under_pressure(8, exact), fine = error_under_pressure(16, exact);
  EXPECT_LT(fine, 1e-4);
  EXPECT_NEAR(std::log2(coarse / fine), 4.0, 0.4);
}

TEST(LineLoads, DeadLoadsConvergeWithOrderFour) {
  const auto tip = [](int n) {
    const BeamStatics beam =
        loaded({"loads.q.force=[0, '25*t', 0]", "analyses.statics.load_steps=6",
                "bodies.beam.elements=" + std::to_string(n)});
    return Vector3d(beam.tip_state().p_WB);
  };
  const Vector3d coarse = tip(8), fine = tip(16), finest = tip(32);
  EXPECT_GT(fine.y(), 0.7);
  EXPECT_NEAR(std::log2((coarse - fine).norm() / (fine - finest).norm()), 4.0, 0.4);
}

}  // namespace
}  // namespace solidyn

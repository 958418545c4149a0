// C09 and B08: cantilevers in large deflection (P-STRAIN 3.1).
#include <gtest/gtest.h>

#include <cmath>

#include "beam_statics.h"
#include "solidyn/analyses/modes.h"
#include "solidyn/bodies/beam_body.h"

namespace solidyn {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using testing_support::BeamStatics;

constexpr double kLength = 2.0, kEI = 1.725e6;

struct Tip {
  double u, v, angle;  // m, m, rad
};

Tip tip_of(const BeamStatics& beam, double length) {
  const bodies::BodyState& tip = beam.tip_state();
  return {tip.p_WB.x() - length, tip.p_WB.y(), std::atan2(tip.R_WB(1, 0), tip.R_WB(0, 0))};
}

BeamStatics cantilever(int n, std::vector<std::string> overrides = {}) {
  overrides.push_back("bodies.beam.elements=" + std::to_string(n));
  return BeamStatics("cantilever.yaml", overrides);
}

TEST(BeamCantilever, ElementHasTheDigitsOfThePlanarElement) {
  struct Row {
    int n;
    const char* shear;
    double u, v, angle;
  };
  // C09, which has them from an implementation in generalized strains alone.
  const Row rows[] = {{1, "none", -0.5240227156, 1.2049017004, 0.9934010582},
                      {2, "none", -0.5100895374, 1.2083011677, 0.9869495822},
                      {4, "none", -0.5086279862, 1.2073228793, 0.9862829958},
                      {8, "none", -0.5085417228, 1.2072432783, 0.9862396792},
                      {16, "none", -0.5085373009, 1.2072395672, 0.9862373469},
                      {4, "included", -0.5095586537, 1.2088957460, 0.9856022170},
                      {16, "included", -0.5094649060, 1.2088219405, 0.9855624176}};
  for (const Row& row : rows) {
    const BeamStatics beam = cantilever(row.n, {std::string("bodies.beam.shear=") + row.shear});
    const Tip tip = tip_of(beam, kLength);
    EXPECT_NEAR(tip.u, row.u, 1e-8) << row.n;
    EXPECT_NEAR(tip.v, row.v, 1e-8) << row.n;
    EXPECT_NEAR(tip.angle, row.angle, 1e-8) << row.n;
  }
}

TEST(BeamCantilever, LobattosRuleConvergesToTheSame) {
  const Tip tip = tip_of(cantilever(16, {"bodies.beam.curvature_rule=lobatto"}), kLength);
  EXPECT_NEAR(tip.u, -0.508537, 2e-5);
  EXPECT_NEAR(tip.v, 1.207240, 2e-5);
  EXPECT_NEAR(tip.angle, 0.986237, 2e-5);
}

// The inverse of the tangent with constraints, for unit loads at the tip.
Matrix3d compliance_of(BeamStatics& beam) {
  const system::Linearisation l =
      system::linearise(beam.built->system, beam.state(), system::IncrementAxes::body);
  const Eigen::Index n = l.K.rows(), m = l.G.rows();
  MatrixXd J = MatrixXd::Zero(n + m, n + m);
  J.topLeftCorner(n, n) = l.K;
  J.topRightCorner(n, m) = l.B;
  J.bottomLeftCorner(m, n) = l.G;
  // Increments of the tip in its own axes; u, v and L times the angle of the world.
  const int at = beam.built->system.layout().velocity_offset(beam.tip());
  MatrixXd load = MatrixXd::Zero(n + m, 3);
  const Matrix3d R_BW = beam.tip_state().R_WB.transpose();
  load.block<3, 2>(at, 0) = R_BW.leftCols<2>();
  load(at + 5, 2) = kLength;
  const MatrixXd x = J.partialPivLu().solve(load);
  return load.topRows(n).transpose() * x.topRows(n) * kEI / std::pow(kLength, 3);
}

TEST(BeamCantilever, TipComplianceHasAllDigitsOfThePaper) {
  BeamStatics beam = cantilever(4);
  const Matrix3d C = compliance_of(beam);
  Matrix3d paper, reference;  // P-STRAIN (52); C09
  paper << 0.08833, -0.08389, -0.18709, -0.08389, 0.08379, 0.16371, -0.18709, 0.16371, 0.59265;
  reference << 0.0883273, -0.0838904, -0.1870898, -0.0838904, 0.0837945, 0.1637056, -0.1870898,
      0.1637056, 0.5926494;
  EXPECT_LT((C - paper).cwiseAbs().maxCoeff(), 0.5e-5 + 1e-8);
  EXPECT_LT((C - reference).cwiseAbs().maxCoeff(), 1e-7);
}

// In units of sqrt(EI/(rho A L^4)).
std::vector<double> frequencies(BeamStatics& beam) {
  const system::Linearisation l =
      system::linearise(beam.built->system, beam.state(), system::IncrementAxes::body);
  const double unit = std::sqrt(kEI / (78.5 * std::pow(kLength, 4)));
  std::vector<double> list;
  for (const analyses::Mode& mode : find_modes(l, analyses::make_minimal_coordinates(l), 4))
    list.push_back(mode.s.imag() / unit);
  return list;
}

void expect_frequencies(BeamStatics beam, const std::vector<double>& expected, double tolerance,
                        std::size_t n) {
  const std::vector<double> found = frequencies(beam);
  for (std::size_t k = 0; k < n; ++k)
    EXPECT_NEAR(found[k], expected[k], tolerance * expected[k]) << k;
}

TEST(BeamCantilever, FrequenciesOfTableOne) {
  const std::vector<double> straight = {3.516015, 22.034492, 61.697214, 108.827962};
  const std::vector<double> loaded = {4.77470, 21.2222, 56.648, 110.227};
  const std::vector<double> with_shear = {4.76729, 20.9951, 55.272, 106.324};
  expect_frequencies(cantilever(32, {"loads.push.force=[0, 0, 0]"}), straight, 5e-4, 4);
  expect_frequencies(cantilever(32), loaded, 5e-4, 4);
  expect_frequencies(cantilever(32, {"bodies.beam.shear=included"}), with_shear, 5e-4, 4);
  expect_frequencies(cantilever(4), loaded, 1e-2, 3);
}

// Of Mattiasson's elastica, alpha = 3: stretch is 1e-6 of what it is above.
TEST(BeamCantilever, ConvergesToTheElasticaAtOrderFour) {
  const auto error = [](int n) {
    const Tip tip = tip_of(
        cantilever(
            n,
            {"bodies.beam.section={type: general, area: 1.0e4, I_y: 8.333333333333333e-2, I_z: 8.333333333333333e-6, torsion_constant: 8.0}"}),
        kLength);
    return std::hypot(tip.v / kLength - 0.60325344, -tip.u / kLength - 0.25442018);
  };
  double before = error(2);
  for (int n : {4, 8}) {
    const double now = error(n);
    EXPECT_NEAR(std::log2(before / now), 4.0, 0.25) << n;
    before = now;
  }
}

TEST(BeamCantilever, TubeOfTheStaticValidation) {
  struct Row {
    double force, w, u, angle;
  };
  // B08, without stretch: it is taken a thousand times as stiff.
  for (const Row& row :
       {Row{100, 0.170980, 0.017720, 0.258018}, Row{500, 0.570708, 0.223330, 0.923330},
        Row{2000, 0.816409, 0.566972, 1.442421}, Row{10000, 0.919452, 0.805543, 1.568496}}) {
    const BeamStatics beam("tube.yaml",
                           {"loads.push.force=[0, \"" + std::to_string(row.force) + "*t\", 0]"});
    const Tip tip = tip_of(beam, 1.0);
    EXPECT_NEAR(tip.v, row.w, 1e-3) << row.force;
    EXPECT_NEAR(-tip.u, row.u, 1e-3) << row.force;
    EXPECT_NEAR(tip.angle, row.angle, 1e-3) << row.force;
  }
}

// A moment about an axis that stays as it is turns the rolled beam out of its plane where it may:
// Newton's method alone keeps to the plane.
TEST(BeamCantilever, RollsUpIntoACircle) {
  for (double lambda : {0.25, 0.5, 0.75, 1.0}) {
    const double angle = 2.0 * M_PI * lambda, moment = angle * 189.0688999;
    const BeamStatics beam("tube.yaml",
                           {"loads.push.force=[0, 0, 0]", "analyses.statics.method=newton",
                            "loads.push.torque=[0, 0, \"" + std::to_string(moment) + "*t\"]"});
    EXPECT_NEAR(beam.tip_state().p_WB.x(), std::sin(angle) / angle, 1e-3) << lambda;
    EXPECT_NEAR(beam.tip_state().p_WB.y(), (1.0 - std::cos(angle)) / angle, 1e-3) << lambda;
  }
}

// A force along the beam, off its centroid by e, bends it by the moment F e: v = F e L^2/(2 E I).
TEST(BeamCantilever, ForceOffTheCentroidBends) {
  constexpr double kOff = 0.03, kPull = 10.0;
  const auto beam = [&](const std::string& section) {
    return cantilever(4, {"loads.push.force=[" + std::to_string(kPull) + "*t, 0, 0]",
                          "bodies.beam.section.offset=" + section});
  };
  const Tip across = tip_of(beam("[0.03, 0]"), kLength);
  EXPECT_NEAR(across.v - kOff, kPull * kOff * kLength * kLength / (2.0 * kEI), 1e-10);
  EXPECT_NEAR(across.angle, kPull * kOff * kLength / kEI, 1e-10);
  const BeamStatics along_z = beam("[0, 0.03]");
  EXPECT_NEAR(along_z.tip_state().p_WB.z() - kOff, kPull * kOff * 2.0 / 1.725e10, 1e-11);
  EXPECT_NEAR(along_z.tip_state().p_WB.y(), 0.0, 1e-12);
}

// Of an arc the centre line is as much longer as its radius is, and free of stress.
TEST(BeamCantilever, OffsetArcHasTheLengthOfItsOwnRadius) {
  const BeamStatics beam("curved.yaml",
                         {"loads.push.force=[0, 0, 0]", "bodies.beam.section.offset=[-2, 0]"});
  const bodies::BodyState& tip = beam.tip_state();
  const Eigen::Vector3d centre(0, 100, 0);
  EXPECT_NEAR((tip.p_WB - centre).norm(), 102.0, 1e-9);
  const auto& body = dynamic_cast<const bodies::BeamBody&>(
      beam.built->system.body(beam.built->bodies.front().index));
  EXPECT_NEAR(body.mass(), 2.6e-4 * 102.0 * M_PI / 4.0, 1e-11);
  EXPECT_LT(std::abs(body.element(3).strains()[0]), 1e-4);  // of Simpson's rule
}

}  // namespace
}  // namespace solidyn

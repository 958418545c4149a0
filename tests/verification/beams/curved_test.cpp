// C07: the curved cantilever of P-STRAIN 3.2.
#include <gtest/gtest.h>

#include <cmath>

#include "beam_statics.h"

namespace solidyn {
namespace {

using Eigen::Vector3d;
using testing_support::BeamStatics;

Vector3d tip(int n, const std::string& torsion, std::vector<std::string> overrides = {}) {
  overrides.push_back("bodies.beam.elements=" + std::to_string(n));
  overrides.push_back("bodies.beam.torsion=" + torsion);
  return BeamStatics("curved.yaml", overrides).tip_state().p_WB;
}

TEST(BeamCurved, TipPositionsForBothTorsionConstants) {
  struct Row {
    const char *constant, *force;
    Vector3d tip;
  };
  const Row rows[] = {{"0.1666666666666667", "300*t", {58.7791, 22.2448, 40.1919}},
                      {"0.1666666666666667", "450*t", {52.2386, 18.5082, 48.5029}},
                      {"0.1666666666666667", "600*t", {47.1504, 15.6848, 53.4749}},
                      {"0.1406", "300*t", {58.5362, 22.1128, 40.4800}},
                      {"0.1406", "450*t", {51.9700, 18.3694, 48.7046}},
                      {"0.1406", "600*t", {46.8922, 15.5579, 53.6072}}};
  for (const Row& row : rows)
    for (const char* torsion : {"linear", "constant"})
      for (const char* rule : {"magnus", "lobatto"}) {
        const std::vector<std::string> overrides = {
            std::string("bodies.beam.curvature_rule=") + rule,
            std::string("bodies.beam.section.torsion_constant=") + row.constant,
            std::string("loads.push.force=[0, 0, ") + row.force + "]"};
        EXPECT_LT((tip(16, torsion, overrides) - row.tip).cwiseAbs().maxCoeff(), 0.02);
        EXPECT_LT((tip(8, torsion, overrides) - row.tip).cwiseAbs().maxCoeff(), 0.2);
      }
}

// P-STRAIN, figure 5, displacement along the force: linear torsion converges with order four and is
// ahead of constant torsion, here with half as many elements.
TEST(BeamCurved, LinearTorsionIsMoreAccurateThanConstant) {
  constexpr double kExact = 53.47485;  // 32 elements and C07
  const auto error = [&](int n, const char* torsion) {
    return std::abs(tip(n, torsion).z() - kExact) / kExact;
  };
  const double of_four = error(4, "linear");
  EXPECT_LT(of_four, 1.5e-4);
  EXPECT_GT(std::log2(error(2, "linear") / of_four), 3.0);
  EXPECT_GT(std::log2(of_four / error(8, "linear")), 3.5);
  EXPECT_LT(of_four, error(8, "constant"));
}

TEST(BeamCurved, IsCurvedWithoutStress) {
  const BeamStatics beam("curved.yaml", {"loads.push.force=[0, 0, 0]"});
  EXPECT_LT((beam.tip_state().p_WB - Vector3d(70.71067811865476, 29.28932188134524, 0)).norm(),
            1e-9);
}

}  // namespace
}  // namespace solidyn

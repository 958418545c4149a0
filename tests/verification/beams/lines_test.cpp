// Beams from the lines of mesh files: the same equilibrium as the beam that points make.
#include <gtest/gtest.h>

#include "beam_statics.h"

namespace solidyn {
namespace {

using testing_support::BeamStatics;

class LinesOfAFile : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Formats, LinesOfAFile,
                         testing::Values("lines_bdf.yaml", "lines_inp.yaml", "lines_msh.yaml"));

TEST_P(LinesOfAFile, BendLikeThoseOfPoints) {
  constexpr double kAgrees = 1e-10;  // m, and of unit vectors
  const BeamStatics points("lines.yaml"), lines(GetParam());
  EXPECT_GT((points.tip_state().p_WB - Eigen::Vector3d(0.6, 0.3, 0.4)).norm(), 0.01);
  EXPECT_LT((points.tip_state().p_WB - lines.tip_state().p_WB).norm(), kAgrees);
  EXPECT_LT((points.tip_state().R_WB - lines.tip_state().R_WB).norm(), kAgrees);
}

// Given strains of the whole, and what sections carry, at the same places of the same beam.
TEST_P(LinesOfAFile, HaveStrainsOfTheirOwnLikeThoseOfPoints) {
  const std::string third = std::string(GetParam()) == "lines_msh.yaml" ? "4" : "3";
  const auto beam = [](const char* file, const std::string& strains, const std::string& place) {
    return BeamStatics(file, {"sensors.s={type: section_force, body: beam, " + place + "}",
                              "bodies.beam." + strains});
  };
  for (const char* strains :
       {"prestrain={twist: 0.1, curvature_y: '0.2*t'}", "prestress={axial: 1000, bending_z: 20}",
        "driven_strains={curvature_z: '0.3*t', twist: 0.2}",
        "fixed_strains=[stretch, curvature_y]"}) {
    const BeamStatics points = beam("lines.yaml", strains, "fraction: 0.6590909090909091"),
                      lines = beam(GetParam(), strains, "fraction: 0.5, line: " + third);
    EXPECT_LT((points.tip_state().p_WB - lines.tip_state().p_WB).norm(), 1e-9) << strains;
    const Eigen::VectorXd there = reading(points);
    EXPECT_GT(there.norm(), 100.0);
    EXPECT_LT((reading(lines) - there).norm(), 1e-6 * there.norm()) << strains;
  }
}

}  // namespace
}  // namespace solidyn

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

}  // namespace
}  // namespace solidyn

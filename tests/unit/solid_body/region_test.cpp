// The vectors by which a virtual body sees a region, on faces of every kind of solid.
#include <gtest/gtest.h>
#include <petsc.h>

#include "selections.h"
#include "solidyn/bodies/solid_body.h"
#include "solidyn/mesh/generators.h"

namespace solidyn::bodies {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

std::unique_ptr<SolidBody> make_bar(elements::ElementType type, int n_across) {
  mesh::BoxOptions box;
  box.type = type;
  box.nx = 2, box.ny = n_across, box.nz = n_across;
  box.size = {0.3, 0.05, 0.04};
  SolidBodyOptions options;
  options.interfaces = {test::at_set("x_max")};
  return SolidBody::make("bar", mesh::distribute(PETSC_COMM_SELF, mesh::make_box(box)),
                         fem::IsotropicElastic{2e6, 0.3, 1000.0}, options);
}

class RegionOfFaces : public testing::TestWithParam<elements::ElementType> {};
INSTANTIATE_TEST_SUITE_P(Elements, RegionOfFaces,
                         testing::Values(elements::ElementType::tet4, elements::ElementType::tet10,
                                         elements::ElementType::hex8, elements::ElementType::hex20,
                                         elements::ElementType::wedge15),
                         [](const auto& info) { return std::string(elements::name(info.param)); });

// Corner nodes of hex20 and wedge15 have negative weights; s_ref once left these out, so that the
// virtual body turned too far, and gave the region half of its torque.
TEST_P(RegionOfFaces, VectorsTurnWithTheBody) {
  const auto body = make_bar(GetParam(), 1);
  InitialMotion motion;
  motion.q_WB = Eigen::AngleAxisd(1.3, Vector3d(0.3, -0.5, 0.8).normalized());
  const Matrix3d R = motion.q_WB.toRotationMatrix();
  NodalState state = body->make_state();
  body->start(motion, state);
  const Eigen::VectorXd q_e = body->ports_of(state.u);
  const RegionVectors& region = body->interfaces()[0].region;
  ASSERT_EQ(region.axes.cols(), 2);
  EXPECT_LT((region.p_ref + region.Psi_p * q_e - R * region.p_ref).norm(), 1e-14);
  for (int j = 0; j < 2; ++j)
    EXPECT_LT((region.s_ref.col(j) + region.Psi_s[j] * q_e - R * region.s_ref.col(j)).norm(), 1e-14)
        << j;
}

// The mean square of y over a rectangle is its height squared over 12.
TEST_P(RegionOfFaces, AxesAreTheStandardDeviationsOfAFace) {
  if (elements::linear_of(GetParam()) == GetParam())
    GTEST_SKIP() << "nodal weights of linear faces";
  const auto body = make_bar(GetParam(), 2);
  const Eigen::Matrix3Xd& axes = body->interfaces()[0].region.axes;
  EXPECT_NEAR(axes.row(1).squaredNorm(), 0.05 * 0.05 / 12.0, 1e-12);
  EXPECT_NEAR(axes.row(2).squaredNorm(), 0.04 * 0.04 / 12.0, 1e-12);
}

}  // namespace
}  // namespace solidyn::bodies

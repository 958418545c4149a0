// Every way to choose an interface's nodes with every way to attach a frame to them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <tuple>

#include "selections.h"
#include "solidyn/base/error.h"
#include "solidyn/mesh/generators.h"
#include "solidyn/reduction/reduce.h"

namespace solidyn::reduction {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using mesh::Attachment;
using mesh::NodeSelection;

const fem::IsotropicElastic kSteel{2.1e11, 0.3, 7850.0};

mesh::DistributedMesh make_bar() {
  mesh::BoxOptions box;
  box.type = elements::ElementType::tet10;
  box.size = {0.1, 0.02, 0.02};
  box.nx = 5, box.ny = 2, box.nz = 2;
  return mesh::distribute(PETSC_COMM_SELF, mesh::make_box(box));
}

// At the end of the bar, and nowhere.
const NodeSelection kNear = mesh::NodesNear{{0.1, 0.01, 0.01}};
const NodeSelection kInSet = mesh::NodesInSet{"x_max"}, kInNoSet = mesh::NodesInSet{"bore"};
const NodeSelection kInBox = mesh::NodesInBox{{0.079, -1.0, -1.0}, {1.0, 1.0, 1.0}};
const NodeSelection kInFarBox = mesh::NodesInBox{{0.5, -1.0, -1.0}, {1.0, 1.0, 1.0}};
const NodeSelection kInCylinder =
    mesh::NodesInCylinder{{0.075, 0.01, 0.01}, Vector3d::UnitX(), 0.011, 0.03};
const NodeSelection kInFarCylinder =
    mesh::NodesInCylinder{{0.5, 0.01, 0.01}, Vector3d::UnitX(), 0.011, 0.03};

ReductionOptions make_options(Attachment attach, const NodeSelection& nodes) {
  ReductionOptions options;
  options.free_free = 2;
  options.keep_rigid_modes = true;
  options.static_correction = StaticCorrection::at_interfaces;
  options.interfaces = {{"end", nodes, attach}};
  return options;
}

using Way = std::tuple<Attachment, NodeSelection>;
class InterfaceOfReduction : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(
    Ways, InterfaceOfReduction,
    testing::Combine(testing::Values(Attachment::three_nodes, Attachment::rbe3, Attachment::rbe2,
                                     Attachment::virtual_body, Attachment::node),
                     testing::Values(kNear, kInSet, kInBox, kInCylinder)));

// The frame moves rigidly in the rigid modes, and six directions of loads have their static
// answers.
TEST_P(InterfaceOfReduction, FollowsTheBody) {
  const auto& [attach, nodes] = GetParam();
  const ReducedBody body = reduce(make_bar(), kSteel, make_options(attach, nodes));
  ASSERT_EQ(body.n_modes(), 6 + 2 + 6);
  ASSERT_EQ(body.interfaces.size(), 1u);
  const ReducedInterface& end = body.interfaces[0];
  EXPECT_GT(end.report.n_nodes, 2);
  EXPECT_TRUE(mesh::find_doubts(end.report).empty()) << mesh::find_doubts(end.report).front();
  // Rigid modes: displacement of the frame, and of two tracked nodes, belong to one rigid motion.
  for (int mode = 0; mode < 6; ++mode) {
    const Vector3d t = end.Psi_t.col(mode), w = end.Psi_r.col(mode);
    for (const int node : {0, body.mesh.n_owned - 1}) {
      const Vector3d u = body.X.block<3, 1>(3 * node, mode);
      const Vector3d arm = body.mesh.x.col(node) - end.x_B;
      EXPECT_LT((t + w.cross(arm) - u).norm(), 1e-9 * body.X.col(mode).cwiseAbs().maxCoeff());
    }
  }
  MatrixXd rows(6, body.n_modes());
  rows << end.Psi_t, end.Psi_r;
  EXPECT_EQ(Eigen::FullPivLU<MatrixXd>(rows.rightCols(8)).setThreshold(1e-6).rank(), 6);
}

class EmptySelection : public testing::TestWithParam<Way> {};
INSTANTIATE_TEST_SUITE_P(
    Ways, EmptySelection,
    testing::Combine(testing::Values(Attachment::three_nodes, Attachment::rbe3, Attachment::rbe2,
                                     Attachment::virtual_body, Attachment::node),
                     testing::Values(kInNoSet, kInFarBox, kInFarCylinder)));

TEST_P(EmptySelection, IsRefusedByName) {
  const auto& [attach, nodes] = GetParam();
  try {
    reduce(make_bar(), kSteel, make_options(attach, nodes));
    FAIL() << "it was accepted";
  } catch (const base::InputError& e) {
    EXPECT_THAT(e.what(), testing::HasSubstr("interface `end`"));
    EXPECT_THAT(e.what(), testing::AnyOf(testing::HasSubstr("the mesh has no set `bore`"),
                                         testing::HasSubstr("contains no node")));
  }
}

}  // namespace
}  // namespace solidyn::reduction

// What loads on nodes and faces see of a body, against sums over nodes and faces.
#include "solidyn/reduction/load_rows.h"

#include <gtest/gtest.h>

#include "selections.h"
#include "solidyn/base/error.h"
#include "solidyn/mesh/generators.h"
#include "solidyn/reduction/reduce.h"

namespace solidyn::reduction {
namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Kind = LoadDefinition::Kind;

constexpr double kRound = 1e-13;
const Vector3d kSize(0.2, 0.05, 0.03), kOrigin(0.5, -0.2, 0.1);

mesh::DistributedMesh make_block(elements::ElementType type, double perturbation = 0.15) {
  mesh::BoxOptions box;
  box.type = type;
  box.size = kSize;
  box.origin = kOrigin;
  box.nx = 4;
  box.ny = 2;
  box.perturbation = perturbation;
  return mesh::distribute(PETSC_COMM_SELF, mesh::make_box(box));
}

LoadDefinition on_set(Kind kind, const char* set) { return {"load", kind, test::in_set(set)}; }

LoadDefinition on_all(Kind kind) {
  return {"load", kind, mesh::NodesInBox{kOrigin - 0.1 * kSize, kOrigin + 1.1 * kSize}};
}

// Nodal displacements of a field.
template <class Field>
VectorXd displaced(const mesh::DistributedMesh& mesh, const Field& u) {
  VectorXd values(3 * mesh.n_owned);
  for (int k = 0; k < mesh.n_owned; ++k) values.segment<3>(3 * k) = u(Vector3d(mesh.x.col(k)));
  return values;
}

class LoadRowsOn : public testing::TestWithParam<elements::ElementType> {};
INSTANTIATE_TEST_SUITE_P(Elements, LoadRowsOn,
                         testing::Values(elements::ElementType::tet10, elements::ElementType::hex8,
                                         elements::ElementType::hex20,
                                         elements::ElementType::wedge15),
                         [](const auto& info) { return elements::name(info.param); });

TEST_P(LoadRowsOn, TractionActsAtTheCentroidOfItsFaces) {
  const mesh::DistributedMesh mesh = make_block(GetParam());
  const NodalLoad nodal = make_nodal_load(mesh, on_set(Kind::traction, "x_max"));
  EXPECT_NEAR(nodal.load.amount, kSize.y() * kSize.z(), kRound);
  const Vector3d centroid = kOrigin + Vector3d(kSize.x(), 0.5 * kSize.y(), 0.5 * kSize.z());
  EXPECT_LT((nodal.load.x_B - centroid).norm(), kRound);
  const Vector3d a(0.1, -0.2, 0.3), w(1.0, 2.0, -0.5);
  const VectorXd rigid =
      displaced(mesh, [&](const Vector3d& x) -> Vector3d { return a + w.cross(x); });
  EXPECT_LT((nodal.columns.transpose() * rigid - (a + w.cross(centroid))).norm(), 1e-12);
}

TEST_P(LoadRowsOn, NodalForceActsAtTheMeanOfItsNodes) {
  const mesh::DistributedMesh mesh = make_block(GetParam());
  const std::vector<std::int32_t>& nodes = mesh.sets.at("y_min").nodes;
  const NodalLoad nodal = make_nodal_load(mesh, on_set(Kind::nodal_force, "y_min"));
  Vector3d mean = Vector3d::Zero(), mean_square = Vector3d::Zero();
  for (const std::int32_t node : nodes) {
    mean += mesh.x.col(node) / static_cast<double>(nodes.size());
    mean_square += mesh.x.col(node).cwiseAbs2() / static_cast<double>(nodes.size());
  }
  EXPECT_EQ(nodal.load.amount, static_cast<double>(nodes.size()));
  EXPECT_LT((nodal.load.x_B - mean).norm(), kRound);
  const VectorXd squares =
      displaced(mesh, [](const Vector3d& x) -> Vector3d { return x.cwiseAbs2(); });
  EXPECT_LT((nodal.columns.transpose() * squares - mean_square).norm(), kRound);
}

// One face: force and moment are those of its area at its centroid, and its normal sees the mean
// displacement along it and, off the centre, the torque.
TEST_P(LoadRowsOn, PressureOnAFlatFaceIsItsAreaAlongItsNormal) {
  const mesh::DistributedMesh mesh = make_block(GetParam());
  const NodalLoad nodal = make_nodal_load(mesh, on_set(Kind::pressure, "x_max"));
  const Vector3d n = Vector3d::UnitX();
  const Vector3d centroid = kOrigin + Vector3d(kSize.x(), 0.5 * kSize.y(), 0.5 * kSize.z());
  EXPECT_NEAR(nodal.load.amount, kSize.y() * kSize.z(), kRound);
  EXPECT_LT((nodal.load.force + n).norm(), 1e-12);
  EXPECT_LT((nodal.load.moment + centroid.cross(n)).norm(), 1e-12);
  const Vector3d a(0.1, -0.2, 0.3);
  const VectorXd shifted = displaced(mesh, [&](const Vector3d&) -> Vector3d { return a; });
  Eigen::Vector4d expected;
  expected << -a.cross(n), -a.x();
  EXPECT_LT((nodal.columns.transpose() * shifted - expected).norm(), 1e-12);
  EXPECT_EQ(nodal.columns.col(0).norm(), 0.0) << "no displacement gives a torque about the normal";
}

// All around: no force and no moment, and on a field u the work is minus the change of volume.
TEST_P(LoadRowsOn, PressureAllAroundBalancesAndSeesTheChangeOfVolume) {
  const mesh::DistributedMesh mesh = make_block(GetParam());
  const NodalLoad nodal = make_nodal_load(mesh, on_all(Kind::pressure));
  EXPECT_LT(nodal.load.force.norm(), 1e-12);
  EXPECT_LT(nodal.load.moment.norm(), 1e-12);
  Eigen::Matrix3d H;
  H << 0.1, 0.2, -0.3, 0.4, -0.25, 0.6, 0.7, -0.8, 0.5;
  const VectorXd u = displaced(mesh, [&](const Vector3d& x) -> Vector3d { return H * x; });
  const double work = (nodal.columns.transpose() * u)[3];
  EXPECT_NEAR(nodal.load.amount * work, -H.trace() * kSize.prod(), 1e-12);
}

TEST(LoadRows, SelectionsWithoutFacesAreRefused) {
  const mesh::DistributedMesh mesh = make_block(elements::ElementType::hex8);
  LoadDefinition corner{"corner", Kind::pressure, mesh::NodesNear{kOrigin}};
  for (const Kind kind : {Kind::pressure, Kind::traction}) {
    corner.kind = kind;
    EXPECT_THROW(make_nodal_load(mesh, corner), base::InputError);
  }
  corner.kind = Kind::nodal_force;
  EXPECT_EQ(make_nodal_load(mesh, corner).load.amount, 1.0);
}

TEST(LoadRows, DigestTellsKindsAndSelectionsApart) {
  const std::string one = digest(on_set(Kind::pressure, "x_max"));
  EXPECT_NE(one, digest(on_set(Kind::traction, "x_max")));
  EXPECT_NE(one, digest(on_set(Kind::pressure, "x_min")));
  EXPECT_EQ(one, digest(on_set(Kind::pressure, "x_max")));
}

// The digests of files that are there: SHA-256 of the kind, the number of the rule, and then
// set, point, low, high, axis, radius, length, tags and weights, whether the rule has them or not.
TEST(LoadRows, DigestIsTheOneThatFilesHold) {
  const auto digest_on = [](const mesh::NodeSelection& where) {
    return digest(LoadDefinition{"load", Kind::pressure, where});
  };
  const Vector3d p(1.0, 2.0, 3.0);
  EXPECT_EQ(digest_on(mesh::NodesNear{p, 4.0}),
            "2a38578ca31a29388a2812bd04265433b2d03cc17e9f29b5fd088f83d5f6fcf5");
  EXPECT_EQ(digest_on(mesh::NodesInSet{"end"}),
            "99e3d8a56283e0215854a98684cec4c4b6984da6f83328247f1b9dff480bdbfe");
  EXPECT_EQ(digest_on(mesh::NodesInBox{p, {4.0, 5.0, 6.0}}),
            "eaebc19a2a97dd31095a8c4ad3dc19a9d8a226f4d5e437e96f67921d4db035e6");
  EXPECT_EQ(digest_on(mesh::NodesInCylinder{p, Vector3d::UnitY(), 4.0, 5.0}),
            "1fc5a6a6e666ec96b37d120c61bf3907fe7c0dacffee346831e99c88f7fad0da");
  EXPECT_EQ(digest_on(mesh::NumberedNodes{p, {7, 8}, {1.0, 2.0}}),
            "f0233f8d85deee407b242e492521360051f31841f7ff46c479daaac93cf960a1");
}

TEST(LoadRows, OfAReducedBodyAreThoseOfItsModes) {
  const mesh::DistributedMesh mesh = make_block(elements::ElementType::tet10);
  ReductionOptions options;
  options.free_free = 4;
  options.loads = {on_set(Kind::traction, "x_max"), on_all(Kind::pressure)};
  const ReducedBody body = reduce(mesh, fem::IsotropicElastic{2.1e11, 0.3, 7850.0}, options);
  ASSERT_EQ(body.loads.size(), 2u);
  for (int i = 0; i < 2; ++i) {
    const MatrixXd columns = make_nodal_load(mesh, options.loads[i]).columns;
    EXPECT_GT(body.loads[i].rows.norm(), 1e-3);
    EXPECT_LT((body.loads[i].rows - columns.transpose() * body.X).norm(),
              1e-12 * body.loads[i].rows.norm());
    EXPECT_EQ(body.loads[i].Y.size(), 0);
  }
}

}  // namespace
}  // namespace solidyn::reduction

#include "solidyn/mesh/interface.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/mesh/generators.h"

namespace solidyn::mesh {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

const MPI_Comm kComm = MPI_COMM_WORLD;

DistributedMesh rod() {
  RodOptions options;
  options.n_axial = 20;
  return distribute(kComm, base::rank(kComm) == 0 ? make_rod(options) : Mesh{});
}

/// Positive, uneven, and the same on any number of ranks.
VectorXd uneven_masses(const DistributedMesh& mesh) {
  VectorXd mass(mesh.n_owned);
  for (std::int32_t i = 0; i < mesh.n_owned; ++i)
    mass[i] = 1e-3 * (1.0 + static_cast<double>(mesh.node_tags[i] % 7));
  return mass;
}

InterfaceDefinition definition(Attachment attach, NodeSelection nodes) {
  return {"place", std::move(nodes), attach};
}

NodeSelection near(const Vector3d& point, double radius = 0.0) {
  NodeSelection nodes;
  nodes.point = point;
  nodes.radius = radius;
  return nodes;
}

NodeSelection in_set(const std::string& set) {
  NodeSelection nodes;
  nodes.rule = NodeSelection::Rule::in_set;
  nodes.set = set;
  return nodes;
}

NodeSelection in_cylinder() {
  NodeSelection nodes;
  nodes.rule = NodeSelection::Rule::in_cylinder;
  nodes.point = Vector3d(0.1, 0.0, 0.0);
  nodes.axis = Vector3d(2.0, 0.0, 0.0);
  nodes.radius = 0.0016;
  nodes.length = 0.06;
  return nodes;
}

NodeSelection in_box() {
  NodeSelection nodes;
  nodes.rule = NodeSelection::Rule::in_box;
  nodes.low = Vector3d(0.285, -1.0, 0.0);
  nodes.high = Vector3d(0.3, 1.0, 1.0);
  return nodes;
}

std::vector<InterfaceDefinition> all_definitions() {
  std::vector<InterfaceDefinition> all;
  for (Attachment attach :
       {Attachment::three_nodes, Attachment::virtual_body, Attachment::rbe3, Attachment::rbe2})
    for (const NodeSelection& nodes : {near(Vector3d(0.15, 0.001, 0.002)), in_set("big_end_face"),
                                       in_set("small_end_face"), in_cylinder(), in_box()})
      all.push_back(definition(attach, nodes));
  all.push_back(definition(Attachment::rbe3, near(Vector3d(0.2, 0.0, 0.0), 0.02)));
  return all;
}

std::string message_of(const DistributedMesh& mesh, const InterfaceDefinition& wrong) {
  try {
    resolve_interface(mesh, wrong, uneven_masses(mesh));
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Interface, WeightsReproduceRigidMotion) {
  const DistributedMesh mesh = rod();
  const Vector3d a(0.3, -0.7, 1.1), w(-0.2, 0.5, 0.9);
  for (const InterfaceDefinition& d : all_definitions()) {
    const Interface found = resolve_interface(mesh, d, uneven_masses(mesh));
    ASSERT_EQ(found.weights.cols(), 3 * found.x_nodes.cols());
    ASSERT_EQ(static_cast<Eigen::Index>(found.nodes.size()), found.x_nodes.cols());
    VectorXd u(found.weights.cols());
    for (Eigen::Index i = 0; i < found.x_nodes.cols(); ++i)
      u.segment<3>(3 * i) = a + w.cross(found.x_nodes.col(i) - found.x_B);
    const Eigen::Matrix<double, 6, 1> motion = found.weights * u;
    EXPECT_LT((motion.head<3>() - a).norm(), 1e-12);
    // Round-off of u, 1e-16 m, over the breadth of the thinnest region and times its slenderness.
    EXPECT_LT((motion.tail<3>() - w).norm(), 1e-11);
  }
}

TEST(Interface, IsTheSameOnEveryNumberOfRanks) {
  const DistributedMesh mesh = rod();
  Mesh whole;
  {
    RodOptions options;
    options.n_axial = 20;
    whole = make_rod(options);
  }
  const DistributedMesh alone = distribute(MPI_COMM_SELF, std::move(whole));
  for (const InterfaceDefinition& d : all_definitions()) {
    const Interface here = resolve_interface(mesh, d, uneven_masses(mesh));
    const Interface reference = resolve_interface(alone, d, uneven_masses(alone));
    ASSERT_EQ(here.x_nodes, reference.x_nodes);
    EXPECT_EQ(here.weights, reference.weights);
    EXPECT_EQ(here.x_B, reference.x_B);
  }
}

TEST(Interface, NodesAreThoseOfTheGlobalNumbering) {
  const DistributedMesh mesh = rod();
  for (const InterfaceDefinition& d : all_definitions()) {
    const Interface found = resolve_interface(mesh, d, uneven_masses(mesh));
    for (std::size_t i = 0; i < found.nodes.size(); ++i)
      for (std::int32_t node = 0; node < mesh.n_local(); ++node)
        if (mesh.global[node] == found.nodes[i]) {
          EXPECT_EQ(Vector3d(mesh.x.col(node)), found.x_nodes.col(i));
        }
  }
}

TEST(Interface, TriadRotationIsDerivativeOfItsFrame) {
  const DistributedMesh mesh = rod();
  const Interface found = resolve_interface(
      mesh, definition(Attachment::three_nodes, near(Vector3d::Zero())), uneven_masses(mesh));
  const auto frame = [&found](const VectorXd& u) {
    const Eigen::Matrix3d b = found.x_nodes + Eigen::Map<const Eigen::Matrix3d>(u.data());
    Eigen::Matrix3d R;
    R.col(0) = (b.col(1) - b.col(0)).normalized();
    R.col(1) = R.col(0).cross(b.col(2) - b.col(0)).normalized();
    R.col(2) = R.col(0).cross(R.col(1));
    return R;
  };
  const double h = 1e-8;  // against node distances of 1e-3 m
  for (int i = 0; i < 9; ++i) {
    const VectorXd step = h * VectorXd::Unit(9, i);
    const Eigen::Matrix3d spin =
        (frame(step) - frame(-step)) / (2 * h) * frame(VectorXd::Zero(9)).transpose();
    const Vector3d w =
        0.5 * Vector3d(spin(2, 1) - spin(1, 2), spin(0, 2) - spin(2, 0), spin(1, 0) - spin(0, 1));
    // The rows are of order 1/distance = 1e3 rad/m.
    EXPECT_LT((w - found.weights.col(i).tail<3>()).norm(), 1e-4);
  }
}

TEST(Interface, TriadStartsAtTheNearestNodeAndKeepsItsAnglesOpen) {
  const DistributedMesh mesh = rod();
  const Vector3d point(0.15, 0.0, 0.0);  // a node of the centreline
  const Interface found = resolve_interface(mesh, definition(Attachment::virtual_body, near(point)),
                                            uneven_masses(mesh));
  ASSERT_EQ(found.nodes.size(), 3u);
  EXPECT_EQ(found.x_B, point);
  const Vector3d e1 = (found.x_nodes.col(1) - found.x_nodes.col(0)).normalized();
  const Vector3d a = (found.x_nodes.col(2) - found.x_nodes.col(0)).normalized();
  const Vector3d e2 = e1.cross(a).normalized();
  for (double cosine : {e1.dot(a), e1.y(), e1.z(), e2.z()}) EXPECT_LT(std::abs(cosine), 0.8661);
}

TEST(Interface, Rbe3IsTheMassWeightedLeastSquaresFit) {
  // Normal equations: the weighted residual is orthogonal to all rigid motions about x_B.
  const DistributedMesh alone = distribute(MPI_COMM_SELF, [] {
    RodOptions options;
    options.n_axial = 20;
    return make_rod(options);
  }());
  const Interface found = resolve_interface(
      alone, definition(Attachment::rbe3, in_set("big_end_face")), uneven_masses(alone));
  const VectorXd mass = uneven_masses(alone);
  const VectorXd u = VectorXd::LinSpaced(found.weights.cols(), -1.0, 2.0).array().sin();
  const Eigen::Matrix<double, 6, 1> motion = found.weights * u;
  Vector3d force = Vector3d::Zero(), moment = Vector3d::Zero();
  for (std::size_t i = 0; i < found.nodes.size(); ++i) {
    const Vector3d arm = found.x_nodes.col(i) - found.x_B;
    const Vector3d rest = u.segment<3>(3 * i) - motion.head<3>() - motion.tail<3>().cross(arm);
    force += mass[found.nodes[i]] * rest;
    moment += mass[found.nodes[i]] * arm.cross(rest);
  }
  EXPECT_LT(force.norm(), 1e-14);
  EXPECT_LT(moment.norm(), 1e-17);
}

TEST(Interface, NearWithoutRadiusTakesTheEightNearestAndTheirTies) {
  BoxOptions options;
  options.type = ElementType::tet4;
  options.nx = options.ny = options.nz = 4;
  const DistributedMesh mesh =
      distribute(kComm, base::rank(kComm) == 0 ? make_box(options) : Mesh{});
  const VectorXd mass = VectorXd::Ones(mesh.n_owned);
  // Around a node: itself and 6 at 0.25, then 12 at 0.25 sqrt 2 share the eighth place.
  EXPECT_EQ(
      resolve_interface(mesh, definition(Attachment::rbe3, near(Vector3d::Constant(0.5))), mass)
          .nodes.size(),
      19u);
  // In the middle of a cell: exactly its corners.
  EXPECT_EQ(
      resolve_interface(mesh, definition(Attachment::rbe3, near(Vector3d::Constant(0.375))), mass)
          .nodes.size(),
      8u);
}

TEST(Interface, WrongSelectionsAreRefusedOnAllRanks) {
  const DistributedMesh mesh = rod();
  EXPECT_THAT(message_of(mesh, definition(Attachment::rbe3, in_set("bore"))),
              testing::AllOf(testing::HasSubstr("interface `place`: there is no set `bore`"),
                             testing::HasSubstr("big_end_face, rod, small_end_face")));
  NodeSelection far = in_box();
  far.low.x() = 7.0, far.high.x() = 8.0;
  EXPECT_THAT(message_of(mesh, definition(Attachment::rbe3, far)),
              testing::HasSubstr("holds no node of the mesh"));
  NodeSelection line = in_cylinder();
  line.radius = 1e-6;  // the centreline alone
  EXPECT_THAT(message_of(mesh, definition(Attachment::rbe2, line)),
              testing::HasSubstr("lie on one line or point"));
  NodeSelection no_axis = in_cylinder();
  no_axis.axis.setZero();
  EXPECT_THAT(message_of(mesh, definition(Attachment::rbe3, no_axis)),
              testing::HasSubstr("axis is zero"));
}

TEST(Interface, MasslessNodesAreAFailedComputation) {
  const DistributedMesh mesh = rod();
  EXPECT_THROW(
      resolve_interface(mesh, definition(Attachment::rbe3, in_box()), VectorXd::Zero(mesh.n_owned)),
      base::ComputationError);
}

TEST(NearestNode, IsTheSameOnAllRanks) {
  const DistributedMesh mesh = rod();
  const auto [global, x] = nearest_node(mesh, Vector3d(0.29, 1e-5, -1e-5));
  EXPECT_NEAR((x - Vector3d(0.2925, 0.0, 0.0)).norm(), 0.0, 1e-15);
  EXPECT_EQ(base::sum(kComm, global), global * base::size(kComm));
}

}  // namespace
}  // namespace solidyn::mesh

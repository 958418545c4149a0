#include "solidyn/mesh/interface.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/base/mpi.h"
#include "solidyn/formats/gmsh/gmsh.h"
#include "solidyn/mesh/boundary.h"
#include "solidyn/mesh/generators.h"

namespace solidyn::mesh {
namespace {

using Eigen::Vector3d;
using Eigen::VectorXd;

const MPI_Comm kWorld = MPI_COMM_WORLD;

DistributedMesh rod() {
  RodOptions options;
  options.n_axial = 20;
  return distribute(kWorld, base::rank(kWorld) == 0 ? make_rod(options) : Mesh{});
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

NodeSelection near(const Vector3d& point, double radius = 0.0) { return NodesNear{point, radius}; }

NodeSelection in_set(const std::string& set) { return NodesInSet{set}; }

// Every third node of the rod's end, with uneven weights, seen from a point beside it.
NumberedNodes numbered() {
  RodOptions options;
  options.n_axial = 20;
  const Mesh whole = make_rod(options);
  NumberedNodes nodes;
  nodes.origin = Vector3d(0.31, 0.001, -0.002);
  for (const std::int32_t node : whole.sets.at("small_end_face").nodes)
    if (whole.node_tags[node] % 3 == 0) nodes.tags.push_back(whole.node_tags[node]);
  std::sort(nodes.tags.begin(), nodes.tags.end());
  for (const std::int64_t tag : nodes.tags)
    nodes.weights.push_back(1.0 + static_cast<double>(tag % 5));
  return nodes;
}

NodesInCylinder in_cylinder() {
  NodesInCylinder nodes;
  nodes.start = Vector3d(0.1, 0.0, 0.0);
  nodes.axis = Vector3d(2.0, 0.0, 0.0);
  nodes.radius = 0.0016;
  nodes.length = 0.06;
  return nodes;
}

NodesInBox in_box() { return {Vector3d(0.285, -1.0, 0.0), Vector3d(0.3, 1.0, 1.0)}; }

std::vector<InterfaceDefinition> all_definitions() {
  std::vector<InterfaceDefinition> all;
  for (Attachment attach : {Attachment::three_nodes, Attachment::virtual_body, Attachment::rbe3,
                            Attachment::rbe2, Attachment::node})
    for (const NodeSelection& nodes :
         std::vector<NodeSelection>{near(Vector3d(0.15, 0.001, 0.002)), in_set("big_end_face"),
                                    in_set("small_end_face"), in_cylinder(), in_box()})
      all.push_back(definition(attach, nodes));
  all.push_back(definition(Attachment::rbe3, near(Vector3d(0.2, 0.0, 0.0), 0.02)));
  for (Attachment attach : {Attachment::rbe3, Attachment::rbe2})
    all.push_back(definition(attach, numbered()));
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

TEST(Interface, NumberedNodesHaveTheWeightsThatAreGiven) {
  const DistributedMesh mesh = rod();
  const NumberedNodes nodes = numbered();
  for (const Attachment attach : {Attachment::rbe3, Attachment::rbe2}) {
    const Interface found = resolve_interface(mesh, definition(attach, nodes), uneven_masses(mesh));
    ASSERT_EQ(found.nodes.size(), nodes.tags.size());
    EXPECT_EQ(found.x_B, nodes.origin);
    double total = 0.0;
    for (const double weight : nodes.weights) total += weight;
    for (std::size_t i = 0; i < nodes.tags.size(); ++i)
      EXPECT_DOUBLE_EQ(found.node_weights[static_cast<Eigen::Index>(i)], nodes.weights[i] / total);
  }
}

TEST(Interface, NumberedNodeThatTheMeshLacksIsNamed) {
  const DistributedMesh mesh = rod();
  NumberedNodes nodes = numbered();
  nodes.weights.clear();
  nodes.tags.push_back(4711000);
  EXPECT_THAT(message_of(mesh, definition(Attachment::rbe2, nodes)),
              testing::HasSubstr("the mesh has no node 4711000"));
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

// The star of a node of the rod, and its least squares with equal weights.
TEST(Interface, NodeTurnsWithTheElementsAroundIt) {
  const DistributedMesh mesh = rod();
  const Interface found = resolve_interface(
      mesh, definition(Attachment::node, near(Vector3d(0.15, 0.01, 0.0))), uneven_masses(mesh));
  EXPECT_EQ(found.x_B, Vector3d(found.x_nodes.col(0)));
  const auto n = found.x_nodes.cols();
  ASSERT_GT(n, 9);  // an element of ten nodes at least
  VectorXd u(3 * n);
  for (Eigen::Index i = 0; i < u.size(); ++i) u[i] = std::sin(1.0 + static_cast<double>(i));
  const VectorXd motion = found.weights * u;
  EXPECT_EQ(Vector3d(motion.head<3>()), Vector3d(u.head<3>()));
  const auto misfit = [&](const Vector3d& w) {
    double sum = 0.0;
    for (Eigen::Index i = 1; i < n; ++i)
      sum += (u.segment<3>(3 * i) - u.head<3>() -
              w.cross(Vector3d(found.x_nodes.col(i) - found.x_nodes.col(0))))
                 .squaredNorm();
    return sum;
  };
  // A quadratic function is the same on both sides of its minimum.
  const Vector3d w = motion.tail<3>();
  const double h = w.norm();
  for (int a = 0; a < 3; ++a) {
    const double above = misfit(w + h * Vector3d::Unit(a)) - misfit(w);
    const double below = misfit(w - h * Vector3d::Unit(a)) - misfit(w);
    EXPECT_GT(above, 0.0);
    EXPECT_NEAR(above, below, 1e-9 * (above + misfit(w)));
  }
}

TEST(InterfaceReport, SaysWhichNodesWereTaken) {
  const DistributedMesh mesh = rod();
  const Interface face = resolve_interface(
      mesh, definition(Attachment::rbe3, in_set("big_end_face")), uneven_masses(mesh));
  EXPECT_EQ(face.report.n_nodes, face.x_nodes.cols());
  EXPECT_EQ(face.report.attach, "rbe3");
  EXPECT_LT(face.report.off_point, 0.0);
  EXPECT_NEAR(face.report.high.x(), face.report.low.x(), 1e-15);
  EXPECT_TRUE(find_doubts(face.report).empty()) << find_doubts(face.report).front();
  EXPECT_THAT(describe(face.report), testing::StartsWith("interface place: rbe3 of "));
  const Interface triad = resolve_interface(
      mesh, definition(Attachment::three_nodes, near(Vector3d::Zero())), uneven_masses(mesh));
  EXPECT_EQ(triad.report.tags.size(), 3u);
  EXPECT_THAT(describe(triad.report), testing::HasSubstr("of 3 nodes ("));
  EXPECT_THAT(describe(triad.report), testing::HasSubstr("from the point"));
}

TEST(InterfaceReport, DoubtsWhatLooksWrong) {
  const DistributedMesh mesh = rod();
  const auto doubts = [&](Attachment attach, const NodeSelection& nodes) {
    const auto found =
        find_doubts(resolve_interface(mesh, definition(attach, nodes), uneven_masses(mesh)).report);
    return found.empty() ? std::string() : found.front();
  };
  EXPECT_THAT(doubts(Attachment::rbe3, near(Vector3d(-0.05, 0.0, 0.0))),
              testing::HasSubstr("are on one side"));
  EXPECT_THAT(doubts(Attachment::three_nodes, near(Vector3d(-0.05, 0.0, 0.0))),
              testing::HasSubstr("from the given point"));
  EXPECT_EQ(doubts(Attachment::rbe3, in_set("big_end_face")), "");
  InterfaceReport line;
  line.attach = "rbe3";
  line.n_nodes = 5;
  line.spread = Vector3d(0.1, 0.001, 0.0);
  EXPECT_THAT(find_doubts(line).front(), testing::HasSubstr("almost collinear"));
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
  const Interface found =
      resolve_interface(alone, definition(Attachment::rbe3, in_box()), uneven_masses(alone));
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

/// The rod with its inner and outer nodes moved by up to 0.2 mm, the end at x = 0 within its plane:
/// no symmetry, uneven triangles, and curved edges in that plane.
Mesh irregular_rod() {
  RodOptions options;
  options.n_axial = 20;
  Mesh mesh = make_rod(options);
  for (Eigen::Index i = 0; i < mesh.n_nodes(); ++i) {
    const Vector3d x = mesh.x.col(i);
    mesh.x(1, i) += 2e-4 * std::sin(700.0 * x.z() + 300.0 * x.y());
    mesh.x(2, i) += 2e-4 * std::cos(900.0 * x.y());
  }
  return mesh;
}

TEST(Interface, FaceSetIsWeightedByArea) {
  // The end of a straight rod: its area centroid is the origin whatever the masses are. The rods of
  // the project have an irregular interior behind it.
  for (const char* file : {"rod_circular", "rod_rectangular"}) {
    const std::string path = std::string(SOLIDYN_SOURCE_DIR "/meshes/") + file + ".msh";
    const DistributedMesh mesh =
        distribute(kWorld, base::rank(kWorld) == 0 ? formats::read_gmsh(path) : Mesh{});
    const Interface found = resolve_interface(
        mesh, definition(Attachment::rbe3, in_set("big_end_face")), uneven_masses(mesh));
    EXPECT_LT(found.x_B.norm(), 1e-17) << file;
    // Corners of plane faces with straight edges carry nothing; the file puts mid-side nodes to
    // 1e-12.
    if (file == std::string("rod_rectangular")) {
      for (Eigen::Index i = 0; i < found.x_nodes.cols(); ++i)
        if (found.x_nodes.col(i).norm() == 0.0) {
          EXPECT_LT(found.weights.middleCols<3>(3 * i).topRows<3>().norm(), 1e-12);
        }
    }
  }
}

TEST(Interface, FaceSetHasTheCentroidOfItsOutline) {
  // Green's theorem on the outline: A = 1/2 int (y dz - z dy), A y_c = 1/2 int y^2 dz,
  // A z_c = -1/2 int z^2 dy. Only the outline's edges, parabolas, enter: the inner ones cancel.
  Mesh whole = irregular_rod();
  double area = 0.0, y_moment = 0.0, z_moment = 0.0;
  for (const ElementBlock& block : make_face_blocks(whole, find_boundary_faces(whole)))
    for (std::int64_t f = 0; f < block.size(); ++f) {
      const std::int32_t* face = &block.connectivity[6 * f];
      if (!std::all_of(face, face + 6, [&](std::int32_t k) { return whole.x(0, k) == 0.0; }))
        continue;
      for (int e = 0; e < 3; ++e) {  // normals are outward: -x, so the outline is run backwards
        const Vector3d a = whole.x.col(face[e]), b = whole.x.col(face[(e + 1) % 3]),
                       m = whole.x.col(face[3 + e]);
        const double at[3] = {0.5 - std::sqrt(0.15), 0.5, 0.5 + std::sqrt(0.15)};
        const double weight[3] = {5.0 / 18.0, 8.0 / 18.0, 5.0 / 18.0};
        for (int g = 0; g < 3; ++g) {  // exact to degree five: y^2 dz of parabolas
          const double s = at[g];
          const Vector3d x = (1 - s) * (1 - 2 * s) * a + s * (2 * s - 1) * b + 4 * s * (1 - s) * m;
          const Vector3d dx = (4 * s - 3) * a + (4 * s - 1) * b + (4 - 8 * s) * m;
          area -= weight[g] * 0.5 * (x.y() * dx.z() - x.z() * dx.y());
          y_moment -= weight[g] * 0.5 * x.y() * x.y() * dx.z();
          z_moment += weight[g] * 0.5 * x.z() * x.z() * dx.y();
        }
      }
    }
  const Vector3d centroid(0.0, y_moment / area, z_moment / area);
  EXPECT_GT(centroid.norm(), 1e-5);  // the rod is uneven indeed
  const DistributedMesh mesh = distribute(kWorld, base::rank(kWorld) == 0 ? whole : Mesh{});
  const Interface found = resolve_interface(
      mesh, definition(Attachment::rbe3, in_set("big_end_face")), uneven_masses(mesh));
  // The integrand N dA is of degree four on these faces, within the rule: round-off remains.
  EXPECT_LT((found.x_B - centroid).norm(), 1e-16);
}

TEST(Interface, CurvedFaceSetHasItsAreaCentroid) {
  // Half of the rod's skin (y >= 0): 2 R / pi from the axis. Its faces are parabolas over 30
  // degrees; with flat ones the centroid would lie 1 % nearer to the axis.
  RodOptions options;
  options.n_axial = 20;
  Mesh whole = make_rod(options);
  const double R = 0.5 * options.diameter;
  NodeSet skin;
  skin.dimension = 2;
  for (std::int32_t i = 0; i < whole.n_nodes(); ++i)
    if (whole.x(1, i) > -1e-9 && whole.x.col(i).tail<2>().norm() > R * (1.0 - 1e-6))
      skin.nodes.push_back(i);
  whole.sets["skin"] = skin;
  const DistributedMesh mesh =
      distribute(kWorld, base::rank(kWorld) == 0 ? std::move(whole) : Mesh{});
  const Interface found =
      resolve_interface(mesh, definition(Attachment::rbe3, in_set("skin")), uneven_masses(mesh));
  EXPECT_NEAR(found.x_B.x(), 0.15, 1e-4 * 0.15);
  EXPECT_NEAR(found.x_B.y(), 2.0 * R / M_PI, 1e-3 * R);
  EXPECT_NEAR(found.x_B.z(), 0.0, 1e-3 * R);
}

TEST(Interface, NearWithoutRadiusTakesTheEightNearestAndTheirTies) {
  BoxOptions options;
  options.type = ElementType::tet4;
  options.nx = options.ny = options.nz = 4;
  const DistributedMesh mesh =
      distribute(kWorld, base::rank(kWorld) == 0 ? make_box(options) : Mesh{});
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
              testing::AllOf(testing::HasSubstr("interface `place`: the mesh has no set `bore`"),
                             testing::HasSubstr("big_end_face, rod, small_end_face")));
  NodesInBox far = in_box();
  far.low.x() = 7.0, far.high.x() = 8.0;
  EXPECT_THAT(message_of(mesh, definition(Attachment::rbe3, far)),
              testing::HasSubstr("contains no node of the mesh"));
  NodesInCylinder line = in_cylinder();
  line.radius = 1e-6;  // the centreline alone
  EXPECT_THAT(message_of(mesh, definition(Attachment::rbe2, line)),
              testing::HasSubstr("are collinear or coincident"));
  NodesInCylinder no_axis = in_cylinder();
  no_axis.axis.setZero();
  EXPECT_THAT(message_of(mesh, definition(Attachment::rbe3, no_axis)),
              testing::HasSubstr("axis of the cylinder is zero"));
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
  EXPECT_EQ(base::sum(kWorld, global), global * base::size(kWorld));
}

}  // namespace
}  // namespace solidyn::mesh

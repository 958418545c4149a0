// rbe3 on a set of faces: the rigid motion that fits the displacement of the faces best, in the
// mean square over their area.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "selections.h"
#include "solidyn/base/mpi.h"
#include "solidyn/mesh/generators.h"
#include "solidyn/mesh/interface.h"

namespace solidyn::mesh {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using Motion = Eigen::Matrix<double, 6, 1>;

constexpr double kWidth = 0.3, kHeight = 0.2;  // along y and z

BoxOptions box_of(ElementType type, int n = 1, double perturbation = 0.0) {
  BoxOptions box;
  box.type = type;
  box.nx = 2;
  box.ny = box.nz = n;
  box.size = {0.4, kWidth, kHeight};
  box.origin = {7.0, -0.1, 0.05};
  box.perturbation = perturbation;
  return box;
}

Interface end_of(const BoxOptions& box, MPI_Comm comm, const std::string& set = "x_max") {
  const DistributedMesh mesh =
      distribute(comm, comm == MPI_COMM_SELF || base::rank(comm) == 0 ? make_box(box) : Mesh{});
  // Nodal masses must not matter.
  const VectorXd masses = VectorXd::LinSpaced(mesh.n_owned, 1.0, 3.0);
  return resolve_interface(mesh, test::at_set(set), masses);
}

/// What the interface makes of a field, of places relative to the centre of the end.
Motion motion_of(const Interface& end, const std::function<Vector3d(const Vector3d&)>& field) {
  VectorXd u(end.weights.cols());
  for (Index i = 0; i < end.x_nodes.cols(); ++i)
    u.segment<3>(3 * i) = field(end.x_nodes.col(i) - end.x_B);
  return end.weights * u;
}

class Rbe3OnFaces : public testing::TestWithParam<ElementType> {};
INSTANTIATE_TEST_SUITE_P(Solids, Rbe3OnFaces,
                         testing::Values(ElementType::tet4, ElementType::tet10, ElementType::hex8,
                                         ElementType::hex20, ElementType::wedge6,
                                         ElementType::wedge15, ElementType::pyramid5,
                                         ElementType::pyramid13),
                         [](const auto& info) { return std::string(name(info.param)); });

TEST_P(Rbe3OnFaces, HasTheCentreAndMotionOfRigidFields) {
  for (const int n : {1, 2}) {
    const Interface end = end_of(box_of(GetParam(), n, 0.2), MPI_COMM_WORLD);
    const Vector3d centre(7.4, -0.1 + 0.5 * kWidth, 0.05 + 0.5 * kHeight);
    EXPECT_LT((end.x_B - centre).norm(), 1e-14);
    const Vector3d a(0.3, -0.7, 1.1), w(-0.2, 0.5, 0.9);
    const Motion motion =
        motion_of(end, [&](const Vector3d& r) { return Vector3d(a + w.cross(r)); });
    EXPECT_LT((motion.head<3>() - a).norm(), 1e-13);
    EXPECT_LT((motion.tail<3>() - w).norm(), 1e-12);
  }
}

// With V = int r r^T dA / A of the rectangle the best rotation of u = H r is J w = int r x (H r),
// that is (A32 - A23, ...) of A = H V, whatever the mesh within the outline.
TEST_P(Rbe3OnFaces, TurnsWithALinearFieldAsTheOutlineSays) {
  Eigen::Matrix3d H;
  H << 0.3, 0.8, -0.4, 0.5, -0.2, 0.9, -0.7, 0.6, 0.1;
  const Eigen::Matrix3d V =
      Vector3d(0.0, kWidth * kWidth / 12.0, kHeight * kHeight / 12.0).asDiagonal();
  const Eigen::Matrix3d A = H * V, J = V.trace() * Eigen::Matrix3d::Identity() - V;
  const Vector3d w =
      J.inverse() * Vector3d(A(2, 1) - A(1, 2), A(0, 2) - A(2, 0), A(1, 0) - A(0, 1));
  // Bilinear and serendipity functions are no polynomials on warped meshes; linear fields they are
  // exact for, and the integrand r r^T |J| of straight sides is within the rule.
  for (const int n : {1, 3}) {
    const Motion motion = motion_of(end_of(box_of(GetParam(), n, 0.2), MPI_COMM_WORLD),
                                    [&](const Vector3d& r) { return Vector3d(H * r); });
    EXPECT_LT(motion.head<3>().norm(), 1e-14);
    EXPECT_LT((motion.tail<3>() - w).norm(), 1e-12);
  }
}

// Fields of second and third order that quadratic faces hold exactly: u_x = y^2 moves the face by
// its mean b^2/12 and does not turn it; u_x = y^2 z turns it about y by b^2/12, since
// w_y = int z u_x / int z^2.
TEST_P(Rbe3OnFaces, FitsCurvedFieldsAsTheirIntegralsSay) {
  if (linear_of(GetParam()) == GetParam()) return;  // linear faces do not hold these
  const Interface end = end_of(box_of(GetParam()), MPI_COMM_WORLD);
  const double mean = kWidth * kWidth / 12.0;
  Motion motion =
      motion_of(end, [](const Vector3d& r) { return Vector3d(r.y() * r.y(), 0.0, 0.0); });
  EXPECT_LT((motion - mean * Motion::Unit(0)).norm(), 1e-13);
  if (linear_of(GetParam()) == ElementType::tet4) return;  // of tri6 no cubic is one
  motion =
      motion_of(end, [](const Vector3d& r) { return Vector3d(r.y() * r.y() * r.z(), 0.0, 0.0); });
  EXPECT_LT((motion - mean * Motion::Unit(4)).norm(), 1e-13);
}

// The mass matrix of a rectangle of area 1 with serendipity functions, corners first and round it:
// of the literature (x 180 for sides of length 2).
MatrixXd serendipity_mass() {
  MatrixXd M(8, 8);
  M << 6, 2, 3, 2, -6, -8, -8, -6, 2, 6, 2, 3, -6, -6, -8, -8, 3, 2, 6, 2, -8, -6, -6, -8, 2, 3, 2,
      6, -8, -8, -6, -6, -6, -6, -8, -8, 32, 20, 16, 20, -8, -6, -6, -8, 20, 32, 20, 16, -8, -8, -6,
      -6, 16, 20, 32, 20, -6, -8, -8, -6, 20, 16, 20, 32;
  return M / 180.0;
}

// The mean square of u - a - w x r over one quad8, by that matrix.
double misfit(const Interface& end, const VectorXd& u, const Motion& motion) {
  const double corners[8][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1},
                                {0, -1},  {1, 0},  {0, 1}, {-1, 0}};
  Eigen::Matrix<double, 3, 8> e;
  for (int k = 0; k < 8; ++k) {
    const Vector3d r(0.0, 0.5 * kWidth * corners[k][0], 0.5 * kHeight * corners[k][1]);
    Index i = 0;
    (end.x_nodes.colwise() - (end.x_B + r)).colwise().norm().minCoeff(&i);
    e.col(k) = u.segment<3>(3 * i) - motion.head<3>() - motion.tail<3>().cross(r);
  }
  return (e * serendipity_mass() * e.transpose()).trace();
}

TEST(Rbe3OnOneFace, MinimisesTheFaceIntegralOfTheMisfit) {
  const Interface end = end_of(box_of(ElementType::hex20), MPI_COMM_WORLD);
  ASSERT_EQ(end.x_nodes.cols(), 8);
  const VectorXd u = (1.0 + VectorXd::LinSpaced(24, 0.0, 23.0).array()).sin();
  const Motion motion = end.weights * u;
  // A quadratic function is the same on both sides of its minimum.
  for (int i = 0; i < 6; ++i) {
    const Motion step = Motion::Unit(i) * (i < 3 ? 1.0 : 10.0);
    const double here = misfit(end, u, motion), above = misfit(end, u, motion + step);
    const double below = misfit(end, u, motion - step);
    EXPECT_GT(above, here);
    EXPECT_NEAR(above, below, 1e-12 * above);
  }
}

// The face between two boxes has one motion, whichever body's solids are behind it, and however
// these go round it.
TEST_P(Rbe3OnFaces, DoesNotDependOnTheFacesSide) {
  BoxOptions left = box_of(GetParam(), 2), right = left;
  right.origin.x() += left.size.x();
  const Interface from_left = end_of(left, MPI_COMM_WORLD),
                  from_right = end_of(right, MPI_COMM_WORLD, "x_min");
  const auto field = [](const Vector3d& r) {
    return Vector3d(std::sin(9.0 * r.y()), std::cos(11.0 * r.z()), r.y() * r.z());
  };
  ASSERT_EQ(from_left.x_nodes.cols(), from_right.x_nodes.cols());
  // Tetrahedra and pyramids of the two sides cut the square by the same diagonals.
  EXPECT_LT((motion_of(from_left, field) - motion_of(from_right, field)).norm(), 1e-11);
}

TEST_P(Rbe3OnFaces, IsTheSameOnEveryNumberOfRanks) {
  const BoxOptions box = box_of(GetParam(), 3, 0.2);
  const Interface here = end_of(box, MPI_COMM_WORLD), alone = end_of(box, MPI_COMM_SELF);
  EXPECT_EQ(here.weights, alone.weights);
  EXPECT_EQ(here.node_weights, alone.node_weights);
  EXPECT_EQ(here.node_moments, alone.node_moments);
  EXPECT_EQ(here.x_B, alone.x_B);
}

}  // namespace
}  // namespace solidyn::mesh

// Pressure on faces: its stiffness is the derivative of its force, and on closed surfaces it has
// neither resultant nor moment.
#include "solidyn/fem/surface_load.h"

#include <gtest/gtest.h>

#include "solid_meshes.h"
#include "solidyn/mesh/face_rule.h"

namespace solidyn::fem {
namespace {

using Eigen::Matrix3Xd;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using elements::ElementType;

constexpr ElementType kFaces[] = {ElementType::tri3, ElementType::tri6, ElementType::quad4,
                                  ElementType::quad8};

// An irregular, warped and curved face.
Matrix3Xd warped_face(ElementType type) {
  Matrix3Xd x(3, elements::n_nodes(type));
  const bool is_triangle = elements::linear_of(type) == ElementType::tri3;
  const double corners[2][4][2] = {{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}},
                                   {{0, 0}, {1, 0}, {0, 1}, {0, 0}}};
  const int n = elements::n_corners(type);
  for (int i = 0; i < n; ++i)
    x.col(i) << corners[is_triangle][i][0], corners[is_triangle][i][1], 0.0;
  for (int i = n; i < x.cols(); ++i) x.col(i) = 0.5 * (x.col(i - n) + x.col((i - n + 1) % n));
  for (Eigen::Index i = 0; i < x.cols(); ++i) x.col(i) += test::scatter_of(i + 1, 0.1, 3);
  return x;
}

TEST(FaceRule, ShapeFunctionsSumToOneAndInterpolateTheirNodes) {
  for (const ElementType type : kFaces) {
    double area = 0.0;
    for (const mesh::FacePoint& point : mesh::face_rule(type)) {
      EXPECT_NEAR(point.N.sum(), 1.0, 1e-14);
      EXPECT_LT(point.dN.colwise().sum().norm(), 1e-14);
      area += point.weight;
    }
    EXPECT_NEAR(area, elements::linear_of(type) == ElementType::tri3 ? 0.5 : 4.0, 1e-14);
  }
}

TEST(SurfaceLoad, StiffnessIsTheDerivativeOfMinusTheForce) {
  for (const ElementType type : kFaces) {
    const Matrix3Xd x = warped_face(type);
    const Eigen::Index n = x.size();
    MatrixXd K = MatrixXd::Zero(n, n), differences(n, n);
    add_pressure_stiffness(type, x, 2.5, K);
    const double h = 1e-5;
    for (Eigen::Index j = 0; j < n; ++j) {
      Matrix3Xd f = Matrix3Xd::Zero(3, x.cols()), g = f, trial = x;
      trial.data()[j] += h;
      add_pressure_force(type, trial, 2.5, f);
      trial.data()[j] -= 2.0 * h;
      add_pressure_force(type, trial, 2.5, g);
      differences.col(j) = -Eigen::Map<Eigen::VectorXd>(Matrix3Xd(f - g).data(), n) / (2.0 * h);
    }
    EXPECT_GT(K.norm(), 0.5);
    EXPECT_LT((K - differences).norm(), 1e-9 * K.norm()) << elements::name(type);
  }
}

class ClosedSurface : public testing::TestWithParam<ElementType> {
 protected:
  ClosedSurface()
      : mesh_(mesh::distribute(PETSC_COMM_SELF, test::irregular_box(GetParam(), 0.004))),
        surface_(mesh_, std::vector<bool>(mesh_.n_local(), true)) {}
  mesh::DistributedMesh mesh_;
  Surface surface_;
};
INSTANTIATE_TEST_SUITE_P(Elements, ClosedSurface,
                         testing::Values(ElementType::tet4, ElementType::tet10, ElementType::hex8,
                                         ElementType::hex20, ElementType::wedge6,
                                         ElementType::wedge15, ElementType::pyramid5,
                                         ElementType::pyramid13),
                         [](const auto& info) { return elements::name(info.param); });

TEST_P(ClosedSurface, PressureHasNeitherResultantNorMoment) {
  Matrix3Xd f = Matrix3Xd::Zero(3, mesh_.n_local());
  surface_.add_follower_pressure(mesh_.x, 1e3, f);
  Vector3d moment = Vector3d::Zero();
  for (Eigen::Index i = 0; i < f.cols(); ++i)
    moment += Vector3d(mesh_.x.col(i)).cross(Vector3d(f.col(i)));
  EXPECT_GT(f.norm(), 1.0);
  EXPECT_LT(f.rowwise().sum().norm(), 1e-12 * f.norm());
  EXPECT_LT(moment.norm(), 1e-12 * f.norm());
}

// Then it is the derivative of a potential, pressure times volume.
TEST_P(ClosedSurface, LoadStiffnessIsSymmetric) {
  const Eigen::Index n = 3 * mesh_.n_local();
  MatrixXd K = MatrixXd::Zero(n, n);
  surface_.for_load_stiffness(
      mesh_.x, 1.0, [&](const std::vector<std::int32_t>& nodes, const MatrixXd& of_face) {
        for (std::size_t a = 0; a < nodes.size(); ++a)
          for (std::size_t b = 0; b < nodes.size(); ++b)
            K.block<3, 3>(3 * nodes[a], 3 * nodes[b]) += of_face.block<3, 3>(
                3 * static_cast<Eigen::Index>(a), 3 * static_cast<Eigen::Index>(b));
      });
  EXPECT_GT(K.norm(), 0.1);
  EXPECT_LT((K - K.transpose()).norm(), 1e-13 * K.norm());
}

TEST_P(ClosedSurface, AreasOfAnUncurvedBoxAreThoseOfItsSides) {
  const mesh::DistributedMesh box =
      mesh::distribute(PETSC_COMM_SELF, test::irregular_box(GetParam()));
  std::vector<bool> selected(box.n_local(), false);
  for (std::int32_t node : box.sets.at("z_max").nodes) selected[node] = true;
  const Surface top(box, selected);
  EXPECT_NEAR(top.nodal_areas().row(1).sum(), 0.6 * 0.4, 1e-14);
  EXPECT_LT((top.nodal_area_vectors().rowwise().sum() - Vector3d(0, 0, 0.24)).norm(), 1e-14);
}

}  // namespace
}  // namespace solidyn::fem

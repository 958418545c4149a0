// The paper's planar element, P-STRAIN (49)-(51): constant stretch, linear curvature, shear that
// follows, positions by Simpson's rule. Written here on its own, for the spatial element to be it.
#include <gtest/gtest.h>

#include "random_sections.h"

namespace solidyn::beams {
namespace {

using Eigen::Matrix2d;
using Eigen::Matrix3d;
using Eigen::Vector2d;
using Eigen::Vector3d;

constexpr double kLength = 0.8, kEA = 900.0, kEI = 17.0, kGA = 400.0;
constexpr double kShear = kEI / (kLength * kLength * kGA);  // Phi/12

Matrix2d turn(double angle) { return Eigen::Rotation2Dd(angle).toRotationMatrix(); }
Matrix2d turn_rate(double angle) { return turn(angle + 0.5 * M_PI); }

// Strains are (e, l kappa at the start, l kappa at the end); poses (D_x, D_y, angle).
struct PlanarElement {
  explicit PlanarElement(const Vector3d& s) {
    const Vector2d stretch(1.0 + s[0], kShear * (s[1] - s[2]));
    const Vector2d by_curvature(0.0, kShear);
    const Vector3d to_middle(0.0, 0.375, 0.125), to_end(0.0, 0.5, 0.5);
    const double middle = to_middle.dot(s), end = to_end.dot(s);
    const Matrix2d mean = (Matrix2d::Identity() + 4.0 * turn(middle) + turn(end)) / 6.0;
    pose << kLength * mean * stretch, end;
    Eigen::Matrix<double, 2, 3> by_stretch = Eigen::Matrix<double, 2, 3>::Zero();
    by_stretch(0, 0) = 1.0;
    by_stretch.col(1) = by_curvature;
    by_stretch.col(2) = -by_curvature;
    rows.topRows<2>() =
        kLength * (mean * by_stretch + (4.0 * turn_rate(middle) * stretch * to_middle.transpose() +
                                        turn_rate(end) * stretch * to_end.transpose()) /
                                           6.0);
    rows.row(2) = to_end.transpose();
  }
  Vector3d pose;
  Matrix3d rows;  // d pose / d strains
};

Matrix3d stiffness() {
  Matrix3d S = Matrix3d::Zero();
  S(0, 0) = kEA * kLength;
  S(1, 1) = S(2, 2) = kEI / kLength * (1.0 / 3.0 + kShear);
  S(1, 2) = S(2, 1) = kEI / kLength * (1.0 / 6.0 - kShear);
  return S;
}

class InAPlane : public testing::TestWithParam<Torsion> {};
INSTANTIATE_TEST_SUITE_P(Torsion, InAPlane, testing::Values(Torsion::constant, Torsion::linear));

TEST_P(InAPlane, SpatialElementIsThePlanarOne) {
  BeamElement element(kLength, {kEA, 7.0, 11.0, kEI, kGA, 300.0}, GetParam(), TurnRule::magnus);
  for (unsigned seed = 1; seed < 20; ++seed) {
    const Vector3d strains =
        Vector3d(0.1, 1.0, 1.0).cwiseProduct(Vector3d(random_vector(3, 1.0, seed)));
    const PlanarElement planar(strains);
    const Vector3d D(planar.pose[0], planar.pose[1], 0.0);
    const Matrix3d R = math::exp_rotation(Vector3d(0.0, 0.0, planar.pose[2]));
    ASSERT_TRUE(element.solve(D, quaternion_of(R)));
    const Strains& found = element.strains();
    EXPECT_LT((Vector3d(found[0], found[3], found[6]) - strains).norm(), 1e-12) << seed;
    const Vector3d force = planar.rows.transpose().partialPivLu().solve(stiffness() * strains);
    const Vector6& g = element.gradient();
    EXPECT_LT((Vector3d(g[0], g[1], g[5]) - force).norm(), 1e-10 * force.norm()) << seed;
    EXPECT_LT(Vector3d(g[2], g[3], g[4]).norm(), 1e-10 * force.norm()) << seed;
  }
}

}  // namespace
}  // namespace solidyn::beams

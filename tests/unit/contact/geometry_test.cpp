// Where two shapes touch: distances against what is known of them, derivatives against differences,
// the same answer whichever shape comes first.
#include "solidyn/contact/geometry.h"

#include <gtest/gtest.h>

#include "pairs.h"
#include "solidyn/base/error.h"

namespace solidyn::contact {
namespace {

using Eigen::Vector3d;

class Pair : public testing::TestWithParam<PairCase> {
 protected:
  std::mt19937 generator_{5};
};
INSTANTIATE_TEST_SUITE_P(Shapes, Pair, testing::ValuesIn(pair_cases()),
                         [](const auto& info) { return info.param.name; });

TEST_P(Pair, Overlaps) {
  const auto geometry = make_geometry(GetParam().A, GetParam().B);
  const Motions m = scattered(GetParam(), generator_);
  double smallest = 1.0;
  for (int i = 0; i < geometry->n_points(); ++i)
    smallest = std::min(smallest, geometry->at(m.pair(), i).gap);
  EXPECT_LT(smallest, 0.0);
}

TEST_P(Pair, DerivativesAreThoseOfDifferences) {
  const auto geometry = make_geometry(GetParam().A, GetParam().B);
  const double h = 1e-6;
  for (int sample = 0; sample < 5; ++sample) {
    const Motions m = scattered(GetParam(), generator_);
    for (int i = 0; i < geometry->n_points(); ++i) {
      const ContactPoint g = geometry->at(m.pair(), i);
      for (int j = 0; j < 12; ++j) {
        const Motions up = varied(m, j, h), down = varied(m, j, -h);
        const ContactPoint above = geometry->at(up.pair(), i), below = geometry->at(down.pair(), i);
        const double scale = 1.0 + g.d_normal.norm();
        EXPECT_LT((g.d_normal.col(j) - (above.normal - below.normal) / (2 * h)).norm(),
                  2e-8 * scale);
        EXPECT_LT((g.d_point.col(j) - (above.point - below.point) / (2 * h)).norm(), 2e-8 * scale);
        // Of the gap: the normal velocity of B's material at the point less that of A's.
        const bodies::FrameMotion& f = j < 6 ? m.A : m.B;
        const Vector3d unit = Vector3d::Unit(j % 3);
        const Vector3d velocity = j % 6 < 3 ? unit : Vector3d((f.R * unit).cross(g.point - f.p));
        EXPECT_NEAR((j < 6 ? -1.0 : 1.0) * g.normal.dot(velocity),
                    (above.gap - below.gap) / (2 * h), 2e-8);
      }
    }
  }
}

TEST_P(Pair, IsTheSameWhicheverShapeComesFirst) {
  const auto forwards = make_geometry(GetParam().A, GetParam().B);
  const auto backwards = make_geometry(GetParam().B, GetParam().A);
  const Motions m = scattered(GetParam(), generator_);
  ASSERT_EQ(forwards->n_points(), backwards->n_points());
  for (int i = 0; i < forwards->n_points(); ++i) {
    const ContactPoint g = forwards->at(m.pair(), i), b = backwards->at({m.B, m.A}, i);
    EXPECT_NEAR(g.gap, b.gap, 1e-14);
    EXPECT_LT((g.normal + b.normal).norm(), 1e-14);
    // Of two balls or capsules it is on the first one's surface.
    const bool is_on_first = GetParam().A.index() == GetParam().B.index();
    EXPECT_LT((g.point - b.point).norm(), is_on_first ? 1.01 * std::abs(g.gap) : 1e-14);
  }
}

// Smallest distances of many points of two segments.
TEST(Capsules, KeepTheDistanceOfTheirAxes) {
  const Capsule A{0.3, 1.2}, B{0.4, 0.8};
  const auto geometry = make_geometry(A, B);
  std::mt19937 generator(9);
  for (int sample = 0; sample < 20; ++sample) {
    Motions m;
    m.A.R = testing_support::random_rotation(generator).toRotationMatrix();
    m.B.R = testing_support::random_rotation(generator).toRotationMatrix();
    m.B.p = testing_support::random_vector(generator, 3, 2.0);
    double smallest = 1e9;
    const int n = 400;
    for (int i = 0; i <= n; ++i)
      for (int j = 0; j <= n; ++j) {
        const Vector3d a = m.A.p + m.A.R.col(2) * 0.6 * (2.0 * i / n - 1.0);
        const Vector3d b = m.B.p + m.B.R.col(2) * 0.4 * (2.0 * j / n - 1.0);
        smallest = std::min(smallest, (a - b).norm());
      }
    EXPECT_NEAR(geometry->at(m.pair(), 0).gap, smallest - 0.7, 1e-4);
  }
}

TEST(Capsules, ThatAreParallelTouchInTheMiddleOfTheirOverlap) {
  const auto geometry = make_geometry(Capsule{0.1, 1.0}, Capsule{0.1, 1.0});
  Motions m;
  m.B.p = Vector3d(0.19, 0.0, 0.4);
  const ContactPoint g = geometry->at(m.pair(), 0);
  EXPECT_NEAR(g.point.z(), 0.2, 1e-6);
  EXPECT_NEAR(g.gap, -0.01, 1e-5);
}

TEST(CylinderOnPlane, LiesOnItsSideAndStandsOnItsEnd) {
  const auto geometry = make_geometry(Cylinder{0.5, 2.0}, Plane{});
  Motions m;
  m.A.p = Vector3d(0.0, 0.0, 0.5);
  m.A.R = math::exp_rotation(M_PI / 2 * Vector3d::UnitY());
  for (int i = 0; i < 2; ++i) EXPECT_NEAR(geometry->at(m.pair(), i).gap, 0.0, 1e-12);
  m.A.p.z() = 1.0;
  m.A.R.setIdentity();
  EXPECT_NEAR(geometry->at(m.pair(), 0).gap, 0.0, 1e-3 * 0.5);
  EXPECT_NEAR(geometry->at(m.pair(), 1).gap, 2.0, 1e-3 * 0.5);
}

TEST(PairsOfShapes, OthersAreRefusedWithAList) {
  try {
    make_geometry(Box{Vector3d::Ones()}, Box{Vector3d::Ones()});
    FAIL();
  } catch (const base::InputError& e) {
    EXPECT_NE(std::string(e.what()).find("no contact of box with box"), std::string::npos);
    EXPECT_NE(std::string(e.what()).find("there are: sphere with"), std::string::npos);
  }
  EXPECT_THROW(make_geometry(Sphere{0.5}, Sphere{0.4, Side::inner}), base::InputError);
  EXPECT_THROW(make_geometry(Cylinder{0.5, 1.0}, Cylinder{0.5, 1.0, Side::inner}),
               base::InputError);
}

TEST(RelativeCurvatures, AreThoseWhereShapesTouch) {
  EXPECT_EQ(relative_curvatures(Sphere{0.5}, Plane{}), Eigen::Vector2d(2.0, 2.0));
  EXPECT_EQ(relative_curvatures(Sphere{1.0, Side::inner}, Sphere{0.5}), Eigen::Vector2d(1.0, 1.0));
  EXPECT_EQ(relative_curvatures(Cylinder{0.25, 1.0}, Sphere{0.5}), Eigen::Vector2d(6.0, 2.0));
  EXPECT_EQ(relative_curvatures(Cylinder{1.0, 1.0, Side::inner}, Sphere{0.5}),
            Eigen::Vector2d(2.0, 1.0));
  EXPECT_EQ(relative_curvatures(Capsule{0.5, 1.0}, Plane{}), Eigen::Vector2d(2.0, 2.0));
  EXPECT_EQ(relative_curvatures(Cylinder{0.5, 1.0}, Plane{}), Eigen::Vector2d(0.0, 0.0));
  EXPECT_EQ(relative_curvatures(Capsule{0.5, 1.0}, Sphere{0.5}), Eigen::Vector2d(0.0, 0.0));
}

}  // namespace
}  // namespace solidyn::contact

// Where two shapes touch: distances against what is known of them, derivatives against differences,
// the same answer whichever shape comes first.
#include "solidyn/contact/geometry.h"

#include <gtest/gtest.h>

#include <algorithm>

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
      // Where edges cross that are still apart, a point is held that in truth slides.
      if (has_slots(GetParam()) && g.gap > 0.0) continue;
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

// Gaps are distances: no motion changes one by more than the way that it goes, neither over ends
// and edges nor through the bodies. What jumps creates energy.
TEST_P(Pair, GapsNeverJump) {
  const auto geometry = make_geometry(GetParam().A, GetParam().B);
  for (int path = 0; path < 20; ++path) {
    Motions m = scattered(GetParam(), generator_);
    const Vector3d way = testing_support::random_vector(generator_, 3).normalized();
    const double step = 2e-3;
    m.B.p -= 1000 * step * way;
    const auto gaps = [&](const Motions& at) {
      std::vector<double> all;
      for (int i = 0; i < geometry->n_points(); ++i) all.push_back(geometry->at(at.pair(), i).gap);
      if (has_slots(GetParam())) all = {*std::min_element(all.begin(), all.end())};
      return all;
    };
    std::vector<double> before = gaps(m);
    for (int k = 0; k < 2000; ++k) {
      m.B.p += step * way;
      const std::vector<double> now = gaps(m);
      for (std::size_t i = 0; i < now.size(); ++i)
        ASSERT_LE(std::abs(now[i] - before[i]), step * (1.0 + 1e-9)) << path << ", step " << k;
      before = now;
    }
  }
}

// A point that overlaps a little and slides off a face over the edge.
struct OverEdge {
  const char* name;
  Shape shape;
  Vector3d from, way;  // in the shape's frame, m
};
class PointOverEdge : public testing::TestWithParam<OverEdge> {};
INSTANTIATE_TEST_SUITE_P(
    Shapes, PointOverEdge,
    testing::Values(OverEdge{"box", Box{{1.0, 1.4, 0.8}}, {0.1, 0.69, 0.3999}, {0, 1, 0}},
                    OverEdge{"roll", Cylinder{0.5, 1.4}, {0.3, 0.3999, 0.69}, {0, 0, 1}},
                    OverEdge{
                        "bore", Cylinder{0.5, 1.4, Side::inner}, {0.3, 0.4001, 0.69}, {0, 0, 1}}),
    [](const auto& info) { return info.param.name; });

TEST_P(PointOverEdge, TurnsItsDirectionWithoutAJump) {
  const auto geometry = make_geometry(GetParam().shape, Sphere{0.0});
  Motions m;
  m.B.p = GetParam().from;
  const double step = 4e-6, radius = 4e-4;
  ContactPoint before = geometry->at(m.pair(), 0);
  EXPECT_NEAR(before.gap, -1e-4, 3e-5);
  double turned = 0.0;
  for (int k = 0; k < 4000; ++k) {
    m.B.p += step * GetParam().way;
    const ContactPoint now = geometry->at(m.pair(), 0);
    const double turn = (now.normal - before.normal).norm();
    ASSERT_LT(turn, 2.0 * step / radius) << k;
    turned += turn;
    before = now;
  }
  EXPECT_GT(before.gap, 1e-3);
  EXPECT_GT(turned, 0.5);
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

TEST(Capsules, WhoseAxesMeetHaveNumbers) {
  const auto geometry = make_geometry(Capsule{0.1, 1.0}, Capsule{0.1, 1.0});
  Motions m;
  m.B.R = math::exp_rotation(Vector3d(M_PI / 2, 0.0, 0.0));
  const ContactPoint g = geometry->at(m.pair(), 0);
  EXPECT_NEAR(g.gap, -0.2, 1e-12);
  EXPECT_NEAR(g.normal.norm(), 1.0, 1e-12);
  EXPECT_TRUE(g.d_normal.allFinite() && g.d_point.allFinite() && g.point.allFinite());
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

// A pin that is drawn out of its bush: at first the ends of the bush touch, then one of them and
// the end of the pin, then nothing.
TEST(PinInBush, TouchesWithinBothLengthsAndNowhereElse) {
  const double R = 0.011, r = 0.01;
  for (const double pin : {0.08, 0.04}) {
    const double bush = 0.12 - pin;  // longer or shorter than the pin
    const auto geometry = make_geometry(Cylinder{R, bush, Side::inner}, Cylinder{r, pin});
    Motions m;
    m.B.p = Vector3d(1.1e-3, 0.0, 0.0);  // an overlap of 0.1 mm
    const auto touches = [&](double z, int end) {
      m.B.p.z() = z;
      const ContactPoint g = geometry->at(m.pair(), end);
      if (g.gap >= 0.0) return false;
      EXPECT_NEAR(g.gap, -1e-4, 1e-9);
      EXPECT_NEAR(g.point.x(), 1.11 * r, 2e-4);
      EXPECT_NEAR(
          g.point.z(),
          end == 0 ? std::max(-0.5 * bush, z - 0.5 * pin) : std::min(0.5 * bush, z + 0.5 * pin),
          1e-9);
      return true;
    };
    for (const double z : {-0.0597, -0.03, 0.0, 0.03, 0.0597})
      for (int end : {0, 1}) EXPECT_TRUE(touches(z, end)) << pin << " " << z << " " << end;
    for (const double z : {-0.5, -0.0604, 0.0604, 0.5})
      for (int end : {0, 1}) EXPECT_FALSE(touches(z, end)) << pin << " " << z << " " << end;
  }
}

TEST(PairsOfShapes, OthersAreRefusedWithAList) {
  try {
    make_geometry(Box{Vector3d::Ones()}, Cylinder{0.5, 1.0});
    FAIL();
  } catch (const base::InputError& e) {
    EXPECT_NE(std::string(e.what()).find("contact between box and cylinder is not supported"),
              std::string::npos);
    EXPECT_NE(std::string(e.what()).find("supported are: sphere with"), std::string::npos);
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

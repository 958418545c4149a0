// Boxes and polyhedra on each other: hulls, distances and depths against brute force, and the
// points at which faces, edges and corners touch.
#include <gtest/gtest.h>

#include <algorithm>

#include "contact/polytope.h"
#include "contact/separation.h"
#include "pairs.h"
#include "solidyn/base/error.h"

namespace solidyn::contact {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using testing_support::random_vector;

std::vector<Vector3d> cloud(std::mt19937& generator, int n, double size = 1.0) {
  std::vector<Vector3d> points;
  for (int i = 0; i < n; ++i) points.push_back(random_vector(generator, 3, size));
  return points;
}

int euler_number(const Polytope& body) {
  return static_cast<int>(body.vertices.size()) - static_cast<int>(body.edges.size()) +
         static_cast<int>(body.faces.size());
}

TEST(ConvexHull, OfABoxAndPointsInItHasItsSixFaces) {
  std::mt19937 generator(3);
  const Matrix3d R = testing_support::random_rotation(generator).toRotationMatrix();
  const Vector3d half(0.3, 2.0, 0.01);
  std::vector<Vector3d> points;
  for (double x : {-1.0, -0.3, 0.0, 1.0})
    for (double y : {-1.0, 0.2, 1.0})
      for (double z : {-1.0, 0.5, 1.0}) points.push_back(R * half.cwiseProduct(Vector3d(x, y, z)));
  points.push_back(points.front());
  const Polytope hull = convex_hull(points);
  EXPECT_EQ(hull.vertices.size(), 8u);
  EXPECT_EQ(hull.edges.size(), 12u);
  ASSERT_EQ(hull.faces.size(), 6u);
  for (const Polytope::Face& face : hull.faces) {
    EXPECT_EQ(face.loop.size(), 4u);
    const Vector3d n = (R.transpose() * face.normal).cwiseAbs();
    EXPECT_NEAR(n.maxCoeff(), 1.0, 1e-12);
    EXPECT_NEAR(face.offset, n.dot(half), 1e-12);
  }
}

TEST(ConvexHull, LeavesNoPointOutside) {
  std::mt19937 generator(4);
  for (int n : {4, 5, 8, 20, 100}) {
    const std::vector<Vector3d> points = cloud(generator, n);
    const Polytope hull = convex_hull(points);
    EXPECT_EQ(euler_number(hull), 2) << n;
    for (const Polytope::Face& face : hull.faces)
      for (const Vector3d& x : points) EXPECT_LT(face.normal.dot(x) - face.offset, 1e-8);
    for (const Vector3d& v : hull.vertices)
      EXPECT_EQ(std::count(points.begin(), points.end(), v), 1);
  }
}

TEST(ConvexHull, OfFlatAndFewPointsIsRefused) {
  std::mt19937 generator(5);
  std::vector<Vector3d> flat = cloud(generator, 9);
  for (Vector3d& x : flat) x.z() = 0.3 * x.x() + 1.0;
  for (const std::vector<Vector3d>& points :
       {flat, {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}, std::vector<Vector3d>(6, Vector3d::Ones())}) {
    try {
      convex_hull(points);
      FAIL();
    } catch (const base::InputError& e) {
      EXPECT_NE(std::string(e.what()).find("enclose no volume"), std::string::npos) << e.what();
    }
  }
}

TEST(Shrunk, MovesEveryFaceInwards) {
  std::mt19937 generator(6);
  const Polytope hull = convex_hull(cloud(generator, 12));
  const Polytope smaller = shrunk(hull, 1e-3);
  ASSERT_EQ(smaller.faces.size(), hull.faces.size());
  for (const Polytope::Face& face : hull.faces) {
    const auto same = std::find_if(
        smaller.faces.begin(), smaller.faces.end(),
        [&](const Polytope::Face& other) { return (other.normal - face.normal).norm() < 1e-9; });
    ASSERT_NE(same, smaller.faces.end());
    EXPECT_NEAR(same->offset, face.offset - 1e-3, 1e-12);
  }
}

// --- two of them ------------------------------------------------------------------------------

struct Placed {
  Polytope A, B;
  Motions m;
};

Polyhedron polyhedron(std::vector<Vector3d> points) { return {std::move(points)}; }

double smallest_gap(const PairGeometry& geometry, const Motions& m) {
  double smallest = geometry.at(m.pair(), 0).gap;
  for (int i = 1; i < geometry.n_points(); ++i)
    smallest = std::min(smallest, geometry.at(m.pair(), i).gap);
  return smallest;
}

std::vector<ContactPoint> near_points(const PairGeometry& geometry, const Motions& m,
                                      double nearer_than) {
  std::vector<ContactPoint> points;
  for (int i = 0; i < geometry.n_points(); ++i)
    if (geometry.at(m.pair(), i).gap < nearer_than) points.push_back(geometry.at(m.pair(), i));
  return points;
}

// Over all corners over faces, and all pairs of edges.
double distance_by_brute_force(const Polytope& A, const Polytope& B) {
  double smallest = 1e9;
  for (const auto& [a, b] : {std::pair(&A, &B), std::pair(&B, &A)})
    for (const Vector3d& x : a->vertices)
      for (const Polytope::Face& face : b->faces) {
        const double height = face.normal.dot(x) - face.offset;
        const Vector3d foot = x - height * face.normal;
        bool is_inside = height > 0.0;
        for (std::size_t i = 0; i < face.loop.size(); ++i) {
          const Vector3d &p = b->vertices[face.loop[i]],
                         &q = b->vertices[face.loop[(i + 1) % face.loop.size()]];
          is_inside &= face.normal.dot((q - p).cross(foot - p)) >= 0.0;
        }
        if (is_inside) smallest = std::min(smallest, height);
      }
  for (const Polytope::Edge& e : A.edges)
    for (const Polytope::Edge& f : B.edges) {
      const Vector3d &a = A.vertices[e.ends[0]], &b = B.vertices[f.ends[0]];
      smallest = std::min(
          smallest, nearest(a, A.vertices[e.ends[1]] - a, b, B.vertices[f.ends[1]] - b).distance);
    }
  return smallest;
}

Polytope moved(Polytope body, const bodies::FrameMotion& f) {
  for (Vector3d& v : body.vertices) v = f.p + f.R * v;
  for (Polytope::Face& face : body.faces) {
    face.normal = f.R * face.normal;
    face.offset += face.normal.dot(f.p);
  }
  return body;
}

// Without rounding, at distances from far away to a millionth of the size.
TEST(PolyhedraApart, HaveTheDistanceOfTheirNearestFeatures) {
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> exponent(-6.0, 1.0);
  int n_apart = 0;
  for (int sample = 0; sample < 300; ++sample) {
    const Polyhedron a = polyhedron(cloud(generator, 5 + sample % 12)),
                     b = polyhedron(cloud(generator, 5 + sample % 7));
    const auto geometry = make_geometry(a, b, 0.0);
    Motions m;
    m.A.R = testing_support::random_rotation(generator).toRotationMatrix();
    m.B.R = testing_support::random_rotation(generator).toRotationMatrix();
    m.A.p = random_vector(generator, 3);
    const Vector3d way = random_vector(generator, 3).normalized();
    m.B.p = m.A.p + 6.0 * way;
    const Polytope A = moved(convex_hull(a.points), m.A);
    // Along the way until they are as near as that.
    const double wanted = std::pow(10.0, exponent(generator));
    for (int k = 0; k < 60; ++k) {
      const double d = distance_by_brute_force(A, moved(convex_hull(b.points), m.B));
      if (d <= 1.01 * wanted) break;
      m.B.p -= (d - wanted) * way;
    }
    const double d = distance_by_brute_force(A, moved(convex_hull(b.points), m.B));
    ASSERT_GT(d, 0.0);
    EXPECT_NEAR(smallest_gap(*geometry, m), d, 1e-12) << sample << " at " << wanted;
    n_apart += d < 2.0 * wanted;
  }
  EXPECT_GT(n_apart, 250);
}

// The depth is the smallest of the overlaps along all directions.
TEST(PolyhedraThatOverlap, HaveTheLeastOverlapOfAllDirections) {
  std::mt19937 generator(8);
  for (int sample = 0; sample < 100; ++sample) {
    const Polyhedron a = polyhedron(cloud(generator, 8)), b = polyhedron(cloud(generator, 10));
    const auto geometry = make_geometry(a, b, 0.0);
    Motions m;
    m.B.R = testing_support::random_rotation(generator).toRotationMatrix();
    m.B.p = random_vector(generator, 3, 0.5);
    const double depth = -smallest_gap(*geometry, m);
    if (depth <= 0.0) continue;
    double least = 1e9;
    for (int i = 0; i < 3000; ++i) {
      const Vector3d n = random_vector(generator, 3).normalized();
      double front = -1e9, back = 1e9;
      for (const Vector3d& x : a.points) front = std::max(front, n.dot(x));
      for (const Vector3d& x : b.points) back = std::min(back, n.dot(m.B.p + m.B.R * x));
      least = std::min(least, front - back);
    }
    EXPECT_LE(depth, least + 1e-12) << sample;
    EXPECT_GT(depth, least - 0.15) << sample;  // of 3,000 directions one is within 0.05 rad
  }
}

// --- boxes on boxes ---------------------------------------------------------------------------

Motions stacked(double z, double x = 0.0, double y = 0.0, double yaw = 0.0) {
  Motions m;
  m.B.p = Vector3d(x, y, z);
  m.B.R = math::exp_rotation(yaw * Vector3d::UnitZ());
  return m;
}

double sum_of_shares(const std::vector<ContactPoint>& points) {
  double sum = 0.0;
  for (const ContactPoint& p : points) sum += p.share;
  return sum;
}

// The faces lie on each other exactly, edges over edges, or nearly so.
TEST(BoxOnBox, StandsOnFourCornersWhoseGapsAreExact) {
  const Box lower{{1.0, 1.4, 0.8}}, upper{{1.0, 1.4, 0.6}};
  const auto geometry = make_geometry(lower, upper);
  for (const double gap : {0.0, 1e-9, -1e-9, 1e-5, -1e-5, 1e-2, -1e-2})
    for (const double off : {0.0, 1e-15, -1e-13, 1e-11}) {
      const std::vector<ContactPoint> points =
          near_points(*geometry, stacked(0.7 + gap, off, -off, off), 0.1);
      ASSERT_EQ(points.size(), 4u) << gap << " " << off;
      EXPECT_NEAR(sum_of_shares(points), 4.0, 1e-12);
      for (const ContactPoint& p : points) {
        EXPECT_NEAR(p.gap, gap, 3e-16 + 2.0 * std::abs(off));
        EXPECT_NEAR(p.share, 1.0, 0.2);
        EXPECT_NEAR(p.normal.z(), 1.0, 1e-12);
        // But for the rounded edges at the corners of the faces.
        EXPECT_NEAR(std::abs(p.point.x()), 0.5, 1e-3);
        EXPECT_NEAR(std::abs(p.point.y()), 0.7, 1e-3);
      }
    }
}

TEST(BoxOnBox, WithoutRoundingTouchesAtItsCorners) {
  const auto geometry = make_geometry(Box{{1.0, 1.4, 0.8}}, Box{{1.0, 1.4, 0.6}}, 0.0);
  for (const double gap : {0.0, 1e-9, -1e-9, 1e-2}) {
    const std::vector<ContactPoint> points = near_points(*geometry, stacked(0.7 + gap), 0.1);
    ASSERT_EQ(points.size(), 4u) << gap;
    for (const ContactPoint& p : points) {
      EXPECT_NEAR(p.gap, gap, 3e-16);
      EXPECT_NEAR(std::abs(p.point.x()), 0.5, 1e-15);
      EXPECT_NEAR(std::abs(p.point.y()), 0.7, 1e-15);
    }
  }
}

TEST(BoxOnBox, TurnedByHalfARightAngleTouchesAtEightPoints) {
  const auto geometry = make_geometry(Box{Vector3d::Ones()}, Box{Vector3d::Ones()}, 0.0);
  const std::vector<ContactPoint> points =
      near_points(*geometry, stacked(1.0 - 1e-6, 0.0, 0.0, M_PI / 4.0), 0.1);
  ASSERT_EQ(points.size(), 8u);
  const double r = 0.5 / std::cos(M_PI / 8.0);
  for (const ContactPoint& p : points) {
    EXPECT_NEAR(p.gap, -1e-6, 1e-15);
    EXPECT_NEAR(std::hypot(p.point.x(), p.point.y()), r, 1e-9);
    EXPECT_NEAR(p.share, 0.5, 1e-9);
  }
}

TEST(BoxOnBox, ThatItOverhangsTouchesWhereTheyOverlap) {
  const auto geometry = make_geometry(Box{Vector3d::Ones()}, Box{Vector3d::Ones()}, 0.0);
  const std::vector<ContactPoint> points = near_points(*geometry, stacked(1.0, 0.4, 0.3), 0.1);
  ASSERT_EQ(points.size(), 4u);
  Vector3d low = points[0].point, high = low;
  for (const ContactPoint& p : points) {
    low = low.cwiseMin(p.point);
    high = high.cwiseMax(p.point);
  }
  EXPECT_LT((low - Vector3d(-0.1, -0.2, 0.5)).norm(), 1e-12);
  EXPECT_LT((high - Vector3d(0.5, 0.5, 0.5)).norm(), 1e-12);
}

TEST(BeamOnBeam, TouchesWhereTheirEdgesCross) {
  const auto geometry = make_geometry(Box{{0.2, 2.0, 0.2}}, Box{{2.0, 0.3, 0.2}}, 0.0);
  for (const double gap : {0.0, 1e-7, -1e-7}) {
    const std::vector<ContactPoint> points = near_points(*geometry, stacked(0.2 + gap), 0.1);
    ASSERT_EQ(points.size(), 4u);
    for (const ContactPoint& p : points) {
      EXPECT_NEAR(p.gap, gap, 1e-16);
      EXPECT_NEAR(std::abs(p.point.x()), 0.1, 1e-15);
      EXPECT_NEAR(std::abs(p.point.y()), 0.15, 1e-15);
    }
  }
}

// An edge lies on a face, or crosses an edge, or a corner stands on a face: two points, or one.
TEST(BoxOnBox, OnItsEdgeTouchesAtItsEnds) {
  const auto geometry = make_geometry(Box{Vector3d::Ones()}, Box{{0.4, 0.6, 0.4}}, 0.0);
  Motions m;
  m.B.p = Vector3d(0.1, -0.1, 0.5 + 0.2 * std::sqrt(2.0) + 1e-8);
  m.B.R = math::exp_rotation(M_PI / 4.0 * Vector3d::UnitY());
  const std::vector<ContactPoint> points = near_points(*geometry, m, 1e-3);
  ASSERT_EQ(points.size(), 2u);
  for (const ContactPoint& p : points) {
    EXPECT_NEAR(p.gap, 1e-8, 1e-15);
    EXPECT_NEAR(p.point.x(), 0.1, 1e-12);
  }
  EXPECT_NEAR(std::abs(points[0].point.y() - points[1].point.y()), 0.6, 1e-12);
}

// A box that overlaps by little slides off another over its edge, as a whole: its normal turns
// without a jump, and so does the force, by the shares.
TEST(BoxOnBox, SlidesOverAnEdgeWithoutAJump) {
  const Box lower{Vector3d::Ones()}, upper{{0.4, 0.6, 0.4}};
  const auto geometry = make_geometry(lower, upper);
  const double radius = 1e-3 * (0.5 + 0.2), depth = 1e-4, step = radius / 400.0;
  const auto force = [&](const Motions& m) {  // of springs of stiffness 1
    Vector3d sum = Vector3d::Zero();
    for (const ContactPoint& p : near_points(*geometry, m, 0.0)) sum -= p.share * p.gap * p.normal;
    return sum;
  };
  Motions m = stacked(0.7 - depth, 0.7 - 2.0 * radius, 0.05);
  Vector3d before = force(m);
  EXPECT_NEAR(before.z(), 4.0 * depth, 1e-9);
  for (int k = 0; k < 1600; ++k) {
    m.B.p.x() += step;
    const Vector3d now = force(m);
    ASSERT_LT((now - before).norm(), 0.02 * 4.0 * depth) << k;
    before = now;
  }
  EXPECT_EQ(before.norm(), 0.0);
}

// Faces that touch carry the same however many corners their polygon has.
TEST(BoxOnBox, CarriesTheSameWhereverItStands) {
  const auto geometry = make_geometry(Box{{2.0, 2.0, 0.5}}, Box{Vector3d(0.6, 0.4, 0.5)});
  std::mt19937 generator(11);
  for (int sample = 0; sample < 200; ++sample) {
    const Vector3d at = random_vector(generator, 3, 1.05);
    const std::vector<ContactPoint> points =
        near_points(*geometry, stacked(0.5 - 1e-6, at.x(), at.y(), 3.0 * at.z()), 0.0);
    ASSERT_FALSE(points.empty());
    EXPECT_NEAR(sum_of_shares(points), 4.0, 1e-9);
    for (const ContactPoint& p : points) EXPECT_NEAR(p.gap, -1e-6, 1e-14);
  }
}

// Slots without a point say so by their gap, and have the rate of one that is there.
TEST(BoxOnBox, HasSlotsThatAreFarAway) {
  const auto geometry = make_geometry(Box{Vector3d::Ones()}, Box{Vector3d::Ones()});
  ASSERT_EQ(geometry->n_points(), 8);
  const Motions m = stacked(1.0 + 1e-4, 0.3, 0.2, 0.1);
  int n_far = 0;
  for (int i = 0; i < 8; ++i) {
    const ContactPoint p = geometry->at(m.pair(), i);
    EXPECT_TRUE(p.d_normal.allFinite() && p.d_point.allFinite());
    EXPECT_NEAR(p.normal.norm(), 1.0, 1e-12);
    n_far += p.gap > 1.0;
  }
  EXPECT_GE(n_far, 2);
}

// In slots that were there before, points go on smoothly while the faces stay the same.
TEST(BoxOnBox, KeepsItsPointsInTheirSlots) {
  const auto geometry = make_geometry(Box{Vector3d::Ones()}, Box{{0.6, 0.7, 0.5}});
  Motions m = stacked(0.75 - 1e-6, 0.05, 0.1, 0.3);
  std::vector<ContactPoint> before;
  for (int i = 0; i < 8; ++i) before.push_back(geometry->at(m.pair(), i));
  for (int k = 0; k < 3000; ++k) {
    m.B.p += 1e-4 * Vector3d(1.0, 0.6, 0.0);
    m.B.R = m.B.R * math::exp_rotation(1e-4 * Vector3d::UnitZ());
    for (int i = 0; i < 8; ++i) {
      const ContactPoint now = geometry->at(m.pair(), i);
      if (now.gap < 0.0 && before[i].gap < 0.0) {
        EXPECT_LT((now.point - before[i].point).norm(), 5e-3) << k << " " << i;
      }
      before[i] = now;
    }
  }
}

}  // namespace
}  // namespace solidyn::contact

#include "solidyn/track/alignment.h"

#include <gtest/gtest.h>

#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/track/station.h"

namespace solidyn::track {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

// Straight 50 m, clothoid 60 m to R = 300 m (left), arc 100 m, clothoid 60 m, straight 50 m; cant
// 0.1 m in the arc.
AlignmentDescription left_curve(double blend, CantAxis axis = CantAxis::centre) {
  AlignmentDescription d;
  const double k = 1.0 / 300.0;
  d.plan = {{50.0, 0.0, 0.0, 0.0, 0.0},
            {60.0, 0.0, k, 0.0, 0.1},
            {100.0, k, k, 0.1, 0.1},
            {60.0, k, 0.0, 0.1, 0.0},
            {50.0, 0.0, 0.0, 0.0, 0.0}};
  d.blend = blend;
  d.cant_axis = axis;
  return d;
}

AlignmentDescription hilly(double blend) {
  AlignmentDescription d = left_curve(blend, CantAxis::low_rail);
  d.plan[3].cant_to = -0.04;  // through zero
  d.plan[4].cant_from = -0.04;
  d.gradients = {{70.0, 0.0, 0.0},
                 {80.0, 0.0, 0.03},
                 {100.0, 0.03, 0.03},
                 {50.0, 0.03, -0.01},
                 {20.0, -0.01, -0.01}};
  return d;
}

// Clothoids by quadrature and by Fresnel's integrals, by another program.
TEST(Alignment, FollowsClothoidsAndArcs) {
  const Alignment track(left_curve(0.0));
  EXPECT_DOUBLE_EQ(track.length(), 320.0);
  const double rows[8][5] = {{50, 50, 0, 0, 0},
                             {80, 79.998125054, 0.249988840, 0.025, 1.0 / 600},
                             {110, 109.940027771, 1.998571883, 0.1, 1.0 / 300},
                             {160, 159.045220120, 11.103427897, 0.2666666667, 1.0 / 300},
                             {210, 205.959512788, 28.228481536, 0.4333333333, 1.0 / 300},
                             {240, 232.631990369, 41.945406144, 0.5083333333, 1.0 / 600},
                             {270, 258.590986858, 56.981379756, 0.5333333333, 0},
                             {320, 301.646845315, 82.401707302, 0.5333333333, 0}};
  for (const auto& r : rows) {
    const TrackFrame frame = track.at(r[0]);
    EXPECT_NEAR(frame.p.x(), r[1], 1e-8);
    EXPECT_NEAR(frame.p.y(), r[2], 1e-8);
    EXPECT_NEAR(frame.heading, r[3], 1e-9);
    EXPECT_NEAR(frame.curvature, r[4], 1e-12);
  }
}

TEST(Alignment, CantRollsAboutTheCentreOrTheLowRail) {
  const TrackFrame centre = Alignment(left_curve(0.0)).at(160.0),
                   low = Alignment(left_curve(0.0, CantAxis::low_rail)).at(160.0);
  EXPECT_NEAR(centre.roll, -0.066716148410, 1e-11);
  const auto rail = [](const TrackFrame& f, double y) -> Vector3d {
    return f.p + f.R * Vector3d(0.0, y, 0.0);
  };
  EXPECT_NEAR((rail(centre, 0.75) - Vector3d(158.848021762, 11.825309333, -0.05)).norm(), 0.0,
              1e-8);
  EXPECT_NEAR((rail(centre, -0.75) - Vector3d(159.242418479, 10.381546461, 0.05)).norm(), 0.0,
              1e-8);
  EXPECT_NEAR((rail(low, 0.75) - Vector3d(158.848021762, 11.825309333, 0.0)).norm(), 0.0, 1e-8);
  EXPECT_NEAR((rail(low, -0.75) - Vector3d(159.242418479, 10.381546461, 0.1)).norm(), 0.0, 1e-8);
}

Vector3d axial(const Matrix3d& S) {
  return 0.5 * Vector3d(S(2, 1) - S(1, 2), S(0, 2) - S(2, 0), S(1, 0) - S(0, 1));
}

TEST(Alignment, DerivativesAreThoseOfDifferences) {
  const Alignment track(hilly(4.0));
  const double h = 1e-4;
  for (double s = 1.0; s < 319.0; s += 0.77) {
    const TrackFrame before = track.at(s - h), here = track.at(s), after = track.at(s + h);
    EXPECT_NEAR(((after.p - before.p) / (2 * h) - here.p_s).norm(), 0.0, 1e-8) << s;
    EXPECT_NEAR(((after.p_s - before.p_s) / (2 * h) - here.p_ss).norm(), 0.0, 1e-8) << s;
    EXPECT_NEAR((axial(here.R.transpose() * (after.R - before.R) / (2 * h)) - here.w).norm(), 0.0,
                1e-8)
        << s;
    EXPECT_NEAR(((after.w - before.w) / (2 * h) - here.w_s).norm(), 0.0, 1e-7) << s;
  }
}

// At 100 m/s, with s'' = 0, accelerations are V^2 times second derivatives. Between points 1 mm
// apart they change by no more than the steepest blend allows, 1.5/blend of the largest second
// derivative per metre.
TEST(Alignment, AccelerationsHaveNoStepsAtJoints) {
  const Alignment track(hilly(4.0));
  const double V = 100.0, step = 1e-3;
  double largest_step = 0.0;
  for (double joint : {50.0, 70.0, 110.0, 150.0, 210.0, 250.0, 252.857142857, 270.0, 300.0})
    for (double s = joint - 2.1; s < joint + 2.1; s += step) {
      const TrackFrame a = track.at(s), b = track.at(s + step);
      largest_step = std::max(
          {largest_step, V * V * (b.p_ss - a.p_ss).norm(), V * V * (b.w_s - a.w_s).norm()});
    }
  EXPECT_LT(largest_step, 0.02);
  const Alignment sharp(hilly(0.0));
  EXPECT_GT(V * V * (sharp.at(50.001).w_s - sharp.at(49.999).w_s).norm(),
            0.5);  // what blends remove
}

// Both corners of a transition move what follows by opposite amounts.
TEST(Alignment, BlendsMoveTheTrackLittle) {
  const Alignment sharp(left_curve(0.0)), blended(left_curve(2.0));
  EXPECT_LT((sharp.at(320.0).p - blended.at(320.0).p).norm(), 1e-3);
  EXPECT_NEAR(sharp.at(320.0).heading, blended.at(320.0).heading, 1e-12);
}

void expect_refused(const AlignmentDescription& d, std::size_t n, const std::string& part) {
  try {
    const Alignment track(d);
    FAIL() << "not refused: " << part;
  } catch (const base::InputError& error) {
    EXPECT_EQ(error.diagnostics().size(), n) << error.what();
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

TEST(Alignment, WrongSegmentsAreRefused) {
  AlignmentDescription d = left_curve(1.0);
  d.plan[1].length = 0.0;
  expect_refused(d, 1, "segment 2 of the plan has the length 0 m");
  d = left_curve(1.0);
  d.plan[2].cant_to = 1.6;
  expect_refused(d, 1, "segment 3 of the plan has a cant of 1.6 m over a base of 1.5 m");
  d = left_curve(1.0);
  d.cant_axis.reset();
  expect_refused(d, 1, "about what it rolls");
  d = left_curve(70.0);
  expect_refused(d, 4, "is 60 m long, shorter than the blend of 70 m");
  d = left_curve(1.0);
  d.plan[2].curvature_from = 0.3;
  d.gradients = {{-1.0, 0.0, 0.0}};
  expect_refused(d, 2, "segment 3 of the plan has a radius of 3.333 m");
  expect_refused(AlignmentDescription(), 1, "the track has no segments");
  d = left_curve(1.0);
  d.gradients = {{320.0, 0.0, 25.0}};
  expect_refused(d, 1, "segment 1 of the gradients has the gradient 25");
  d.gradients = {{320.0, std::nan(""), 0.0}};
  expect_refused(d, 1, "segment 1 of the gradients has the gradient nan");
  d = left_curve(1.0);
  d.plan[4].length = 1e12;
  expect_refused(d, 1, "the track is 1e+12 m long");
}

TEST(Alignment, BeginsInTheOriginAlongXWithATransitionCurveToo) {
  AlignmentDescription d;
  d.plan = {{60.0, 0.0, 1.0 / 300.0}};
  d.gradients = {{60.0, 0.0, 0.03}};
  const TrackFrame start = Alignment(d).at(0.0);
  EXPECT_EQ(start.heading, 0.0);
  EXPECT_EQ(start.p, Vector3d::Zero());
}

TEST(Alignment, JumpsAreReported) {
  AlignmentDescription d = left_curve(1.0);
  EXPECT_TRUE(warnings_about(d).empty());
  d.plan[1].curvature_from = 1.0 / 600.0;
  d.gradients = {{100.0, 0.0, 0.0}, {220.0, 0.01, 0.01}};
  std::vector<AlignmentNote> warnings = warnings_about(d);
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_NE(warnings[0].what.find("without a transition curve, jumps at s = 50 m"),
            std::string::npos);
  EXPECT_STREQ(warnings[0].of, "plan");
  EXPECT_STREQ(warnings[1].of, "gradients");
  EXPECT_NE(warnings[1].what.find("the gradient jumps at s = 100 m from 0 to 0.01"),
            std::string::npos);
  d = left_curve(1.0);
  d.gradients = {{100.0, 0.0, 0.0}};
  warnings = warnings_about(d);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_EQ(
      warnings[0].what,
      "the gradients go to s = 100 m, and the plan to 320 m: the last gradient goes on from there");
}

TEST(Alignment, EndsWhereItEnds) {
  const Alignment track(left_curve(1.0));
  EXPECT_THROW(track.at(320.1), base::ComputationError);
  EXPECT_THROW(track.at(-0.1), base::ComputationError);
  EXPECT_NO_THROW(track.at(320.0));
}

// A point beside and above the track; as s moves on, its offset changes by -g.
TEST(Station, IsWhereTheCrossSectionGoesThroughThePoint) {
  const Alignment track(hilly(1.0));
  const Vector3d offset(0.0, 0.8, 2.0);
  for (double s : {20.0, 90.0, 170.0, 240.0}) {
    const TrackFrame at = track.at(s);
    const Vector3d point = at.p + at.R * offset;
    const TrackPosition found = track_position(track, point, s + 15.0);
    EXPECT_NEAR(found.s, s, 1e-9);
    EXPECT_NEAR(find_station(track, point), s, 1e-9);
    EXPECT_NEAR((found.offset - offset).norm(), 0.0, 1e-9);
    const double h = 1e-4;
    const auto seen = [&](double from) {
      const TrackFrame frame = track.at(from);
      return Vector3d(frame.R.transpose() * (point - frame.p));
    };
    EXPECT_NEAR(((seen(s + h) - seen(s - h)) / (2.0 * h) + found.g).norm(), 0.0, 1e-7);
  }
  EXPECT_THROW(find_station(track, Vector3d(-5.0, 0.0, 0.0)), base::ComputationError);
}

}  // namespace
}  // namespace solidyn::track

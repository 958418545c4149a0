// Curves through points, and a point that stays on one.
#include "solidyn/joints/curve.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "mechanisms.h"
#include "solidyn/base/error.h"
#include "solidyn/bodies/modal_body.h"
#include "solidyn/system/connect.h"

namespace solidyn::joints {
namespace {

using Eigen::Vector3d;
using testing::HasSubstr;
using Points = std::vector<Vector3d>;

Points points_of(const std::function<Vector3d(double)>& curve, double from, double to, int n) {
  Points points;
  for (int i = 0; i <= n; ++i) points.push_back(curve(from + (to - from) * i / n));
  return points;
}

Vector3d on_helix(double a) { return {2.0 * std::cos(a), 2.0 * std::sin(a), 0.5 * a}; }
Vector3d on_circle(double a) { return {2.0 * std::cos(a), 2.0 * std::sin(a), 0.0}; }
// Crosses itself at the origin.
Vector3d on_eight(double a) { return {std::sin(a), std::sin(a) * std::cos(a), 0.0}; }

SpaceCurve circle(int n) { return {points_of(on_circle, 0.0, 2.0 * M_PI, n), true}; }

std::string refusal(const Points& points, bool is_closed) {
  try {
    const SpaceCurve curve(points, is_closed);
  } catch (const base::InputError& error) {
    return error.what();
  }
  return "";
}

TEST(SpaceCurve, ConvergesAtOrderFourUpToItsEnds) {
  const auto error = [](int n) {
    const SpaceCurve curve(points_of(on_helix, 0.0, 6.0, n), false);
    double largest = 0.0;
    for (int i = 0; i <= 1000; ++i) {
      const Vector3d p = curve.at(curve.end() * i / 1000.0).value;
      largest = std::max(largest, std::abs(p.head<2>().norm() - 2.0));
      largest = std::max(largest, std::abs(2.0 * std::sin(2.0 * p.z()) - p.y()));
    }
    return largest;
  };
  EXPECT_NEAR(std::log2(error(40) / error(80)), 4.0, 0.3);
}

TEST(SpaceCurve, LengthAndCurvatureAreThoseOfTheCircle) {
  EXPECT_NEAR(circle(64).length(), 4.0 * M_PI, 1e-5);
  EXPECT_NEAR(std::log2((4.0 * M_PI - circle(32).length()) / (4.0 * M_PI - circle(64).length())),
              4.0, 0.1);
  const SpaceCurve curve = circle(64);
  for (double u : {0.0, 0.03, 1.7, 9.0}) EXPECT_NEAR(curve.curvature(u), 0.5, 1e-3);
  EXPECT_NEAR(curve.bend(0.0, curve.end()), 2.0 * M_PI, 1e-3);
}

// The chords' parameter and its length of arc differ; laps go on.
TEST(SpaceCurve, ArcLengthIsTheIntegralOfTheSpeedOverAnyLaps) {
  const SpaceCurve curve(points_of(on_eight, 0.0, 2.0 * M_PI, 20), true);
  const double h = 1e-5;
  for (double u : {-3.3, 0.4, 2.2, 7.9}) {
    const double rate = (curve.arc_length(u + h) - curve.arc_length(u - h)) / (2.0 * h);
    EXPECT_NEAR(rate, curve.at(u).first.norm(), 1e-9) << u;
    EXPECT_NEAR(curve.arc_length(u + curve.end()) - curve.arc_length(u), curve.length(), 1e-12);
  }
  EXPECT_EQ(curve.arc_length(0.0), 0.0);
}

TEST(SpaceCurve, IsClosedWithContinuousCurvature) {
  Points points = points_of(on_eight, 0.0, 2.0 * M_PI, 15);
  const SpaceCurve closed(points, true);
  points.pop_back();  // the first point need not stand twice
  const SpaceCurve same(points, true);
  EXPECT_EQ(closed.end(), same.end());
  const double end = closed.end();
  EXPECT_LT((closed.at(end - 1e-9).second - closed.at(1e-9).second).norm(), 1e-6);
  EXPECT_LT((closed.normals(end - 1e-9)[1].first - closed.normals(1e-9)[1].first).norm(), 1e-6);
}

TEST(SpaceCurve, NormalsAreAcrossItAndOfAPlaneCurveThoseOfItsPlane) {
  const SpaceCurve helix(points_of(on_helix, 0.0, 6.0, 30), false);
  for (double u : helix.knots()) {
    const auto n = helix.normals(u);
    const Vector3d t = helix.at(u).first.normalized();
    EXPECT_NEAR(n[0].value.dot(t), 0.0, 1e-12);
    EXPECT_NEAR((n[1].value - t.cross(n[0].value)).norm(), 0.0, 1e-12);
  }
  const SpaceCurve plane = circle(20);
  for (double u : {0.0, 0.33, 5.0})
    EXPECT_LT((plane.normals(u)[1].value - Vector3d::UnitZ()).norm(), 1e-12);
  EXPECT_LT((plane.normals(0.0)[0].value + Vector3d::UnitX()).norm(), 1e-12);  // to the left
}

TEST(SpaceCurve, NearestPlaceIsThatOfTheBranchThatItComesFrom) {
  const SpaceCurve eight(points_of(on_eight, 0.0, 2.0 * M_PI, 40), true);
  const Vector3d crossing(0.01, 0.01, 0.0);
  const double first = eight.nearest(crossing, 0.1), second = eight.nearest(crossing, 3.0);
  EXPECT_NEAR(first, 0.0141, 1e-3);
  EXPECT_NEAR(second, 0.5 * eight.end(), 0.1);
  for (double u : {first, second}) {
    const SpaceCurve::Values c = eight.at(u);
    EXPECT_NEAR((crossing - c.value).dot(c.first), 0.0, 1e-14);
  }
  EXPECT_THROW(circle(20).nearest(Vector3d::Zero(), 0.123), base::ComputationError);
}

TEST(SpaceCurve, RefusesPointsThatMakeNoSmoothCurve) {
  const Vector3d a(0, 0, 0), b(1, 0, 0), c(1, 1, 0);
  EXPECT_THAT(refusal({a}, false), HasSubstr("has 1 point: an open one needs 2"));
  EXPECT_THAT(refusal({a, b}, true), HasSubstr("a closed one needs 3"));
  EXPECT_THAT(refusal({a, b, b, c}, false), HasSubstr("points 2 and 3 of a curve are one"));
  EXPECT_THAT(refusal({a, b, a, b}, false), HasSubstr("turns too sharply"));
  EXPECT_EQ(refusal({a, b}, false), "");
  EXPECT_EQ(refusal({a, b, c}, true), "");
}

TEST(SpaceCurve, IsAConcernWhereItBendsBetweenPoints) {
  EXPECT_EQ(circle(8).warning(), "");
  const SpaceCurve sharp({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2.3, 1, 0}, {2.3, 2, 0}}, false);
  EXPECT_THAT(sharp.warning(), HasSubstr("bends with a radius of 0.394 m at (2, 0, 0)"));
}

// A bead of 1 kg on a curve that stands in the ground.
struct Bead {
  Bead(const Points& points, bool is_closed, const Vector3d& at) {
    curve = std::make_shared<const SpaceCurve>(points, is_closed);
    system.set_gravity(Vector3d(0.0, -9.81, 0.0));
    system::InitialMotion motion;
    motion.p_WB = at;
    system.add_body(
        bodies::make_rigid_body("bead", 1.0, Vector3d::Zero(), Eigen::Matrix3d::Identity() * 0.01),
        motion);
    const system::FramesOfPair frames = {
        system.add_frame(testing_support::frame_at(bodies::kGround, {}, Vector3d::Zero())),
        system.add_frame(testing_support::frame_at(bodies::BodyIndex(0), motion, at))};
    const PointOnCurve on = point_on_curve("rail", curve, at);
    system::add_joint(system, "rail", on.rows, frames);
    system.finalize();
  }
  // Moves it to another place of the curve, as a step would.
  std::string objection_to(const Vector3d& to) {
    system::State s = testing_support::start(system);
    const Eigen::VectorXd before = s.angles;
    Eigen::VectorXd increment = Eigen::VectorXd::Zero(6);
    increment.head<3>() = to - s.q.head<3>();
    s.q.head<3>() = to;
    system.update(s);
    return system.angles().rejection(system.kinematics(), system.layout(), increment, before);
  }
  system::System system;
  std::shared_ptr<const SpaceCurve> curve;
};

TEST(PointOnCurve, StepsThatCannotBeFollowedAreObjectedTo) {
  Bead bead(points_of(on_circle, 0.0, 2.0 * M_PI, 60), true, on_circle(0.0));
  EXPECT_EQ(bead.objection_to(on_circle(0.8)), "");
  EXPECT_THAT(bead.objection_to(on_circle(1.3)), HasSubstr("turns by 1.3 rad in it"));
}

// Across from one side of a narrow curve to the other is not along it: the constraint says so.
TEST(PointOnCurve, StaysOnItsBranchWhereAnotherOneIsNear) {
  Points stadium;
  for (int i = 0; i <= 10; ++i) stadium.emplace_back(0.5 * i, 0.0, 0.0);
  for (int i = 1; i < 8; ++i)
    stadium.emplace_back(5.0 + 0.3 * std::sin(M_PI * i / 8), 0.3 - 0.3 * std::cos(M_PI * i / 8),
                         0.0);
  for (int i = 10; i >= 0; --i) stadium.emplace_back(0.5 * i, 0.6, 0.0);
  Bead bead(stadium, false, Vector3d(2.0, 0.0, 0.0));
  EXPECT_EQ(bead.objection_to(Vector3d(2.1, 0.6, 0.0)), "");
  EXPECT_NEAR(bead.system.kinematics().angles[bodies::AngleIndex(0)], 0.1, 1e-3);
  system::State s = testing_support::start(bead.system);
  s.q[1] = 0.6;
  bead.system.update(s);
  Eigen::VectorXd r, phi;
  bead.system.compute_residual(s, r, phi);
  EXPECT_NEAR(phi.norm(), 0.6, 1e-3);
}

TEST(PointOnCurve, RunningOffAnEndIsAnErrorThatNamesTimeAndJoint) {
  Bead bead({{0, 1, 0}, {1, 0.5, 0}, {2, 0, 0}}, false, Vector3d(0, 1, 0));
  try {
    testing_support::run_generalized_alpha(bead.system, 1.5, 150, {});
    FAIL();
  } catch (const base::ComputationError& error) {
    // sqrt(2 s/(g sin)) along the slope, s = sqrt(5), sin = 1/sqrt(5)
    EXPECT_THAT(error.what(), HasSubstr("the point of joint rail runs off the end of its curve"));
    EXPECT_THAT(error.what(), HasSubstr("t = 1.0"));
  }
}

// A step in halves and the same in one: what is tracked is that of the accepted state.
TEST(PointOnCurve, GoesStraightOnWhereTheCurveCrossesItself) {
  Bead bead(points_of(on_eight, 0.0, 2.0 * M_PI, 40), true, on_eight(0.5));
  bead.system.set_gravity(Vector3d::Zero());
  system::State s = testing_support::start(bead.system);
  const double speed = 1.0;
  const Vector3d t = bead.curve->at(bead.curve->nearest(on_eight(0.5))).first.normalized();
  s.v.head<3>() = -speed * t;  // towards the crossing
  integrators::GeneralizedAlpha integrator(bead.system, {});
  bead.system.update(s);
  integrator.initialize(s);
  double before = 0.0;
  for (int i = 0; i < 700; ++i) {
    integrator.step(s, 0.01);
    bead.system.accept(s);
    EXPECT_LT(s.angles[0], before);
    EXPECT_LT(before - s.angles[0], 1.1 * speed * 0.01);
    before = s.angles[0];
  }
  EXPECT_LT(before, -bead.curve->end());  // more than a lap
}

}  // namespace
}  // namespace solidyn::joints

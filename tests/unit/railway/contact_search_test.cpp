#include "solidyn/railway/contact_search.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "solidyn/base/error.h"
#include "solidyn/railway/normal_force.h"

namespace solidyn::railway {
namespace {

using Eigen::Vector3d;

WheelOnRail pair_of(const char* wheel, const char* rail) {
  return {make_built_in_profile(ProfileKind::wheel, wheel), 0.46, 0.75,
          RailHead(make_built_in_profile(ProfileKind::rail, rail), RailPlacement())};
}

WheelOnRail on_circle(const char* wheel) {
  return {make_built_in_profile(ProfileKind::wheel, wheel), 0.46, 0.75,
          RailHead(make_built_in_profile(ProfileKind::rail, "circle:0.3"), 0.75)};
}

WheelPosition pressed(const WheelOnRail& pair, double y, double roll, double yaw, double depth) {
  return {y, pair.contact(y, roll).lift - depth, roll, yaw};
}

using Read = PositionDual (*)(const ContactPoint&);
const std::vector<std::pair<const char*, Read>> kQuantities = {
    {"approach", [](const ContactPoint& p) { return p.approach; }},
    {"x", [](const ContactPoint& p) { return p.x; }},
    {"y", [](const ContactPoint& p) { return p.y; }},
    {"z", [](const ContactPoint& p) { return p.z; }},
    {"angle", [](const ContactPoint& p) { return p.angle; }},
    {"radius", [](const ContactPoint& p) { return p.radius; }},
    {"A", [](const ContactPoint& p) { return p.A; }},
    {"B", [](const ContactPoint& p) { return p.B; }}};

// Central differences; at y = 0 and 8e-5 m deep the tread has two points in one overlap. Slopes of
// the flange's polynomial are good to 1e-12, its points therefore to 1e-13 m.
TEST(ContactSearch, DerivativesAreThoseOfDifferences) {
  const OnlineSearch search(pair_of("s1002", "60e1"), ContactOptions());
  std::vector<ContactPoint> at, after, before;
  for (const double y : {0.0, 3.1e-3, -3e-3, 6.2e-3})
    for (const double yaw : {0.0, 4e-3}) {
      const WheelPosition position = pressed(search.pair(), y, 2e-4, yaw, 8e-5);
      search.find(position, at);
      ASSERT_EQ(at.size(), y == 0.0 ? 2u : 1u);
      for (int k = 0; k < kPositionVariables; ++k) {
        const double h = k == kYaw ? 1e-6 : 1e-7;
        const auto moved = [&](double by) {
          WheelPosition p = position;
          (k == kY ? p.y : k == kZ ? p.z : k == kRoll ? p.roll : p.yaw) += by;
          return p;
        };
        search.find(moved(h), after);
        search.find(moved(-h), before);
        for (std::size_t i = 0; i < at.size(); ++i)
          for (const auto& [name, read] : kQuantities) {
            const double difference = (read(after[i]).value - read(before[i]).value) / (2.0 * h);
            EXPECT_NEAR(difference, read(at[i]).by[k], 1e-4 * (1e-2 + std::abs(difference)))
                << name << " by " << k << " at " << y << ", " << yaw;
          }
      }
    }
}

// The overlap of all particles of a yawed wheel with the head, by their positions in space.
TEST(ContactSearch, YawedFlangeIsThatOfTheWheelInSpace) {
  const WheelOnRail pair = pair_of("s1002", "60e1");
  const double roll = 1e-3, yaw = 0.02;
  const Vector3d axle(-std::sin(yaw), std::cos(yaw) * std::cos(roll),
                      std::cos(yaw) * std::sin(roll));
  const Vector3d down = (-Vector3d::UnitZ() + axle.z() * axle).normalized(),
                 ahead = down.cross(axle);
  const double y = 6.5e-3;
  double highest = -1.0;
  Vector3d where = Vector3d::Zero();
  for (const auto& sample : pair.samples()) {
    if (std::abs(sample.tangent) > 5.0) continue;
    for (double turn = -0.15; turn < 0.15; turn += 2e-4) {
      const Vector3d p =
          sample.e * axle + sample.r * (std::cos(turn) * down + std::sin(turn) * ahead);
      if (!pair.rail().reaches(y + p.y())) continue;
      const double overlap = pair.rail().at(y + p.y()).p.y() - p.z();
      if (overlap > highest) {
        highest = overlap;
        where = p;
      }
    }
  }
  std::vector<ContactPoint> points;
  OnlineSearch(pair, ContactOptions()).find({y, highest - 1e-4, roll, yaw}, points);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_NEAR(points[0].approach.value / std::cos(points[0].angle.value), 1e-4, 3e-6);
  EXPECT_NEAR(points[0].x.value, where.x(), 5e-4);
  EXPECT_NEAR(points[0].y.value, y + where.y(), 2e-4);
  EXPECT_GT(points[0].x.value, 0.01);  // ahead of the axle, as the wheel is turned to its rail
}

Vector3d force_of(const std::vector<ContactPoint>& points) {
  Vector3d sum = Vector3d::Zero();
  for (const ContactPoint& p : points) {
    const double N = elliptic_contact(p.geometry(), ElasticMaterial()).force(p.approach.value);
    sum += N * Vector3d(-std::sin(p.angle.value), std::cos(p.angle.value), p.y.value);
  }
  return sum;
}

// Also where S1002's sections meet with a step, which is a summit.
TEST(ContactSearch, ValleysAreTheLowestPlacesBetweenSummits) {
  const WheelOnRail pair = pair_of("s1002", "60e1");
  int n_valleys = 0, n_joints = 0;
  for (double y = -7e-3; y < 7e-3; y += 5e-5) {
    const WheelPosition at = pressed(pair, y, 0.1 * y, 0.0, 8e-5);
    std::vector<WheelPlace> summits;
    pair.find_summits(at, {at.z, HUGE_VAL}, nullptr, 0, summits);
    for (std::size_t k = 0; k + 1 < summits.size(); ++k) {
      const WheelPlace &a = summits[k], &b = summits[k + 1];
      if (!(a.lift > at.z && b.lift > at.z)) continue;
      const double lift = pair.valley_between(at, a, b).lift;
      ++n_valleys;
      n_joints += a.is_joint || b.is_joint;
      EXPECT_LE(lift, std::min(a.lift, b.lift));
      for (std::size_t i = a.sample + 1; i < b.sample; ++i) {
        const auto& sample = pair.samples()[i];
        const double c = std::cos(at.roll), s = std::sin(at.roll);
        const double height = pair.rail().at(at.y + c * sample.e + s * sample.r).p.y();
        EXPECT_LE(lift, height - (s * sample.e - c * sample.r) + 1e-13) << y << ", " << i;
      }
    }
  }
  EXPECT_GT(n_valleys, 20);
  EXPECT_GT(n_joints, 5);
}

// Along a path through several contact jumps, steps of the force shrink with those of the path, and
// one jump would stay. By the overlap, since local curvatures of S1002 jump where its sections
// meet.
TEST(ContactSearch, ForcesHaveNoJumps) {
  const OnlineSearch search(pair_of("s1002", "60e1"),
                            {PatchCurvature::from_overlap, ContactOptions().least_curvature});
  const auto largest_step = [&](int n) {
    std::vector<ContactPoint> points;
    double largest = 0.0;
    std::size_t most = 0;
    Vector3d last = Vector3d::Zero();
    for (int i = 0; i <= n; ++i) {
      const double y = -2e-3 + 8e-3 * i / n;
      search.find({y, 0.4598 + 0.05 * y, 1e-4, 1e-3}, points);
      const Vector3d force = force_of(points);
      if (i > 0) largest = std::max(largest, (force - last).norm());
      last = force;
      most = std::max(most, points.size());
    }
    EXPECT_GE(most, 2u);
    return largest;
  };
  const double coarse = largest_step(1000), fine = largest_step(8000);
  EXPECT_LT(fine, 0.25 * coarse);
}

// Of a cone on a circle the overlap is nearly a parabola, whatever its depth.
TEST(ContactSearch, OverlapOfAParabolaHasItsCurvature) {
  const WheelOnRail pair = on_circle("cone:0.05");
  const OnlineSearch local(pair, ContactOptions()),
      overlap(pair, {PatchCurvature::from_overlap, ContactOptions().least_curvature});
  std::vector<ContactPoint> a, b;
  const WheelPosition at = pressed(pair, 1e-3, 0.0, 0.0, 8e-5);
  local.find(at, a);
  overlap.find(at, b);
  ASSERT_EQ(a.size(), 1u);
  ASSERT_EQ(b.size(), 1u);
  EXPECT_NEAR(b[0].B.value, a[0].B.value, 5e-3 * a[0].B.value);
}

// A hollow wheel that is nearly, or more than, as hollow as the rail is round.
TEST(ContactSearch, ConformalProfilesAreBounded) {
  std::vector<ContactPoint> points;
  const WheelOnRail near = on_circle("circle:0.301,0");
  const WheelPosition at = pressed(near, 0.0, 0.0, 0.0, 5e-5);
  OnlineSearch(near, ContactOptions()).find(at, points);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_TRUE(points[0].is_bounded);
  EXPECT_EQ(points[0].B.value, 0.05);
  OnlineSearch(near, {PatchCurvature::from_overlap, 1e-3}).find(at, points);
  ASSERT_EQ(points.size(), 1u);
  EXPECT_GT(points[0].B.value, 1e-3);
  EXPECT_THROW(OnlineSearch(near, {PatchCurvature::local, 0.0}), base::InputError);
}

// States over the whole range, also in the air and deeper than the table is made for.
TEST(TabulatedSearch, FindsWhatTheOnlineSearchFinds) {
  const WheelOnRail pair = pair_of("s1002", "60e1");
  const OnlineSearch online(pair, ContactOptions());
  const TabulatedSearch table(pair, {7e-3, 2e-3, 0.015}, ContactOptions());
  EXPECT_LT(table.samples_in_cell(), 0.1 * static_cast<double>(pair.samples().size()));
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  std::vector<ContactPoint> a, b;
  std::size_t most = 0;
  for (int i = 0; i < 2000; ++i) {
    WheelPosition at{7e-3 * uniform(random), 0.0, 2e-3 * uniform(random), 0.015 * uniform(random)};
    at.z = pair.contact(at.y, at.roll).lift + 2e-4 * uniform(random) - (i % 50 ? 1e-4 : 6e-4);
    online.find(at, a);
    table.find(at, b);
    ASSERT_EQ(a.size(), b.size()) << i;
    most = std::max(most, a.size());
    for (std::size_t k = 0; k < a.size(); ++k) {
      EXPECT_EQ(a[k].approach.value, b[k].approach.value) << i;
      EXPECT_EQ(a[k].u, b[k].u) << i;
      EXPECT_EQ(a[k].B.value, b[k].B.value) << i;
    }
  }
  EXPECT_GE(most, 2u);
}

TEST(TabulatedSearch, SaysWhereAWheelsetLeavesIt) {
  const TabulatedSearch table(pair_of("s1002", "60e1"), {1e-3, 1e-3, 1e-3}, ContactOptions());
  std::vector<ContactPoint> points;
  EXPECT_NO_THROW(table.find({1e-3, 0.46, 1e-3, -1e-3}, points));
  EXPECT_THROW(table.find({1.1e-3, 0.46, 0.0, 0.0}, points), base::ComputationError);
  EXPECT_THROW(table.find({0.0, 0.46, -1.1e-3, 0.0}, points), base::ComputationError);
  EXPECT_THROW(table.find({0.0, 0.46, 0.0, 1.1e-3}, points), base::ComputationError);
  EXPECT_THROW(TabulatedSearch(pair_of("s1002", "60e1"), {0.0, 1e-3, 1e-3}, ContactOptions()),
               base::InputError);
}

TEST(ContactSearch, OfAWheelInTheAirFindsNothingAndBesideTheRailSaysWhere) {
  const OnlineSearch search(pair_of("s1002", "60e1"), ContactOptions());
  std::vector<ContactPoint> points(3);
  search.find({0.0, 0.47, 0.0, 0.0}, points);
  EXPECT_TRUE(points.empty());
  EXPECT_THROW(search.find({0.5, 0.46, 0.0, 0.0}, points), base::ComputationError);
}

TEST(NormalForce, DerivativesAreThoseOfDifferences) {
  const NormalDamping damping{2.0, 0.7, 0.02};
  for (const double rate : {-0.3, -0.015, -0.004, 0.003, 0.018, 0.2}) {
    const double K = 1e11, d = 6e-5, h = 1e-6;
    const NormalForce at = normal_force(K, d, rate, damping);
    const auto slope = [&](double dd, double dr, double dK) {
      return normal_force(K + dK, d + dd, rate + dr, damping).value -
             normal_force(K - dK, d - dd, rate - dr, damping).value;
    };
    EXPECT_NEAR(slope(d * h, 0, 0) / (2 * d * h), at.by_approach, 1e-7 * at.by_approach);
    EXPECT_NEAR(slope(0, h, 0) / (2 * h), at.by_rate, 1e-5 * std::abs(at.by_rate));
    EXPECT_NEAR(slope(0, 0, K * h) / (2 * K * h), at.by_stiffness, 1e-7 * at.by_stiffness);
  }
}

// Rates from slow to fast, both ways: the force never pulls, exceeds the elastic one while the
// approach grows and is below it while it shrinks, so that a cycle takes energy.
TEST(NormalForce, NeverPullsAndNeverMakesEnergy) {
  for (const NormalDamping& damping :
       {NormalDamping{0.0, 0.0, 0.01}, NormalDamping{3.0, 0.5, 0.01}, NormalDamping{0.2, 4.0, 0.1},
        NormalDamping{0.0, 2.0, 1e-3}}) {
    const double elastic = normal_force(1e11, 5e-5, 0.0, damping).value;
    EXPECT_NEAR(elastic, 1e11 * std::pow(5e-5, 1.5), 1e-9 * elastic);
    for (double rate = 1e-5; rate < 1e3; rate *= 1.3) {
      EXPECT_GE(normal_force(1e11, 5e-5, rate, damping).value, elastic);
      EXPECT_LE(normal_force(1e11, 5e-5, -rate, damping).value, elastic);
      EXPECT_GE(normal_force(1e11, 5e-5, -rate, damping).value, 0.0);
    }
  }
  EXPECT_EQ(normal_force(1e11, -1e-6, -1.0, NormalDamping{1.0, 1.0, 0.01}).value, 0.0);
}

TEST(NormalForce, DampingThatMakesEnergyIsRefused) {
  try {
    check(NormalDamping{-1.0, -2.0, 0.0});
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_EQ(error.diagnostics().size(), 3u);
  }
}

}  // namespace
}  // namespace solidyn::railway

// Normal contact of a wheel and a rail by the potential of their overlap.
#include "solidyn/railway/rail_overlap.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/railway/profile_file.h"

namespace solidyn::railway {
namespace {

using Eigen::Vector3d;
using Vector5d = Eigen::Matrix<double, 5, 1>;

const AxlePosition kAtRest{0.0, 0.0, Vector3d::Zero()};

RailOverlap make(const std::string& wheel, const RailHead& rail,
                 PatchModel model = PatchModel::hertz) {
  return RailOverlap(load_profile(ProfileKind::wheel, wheel), WheelsetDimensions(), rail,
                     ElasticMaterial(), model);
}
constexpr PatchModel kModels[] = {PatchModel::hertz, PatchModel::piotrowski_kik};
RailHead standard_rail(double gauge = 1.435) {
  return RailHead(load_profile(ProfileKind::rail, "60e1"), RailPlacement{gauge, 0.025, 0.014});
}
RailOverlap make() { return make("s1002", standard_rail()); }

AxlePosition pressed(const RailOverlap& contact, double y, double roll, double yaw, double depth) {
  AxlePosition p;
  p.y = y;
  p.axle = Vector3d(-std::sin(yaw), std::cos(yaw) * std::cos(roll), std::cos(yaw) * std::sin(roll));
  p.z = contact.largest_overlap(p) - depth;
  return p;
}

OverlapSums sum_of(const RailOverlap& contact, const AxlePosition& p, const AxlePosition& rates,
                   const OverlapDamping& damping = {}) {
  std::vector<OverlapPatch> patches;
  contact.compute(p, rates, damping, patches);
  OverlapSums sum;
  for (const OverlapPatch& patch : patches) {
    sum.pressure += patch.share * patch.sums.pressure;
    sum.force_y += patch.share * patch.sums.force_y;
    sum.force_z += patch.share * patch.sums.force_z;
    sum.on_axle += patch.share * patch.sums.on_axle;
    sum.energy += patch.share * patch.sums.energy;
    sum.damping_power += patch.share * patch.sums.damping_power;
  }
  return sum;
}

// y, z and the axle's three components, not normalised.
Vector5d force_of(const OverlapSums& s) {
  Vector5d f;
  f << s.force_y, s.force_z, s.on_axle;
  return f;
}
AxlePosition moved(AxlePosition p, int i, double by) {
  if (i == 0) p.y += by;
  if (i == 1) p.z += by;
  if (i > 1) p.axle[i - 2] += by;
  return p;
}

// On the tread, at a two-point contact, on the flange; rolled and yawed.
TEST(RailOverlap, ForcesAreTheDerivativesOfTheEnergy) {
  const RailOverlap contact = make();
  for (const double y : {-0.004, 0.0002, 0.0052, 0.0054, 0.0072}) {
    const AxlePosition p = pressed(contact, y, 0.003, 0.02, 9e-5);
    const Vector5d force = force_of(sum_of(contact, p, kAtRest));
    for (int i = 0; i < 5; ++i) {
      const double h = 2e-8;
      const double slope = (sum_of(contact, moved(p, i, h), kAtRest).energy -
                            sum_of(contact, moved(p, i, -h), kAtRest).energy) /
                           (2.0 * h);
      EXPECT_NEAR(force[i], -slope, 2e-5 * force.norm()) << "y " << y << ", direction " << i;
    }
  }
}

// The ends of the overlap wander from sample to sample of a wheel that moves across: small motions
// see the stiffness that large ones have in the mean.
TEST(RailOverlap, StiffnessDoesNotDependOnWhereSamplesAre) {
  const RailOverlap contact =
      make("cone:0.1", RailHead(load_profile(ProfileKind::rail, "circle:0.3"), 0.75));
  const double lift = contact.largest_overlap(AxlePosition());
  std::vector<Vector5d> by_y, by_z;
  for (int k = 0; k < 40; ++k) {
    AxlePosition p;
    p.y = 1.1e-5 * k;
    p.z = lift - 6e-5;  // the cone's axle goes straight: the patch's width and place change slowly
    const auto slope = [&](int i) -> Vector5d {
      const double h = 1e-8;
      return (force_of(sum_of(contact, moved(p, i, h), kAtRest)) -
              force_of(sum_of(contact, moved(p, i, -h), kAtRest))) /
             (2.0 * h);
    };
    by_y.push_back(slope(0));
    by_z.push_back(slope(1));
  }
  for (const auto& slopes : {by_y, by_z})
    for (std::size_t k = 1; k + 1 < slopes.size(); ++k)
      EXPECT_LT((slopes[k + 1] - 2.0 * slopes[k] + slopes[k - 1]).norm(), 1e-3 * slopes[k].norm())
          << k;
}

// Where curvature is the same over the patch: wheel and rail are a cone and a circle. At another
// depth than the usual one, too.
TEST(RailOverlap, ParabolicGapHasHertzForceAndEllipse) {
  for (const double radius : {0.03, 0.2, 0.5})
    for (const PatchModel model : kModels) {
      const RailOverlap contact = make(
          "cone:0.05",
          RailHead(load_profile(ProfileKind::rail, fmt::format("circle:{}", radius)), 0.76), model);
      const AxlePosition p = pressed(contact, 0.001, 0.0, 0.0, 8e-5);
      std::vector<OverlapPatch> patches;
      contact.compute(p, kAtRest, {}, patches);
      ASSERT_EQ(patches.size(), 1u);
      const EquivalentPatch e = contact.equivalent(patches[0].sums, p);
      const double cosine = std::cos(std::atan(0.05));
      const double allowed = 3e-3 + 2.0 * 8e-5 / radius;  // by which a circle is no parabola
      EXPECT_NEAR(e.geometry.B, 0.5 / radius, allowed * 0.5 / radius);
      EXPECT_NEAR(e.geometry.A, 0.5 * cosine / e.radius, 1e-6);
      const EllipticContact exact =
          elliptic_contact({0.5 * cosine / e.radius, 0.5 / radius}, ElasticMaterial());
      const double hertz = exact.force(8e-5 * cosine);
      EXPECT_NEAR(e.normal_force, hertz, allowed * hertz) << radius;
      const EllipticContact found = contact.ellipse(patches[0], e, p);
      EXPECT_NEAR(found.along / exact.along, 1.0, allowed) << radius;
      EXPECT_NEAR(found.across / exact.across, 1.0, allowed) << radius;
    }
}

// Hollow wheels that become as hollow as the rail's head is round: the ellipse stays within the
// overlap that it comes from, and the force within that of a wheel on a flat strip of that width.
TEST(RailOverlap, ConformalPairsHaveBoundedAxesAndForces) {
  for (const PatchModel model : kModels) {
    double narrower = 0.0;
    for (const char* wheel :
         {"circle:0.6,0", "circle:0.33,0", "circle:0.303,0", "circle:0.3003,0"}) {
      const RailOverlap contact =
          make(wheel, RailHead(load_profile(ProfileKind::rail, "circle:0.3"), 0.75), model);
      const AxlePosition p = pressed(contact, 0.0, 0.0, 0.0, 5e-5);
      std::vector<OverlapPatch> patches;
      contact.compute(p, kAtRest, {}, patches);
      ASSERT_EQ(patches.size(), 1u) << wheel;
      const EquivalentPatch e = contact.equivalent(patches[0].sums, p);
      ASSERT_TRUE(std::isfinite(e.normal_force) && e.geometry.B > 0.0) << wheel;
      const double across = contact.ellipse(patches[0], e, p).half_axis_across(e.normal_force);
      const double width = std::sqrt(5e-5 / e.geometry.B);  // half that of the overlap
      EXPECT_LT(across, 1.2 * width) << wheel;
      EXPECT_LT(width, 0.08) << wheel;
      EXPECT_GT(e.normal_force, narrower) << wheel;  // the closer, the stiffer
      narrower = e.normal_force;
    }
    EXPECT_LT(narrower, 2e6);
  }
}

// The wheelset pushed slowly from tread to flange and back: forces change by no more than their
// slope times the step, so that half the step halves the largest change.
TEST(RailOverlap, TwoPointContactHasNoJumps) {
  const RailOverlap contact = make();
  const auto largest_change = [&](double step) {
    double largest = 0.0;
    Vector5d last = Vector5d::Zero();
    for (double y = 0.004; y <= 0.008; y += step) {
      const AxlePosition p = pressed(contact, y, 0.0, 0.0, 8e-5);
      const Vector5d force = force_of(sum_of(contact, p, kAtRest));
      if (y > 0.004) largest = std::max(largest, (force - last).norm() / (1.0 + force.norm()));
      last = force;
    }
    return largest;
  };
  const double coarse = largest_change(2e-5), fine = largest_change(1e-5);
  EXPECT_LT(fine, 0.65 * coarse);
}

// There with one depth, back with another: what the forces do on the way that closes is nothing,
// though both points are loaded in between.
TEST(RailOverlap, TwoPointContactLoadsBothPointsAndMakesNoEnergy) {
  const RailOverlap contact = make();
  constexpr double kStep = 2.5e-6, kLow = 8e-5, kHigh = 1.2e-4;
  std::vector<AxlePosition> way;
  for (double y = 0.004; y < 0.008; y += kStep) way.push_back(pressed(contact, y, 0.0, 0.0, kLow));
  for (double y = 0.008; y > 0.004; y -= kStep) way.push_back(pressed(contact, y, 0.0, 0.0, kHigh));
  way.push_back(way.front());
  double work = 0.0, exchanged = 0.0, second = 0.0;
  std::vector<OverlapPatch> patches;
  for (std::size_t i = 0; i + 1 < way.size(); ++i) {
    const OverlapSums from = sum_of(contact, way[i], kAtRest),
                      to = sum_of(contact, way[i + 1], kAtRest);
    const double part = 0.5 * ((from.force_y + to.force_y) * (way[i + 1].y - way[i].y) +
                               (from.force_z + to.force_z) * (way[i + 1].z - way[i].z));
    work += part;
    exchanged += std::abs(part);
    contact.compute(way[i], kAtRest, {}, patches);
    std::vector<double> loads;
    for (const OverlapPatch& patch : patches)
      loads.push_back(patch.share * std::hypot(patch.sums.force_y, patch.sums.force_z));
    std::sort(loads.rbegin(), loads.rend());
    if (loads.size() > 1) second = std::max(second, loads[1] / loads[0]);
  }
  EXPECT_GT(second, 0.5);
  EXPECT_LT(std::abs(work), 2e-3 * exchanged) << work << " of " << exchanged << " J";
}

// Nor do the ellipses, as summits rise above the level of the zone of another.
TEST(RailOverlap, EllipsesHaveNoJumps) {
  for (const PatchModel model : kModels) {
    const RailOverlap contact = make("s1002", standard_rail(), model);
    const auto largest_change = [&](double step) {
      double largest = 0.0;
      Eigen::Vector2d last = Eigen::Vector2d::Zero();
      for (double y = -0.002; y <= 0.008; y += step) {
        const AxlePosition p = pressed(contact, y, 0.0, 0.001, 8e-5);
        std::vector<OverlapPatch> patches;
        contact.compute(p, kAtRest, {}, patches);
        Eigen::Vector2d axes = Eigen::Vector2d::Zero();
        for (const OverlapPatch& patch : patches) {
          const EquivalentPatch e = contact.equivalent(patch.sums, p);
          const EllipticContact ellipse = contact.ellipse(patch, e, p);
          axes += patch.share * e.normal_force *
                  Eigen::Vector2d(ellipse.half_axis_along(e.normal_force),
                                  ellipse.half_axis_across(e.normal_force));
        }
        if (y > -0.002) largest = std::max(largest, (axes - last).norm());
        last = axes;
      }
      return largest;
    };
    const double coarse = largest_change(2e-5), fine = largest_change(5e-6);
    EXPECT_LT(fine, 0.4 * coarse);
  }
}

TEST(RailOverlap, SharesOfPatchesCoverEachSampleOnce) {
  const RailOverlap contact = make();
  const AxlePosition p = pressed(contact, 0.0053, 0.0, 0.0, 1e-4);
  std::vector<OverlapPatch> patches;
  contact.compute(p, kAtRest, {}, patches);
  ASSERT_GT(patches.size(), 1u);  // tread and flange root, apart and together
  double most = 0.0;
  for (const OverlapPatch& patch : patches) most = std::max(most, patch.sums.pressure);
  EXPECT_NEAR(sum_of(contact, p, kAtRest).pressure, most, 1e-9 * most);
}

TEST(RailOverlap, DampingTakesEnergyAndNeverPulls) {
  const RailOverlap contact = make();
  const OverlapDamping damping{0.5, 0.02};
  for (const double y : {0.0, 0.0053}) {
    const AxlePosition p = pressed(contact, y, 0.001, 0.005, 9e-5);
    const double elastic = sum_of(contact, p, kAtRest).force_z;
    for (const double rate : {-1.0, -0.01, 0.01, 1.0}) {
      AxlePosition rates = kAtRest;
      rates.z = rate;
      const OverlapSums s = sum_of(contact, p, rates, damping);
      EXPECT_LT(s.damping_power, 0.0);
      EXPECT_NEAR(s.damping_power, (s.force_z - elastic) * rate, 1e-9 * elastic);
      EXPECT_GT(s.force_z, 0.49 * elastic);
    }
  }
}

// The surface of a wheel that is yawed, sampled in space, is nowhere above the line of contact.
TEST(RailOverlap, YawedWheelTouchesWhereItsSurfaceIsLowest) {
  const Profile wheel = load_profile(ProfileKind::wheel, "s1002");
  const WheelsetDimensions d;
  const RailHead rail = standard_rail();
  const RailOverlap contact(wheel, d, rail, ElasticMaterial());
  const AxlePosition p = pressed(contact, 0.0065, 0.0, 0.03, 0.0);
  const Vector3d a = p.axle, forward = (Vector3d::UnitX() - a.x() * a).normalized(),
                 down = a.cross(forward).normalized() * (a.cross(forward).z() < 0 ? 1.0 : -1.0);
  double lift = -1.0;
  for (std::size_t s = 0; s < wheel.n_sections(); ++s)
    for (int i = 0; i <= 400; ++i) {
      const CurvePoint at = wheel.at(s, wheel.from(s) + (wheel.to(s) - wheel.from(s)) * i / 400.0);
      for (double t = -0.15; t <= 0.15; t += 5e-4) {
        const Vector3d q = a * (d.tape_circle() + at.p.x()) +
                           (d.radius - at.p.y()) * (std::cos(t) * down + std::sin(t) * forward);
        const double y = p.y + q.y();
        if (rail.reaches(y)) lift = std::max(lift, rail.at(y).p.y() - q.z());
      }
    }
  EXPECT_NEAR(p.z, lift, 2e-6);
}

TEST(RailOverlap, WheelBesideItsRailIsRefused) {
  EXPECT_THROW(make("s1002", standard_rail(2.5)), base::InputError);
}

}  // namespace
}  // namespace solidyn::railway

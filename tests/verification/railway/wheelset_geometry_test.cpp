// Contact positions, jumps and conicities against tables of an independent program and closed forms
// (tests/data/railway/README.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "named_columns.h"
#include "solidyn/railway/conicity.h"
#include "solidyn/railway/profile_file.h"

namespace solidyn::railway {
namespace {

using testing_support::NamedRow;
using testing_support::read_named_columns;

const std::string kProfiles = std::string(SOLIDYN_SOURCE_DIR) + "/tests/data/railway/profiles/";

WheelsetOnTrack s1002_on(const std::string& rail, double inclination = 1.0 / 40.0) {
  RailPlacement placement;
  placement.inclination = inclination;
  return make_wheelset_on_track(make_built_in_profile(ProfileKind::wheel, "s1002"),
                                WheelsetDimensions(),
                                make_built_in_profile(ProfileKind::rail, rail), placement);
}

// The file's rail is inclined already.
WheelsetOnTrack from_files() {
  RailPlacement placement;
  placement.inclination = 0.0;
  return make_wheelset_on_track(
      read_profile(ProfileKind::wheel, kProfiles + "MBench_S1002_v3.prw").profile,
      WheelsetDimensions(),
      read_profile(ProfileKind::rail, kProfiles + "MBench_UIC60_v3.prr").profile, placement);
}

// Positions in mm.
void expect_row(const NamedRow& row, const WheelsetOnTrack& wheelset, double position_tolerance) {
  SCOPED_TRACE("y = " + row.text("y") + " mm");
  const TwoSidedContact c = wheelset.contact(1e-3 * row["y"]);
  EXPECT_NEAR(c.roll, row["roll"], 1e-7);
  EXPECT_NEAR(1e3 * c.z, row["z"], 1e-4);
  EXPECT_NEAR(1e3 * c.left.u, row["ul"], position_tolerance);
  EXPECT_NEAR(1e3 * c.right.u, row["ur"], position_tolerance);
  EXPECT_NEAR(1e3 * c.left.y, row["yl"], position_tolerance);
  EXPECT_NEAR(-1e3 * c.right.y, row["yr"], position_tolerance);
  EXPECT_NEAR(c.left.angle, row["angl"], std::max(1e-5, 0.05 * position_tolerance));
  EXPECT_NEAR(c.right.angle, row["angr"], std::max(1e-5, 0.05 * position_tolerance));
}

TEST(WheelsetGeometry, S1002TouchesBothRailsWhereTheTablesSay) {
  for (const auto& [file, rail] :
       {std::pair<const char*, const char*>{"uic60", "uic60_mbench"}, {"60e1", "60e1"}}) {
    const WheelsetOnTrack wheelset = s1002_on(rail);
    for (const NamedRow& row :
         read_named_columns(std::string("railway/g01_s1002_") + file + ".csv")) {
      expect_row(row, wheelset, 1e-3);
      EXPECT_NEAR(1e3 * wheelset.contact(1e-3 * row["y"]).radius_difference(), row["dr"], 1e-4);
    }
  }
}

// The contact at 1 mm and below is where the curvature of the rail jumps, which a spline rounds:
// 2e-4 mm in the radius.
TEST(WheelsetGeometry, ProfileFilesGiveTheSamePlaces) {
  const WheelsetOnTrack wheelset = from_files();
  for (const NamedRow& row : read_named_columns("railway/g01_s1002_uic60.csv")) {
    expect_row(row, wheelset, 0.02);
    EXPECT_NEAR(1e3 * wheelset.contact(1e-3 * row["y"]).radius_difference(), row["dr"], 2e-4)
        << row["y"];
  }
}

TEST(WheelsetGeometry, InclinedHeadLiesWhereItsGaugeIs) {
  const RailHead head(make_built_in_profile(ProfileKind::rail, "uic60_mbench"), RailPlacement());
  EXPECT_NEAR(1e3 * head.origin().x(), 753.040882, 2e-6);
  EXPECT_NEAR(1e3 * head.origin().y(), -0.093706, 1e-6);
}

TEST(WheelsetGeometry, TwoPointsTouchAtTheJumps) {
  const RadiusDifferenceTable table = tabulate(s1002_on("uic60_mbench"), 7e-3);
  const double expected[3][3] = {
      {0.20900, 2.178, -8.024}, {4.84800, -17.862, -28.342}, {6.25182, -35.0, -38.427}};
  int found = 0;
  for (const ContactJump& jump : table.jumps) {
    if (!jump.is_left) continue;
    ASSERT_LT(found, 3);
    EXPECT_NEAR(1e3 * jump.y, expected[found][0], 2e-3);
    EXPECT_NEAR(1e3 * jump.u_before, expected[found][1], 2e-3);
    EXPECT_NEAR(1e3 * jump.u_after, expected[found][2], 2e-3);
    ++found;
  }
  EXPECT_EQ(found, 3);
  EXPECT_EQ(table.jumps.size(), 6u);  // those of the right wheel mirror them
  // The straight flank, 70 degrees from the axle, on a rail that has rolled away by 0.2 degrees.
  EXPECT_NEAR(table.steepest.angle, 70.0 * M_PI / 180.0, 6e-3);
  EXPECT_NEAR(1e3 * table.steepest.y, 6.35, 0.1);  // after the jump, on the flank

  const WheelRailContact before = s1002_on("uic60_mbench").contact(4.8479e-3).left;
  EXPECT_NEAR(1e3 * before.u, -17.862, 2e-3);
}

// Both contacts of the flange's jump are summits of the overlap, and equally high there.
TEST(WheelsetGeometry, AllSummitsOfTheOverlapAreFound) {
  const RailHead head(make_built_in_profile(ProfileKind::rail, "uic60_mbench"), RailPlacement());
  const WheelOnRail wheel(make_built_in_profile(ProfileKind::wheel, "s1002"), 0.46, 0.75, head);
  const double y = 4.84793e-3, roll = s1002_on("uic60_mbench").contact(y).roll;
  const std::vector<WheelRailContact> all = wheel.touching(y, roll, 1e-7);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_NEAR(1e3 * all[0].u, -28.342, 2e-2);
  EXPECT_NEAR(1e3 * all[1].u, -17.862, 2e-2);
  EXPECT_NEAR(all[0].lift, all[1].lift, 1e-8);
}

void expect_conicities(const RadiusDifference& table,
                       std::optional<double> (*conicity)(const RadiusDifference&, double),
                       const std::vector<double>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_NEAR(conicity(table, 1e-3 * static_cast<double>(i + 1)).value(), expected[i], 1e-3)
        << i + 1 << " mm";
}

TEST(Conicity, OfS1002ByThreeDefinitions) {
  const RadiusDifference table = tabulate(s1002_on("uic60_mbench"), 7e-3).difference;
  expect_conicities(table, equivalent_conicity, {0.3707, 0.2294, 0.1836, 0.1650, 0.2140, 0.3049});
  expect_conicities(table, harmonic_conicity, {0.3759, 0.2322, 0.1852, 0.1657, 0.2270, 0.3138});
  expect_conicities(table, regression_conicity, {0.4202, 0.2576, 0.2017, 0.1765, 0.1852, 0.2637});
}

TEST(Conicity, FromProfileFiles) {
  expect_conicities(tabulate(from_files(), 7e-3).difference, equivalent_conicity,
                    {0.3707, 0.2294, 0.1836, 0.1650, 0.2140, 0.3049});
}

TEST(Conicity, OnRails60E1InclinedBy40And20) {
  expect_conicities(tabulate(s1002_on("60e1"), 7e-3).difference, equivalent_conicity,
                    {0.3563, 0.2213, 0.1771, 0.1588, 0.1651, 0.2925});
  expect_conicities(tabulate(s1002_on("60e1", 1.0 / 20.0), 7e-3).difference, equivalent_conicity,
                    {0.0091, 0.0092, 0.0095, 0.0098, 0.0102, 0.0109});
}

TEST(Conicity, OnMetreGauge) {
  WheelsetDimensions wheelset;
  wheelset.radius = 0.457;
  wheelset.flange_back = 0.925;
  RailPlacement track;
  track.gauge = 1.0;
  const auto on_track =
      make_wheelset_on_track(make_built_in_profile(ProfileKind::wheel, "s1002"), wheelset,
                             make_built_in_profile(ProfileKind::rail, "60e1"), track);
  expect_conicities(tabulate(on_track, 5e-3).difference, equivalent_conicity,
                    {0.357, 0.222, 0.178, 0.160});
}

// The reference is printed with three digits; its own tolerance is min(0.05, 0.5 tan(gamma_e)).
TEST(Conicity, OfTheBenchmarkFunctionsOfEn15302) {
  std::map<std::string, RadiusDifference> tables;
  for (const NamedRow& row : read_named_columns("railway/g01_en15302_dr.csv")) {
    tables[row.text("case")].y.push_back(1e-3 * row["y"]);
    tables[row.text("case")].dr.push_back(1e-3 * row["dr"]);
  }
  int n_compared = 0;
  for (const NamedRow& row : read_named_columns("railway/g01_en15302_reference.csv")) {
    const std::optional<double> conicity =
        equivalent_conicity(tables.at(row.text("case")), 1e-3 * row["amplitude"]);
    if (!conicity) continue;
    EXPECT_NEAR(*conicity, row["tan_gamma_e"], 1e-3)
        << row.text("case") << " at " << row["amplitude"] << " mm";
    ++n_compared;
  }
  EXPECT_GT(n_compared, 250);
}

// K and the roll's equation: two conditions of tangency of a straight meridian and a circle, linear
// in z.
struct ConeOnCircle {
  double roll = 0.0, z = 0.0;
};
ConeOnCircle cone_on_circle(double slope, double radius, double tape, double R, double y) {
  const double g = std::atan(slope), K = radius * std::cos(g) + tape * std::sin(g);
  const auto side = [&](double angle, double arm) {
    return (K + R - std::sin(angle) * arm) / std::cos(angle) - R;
  };
  double low = -0.05, high = 0.05;
  for (int i = 0; i < 100; ++i) {
    const double p = 0.5 * (low + high);
    (side(g + p, tape - y) - side(g - p, tape + y) > 0.0 ? low : high) = p;
  }
  return {low, side(g + low, tape - y)};
}

WheelsetOnTrack on_arcs(const std::string& wheel, double crown) {
  return WheelsetOnTrack(
      WheelOnRail(make_built_in_profile(ProfileKind::wheel, wheel), 0.46, 0.75,
                  RailHead(make_built_in_profile(ProfileKind::rail, "circle:0.3"), crown)));
}

TEST(WheelsetGeometry, ConeOnCirclesFollowsTheClosedForm) {
  const WheelsetOnTrack wheelset = on_arcs("cone:0.05", 0.75);
  for (double y : {1e-3, 5e-3, -2e-3}) {
    const ConeOnCircle expected = cone_on_circle(0.05, 0.46, 0.75, 0.3, y);
    const TwoSidedContact c = wheelset.contact(y);
    EXPECT_NEAR(c.roll, expected.roll, 1e-12);
    EXPECT_NEAR(c.z, expected.z, 1e-12);
  }
  const TwoSidedContact c = wheelset.contact(5e-3);
  EXPECT_NEAR(1e3 * c.radius_difference(), 0.526699289, 1e-7);
  EXPECT_NEAR(1e3 * c.left.u, -20.248324, 1e-6);
  EXPECT_NEAR(1e3 * c.right.u, -9.714338, 1e-6);
  EXPECT_NEAR(wheelset.contact(1e-6).radius_difference() / 2e-6, 0.052669926, 1e-7);
}

TEST(WheelsetGeometry, HollowTreadOnCircles) {
  const double angle = 0.04;
  const WheelsetOnTrack wheelset =
      on_arcs("circle:0.5," + std::to_string(std::tan(angle)), 0.75 + 0.3 * std::sin(angle));
  EXPECT_NEAR(1e3 * wheelset.contact(3e-3).radius_difference(), 0.6253526,
              5e-5);  // to_string has six decimals
  EXPECT_NEAR(wheelset.contact(5e-5).radius_difference() / 1e-4, 0.104212, 1e-5);
}

// A wheelset of one side mirrors the other.
TEST(WheelsetGeometry, MirroredStatesAreMirrorImages) {
  const WheelsetOnTrack wheelset = s1002_on("60e1");
  const TwoSidedContact a = wheelset.contact(2.3e-3), b = wheelset.contact(-2.3e-3);
  EXPECT_NEAR(a.roll, -b.roll, 1e-14);
  EXPECT_NEAR(a.left.u, b.right.u, 1e-12);
  EXPECT_NEAR(a.right.radius, b.left.radius, 1e-13);
}

}  // namespace
}  // namespace solidyn::railway

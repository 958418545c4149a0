// Hertz' patches, creepages and creep forces against reference tables and CONTACT's half-space
// solutions (tests/data/railway/README.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "named_columns.h"
#include "solidyn/railway/creep_law.h"
#include "solidyn/railway/elliptic_contact.h"
#include "solidyn/railway/rail_overlap.h"
#include "solidyn/railway/wheelset_geometry.h"

namespace solidyn::railway {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using testing_support::NamedRow;
using testing_support::read_named_columns;

WheelsetOnTrack benchmark_wheelset() {
  return make_wheelset_on_track(
      make_built_in_profile(ProfileKind::wheel, "s1002"), WheelsetDimensions(),
      make_built_in_profile(ProfileKind::rail, "uic60_mbench"), RailPlacement());
}

struct PatchRow {
  double y, A, B, a, b, pressure, approach, stiffness;  ///< mm, 1/m, mm, MPa, um, N/m^1.5
  bool is_left;
  double tolerance;  ///< relative
};

// S1002 on uic60_mbench, 60 kN, E = 210 GPa, nu = 0.3. The last row's curvature of the wheel,
// -40.35399, comes from second differences over 1e-3 mm of a polynomial with large terms; in
// rational arithmetic it is -40.3937 1/m.
TEST(EllipticPatches, OfProfilePairs) {
  const WheelsetOnTrack wheelset = benchmark_wheelset();
  for (const PatchRow& row : {PatchRow{0.0, 1.086857, 0.378135, 4.667606, 9.403078, 652.7222,
                                       57.11273, 1.390119e11, true, 1e-4},
                              PatchRow{3.0, 1.080524, 3.121804, 6.630941, 3.280380, 1317.023,
                                       81.10339, 8.214719e10, true, 1e-4},
                              PatchRow{3.0, 1.087398, 1.128139, 5.673741, 5.536308, 912.0169,
                                       69.58304, 1.033704e11, false, 1e-4},
                              PatchRow{5.5, 1.016978, 18.284543, 8.239631, 1.269890, 2737.907,
                                       98.53026, 6.134749e10, true, 1.2e-3}}) {
    const TwoSidedContact c = wheelset.contact(1e-3 * row.y);
    const WheelRailContact& side = row.is_left ? c.left : c.right;
    const ContactGeometry g = wheel_rail_geometry(side.wheel_angle, side.radius,
                                                  side.wheel_curvature, side.rail_curvature);
    EXPECT_NEAR(g.A, row.A, row.tolerance * row.A);
    EXPECT_NEAR(g.B, row.B, row.tolerance * row.B);
    const EllipticContact hertz = elliptic_contact(g, ElasticMaterial());
    EXPECT_NEAR(1e3 * hertz.half_axis_along(60e3), row.a, row.tolerance * row.a);
    EXPECT_NEAR(1e3 * hertz.half_axis_across(60e3), row.b, row.tolerance * row.b);
    EXPECT_NEAR(1e-6 * hertz.pressure(60e3), row.pressure, row.tolerance * row.pressure);
    EXPECT_NEAR(1e6 * hertz.approach(60e3), row.approach, row.tolerance * row.approach);
    EXPECT_NEAR(hertz.stiffness, row.stiffness, row.tolerance * row.stiffness);
  }
}

struct CreepageRow {
  double yaw, lateral_speed, yaw_rate, xi_l, eta_l, spin_l, xi_r, eta_r, spin_r;
};

Matrix3d rotation(double yaw, double roll) {
  return (Eigen::AngleAxisd(yaw, Vector3d::UnitZ()) * Eigen::AngleAxisd(roll, Vector3d::UnitX()))
      .toRotationMatrix();
}

TEST(Creepages, OfARollingWheelset) {
  const double V = 20.0;
  const TwoSidedContact c = benchmark_wheelset().contact(3e-3);
  for (const CreepageRow& row :
       {CreepageRow{0, 0, 0, -1.6969884e-3, 0, -0.19976025, 4.6382624e-4, 0, 0.023389274},
        CreepageRow{0.002, 0, 0, -1.6949856e-3, -2.0119046e-3, -0.19975985, 4.6582592e-4,
                    -1.9991867e-3, 0.023389228},
        CreepageRow{0.002, 0.01, 0.02, -2.4319658e-3, -1.5154113e-3, -0.19876410, 1.2261918e-3,
                    -1.4977037e-3, 0.024389172}}) {
    const Matrix3d R = rotation(row.yaw, c.roll);
    Motion wheelset;
    wheelset.p = {0.0, c.y, c.z};
    wheelset.v = {V, row.lateral_speed, 0.0};
    wheelset.w = Vector3d(0.0, 0.0, row.yaw_rate) + V / 0.46 * R.col(1);
    for (const bool is_left : {true, false}) {
      const WheelRailContact& side = is_left ? c.left : c.right;
      const Matrix3d axes = contact_axes(side.angle, is_left);
      Vector3d p(0.0, is_left ? side.y : -side.y, side.z);
      if (row.yaw != 0.0) p.x() = contact_along_track(wheelset.p, R.col(1), p, axes.col(2));
      const Creepages creep = creepages(wheelset, Motion(), p, axes, V);
      const auto near = [](double value, double expected) {
        EXPECT_NEAR(value, expected,
                    2e-6 * std::abs(expected) + 1e-8);  // printed with 8 digits of place and roll
      };
      near(creep.longitudinal, is_left ? row.xi_l : row.xi_r);
      near(creep.lateral, is_left ? row.eta_l : row.eta_r);
      near(creep.spin, is_left ? row.spin_l : row.spin_r);
      if (row.yaw != 0.0) {
        EXPECT_NEAR(p.x(), is_left ? -0.001388751 : 0.001511008, 2e-9);
      }
    }
  }
}

// CONTACT has y to the right and z down, forces on the rail, creepages of the rail against the
// wheel over the mean of V and the wheel's circumferential speed, at the wheel's undeformed
// surface, which lies deeper than the rail's by the approach.
TEST(Creepages, AreThoseOf42StatesOfContact) {
  int n_states = 0;
  for (const NamedRow& s : read_named_columns("railway/g02_contact_mbench.csv")) {
    const bool is_left = s.text("side") == "left";
    const double V = 2.0, angle = is_left ? s["delt"] : -s["delt"];
    Motion wheelset;
    wheelset.p = {0.0, -1e-3 * s["y"], 1e-3 * (460.0 - s["z"])};
    wheelset.v = {V, 0.0, 0.0};
    wheelset.w = -s["vpitch"] * rotation(-s["yaw"], s["roll"]).col(1);
    const Vector3d c(1e-3 * s["xcp"], -1e-3 * s["ycp"],
                     -1e-3 * (s["zcp"] + s["approach"] * std::cos(s["delt"])));
    const Creepages creep = creepages(wheelset, Motion(), c, contact_axes(angle, is_left), V);
    const double mean = 1.0 - 0.5 * creep.longitudinal;
    EXPECT_NEAR(-creep.longitudinal / mean, s["cksi"], 1e-5) << s.text("side") << s["y"];
    EXPECT_NEAR(creep.lateral / mean, s["ceta"], 1e-5) << s.text("side") << s["y"];
    EXPECT_NEAR(1e-3 * creep.spin / mean, s["cphi"], 1e-6) << s.text("side") << s["y"];
    ++n_states;
  }
  EXPECT_EQ(n_states, 42);
}

struct Case {
  CreepState state;
  CreepParameters parameters;
};
Case case_of(const NamedRow& row) {
  Case c;
  c.state = {{row["xi"], row["eta"], row["spin"]}, row["Q"], row["mu"], row["a"], row["b"]};
  c.parameters.shear_modulus = 82e9;
  c.parameters.coefficients = kalker_coefficients(row["a"] / row["b"], 0.28);
  return c;
}

void expect_forces(const Vector3d& F, const NamedRow& row, const std::string& law,
                   double tolerance) {
  EXPECT_NEAR(F.x(), row[law + "_x"], tolerance) << law;
  EXPECT_NEAR(F.y(), row[law + "_y"], tolerance) << law;
}

TEST(CreepForces, OfLawsInClosedFormAreThoseOfTheTable) {
  for (const NamedRow& row : read_named_columns("railway/g03_creep_forces.csv")) {
    const Case c = case_of(row);
    EXPECT_NEAR(c.parameters.coefficients.c11, row["c11"], 1e-7);
    EXPECT_NEAR(c.parameters.coefficients.c22, row["c22"], 1e-7);
    EXPECT_NEAR(c.parameters.coefficients.c23, row["c23"], 1e-7);
    const double tolerance = 1e-6 * row["mu"] * row["Q"];
    expect_forces(creep_law("linear").value(c.state, c.parameters), row, "lin", 10.0 * tolerance);
    expect_forces(creep_law("shen_hedrick_elkins").value(c.state, c.parameters), row, "she",
                  tolerance);
    expect_forces(creep_law("polach").value(c.state, c.parameters), row, "polach", tolerance);
  }
}

TEST(CreepForces, OfFastsimTendToThoseOfTheTable) {
  for (const NamedRow& row : read_named_columns("railway/g03_creep_forces.csv")) {
    Case c = case_of(row);
    for (const auto& [bound, law] :
         {std::pair<TractionBound, const char*>{TractionBound::parabola, "fastsim"},
          {TractionBound::ellipsoid, "fastsim_ell"}})
      for (const auto& [cells, share] : {std::pair<int, double>{50, 1.5e-2}, {320, 1e-3}}) {
        c.parameters.bound = bound;
        c.parameters.cells_along = c.parameters.cells_across = cells;
        const Vector3d F = creep_law("fastsim").value(c.state, c.parameters);
        const double size = std::hypot(row[std::string(law) + "_x"], row[std::string(law) + "_y"]);
        expect_forces(F, row, law, 1.5 * share * size);
        EXPECT_NEAR(F.z(), row[std::string(law) + "_Mz"], 0.02 * size * row["a"]);
        EXPECT_LE(F.head<2>().norm(), c.state.friction * c.state.normal_force * (1.0 + 1e-12));
      }
  }
}

// Without spin and along one creepage, FASTSIM with Hertz' pressure as bound is Polach's closed
// form.
TEST(CreepForces, PolachIsFastsimWithTheEllipsoidWhereThatIsExact) {
  CreepState state{{0.0013, 0.0, 0.0}, 80e3, 0.3, 6e-3, 4.5e-3};
  CreepParameters p;
  p.coefficients = kalker_coefficients(4.0 / 3.0, 0.28);
  p.bound = TractionBound::ellipsoid;
  p.cells_along = p.cells_across = 400;
  for (int direction = 0; direction < 2; ++direction) {
    const Vector3d fastsim = creep_law("fastsim").value(state, p),
                   polach = creep_law("polach").value(state, p);
    EXPECT_NEAR((fastsim - polach).head<2>().norm(), 0.0, 1e-3 * polach.norm());
    std::swap(state.creepages.longitudinal, state.creepages.lateral);
  }
}

double percentile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))];
}

// Hertz' ellipses and simplified theory against a half-space solution with the profiles' own gap:
// distances of the force vectors over mu N have a published spread of 0.024 (median), 0.051 (90 %)
// and 0.068 (largest) for FASTSIM.
TEST(CreepForces, AreNearThoseOfContact) {
  const RailHead rail(make_built_in_profile(ProfileKind::rail, "uic60_mbench"), RailPlacement());
  const Profile wheel = make_built_in_profile(ProfileKind::wheel, "s1002");
  const ElasticMaterial steel{2.0 * 82e9 * 1.28, 0.28};
  std::vector<double> fastsim, polach;
  for (const NamedRow& s : read_named_columns("railway/g02_contact_mbench.csv")) {
    const double side = s.text("side") == "left" ? 1.0 : -1.0, u = -side * s["ycpw"];
    std::size_t section = 0;
    while (section + 1 < wheel.n_sections() &&
           wheel.at(section, wheel.to(section)).p.x() < 1e-3 * u)
      ++section;
    double low = wheel.from(section), high = wheel.to(section);
    for (int i = 0; i < 60; ++i) {
      const double t = 0.5 * (low + high);
      (wheel.at(section, t).p.x() < 1e-3 * u ? low : high) = t;
    }
    const CurvePoint on_wheel = wheel.at(section, low);
    const ContactGeometry g =
        wheel_rail_geometry(s["delt"], 0.46 - on_wheel.p.y(), on_wheel.curvature(),
                            -rail.at(-side * 1e-3 * s["ycp"]).curvature());
    if (g.B < 0.05) continue;  // conformal: no ellipse of Hertz'
    const EllipticContact hertz = elliptic_contact(g, steel);
    const double N = s["FN"];
    CreepState state{{s["cksi"], s["ceta"], 1e3 * s["cphi"]},
                     N,
                     0.3,
                     hertz.half_axis_along(N),
                     hertz.half_axis_across(N)};
    CreepParameters p;
    p.shear_modulus = 82e9;
    p.coefficients = kalker_coefficients(std::clamp(state.a / state.b, 0.1, 10.0), 0.28);
    p.cells_along = p.cells_across = 60;
    const Eigen::Vector2d contact(s["FX"], s["FS"]);
    const auto distance = [&](const char* law) {
      return (creep_law(law).value(state, p).head<2>() - contact).norm() / (0.3 * N);
    };
    fastsim.push_back(distance("fastsim"));
    polach.push_back(distance("polach"));
  }
  ASSERT_GE(fastsim.size(), 40u);
  EXPECT_LT(percentile(fastsim, 0.5), 0.026);
  EXPECT_LT(percentile(fastsim, 0.9), 0.053);
  EXPECT_LT(percentile(fastsim, 1.0), 0.070);
  EXPECT_LT(percentile(polach, 0.5), 0.047);
  EXPECT_LT(percentile(polach, 0.9), 0.18);
  EXPECT_LT(percentile(polach, 1.0), 0.25);
}

// Wheelsets in CONTACT's places, whose overlap is CONTACT's approach: distance of the normal force,
// and of the largest pressure of the ellipse, from CONTACT's, both relative. The parabola
// of the overlap is nearer for most places, Piotrowski and Kik's zone for the worst, where
// curvatures change within the patch.
TEST(NormalForces, OfTheOverlapAreNearThoseOfContact) {
  const RailHead rail(make_built_in_profile(ProfileKind::rail, "uic60_mbench"), RailPlacement());
  const Profile wheel = make_built_in_profile(ProfileKind::wheel, "s1002");
  const ElasticMaterial steel{2.0 * 82e9 * 1.28, 0.28};
  struct Bounds {
    PatchModel model;
    double force[3], pressure[3];  // median, 90 %, largest
  };
  for (const Bounds& bounds :
       {Bounds{PatchModel::hertz, {0.018, 0.135, 0.21}, {0.008, 0.041, 0.56}},
        Bounds{PatchModel::piotrowski_kik, {0.02, 0.12, 0.28}, {0.015, 0.08, 0.13}}}) {
    const RailOverlap overlap(wheel, WheelsetDimensions(), rail, steel, bounds.model);
    std::vector<double> force, pressure;
    for (const NamedRow& s : read_named_columns("railway/g02_contact_mbench.csv")) {
      const bool is_left = s.text("side") == "left";
      const Vector3d axle = rotation(-s["yaw"], s["roll"]).col(1);
      AxlePosition p;
      p.y = (is_left ? -1e-3 : 1e-3) * s["y"];
      p.axle = is_left ? axle : Vector3d(-axle.x(), axle.y(), -axle.z());
      p.z = overlap.largest_overlap(p) - 1e-3 * s["approach"] / std::cos(s["delt"]);
      std::vector<OverlapPatch> patches;
      overlap.compute(p, {0.0, 0.0, Vector3d::Zero()}, {}, patches);
      double N = 0.0;
      for (const OverlapPatch& patch : patches)
        N += patch.share * overlap.equivalent(patch.sums, p).normal_force;
      force.push_back(std::abs(N / s["FN"] - 1.0));
      if (patches.size() > 1) continue;
      const EquivalentPatch shape = overlap.equivalent(patches[0].sums, p);
      const EllipticContact ellipse = overlap.ellipse(patches[0], shape, p);
      pressure.push_back(std::abs(ellipse.pressure(s["FN"]) / (1e6 * s["pmax"]) - 1.0));
    }
    ASSERT_GE(pressure.size(), 38u);
    for (int i = 0; i < 3; ++i) {
      const double share = i == 0 ? 0.5 : i == 1 ? 0.9 : 1.0;
      EXPECT_LT(percentile(force, share), bounds.force[i]) << share;
      EXPECT_LT(percentile(pressure, share), bounds.pressure[i]) << share;
    }
  }
}

}  // namespace
}  // namespace solidyn::railway

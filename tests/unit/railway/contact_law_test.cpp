#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "solidyn/base/error.h"
#include "solidyn/railway/creep_law.h"
#include "solidyn/railway/elliptic_contact.h"

namespace solidyn::railway {
namespace {

// Half axes along rolling and across, largest pressure, approach; E = 210 GPa, nu = 0.3. From
// quadrature.
TEST(EllipticContact, HasThePatchOfGivenCurvatures) {
  const double rows[3][7] = {
      {1.086, 2.0, 60e3, 6.21190790e-3, 4.13738045e-3, 1.11465937e9, 7.61421845e-5},
      {1.086, 0.5, 60e3, 4.92032060e-3, 8.24055225e-3, 7.06550028e8, 6.02449272e-5},
      {1.0, 30.0, 40e3, 7.54139811e-3, 8.49621739e-4, 2.98073862e9, 7.85283984e-5}};
  for (const auto& r : rows) {
    const EllipticContact hertz = elliptic_contact({r[0], r[1]}, ElasticMaterial());
    EXPECT_NEAR(hertz.half_axis_along(r[2]), r[3], 1e-8 * r[3]);
    EXPECT_NEAR(hertz.half_axis_across(r[2]), r[4], 1e-8 * r[4]);
    EXPECT_NEAR(hertz.pressure(r[2]), r[5], 1e-8 * r[5]);
    EXPECT_NEAR(hertz.approach(r[2]), r[6], 1e-8 * r[6]);
    EXPECT_NEAR(hertz.force(r[6]), r[2], 1e-7 * r[2]);
  }
}

// K = 4/3 E* sqrt(R) with A = B = 1/(2 R) and E* = E / (2 (1 - nu^2)).
TEST(EllipticContact, OfEqualCurvaturesIsTheSphere) {
  const double R = 0.3, E_star = 210e9 / (2.0 * (1.0 - 0.09));
  const EllipticContact hertz = elliptic_contact({0.5 / R, 0.5 / R}, ElasticMaterial());
  EXPECT_NEAR(hertz.stiffness, 4.0 / 3.0 * E_star * std::sqrt(R), 1e-13 * hertz.stiffness);
  EXPECT_NEAR(hertz.along, hertz.across, 1e-15 * hertz.along);
}

TEST(EllipticContact, IsContinuousThroughTheCircle) {
  const EllipticContact a = elliptic_contact({1.0, 1.0 - 1e-9}, ElasticMaterial()),
                        b = elliptic_contact({1.0, 1.0 + 1e-9}, ElasticMaterial());
  EXPECT_NEAR(a.stiffness, b.stiffness, 2e-9 * a.stiffness);
  EXPECT_NEAR(a.along, b.along, 2e-9 * a.along);
}

TEST(EllipticContact, DerivativesAreThoseOfDifferences) {
  for (const auto& [A, B] : {std::pair<double, double>{1.086, 0.38},
                             {1.0, 18.0},
                             {1.1, 1.1},
                             {1.1, 1.12},
                             {0.9, 1.1},
                             {1.0, 0.01}}) {
    const EllipticContactDerivatives d = elliptic_contact_derivatives({A, B}, ElasticMaterial());
    for (int which = 0; which < 2; ++which) {
      const double h = 1e-5 * (which ? B : A);
      const EllipticContact after =
          elliptic_contact({A + (which ? 0 : h), B + (which ? h : 0)}, ElasticMaterial());
      const EllipticContact before =
          elliptic_contact({A - (which ? 0 : h), B - (which ? h : 0)}, ElasticMaterial());
      const EllipticContact& by = which ? d.by_B : d.by_A;
      EXPECT_NEAR((after.stiffness - before.stiffness) / (2 * h), by.stiffness,
                  1e-6 * after.stiffness / std::max(A, B))
          << A << " " << B;
      EXPECT_NEAR((after.along - before.along) / (2 * h), by.along,
                  1e-7 * after.along / std::min(A, B))
          << A << " " << B;
      EXPECT_NEAR((after.across - before.across) / (2 * h), by.across,
                  1e-7 * after.across / std::min(A, B))
          << A << " " << B;
    }
  }
}

TEST(EllipticContact, ConformalSurfacesAreRefused) {
  EXPECT_THROW(elliptic_contact({1.0, 0.0}, ElasticMaterial()), base::ComputationError);
  EXPECT_THROW(elliptic_contact({1.0, -0.3}, ElasticMaterial()), base::ComputationError);
}

// Boundary elements of another program, extrapolated, about 0.5 %; c33 2 %.
TEST(Kalker, TableAgreesWithBoundaryElements) {
  const double rows[7][6] = {
      {1, 0.25, 4.117, 3.670, 1.466, 1.196},  {1, 0, 3.398, 3.398, 1.334, 1.22},
      {1, 0.5, 5.213, 3.982, 1.631, 1.17},    {0.5, 0.25, 3.629, 3.016, 0.929, 1.95},
      {0.8, 0.25, 3.919, 3.411, 1.249, 1.38}, {2, 0.25, 5.102, 4.905, 2.619, 0.83},
      {0.3, 0.25, 3.453, 2.756, 0.716, 2.98}};
  for (const auto& r : rows) {
    const KalkerCoefficients c = kalker_coefficients(r[0], r[1]);
    EXPECT_NEAR(c.c11, r[2], 6e-3 * r[2]);
    EXPECT_NEAR(c.c22, r[3], 6e-3 * r[3]);
    EXPECT_NEAR(c.c23, r[4], 6e-3 * r[4]);
    EXPECT_NEAR(c.c33, r[5], 2e-2 * r[5]);
  }
}

TEST(Kalker, IsContinuousWhereTheTableEndsAndAtTheCircle) {
  for (double at : {0.1, 1.0, 10.0})
    for (double nu : {0.0, 0.28, 0.5}) {
      const KalkerCoefficients below = kalker_coefficients(at * (1.0 - 1e-9), nu),
                               above = kalker_coefficients(at * (1.0 + 1e-9), nu);
      EXPECT_NEAR(below.c11, above.c11, 1e-7 * above.c11);
      EXPECT_NEAR(below.c22, above.c22, 1e-7 * above.c22);
      EXPECT_NEAR(below.c23, above.c23, 1e-7 * above.c23);
      EXPECT_NEAR(below.c33, above.c33, 1e-7 * above.c33);
    }
}

// c11 = pi^2/(4 (1 - nu)), c22 = pi^2/4 of a narrow patch; at the end of the table the asymptotes
// are within 6 % of it.
TEST(Kalker, TendsToTheAsymptotes) {
  const KalkerCoefficients narrow = kalker_coefficients(1e-6, 0.3);
  EXPECT_NEAR(narrow.c11, M_PI * M_PI / 2.8, 1e-4);
  EXPECT_NEAR(narrow.c22, M_PI * M_PI / 4.0, 1e-4);
  const double g = 1e-5, L = std::log(16.0 / (g * g));
  const KalkerCoefficients slender = kalker_coefficients(1.0 / g, 0.0);
  EXPECT_NEAR(slender.c11, 2.0 * M_PI / (L * g) * (1.0 + (3.0 - std::log(4.0)) / L),
              1e-4 * slender.c11);
  EXPECT_NEAR(slender.c23, 2.0 * M_PI / (3.0 * g * std::sqrt(g) * (L - 2.0)), 1e-4 * slender.c23);
  EXPECT_FALSE(is_in_kalker_table(12.0));
  EXPECT_TRUE(is_in_kalker_table(9.0));
}

TEST(Kalker, ImpossibleInputIsRefused) {
  EXPECT_THROW(kalker_coefficients(0.0, 0.3), base::InputError);
  EXPECT_THROW(kalker_coefficients(1.0, 0.6), base::InputError);
}

CreepParameters steel() {
  CreepParameters p;
  p.coefficients = kalker_coefficients(4.0 / 3.0, 0.28);
  p.coefficients.c33 = 1.05;
  return p;
}

// By central differences of the value, at random states; the tractions of FASTSIM are kinked where
// cells begin to slip, so that a difference over a kink is off by what one cell carries.
TEST(CreepLaw, DerivativesAreThoseOfDifferences) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (const CreepLaw& law : creep_laws())
    for (int sample = 0; sample < 30; ++sample) {
      double x[kCreepVariables] = {4e-3 * uniform(random),         4e-3 * uniform(random),
                                   0.5 * uniform(random),          70e3 + 3e4 * uniform(random),
                                   0.35 + 0.1 * uniform(random),   6e-3 + 1e-3 * uniform(random),
                                   4.5e-3 + 1e-3 * uniform(random)};
      const double size[kCreepVariables] = {1e-3, 1e-3, 0.1, 70e3, 0.3, 6e-3, 6e-3};
      const auto state = [&] { return CreepState{{x[0], x[1], x[2]}, x[3], x[4], x[5], x[6]}; };
      const CreepForce force = law.force(state(), steel());
      EXPECT_NEAR((force.value - law.value(state(), steel())).norm(), 0.0,
                  1e-9 * force.value.norm());
      const double unit = x[3] * x[4];
      for (int k = 0; k < kCreepVariables; ++k) {
        const double h = 1e-6 * size[k], at = x[k];
        x[k] = at + h;
        const Eigen::Vector3d after = law.value(state(), steel());
        x[k] = at - h;
        const Eigen::Vector3d before = law.value(state(), steel());
        x[k] = at;
        const Eigen::Vector3d difference = (after - before) / (2.0 * h);
        const double tolerance =
            (std::string(law.name) == "fastsim" ? 1e-3 : 1e-6) * unit / size[k];
        EXPECT_NEAR((difference - force.by.col(k)).head<2>().norm(), 0.0, tolerance)
            << law.name << " " << k;
        EXPECT_NEAR(difference.z(), force.by(2, k), tolerance * x[5]) << law.name << " " << k;
      }
    }
}

// Small creepages: all laws have the linear theory's slopes along one creepage (FASTSIM's cells to
// a few per cent).
TEST(CreepLaw, BeginsWithTheLinearTheory) {
  for (const CreepLaw& law : creep_laws())
    for (double size : {0.0, 1e-8}) {
      const CreepState state{{size, 0.0, 0.0}, 80e3, 0.3, 6e-3, 4.5e-3};
      const double expected = -80e9 * 6e-3 * 4.5e-3 * steel().coefficients.c11;
      EXPECT_NEAR(law.force(state, steel()).by(0, kLongitudinal), expected,
                  0.03 * std::abs(expected))
          << law.name;
    }
}

TEST(CreepLaw, TakesEnergyAndNeverExceedsFriction) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1.0, 1.0);
  for (const CreepLaw& law : creep_laws())
    for (int sample = 0; sample < 200; ++sample) {
      const CreepState state{
          {2e-2 * uniform(random), 2e-2 * uniform(random), 0.0}, 80e3, 0.3, 6e-3, 4.5e-3};
      const Eigen::Vector3d F = law.value(state, steel());
      EXPECT_LE(F.x() * state.creepages.longitudinal + F.y() * state.creepages.lateral, 0.0)
          << law.name;
      if (std::string(law.name) != "linear") {
        EXPECT_LE(F.head<2>().norm(), 24e3 * (1.0 + 1e-12)) << law.name;
      }
    }
}

// Published values, k_A = k_S = 1, magnitudes against the creepage.
TEST(CreepLaw, PolachHasItsPublishedValues) {
  CreepParameters p;
  p.coefficients = {4.34, 4.0, 1.71, 0.0};
  const CreepState state{{0.001, 0.001, 0.3}, 80e3, 0.3, 6e-3, 4.5e-3};
  const Eigen::Vector3d F = creep_law("polach").value(state, p);
  EXPECT_NEAR(F.x(), -6247.585, 1e-3);
  EXPECT_NEAR(F.y(), -11347.332, 1e-3);
}

// Where nothing slips, with spin and without it, slopes are those along each creepage alone.
TEST(CreepLaw, PolachHasTheSlopesOfDifferencesWhereNothingSlips) {
  CreepParameters p = steel();
  p.adhesion_reduction = 0.7;
  p.slip_reduction = 0.3;
  const CreepLaw& law = creep_law("polach");
  for (double spin : {0.0, 1e-4, 0.3, -0.3, 5.0}) {
    const CreepState at{{0.0, 0.0, spin}, 80e3, 0.3, 6e-3, 4.5e-3};
    const CreepForce force = law.force(at, p);
    ASSERT_TRUE(force.value.allFinite() && force.by.allFinite()) << spin;
    for (int k : {kLongitudinal, kLateral, kSpin}) {
      const double h = k == kSpin ? 1e-7 : 1e-9;
      CreepState after = at, before = at;
      (k == kLongitudinal ? after.creepages.longitudinal
       : k == kLateral    ? after.creepages.lateral
                          : after.creepages.spin) += h;
      (k == kLongitudinal ? before.creepages.longitudinal
       : k == kLateral    ? before.creepages.lateral
                          : before.creepages.spin) -= h;
      const Eigen::Vector3d difference = (law.value(after, p) - law.value(before, p)) / (2.0 * h);
      // 24e3 N have round-off of 1e-12 N, which is divided by h.
      EXPECT_NEAR((difference - force.by.col(k)).norm(), 0.0, 1e-5 * difference.norm() + 1e-11 / h)
          << spin << " " << k;
    }
  }
}

// The slope depends on the direction, but along each line that goes through zero it is the same on
// both sides, and the force has no step there.
TEST(CreepLaw, PolachIsSmoothAlongLinesThroughNoSlip) {
  const CreepLaw& law = creep_law("polach");
  for (double spin : {0.0, 0.3, -0.3})
    for (int direction = 0; direction < 12; ++direction) {
      const double angle = direction * M_PI / 12.0;
      const auto value = [&](double slip) {
        return law.value(
            {{slip * std::cos(angle), slip * std::sin(angle), spin}, 80e3, 0.3, 6e-3, 4.5e-3},
            steel());
      };
      const Eigen::Vector3d still = value(0.0);
      for (double slip : {1e-6, 1e-8}) {
        const Eigen::Vector3d after = (value(slip) - still) / slip,
                              before = (still - value(-slip)) / slip;
        EXPECT_NEAR((after - before).norm(), 0.0, 10.0 * slip / 1e-3 * after.norm() + 1e-10 / slip)
            << spin << " " << angle << " " << slip;
        EXPECT_TRUE(
            law.force({{slip, -slip, spin}, 80e3, 0.3, 6e-3, 4.5e-3}, steel()).by.allFinite());
      }
      for (double tiny : {1e-30, 1e-160, 1e-300}) {
        EXPECT_NEAR((value(tiny) - still).norm(), 0.0, 1e-6) << tiny;
      }
    }
}

TEST(CreepLaw, FallingFrictionIsInTheDerivatives) {
  const FallingFriction friction{0.4, 0.4, 0.6};
  const CreepLaw& law = creep_law("polach");
  const auto force = [&](double xi, double eta) {
    return creep_force(law, steel(), friction, {{xi, eta, 0.1}, 80e3, 0.0, 6e-3, 4.5e-3}, 30.0);
  };
  const CreepForce at = force(0.02, -0.01);
  const double h = 1e-7;
  const Eigen::Vector3d by_xi =
                            (force(0.02 + h, -0.01).value - force(0.02 - h, -0.01).value) / (2 * h),
                        by_eta =
                            (force(0.02, -0.01 + h).value - force(0.02, -0.01 - h).value) / (2 * h);
  EXPECT_NEAR((by_xi - at.by.col(kLongitudinal)).norm(), 0.0, 1e-6 * by_xi.norm());
  EXPECT_NEAR((by_eta - at.by.col(kLateral)).norm(), 0.0, 1e-6 * by_xi.norm());
  EXPECT_LT(force(0.06, 0.0).value.norm(), force(0.01, 0.0).value.norm());  // it falls
}

TEST(CreepLaw, UnusableParametersAreRefusedAllAtOnce) {
  CreepParameters p;
  p.cells_along = 0;
  p.slip_reduction = 2.0;
  p.shear_modulus = -1.0;
  try {
    check(p);
    FAIL();
  } catch (const base::InputError& error) {
    EXPECT_EQ(error.diagnostics().size(), 3u);
  }
  EXPECT_THROW(creep_law("kalker"), base::InputError);
}

TEST(Creepages, NeedASpeed) {
  EXPECT_THROW(creepages(Motion(), Motion(), Eigen::Vector3d::Zero(), contact_axes(0.0, true), 0.0),
               base::ComputationError);
}

}  // namespace
}  // namespace solidyn::railway

// Normal laws and friction: values, derivatives, restitution against table F02.
#include <gtest/gtest.h>

#include <cmath>

#include "solidyn/contact/friction.h"
#include "solidyn/contact/normal_law.h"

namespace solidyn::contact {
namespace {

// Reference F02, three columns: Lankarani-Nikravesh, Hunt-Crossley, Flores; six digits printed.
TEST(Restitution, OfImpactLawsIsThatOfTableF02) {
  const double table[][4] = {
      {0.1, 0.665265, 0.515833, 0.069444}, {0.2, 0.672262, 0.546854, 0.155540},
      {0.3, 0.684225, 0.581288, 0.256208}, {0.5, 0.725241, 0.662962, 0.470445},
      {0.7, 0.795973, 0.768000, 0.683184}, {0.8, 0.847102, 0.832870, 0.788539},
      {0.9, 0.913177, 0.909016, 0.893921}, {0.95, 0.953506, 0.952370, 0.946829}};
  const Dissipation types[] = {Dissipation::lankarani_nikravesh, Dissipation::hunt_crossley,
                               Dissipation::flores};
  for (const auto& row : table)
    for (int i = 0; i < 3; ++i)
      EXPECT_NEAR(restitution(dissipation(types[i], row[0])), row[i + 1], 6e-7)
          << row[0] << " " << i;
}

TEST(Restitution, OfTheExactLawIsTheOneAskedFor) {
  for (const double e : {0.01, 0.1, 0.5, 0.9, 0.999, 0.9999999})
    EXPECT_NEAR(restitution(dissipation(Dissipation::exact_restitution, e)), e, 1e-9) << e;
  EXPECT_EQ(dissipation(Dissipation::exact_restitution, 1.0), 0.0);
  EXPECT_EQ(dissipation(Dissipation::none, 0.5), 0.0);
  EXPECT_EQ(restitution(0.0), 1.0);
}

NormalLaw law() {
  NormalLaw l;
  l.stiffness = 1e6;
  l.exponent = 1.4;
  l.dissipation = 0.6;
  l.damping = 300.0;
  l.damping_depth = 0.02;
  return l;
}

TEST(NormalForce, DerivativesAreThoseOfDifferences) {
  for (const double d : {1e-4, 0.01, 0.03})
    for (const double rate : {-0.7, 0.0, 1.3}) {
      const double h = 1e-8, v = 1.2;
      const NormalLaw::Value at = law().at(d, rate, v);
      EXPECT_NEAR(at.by_penetration,
                  (law().at(d + h, rate, v).force - law().at(d - h, rate, v).force) / (2 * h),
                  1e-5 * at.by_penetration + 1e-2);
      EXPECT_NEAR(at.by_rate,
                  (law().at(d, rate + h, v).force - law().at(d, rate - h, v).force) / (2 * h),
                  1e-5 * at.by_rate + 1e-3);
      EXPECT_NEAR(at.elastic,
                  (law().at(d + h, 0, v).energy - law().at(d - h, 0, v).energy) / (2 * h),
                  1e-5 * at.elastic);
    }
}

TEST(NormalForce, BeginsAtZeroAndNeverPulls) {
  EXPECT_EQ(law().at(0.0, 5.0, 1.0).force, 0.0);
  EXPECT_EQ(law().at(-1.0, 5.0, 1.0).force, 0.0);
  EXPECT_LT(law().at(1e-9, 5.0, 1.0).force, 1e-5);
  for (const double rate : {-2.5, -10.0, -1e3}) EXPECT_EQ(law().at(0.01, rate, 1.0).force, 0.0);
  EXPECT_GT(law().at(0.01, -1.0, 1.0).force, 0.0);
}

TEST(NormalForce, DampsSlowImpactsAsThoseOfTheSlowSpeed) {
  EXPECT_EQ(law().at(0.01, 1e-4, 1e-6).force, law().at(0.01, 1e-4, 1e-3).force);
  EXPECT_GT(law().at(0.01, 1e-4, 1e-3).force, law().at(0.01, 1e-4, 1e-2).force);
}

TEST(FrictionCoefficient, GoesFromStaticToDynamic) {
  const Friction f{0.6, 0.4, 0.1, 1e-5};
  const auto mu = [&](double v) { return f.factor(v * v) * v; };
  EXPECT_NEAR(mu(1e-3), 0.6, 1e-4);
  EXPECT_NEAR(mu(0.1), 0.4 + 0.2 * std::exp(-1.0), 1e-8);
  EXPECT_NEAR(mu(10.0), 0.4, 1e-12);
  EXPECT_NEAR(mu(1e-5), 0.6 / std::sqrt(2.0), 1e-8);
  for (double v = 1e-7; v < 10.0; v *= 1.3) EXPECT_LE(mu(v), 0.6);
}

TEST(FrictionCoefficient, SlopeIsThatOfDifferences) {
  const Friction f{0.6, 0.4, 0.1, 1e-2};
  for (const double q : {0.0, 1e-4, 1e-2, 1.0}) {
    const double h = 1e-6 * (q + 1e-3);
    EXPECT_NEAR(f.slope(q), (f.factor(q + h) - f.factor(q - h)) / (2 * h),
                1e-6 * std::abs(f.slope(q)));
  }
}

}  // namespace
}  // namespace solidyn::contact

// Impacts against closed forms: cases F01, F02 and D01 (as a penalty method sees it).
#include <gtest/gtest.h>

#include "ball.h"

namespace solidyn::contact {
namespace {

using system::State;

NormalLaw law(double stiffness, double dissipation) {
  NormalLaw l;
  l.stiffness = stiffness;
  l.dissipation = dissipation;
  return l;
}

struct Impact {
  double rebound = 0.0, penetration = 0.0;
};

// 1 kg with 1 m/s onto K = 1e9 N/m^1.5, in `n` steps of the elastic contact time and as many after.
constexpr double kContactTime = 8.0834145e-4;
Impact impact(const NormalLaw& l, int n, double gap = 1e-12) {
  Body b;
  b.position = Vector3d(0.0, 0.0, b.radius + gap);
  b.velocity = Vector3d(0.0, 0.0, -1.0);
  const auto system = ball_on_plane(b, l);
  Impact result;
  run(*system, 1.5 * kContactTime, kContactTime / n, 0.0, [&](const State& s) {
    result.rebound = s.v[2];
    result.penetration = std::max(result.penetration, b.radius - s.q[2]);
  });
  return result;
}

TEST(ElasticImpact, HasThePenetrationAndReboundOfF01) {
  const Impact coarse = impact(law(1e9, 0.0), 200), fine = impact(law(1e9, 0.0), 400);
  EXPECT_NEAR(coarse.penetration, 2.74640136e-4, 1e-4 * 2.74640136e-4);
  EXPECT_NEAR(coarse.rebound, 1.0, 1e-4);
  // Second order.
  EXPECT_LT(std::abs(fine.rebound - 1.0), 0.35 * std::abs(coarse.rebound - 1.0));
}

// The time between the instants at which the ball is at the plane.
TEST(ElasticImpact, LastsAsLongAsF01Says) {
  Body b;
  b.position = Vector3d(0.0, 0.0, b.radius + 1e-12);
  b.velocity = Vector3d(0.0, 0.0, -1.0);
  const auto system = ball_on_plane(b, law(1e9, 0.0));
  double left = 0.0;
  run(*system, 1.5 * kContactTime, kContactTime / 200, 0.0, [&](const State& s) {
    if (left == 0.0 && s.t > 0.0 && s.q[2] > b.radius) left = s.t - (s.q[2] - b.radius) / s.v[2];
  });
  EXPECT_NEAR(left, kContactTime, 1e-4 * kContactTime);
}

class ImpactLaw : public testing::TestWithParam<Dissipation> {};
INSTANTIATE_TEST_SUITE_P(Laws, ImpactLaw,
                         testing::Values(Dissipation::lankarani_nikravesh,
                                         Dissipation::hunt_crossley, Dissipation::flores,
                                         Dissipation::exact_restitution));

// F02: the rebound depends on alpha alone; 1e-5 after refinement.
TEST_P(ImpactLaw, ReboundsAsF02Says) {
  for (const double e : {0.3, 0.7, 0.9}) {
    const double alpha = dissipation(GetParam(), e);
    const double half = impact(law(1e9, alpha), 1000).rebound,
                 full = impact(law(1e9, alpha), 2000).rebound;
    EXPECT_NEAR(full + (full - half) / 3.0, restitution(alpha), 1e-5) << e;
  }
}

TEST(DissipativeImpact, OfLankaraniAndNikraveshIsThatIntegratedInF02) {
  const Impact i = impact(law(1e9, dissipation(Dissipation::lankarani_nikravesh, 0.7)), 1000);
  EXPECT_NEAR(i.rebound, 0.7959726, 2e-5);
  EXPECT_NEAR(i.penetration, 2.513327e-4, 1e-5 * 2.5e-4);
}

TEST(DissipativeImpact, OfTwoFreeBallsDependsOnTheirRelativeSpeedOnly) {
  system::System system;
  Body first, second;
  first.position = Vector3d(0.3, 0.2, 0.1);
  first.velocity = Vector3d(2.0, 1.0, 0.0);
  second.mass = 3.0;
  second.position = first.position + 0.20000001 * Vector3d::UnitX();
  second.velocity = Vector3d(0.5, 1.0, 0.0);
  add_ball(system, first);
  add_ball(system, second);
  add_contact(system, bodies::BodyIndex(0), Sphere{0.1}, bodies::BodyIndex(1), Sphere{0.1},
              law(1e9, dissipation(Dissipation::exact_restitution, 0.6)));
  system.finalize();
  State last;
  run(system, 2e-3, 1e-6, 0.0, [&](const State& s) { last.copy_from(s); });
  EXPECT_NEAR(last.v[6] - last.v[0], 0.6 * 1.5, 1e-4);
  EXPECT_NEAR(last.v[0] + 3.0 * last.v[6], 2.0 + 3.0 * 0.5, 1e-10);
  EXPECT_NEAR(last.v[1], 1.0, 1e-10);
}

// D01 with e = 0.5: impacts at t_n, each later by no more than the contacts before it last.
TEST(BouncingBall, HitsWhenD01Says) {
  Body b;
  b.position = Vector3d(0.0, 0.0, 1.0 + b.radius);
  const auto system =
      ball_on_plane(b, law(1e9, dissipation(Dissipation::exact_restitution, 0.5)), 9.81);
  std::vector<double> hits, apexes;
  double before = 1.0, speed_before = 0.0;
  run(*system, 1.28, 1e-3, 1e-8, [&](const State& s) {
    const double gap = s.q[2] - b.radius;
    if (before > 0.0 && gap <= 0.0) hits.push_back(s.t + gap / std::abs(s.v[2]));
    if (speed_before > 0.0 && s.v[2] <= 0.0 && gap > 0.0) apexes.push_back(gap);
    before = gap;
    speed_before = s.v[2];
  });
  const double t[] = {0.451523641, 0.903047282, 1.128809102, 1.241690013};
  const double apex[] = {0.25, 0.0625, 0.015625};
  ASSERT_EQ(hits.size(), 4u);
  const double contact_time = 1.5e-3;  // at least that of K = 1e9 and these speeds
  for (int n = 0; n < 4; ++n) {
    EXPECT_GT(hits[n], t[n] - 3e-4 * n) << n;
    EXPECT_LT(hits[n], t[n] + contact_time * n + 1e-5) << n;
  }
  ASSERT_GE(apexes.size(), 3u);
  // Gravity acts during contact too, with 1e-3 of the impulse of the first impact; ever more.
  for (int n = 0; n < 3; ++n) EXPECT_NEAR(apexes[n], apex[n], 6e-3 * (n + 1) * apex[n]) << n;
}

// What steps of this tolerance add or take, of the energy at the start.
constexpr double kIntegration = 3e-5;

// Over a dozen bounces and the rest that follows.
TEST_P(ImpactLaw, NeverCreatesEnergy) {
  Body b;
  b.position = Vector3d(0.0, 0.0, 0.05 + b.radius);
  const auto system = ball_on_plane(b, law(1e8, dissipation(GetParam(), 0.6)), 9.81);
  double before = 1e9, largest_rise = -1.0, first = 0.0, last = 0.0;
  run(*system, 0.6, 1e-3, 1e-8, [&](const State& s) {
    const double energy = testing_support::total_energy(*system, s);
    if (before > 1e8) first = energy;
    largest_rise = std::max(largest_rise, energy - before);
    before = last = energy;
  });
  EXPECT_LT(largest_rise, kIntegration * 0.05 * 9.81);
  EXPECT_LT(last - first, -0.4 * 0.05 * 9.81);
}

TEST(KelvinVoigt, NeverCreatesEnergyNorPulls) {
  Body b;
  b.position = Vector3d(0.0, 0.0, 0.05 + b.radius);
  NormalLaw l = law(1e6, 0.0);
  l.exponent = 1.0;
  l.damping = 400.0;
  l.damping_depth = 1e-4;
  const auto system = ball_on_plane(b, l, 9.81);
  double before = 1e9, largest_rise = -1.0;
  run(*system, 0.6, 1e-3, 1e-8, [&](const State& s) {
    const double energy = testing_support::total_energy(*system, s);
    largest_rise = std::max(largest_rise, energy - before);
    before = energy;
    if (s.q[2] < b.radius) {
      EXPECT_GT(s.a[2], -9.81 - 1e-5);  // Newton's tolerance over a short step squared
    }
  });
  EXPECT_LT(largest_rise, kIntegration * 0.05 * 9.81);
}

// Surfaces that touch as drawn, or overlap a little, are hit like those that come to touch.
TEST_P(ImpactLaw, IsTheSameWhereSurfacesBeginTouching) {
  const NormalLaw l = law(1e9, dissipation(GetParam(), 0.7));
  const double rebound = impact(l, 400).rebound;
  EXPECT_NEAR(impact(l, 400, 0.0).rebound, rebound, 2e-3);
  EXPECT_NEAR(impact(l, 400, -1e-9).rebound, rebound, 2e-3);
}

// What an impact's energy differs by from its law's, of that before, at the worst of several phases
// of the steps. Where a damper begins within less than a step its work is uncertain by one step.
double worst_error(const NormalLaw& l, double kept, double step, double tolerance) {
  double worst = 0.0;
  for (int phase = 0; phase < 6; ++phase) {
    Body b;
    b.position = Vector3d(0.0, 0.0, b.radius + step * (phase + 0.37) / 6.0);
    b.velocity = Vector3d(0.0, 0.0, -1.0);
    const auto system = ball_on_plane(b, l);
    double rebound = 0.0;
    run(*system, 10.0 * step + 4.0 * kContactTime, step, tolerance,
        [&](const State& s) { rebound = s.v[2]; });
    worst = std::max(worst, std::abs(rebound * rebound - kept));
  }
  return worst;
}

TEST(EnergyOfAnImpact, IsKeptToAPercentByWhateverStepsAndTolerances) {
  NormalLaw damper = law(1.51e7, 0.0);
  damper.exponent = 1.0;
  damper.damping = 4000.0;
  damper.damping_depth = 1e-4;
  NormalLaw sudden = damper;  // from within less than a step
  sudden.damping_depth = 1e-6;
  const double steps[] = {0.9 * kContactTime, 0.2 * kContactTime, 0.07 * kContactTime};
  for (const auto& [l, kept, limit] :
       {std::tuple(law(1e9, 0.0), 1.0, 0.01), std::tuple(sudden, 0.08462, 0.015),
        std::tuple(law(1e9, dissipation(Dissipation::exact_restitution, 0.9)), 0.81, 0.01),
        std::tuple(law(1e9, dissipation(Dissipation::exact_restitution, 0.5)), 0.25, 0.01),
        std::tuple(damper, std::pow(0.364745, 2), 0.02)}) {
    for (const double step : steps) EXPECT_LT(worst_error(l, kept, step, 0.0), limit) << step;
    for (const double tolerance : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6})
      EXPECT_LT(worst_error(l, kept, 1e-3, tolerance), limit) << tolerance;
  }
}

// A step as long as many contacts is refused; the parts into which it is cut see the impact.
TEST(StepsTooLong, AreCutUntilTheImpactIsSeen) {
  Body b;
  b.position = Vector3d(0.0, 0.0, 1e-3 + b.radius);
  b.velocity = Vector3d(0.0, 0.0, -1.0);
  const auto system = ball_on_plane(b, law(1e9, 0.0));
  double rebound = 0.0;
  run(*system, 4e-3, 1e-3, 1e-3, [&](const State& s) { rebound = s.v[2]; });
  EXPECT_NEAR(rebound, 1.0, 0.02);
  run(*system, 4e-3, kContactTime, 0.0, [&](const State& s) { rebound = s.v[2]; });
  EXPECT_NEAR(rebound, 1.0, 0.02);
}

// Steps of an explicit integrator grow in free flight, and see nothing of a hard plate before them:
// they went through it and gained 1e4 to 1e7 times the energy.
TEST(StepsTooLong, OfRungeKuttaEndTheRunWithAMessage) {
  for (const double stiffness : {1e9, 1e12}) {
    Body b;
    b.position = Vector3d(0.0, 0.0, 0.3 + b.radius);
    const auto system = ball_on_plane(b, law(stiffness, 0.0), 9.81);
    analyses::DynamicsOptions options;
    options.integrator = analyses::IntegratorKind::runge_kutta;
    options.duration = 1.2;
    options.step = 1e-3;
    analyses::Dynamics dynamics(*system, options);
    dynamics.start();
    try {
      while (!dynamics.is_done()) dynamics.advance();
      FAIL() << stiffness;
    } catch (const base::ComputationError& e) {
      EXPECT_NE(
          std::string(e.what()).find("the explicit steps of `runge_kutta` are too long: contact"),
          std::string::npos)
          << e.what();
    }
    EXPECT_NEAR(testing_support::total_energy(*system, dynamics.state()), 0.4 * 9.81, 1e-3);
  }
}

// Those of BDF grow beyond a whole ball in uniform flight: its error estimate sees no contact at
// either end of a step.
TEST(StepsTooLong, OfBdfAreTakenAgainInShorterOnes) {
  for (const double dissipation : {0.0, 0.25}) {
    auto system = std::make_unique<system::System>();
    Body first, second;
    first.velocity = Vector3d(1.0, 0.0, 0.0);
    first.position = Vector3d::Zero();
    second.position = Vector3d(1.0, 0.0, 0.0);
    for (Body* b : {&first, &second}) {
      b->radius = 0.03;
      add_ball(*system, *b);
    }
    add_contact(*system, bodies::BodyIndex(0), Sphere{0.03}, bodies::BodyIndex(1), Sphere{0.03},
                law(1e9, dissipation));
    system->finalize();
    analyses::DynamicsOptions options;
    options.integrator = analyses::IntegratorKind::bdf;
    options.duration = 3.0;
    options.step = 1e-3;
    analyses::Dynamics dynamics(*system, options);
    dynamics.start();
    while (!dynamics.is_done()) dynamics.advance();
    const Eigen::VectorXd v = dynamics.state().v;
    EXPECT_NEAR(v[0] + v[6], 1.0, 1e-9);
    if (dissipation == 0.0)
      EXPECT_NEAR(v[6], 1.0, 5e-3);
    else
      EXPECT_TRUE(v[6] > 0.6 && v[6] < 0.97) << v[6];
  }
}

TEST(StepsTooLong, FailWithAMessageWhereTheyCannotBeCut) {
  Body b;
  b.position = Vector3d(0.0, 0.0, 1e-3 + b.radius);
  b.velocity = Vector3d(0.0, 0.0, -1.0);
  const auto system = ball_on_plane(b, law(1e14, 0.0));
  try {
    run(*system, 4e-3, 1e-3, 0.0, [](const State&) {});
    FAIL();
  } catch (const base::ComputationError& e) {
    EXPECT_NE(std::string(e.what()).find("the step is too long: contact changed its speed"),
              std::string::npos)
        << e.what();
  }
}

}  // namespace
}  // namespace solidyn::contact

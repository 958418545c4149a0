// Page D13 of the reference problems: a turning beam that hits a stop with its tip or its middle,
// and rebounds by its vibrations. Impulses in rho A L^2 omega_0, rates in omega_0, deflections in
// L omega_0 T_0; here these units are 0.01.
#include "nonsmooth_runs.h"

namespace solidyn::testing_support {
namespace {

constexpr double kTurning = 0.01;
// Of the page: impulses, mean rates (of 1), deflections.
constexpr double kImpulses = 0.02, kRates = 0.03, kDeflections = 0.004;

const Overrides kMiddle = {"contacts.stop.between=[ground, beam.middle]",
                           "contacts.stop.second.at=[0.5, 0, 0]"};

// Angular momentum over that of the rigid beam, positive away from the stop.
double mean_rate(const ModelRun& run) { return 3.0 * last(run, "turning") / kTurning; }

// By the angular momentum about the hinge, which nothing else changes: that of impulses and forces.
double impulse_until(const ModelRun& run, double t, double place) {
  return (sampled(run.history, "turning", {t})[0] / kTurning + 1.0 / 3.0) / place;
}

void expect_page(const ModelRun& run, double place, const std::vector<double>& times,
                 const std::vector<double>& impulses, double in_all, double rate,
                 const std::vector<double>& tip_times, const std::vector<double>& tips,
                 const std::string& told) {
  for (std::size_t i = 0; i < times.size(); ++i)
    EXPECT_NEAR(impulse_until(run, times[i], place), impulses[i], kImpulses * in_all)
        << told << " " << times[i];
  EXPECT_NEAR(impulse_until(run, 0.4, place), in_all, kImpulses * in_all) << told;
  EXPECT_NEAR(mean_rate(run), rate, kRates) << told;
  const std::vector<double> found = sampled(run.history, "tip", tip_times);
  for (std::size_t i = 0; i < tips.size(); ++i)
    EXPECT_NEAR(found[i] / kTurning, tips[i], kDeflections) << told << " " << tip_times[i];
  EXPECT_LT(run.monitor.contacts.penetration, 1e-12) << told;
  // Waves are longer than what the elements resolve for a part of the energy only: it may fall.
  EXPECT_LT(largest(run, "energy"), run.history.at("energy").front() * (1.0 + 1e-4)) << told;
}

void expect_tip(const Overrides& settings) {
  const ModelRun run = nonsmooth_run("beam_on_stop", settings);
  expect_page(run, 1.0, {0.05, 0.1, 0.15, 0.2, 0.25, 0.3},
              {0.1779, 0.2859, 0.2909, 0.398, 0.520, 0.557}, 0.557, 0.670, {0.1, 0.2, 0.3, 0.4},
              {0.0, 0.0, 0.001, 0.032}, settings[0]);
}

void expect_middle(const Overrides& settings) {
  const ModelRun run = nonsmooth_run("beam_on_stop", settings + kMiddle);
  expect_page(run, 0.5, {0.05, 0.1, 0.15, 0.2, 0.25, 0.3},
              {0.3827, 0.3827, 0.493, 0.810, 1.006, 1.006}, 1.170, 0.755, {0.1, 0.2, 0.3, 0.4},
              {-0.1028, -0.1302, -0.0549, 0.066}, settings[0]);
}

// Without strong damping of waves that the elements do not resolve, shorter steps.
const std::vector<Overrides> kBeamSchemes = {
    {"analyses.dynamics.integrator=bathe"},
    {"analyses.dynamics.integrator=ed_alpha", "analyses.dynamics.rho_infinity=0"},
    {"analyses.dynamics.integrator=generalized_alpha", "analyses.dynamics.rho_infinity=0.5",
     "analyses.dynamics.step=1e-4"},
    {"analyses.dynamics.integrator=hht", "analyses.dynamics.step=1e-4"},
    {"analyses.dynamics.integrator=moreau_jean", "analyses.dynamics.theta=0.55",
     "analyses.dynamics.step=1e-4"}};

TEST(BeamOnAStop, ReboundsFromItsTip) {
  for (const Overrides& scheme : kBeamSchemes) expect_tip(scheme);
}

TEST(BeamOnAStop, ReboundsFromItsMiddle) {
  for (const Overrides& scheme : kBeamSchemes) expect_middle(scheme);
}

}  // namespace
}  // namespace solidyn::testing_support

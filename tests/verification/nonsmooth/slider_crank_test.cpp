// The slider-crank of P-NONSMOOTH, sect. 4, by the energy decaying scheme: page D04 of the
// reference problems.
#include "nonsmooth_runs.h"

namespace solidyn::testing_support {
namespace {

const std::vector<Overrides> kSchemes = {
    {"analyses.dynamics.integrator=ed_alpha", "analyses.dynamics.rho_infinity=0"},
    {"analyses.dynamics.integrator=ed_alpha", "analyses.dynamics.rho_infinity=0.8"}};
const char* const kClearance = "examples/nonsmooth/slider_crank_clearance.yaml";

Overrides in_steps(const char* step) { return {std::string("analyses.dynamics.step=") + step}; }

double at(const ModelRun& run, const std::string& column, double t) {
  return sampled(run.history, column, {t})[0];
}

// (a): a bilateral guide without friction. Order two in angles and in the force of a pin.
TEST(SliderCrank, IsOfOrderTwoWithABilateralGuide) {
  for (const Overrides& scheme : kSchemes) {
    const auto run = [&](const char* step) {
      return nonsmooth_run("slider_crank_guide", scheme + in_steps(step));
    };
    const ModelRun coarse = run("1e-4"), fine = run("5e-5"), exact = run("2.5e-6");
    EXPECT_NEAR(last(exact, "th1"), 4.809238135, 2e-6);
    EXPECT_NEAR(last(exact, "th2"), 0.520895295, 2e-6);
    EXPECT_NEAR(last(exact, "x"), 0.280211204, 2e-6);
    for (const char* column : {"th1", "th2", "load"}) {
      const auto error = [&](const ModelRun& r) {
        double largest = 0.0;
        for (double t = 0.01; t < 0.0495; t += 1e-3)
          largest = std::max(largest, std::abs(at(r, column, t) - at(exact, column, t)));
        return largest;
      };
      EXPECT_NEAR(std::log2(error(coarse) / error(fine)), 2.0, 0.15) << column;
    }
  }
}

// (b): the slider rattles in its guide.
TEST(SliderCrank, RattlesInItsGuideAsTheReference) {
  for (const Overrides& scheme : kSchemes) {
    const ModelRun run = run_model(MPI_COMM_SELF, kClearance, scheme + in_steps("5e-6"), 2);
    const double t[] = {0.005, 0.01, 0.02, 0.03, 0.04, 0.05};
    const double th1[] = {0.57605, 0.94796, 1.61331, 2.55061, 3.93500, 4.79352};
    const double th2[] = {-0.27288, -0.41462, -0.51990, -0.28573, 0.36766, 0.52547};
    const double x[] = {0.422987, 0.369323, 0.259064, 0.166544, 0.178233, 0.277117};
    for (int i = 0; i < 6; ++i) {
      EXPECT_NEAR(at(run, "th1", t[i]), th1[i], 5e-4) << scheme[0] << " " << t[i];
      EXPECT_NEAR(at(run, "th2", t[i]), th2[i], 5e-4) << scheme[0] << " " << t[i];
      EXPECT_NEAR(at(run, "x", t[i]), x[i], 5e-5) << scheme[0] << " " << t[i];
      EXPECT_LE(std::abs(at(run, "th3", t[i])), 0.02 + 1e-9);
    }
  }
}

// (c): a torque on the crank, from rest, where corners slide along the guide.
TEST(SliderCrank, SlidesInItsGuideAsTheReference) {
  for (const Overrides& scheme : kSchemes) {
    const ModelRun run = run_model(
        MPI_COMM_SELF, kClearance,
        scheme + in_steps("4e-6") +
            Overrides{"analyses.dynamics.duration=0.03", "parameters.clearance=0.0005",
                      "contacts.below.law.restitution=0.1", "contacts.above.law.restitution=0.1",
                      "contacts.below.friction.static=0.1", "contacts.above.friction.static=0.1",
                      "bodies.crank.velocity={linear: [0, 0, 0], angular: [0, 0, 0]}",
                      "bodies.rod.velocity={linear: [0, 0, 0], angular: [0, 0, 0]}",
                      "loads={drive: {type: force, at: crank, torque: [0, 0, 1]}}"},
        5);
    const double t[] = {0.01, 0.02, 0.03};
    const double th1[] = {0.07053198, 0.25809515, 0.48795277};
    const double th2[] = {-0.03687910, -0.12959330, -0.23638130};
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(at(run, "th1", t[i]), th1[i], 1e-5) << scheme[0] << " " << t[i];
      EXPECT_NEAR(at(run, "th2", t[i]), th2[i], 1e-5) << scheme[0] << " " << t[i];
    }
  }
}

}  // namespace
}  // namespace solidyn::testing_support

// Pages D03, D09, D11 and D12 of the reference problems with the schemes that are not among
// nonsmooth_schemes(): the theta scheme of Moreau and Jean and the half-explicit one.
#include "nonsmooth_runs.h"

namespace solidyn::testing_support {
namespace {

struct OtherScheme {
  Overrides overrides;
  int order;
};
const OtherScheme kOfOrderOne = {{"analyses.dynamics.integrator=moreau_jean"}, 1};
const OtherScheme kOfOrderTwo = {{"analyses.dynamics.integrator=half_explicit"}, 2};

Overrides rod_case(const std::string& theta, const std::string& mu, const std::string& e,
                   const std::string& vx) {
  return {"parameters.theta=" + theta, "parameters.mu=" + mu, "parameters.restitution=" + e,
          "parameters.vx=" + vx};
}

class OtherSchemes : public testing::TestWithParam<OtherScheme> {};
INSTANTIATE_TEST_SUITE_P(Of, OtherSchemes, testing::Values(kOfOrderOne, kOfOrderTwo));

// D03, from the state that the step of 1e-6 s begins with: no forces but impulses.
TEST_P(OtherSchemes, HitARodAsTheLawsHaveIt) {
  struct Case {
    const char *theta, *mu, *e, *vx;
    double v_x, v_y, w, energy;
  };
  for (const Case& c :
       {Case{"60", "0.3", "0.5", "0", 0.66162432, 0.20541440, -3.17834239, 0.66088176},
        Case{"60", "1.2", "0.5", "0", 0.97427858, 0.4375, -2.25, 0.78125},
        Case{"60", "0.3", "0.5", "3", 2.66177858, -0.53677858, -6.14711432, 5.26105716},
        Case{"20", "0", "0", "0", 0.0, -1.45191464, -3.09019058, 1.45191464}}) {
    // Above the floor at the start, so that the step itself has the impact.
    const ModelRun run = nonsmooth_run(
        "rod", GetParam().overrides + rod_case(c.theta, c.mu, c.e, c.vx) +
                   Overrides{"contacts.floor.first.at=[0, -1e-9, 0]", "analyses.dynamics.step=1e-9",
                             "analyses.dynamics.duration=4e-9"});
    EXPECT_NEAR(last(run, "v.x"), c.v_x, 2e-8);
    EXPECT_NEAR(last(run, "v.y"), c.v_y, 2e-8);
    EXPECT_NEAR(last(run, "w"), c.w, 6e-8);
    EXPECT_NEAR(last(run, "energy"), c.energy, 1e-7);
    EXPECT_EQ(run.monitor.contacts.impacts, 1);
  }
}

// D09 (a), (b).
TEST_P(OtherSchemes, HoldTheConeInGrooveAndOnASlope) {
  const Overrides& scheme = GetParam().overrides;
  const ModelRun groove = nonsmooth_run("groove", scheme);
  EXPECT_NEAR(last(groove, "a"), 2.502050562, 1e-9);
  EXPECT_NEAR(last(groove, "force"), 3.0 * 6.007373594, 1e-8);
  const ModelRun sticks = nonsmooth_run(
      "groove", scheme + Overrides{"parameters.beta=20", "parameters.phi=30", "parameters.mu=0.3"});
  EXPECT_LT(largest(sticks, "v"), 1e-14);
  EXPECT_NEAR(last(sticks, "left_x") + last(sticks, "right_x"), -2.0 * 3.0 * 1.677608803, 1e-8);
  const Overrides across = {"parameters.angle=20", "parameters.across=2", "parameters.mu=0.5",
                            "analyses.dynamics.step=1e-4"};
  const ModelRun puck =
      nonsmooth_run("incline", scheme + across + Overrides{"analyses.dynamics.duration=0.3"});
  const double allowed = GetParam().order == 1 ? 1e-4 : 1e-6;
  EXPECT_NEAR(last(puck, "p.x"), 0.110510703, allowed);
  EXPECT_NEAR(last(puck, "p.y"), 0.399101193, allowed);
  EXPECT_NEAR(last(puck, "v.x"), 0.587252266, allowed);
  EXPECT_NEAR(last(puck, "v.y"), 0.711406354, allowed);
  const ModelRun stops =
      nonsmooth_run("incline", scheme + across + Overrides{"analyses.dynamics.duration=1"});
  EXPECT_NEAR(last(stops, "p.x"), 0.335952838, 2e-4);
  EXPECT_NEAR(last(stops, "p.y"), 0.500175982, 2e-4);
  EXPECT_LT(std::hypot(last(stops, "v.x"), last(stops, "v.y")), 1e-14);
}

// D09 (d), (e).
TEST_P(OtherSchemes, TipABoxAndLetItSlideFlat) {
  const Overrides& scheme = GetParam().overrides;
  const ModelRun tips = nonsmooth_run(
      "box", scheme + Overrides{"parameters.x=0.2", "parameters.y=0.2", "parameters.z=0.6",
                                "parameters.mu=1", "parameters.angle=25",
                                "analyses.dynamics.duration=2e-3", "analyses.dynamics.step=1e-4"});
  EXPECT_NEAR(last(tips, "alpha"), 2.660082039, 2e-2);
  EXPECT_NEAR(last(tips, "w.y"), 2e-3 * 2.660082039, 1e-5);
  const ModelRun slides =
      nonsmooth_run("box", scheme + Overrides{"parameters.v=6", "analyses.dynamics.duration=1.3"});
  EXPECT_NEAR(last(slides, "p.x"), 3.669724771, GetParam().order == 1 ? 4e-3 : 1e-3);
  EXPECT_LT(std::abs(last(slides, "v.x")), 1e-12);
  for (const double z : slides.history.at("p.z")) EXPECT_NEAR(z, 0.05, 1e-9);
  EXPECT_LT(largest(slides, "w.y"), 1e-8);
}

// D11: hit although no gap closes; below the critical coefficient a finite force.
TEST_P(OtherSchemes, SolvePainlevesRod) {
  const Overrides& scheme = GetParam().overrides;
  const Overrides slides = {"parameters.vy=0", "parameters.g=9.81"};
  const ModelRun hit =
      nonsmooth_run("rod", scheme + rod_case("63.43494882292201", "1.6", "0", "-1") + slides);
  EXPECT_NEAR(hit.history.at("v.x").back(), -0.6, 1e-5);
  EXPECT_NEAR(hit.history.at("v.y").back(), 0.3, 1e-5);
  EXPECT_NEAR(hit.history.at("w").back(), 1.341640786, 1e-4);
  EXPECT_NEAR(hit.history.at("energy").back(), 0.3, 1e-5);
  const ModelRun pressed =
      nonsmooth_run("rod", scheme + rod_case("63.43494882292201", "1.2", "0", "-1") + slides);
  EXPECT_NEAR(pressed.history.at("force").back(), 61.3125, 1e-2);
}

// D12 (a).
TEST_P(OtherSchemes, ThrowADoublePendulumAgainstAWall) {
  std::vector<double> errors;
  for (const char* step : {"1e-4", "2.5e-5"}) {
    const ModelRun run =
        nonsmooth_run("pendulum", GetParam().overrides +
                                      Overrides{std::string("analyses.dynamics.step=") + step});
    const double th1 = last(run, "th1"), th2 = th1 + last(run, "th12");
    errors.push_back(std::hypot(th1 + 1.102420482, th2 + 0.284826214));
    EXPECT_EQ(run.monitor.contacts.impacts, 3) << step;
    EXPECT_LT(run.monitor.position_violation, 1e-12);
    EXPECT_LT(run.monitor.velocity_violation, 1e-11);
  }
  EXPECT_LT(errors[0], GetParam().order == 1 ? 2e-2 : 2e-3);
  // Of order two between impacts, whose instants in their steps decide what is left.
  EXPECT_LT(errors[1], GetParam().order == 1 ? 0.6 * errors[0] : 2e-4);
}

}  // namespace
}  // namespace solidyn::testing_support

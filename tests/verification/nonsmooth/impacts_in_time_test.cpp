// Impacts at their own time within a step: order two, angular momentum, and energy where gaps are
// closed.
#include "nonsmooth_runs.h"

namespace solidyn::testing_support {
namespace {

const char* const kPlayInGuide = "examples/nonsmooth/slider_crank_clearance.yaml";

Overrides stepped(const char* h) { return {std::string("analyses.dynamics.step=") + h}; }

// Table 6 of P-NONSMOOTH, steps of 1e-4 and 1e-5 s: at most twice the row of each scheme, of the
// mean size of th2, 0.36 rad.
TEST(ImpactsInTime, AreAsExactAsThePaperInASliderCrank) {
  struct Row {
    Overrides scheme;
    double coarse, fine;
  };
  const std::vector<Row> rows = {
      {{"analyses.dynamics.integrator=generalized_alpha", "analyses.dynamics.rho_infinity=0.8"},
       2.0e-3,
       1.2e-4},
      {{"analyses.dynamics.integrator=bathe"}, 1.4e-3, 7.8e-5},
      {{"analyses.dynamics.integrator=ed_alpha", "analyses.dynamics.rho_infinity=0"},
       9.4e-4,
       2.8e-5},
      {{"analyses.dynamics.integrator=half_explicit"}, 1.1e-3, 2.8e-5}};
  std::vector<double> times;
  for (int i = 1; i <= 50; ++i) times.push_back(1e-3 * i);
  const auto th2 = [&](const Overrides& scheme, int every) {
    return sampled(run_model(MPI_COMM_SELF, kPlayInGuide, scheme, every).history, "th2", times);
  };
  const std::vector<double> exact =
      th2(Overrides{"analyses.dynamics.integrator=bathe"} + stepped("2e-6"), 50);
  for (const Row& row : rows) {
    EXPECT_LT(largest_difference(th2(row.scheme + stepped("1e-4"), 1), exact),
              2.0 * row.coarse * 0.36)
        << row.scheme[0];
    EXPECT_LT(largest_difference(th2(row.scheme + stepped("1e-5"), 10), exact),
              2.0 * row.fine * 0.36)
        << row.scheme[0];
  }
}

// What one ball gets, the other loses, about any point: levers are those of where they met.
TEST(ImpactsInTime, KeepTheAngularMomentumOfBallsThatHitOffTheirCentres) {
  std::vector<Overrides> schemes = nonsmooth_schemes();
  schemes.push_back({"analyses.dynamics.integrator=half_explicit"});
  for (const Overrides& scheme : schemes)
    for (const char* restitution : {"0", "0.5", "1"})
      for (const char* mu : {"0", "0.3"}) {
        const ModelRun run = nonsmooth_run(
            "two_balls", scheme + Overrides{std::string("parameters.restitution=") + restitution,
                                            std::string("parameters.mu=") + mu});
        EXPECT_GE(run.monitor.contacts.impacts, 1) << scheme[0];
        EXPECT_LT(momentum_change(run, "L"), 1e-13) << scheme[0] << restitution << mu;
        EXPECT_LT(momentum_change(run, "P"), 1e-13) << scheme[0] << restitution << mu;
        EXPECT_LT(largest(run, "energy"), run.history.at("energy").front() * (1.0 + 1e-13));
        if (std::string(restitution) == "1" && std::string(mu) == "0")
          EXPECT_NEAR(last(run, "energy"), run.history.at("energy").front(), 1e-13) << scheme[0];
      }
}

// Many corners that are hit at different times: closing their gaps raises boxes, which the impulses
// need not take back. And forces of 40 points that no method finds with all digits are not sought
// for long.
TEST(ImpactsInTime, GiveNoEnergyToATowerThatTopples) {
  for (const char* scheme : {"bathe", "ed_alpha"}) {
    const ModelRun run =
        nonsmooth_run("toppling_tower", {std::string("analyses.dynamics.integrator=") + scheme});
    const std::vector<double>& energy = run.history.at("energy");
    for (std::size_t i = 1; i < energy.size(); ++i)
      EXPECT_LE(energy[i], energy[i - 1] + 1e-10 * 0.75) << scheme << " " << i;
    EXPECT_GT(run.monitor.contacts.impacts, 100) << scheme;
    const auto& solver = run.monitor.contacts.solver;
    EXPECT_LT(solver.iterations, 300 * solver.problems) << scheme;
  }
}

}  // namespace
}  // namespace solidyn::testing_support

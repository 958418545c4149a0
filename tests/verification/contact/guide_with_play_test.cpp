// Case D04 (c): a slider with play in its guide, four corners against two walls, restitution 0.1
// and friction 0.1. The reference is a time-stepping method with rigid contact, dt = 2.5e-8 s, good
// to 1e-5; penalty gives in by a micrometre, and walls push back within some microseconds.
#include <gtest/gtest.h>

#include "model_runs.h"

namespace solidyn {
namespace {

TEST(GuideWithPlay, MovesAsTheRigidContactsOfD04) {
  const auto run =
      testing_support::run_model(MPI_COMM_SELF, "tests/verification/contact/guide_with_play.yaml",
                                 {"analyses.dynamics.adaptive.tolerance=1e-9"});
  const std::vector<double> t = {0.01, 0.02, 0.03, 0.04, 0.05};
  const std::map<std::string, std::vector<double>> reference = {
      {"th1", {0.07053198, 0.25809515, 0.48795277, 0.71808443, 0.94797732}},
      {"th2", {-0.03687910, -0.12959330, -0.23638130, -0.33348465, -0.41641526}},
      {"p.x", {0.45841152, 0.45136637, 0.43263474, 0.40436099, 0.36909976}},
      {"p.y", {-5e-4, -4.9304e-4, 6.8295e-5, 5e-4, 5e-4}}};
  for (const auto& [column, values] : reference) {
    const double limit = column == "th1" || column == "th2" ? 1e-4 : 1e-5;
    const std::vector<double> found = testing_support::sampled(run.history, column, t);
    for (std::size_t i = 0; i < t.size(); ++i)
      EXPECT_NEAR(found[i], values[i], limit) << column << " at " << t[i];
  }
  for (double angle : run.history.at("th3")) EXPECT_LE(std::abs(angle), 0.0201);
  EXPECT_LT(run.monitor.relative_drift(), 1e-4);
}

}  // namespace
}  // namespace solidyn

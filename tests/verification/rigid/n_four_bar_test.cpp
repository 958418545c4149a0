// A02: windows of parallel cranks (IFToMM benchmark A02), spatial and so with three rows too many
// in each loop; twice per turn all bars are collinear and G loses more of its rank.
#include <gmock/gmock.h>

#include "linkages.h"
#include "mechanisms.h"
#include "solidyn/analyses/dynamics.h"
#include "solidyn/base/log.h"

namespace solidyn {
namespace {

using Eigen::Vector2d;
using Eigen::Vector3d;
using system::State;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;

struct Row {
  double t, x, y;  // of the first crank's end; its centre is half way
};

void expect_table(int n_windows, const std::vector<Row>& table, double h, double tolerance) {
  const auto bars = testing_support::make_four_bars(n_windows);
  analyses::DynamicsOptions options;
  options.duration = table.back().t;
  options.step = h;
  options.rho_infinity = 0.9;
  analyses::Dynamics dynamics(*bars, options);
  dynamics.start();
  for (const Row& row : table) {
    while (dynamics.state().t < row.t - 0.5 * h) {
      dynamics.advance();
      dynamics.observe();
    }
    EXPECT_LT((2.0 * dynamics.state().q.head<2>() - Vector2d(row.x, row.y)).norm(), tolerance)
        << n_windows << " windows, t = " << row.t;
  }
  EXPECT_LT(dynamics.monitor().largest_drift, 0.1) << n_windows << " windows";  // J
  EXPECT_LT(dynamics.monitor().position_violation, 1e-9) << n_windows << " windows";
}

TEST(FourBars, OneWindowPassesItsSingularPositions) {
  expect_table(1,
               {{1, -0.26071268, -0.96541644},
                {2, 0.07708547, 0.99702449},
                {3, -0.69893953, -0.71518077},
                {5, -0.94490819, -0.32733549},
                {10, 0.47838506, 0.87815018}},
               1e-3, 1e-3);
}

// Each passage moves the phase a little: 2e-3 m after ten turns, where the benchmark asks for 1e-3.
TEST(FourBars, FortyWindowsPassTheirSingularPositions) {
  expect_table(40,
               {{1, -0.11535688, -0.99332411},
                {2, 0.03446631, 0.99940586},
                {3, -0.33851815, -0.94095986},
                {5, -0.54019005, -0.84154305},
                {10, 0.18051223, 0.98357274}},
               1e-3, 4e-3);
}

// The coupler's distance from where parallel cranks hold it; joints without a row too many.
double distance_from_branch(const State& s) {
  return (s.q.segment<3>(14) - s.q.head<3>() - Vector3d::UnitX()).norm();
}

// A turn per second, in steps that come no nearer to the dead centres than 0.3 degrees. There
// the pins carry a hundred times the weight of the follower, which no bar can turn.
TEST(DrivenParallelogram, StaysOnItsBranchBeyondADeadCentre) {
  const auto bars = testing_support::make_driven_parallelogram("-2*pi*t");
  State s = testing_support::start(*bars);
  integrators::GeneralizedAlphaOptions options;
  options.tolerance = 1e-10;
  integrators::GeneralizedAlpha integrator(*bars, options);
  integrator.initialize(s);
  for (int i = 0; i < 1000; ++i) {
    integrator.step(s, 1.3e-3);
    EXPECT_LT(distance_from_branch(s), 1e-10) << "t = " << s.t;
  }
}

// A step that ends in the dead centre itself asks for an infinite force. It fails, and the parts in
// which it is gone through pass on the branch, or fail as well; what happened is told.
TEST(DrivenParallelogram, PassesADeadCentreInPartsOrEndsThere) {
  const auto bars = testing_support::make_driven_parallelogram("-2*pi*t");
  analyses::DynamicsOptions options;
  options.duration = 1.0;
  options.step = 1e-2;
  analyses::Dynamics dynamics(*bars, options);
  base::clear_logged_warnings();
  dynamics.start();
  std::string told;
  try {
    while (!dynamics.is_done()) {
      dynamics.advance();
      dynamics.observe();
      EXPECT_LT(distance_from_branch(dynamics.state()), 1e-6);  // sqrt(1e-12)
    }
  } catch (const base::ComputationError& e) {
    told = e.what();
    EXPECT_THAT(told, AllOf(HasSubstr("singular position"), HasSubstr("pivot right"),
                            HasSubstr("guide it through")));
  }
  EXPECT_THAT(base::logged_warnings(),
              Contains(AllOf(HasSubstr("subdivided"), HasSubstr("t = 0.25 s"))));
  if (told.empty() || dynamics.state().t > 0.26) {
    EXPECT_THAT(base::logged_warnings(),
                Contains(HasSubstr("passes through or close to a singular position")));
  }
}

}  // namespace
}  // namespace solidyn

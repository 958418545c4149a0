// A02: windows of parallel cranks (IFToMM benchmark A02), spatial and so with three rows too many
// in each loop; twice per turn all bars are collinear and G loses more of its rank.
#include <gmock/gmock.h>

#include "linkages.h"
#include "mechanisms.h"

namespace solidyn {
namespace {

using Eigen::Vector2d;
using system::State;

struct Row {
  double t, x, y;
};

struct Outcome {
  std::vector<Vector2d> ends;  // of the first crank, at the times of the table
  double largest_energy_error = 0.0;
};

Outcome run(system::System& bars, const std::vector<Row>& table, double h) {
  State s = testing_support::start(bars);
  integrators::GeneralizedAlphaOptions options;
  options.rho_infinity = 0.9;
  options.tolerance = 1e-12;
  options.regularization = system::redundancy_regularization(bars);
  integrators::GeneralizedAlpha integrator(bars, options);
  integrator.initialize(s);
  const double energy = testing_support::total_energy(bars, s);
  Outcome outcome;
  int done = 0;
  for (const Row& row : table) {
    for (; done < std::lround(row.t / h); ++done) {
      integrator.step(s, h);
      outcome.largest_energy_error = std::max(
          outcome.largest_energy_error, std::abs(testing_support::total_energy(bars, s) - energy));
    }
    outcome.ends.push_back(2.0 * s.q.head<2>());  // the centre is half way
  }
  return outcome;
}

void expect_table(int n_windows, const std::vector<Row>& table, double h, double tolerance) {
  const auto bars = testing_support::make_four_bars(n_windows);
  const Outcome outcome = run(*bars, table, h);
  for (std::size_t i = 0; i < table.size(); ++i)
    EXPECT_LT((outcome.ends[i] - Vector2d(table[i].x, table[i].y)).norm(), tolerance)
        << n_windows << " windows, t = " << table[i].t;
  EXPECT_LT(outcome.largest_energy_error, 0.1) << n_windows << " windows";
}

TEST(FourBars, PassTheirSingularPositions) {
  expect_table(1,
               {{1, -0.26071268, -0.96541644},
                {2, 0.07708547, 0.99702449},
                {3, -0.69893953, -0.71518077},
                {5, -0.94490819, -0.32733549},
                {10, 0.47838506, 0.87815018}},
               1e-3, 1e-3);
  expect_table(40,
               {{1, -0.11535688, -0.99332411},
                {2, 0.03446631, 0.99940586},
                {3, -0.33851815, -0.94095986},
                {5, -0.54019005, -0.84154305},
                {10, 0.18051223, 0.98357274}},
               2e-3, 2e-3);
}

}  // namespace
}  // namespace solidyn

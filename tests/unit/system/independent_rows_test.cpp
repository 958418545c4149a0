// Which rows of dependent constraints are enforced.
#include "solidyn/system/independent_rows.h"

#include <gtest/gtest.h>

#include "linkages.h"
#include "mechanisms.h"
#include "solidyn/system/scales.h"

namespace solidyn::system {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Singular values of the rows that are kept, scaled to length one, with columns by the weights.
VectorXd spread(const System& system, const std::vector<int>& left_out) {
  const VectorXd weights = increment_weights(system, characteristic_length(system));
  MatrixXd G = Eigen::MatrixXd(system.sparse_G()) * weights.cwiseInverse().asDiagonal();
  G.rowwise().normalize();
  MatrixXd kept(G.rows() - static_cast<Eigen::Index>(left_out.size()), G.cols());
  Eigen::Index n = 0;
  for (Eigen::Index i = 0; i < G.rows(); ++i)
    if (std::find(left_out.begin(), left_out.end(), i) == left_out.end()) kept.row(n++) = G.row(i);
  return kept.jacobiSvd().singularValues();
}

struct Found {
  std::vector<int> by_order, improved;
};

Found rows_of(System& system) {
  State state = testing_support::start(system);
  const Redundancy redundancy =
      find_redundancy(system, increment_weights(system, characteristic_length(system)));
  auto solver =
      solvers::make_linear_solver(solvers::Preset::automatic, system.layout().n_unknowns());
  system.set_pattern(*solver);
  IndependentRows rows(redundancy.rows);
  rows.improve(system, state, *solver);
  EXPECT_FALSE(rows.improve(system, state, *solver)) << "it is not settled";
  return {redundancy.rows, rows.left_out()};
}

TEST(IndependentRows, AreAsManyAndIndependent) {
  for (const auto& system : {testing_support::make_bricard(), testing_support::make_four_bars(3),
                             testing_support::make_five_bar_parallelogram()}) {
    const Found found = rows_of(*system);
    EXPECT_EQ(found.by_order.size(), found.improved.size());
    const VectorXd all = spread(*system, {}), kept = spread(*system, found.improved);
    const Eigen::Index rank = kept.size();
    EXPECT_EQ(rank, system->layout().n_constraints() - static_cast<int>(found.improved.size()));
    // No choice of rows has a larger smallest value than all of them.
    EXPECT_GT(kept[rank - 1], 0.05 * all[rank - 1]);
    EXPECT_GE(kept[rank - 1], 0.5 * spread(*system, found.by_order)[rank - 1]);
  }
}

TEST(IndependentRows, AreAllWhereNothingDepends) {
  const auto top = testing_support::make_heavy_top();
  State state = testing_support::start(*top);
  auto solver = solvers::make_linear_solver(solvers::Preset::automatic, top->layout().n_unknowns());
  top->set_pattern(*solver);
  IndependentRows rows;
  EXPECT_TRUE(rows.is_all());
  EXPECT_FALSE(rows.improve(*top, state, *solver));
}

}  // namespace
}  // namespace solidyn::system

#include "solidyn/analyses/driven_motions.h"

#include "row_space.h"

namespace solidyn::analyses {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Motions = std::vector<LinearInputs::Motion>;
using system::Linearisation;

// Unit right-hand sides of the rows of one level, a column for each motion of that level.
MatrixXd unit_rows(const Linearisation& l, const Motions& motions, bool is_rate) {
  std::vector<Index> columns;
  for (const LinearInputs::Motion& motion : motions)
    if (l.is_rate[motion.row] == is_rate) columns.push_back(motion.row);
  MatrixXd all = MatrixXd::Zero(l.G.rows(), static_cast<Index>(columns.size()));
  for (std::size_t k = 0; k < columns.size(); ++k) all(columns[k], static_cast<Index>(k)) = 1.0;
  return rows_of(all.sparseView(), l, is_rate);
}

MatrixXd which_have_positions(const Linearisation& l, const Motions& motions, Index n_m) {
  MatrixXd S = MatrixXd::Zero(n_m, static_cast<Index>(motions.size()));
  Index next = 0;
  for (std::size_t k = 0; k < motions.size(); ++k)
    if (!l.is_rate[motions[k].row]) S(next++, static_cast<Index>(k)) = 1.0;
  return S;
}

// G x' + E x = r of velocity-level rows, for y'.
void set_answers_of_rates(const Linearisation& l, const MinimalCoordinates& m,
                          const Motions& motions, DrivenMotions& d) {
  d.by_m = MatrixXd::Zero(m.n_y(), d.n_m());
  d.by_r = MatrixXd::Zero(m.n_y(), static_cast<Index>(motions.size()));
  const MatrixXd G = rows_of(l.G, l, true), E = rows_of(l.E, l, true);
  if (G.rows() == 0) return;
  const RowSpace rates(G * m.N, Eigen::VectorXd::Ones(m.n_y()));
  d.by_m = -rates.solve(G * d.dU + E * d.U);
  const MatrixXd of_positions = -rates.solve(G * d.U),
                 of_rates = rates.solve(unit_rows(l, motions, true));
  Index position = 0, rate = 0;
  for (std::size_t k = 0; k < motions.size(); ++k)
    d.by_r.col(static_cast<Index>(k)) =
        l.is_rate[motions[k].row] ? of_rates.col(rate++) : of_positions.col(position++);
}

double size(const Linearisation& l, const MatrixXd& x) {
  return (l.weights.asDiagonal() * x).norm();
}

}  // namespace

DrivenMotions find_driven_motions(const Linearisation& l, const MinimalCoordinates& m,
                                  const Motions& motions) {
  const RowSpace position(rows_of(l.G, l, false), l.weights);
  const auto not_of_y = [&](const MatrixXd& x) { return MatrixXd(x - m.N * (m.Y * x)); };
  const MatrixXd dG = rows_of(l.dG, l, false), ddG = rows_of(l.ddG, l, false);
  DrivenMotions d;
  d.U = not_of_y(position.solve(unit_rows(l, motions, false)));
  d.dU = not_of_y(-position.solve(dG * d.U));
  d.ddU = not_of_y(-position.solve(2.0 * dG * d.dU + ddG * d.U));
  d.S = which_have_positions(l, motions, d.n_m());
  set_answers_of_rates(l, m, motions, d);
  if (!l.is_at_rest() && d.n_m() > 0) d.turns = size(l, d.dU) / (l.rate * size(l, d.U));
  return d;
}

}  // namespace solidyn::analyses

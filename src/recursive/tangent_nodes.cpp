// Of TangentSweep, nodes of beams: the matrix of a group, and solutions with it.
#include <fmt/format.h>

#include "recursive/absolute_part.h"
#include "recursive/tangent_sweep.h"
#include "solidyn/base/error.h"
#include "solidyn/bodies/element_body.h"

namespace solidyn::recursive {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// Residuals and increments of a node are those of its body, as its elements have them; what else
// acts on it, and its own inertia, it has as any link that is free.
void TangentSweep::eliminate_nodes(int group, const StepCoefficients& c, const VectorXd& q,
                                   const VectorXd& u, const VectorXd& du,
                                   const VectorXd& increment) {
  const NodeGroup& nodes = tree_.node_groups()[group];
  NodeMatrix& matrix = of_nodes_[group];
  matrix.set_zero();
  matrix.add_elements({c.acceleration, c.velocity, 1.0}, equations_.system().gravity(), &increment);
  for (int i = nodes.begin; i < nodes.end; ++i) {
    const Link& k = tree_.links()[i];
    General& g = general_[index_[i]];
    link_columns_.evaluate(k, q, u, du, k.p);
    set_variations(g, k, c, increment);
    matrix.add(i, i, work_.geometric + g.rows * (M_[i] * g.gamma));
  }
  for (const Between& b : between_nodes_)
    if (b.row >= nodes.begin && b.row < nodes.end)
      matrix.add(b.row, b.column,
                 general_[index_[b.row]].rows * (b.block * general_[index_[b.column]].gamma));
  try {
    matrix.factor();
  } catch (const base::ComputationError&) {
    throw base::ComputationError(fmt::format(
        "recursive: the iteration matrix is singular at the nodes of `{}`\n  some of them may have no inertia: try a smaller `step`, or set  formulation: absolute",
        equations_.absolute_part().elements(group).front().body->name()));
  }
  if (!closures_) return;
  closures_->eliminate_nodes(
      group, {[this](int link) { return MatrixXd(general_[index_[link]].gamma); },
              [this](int link) { return MatrixXd(general_[index_[link]].rows); },
              [&matrix](const MatrixXd& columns) { return matrix.solve_columns(columns); }});
}

// By the forces on them, and what rows of closures have of that.
void TangentSweep::solve_nodes_alone(const VectorXd& r, VectorXd& y) {
  for (std::size_t g = 0; g < of_nodes_.size(); ++g) {
    const NodeGroup& nodes = tree_.node_groups()[g];
    VectorXd e = r.segment(nodes.u, nodes.n);
    for (int i = nodes.begin; i < nodes.end; ++i) {
      e.segment<6>(tree_.links()[i].u - nodes.u) += general_[index_[i]].rows * z_[i];
      z_[i].setZero();
    }
    auto own = y.segment(nodes.u, nodes.n);
    own = -of_nodes_[g].solve(e);
    if (has_closures(nodes.begin)) push_by_closures(nodes.begin, own);
  }
}

// With the multipliers of closures, which are known now.
void TangentSweep::move_nodes(VectorXd& y) {
  for (const NodeGroup& nodes : tree_.node_groups()) {
    if (has_closures(nodes.begin)) move_by_closures(nodes.begin, y.segment(nodes.u, nodes.n));
    for (int i = nodes.begin; i < nodes.end; ++i)
      x_[i] = general_[index_[i]].gamma * y.segment<6>(tree_.links()[i].u);
  }
}

}  // namespace solidyn::recursive

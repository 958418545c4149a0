// The matrix of two states, from the blocks that System::assemble() makes of each.
#include "integrators/coupled_stages.h"
#include "solidyn/base/timer.h"
#include "solidyn/math/rotation.h"

namespace solidyn::integrators {
namespace {

using Eigen::Index;
using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// Column c of a matrix in compressed columns.
struct Column {
  Map<const Eigen::VectorXi> rows;
  Map<const VectorXd> values;
  Index n_above = 0;  // entries in rows before `below`
  Column(const Map<const Eigen::SparseMatrix<double>>& m, Index c, Index below)
      : rows(m.innerIndexPtr() + m.outerIndexPtr()[c],
             m.outerIndexPtr()[c + 1] - m.outerIndexPtr()[c]),
        values(m.valuePtr() + m.outerIndexPtr()[c], rows.size()) {
    while (n_above < rows.size() && rows[n_above] < below) ++n_above;
  }
  Map<const MatrixXd> above() const { return {values.data(), n_above, 1}; }
};

}  // namespace

// Blocks in order: of each velocity of each state, its column in the equations of motion of the
// first and of the last state, and in the rows of constraints; then of each multiplier of each
// state its column in that state's equations of motion.
void CoupledStages::set_pattern() {
  const int n_v = system_.layout().n_velocities(), n_l = system_.layout().n_constraints();
  std::vector<solvers::BlockIndices> blocks;
  for (const int of : {0, 1})
    for (int c = 0; c < n_v; ++c) {
      const std::vector<int> at{of * n_v + c};
      for (const int k : {0, 1}) {
        const Column column(of_state_[k][of].sparse(), c, n_v);
        std::vector<int> rows;
        for (Index i = 0; i < column.n_above; ++i) rows.push_back(k * n_v + column.rows[i]);
        blocks.push_back({rows, at});
      }
      const Column column(of_state_[1][1].sparse(), c, n_v);
      std::vector<int> rows;
      for (Index i = column.n_above; i < column.rows.size(); ++i)
        for (const int k : {0, 1}) rows.push_back(n_v + k * n_l + column.rows[i]);
      blocks.push_back({rows, at});
    }
  for (const int k : {0, 1})
    for (int i = 0; i < n_l; ++i) {
      const Column column(of_state_[k][k].sparse(), n_v + i, n_v);
      std::vector<int> rows;
      for (Index r = 0; r < column.n_above; ++r) rows.push_back(k * n_v + column.rows[r]);
      blocks.push_back({rows, {2 * n_v + k * n_l + i}});
    }
  for (const int k : {0, 1}) pattern_versions_[k] = of_state_[k][k].pattern_version();
  solver_->set_pattern(2 * (n_v + n_l), blocks);
}

// @pre System::compute_residual() at state k
void CoupledStages::assemble(int k) {
  base::ScopedTimer timer(statistics_.assembly_seconds);
  for (const bodies::BodyIndex b : system_.bodies())
    if (system_.body(b).n_rigid() > 0)
      turns_[b] = math::right_tangent(n_[k].segment<3>(system_.layout().velocity_offset(b) + 3));
  for (const int of : {0, 1}) {
    system::System::TangentOptions options;
    options.coefficients = {inverse_(k, of) / (h_ * h_), k == of ? 1.0 / h_ : 0.0, B_(k, of)};
    options.row_scale = h_ * h_;
    options.rotation_tangents = &turns_;
    system_.assemble(*s_[k], options, of_state_[k][of]);
  }
}

// @pre assemble() of both states, the last one at the end
void CoupledStages::factor() {
  if (of_state_[0][0].pattern_version() != pattern_versions_[0] ||
      of_state_[1][1].pattern_version() != pattern_versions_[1])
    set_pattern();
  {
    base::ScopedTimer timer(statistics_.assembly_seconds);
    solver_->set_zero();
    add_motion();
    add_constraints();
  }
  base::ScopedTimer timer(statistics_.solve_seconds);
  solver_->factor();
  is_stale_ = false;
  has_tangent_of_guess_ = true;
  tangent_step_ = h_;
  ++statistics_.tangents;
}

void CoupledStages::add_motion() {
  const int n_v = system_.layout().n_velocities(), n_l = system_.layout().n_constraints();
  for (const int k : {0, 1}) {
    for (const int of : {0, 1}) {
      const auto m = of_state_[k][of].sparse();
      for (int c = 0; c < n_v; ++c)
        solver_->add_block(3 * (of * n_v + c) + k, Column(m, c, n_v).above());
    }
    const auto m = of_state_[k][k].sparse();
    for (int i = 0; i < n_l; ++i)
      solver_->add_block(6 * n_v + k * n_l + i, Column(m, n_v + i, n_v).above());
  }
}

void CoupledStages::add_constraints() {
  const int n_v = system_.layout().n_velocities(), n_l = system_.layout().n_constraints();
  if (n_l == 0) return;
  const auto& is_velocity_level = system_.layout().is_velocity_level();
  const auto m = of_state_[1][1].sparse();
  const Eigen::SparseMatrix<double> G = system_.sparse_G();
  VectorXd g, g0, entries;
  const auto column_of = [&](const Eigen::SparseMatrix<double>& from, int c, VectorXd& to) {
    to.setZero(n_l);
    if (from.rows() == 0) return;
    for (Eigen::SparseMatrix<double>::InnerIterator it(from, c); it; ++it)
      to[it.row()] = it.value();
  };
  for (int c = 0; c < n_v; ++c) {
    const Column column(m, c, n_v);
    column_of(G, c, g);
    column_of(G0_, c, g0);
    for (const int of : {0, 1}) {
      entries.resize(2 * (column.rows.size() - column.n_above));
      Index at = 0;
      for (Index i = column.n_above; i < column.rows.size(); ++i) {
        const int row = column.rows[i] - n_v;
        entries[at++] = is_velocity_level[row] ? inverse_(0, of) * g0[row]
                                               : B_(1, of) * column.values[i];  // G T
        entries[at++] = of == 1 ? g[row] : 0.0;
      }
      solver_->add_block(3 * (of * n_v + c) + 2,
                         Map<const MatrixXd>(entries.data(), entries.size(), 1));
    }
  }
  if (end_.regularization() == 0.0) return;
  for (int i = 2 * n_v; i < 2 * (n_v + n_l); ++i) solver_->add_diagonal(i, -end_.regularization());
}

}  // namespace solidyn::integrators

#include "recursive/coordinate_pairs.h"

#include <algorithm>

namespace solidyn::recursive {

using Eigen::MatrixXd;
using Eigen::VectorXd;

CoordinatePairs::CoordinatePairs(StepEquations& equations)
    : equations(equations), tree(equations.tree()), fields(tree), bodies(equations), mass(tree) {
  const int n = fields.size();
  for (MatrixXd* all : {&by_q, &by_u, &by_du}) all->setZero(n, n);
  carried_.resize(tree.links().size());
  forces_q_.setZero(6, n);
  forces_u_ = forces_du_ = forces_q_;
  rows_.setZero(n, 18);
}

void CoordinatePairs::evaluate(const VectorXd& q, const VectorXd& u, const VectorXd& du,
                               const system::State& state) {
  fields.evaluate(q, u, du);
  bodies.evaluate(fields, du, state);
  if (is_coupled_ || !fields.is_one_to_one())
    for (MatrixXd* all : {&by_q, &by_u, &by_du}) all->setZero(fields.size(), fields.size());
  sort_couplings();
  carried_ = bodies.bodies();
  for (std::size_t i = carried_.size(); i-- > 0;) {
    const int parent = tree.links()[i].parent;
    if (parent >= 0) carried_[parent] += carried_[i];
    for (const int c : meeting_[i]) add_on_the_way(bodies.couplings()[c]);
    set_forces(i);
    set_rows(i);
    add_pairs(i);
  }
  for (const BodyTangents::Coupling& coupling : bodies.couplings()) add_coupling(coupling);
  if (!fields.is_one_to_one())
    for (MatrixXd* all : {&by_q, &by_u, &by_du}) *all = folded(*all);
}

// What its own coordinates change the force by that the hinge of a link exerts.
void CoordinatePairs::set_forces(std::size_t i) {
  const int at = fields.begin(i), n = fields.end(i) - at, n_own = fields.n_own_modes(i);
  if (n == 0) return;
  const Rows18& M = carried_[i];
  forces_q_.middleCols(at, n).noalias() = M.lazyProduct(fields.by_q().middleCols(at, n));
  forces_u_.middleCols(at, n).noalias() =
      M.rightCols<12>().lazyProduct(fields.by_u().middleCols(at, n));
  forces_du_.middleCols(at, n).noalias() =
      M.rightCols<6>().lazyProduct(fields.columns().middleCols(at, n));
  if (n_own == 0) return;
  const BodyTangents::OfModes& m = modes_of(i);
  forces_q_.middleCols(begin_own(i), n_own) += m.by_q;
  forces_u_.middleCols(begin_own(i), n_own) += m.by_u;
  forces_du_.middleCols(begin_own(i), n_own) += m.by_du;
}

// What forces along the columns of a link vary by when it goes with its parent.
void CoordinatePairs::set_rows(std::size_t i) {
  const Vector6d F = fields.force(tree.links()[i]);
  for (int e = fields.begin(i); e < fields.end(i); ++e) {
    const Vector6d C = fields.columns().col(e);
    Eigen::Matrix<double, 1, 18> row = C.transpose() * carried_[i];
    row.head<6>() += turned_with(C, F).transpose();
    const int own = e - begin_own(i);
    if (own >= 0) row += modes_of(i).rows.row(own);
    rows_.row(e) = row;
  }
}

void CoordinatePairs::add_pairs(std::size_t i) {
  const int at = fields.begin(i), n = fields.end(i) - at, n_own = fields.n_own_modes(i);
  if (n == 0) return;
  // Forces along its columns by all that it carries, and by its own columns.
  const int n_all = fields.end_of_carried(i) - at;
  const auto C = fields.columns().middleCols(at, n).transpose();
  by_q.block(at, at, n, n_all).noalias() = C * forces_q_.middleCols(at, n_all);
  by_u.block(at, at, n, n_all).noalias() = C * forces_u_.middleCols(at, n_all);
  by_du.block(at, at, n, n_all).noalias() = C * forces_du_.middleCols(at, n_all);
  if (fields.geometric(i).size() > 0) by_q.block(at, at, n, n) += fields.geometric(i);
  if (n_own > 0) {
    const BodyTangents::OfModes& m = modes_of(i);
    const int own = begin_own(i);
    by_q.block(own, at, n_own, n) += m.rows * fields.by_q().middleCols(at, n);
    by_u.block(own, at, n_own, n) += m.rows.rightCols<12>() * fields.by_u().middleCols(at, n);
    by_du.block(own, at, n_own, n) += m.rows.rightCols<6>() * fields.columns().middleCols(at, n);
    by_q.block(own, own, n_own, n_own) += m.own_q;
    by_u.block(own, own, n_own, n_own) += m.own_u;
    by_du.block(own, own, n_own, n_own) += m.own_du;
  }
  // Forces along columns of what it carries by its own columns.
  const int first = at + n, n_rows = n_all - n;
  if (n_rows == 0) return;
  const auto rows = rows_.middleRows(first, n_rows);
  by_q.block(first, at, n_rows, n).noalias() = rows * fields.by_q().middleCols(at, n);
  by_u.block(first, at, n_rows, n).noalias() =
      rows.rightCols<12>() * fields.by_u().middleCols(at, n);
  by_du.block(first, at, n_rows, n) = by_du.block(at, first, n, n_rows).transpose();
}

void CoordinatePairs::sort_couplings() {
  is_coupled_ = !bodies.couplings().empty();
  meeting_.resize(carried_.size());
  for (std::vector<int>& couplings : meeting_) couplings.clear();
  for (std::size_t c = 0; c < bodies.couplings().size(); ++c)
    if (bodies.couplings()[c].meet >= 0)
      meeting_[bodies.couplings()[c].meet].push_back(static_cast<int>(c));
}

// Calls visit(e, own) of all columns of links from `link` outside of `meet`; `own`: of the modes
// of `link` itself, -1 of others.
template <class Visit>
void CoordinatePairs::on_the_way(int link, int meet, Visit&& visit) const {
  for (int k = link; k != meet; k = tree.links()[k].parent)
    for (int e = fields.begin(k); e < fields.end(k); ++e)
      visit(e, k == link ? std::max(-1, e - begin_own(k)) : -1);
}

// A force on one body by the motion of another: what links that carry both see of columns that
// carry one of them alone. Those that carry both are in carried_.
void CoordinatePairs::add_on_the_way(const BodyTangents::Coupling& c) {
  on_the_way(c.column, c.meet, [&](int e, int own) {
    forces_q_.col(e) += c.by_fields.topRows<6>() * fields.by_q().col(e);
    forces_u_.col(e) += c.by_fields.topRightCorner<6, 12>() * fields.by_u().col(e);
    if (own < 0) return;
    forces_q_.col(e) += c.own_q.col(own).head<6>();
    forces_u_.col(e) += c.own_u.col(own).head<6>();
  });
  on_the_way(c.row, c.meet, [&](int e, int own) {
    rows_.row(e) += fields.columns().col(e).transpose() * c.by_fields.topRows<6>();
    if (own >= 0) rows_.row(e) += c.by_fields.row(6 + own);
  });
}

// The same between the columns of both sides. Modes of the link where they meet carry neither.
void CoordinatePairs::add_coupling(const BodyTangents::Coupling& c) {
  const int n_row = fields.n_own_modes(c.row), n_column = fields.n_own_modes(c.column);
  const auto add = [&](int e, const VectorXd& by_position, const VectorXd& by_speed) {
    add_force(c.row, c.meet, n_row, by_position, by_q.col(e));
    add_force(c.row, c.meet, n_row, by_speed, by_u.col(e));
  };
  const auto add_inertia = [&](int e) {  // of elements, between nodes
    add_force(c.row, c.meet, n_row, c.by_fields.rightCols<6>() * fields.columns().col(e),
              by_du.col(e));
  };
  on_the_way(c.column, c.meet, [&](int e, int own) {
    VectorXd by_position = c.by_fields * fields.by_q().col(e),
             by_speed = c.by_fields.rightCols<12>() * fields.by_u().col(e);
    if (own >= 0) by_position += c.own_q.col(own);
    if (own >= 0) by_speed += c.own_u.col(own);
    add(e, by_position, by_speed);
    if (c.has_inertia) add_inertia(e);
  });
  if (c.column == c.meet)
    for (int own = 0; own < n_column; ++own)
      add(begin_own(c.column) + own, c.own_q.col(own), c.own_u.col(own));
}

// Adds to `out` what a force [force; torque; modal] on a link is along its modes and along
// columns outside of link `from`, -1: of all.
void CoordinatePairs::add_force(int link, int from, int n_modes, const VectorXd& force,
                                Eigen::Ref<VectorXd> out) const {
  out.segment(fields.end(link) - n_modes, n_modes) += force.tail(n_modes);
  for (int row = link; row != from; row = tree.links()[row].parent) {
    const int at = fields.begin(row), n = fields.end(row) - at;
    out.segment(at, n) += fields.columns().middleCols(at, n).transpose() * force.head<6>();
  }
}

// From columns of links to speeds of the tree.
MatrixXd CoordinatePairs::folded(const MatrixXd& all) const {
  MatrixXd sum = MatrixXd::Zero(tree.n_speeds(), tree.n_speeds());
  for (int j = 0; j < fields.size(); ++j)
    for (int i = 0; i < fields.size(); ++i) sum(fields.speed(i), fields.speed(j)) += all(i, j);
  return sum;
}

}  // namespace solidyn::recursive

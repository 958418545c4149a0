#include "recursive/closure_sweep.h"

#include <cmath>

#include "recursive/absolute_part.h"
#include "recursive/link_sweeps.h"
#include "recursive/modal_elimination.h"
#include "solidyn/system/scales.h"

namespace solidyn::recursive {

using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::Ref;
using Eigen::VectorXd;

namespace {

// Of pivots of L, whose rows have been given the length one: below it rows depend on others.
constexpr double kDependent = 1e-12;
// Of what a row would be if all that moves it pointed along it, with arms as long as the mechanism,
// before what carries both of its sides cancels: what is smaller is round-off of a row that nothing
// moves, such as one out of the plane of a plane mechanism, or of a joint beside another one, and
// is not made one.
constexpr double kStands = 1e-16;

}  // namespace

ClosureSweep::ClosureSweep(Tree& tree, const std::vector<ClosureOrder::Closure>& closures,
                           const std::vector<int>& n_rows)
    : tree_(tree),
      order_(tree.links(), closures),
      rows_(tree.links(), order_, n_rows),
      length_(system::characteristic_length(tree.system())),
      at_(tree.links().size()),
      solutions_(order_.groups().size()) {
  int n_entries = 0;
  for (const auto& [i, j] : order_.blocks()) {
    first_entry_.push_back(n_entries);
    n_entries += n_rows[i] * n_rows[j];
  }
  L_.assign(n_entries, 0.0);
  for (std::size_t i = 0; i < at_.size(); ++i) {
    const Link& k = tree.links()[i];
    const auto n = static_cast<Eigen::Index>(rows_.links[i].rows.size());
    At& at = at_[i];
    at.K.setZero(6, n);
    at.size_of_K.setZero(6, n);
    at.along.setZero(n, k.n_free);
    at.along_inverse = at.along;
    if (k.modes >= 0) at.modal.setZero(n, tree.modes()[k.modes].n);
    at.size_of_modal = at.modal;
  }
  for (const NodeGroup& group : tree.node_groups()) {
    At& at = at_[group.begin];
    at.nodes.setZero(group.n, at.K.cols());
    at.size_of_nodes = at.nodes;
  }
  mobility_.setZero(rows_.size());
  reach_ = right_side = c_ = lambda_ = mobility_;
}

ClosureCounts ClosureSweep::counts() const {
  ClosureCounts counts;
  for (const ClosureRows::AtLink& at : rows_.links)
    counts.through.push_back(static_cast<int>(at.rows.size()));
  for (const ClosureRows::OfGroup& group : rows_.groups)
    counts.ending.push_back(static_cast<int>(group.rows.size()));
  return counts;
}

Map<MatrixXd> ClosureSweep::block(int i) {
  const auto [row, column] = order_.blocks()[i];
  return {&L_[first_entry_[i]], rows_.size_of(row), rows_.size_of(column)};
}

MatrixXd ClosureSweep::mobility_from(int first) {
  const int from = rows_.first[first];
  MatrixXd mobility = MatrixXd::Zero(rows_.size() - from, rows_.size() - from);
  for (std::size_t i = 0; i < order_.blocks().size(); ++i) {
    const auto [row, column] = order_.blocks()[i];
    if (row < first || column < first) continue;
    const Map<MatrixXd> L = block(static_cast<int>(i));
    const int at = rows_.first[row] - from, beside = rows_.first[column] - from;
    mobility.block(at, beside, L.rows(), L.cols()) = L;
    mobility.block(beside, at, L.cols(), L.rows()) = L.transpose();
  }
  return mobility;
}

void ClosureSweep::begin() {
  std::fill(L_.begin(), L_.end(), 0.0);
  mobility_.setZero();
  reach_.setZero();
  for (At& at : at_) {
    at.K.setZero();
    at.modal.setZero();
    at.size_of_K.setZero();
    at.size_of_modal.setZero();
    at.nodes.setZero();
    at.size_of_nodes.setZero();
  }
}

void ClosureSweep::add_rows(int closure, const Link& k, const Ref<const MatrixXd>& G) {
  const int link = index_of(k), entry = tree_.entry_of_rows(link), group = tree_.node_group(link);
  At& at = at_[entry];
  const std::vector<int>& rows = rows_.links[entry].rows;
  auto column = std::find(rows.begin(), rows.end(), rows_.first[closure]) - rows.begin();
  if (group >= 0) {
    const int first = k.u - tree_.node_groups()[group].u;
    at.nodes.block(first, column, 6, G.rows()) += G.transpose();
    at.size_of_nodes.block(first, column, 6, G.rows()) += G.transpose().cwiseAbs();
    return;
  }
  for (Eigen::Index i = 0; i < G.rows(); ++i, ++column) {
    Vector6d row;
    row << G.row(i).head<3>().transpose(), k.R * G.row(i).segment<3>(3).transpose();
    at.K.col(column) += row;
    at.size_of_K.col(column) += row.cwiseAbs();
    if (k.modes < 0) continue;
    at.modal.row(column) += G.row(i).tail(at.modal.cols());
    at.size_of_modal.row(column) += G.row(i).tail(at.modal.cols()).cwiseAbs();
  }
}

// L += left right^T, symmetric.
void ClosureSweep::add_mobility(const Link& k, const Ref<const MatrixXd>& left,
                                const Ref<const MatrixXd>& right) {
  const int link = index_of(k);
  rows_.for_each_block(order_, order_.pairs(link), order_.through(link), order_.through(link),
                       [&](int id, int row, int column, bool is_transposed) {
                         if (is_transposed) return;
                         Map<MatrixXd> L = block(id);
                         L += left.middleRows(row, L.rows())
                                  .lazyProduct(right.middleRows(column, L.cols()).transpose());
                       });
  const std::vector<int>& rows = rows_.links[link].rows;
  for (std::size_t i = 0; i < rows.size(); ++i) mobility_[rows[i]] += left.row(i).dot(right.row(i));
}

void ClosureSweep::eliminate_modes(const Link& k) {
  At& at = at_[index_of(k)];
  const std::vector<int>& rows = rows_.links[index_of(k)].rows;
  if (rows.empty()) return;
  const Modes& m = tree_.modes()[k.modes];
  MatrixXd modal = (at.modal + at.K.transpose() * m.E).transpose();
  divide_by_modal_factor(m, modal);
  at.modal = modal.transpose();
  at.size_of_modal += at.size_of_K.transpose() * m.E.cwiseAbs();
  const Matrix6X change = m.P_rf * modal;
  at.K -= change;
  at.size_of_K += change.cwiseAbs();
  add_mobility(k, at.modal, at.modal);
  // On the diagonal of the factor are the inverses of its pivots.
  for (std::size_t i = 0; i < rows.size(); ++i)
    reach_[rows[i]] +=
        std::max(at.modal.row(i).squaredNorm(),
                 at.size_of_modal.row(i).transpose().cwiseProduct(m.P_ff.diagonal()).squaredNorm());
}

void ClosureSweep::eliminate_hinge(Link& k, const Ref<const Matrix6X>& G,
                                   const Ref<const MatrixXd>& D_inverse) {
  const int link = index_of(k);
  At& at = at_[link];
  const std::vector<int>& rows = rows_.links[link].rows;
  if (rows.empty()) return;
  const auto H = tree_.H(k).leftCols(k.n_free);
  at.along = at.K.transpose().lazyProduct(H);
  at.along_inverse = at.along.lazyProduct(D_inverse);
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (int j = 0; j < k.n_free; ++j) {
      const double force = at.size_of_K.col(i).head<3>().norm(),
                   torque = at.size_of_K.col(i).tail<3>().norm(),
                   reach = force * H.col(j).head<3>().norm() +
                           (torque + length_ * force) * H.col(j).tail<3>().norm();
      reach_[rows[i]] += reach * reach * D_inverse(j, j);
    }
  at.K -= G.lazyProduct(at.along.transpose());
  add_mobility(k, at.along_inverse, at.along);
  for (int g = order_.first_group(link); g < order_.last_group(link); ++g) end_group(g, &k);
  if (k.parent >= 0) pass_rows(k);
}

void ClosureSweep::eliminate_nodes(int group, const AbsolutePart& part) {
  const int link = tree_.node_groups()[group].begin;
  At& at = at_[link];
  const std::vector<int>& rows = rows_.links[link].rows;
  if (rows.empty()) return;
  at.divided_nodes = part.divided(group, at.nodes);
  add_mobility(tree_.links()[link], at.nodes.transpose(), at.divided_nodes.transpose());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto column = static_cast<Eigen::Index>(i);
    reach_[rows[i]] += at.size_of_nodes.col(column).dot(at.divided_nodes.col(column).cwiseAbs());
  }
  for (int g = order_.first_group(link); g < order_.last_group(link); ++g) end_group(g, nullptr);
}

void ClosureSweep::end_on_ground() {
  for (int g = order_.first_group(-1); g < order_.last_group(-1); ++g) end_group(g, nullptr);
}

void ClosureSweep::invert(int group, const MatrixXd& L) {
  const std::vector<int>& rows = rows_.groups[group].rows;
  Solution& s = solutions_[group];
  const auto n = static_cast<int>(rows.size());
  double least = 1e-300;
  for (const int row : rows) least = std::max(least, kStands * reach_[row]);
  VectorXd scale(n);
  for (int i = 0; i < n; ++i) scale[i] = 1.0 / std::sqrt(std::max(mobility_[rows[i]], least));
  const MatrixXd scaled = scale.asDiagonal() * L * scale.asDiagonal();
  const bool is_known = s.n_dependent >= 0;
  const PivotedInverse found = pivoted_inverse(scaled, is_known ? 0.0 : kDependent,
                                               is_known ? n - s.n_dependent : n, Pivots::diagonal);
  if (!is_known) {
    s.n_dependent = static_cast<int>(found.left.size());
    n_dependent_ += s.n_dependent;
    if (found.last_pivot < weakest_) {
      weakest_ = found.last_pivot;
      weakest_row_ = rows[found.last_row];
    }
  }
  s.inverse = scale.asDiagonal() * found.inverse * scale.asDiagonal();
  s.idle.setZero(n, static_cast<Eigen::Index>(found.left.size()));
  for (std::size_t j = 0; j < found.left.size(); ++j) {
    VectorXd v = -found.inverse * scaled.col(found.left[j]);
    v[found.left[j]] = 1.0;
    s.idle.col(static_cast<Eigen::Index>(j)) = scale.cwiseProduct(v).normalized();
  }
}

void ClosureSweep::end_group(int group, Link* k) {
  const ClosureOrder::Group& g = order_.groups()[group];
  const ClosureRows::OfGroup& numbers = rows_.groups[group];
  const auto n = static_cast<Eigen::Index>(numbers.rows.size()),
             n_c = static_cast<Eigen::Index>(numbers.coupled.size());
  const auto gather = [&](MatrixXd& into) {
    return [&into, this](int id, int row, int column, bool is_transposed) {
      const Map<MatrixXd> from = block(id);
      if (is_transposed)
        into.block(row, column, from.cols(), from.rows()) = from.transpose();
      else
        into.block(row, column, from.rows(), from.cols()) = from;
    };
  };
  MatrixXd L(n, n), beside(n, n_c);
  rows_.for_each_block(order_, g.inside, g.closures, g.closures, gather(L));
  rows_.for_each_block(order_, g.beside, g.closures, g.coupled, gather(beside));
  invert(group, L);
  Solution& s = solutions_[group];
  s.of_coupled = s.inverse * beside;
  rows_.for_each_block(order_, g.between, g.coupled, g.coupled,
                       [&](int id, int row, int column, bool is_transposed) {
                         if (is_transposed) return;
                         Map<MatrixXd> into = block(id);
                         into -= beside.middleCols(row, into.rows())
                                     .transpose()
                                     .lazyProduct(s.of_coupled.middleCols(column, into.cols()));
                       });
  if (!k) return;
  Matrix6X& rows = at_[index_of(*k)].K;
  Matrix6X K(6, n);
  for (Eigen::Index i = 0; i < n; ++i) K.col(i) = rows.col(numbers.places[i]);
  s.of_acceleration = K.lazyProduct(s.inverse);
  const Matrix6X& KL = s.of_acceleration;
  k->P.A += KL.topRows<3>().lazyProduct(K.topRows<3>().transpose());
  k->P.B += KL.topRows<3>().lazyProduct(K.bottomRows<3>().transpose());
  k->P.C += KL.bottomRows<3>().lazyProduct(K.bottomRows<3>().transpose());
  for (Eigen::Index i = 0; i < n_c; ++i)
    rows.col(numbers.coupled_places[i]) -= KL.lazyProduct(beside.col(i));
}

// Those that do not end behind the hinge, at the origin of the parent.
void ClosureSweep::pass_rows(const Link& k) {
  const At& at = at_[index_of(k)];
  const ClosureRows::AtLink& numbers = rows_.links[index_of(k)];
  At& parent = at_[k.parent];
  for (std::size_t i = 0; i < numbers.rows.size(); ++i) {
    if (!numbers.goes_on[i]) continue;
    const Vector6d row = at.K.col(static_cast<Eigen::Index>(i)), there = shifted(k, row);
    parent.K.col(numbers.of_parent[i]) += there;
    parent.size_of_K.col(numbers.of_parent[i]) += there.cwiseAbs();
    if (k.carried < 0) continue;
    const Eigen::RowVectorXd modal = row.transpose() * tree_.carried()[k.carried].X;
    parent.modal.row(numbers.of_parent[i]) += modal;
    parent.size_of_modal.row(numbers.of_parent[i]) += modal.cwiseAbs();
  }
}

}  // namespace solidyn::recursive

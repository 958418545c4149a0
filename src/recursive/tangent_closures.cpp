#include "recursive/tangent_closures.h"

#include <algorithm>
#include <cmath>

#include "solidyn/system/scales.h"

namespace solidyn::recursive {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::add_small_product;

namespace {

// Of the largest pivot of rows that have been scaled: rows that depend on others.
constexpr double kDependentTangents = 1e-10;
// Of the largest entry on the diagonal, and of what a row would be if all that moves it pointed
// along it: what is smaller is not scaled to one.
constexpr double kLeastDiagonal = 1e-16;

VectorXd entries_at(const VectorXd& v, const std::vector<int>& at) {
  VectorXd out(at.size());
  for (std::size_t i = 0; i < at.size(); ++i) out[i] = v[at[i]];
  return out;
}

}  // namespace

void TangentClosures::At::add(Eigen::Index place, const Row& row, const Vector6d& force) {
  R.row(place) += row;
  F.col(place) += force;
  size_of_R.row(place) += row.cwiseAbs();
  size_of_F.col(place) += force.cwiseAbs();
}

void TangentClosures::At::add_modal(Eigen::Index place, const Eigen::RowVectorXd& row,
                                    const VectorXd& force) {
  R_modal.row(place) += row;
  F_modal.col(place) += force;
  size_of_R_modal.row(place) += row.cwiseAbs();
  size_of_F_modal.col(place) += force.cwiseAbs();
}

TangentClosures::TangentClosures(Tree& tree, const ClosureOrder& order)
    : tree_(tree),
      order_(order),
      length_(system::characteristic_length(tree.system())),
      at_(tree.links().size()),
      blocks_(order.blocks().size()),
      solutions_(order.groups().size()) {}

void TangentClosures::renumber(const std::vector<std::vector<TangentRow>>& rows) {
  std::vector<int> n_rows;
  n_rows.reserve(rows.size());
  for (const auto& of_closure : rows) n_rows.push_back(static_cast<int>(of_closure.size()));
  if (n_rows == n_rows_) return;
  n_rows_ = n_rows;
  rows_ = ClosureRows(tree_.links(), order_, n_rows);
}

void TangentClosures::begin(const std::vector<std::vector<TangentRow>>& rows) {
  renumber(rows);
  for (std::size_t i = 0; i < at_.size(); ++i) {
    const Link& k = tree_.links()[i];
    const auto n = static_cast<Eigen::Index>(rows_.links[i].rows.size());
    const int n_modes = k.modes >= 0 ? tree_.modes()[k.modes].n : 0;
    At& at = at_[i];
    at.R.setZero(n, 18);
    at.R_modal.setZero(n, n_modes);
    at.F.setZero(6, n);
    at.F_modal.setZero(n_modes, n);
    at.size_of_R = at.R;
    at.size_of_R_modal = at.R_modal;
    at.size_of_F = at.F;
    at.size_of_F_modal = at.F_modal;
    at.on_nodes.clear();
  }
  for (std::size_t i = 0; i < blocks_.size(); ++i) {
    const auto [a, b] = order_.blocks()[i];
    blocks_[i].upper.setZero(n_rows_[a], n_rows_[b]);
    blocks_[i].lower.setZero(n_rows_[b], n_rows_[a]);
  }
  is_closure_.clear();
  is_idle_.assign(rows_.size(), false);
  reach_.setZero(rows_.size());
  scale_of_phi_.setOnes(rows_.size());
  for (std::size_t c = 0; c < rows.size(); ++c)
    for (std::size_t i = 0; i < rows[c].size(); ++i) {
      const TangentRow& row = rows[c][i];
      const int number = rows_.first[c] + static_cast<int>(i);
      is_closure_.push_back(row.is_closure);
      scale_of_phi_[number] = row.scale_of_phi;
      add_row(row, number);
    }
}

void TangentClosures::add_row(const TangentRow& row, int number) {
  for (std::size_t j = 0; j < row.links.size(); ++j) {
    const int link = row.links[j], entry = tree_.entry_of_rows(link);
    At& at = at_[entry];
    const std::vector<int>& here = rows_.links[entry].rows;
    const auto place = std::find(here.begin(), here.end(), number) - here.begin();
    if (tree_.node_group(link) >= 0) {
      at.on_nodes.push_back({link, place, row.row[j], row.force[j]});
      continue;
    }
    const auto n_modes = at.R_modal.cols();
    at.add(place, row.row[j].head<18>().transpose(), row.force[j].head<6>());
    at.add_modal(place, row.row[j].tail(n_modes).transpose(), row.force[j].tail(n_modes));
  }
}

void TangentClosures::add_reach(int link, const TangentElimination& e) {
  const At& at = at_[link];
  const std::vector<int>& numbers = rows_.links[link].rows;
  const int first = e.n_columns - e.n_unknowns, first_own = e.n_columns - e.n_own;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (!is_closure_[numbers[i]]) continue;
    const auto row = static_cast<Eigen::Index>(i);
    for (int j = first; j < e.n_columns; ++j) {
      double by_y = 0.0, on_y = 0.0;
      // As if they pointed along each other, three by three, and with arms as long as the
      // mechanism: those of a hinge where a row acts are round-off themselves.
      const auto moves = [&](int l) {
        return Eigen::Map<const Vector3d>(e.gamma + 18 * j + l).norm();
      };
      const auto along = [&](int l) {
        const double* from = e.rows + e.n_columns * l + j;
        return Vector3d(from[0], from[e.n_columns], from[2 * e.n_columns]).norm();
      };
      for (int l = 0; l < 18; l += 3) {
        const double arm = l == kPosition   ? length_ * moves(kRotation)
                           : l == kVelocity ? length_ * moves(kTurning)
                                            : 0.0;
        by_y += at.size_of_R.row(row).segment<3>(l).norm() * (moves(l) + arm);
      }
      on_y += (along(0) + length_ * along(3)) * at.size_of_F.col(row).head<3>().norm() +
              along(3) * at.size_of_F.col(row).tail<3>().norm();
      if (j >= first_own) {
        by_y += at.size_of_R_modal(row, j - first_own);
        on_y += at.size_of_F_modal(j - first_own, row);
      }
      const int y = j - first;
      reach_[numbers[i]] += by_y * on_y * std::abs(e.D_inverse[e.n_unknowns * y + y]);
    }
  }
}

const MatrixXd& TangentClosures::eliminate(int link, const TangentElimination& e) {
  using E = TangentElimination;
  const int n_y = e.n_unknowns, n_p = e.n_parent;
  const E::View<18> gamma(e.gamma, 18, e.n_columns);
  const E::View<Eigen::Dynamic, 6> rows(e.rows, e.n_columns, 6);
  At& at = at_[link];
  by_all_.setZero(at.R.rows(), e.n_columns);
  on_all_.setZero(e.n_columns, at.F.cols());
  add_small_product(at.R, gamma, by_all_);
  add_small_product(rows, at.F, on_all_);
  by_all_.rightCols(e.n_own) += at.R_modal;
  on_all_.bottomRows(e.n_own) += at.F_modal;
  at.by_y = by_all_.rightCols(n_y);
  at.y_by.setZero(n_y, at.F.cols());
  if (e.D)
    e.D->add_solution(on_all_.bottomRows(n_y), at.y_by);
  else
    at.y_by = *e.D_inverse * on_all_.bottomRows(n_y);
  add_reach(link, e);
  subtract_mobility(link);
  if (e.has_parent) {
    const E::View<Eigen::Dynamic> B(e.B, n_y, 18 + n_p), modal_inwards(e.modal_inwards, n_p, n_y);
    const E::View<6> inwards(e.inwards, 6, n_y);
    e.shift->multiply(at.R);
    add_small_product(at.by_y, B.leftCols<18>(), at.R);
    at.R_modal = by_all_.leftCols(n_p);
    add_small_product(at.by_y, B.rightCols(n_p), at.R_modal);
    for (Eigen::Index i = 0; i < at.F.cols(); ++i) {
      const Vector3d force = at.F.col(i).head<3>();
      at.F.col(i).tail<3>() += e.shift->r.cross(force);
    }
    add_small_product(inwards, at.y_by, at.F, -1.0);
    at.F_modal = on_all_.topRows(n_p);
    add_small_product(modal_inwards, at.y_by, at.F_modal, -1.0);
  }
  to_parent_.resize(0, 0);
  for (int g = order_.first_group(link); g < order_.last_group(link); ++g)
    end_group(g, e.has_parent ? &at : nullptr, to_parent_);
  if (!e.has_parent) return to_parent_;
  const ClosureRows::AtLink& numbers = rows_.links[link];
  At& parent = at_[tree_.links()[link].parent];
  for (std::size_t i = 0; i < numbers.rows.size(); ++i) {
    if (!numbers.goes_on[i]) continue;
    const int place = numbers.of_parent[i];
    parent.add(place, at.R.row(i), at.F.col(i));
    if (e.n_parent > 0) parent.add_modal(place, at.R_modal.row(i), at.F_modal.col(i));
  }
  return to_parent_;
}

// What the link's unknowns make of the rows by these rows' own.
void TangentClosures::subtract_mobility(int link) {
  const At& at = at_[link];
  rows_.for_each_block(order_, order_.pairs(link), order_.through(link), order_.through(link),
                       [&](int id, int row, int column, bool is_transposed) {
                         MatrixXd& L = block(id, is_transposed);
                         add_small_product(at.by_y.middleRows(row, L.rows()),
                                           at.y_by.middleCols(column, L.cols()), L, -1.0);
                       });
}

void TangentClosures::eliminate_nodes(int group, const NodeElimination& e) {
  const NodeGroup& nodes = tree_.node_groups()[group];
  At& at = at_[nodes.begin];
  const std::vector<int>& numbers = rows_.links[nodes.begin].rows;
  if (numbers.empty()) return;
  const auto n = static_cast<Eigen::Index>(numbers.size());
  MatrixXd on_y = MatrixXd::Zero(nodes.n, n);
  MatrixXd size_by_y = MatrixXd::Zero(n, nodes.n);
  at.by_y = size_by_y;
  for (const At::OnNode& on : at.on_nodes) {
    const int first = tree_.links()[on.link].u - nodes.u;
    const MatrixXd gamma = e.gamma(on.link);
    at.by_y.row(on.place).segment<6>(first) += on.row.transpose() * gamma;
    // As if they pointed along each other, three by three.
    for (int l = 0; l < 18; l += 3)
      size_by_y.row(on.place).segment<6>(first) +=
          on.row.segment<3>(l).norm() * gamma.middleRows<3>(l).colwise().norm();
    on_y.col(on.place).segment<6>(first) += e.rows(on.link) * on.force;
  }
  at.y_by = e.divide(on_y);
  for (Eigen::Index i = 0; i < n; ++i)
    if (is_closure_[numbers[i]])
      reach_[numbers[i]] += size_by_y.row(i).dot(at.y_by.col(i).cwiseAbs());
  subtract_mobility(nodes.begin);
  MatrixXd none;
  for (int g = order_.first_group(nodes.begin); g < order_.last_group(nodes.begin); ++g)
    end_group(g, nullptr, none);
}

void TangentClosures::end_on_ground() {
  MatrixXd none;
  for (int g = order_.first_group(-1); g < order_.last_group(-1); ++g) end_group(g, nullptr, none);
}

void TangentClosures::end_group(int group, At* at, MatrixXd& to_parent) {
  const ClosureOrder::Group& g = order_.groups()[group];
  const ClosureRows::OfGroup& numbers = rows_.groups[group];
  const auto n = static_cast<int>(numbers.rows.size());
  const auto n_c = static_cast<int>(numbers.coupled.size());
  MatrixXd L(n, n), beside(n, n_c);
  Solution& s = solutions_[group];
  s.on_coupled.resize(n_c, n);
  const auto gather = [this](MatrixXd& into) {
    return [&into, this](int id, int row, int column, bool is_transposed) {
      const MatrixXd& from = block(id, is_transposed);
      into.block(row, column, from.rows(), from.cols()) = from;
    };
  };
  rows_.for_each_block(order_, g.inside, g.closures, g.closures, gather(L));
  rows_.for_each_block(order_, g.beside, g.closures, g.coupled, gather(beside));
  rows_.for_each_block(order_, g.beside, g.closures, g.coupled,
                       [&](int id, int row, int column, bool is_transposed) {
                         const MatrixXd& from = block(id, !is_transposed);
                         s.on_coupled.block(column, row, from.rows(), from.cols()) = from;
                       });
  double largest = 1e-300;
  for (int i = 0; i < n; ++i)
    if (is_closure_[numbers.rows[i]]) largest = std::max(largest, std::abs(L(i, i)));
  VectorXd scale = VectorXd::Ones(n);
  for (int i = 0; i < n; ++i) {
    if (is_closure_[numbers.rows[i]])
      scale[i] =
          1.0 / std::sqrt(std::max(std::abs(L(i, i)),
                                   kLeastDiagonal * std::max(largest, reach_[numbers.rows[i]])));
    else
      L(i, i) -= 1.0;
  }
  const PivotedInverse found = pivoted_inverse(scale.asDiagonal() * L * scale.asDiagonal(),
                                               kDependentTangents, n, Pivots::all);
  s.inverse = scale.asDiagonal() * found.inverse * scale.asDiagonal();
  for (int i = 0; i < n; ++i) is_idle_[numbers.rows[i]] = s.inverse.row(i).isZero(0.0);
  s.of_coupled = s.inverse * beside;
  rows_.for_each_block(order_, g.between, g.coupled, g.coupled,
                       [&](int id, int row, int column, bool is_transposed) {
                         MatrixXd& into = block(id, is_transposed);
                         into -= s.on_coupled.middleRows(row, into.rows()) *
                                 s.of_coupled.middleCols(column, into.cols());
                       });
  if (!at) return;
  const auto n_p = at->F_modal.rows();
  MatrixXd R(n, 18 + n_p);
  s.on_force.resize(6 + n_p, n);
  for (int i = 0; i < n; ++i) {
    R.row(i) << at->R.row(numbers.places[i]), at->R_modal.row(numbers.places[i]);
    s.on_force.col(i) << at->F.col(numbers.places[i]), at->F_modal.col(numbers.places[i]);
  }
  s.of_motion = s.inverse * R;
  const MatrixXd of_coupled = s.on_force * s.of_coupled, on_coupled = s.on_coupled * s.of_motion;
  for (int i = 0; i < n_c; ++i) {
    const int place = numbers.coupled_places[i];
    at->F.col(place) -= of_coupled.col(i).head<6>();
    at->F_modal.col(place) -= of_coupled.col(i).tail(n_p);
    at->R.row(place) -= on_coupled.row(i).head<18>();
    at->R_modal.row(place) -= on_coupled.row(i).tail(n_p);
  }
  if (to_parent.size() == 0) to_parent.setZero(6 + n_p, 18 + n_p);
  to_parent -= s.on_force * s.of_motion;
}

void TangentClosures::begin_forces(const VectorXd& phi) {
  c_.setZero(rows_.size());
  int at = 0;
  for (int i = 0; i < rows_.size(); ++i)
    if (is_closure_[i]) c_[i] = scale_of_phi_[i] * phi[at++];
  lambda_.setZero(rows_.size());
}

void TangentClosures::force(int link, const Eigen::Ref<const VectorXd>& y, Vector6d& to_parent,
                            VectorXd& modal) {
  const VectorXd values = at_[link].by_y * y;
  const std::vector<int>& rows = rows_.links[link].rows;
  for (std::size_t i = 0; i < rows.size(); ++i) c_[rows[i]] += values[i];
  end_forces(link, tree_.links()[link].parent >= 0 ? &to_parent : nullptr, &modal);
}

void TangentClosures::end_forces(int link, Vector6d* to_parent, VectorXd* modal) {
  for (int g = order_.first_group(link); g < order_.last_group(link); ++g) {
    const Solution& s = solutions_[g];
    const ClosureRows::OfGroup& numbers = rows_.groups[g];
    const VectorXd lambda = -s.inverse * entries_at(c_, numbers.rows);
    for (std::size_t i = 0; i < numbers.rows.size(); ++i) lambda_[numbers.rows[i]] = lambda[i];
    const VectorXd on_coupled = s.on_coupled * lambda;
    for (std::size_t i = 0; i < numbers.coupled.size(); ++i)
      c_[numbers.coupled[i]] += on_coupled[i];
    if (!to_parent) continue;
    const VectorXd force = s.on_force * lambda;
    *to_parent += force.head<6>();
    *modal += force.tail(modal->size());
  }
}

void TangentClosures::solve_on_ground() {
  end_forces(-1, nullptr, nullptr);
  find_multipliers(-1, nullptr);
}

void TangentClosures::find_multipliers(int link, const VectorXd* x) {
  for (int g = order_.last_group(link); g-- > order_.first_group(link);) {
    const Solution& s = solutions_[g];
    const ClosureRows::OfGroup& numbers = rows_.groups[g];
    VectorXd more = -s.of_coupled * entries_at(lambda_, numbers.coupled);
    if (x) more -= s.of_motion * *x;
    for (std::size_t i = 0; i < numbers.rows.size(); ++i) lambda_[numbers.rows[i]] += more[i];
  }
}

void TangentClosures::move(int link, const VectorXd& x, Eigen::Ref<VectorXd> y) {
  const bool has_parent = tree_.links()[link].parent >= 0;
  find_multipliers(link, has_parent ? &x : nullptr);
  y -= at_[link].y_by * entries_at(lambda_, rows_.links[link].rows);
}

Vector6d TangentClosures::force_on(int link, const Matrix6X& forces) const {
  return forces * entries_at(lambda_, rows_.links[link].rows);
}

void TangentClosures::keep_idle(const VectorXd& before, VectorXd& lambda) const {
  int at = 0;
  for (std::size_t i = 0; i < is_closure_.size(); ++i) {
    if (!is_closure_[i]) continue;
    if (is_idle_[i]) lambda[at] = before[at];
    ++at;
  }
}

VectorXd TangentClosures::multipliers() const {
  VectorXd lambda(std::count(is_closure_.begin(), is_closure_.end(), true));
  int at = 0;
  for (int i = 0; i < rows_.size(); ++i)
    if (is_closure_[i]) lambda[at++] = lambda_[i];
  return lambda;
}

}  // namespace solidyn::recursive

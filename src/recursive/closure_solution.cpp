// Of ClosureSweep, the solutions: forces inwards, multipliers outwards.
#include "recursive/closure_sweep.h"

namespace solidyn::recursive {

using Eigen::VectorXd;

void ClosureSweep::begin_forces() { c_.setZero(); }

void ClosureSweep::force_modes(const Link& k) {
  const std::vector<int>& rows = rows_.links[index_of(k)].rows;
  if (rows.empty()) return;
  const VectorXd moved = at_[index_of(k)].modal * tree_.modes()[k.modes].ddq;
  for (std::size_t i = 0; i < rows.size(); ++i) c_[rows[i]] += moved[i];
}

void ClosureSweep::force_hinge(Link& k, const VectorXd& du) {
  const int link = index_of(k);
  const At& at = at_[link];
  const ClosureRows::AtLink& numbers = rows_.links[link];
  if (numbers.rows.empty()) return;
  for (int j = 0; j < k.n_free; ++j) {
    const double rate = du[k.u + k.order[j]];
    for (std::size_t i = 0; i < numbers.rows.size(); ++i)
      c_[numbers.rows[i]] += at.along(i, j) * rate;
  }
  end_forces(link, &k);
  // Link::a is still what moves although no speed changes.
  for (std::size_t i = 0; i < numbers.rows.size(); ++i)
    if (numbers.goes_on[i]) c_[numbers.rows[i]] += at.K.col(i).dot(k.a);
}

void ClosureSweep::force_nodes(int group, const VectorXd& du) {
  const NodeGroup& nodes = tree_.node_groups()[group];
  const std::vector<int>& rows = rows_.links[nodes.begin].rows;
  if (rows.empty()) return;
  const VectorXd moved = at_[nodes.begin].nodes.transpose() * du.segment(nodes.u, nodes.n);
  for (std::size_t i = 0; i < rows.size(); ++i) c_[rows[i]] += moved[i];
  end_forces(nodes.begin, nullptr);
}

void ClosureSweep::end_forces(int link, Link* k) {
  for (int g = order_.first_group(link); g < order_.last_group(link); ++g) {
    const Solution& s = solutions_[g];
    const ClosureRows::OfGroup& numbers = rows_.groups[g];
    VectorXd left(numbers.rows.size());
    for (std::size_t i = 0; i < numbers.rows.size(); ++i)
      left[i] = c_[numbers.rows[i]] - right_side[numbers.rows[i]];
    const VectorXd lambda = s.inverse * left;
    for (std::size_t i = 0; i < numbers.rows.size(); ++i) lambda_[numbers.rows[i]] = lambda[i];
    if (k) k->z += s.of_acceleration.lazyProduct(left);
    const VectorXd of_coupled = s.of_coupled.transpose() * left;
    for (std::size_t i = 0; i < numbers.coupled.size(); ++i)
      c_[numbers.coupled[i]] -= of_coupled[i];
  }
}

void ClosureSweep::solve_on_ground() {
  end_forces(-1, nullptr);
  find_multipliers(-1, nullptr);
}

// What the multipliers of coupled rows, found before, make of those of a group.
VectorXd ClosureSweep::of_coupled(int group) const {
  const std::vector<int>& coupled = rows_.groups[group].coupled;
  VectorXd lambda(coupled.size());
  for (std::size_t i = 0; i < coupled.size(); ++i) lambda[i] = lambda_[coupled[i]];
  return -solutions_[group].of_coupled * lambda;
}

// From those that end last, which the others are coupled with.
void ClosureSweep::find_multipliers(int link, const Link* k) {
  for (int g = order_.last_group(link); g-- > order_.first_group(link);) {
    VectorXd more = of_coupled(g);
    if (k) more += solutions_[g].of_acceleration.transpose() * k->a;
    const std::vector<int>& rows = rows_.groups[g].rows;
    for (std::size_t i = 0; i < rows.size(); ++i) lambda_[rows[i]] += more[i];
  }
}

void ClosureSweep::accelerate_hinge(Link& k, VectorXd& du) {
  const int link = index_of(k);
  const At& at = at_[link];
  const ClosureRows::AtLink& numbers = rows_.links[link];
  if (numbers.rows.empty()) return;
  find_multipliers(link, &k);
  for (std::size_t i = 0; i < numbers.rows.size(); ++i) {
    const double lambda = lambda_[numbers.rows[i]];
    if (numbers.goes_on[i]) k.f += lambda * at.K.col(i);
    for (int j = 0; j < k.n_free; ++j) du[k.u + k.order[j]] -= at.along_inverse(i, j) * lambda;
  }
}

void ClosureSweep::accelerate_nodes(int group, VectorXd& du) {
  const NodeGroup& nodes = tree_.node_groups()[group];
  const std::vector<int>& rows = rows_.links[nodes.begin].rows;
  if (rows.empty()) return;
  find_multipliers(nodes.begin, nullptr);
  for (std::size_t i = 0; i < rows.size(); ++i)
    du.segment(nodes.u, nodes.n) -=
        lambda_[rows[i]] * at_[nodes.begin].divided_nodes.col(static_cast<Eigen::Index>(i));
}

void ClosureSweep::accelerate_modes(const Link& k) {
  const std::vector<int>& rows = rows_.links[index_of(k)].rows;
  if (rows.empty()) return;
  VectorXd& ddq = tree_.modes()[k.modes].ddq;
  for (std::size_t i = 0; i < rows.size(); ++i)
    ddq -= lambda_[rows[i]] * at_[index_of(k)].modal.row(i).transpose();
}

}  // namespace solidyn::recursive

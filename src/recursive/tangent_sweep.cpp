#include "recursive/tangent_sweep.h"

#include "math/small_product.h"
#include "recursive/absolute_part.h"
#include "recursive/link_sweeps.h"
#include "recursive/tangent_branches.h"

namespace solidyn::recursive {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::add_small_product;
using math::skew;

bool TangentSweep::is_simple(const Link& k) const {
  return k.n_speeds == 1 && k.n_free == 1 && k.modes < 0 && k.carried < 0;
}

TangentSweep::TangentSweep(StepEquations& equations)
    : equations_(equations), tree_(equations.tree()), link_columns_(tree_) {
  const Tree& tree = tree_;
  const std::size_t n = tree.links().size();
  M_.resize(n);
  shift_.resize(n);
  z_.assign(n, Vector6d::Zero());
  x_.assign(n, Variation::Zero());
  outwards_.resize(n);
  to_parent_.resize(n);
  for (const Link& k : tree.links()) {
    index_.push_back(static_cast<int>(is_simple(k) ? simple_.size() : general_.size()));
    places_.push_back({k.parent, k.u, is_simple(k) ? index_.back() : -1});
    if (is_simple(k)) {
      simple_.emplace_back();
      continue;
    }
    std::vector<int>& speeds = general_.emplace_back().speeds;
    for (int j = 0; j < k.n_free; ++j) speeds.push_back(k.u + k.order[j]);
    const int n_modes = k.modes >= 0 ? tree.modes()[k.modes].n : 0;
    for (int j = 0; j < n_modes; ++j) speeds.push_back(k.u + k.n_speeds + j);
  }
  find_links_on_modes();
  for (const Modes& m : tree.modes())
    modal_.push_back({Matrix6X::Zero(6, m.n), MatrixXd::Zero(m.n, 18), MatrixXd::Zero(m.n, m.n),
                      VectorXd::Zero(m.n), VectorXd::Zero(m.n)});
  of_nodes_.reserve(tree.node_groups().size());
  for (std::size_t g = 0; g < tree.node_groups().size(); ++g)
    of_nodes_.emplace_back(tree, tree.node_groups()[g],
                           equations.absolute_part().elements(static_cast<int>(g)));
  if (equations.exchange()) begin_sharing(*equations.exchange());
}

// Rigid links that carry others with modes are as costly as these: not where they are most of all.
void TangentSweep::find_links_on_modes() {
  const std::vector<Link>& links = tree_.links();
  const auto n = static_cast<int>(tree_.n_hinged());
  std::vector<char> carries(n, 0);
  int n_on_modes = 0, n_rigid = 0;
  const auto is_on_modes = [&](int i) { return links[i].modes >= 0 || links[i].carried >= 0; };
  for (int i = n; i-- > 0;) {
    if (is_on_modes(i))
      ++n_on_modes;
    else if (carries[i])
      ++n_rigid;
    if ((is_on_modes(i) || carries[i]) && links[i].parent >= 0) carries[links[i].parent] = 1;
  }
  for (int i = 0; i < n; ++i)
    if (is_on_modes(i) || (carries[i] && n_rigid <= n_on_modes)) on_modes_.push_back(i);
}

TangentSweep::~TangentSweep() = default;

void TangentSweep::turn(const Link& k, const Vector3d& torque) {
  const auto i = &k - tree_.links().data();
  if (is_here(i)) M_[i].block<3, 3>(3, kRotation) -= skew(torque);
}

void TangentSweep::set_bodies(const StepCoefficients& c, const Vector3d& gravity,
                              const VectorXd& du) {
  between_nodes_.clear();
  depends_ = equations_.has_forces() ? Depends::on_all : Depends::on_turning;
  outward_.resize(2 * n_varying() * simple_.size());
  for (MatrixXd& block : outwards_) block.resize(0, 0);
  for (MatrixXd& block : to_parent_) block.resize(0, 0);
  for (std::size_t i = 0; i < M_.size(); ++i) {
    if (!is_here(i)) continue;
    const Link& k = tree_.links()[i];
    if (k.modes >= 0) {
      set_modal_body(k, c, gravity, du);
      continue;
    }
    M_[i].setZero();
    add_rigid_tangent(k, gravity, M_[i]);
  }
}

void TangentSweep::set_modal_body(const Link& k, const StepCoefficients& c, const Vector3d& gravity,
                                  const VectorXd& du) {
  Modes& m = tree_.modes()[k.modes];
  const VectorXd& a = own_acceleration(tree_, k, du);
  bodies::BodyState state = m.state;
  new (&state.a) Eigen::Map<const VectorXd>(a.data(), a.size());
  const Vector3d own_gravity = k.R.transpose() * gravity;
  const auto n = a.size();
  Work& w = work_;
  for (MatrixXd* by : {&w.by_a, &w.by_v, &w.by_q}) by->setZero(n, n);
  w.unused.resize(n, n);
  m.body->add_tangent(state, own_gravity, {1.0, 0.0, 0.0}, w.by_a, w.unused);
  m.body->add_tangent(state, own_gravity, {0.0, 1.0, 1.0}, w.by_v, w.by_q);
  set_in_variations(k, k, c, &w.by_a, w.by_v, w.by_q, LinearAxes::own, w.block);
  Modal& own = modal_[k.modes];
  M_[&k - tree_.links().data()] = w.block.topLeftCorner<6, 18>();
  own.M = w.block.topRightCorner(6, m.n);
  own.N = w.block.bottomLeftCorner(m.n, 18);
  own.N_own = w.block.bottomRightCorner(m.n, m.n);
  turn(k, k.R * m.h.segment<3>(3));  // the body's own forces, of the last evaluation
}

bool TangentSweep::has_place_for(const Link& row, const Link& column) const {
  const auto i = &row - tree_.links().data(), j = &column - tree_.links().data();
  if (i == j || row.parent == j || column.parent == i) return true;
  const int group = tree_.node_group(static_cast<int>(i));
  return group >= 0 && group == tree_.node_group(static_cast<int>(j));
}

bool TangentSweep::add(const Link& row, const Link& column, const MatrixXd& block) {
  const auto i = &row - tree_.links().data(), j = &column - tree_.links().data();
  const auto n_row = block.rows() - 6, n_column = block.cols() - 18;
  if (!is_here(i) && !is_here(j)) return true;
  if (i == j) {
    M_[i] += block.topLeftCorner<6, 18>();
    if (row.modes < 0) return true;
    Modal& m = modal_[row.modes];
    m.M += block.topRightCorner(6, n_column);
    m.N += block.bottomLeftCorner(n_row, 18);
    m.N_own += block.bottomRightCorner(n_row, n_column);
    return true;
  }
  const int group = tree_.node_group(static_cast<int>(i));
  if (group >= 0 && group == tree_.node_group(static_cast<int>(j))) {
    between_nodes_.push_back({static_cast<int>(i), static_cast<int>(j), block});
    return true;
  }
  const bool is_outwards = row.parent == j, is_inwards = column.parent == i;
  if (!is_outwards && !is_inwards) return false;
  MatrixXd& sum = is_outwards ? outwards_[i] : to_parent_[j];
  if (sum.size() == 0) sum = MatrixXd::Zero(block.rows(), block.cols());
  sum += block;
  return true;
}

void TangentSweep::eliminate_link(int i, const StepCoefficients& c, const VectorXd& q,
                                  const VectorXd& u, const VectorXd& du, const VectorXd& n) {
  Link& k = tree_.links()[i];
  if (!watched_.empty()) note(i);
  shift_[i].r = k.arm;
  if (is_simple(k) && depends_ == Depends::on_turning)
    eliminate_one<Depends::on_turning>(k, c);
  else if (is_simple(k))
    eliminate_one<Depends::on_all>(k, c);
  else if (depends_ == Depends::on_turning)
    eliminate_several<Depends::on_turning>(k, c, q, u, du, n);
  else
    eliminate_several<Depends::on_all>(k, c, q, u, du, n);
}

void TangentSweep::eliminate(const StepCoefficients& c, const VectorXd& q, const VectorXd& u,
                             const VectorXd& du, const VectorXd& n) {
  if (on_ranks_) return eliminate_shared(c, q, u, du, n);
  for (std::size_t g = 0; g < of_nodes_.size(); ++g)
    eliminate_nodes(static_cast<int>(g), c, q, u, du, n);
  for (int i = static_cast<int>(tree_.n_hinged()); i-- > 0;) {
    eliminate_link(i, c, q, u, du, n);
    if (places_[i].parent >= 0) pass_inwards(i);
    if (has_closures(i)) eliminate_with_closures(i);
  }
  if (closures_) closures_->end_on_ground();
}

void TangentSweep::eliminate_with_closures(int link) {
  const Link& k = tree_.links()[link];
  TangentElimination e;
  e.shift = &shift_[link];
  e.has_parent = k.parent >= 0;
  if (is_simple(k)) {
    const Simple& s = simple_[index_[link]];
    e.n_columns = e.n_unknowns = 1;
    e.gamma = gamma(index_[link]);
    e.rows = s.column.data();
    e.D_inverse = &s.D_inverse;
    e.B = B(index_[link]);
    e.inwards = s.inwards.data();
  } else {
    const General& g = general_[index_[link]];
    e.n_parent = g.n_parent;
    e.n_own = g.n_own;
    e.n_columns = static_cast<int>(g.rows.rows());
    e.n_unknowns = static_cast<int>(g.speeds.size());
    e.gamma = g.gamma.data();
    e.rows = g.rows.data();
    e.D_inverse = g.D.inverse().data();
    e.D = &g.D;
    e.B = g.B.data();
    e.inwards = g.inwards.data();
    e.modal_inwards = g.modal_inwards.data();
  }
  const MatrixXd& ended = closures_->eliminate(link, e);
  if (ended.size() == 0) return;
  M_[k.parent] += ended.topLeftCorner<6, 18>();
  if (e.n_parent == 0) return;
  Modal& m = modal_[tree_.links()[k.parent].modes];
  m.M += ended.topRightCorner(6, e.n_parent);
  m.N += ended.bottomLeftCorner(e.n_parent, 18);
  m.N_own += ended.bottomRightCorner(e.n_parent, e.n_parent);
}

void TangentSweep::watch(const std::vector<int>& links) {
  if (links == watched_links_) return;  // and their memory
  watched_links_ = links;
  watched_.clear();
  place_of_watched_.assign(tree_.links().size(), -1);
  for (const int link : links) {
    if (place_of_watched_[link] >= 0) continue;
    place_of_watched_[link] = static_cast<int>(watched_.size());
    watched_.emplace_back();
  }
}

void TangentSweep::note(std::size_t link) {
  if (place_of_watched_[link] < 0) return;
  Watched& w = watched_[place_of_watched_[link]];
  const Link& k = tree_.links()[link];
  w.M = M_[link];
  w.R = k.R;
  if (k.modes >= 0) w.M_modal = modal_[k.modes].M;
  if (has_closures(link)) w.of_closures = closures_->forces(static_cast<int>(link));
}

Vector6d TangentSweep::force_variation(int link) const {
  const Link& k = tree_.links()[link];
  const Watched& w = watched_[place_of_watched_[link]];
  Vector6d f = w.z + w.M * x_[link];
  if (k.modes >= 0) add_small_product(w.M_modal, modal_[k.modes].q, f);
  if (has_closures(link)) f += closures_->force_on(link, w.of_closures);
  const MatrixXd& L = outwards_[link];
  if (L.size() == 0) return f;
  f += L.topLeftCorner<6, 18>() * x_[k.parent];
  if (k.carried >= 0)
    f += L.topRightCorner(6, L.cols() - 18) * modal_[tree_.links()[k.parent].modes].q;
  return f;
}

void TangentSweep::add_force(const Link& k, const VectorXd& force) {
  const auto i = &k - tree_.links().data();
  if (!is_here(i)) return;
  z_[i] += force.head<6>();
  if (k.modes >= 0) modal_[k.modes].z += force.tail(force.size() - 6);
}

VectorXd TangentSweep::variations(const Link& k) const {
  const int n = k.modes >= 0 ? static_cast<int>(modal_[k.modes].q.size()) : 0;
  VectorXd out(18 + n);
  out.head<18>() = x_[&k - tree_.links().data()];
  if (n > 0) out.tail(n) = modal_[k.modes].q;
  return out;
}

}  // namespace solidyn::recursive

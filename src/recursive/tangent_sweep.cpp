#include "recursive/tangent_sweep.h"

#include "recursive/link_sweeps.h"

namespace solidyn::recursive {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::skew;

bool TangentSweep::is_simple(const Link& k) const {
  return k.n_speeds == 1 && k.n_free == 1 && k.modes < 0 && k.carried < 0;
}

TangentSweep::TangentSweep(Tree& tree) : tree_(tree), link_columns_(tree) {
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
    is_simple(k) ? static_cast<void>(simple_.emplace_back())
                 : static_cast<void>(general_.emplace_back());
  }
  for (const Modes& m : tree.modes())
    modal_.push_back({Matrix6X::Zero(6, m.n), MatrixXd::Zero(m.n, 18), MatrixXd::Zero(m.n, m.n),
                      VectorXd::Zero(m.n), VectorXd::Zero(m.n)});
}

void TangentSweep::turn(const Link& k, const Vector3d& torque) {
  M_[&k - tree_.links().data()].block<3, 3>(3, kRotation) -= skew(torque);
}

void TangentSweep::set_bodies(const StepCoefficients& c, const Vector3d& gravity,
                              StepEquations& equations, const VectorXd& du) {
  depends_ = equations.has_forces() ? Depends::on_all : Depends::on_turning;
  for (MatrixXd& block : outwards_) block.resize(0, 0);
  for (MatrixXd& block : to_parent_) block.resize(0, 0);
  for (std::size_t i = 0; i < M_.size(); ++i) {
    Link& k = tree_.links()[i];
    M_[i].setZero();
    if (k.modes < 0) {
      add_rigid_tangent(k, gravity, M_[i]);
      continue;
    }
    Modes& m = tree_.modes()[k.modes];
    modal_[k.modes].M.setZero();
    modal_[k.modes].N.setZero();
    modal_[k.modes].N_own.setZero();
    const VectorXd a = own_acceleration(equations.tree(), k, du);
    bodies::BodyState state = m.state;
    new (&state.a) Eigen::Map<const VectorXd>(a.data(), a.size());
    const Vector3d own_gravity = k.R.transpose() * gravity;
    const auto n = a.size();
    MatrixXd by_a = MatrixXd::Zero(n, n), by_v = by_a, by_q = by_a, unused = by_a;
    m.body->add_tangent(state, own_gravity, {1.0, 0.0, 0.0}, by_a, unused);
    m.body->add_tangent(state, own_gravity, {0.0, 1.0, 1.0}, by_v, by_q);
    VectorXd force = VectorXd::Zero(n);
    m.body->add_residual(state, own_gravity, force);
    add(k, k, in_variations(k, k, c, &by_a, by_v, by_q, LinearAxes::own));
    turn(k, k.R * force.segment<3>(3));
  }
}

bool TangentSweep::add(const Link& row, const Link& column, const MatrixXd& block) {
  const auto i = &row - tree_.links().data(), j = &column - tree_.links().data();
  const auto n_row = block.rows() - 6, n_column = block.cols() - 18;
  if (i == j) {
    M_[i] += block.topLeftCorner<6, 18>();
    if (row.modes < 0) return true;
    Modal& m = modal_[row.modes];
    m.M += block.topRightCorner(6, n_column);
    m.N += block.bottomLeftCorner(n_row, 18);
    m.N_own += block.bottomRightCorner(n_row, n_column);
    return true;
  }
  const bool is_outwards = row.parent == j, is_inwards = column.parent == i;
  if (!is_outwards && !is_inwards) return false;
  MatrixXd& sum = is_outwards ? outwards_[i] : to_parent_[j];
  if (sum.size() == 0) sum = MatrixXd::Zero(block.rows(), block.cols());
  sum += block;
  return true;
}

void TangentSweep::eliminate(const StepCoefficients& c, const VectorXd& q, const VectorXd& u,
                             const VectorXd& du, const VectorXd& n) {
  std::vector<Link>& links = tree_.links();
  for (std::size_t i = links.size(); i-- > 0;) {
    Link& k = links[i];
    shift_[i].set(k, k.parent >= 0 ? &links[k.parent] : nullptr);
    if (is_simple(k) && depends_ == Depends::on_turning)
      eliminate_one<Depends::on_turning>(k, c, u, du);
    else if (is_simple(k))
      eliminate_one<Depends::on_all>(k, c, u, du);
    else
      eliminate_several(k, c, q, u, du, n);
    if (has_closures(i)) eliminate_with_closures(static_cast<int>(i));
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
    e.gamma = s.gamma;
    e.columns = s.column;
    e.unknowns = {0};
    e.D_inverse = MatrixXd::Constant(1, 1, s.D_inverse);
    e.B = s.B;
    e.inwards = s.inwards;
  } else {
    const General& g = general_[index_[link]];
    e.n_parent = g.n_parent;
    e.n_own = g.n_own;
    e.gamma = g.gamma;
    e.columns = g.columns;
    e.unknowns = g.unknowns;
    e.D_inverse = g.unknowns.empty() ? MatrixXd(0, 0) : g.D_inverse;
    e.B = g.B;
    e.inwards = g.inwards;
    e.modal_inwards = g.modal_inwards;
  }
  if (e.modal_inwards.cols() != static_cast<Eigen::Index>(e.unknowns.size()))
    e.modal_inwards.setZero(e.n_parent, static_cast<Eigen::Index>(e.unknowns.size()));
  const MatrixXd ended = closures_->eliminate(link, e);
  if (ended.size() == 0) return;
  M_[k.parent] += ended.topLeftCorner<6, 18>();
  if (e.n_parent == 0) return;
  Modal& m = modal_[tree_.links()[k.parent].modes];
  m.M += ended.topRightCorner(6, e.n_parent);
  m.N += ended.bottomLeftCorner(e.n_parent, 18);
  m.N_own += ended.bottomRightCorner(e.n_parent, e.n_parent);
}

void TangentSweep::add_force(const Link& k, const VectorXd& force) {
  z_[&k - tree_.links().data()] += force.head<6>();
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

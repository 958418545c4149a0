// Of TangentSweep, the solutions with what it has eliminated: forces inwards, variations outwards.
#include "math/small_product.h"
#include "recursive/tangent_sweep.h"

namespace solidyn::recursive {

using Eigen::Vector3d;
using Eigen::VectorXd;
using math::add_small_product;

void TangentSweep::solve(const VectorXd& r, VectorXd& y) {
  if (depends_ == Depends::on_all)
    solve_inwards_and_outwards<Depends::on_all>(r, y);
  else
    solve_inwards_and_outwards<Depends::on_turning>(r, y);
}

// @return what the link passes on to its parent, beside forces on modes of that
template <Depends depends>
Vector6d TangentSweep::solve_inwards(int i, const VectorXd& r, VectorXd& y) {
  const Place& k = places_[i];
  Vector6d z = z_[i];
  z_[i].setZero();
  if (!watched_.empty() && place_of_watched_[i] >= 0) watched_[place_of_watched_[i]].z = z;
  if (k.simple < 0) return solve_inwards(tree_.links()[i], r, z);
  const Simple& s = simple_[k.simple];
  y[k.speed] = -s.D_inverse * (r[k.speed] + s.column.dot(z));
  if constexpr (depends == Depends::on_all)
    if (has_closures(i)) push_by_closures(i, y.segment<1>(k.speed));
  if (k.parent < 0) return z;
  const Vector3d force = z.head<3>();
  z.tail<3>() += s.r.cross(force);
  return z + s.inwards * y[k.speed];
}

void TangentSweep::pass_force(int i, const Vector6d& z) {
  const Place& k = places_[i];
  if (k.parent < 0) return;
  z_[k.parent] += z;
  if (k.simple >= 0) return;
  const int n_p = general_[index_[i]].n_parent;
  if (n_p > 0) modal_[tree_.links()[k.parent].modes].z += work_.along.head(n_p);
}

template <Depends depends>
void TangentSweep::solve_outwards(int i, VectorXd& y) {
  constexpr int n = kVarying<depends>;
  using Numbers = Eigen::Map<const Eigen::Matrix<double, n, 1>>;
  const Place& k = places_[i];
  if (k.simple < 0) return solve_outwards<depends>(tree_.links()[i], y);
  const Numbers gamma(this->gamma(k.simple)), B(this->B(k.simple));
  if constexpr (depends == Depends::on_all)
    if (has_closures(i)) move_by_closures(i, y.segment<1>(k.speed));
  if (k.parent < 0) {
    x_[i].tail<n>() = y[k.speed] * gamma;
    return;
  }
  y[k.speed] += B.dot(x_[k.parent].tail<n>());
  x_[i].tail<n>() = x_[k.parent].tail<n>();
  shift_[i].move<depends>(x_[i]);
  x_[i].tail<n>() += y[k.speed] * gamma;
}

template <Depends depends>
void TangentSweep::solve_inwards_and_outwards(const VectorXd& r, VectorXd& y) {
  y.setZero(tree_.n_speeds());
  if (on_ranks_) return solve_shared<depends>(r, y);
  solve_nodes_alone(r, y);
  const int n_links = static_cast<int>(tree_.n_hinged());
  for (int i = n_links; i-- > 0;) pass_force(i, solve_inwards<depends>(i, r, y));
  if (closures_) closures_->solve_on_ground();
  for (int i = 0; i < n_links; ++i) solve_outwards<depends>(i, y);
  move_nodes(y);
}

// Of a link's own unknowns y without its parent's motion: what rows become by them, and what those
// that end behind its hinge do to its parent.
void TangentSweep::push_by_closures(std::size_t i, const Eigen::Ref<const VectorXd>& y) {
  const Link& k = tree_.links()[i];
  Vector6d on_ground = Vector6d::Zero();
  VectorXd on_no_modes;
  closures_->force(static_cast<int>(i), y, k.parent >= 0 ? z_[k.parent] : on_ground,
                   k.carried >= 0 ? modal_[tree_.links()[k.parent].modes].z : on_no_modes);
}

// What multipliers make of them. @pre variations of the parent
void TangentSweep::move_by_closures(std::size_t i, Eigen::Ref<VectorXd> y) {
  const Link& k = tree_.links()[i];
  VectorXd x;
  if (k.carried >= 0) {
    x = variations(tree_.links()[k.parent]);
  } else if (k.parent >= 0) {
    x = x_[k.parent];
  }
  closures_->move(static_cast<int>(i), x, y);
}

Vector6d TangentSweep::solve_inwards(const Link& k, const VectorXd& r, Vector6d z) {
  const auto i = &k - tree_.links().data();
  General& g = general_[index_[i]];
  const auto n_y = static_cast<Eigen::Index>(g.speeds.size());
  VectorXd& along = work_.along;
  along.setZero(g.rows.rows());
  add_small_product(g.rows, z, along);
  g.e = along.tail(n_y);
  for (Eigen::Index j = 0; j < n_y; ++j) g.e[j] += r[g.speeds[j]];
  if (k.modes >= 0) {
    g.e.tail(g.n_own) += modal_[k.modes].z;
    modal_[k.modes].z.setZero();
  }
  g.y.setZero(n_y);
  g.D.add_solution(g.e, g.y, -1.0);
  if (has_closures(i)) push_by_closures(i, g.y);
  if (k.parent < 0) return z;
  const Vector3d force = z.head<3>();
  z.tail<3>() += shift_[i].r.cross(force);
  add_small_product(g.inwards, g.y, z);
  if (g.n_parent > 0) add_small_product(g.modal_inwards, g.y, along.head(g.n_parent));
  return z;
}

template <Depends depends>
void TangentSweep::solve_outwards(const Link& k, VectorXd& y) {
  constexpr int n = kVarying<depends>, first = 18 - n;
  const auto i = &k - tree_.links().data();
  General& g = general_[index_[i]];
  const auto n_y = static_cast<Eigen::Index>(g.speeds.size());
  VectorXd& all = work_.all;
  all.setZero(g.rows.rows());
  if (has_closures(i)) move_by_closures(i, g.y);
  Variation& x = x_[i];
  if (k.parent >= 0) {
    add_small_product(g.B.middleCols<n>(first), x_[k.parent].tail<n>(), g.y);
    if (g.n_parent > 0) {
      all.head(g.n_parent) = modal_[tree_.links()[k.parent].modes].q;
      add_small_product(g.B.rightCols(g.n_parent), all.head(g.n_parent), g.y);
    }
    x = x_[k.parent];
    shift_[i].move<depends>(x);
  } else {
    x.setZero();
  }
  all.tail(n_y) = g.y;
  for (Eigen::Index j = 0; j < n_y; ++j) y[g.speeds[j]] = g.y[j];
  add_small_product(g.gamma.bottomRows<n>(), all, x.tail<n>());
  if (k.modes >= 0) modal_[k.modes].q = all.tail(g.n_own);
}

template Vector6d TangentSweep::solve_inwards<Depends::on_all>(int, const VectorXd&, VectorXd&);
template Vector6d TangentSweep::solve_inwards<Depends::on_turning>(int, const VectorXd&, VectorXd&);
template void TangentSweep::solve_outwards<Depends::on_all>(int, VectorXd&);
template void TangentSweep::solve_outwards<Depends::on_turning>(int, VectorXd&);

}  // namespace solidyn::recursive

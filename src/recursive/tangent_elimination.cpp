// Of TangentSweep, one link: its coordinates by its parent's motion, and what goes inwards.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "math/small_product.h"
#include "recursive/pivoted_inverse.h"
#include "recursive/tangent_sweep.h"
#include "solidyn/base/error.h"

namespace solidyn::recursive {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::add_small_product;
using math::skew;

namespace {

// phi^T of rows [force; torque]: a force at the link's origin, at its parent's.
template <class Rows>
void shift_inwards(const Vector3d& r, Rows&& M) {
  for (Eigen::Index j = 0; j < M.cols(); ++j) {
    const Vector3d force = M.col(j).template head<3>();
    M.col(j).template tail<3>() += r.cross(force);
  }
}

}  // namespace

void TangentSweep::fail(const Link& k) const {
  throw base::ComputationError(fmt::format(
      "recursive: the iteration matrix is singular at the hinge of {}\n  nothing may have inertia about it, or a spring that pushes the body away be as strong as the inertia of the step: try a smaller `step`, or set  formulation: absolute",
      tree_.name_of_hinge(k)));
}

// The axis stands still in the parent, at the link's origin: dC = V x C, ddC = A x C + V x dC.
template <Depends depends>
void TangentSweep::eliminate_one(Link& k, const StepCoefficients& c) {
  const auto i = &k - tree_.links().data();
  Simple& s = simple_[index_[i]];
  const Link* parent = k.parent >= 0 ? &tree_.links()[k.parent] : nullptr;
  s.column = tree_.H(k).col(0);
  s.r = k.arm;
  const Vector3d h = s.column.head<3>(), h_w = s.column.tail<3>();
  const double d = c.velocity, m = c.acceleration;
  Vector6d rate = d * s.column, second = m * s.column;
  if (parent) {
    const Vector6d V = velocity_at(*parent, -k.arm), A = acceleration_at(*parent, -k.arm),
                   dC = cross_motion(V, s.column);
    rate += dC;
    second += cross_motion(A, s.column) + cross_motion(V, dC) + 2.0 * d * dC;
  }
  Variation all;
  all << h, rate.head<3>(), h_w, rate.tail<3>(), second;
  constexpr int n = kVarying<depends>;
  using Numbers = Eigen::Matrix<double, n, 1>;
  Eigen::Map<Numbers> gamma(this->gamma(index_[i])), B(this->B(index_[i]));
  gamma = all.tail<n>();
  const Vector3d f = k.f.head<3>(), torque = k.f.tail<3>();
  s.inwards.noalias() = M_[i].rightCols<n>() * gamma;
  const double D = s.column.dot(s.inwards) + h_w.cross(h).dot(f);
  if (!(std::abs(D) > 0.0) || !std::isfinite(D)) fail(k);
  s.D_inverse = 1.0 / D;
  if (!parent) return;
  Rows18& F = M_[i];
  const Shift shift{s.r};
  shift.multiply<depends>(F);
  if (outwards_[i].size() > 0) F += outwards_[i];
  B.noalias() = F.rightCols<n>().transpose() * s.column;
  B.template segment<3>(kRotation - (18 - n)) += h.cross(f) + h_w.cross(torque);
  B *= -s.D_inverse;
  shift_inwards(s.r, F.rightCols<n>());
  const Vector3d pushed = s.inwards.head<3>();
  s.inwards.tail<3>() += s.r.cross(pushed) + h.cross(f);
  F.block<3, 3>(3, kRotation).noalias() += skew(f) * skew(s.r);
  if (to_parent_[i].size() > 0) {
    Rows18 S = to_parent_[i];
    s.inwards += S * all;
    shift.multiply(S);
    F += S;
  }
  F.rightCols<n>() += s.inwards * B.transpose();
}

template void TangentSweep::eliminate_one<Depends::on_all>(Link&, const StepCoefficients&);
template void TangentSweep::eliminate_one<Depends::on_turning>(Link&, const StepCoefficients&);

// What an increment of each coordinate does to the link's motion, by the fields of LinkColumns at
// its origin. Of the hinge first the speeds that follow laws, so that
// unknowns come last. Sets also by which forces along the columns change, and what the increments
// do to the place where the hinge's force acts.
void TangentSweep::set_variations(General& g, const Link& k, const StepCoefficients& c,
                                  const VectorXd& increment) {
  const LinkColumns& of = link_columns_;
  const int n = of.size(), n_p = of.n_parent();
  g.n_parent = n_p;
  g.n_own = of.n_own();
  Work& w = work_;
  w.order.resize(n);
  for (int j = 0; j < n; ++j) w.order[j] = j;
  for (int j = 0; j < k.n_speeds; ++j)
    w.order[n_p + j] = n_p + k.order[(j + k.n_free) % k.n_speeds];
  // Of a hinge that turns freely by the increment of the step, instead of ones that follow it.
  const int free = k.hinge.turns_freely() ? n_p + k.hinge.n_translations() : -1;
  Eigen::Matrix<double, 18, 3> turned;
  if (free >= 0) {
    w.T = math::right_tangent(k.hinge.turn_sign() *
                              increment.segment<3>(k.u + k.hinge.n_translations()));
    turned.noalias() = of.by_q().middleCols<3>(free).lazyProduct(w.T);
  }
  g.rows.resize(n, 6);
  g.gamma.resize(18, n);
  w.arms.resize(3, n);
  w.moved.resize(3, n);
  const Vector3d f = k.f.head<3>();
  for (int j = 0; j < n; ++j) {
    const int from = w.order[j];
    const bool is_free = free >= 0 && from >= free && from < free + 3;
    const Vector6d h = of.by_q().col(from).head<6>();
    const Variation by_q =
        is_free ? Variation(turned.col(from - free)) : Variation(of.by_q().col(from));
    const Vector6d rate = by_q.segment<6>(kRate) + c.velocity * h,
                   second = by_q.segment<6>(kSecondRate) +
                            c.velocity * of.by_u().col(from).tail<6>() + c.acceleration * h;
    const Vector3d moved = by_q.head<3>(), arm = h.head<3>();
    g.gamma.col(j) << moved, rate.head<3>(), by_q.segment<3>(kField + 3), rate.tail<3>(), second;
    g.rows.row(j) = h.transpose();
    w.arms.col(j) = moved;
    w.moved.col(j) = is_free ? moved.cross(f) : arm.cross(f);
  }
  const MatrixXd& geometric = of.geometric();
  if (free < 0 && std::is_sorted(w.order.begin(), w.order.end())) {
    w.geometric = geometric;
    add_small_product(g.rows.rightCols<3>(), w.moved, w.geometric);
    return;
  }
  w.geometric.resize(n, n);
  for (int j = 0; j < n; ++j) {
    const int from = w.order[j];
    if (free >= 0 && from >= free && from < free + 3)
      w.column.noalias() = geometric.middleCols<3>(free).lazyProduct(w.T.col(from - free));
    else
      w.column = geometric.col(from);
    for (int i = 0; i < n; ++i) w.geometric(i, j) = w.column[w.order[i]];
  }
  add_small_product(g.rows.rightCols<3>(), w.moved, w.geometric);
}

// D of a link's unknowns y, B of what follows from its parent's motion [x_p; q_p], and what is left
// of its forces for the parent.
template <Depends depends>
void TangentSweep::eliminate_several(Link& k, const StepCoefficients& c, const VectorXd& q,
                                     const VectorXd& u, const VectorXd& du,
                                     const VectorXd& increment) {
  constexpr int n_x = kVarying<depends>, first = 18 - n_x;
  const auto i = &k - tree_.links().data();
  General& g = general_[index_[i]];
  Work& w = work_;
  const Link* parent = k.parent >= 0 ? &tree_.links()[k.parent] : nullptr;
  const Shift& shift = shift_[i];
  link_columns_.evaluate(k, q, u, du, k.p);
  set_variations(g, k, c, increment);
  const int n_p = g.n_parent, n_own = g.n_own, n = link_columns_.size(), n_y = k.n_free + n_own;
  Rows18& M = M_[i];
  Modal* own = n_own > 0 ? &modal_[k.modes] : nullptr;
  const MatrixXd& L = outwards_[i];
  // Parents with modes carry the link by a frame that sees them.
  const auto n_of_parent = L.cols() - 18;

  // Forces by all columns, and what is along the columns.
  w.F_y.setZero(6, n);
  add_small_product(M.rightCols<n_x>(), g.gamma.bottomRows<n_x>(), w.F_y);
  if (own) w.F_y.rightCols(n_own) += own->M;
  if (L.size() > 0 && n_p > 0) w.F_y.leftCols(n_p) += L.topRightCorner(6, n_of_parent);
  w.rows_y = w.geometric;
  add_small_product(g.rows, w.F_y, w.rows_y);
  if (own) {
    add_small_product(own->N.rightCols<n_x>(), g.gamma.bottomRows<n_x>(),
                      w.rows_y.bottomRows(n_own));
    w.rows_y.bottomRightCorner(n_own, n_own) += own->N_own;
    if (L.size() > 0 && n_p > 0)
      w.rows_y.bottomLeftCorner(n_own, n_p) += L.bottomRightCorner(n_own, n_of_parent);
  }
  if (!g.D.compute(w.rows_y.bottomRightCorner(n_y, n_y), w.of_inverse)) fail(k);
  if (!parent) return;

  // By x_p.
  shift.multiply<depends>(M);
  if (own) shift.multiply<depends>(own->N);
  if (L.size() > 0) {
    M += L.topLeftCorner<6, 18>();
    if (own) own->N += L.bottomLeftCorner(n_own, 18);
  }
  const Vector3d f = k.f.head<3>(), torque = k.f.tail<3>();
  w.rows_X.setZero(n, 18);
  add_small_product(g.rows, M.rightCols<n_x>(), w.rows_X.rightCols<n_x>());
  add_small_product(g.rows.leftCols<3>(), skew(f), w.rows_X.middleCols<3>(kRotation));
  add_small_product(g.rows.rightCols<3>(), skew(torque), w.rows_X.middleCols<3>(kRotation));
  if (own) w.rows_X.bottomRows(n_own) += own->N;
  g.B.setZero(n_y, 18 + n_p);
  g.D.add_solution(w.rows_X.bottomRightCorner(n_y, n_x), g.B.middleCols<n_x>(first), -1.0);
  g.D.add_solution(w.rows_y.bottomLeftCorner(n_y, n_p), g.B.rightCols(n_p), -1.0);

  // Inwards.
  shift_inwards(shift.r, M);
  shift_inwards(shift.r, w.F_y);
  M.block<3, 3>(3, kRotation).noalias() += skew(f) * skew(shift.r);
  for (int j = 0; j < n; ++j) w.F_y.col(j).tail<3>() += w.arms.col(j).cross(f);
  if (to_parent_[i].size() > 0) add_to_parent(k);
  g.inwards = w.F_y.rightCols(n_y);
  g.modal_inwards = w.rows_y.topRightCorner(n_p, n_y);
  add_small_product(g.inwards, g.B.middleCols<n_x>(first), M.rightCols<n_x>());
  if (n_p == 0) return;
  add_small_product(g.inwards, g.B.rightCols(n_p), w.F_y.leftCols(n_p));
  add_small_product(g.modal_inwards, g.B.middleCols<n_x>(first),
                    w.rows_X.topRows(n_p).rightCols<n_x>());
  add_small_product(g.modal_inwards, g.B.rightCols(n_p), w.rows_y.topLeftCorner(n_p, n_p));
}

// What the last elimination has left goes to the parent.
void TangentSweep::pass_inwards(int i) {
  const Place& k = places_[i];
  if (k.simple >= 0 && depends_ == Depends::on_turning) {
    constexpr int n = kVarying<Depends::on_turning>;
    M_[k.parent].rightCols<n>() += M_[i].rightCols<n>();
    return;
  }
  M_[k.parent] += M_[i];
  if (k.simple >= 0) return;
  const int n_p = general_[index_[i]].n_parent;
  if (n_p == 0) return;
  Modal& m = modal_[tree_.links()[k.parent].modes];
  m.M += work_.F_y.leftCols(n_p);
  m.N += work_.rows_X.topRows(n_p);
  m.N_own += work_.rows_y.topLeftCorner(n_p, n_p);
}

template void TangentSweep::eliminate_several<Depends::on_all>(Link&, const StepCoefficients&,
                                                               const VectorXd&, const VectorXd&,
                                                               const VectorXd&, const VectorXd&);
template void TangentSweep::eliminate_several<Depends::on_turning>(Link&, const StepCoefficients&,
                                                                   const VectorXd&, const VectorXd&,
                                                                   const VectorXd&,
                                                                   const VectorXd&);

// Forces on the parent by the motion of the link.
void TangentSweep::add_to_parent(const Link& k) {
  const auto i = &k - tree_.links().data();
  const General& g = general_[index_[i]];
  const MatrixXd& S = to_parent_[i];
  const int n_p = g.n_parent, n_own = g.n_own;
  Rows18 S_6 = S.topLeftCorner<6, 18>();
  work_.F_y += S_6 * g.gamma;
  if (n_own > 0) work_.F_y.rightCols(n_own) += S.topRightCorner(6, n_own);
  shift_[i].multiply(S_6);
  M_[i] += S_6;
  if (n_p == 0) return;
  MatrixXd S_m = S.bottomLeftCorner(n_p, 18);
  work_.rows_y.topRows(n_p) += S_m * g.gamma;
  if (n_own > 0) work_.rows_y.topRightCorner(n_p, n_own) += S.bottomRightCorner(n_p, n_own);
  shift_[i].multiply(S_m);
  work_.rows_X.topRows(n_p) += S_m;
}

}  // namespace solidyn::recursive

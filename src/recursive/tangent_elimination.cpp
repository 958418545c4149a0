// Of TangentSweep, one link: its coordinates by its parent's motion, and what goes inwards.
#include <fmt/format.h>

#include "recursive/tangent_sweep.h"
#include "solidyn/base/error.h"
#include "solidyn/math/dense.h"

namespace solidyn::recursive {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::skew;

namespace {

// phi^T of rows [force; torque]: a force at the link's origin, at its parent's.
template <class Rows>
void shift_inwards(const Vector3d& r, Rows& M) {
  M.template bottomRows<3>() += skew(r).lazyProduct(M.template topRows<3>());
}

// Calls `what` with a view of the columns that are not zero.
template <Depends depends, class What>
void for_columns(const What& what) {
  if constexpr (depends == Depends::on_all) {
    what([](auto& M) { return M.template leftCols<18>(); });
  } else {
    what([](auto& M) { return M.template middleCols<3>(kRotation); });
    what([](auto& M) { return M.template rightCols<9>(); });
  }
}

template <Depends depends>
Vector6d force_by(const Rows18& M, const Variation& x) {
  if constexpr (depends == Depends::on_all) return M * x;
  return M.middleCols<3>(kRotation) * x.segment<3>(kRotation) + M.rightCols<9>() * x.tail<9>();
}

}  // namespace

void TangentSweep::fail(const Link& k) const {
  throw base::ComputationError(fmt::format(
      "recursive: the iteration matrix is singular at the hinge of {}\n  nothing may have inertia about it, or a spring that pushes the body away be as strong as the inertia of the step: try a smaller `step`, or set  formulation: absolute",
      tree_.name_of_hinge(k)));
}

// What is between turns about the axis h_w with the link, and goes along it: all its derivatives
// are products with h_w.
template <Depends depends>
void TangentSweep::eliminate_one(Link& k, const StepCoefficients& c, const VectorXd& u,
                                 const VectorXd& du) {
  const auto i = &k - tree_.links().data();
  Simple& s = simple_[index_[i]];
  const Link* parent = k.parent >= 0 ? &tree_.links()[k.parent] : nullptr;
  s.column = tree_.H(k).col(0);
  const Vector3d h = s.column.head<3>(), h_w = s.column.tail<3>();
  const Vector3d hh = h_w.cross(h);
  const double speed = u[k.u], rate = du[k.u];
  const double d = c.velocity, m = c.acceleration;
  const Vector3d dr = speed * hh + d * h;
  const Vector3d ddr = rate * hh + speed * speed * h_w.cross(hh) + 2.0 * d * speed * hh + m * h;
  s.gamma << h, h_w, dr, d * h_w, ddr, m * h_w;
  if (parent) {
    const Vector3d &w = parent->w, alpha = parent->a.tail<3>(), wh = w.cross(h);
    s.gamma.segment<3>(kVelocity) += wh;
    s.gamma.segment<3>(kAcceleration) += alpha.cross(h) + w.cross(wh + 2.0 * dr);
    s.gamma.segment<3>(kTurningRate) += d * w.cross(h_w);
  }
  const Vector3d f = k.f.head<3>(), torque = k.f.tail<3>();
  s.inwards = force_by<depends>(M_[i], s.gamma);
  const double D = s.column.dot(s.inwards) + hh.dot(f);
  if (!(std::abs(D) > 0.0) || !std::isfinite(D)) fail(k);
  s.D_inverse = 1.0 / D;
  if (!parent) return;
  Rows18 F = shift_[i].times_from_left<depends>(M_[i]);
  if (outwards_[i].size() > 0) F += outwards_[i];
  s.B.noalias() = s.column.transpose() * F;
  s.B.segment<3>(kRotation) += (h.cross(f) + h_w.cross(torque)).transpose();
  s.B *= -s.D_inverse;
  const Vector3d& r = shift_[i].r;
  shift_inwards(r, F);
  const Vector3d pushed = s.inwards.head<3>();
  s.inwards.tail<3>() += r.cross(pushed) + h.cross(f);
  F.block<3, 3>(3, kRotation).noalias() += skew(f) * skew(r);
  if (to_parent_[i].size() > 0) {
    const Rows18 S = to_parent_[i];
    F += shift_[i].times_from_left(S);
    s.inwards += S * s.gamma;
  }
  for_columns<depends>([&](auto&& of) {
    of(F).noalias() += s.inwards * of(s.B);
    of(M_[k.parent]) += of(F);
  });
}

template void TangentSweep::eliminate_one<Depends::on_all>(Link&, const StepCoefficients&,
                                                           const VectorXd&, const VectorXd&);
template void TangentSweep::eliminate_one<Depends::on_turning>(Link&, const StepCoefficients&,
                                                               const VectorXd&, const VectorXd&);

// What an increment of each coordinate does to the link's motion: of its origin, which moves, what
// LinkColumns says of a point in space.
// @return by which forces along the columns change
MatrixXd TangentSweep::set_variations(General& g, const Link& k, const StepCoefficients& c,
                                      const FreeTurn& free) const {
  const LinkColumns& of = link_columns_;
  g.n_parent = of.n_parent();
  g.n_own = of.n_own();
  g.columns = of.by_q().topRows<6>();
  Fields by_q = of.by_q();
  free.apply(by_q);
  g.gamma.resize(18, of.size());
  const Vector3d a = k.a.head<3>(), alpha = k.a.tail<3>(), f = k.f.head<3>();
  for (int j = 0; j < of.size(); ++j) {
    const Vector6d d = by_q.col(j).segment<6>(kField),
                   rate = by_q.col(j).segment<6>(kRate) + c.velocity * g.columns.col(j),
                   second = by_q.col(j).segment<6>(kSecondRate) +
                            c.velocity * of.by_u().col(j).tail<6>() +
                            c.acceleration * g.columns.col(j);
    const Vector3d turn = d.tail<3>(), turning = rate.tail<3>();
    g.gamma.col(j) << d, rate.head<3>() - k.v.cross(turn), turning - k.w.cross(turn),
        second.head<3>() - 2.0 * k.v.cross(turning) - a.cross(turn),
        second.tail<3>() - k.w.cross(turning) - alpha.cross(turn);
  }
  const Eigen::Matrix3Xd moved = skew(f).transpose() * g.columns.topRows<3>();
  MatrixXd geometric = of.geometric() + g.columns.bottomRows<3>().transpose() * moved;
  free.apply(geometric);
  return geometric;
}

void TangentSweep::eliminate_several(Link& k, const StepCoefficients& c, const VectorXd& q,
                                     const VectorXd& u, const VectorXd& du,
                                     const VectorXd& increment) {
  const auto i = &k - tree_.links().data();
  General& g = general_[index_[i]];
  const Link* parent = k.parent >= 0 ? &tree_.links()[k.parent] : nullptr;
  link_columns_.evaluate(k, q, u, du, k.p);
  const int n_p = link_columns_.n_parent(), n_own = link_columns_.n_own(), n = link_columns_.size();
  FreeTurn free;
  if (k.hinge.turns_freely()) {
    const int at = k.hinge.n_translations();
    free = {n_p + at, math::right_tangent(increment.segment<3>(k.u + at))};
  }
  const MatrixXd geometric = set_variations(g, k, c, free);
  g.unknowns.clear();
  g.speeds.clear();
  for (int j = 0; j < k.n_free; ++j) {
    g.unknowns.push_back(n_p + k.order[j]);
    g.speeds.push_back(k.u + k.order[j]);
  }
  for (int j = 0; j < n_own; ++j) {
    g.unknowns.push_back(n_p + k.n_speeds + j);
    g.speeds.push_back(k.u + k.n_speeds + j);
  }
  // By x_p, and by all columns, of the force and of what is along the columns.
  Rows18 FX = shift_[i].times_from_left(M_[i]);
  Matrix6X Fy = M_[i] * g.gamma;
  MatrixXd rows_X, rows_y;
  if (n_own > 0) Fy.rightCols(n_own) += modal_[k.modes].M;
  const MatrixXd& L = outwards_[i];
  // Parents with modes carry the link by a frame that sees them.
  const auto n_of_parent = L.cols() - 18;
  if (L.size() > 0) {
    FX += L.topLeftCorner<6, 18>();
    if (n_p > 0) Fy.leftCols(n_p) += L.topRightCorner(6, n_of_parent);
  }
  rows_X = g.columns.transpose() * FX;
  rows_y = g.columns.transpose() * Fy + geometric;
  const Vector3d f = k.f.head<3>(), torque = k.f.tail<3>();
  for (int j = 0; j < n; ++j) {
    const Vector3d h = g.columns.col(j).head<3>(), h_w = g.columns.col(j).tail<3>();
    rows_X.row(j).segment<3>(kRotation) += (h.cross(f) + h_w.cross(torque)).transpose();
  }
  if (n_own > 0) {
    const Modal& m = modal_[k.modes];
    rows_X.bottomRows(n_own) += shift_[i].times_from_left(m.N);
    rows_y.bottomRows(n_own) += m.N * g.gamma;
    rows_y.bottomRightCorner(n_own, n_own) += m.N_own;
    if (L.size() > 0) {
      rows_X.bottomRows(n_own) += L.bottomLeftCorner(n_own, 18);
      if (n_p > 0) rows_y.bottomLeftCorner(n_own, n_p) += L.bottomRightCorner(n_own, n_of_parent);
    }
  }
  const int n_y = static_cast<int>(g.unknowns.size());
  const auto picked_rows = [&](const MatrixXd& A) {
    MatrixXd out(n_y, A.cols());
    for (int j = 0; j < n_y; ++j) out.row(j) = A.row(g.unknowns[j]);
    return out;
  };
  const auto picked_columns = [&](const MatrixXd& A) {
    MatrixXd out(A.rows(), n_y);
    for (int j = 0; j < n_y; ++j) out.col(j) = A.col(g.unknowns[j]);
    return out;
  };
  const MatrixXd of_unknowns = picked_rows(rows_y), D = picked_columns(of_unknowns);
  if (n_y > 0) {
    const math::LuFactor factor(D);
    if (!D.allFinite() || factor.smallest_pivot() == 0.0) fail(k);
    g.D_inverse = factor.inverse();
  }
  if (!parent) return;
  MatrixXd W(n_y, 18 + n_p);
  W << picked_rows(rows_X), of_unknowns.leftCols(n_p);
  g.B = n_y > 0 ? MatrixXd(-g.D_inverse * W) : W;
  // Inwards.
  const Vector3d& r = shift_[i].r;
  shift_inwards(r, FX);
  shift_inwards(r, Fy);
  FX.block<3, 3>(3, kRotation).noalias() += skew(f) * skew(r);
  Eigen::Matrix3Xd arms = g.columns.topRows<3>();
  free.apply(arms);
  Fy.bottomRows<3>() -= skew(f).lazyProduct(arms);
  MatrixXd modal_X = rows_X.topRows(n_p), modal_y = rows_y.topRows(n_p);
  if (const MatrixXd& S = to_parent_[i]; S.size() > 0) {
    const MatrixXd S_X = S.leftCols(18);
    const Rows18 S_6 = S_X.topRows(6);
    FX += shift_[i].times_from_left(S_6);
    Fy += S_6 * g.gamma;
    if (n_own > 0) Fy.rightCols(n_own) += S.topRightCorner(6, n_own);
    if (n_p > 0) {
      const Eigen::Matrix<double, Eigen::Dynamic, 18> S_m = S_X.bottomRows(n_p);
      modal_X += shift_[i].times_from_left(S_m);
      modal_y += S_m * g.gamma;
      if (n_own > 0) modal_y.rightCols(n_own) += S.bottomRightCorner(n_p, n_own);
    }
  }
  g.inwards = picked_columns(Fy);
  g.modal_inwards = picked_columns(modal_y);
  M_[k.parent] += FX + g.inwards * g.B.leftCols(18);
  if (n_p == 0) return;
  Modal& m = modal_[parent->modes];
  m.M += Fy.leftCols(n_p) + g.inwards * g.B.rightCols(n_p);
  m.N += modal_X + g.modal_inwards * g.B.leftCols(18);
  m.N_own += modal_y.leftCols(n_p) + g.modal_inwards * g.B.rightCols(n_p);
}

}  // namespace solidyn::recursive

#include "recursive/tangent_sweep.h"

#include <fmt/format.h>

#include "recursive/link_sweeps.h"
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

}  // namespace

bool TangentSweep::is_simple(const Link& k) const {
  return k.n_speeds == 1 && k.n_free == 1 && k.modes < 0 && k.carried < 0;
}

TangentSweep::TangentSweep(Tree& tree) : tree_(tree) {
  const std::size_t n = tree.links().size();
  M_.resize(n);
  shift_.resize(n);
  z_.assign(n, Vector6d::Zero());
  x_.assign(n, Variation::Zero());
  outwards_.resize(n);
  to_parent_.resize(n);
  for (const Link& k : tree.links()) {
    index_.push_back(static_cast<int>(is_simple(k) ? simple_.size() : general_.size()));
    is_simple(k) ? static_cast<void>(simple_.emplace_back())
                 : static_cast<void>(general_.emplace_back());
  }
  for (const Modes& m : tree.modes())
    modal_.push_back({Matrix6X::Zero(6, m.n), MatrixXd::Zero(m.n, 18), MatrixXd::Zero(m.n, m.n),
                      VectorXd::Zero(m.n), VectorXd::Zero(m.n)});
}

void TangentSweep::fail(const Link& k) const {
  throw base::ComputationError(fmt::format(
      "recursive: the iteration matrix is singular at the hinge of {}\n  nothing may have inertia about it, or a spring that pushes the body away be as strong as the inertia of the step: try a smaller `step`, or set  formulation: absolute",
      tree_.name_of_hinge(k)));
}

void TangentSweep::turn(const Link& k, const Vector3d& torque) {
  M_[&k - tree_.links().data()].block<3, 3>(3, kRotation) -= skew(torque);
}

void TangentSweep::set_bodies(const StepCoefficients& c, const Vector3d& gravity,
                              StepEquations& equations, const VectorXd& du) {
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
  if (!general_.empty()) {
    for (std::size_t i = 0; i < links.size(); ++i)
      if (!is_simple(links[i])) general_[index_[i]].d = find_derivatives(tree_, links[i], q, u);
    tree_.compute_motion(q.data(), u.data());
  }
  for (std::size_t i = links.size(); i-- > 0;) {
    Link& k = links[i];
    shift_[i].set(k, k.parent >= 0 ? &links[k.parent] : nullptr);
    if (is_simple(k))
      eliminate_one(k, c, u, du);
    else
      eliminate_several(k, c, u, du, n);
    if (closures_ && closures_->has_rows(static_cast<int>(i)))
      eliminate_with_closures(static_cast<int>(i));
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
    e.n_parent = g.d.n_parent;
    e.n_own = g.d.n_own;
    e.gamma = g.gamma;
    e.columns = g.d.columns;
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

// [x_p; q_p] as the link's own coordinates see them. @pre the parent's are known
VectorXd TangentSweep::motion_of_parent(const Link& k) const {
  if (k.parent < 0) return {};
  const Link& parent = tree_.links()[k.parent];
  if (k.carried < 0) return x_[k.parent];
  VectorXd x(18 + modal_[parent.modes].q.size());
  x << x_[k.parent], modal_[parent.modes].q;
  return x;
}

// What is between turns about the axis h_w with the link, and goes along it: all its derivatives
// are products with h_w.
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
  s.inwards.noalias() = M_[i] * s.gamma;
  const double D = s.column.dot(s.inwards) + hh.dot(f);
  if (!(std::abs(D) > 0.0) || !std::isfinite(D)) fail(k);
  s.D_inverse = 1.0 / D;
  if (!parent) return;
  Rows18 F = shift_[i].times_from_left(M_[i]);
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
  F.noalias() += s.inwards * s.B;
  M_[k.parent] += F;
}

void TangentSweep::eliminate_several(Link& k, const StepCoefficients& c, const VectorXd& u,
                                     const VectorXd& du, const VectorXd& increment) {
  const auto i = &k - tree_.links().data();
  General& g = general_[index_[i]];
  RelativeDerivatives& d = g.d;
  set_columns(tree_, k, d);
  const Link* parent = k.parent >= 0 ? &tree_.links()[k.parent] : nullptr;
  const int n_p = d.n_parent, n_own = d.n_own, n = d.size();
  MatrixXd T = MatrixXd::Identity(n, n), geometric;
  if (k.hinge.turns_freely()) {
    const int at = k.hinge.n_translations();
    T.block<3, 3>(n_p + at, n_p + at) = math::right_tangent(increment.segment<3>(k.u + at));
  }
  g.gamma = variations_of(tree_, k, d, u, du, c, T, geometric);
  g.unknowns.clear();
  g.speeds.clear();
  for (int j = 0; j < k.n_free; ++j) {
    g.unknowns.push_back(n_p + j);
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
  rows_X = d.columns.transpose() * FX;
  rows_y = d.columns.transpose() * Fy + geometric;
  const Vector3d f = k.f.head<3>(), torque = k.f.tail<3>();
  for (int j = 0; j < n; ++j) {
    const Vector3d h = d.columns.col(j).head<3>(), h_w = d.columns.col(j).tail<3>();
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
  const MatrixXd arms = d.columns.topRows<3>() * T;
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

void TangentSweep::add_force(const Link& k, const VectorXd& force) {
  z_[&k - tree_.links().data()] += force.head<6>();
  if (k.modes >= 0) modal_[k.modes].z += force.tail(force.size() - 6);
}

void TangentSweep::solve(const VectorXd& r, VectorXd& y) {
  const std::vector<Link>& links = tree_.links();
  y.setZero(tree_.n_speeds());
  VectorXd own, modal;  // unknowns of a link, and what closures do to its parent's modes
  for (std::size_t i = links.size(); i-- > 0;) {
    const Link& k = links[i];
    const bool has_rows = closures_ && closures_->has_rows(static_cast<int>(i));
    Vector6d z = z_[i], of_closures = Vector6d::Zero();
    z_[i].setZero();
    if (is_simple(k)) {
      const Simple& s = simple_[index_[i]];
      y[k.u] = -s.D_inverse * (r[k.u] + s.column.dot(z));
      if (has_rows) {
        modal.resize(0);
        closures_->force(static_cast<int>(i), y.segment<1>(k.u), of_closures, modal);
      }
      if (k.parent < 0) continue;
      const Vector3d force = z.head<3>();
      z.tail<3>() += shift_[i].r.cross(force);
      z_[k.parent] += z + s.inwards * y[k.u] + of_closures;
      continue;
    }
    General& g = general_[index_[i]];
    const int n_y = static_cast<int>(g.unknowns.size());
    g.e.resize(n_y);
    const VectorXd along = g.d.columns.transpose() * z;
    for (int j = 0; j < n_y; ++j) g.e[j] = r[g.speeds[j]] + along[g.unknowns[j]];
    if (k.modes >= 0) {
      g.e.tail(g.d.n_own) += modal_[k.modes].z;
      modal_[k.modes].z.setZero();
    }
    g.y = n_y > 0 ? VectorXd(-g.D_inverse * g.e) : g.e;
    modal.setZero(g.d.n_parent);
    if (has_rows) closures_->force(static_cast<int>(i), g.y, of_closures, modal);
    if (k.parent < 0) continue;
    const Vector3d force = z.head<3>();
    z.tail<3>() += shift_[i].r.cross(force);
    z_[k.parent] += z + g.inwards * g.y + of_closures;
    if (g.d.n_parent > 0)
      modal_[links[k.parent].modes].z += along.head(g.d.n_parent) + g.modal_inwards * g.y + modal;
  }
  if (closures_) closures_->solve_on_ground();
  for (std::size_t i = 0; i < links.size(); ++i) {
    const Link& k = links[i];
    const bool has_rows = closures_ && closures_->has_rows(static_cast<int>(i));
    if (is_simple(k)) {
      const Simple& s = simple_[index_[i]];
      if (has_rows) {
        own = y.segment<1>(k.u);
        closures_->move(static_cast<int>(i), motion_of_parent(k), own);
        y[k.u] = own[0];
      }
      if (k.parent >= 0) {
        y[k.u] += s.B.dot(x_[k.parent]);
        x_[i] = shift_[i] * x_[k.parent] + s.gamma * y[k.u];
      } else {
        x_[i] = s.gamma * y[k.u];
      }
      continue;
    }
    General& g = general_[index_[i]];
    VectorXd all = VectorXd::Zero(g.d.size());
    if (has_rows) closures_->move(static_cast<int>(i), motion_of_parent(k), g.y);
    x_[i].setZero();
    if (k.parent >= 0) {
      g.y += g.B.leftCols(18) * x_[k.parent];
      if (g.d.n_parent > 0) {
        all.head(g.d.n_parent) = modal_[links[k.parent].modes].q;
        g.y += g.B.rightCols(g.d.n_parent) * all.head(g.d.n_parent);
      }
      x_[i] = shift_[i] * x_[k.parent];
    }
    for (std::size_t j = 0; j < g.unknowns.size(); ++j) {
      all[g.unknowns[j]] = g.y[j];
      y[g.speeds[j]] = g.y[j];
    }
    x_[i] += g.gamma * all;
    if (k.modes >= 0) modal_[k.modes].q = all.tail(g.d.n_own);
  }
}

VectorXd TangentSweep::variations(const Link& k) const {
  const int n = k.modes >= 0 ? static_cast<int>(modal_[k.modes].q.size()) : 0;
  VectorXd out(18 + n);
  out.head<18>() = x_[&k - tree_.links().data()];
  if (n > 0) out.tail(n) = modal_[k.modes].q;
  return out;
}

}  // namespace solidyn::recursive

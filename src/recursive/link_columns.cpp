#include "recursive/link_columns.h"

#include "math/small_product.h"

namespace solidyn::recursive {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::add_small_product;
using math::skew;

// The same product with a column there as that with F of what maps_of() makes of it.
Vector6d LinkColumns::Carrier::force_in(const Vector6d& F) const {
  const Vector6d there = force_at_point(F, -s);
  Vector6d out;
  out << sign * (R.transpose() * there.head<3>()), sign * (R.transpose() * there.tail<3>());
  return out;
}

LinkColumns::Carrier LinkColumns::carried_by(const Link* body) const {
  Carrier carrier;
  carrier.s = -point_;
  if (!body) return carrier;  // the ground
  carrier.R = body->R;
  carrier.s = body->p - point_;
  carrier.V = velocity_at(*body, carrier.s);
  carrier.A = acceleration_at(*body, carrier.s);
  return carrier;
}

namespace {

// V x of a motion, as cross_motion().
Eigen::Matrix<double, 6, 6> cross_map(const Vector6d& V) {
  Eigen::Matrix<double, 6, 6> map;
  const Matrix3d turn = skew(V.tail<3>());
  map << turn, skew(V.head<3>()), Matrix3d::Zero(), turn;
  return map;
}

}  // namespace

// Of X, by which columns in the carrier are ones in the world at the point, and which it carries:
// dX = V x X, ddX = A x X + V x dX.
LinkColumns::Maps LinkColumns::maps_of(const Carrier& c) {
  Maps maps;
  const Matrix3d R = c.sign * c.R;
  maps.by << R, skew(c.s) * R, Matrix3d::Zero(), R;
  const Maps::Map V = cross_map(c.V);
  maps.rate.noalias() = V * maps.by;
  maps.second.noalias() = cross_map(c.A) * maps.by;
  maps.second.noalias() += V * maps.rate;
  return maps;
}

template <class Columns>
void LinkColumns::set(const Maps& maps, int at, const Columns& x, const Columns& dx,
                      const Columns& ddx) {
  Eigen::Matrix<double, 18, 6> by_x;
  by_x << maps.by, maps.rate, maps.second;
  auto columns = by_q_.middleCols(at, x.cols());
  columns.setZero();
  add_small_product(by_x, x, columns);
  if (dx.cols() == 0) return;
  Eigen::Matrix<double, 12, 6> by_dx;
  by_dx << maps.by, 2.0 * maps.rate;
  add_small_product(by_dx, dx, columns.template bottomRows<12>());
  add_small_product(maps.by, ddx, columns.template bottomRows<6>());
}

// To the motion of what these coordinates move beside the carrier.
void LinkColumns::move(Carrier& c, int at, int n, const double* u, const double* du) const {
  for (int i = 0; i < n; ++i) {
    c.V += u[i] * C().col(at + i);
    c.A += du[i] * C().col(at + i) + u[i] * dC().col(at + i);
  }
}

void LinkColumns::set_modes(const ModalFrame& frame, const Modes& m, const Carrier& carrier, int at,
                            const double* du) {
  frame.compute_fields(m.state, Eigen::Map<const VectorXd>(du, m.n), modal_);
  const Maps X = maps_of(carrier);
  Maps all;
  all.by.noalias() = X.by * modal_.by;
  all.rate.noalias() = X.rate * modal_.by + X.by * modal_.rate;
  all.second.noalias() = X.second * modal_.by + 2.0 * X.rate * modal_.rate + X.by * modal_.second;
  set(all, at, modal_.x, modal_.dx, modal_.ddx);
}

void LinkColumns::set_hinge(const Link& k, const Carrier& frame, const double* q, const double* u,
                            const double* du) {
  joints::compute_fields(k.hinge, q, u, du, hinge_);
  set(maps_of(frame), n_parent_, hinge_.S, hinge_.dS, hinge_.ddS);
}

// Columns are moved by the coordinates before them: those of the hinge by the frame that its A is
// on, those of own modes, which are given in the body, by themselves too.
void LinkColumns::set_geometric(const Link& k) {
  const int n = size(), first_own = n_parent_ + n_hinge_;
  const Vector6d F = force_at_point(k.f, k.p - point_);
  geometric_.setZero(n, n);
  turned_.resize(n, 6);
  for (int a = n_parent_; a < n; ++a) turned_.row(a) = turned_with(C().col(a), F).transpose();
  const int by_hinge = k.is_reversed ? first_own : n_parent_;
  add_small_product(turned_.middleRows(n_parent_, n_hinge_), C().leftCols(by_hinge),
                    geometric_.block(n_parent_, 0, n_hinge_, by_hinge));
  add_small_product(turned_.bottomRows(n_own_), C(), geometric_.bottomRows(n_own_));
  const Vector6d F_hinge = hinge_carrier_.force_in(F);
  for (int b = 0; b < n_hinge_; ++b)
    for (int a = 0; a < n_hinge_; ++a)
      geometric_(n_parent_ + a, n_parent_ + b) += hinge_.by[b].col(a).dot(F_hinge);
  if (n_parent_ > 0) {
    const Link& parent = tree_.links()[k.parent];
    tree_.carried()[k.carried].frame.add_stiffness(tree_.modes()[parent.modes].state,
                                                   inboard_.force_in(F),
                                                   geometric_.topLeftCorner(n_parent_, n_parent_));
  }
  if (n_own_ > 0 && tree_.modes()[k.modes].outboard) {
    const Modes& m = tree_.modes()[k.modes];
    m.outboard.add_stiffness(m.state, outboard_.force_in(F),
                             geometric_.bottomRightCorner(n_own_, n_own_));
  }
}

// Speeds of free rotations are those of increments n, with du = dn/dt + u x n in the axes of B, and
// du = dn/dt - u x n in those of A.
void LinkColumns::correct_free_turns(const Link& k, const double* u, const double* du) {
  if (!k.hinge.turns_freely()) return;
  const int n_t = k.hinge.n_translations(), at = n_parent_ + n_t;
  const double sign = k.hinge.turn_sign();
  const Matrix3d w = sign * skew(Vector3d(u[n_t], u[n_t + 1], u[n_t + 2])),
                 dw = sign * skew(Vector3d(du[n_t], du[n_t + 1], du[n_t + 2]));
  const Eigen::Matrix<double, 6, 3> axes = C().middleCols<3>(at), rates = dC().middleCols<3>(at);
  by_q_.block<6, 3>(kRate, at) -= axes * w;
  by_q_.block<6, 3>(kSecondRate, at) += axes * (w * w - dw) - 2.0 * rates * w;
  by_u_.block<6, 3>(kSecondRate - kRate, at) -= axes * w;
}

void LinkColumns::evaluate(const Link& k, const VectorXd& q, const VectorXd& u, const VectorXd& du,
                           const Vector3d& point) {
  point_ = point;
  const Link* parent = k.parent >= 0 ? &tree_.links()[k.parent] : nullptr;
  const Modes* of_parent = k.carried >= 0 ? &tree_.modes()[parent->modes] : nullptr;
  const Modes* own = k.modes >= 0 ? &tree_.modes()[k.modes] : nullptr;
  n_parent_ = of_parent ? of_parent->n : 0;
  n_hinge_ = k.n_speeds;
  n_own_ = own ? own->n : 0;
  const int n = n_parent_ + n_hinge_ + n_own_, first_own = n_parent_ + n_hinge_;
  by_q_.resize(18, n);
  const double *u_own = u.data() + k.u + n_hinge_, *du_own = du.data() + k.u + n_hinge_;

  inboard_ = hinge_carrier_ = carried_by(parent);
  if (of_parent) {
    const CarriedFrame& carried = tree_.carried()[k.carried];
    const int at = parent->u + parent->n_speeds;
    set_modes(carried.frame, *of_parent, inboard_, 0, du.data() + at);
    move(hinge_carrier_, 0, n_parent_, u.data() + at, du.data() + at);
    hinge_carrier_.s += inboard_.R * carried.motion.p;
    hinge_carrier_.R = inboard_.R * carried.motion.R;
  } else {
    hinge_carrier_.s += inboard_.R * k.x_inboard;
    hinge_carrier_.R = inboard_.R * k.R_inboard;
  }
  outboard_ = carried_by(&k);
  outboard_.sign = -1.0;
  const bool has_outboard = own && own->outboard;
  if (has_outboard)
    set_modes(own->outboard, *own, outboard_, first_own, du_own);
  else
    by_q_.rightCols(n_own_).setZero();
  if (k.is_reversed) {
    hinge_carrier_ = outboard_;
    // The body moves as its outboard frame does and by its modes.
    VectorXd back = -Eigen::Map<const VectorXd>(u_own, n_own_),
             back_rates = -Eigen::Map<const VectorXd>(du_own, n_own_);
    move(hinge_carrier_, first_own, n_own_, back.data(), back_rates.data());
    hinge_carrier_.s += outboard_.R * (has_outboard ? own->motion.p : k.x_outboard);
    hinge_carrier_.R = outboard_.R * (has_outboard ? own->motion.R : k.R_outboard);
  }
  if (n_hinge_ > 0) set_hinge(k, hinge_carrier_, q.data() + k.q, u.data() + k.u, du.data() + k.u);

  by_u_.resize(12, n);
  by_u_.topRows<6>() = C();
  by_u_.bottomRows<6>() = 2.0 * dC();
  correct_free_turns(k, u.data() + k.u, du.data() + k.u);
  set_geometric(k);
}

}  // namespace solidyn::recursive

#include "recursive/link_fields.h"

namespace solidyn::recursive {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;
using math::skew;

LinkFields::Kind LinkFields::kind_of(const Link& k) const {
  if (k.modes >= 0 || k.carried >= 0) return Kind::modal;
  return k.n_speeds == 1 ? Kind::one_speed : Kind::hinge;
}

LinkFields::LinkFields(Tree& tree) : tree_(tree) {
  const std::vector<Link>& links = tree.links();
  const std::size_t n = links.size();
  next_.assign(n, n);
  for (std::size_t i = 0; i < n; ++i) {
    const Link& k = links[i];
    begin_.push_back(size());
    const int n_parent = k.carried >= 0 ? tree.modes()[links[k.parent].modes].n : 0,
              n_own = k.modes >= 0 ? tree.modes()[k.modes].n : 0;
    n_own_.push_back(n_own);
    const bool is_modal = kind_of(k) == Kind::modal;
    has_modes_ |= is_modal;
    for (int j = 0; j < n_parent; ++j)
      speed_.push_back(links[k.parent].u + links[k.parent].n_speeds + j);
    for (int j = 0; j < k.n_speeds; ++j) speed_.push_back(k.u + (is_modal ? k.order[j] : j));
    for (int j = 0; j < n_own; ++j) speed_.push_back(k.u + k.n_speeds + j);
  }
  begin_.push_back(size());
  // Bodies are in the order of a walk that goes inwards only when a branch is done.
  for (std::size_t i = 0; i < n; ++i) {
    std::size_t last = i + 1;
    while (last < n && links[last].parent >= static_cast<int>(i)) ++last;
    next_[i] = last;
  }
  is_one_to_one_ = !has_modes_;
  by_q_.setZero(18, size());
  by_u_.setZero(12, size());
  geometric_.resize(n);
  if (has_modes_) relative_.resize(n);
}

Vector6d LinkFields::velocity(const Link& k) const {
  Vector6d V;
  V << k.v, k.w;
  return velocity_at_point(V, arm(k));
}

Vector6d LinkFields::acceleration(const Link& k) const {
  Vector6d A = velocity_at_point(k.a, arm(k));
  A.head<3>() -= k.w.cross(k.v);
  return A;
}

void LinkFields::evaluate(const VectorXd& q, const VectorXd& u, const VectorXd& du) {
  std::vector<Link>& links = tree_.links();
  if (has_modes_) {
    for (std::size_t i = 0; i < links.size(); ++i)
      if (kind_of(links[i]) == Kind::modal) relative_[i] = find_derivatives(tree_, links[i], q, u);
    tree_.compute_motion(q.data(), u.data());
  }
  point_.setZero();
  for (const Link& k : links) point_ += k.p;
  if (!links.empty()) point_ /= static_cast<double>(links.size());
  for (std::size_t i = 0; i < links.size(); ++i) {
    Link& k = links[i];
    switch (kind_of(k)) {
      case Kind::one_speed:
        set_one_speed(k, begin_[i]);
        break;
      case Kind::hinge:
        if (k.n_speeds > 0) set_hinge(k, i, q.data() + k.q, u.data() + k.u, du.data() + k.u);
        break;
      case Kind::modal:
        set_modal(k, i, u, du);
        break;
    }
  }
}

// The axis stands still in the parent: dC = V x C.
void LinkFields::set_one_speed(const Link& k, int column) {
  const Vector6d C = velocity_at_point(tree_.H(k).col(0), arm(k));
  auto by_q = by_q_.col(column);
  auto by_u = by_u_.col(column);
  by_q.head<6>() = C;
  by_u.head<6>() = C;
  if (k.parent < 0) return;
  const Link& parent = tree_.links()[k.parent];
  const Vector6d V = velocity(parent), dC = cross_motion(V, C);
  by_q.segment<6>(kRate) = dC;
  by_q.segment<6>(kSecondRate) = cross_motion(acceleration(parent), C) + cross_motion(V, dC);
  by_u.tail<6>() = 2.0 * dC;
}

// Columns of several speeds are fields of the body that carries the joint's frame A, and the more
// they change there: d(A S) = V x A S + A dS. Speeds of free rotations are those of right
// increments n, with du = dn/dt + u x n.
void LinkFields::set_hinge(const Link& k, std::size_t i, const double* q, const double* u,
                           const double* du) {
  const int n = k.n_speeds, at = begin_[i];
  joints::compute_fields(k.hinge, q, u, du, hinge_);
  const Link* body = &k;
  if (!k.is_reversed) body = k.parent >= 0 ? &tree_.links()[k.parent] : nullptr;
  const Matrix3d R_body = body ? body->R : Matrix3d::Identity();
  const Vector3d p_body = body ? body->p : Vector3d::Zero();
  const Matrix3d R = R_body * (k.is_reversed ? k.R_outboard : k.R_inboard);
  const Vector3d s = p_body + R_body * (k.is_reversed ? k.x_outboard : k.x_inboard) - point_;
  const double sign = k.is_reversed ? -1.0 : 1.0;
  const auto in_world = [&](const auto& column) {
    Vector6d C;
    C << sign * (R * column.template head<3>()), sign * (R * column.template tail<3>());
    return velocity_at_point(C, s);
  };
  Vector6d V = Vector6d::Zero(), A = V;
  if (body) V = velocity(*body), A = acceleration(*body);
  joints::HingeFields::Columns C(6, n), dC(6, n), ddC(6, n);
  for (int j = 0; j < n; ++j) {
    const Vector6d dS = in_world(hinge_.dS.col(j));
    C.col(j) = in_world(hinge_.S.col(j));
    dC.col(j) = cross_motion(V, C.col(j)) + dS;
    ddC.col(j) = cross_motion(A, C.col(j)) + cross_motion(V, dC.col(j)) + cross_motion(V, dS) +
                 in_world(hinge_.ddS.col(j));
  }
  const Vector6d F = force(k);
  MatrixXd& geometric = geometric_[i];
  geometric.resize(n, n);
  for (int b = 0; b < n; ++b)
    for (int a = 0; a < n; ++a) {
      Vector6d change = in_world(hinge_.by[b].col(a));
      if (k.is_reversed) change += cross_motion(C.col(b), C.col(a));
      geometric(a, b) = change.dot(F);
    }
  auto by_q = by_q_.middleCols(at, n);
  auto by_u = by_u_.middleCols(at, n);
  by_q.topRows<6>() = C;
  by_q.middleRows<6>(kRate) = dC;
  by_q.bottomRows<6>() = ddC;
  by_u.topRows<6>() = C;
  by_u.bottomRows<6>() = 2.0 * dC;
  if (!k.hinge.turns_freely()) return;
  const int n_t = k.hinge.n_translations();
  const Matrix3d w = skew(Vector3d(u[n_t], u[n_t + 1], u[n_t + 2])),
                 dw = skew(Vector3d(du[n_t], du[n_t + 1], du[n_t + 2]));
  const Eigen::Matrix<double, 6, 3> axes = C.rightCols<3>(), rates = dC.rightCols<3>();
  by_q.middleRows<6>(kRate).rightCols<3>() -= axes * w;
  by_q.bottomRows<6>().rightCols<3>() += axes * (w * w - dw) - 2.0 * rates * w;
  by_u.bottomRows<6>().rightCols<3>() -= axes * w;
}

namespace {

// From variations of a link's motion to fields at the point that is s before its origin. What turns
// with the field does not change it: dv = rate + d x v, and so on.
Fields fields_of(const Link& k, const Vector3d& s, const Fields& x) {
  Fields out(18, x.cols());
  for (Eigen::Index j = 0; j < x.cols(); ++j) {
    const Vector3d turn = x.col(j).segment<3>(kRotation), a = k.a.head<3>(), alpha = k.a.tail<3>();
    Vector6d d, rate, second;
    d << x.col(j).segment<3>(kPosition), turn;
    const Vector3d turning = x.col(j).segment<3>(kTurning) + k.w.cross(turn);
    rate << x.col(j).segment<3>(kVelocity) + k.v.cross(turn), turning;
    second << x.col(j).segment<3>(kAcceleration) + 2.0 * k.v.cross(turning) + a.cross(turn),
        x.col(j).segment<3>(kTurningRate) + k.w.cross(turning) + alpha.cross(turn);
    out.col(j) << velocity_at_point(d, s), velocity_at_point(rate, s), velocity_at_point(second, s);
  }
  return out;
}

}  // namespace

void LinkFields::set_modal(Link& k, std::size_t i, const VectorXd& u, const VectorXd& du) {
  RelativeDerivatives& d = relative_[i];
  set_columns(tree_, k, d);
  const int n = d.size(), at = begin_[i];
  const MatrixXd identity = MatrixXd::Identity(n, n);
  MatrixXd geometric, unused;
  const Vector3d s = arm(k), f = k.f.head<3>();
  const Fields by_q = variations_of(tree_, k, d, u, du, {0.0, 0.0}, identity, geometric),
               by_both = variations_of(tree_, k, d, u, du, {1.0, 0.0}, identity, unused);
  by_q_.middleCols(at, n) = fields_of(k, s, by_q);
  by_u_.middleCols(at, n) = fields_of(k, s, by_both - by_q).bottomRows<12>();
  // Columns are velocities of the moving origin there, and of what is at the point here.
  for (int b = 0; b < n; ++b)
    for (int a = 0; a < n; ++a)
      geometric(a, b) -=
          d.columns.col(a).tail<3>().dot(Vector3d(d.columns.col(b).head<3>()).cross(f));
  geometric_[i] = geometric;
}

}  // namespace solidyn::recursive

#include "solidyn/recursive/articulated_bodies.h"

#include <fmt/format.h>

#include <cmath>

#include "recursive/absolute_part.h"
#include "recursive/branch_exchange.h"
#include "recursive/closure_sweep.h"
#include "recursive/link_inertia.h"
#include "recursive/link_sweeps.h"
#include "recursive/modal_elimination.h"
#include "solidyn/base/error.h"

namespace solidyn::recursive {

using Eigen::Map;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

namespace {

// Of the largest inertia that a hinge feels, below which one about it is round-off.
constexpr double kNoInertia = 1e-14;

using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;

// A = L L^T into the lower triangle, in place. @return whether A is positive definite, beyond
// round-off of entries of the size `scale`
template <class Matrix>
bool factorise_in_place(Matrix& A, double scale) {
  const Eigen::Index n = A.rows();
  for (Eigen::Index j = 0; j < n; ++j) {
    const double pivot = A(j, j) - A.row(j).head(j).squaredNorm();
    if (!(pivot > kNoInertia * scale)) return false;
    A(j, j) = std::sqrt(pivot);
    for (Eigen::Index i = j + 1; i < n; ++i)
      A(i, j) = (A(i, j) - A.row(i).head(j).dot(A.row(j).head(j))) / A(j, j);
  }
  return true;
}

// x := A^-1 x, by columns.
template <class Matrix, class Columns>
void solve_in_place(const Matrix& L, Columns&& x) {
  const Eigen::Index n = L.rows();
  for (Eigen::Index c = 0; c < x.cols(); ++c) {
    for (Eigen::Index i = 0; i < n; ++i) {
      double sum = x(i, c);
      for (Eigen::Index j = 0; j < i; ++j) sum -= L(i, j) * x(j, c);
      x(i, c) = sum / L(i, i);
    }
    for (Eigen::Index i = n - 1; i >= 0; --i) {
      double sum = x(i, c);
      for (Eigen::Index j = i + 1; j < n; ++j) sum -= L(j, i) * x(j, c);
      x(i, c) = sum / L(i, i);
    }
  }
}

}  // namespace

ArticulatedBodies::ArticulatedBodies(Tree& tree) : tree_(tree) {
  std::size_t columns = 0;
  for (const Link& k : tree.links()) columns += static_cast<std::size_t>(k.n_speeds);
  G_.resize(6 * columns);
  D_inverse_.resize(6 * columns);
}

void ArticulatedBodies::factorise() {
  for (Link& k : tree_.links()) set_own_inertia(tree_, k);
  eliminate();
}

void ArticulatedBodies::move(const double* q, const double* u, const Vector3d& gravity) {
  const auto begin = [&](Link& k) {
    set_own_inertia(tree_, k);
    set_inertia_force(k, gravity);
  };
  if (!exchange_) return tree_.sweep_outwards(q, u, begin);
  if (moving_ == Moving::all_links) tree_.compute_motion(q, u);
  for (const auto& [link, is_own] : exchange_->reached()) {
    Link& k = tree_.links()[link];
    if (moving_ == Moving::own_links) tree_.compute_motion_of(k, q, u);
    if (is_own) begin(k);
  }
}

void ArticulatedBodies::eliminate() {
  std::vector<Link>& links = tree_.links();
  eliminate_absolute_part();
  for (std::size_t i = tree_.n_hinged(); i-- > 0;) {
    eliminate(links[i]);
    if (closures_) take_rows_inwards(links[i]);
    if (links[i].parent >= 0) pass_inertia(tree_, links[i]);
  }
  if (closures_) closures_->end_on_ground();
}

void ArticulatedBodies::eliminate(Link& k) {
  if (k.modes >= 0 && !eliminate_modes(k, tree_.modes()[k.modes], kNoInertia)) fail(k);
  if (k.n_free == 1)
    eliminate_one_speed(k);
  else if (k.n_free > 1)
    eliminate_speeds(k);
}

void ArticulatedBodies::take_rows_inwards(Link& k) {
  if (k.modes >= 0) closures_->eliminate_modes(k);
  closures_->eliminate_hinge(k, G(k), D_inverse(k));
}

void ArticulatedBodies::eliminate_one_speed(Link& k) {
  const std::size_t at = 6 * static_cast<std::size_t>(k.columns);
  const Vector6d h = tree_.H(k).col(0);
  const Vector6d Ph = k.P * h;
  const double D = h.dot(Ph);
  if (!(D > kNoInertia * (k.P.A.trace() + k.P.C.trace()) * h.squaredNorm())) fail(k);
  D_inverse_[at] = 1.0 / D;
  Map<Vector6d> G(&G_[at]);
  G = D_inverse_[at] * Ph;
  const Vector3d g = G.head<3>(), G_w = G.tail<3>();
  k.P.A.noalias() -= g * Ph.head<3>().transpose();
  k.P.B.noalias() -= g * Ph.tail<3>().transpose();
  k.P.C.noalias() -= G_w * Ph.tail<3>().transpose();
}

void ArticulatedBodies::eliminate_speeds(Link& k) {
  const std::size_t at = 6 * static_cast<std::size_t>(k.columns);
  const int n = k.n_free;
  const joints::HingeMotion::Columns H = tree_.H(k).leftCols(n);
  joints::HingeMotion::Columns PH(6, n);
  for (int i = 0; i < n; ++i) PH.col(i) = k.P * Vector6d(H.col(i));
  SmallMatrix D = H.transpose() * PH;
  const double scale = (k.P.A.trace() + k.P.C.trace()) * H.colwise().squaredNorm().maxCoeff();
  if (!factorise_in_place(D, scale)) fail(k);
  Map<MatrixXd> inverse(&D_inverse_[at], n, n);
  inverse.setIdentity();
  solve_in_place(D, inverse);
  Map<Matrix6X> G(&G_[at], 6, n);
  G.noalias() = PH.lazyProduct(inverse);
  k.P.A -= G.topRows<3>().lazyProduct(PH.topRows<3>().transpose());
  k.P.B -= G.topRows<3>().lazyProduct(PH.bottomRows<3>().transpose());
  k.P.C -= G.bottomRows<3>().lazyProduct(PH.bottomRows<3>().transpose());
}

void ArticulatedBodies::set_inertia_force(Link& k, const Vector3d& gravity) {
  if (k.modes < 0) {
    const Vector3d c = k.R * k.first_moment, w_B = k.R.transpose() * k.w, L = k.J * w_B;
    k.z.head<3>() = k.w.cross(k.w.cross(c)) - k.mass * gravity;
    k.z.tail<3>() = k.R * w_B.cross(L) - c.cross(gravity);
    return;
  }
  Modes& m = tree_.modes()[k.modes];
  m.h.setZero();
  m.body->add_residual(m.state, k.R.transpose() * gravity, m.h);
  k.z.head<3>() = k.R * m.h.head<3>();
  k.z.tail<3>() = k.R * m.h.segment<3>(3);
  m.z_f = m.h.tail(m.n);
}

void ArticulatedBodies::set_inertia_forces(const Vector3d& gravity) {
  for (Link& k : tree_.links()) set_inertia_force(k, gravity);
}

void ArticulatedBodies::set_forces_to_zero() {
  for (Link& k : tree_.links()) k.z.setZero();
  for (Modes& m : tree_.modes()) m.z_f.setZero();
  if (absolute_) absolute_->set_forces_to_zero();
}

void ArticulatedBodies::add_force(Link& k, const Eigen::Ref<const VectorXd>& r) {
  if (!tree_.has_frame(k)) {
    tree_.modes()[k.modes].z_f.tail(r.size()) += r;
    return;
  }
  k.z.head<3>() += r.head<3>();
  k.z.tail<3>() += k.R * r.segment<3>(3);
  if (k.modes >= 0) tree_.modes()[k.modes].z_f += r.tail(r.size() - 6);
}

void ArticulatedBodies::pass_force(const Link& k, const Vector6d& f) {
  Link& parent = tree_.links()[k.parent];
  parent.z += shifted(k, f);
  if (k.carried >= 0)
    tree_.modes()[parent.modes].z_f += tree_.carried()[k.carried].X.transpose().lazyProduct(f);
}

// What the hinge and the modes of a link take up of the force on them.
template <ArticulatedBodies::Bias bias, bool eliminates>
void ArticulatedBodies::resolve_force(Link& k, VectorXd& du) {
  if constexpr (eliminates) eliminate(k);
  if (k.modes >= 0) {
    eliminate_modal_forces(k, tree_.modes()[k.modes]);
    if (closures_) closures_->force_modes(k);
  }
  if constexpr (bias == Bias::motion)
    k.a = k.bias;
  else
    k.a.setZero();
  const auto H = tree_.H(k);
  const std::size_t at = 6 * static_cast<std::size_t>(k.columns);
  for (int j = k.n_free; j < k.n_speeds; ++j) {  // laws
    double& second_rate = du[k.u + k.order[j]];
    if constexpr (bias == Bias::motion)
      k.a += second_rate * H.col(j);
    else
      second_rate = 0.0;
  }
  double e[6];
  for (int j = 0; j < k.n_free; ++j) e[j] = -H.col(j).dot(k.z);
  for (int j = 0; j < k.n_free; ++j) {
    double sum = 0.0;
    for (int l = 0; l < k.n_free; ++l) sum += D_inverse_[at + j * k.n_free + l] * e[l];
    du[k.u + k.order[j]] = sum;
    k.z += e[j] * Map<const Vector6d>(&G_[at + 6 * j]);
  }
  if (closures_) closures_->force_hinge(k, du);
}

// What the parent's acceleration gives a link.
void ArticulatedBodies::follow_parent(const Link& k, Vector6d& a) const {
  if (k.parent < 0) return;
  const Link& parent = tree_.links()[k.parent];
  const Vector3d turn = parent.a.tail<3>();
  a += parent.a;
  a.head<3>() += turn.cross(k.arm);
  if (k.carried >= 0)
    a += tree_.carried()[k.carried].X.lazyProduct(tree_.modes()[parent.modes].ddq);
}

// Of a link its acceleration, and that of its hinge and modes, from its parent's.
template <ArticulatedBodies::HingeForces forces>
void ArticulatedBodies::accelerate(Link& k, VectorXd& du) {
  follow_parent(k, k.a);
  if (forces == HingeForces::all || k.n_free < k.n_speeds) k.f = k.P * k.a + k.z;
  const auto H = tree_.H(k);
  const std::size_t at = 6 * static_cast<std::size_t>(k.columns);
  const Vector6d inboard = k.a;
  if (closures_) closures_->accelerate_hinge(k, du);
  for (int j = 0; j < k.n_free; ++j) {
    double& rate = du[k.u + k.order[j]];
    rate -= Map<const Vector6d>(&G_[at + 6 * j]).dot(inboard);
    k.a += rate * H.col(j);
  }
  if (k.modes < 0) return;
  Modes& m = tree_.modes()[k.modes];
  if (closures_) closures_->accelerate_modes(k);
  find_modal_accelerations(k, m);
  du.segment(k.u + k.n_speeds, m.n) = m.ddq;
}

// As accelerate() finds it: from what the link does while its hinge and modes do not accelerate.
void ArticulatedBodies::find_hinge_force(Link& k, const VectorXd& du) {
  Vector6d a = k.bias;
  const auto H = tree_.H(k);
  for (int j = k.n_free; j < k.n_speeds; ++j) a += du[k.u + k.order[j]] * H.col(j);
  follow_parent(k, a);
  k.f = k.P * a + k.z;
}

template <ArticulatedBodies::Bias bias, bool eliminates>
void ArticulatedBodies::sweep(VectorXd& du) {
  std::vector<Link>& links = tree_.links();
  if (closures_) closures_->begin_forces();
  if constexpr (eliminates) eliminate_absolute_part();
  accelerate_absolute_part(du);
  for (std::size_t i = tree_.n_hinged(); i-- > 0;) {
    Link& k = links[i];
    resolve_force<bias, eliminates>(k, du);
    if (k.parent < 0) continue;
    if constexpr (eliminates) pass_inertia(tree_, k);
    if constexpr (bias == Bias::motion)
      pass_force(k, k.z + k.P * k.a);
    else
      pass_force(k, k.z);
  }
  if (closures_) closures_->solve_on_ground();
  // Without `eliminates` the caller may want any of them.
  constexpr HingeForces forces = eliminates ? HingeForces::of_laws : HingeForces::all;
  for (std::size_t i = 0; i < tree_.n_hinged(); ++i) accelerate<forces>(links[i], du);
  settle_absolute_part(du);
}

// Into Link::f what the first link of each branch passes on to the trunk. @return the link whose
// hinge nothing has inertia about, where the sweep ended; -1: none
int ArticulatedBodies::sweep_own_branches_inwards(VectorXd& du) {
  std::vector<Link>& links = tree_.links();
  const std::vector<BranchShares::Branch>& own = exchange_->own_branches();
  int at = -1;
  try {
    for (std::size_t b = own.size(); b-- > 0;)
      for (at = own[b].end; at-- > own[b].begin;) {
        Link& k = links[at];
        resolve_force<Bias::motion, true>(k, du);
        k.f = k.z + k.P * k.a;
        if (at == own[b].begin) break;
        pass_inertia(tree_, k);
        pass_force(k, k.f);
      }
  } catch (const base::ComputationError&) {
    return at;
  }
  return -1;
}

// The same numbers as of sweep(): what branches pass on joins the trunk in the same order.
void ArticulatedBodies::sweep_shared(VectorXd& du) {
  std::vector<Link>& links = tree_.links();
  const int failed = exchange_->exchange_inwards(sweep_own_branches_inwards(du));
  if (failed >= 0) fail(links[failed]);
  const std::vector<BranchExchange::Knot>& knots = exchange_->knots();
  for (std::size_t i = knots.size(); i-- > 0;) {
    Link& k = links[knots[i].link];
    if (knots[i].is_of_trunk()) {
      resolve_force<Bias::motion, true>(k, du);
      k.f = k.z + k.P * k.a;
    }
    if (k.parent < 0) continue;
    pass_inertia(tree_, k);
    pass_force(k, k.f);
  }
  for (const int i : exchange_->shares().trunk) accelerate<HingeForces::of_laws>(links[i], du);
  for (const BranchShares::Branch& branch : exchange_->own_branches())
    for (int i = branch.begin; i < branch.end; ++i) accelerate<HingeForces::of_laws>(links[i], du);
  exchange_->exchange_accelerations(du);
}

void ArticulatedBodies::solve(Bias bias, VectorXd& du) {
  if (bias == Bias::motion)
    sweep<Bias::motion, false>(du);
  else
    sweep<Bias::none, false>(du);
}

void ArticulatedBodies::eliminate_and_solve(VectorXd& du) {
  if (exchange_) return sweep_shared(du);
  if (!closures_) return sweep<Bias::motion, true>(du);
  eliminate();  // what rows leave is known only at the ground
  sweep<Bias::motion, false>(du);
}

void ArticulatedBodies::complete(const VectorXd& du) {
  if (closures_) return;  // by the sweep that found their multipliers
  if (!exchange_) {
    for (std::size_t i = 0; i < tree_.n_hinged(); ++i) find_hinge_force(tree_.links()[i], du);
    return;
  }
  for (const auto& [link, is_own] : exchange_->reached())
    if (is_own) find_hinge_force(tree_.links()[link], du);
  exchange_->exchange_links();
  for (const Link& k : tree_.links())
    if (k.modes >= 0) {
      Modes& m = tree_.modes()[k.modes];
      m.ddq = du.segment(k.u + k.n_speeds, m.n);
    }
}

void ArticulatedBodies::write_acceleration(const Link& k, Eigen::Ref<VectorXd> a) const {
  if (k.modes >= 0) {
    const Modes& m = tree_.modes()[k.modes];
    a.tail(m.n - m.n_followed) = m.ddq.tail(m.n - m.n_followed);
    if (!m.has_frame) return;
  }
  a.head<3>() = k.a.head<3>();
  a.segment<3>(3).noalias() = k.R.transpose() * k.a.tail<3>();
}

void ArticulatedBodies::fail(const Link& k) const {
  throw base::ComputationError(fmt::format(
      "recursive: nothing has inertia about a hinge of {}\n  give it, or a body that it carries, mass and inertia; replace the joint by one that leaves less free, or set  formulation: absolute",
      tree_.name_of_hinge(k)));
}

}  // namespace solidyn::recursive

// What generalized-alpha keeps of accelerations and velocities where it begins or its step changes:
// what the step resolves. With S = M + c1 h D + c2 h^2 K, the iteration matrix over that of A,
//   n terms of a = S^-1 (M + (S - M)) a:   (I - (I - S^-1 M)^n) x
// is x to order h^n for vibrations and decays slower than the step, and n S^-1 M x for faster ones.
// Begun with the whole acceleration, these would be thrown by h^2 a, with any energy.
#include <Eigen/SparseLU>

#include "integrators/saddle_point_solve.h"
#include "integrators/tangent_renewal.h"
#include "solidyn/integrators/generalized_alpha.h"
#include "solidyn/system/accelerations.h"

namespace solidyn::integrators {
namespace {

using Eigen::VectorXd;
using system::State;
using SparseMatrix = Eigen::SparseMatrix<double>;

constexpr int kTermsOfVelocity = 3;
// Velocities are dropped where one of them decays so fast that each further term leaves more than
// this of it, c1 h D over M + c1 h D. So many terms leave the fastest alone.
constexpr double kOverdamped = 0.2;
constexpr int kLooks = 12;
// Of a step that goes on from the last one, over that.
constexpr double kGrowth = 2.0 + 1e-6;

}  // namespace

bodies::TangentCoefficients GeneralizedAlpha::step_coefficients(double h) const {
  return {(1.0 - c_.alpha_m) / ((1.0 - c_.alpha_f) * c_.beta * h * h), c_.gamma / (c_.beta * h),
          1.0};
}

// Bodies that rub are held to the slip that they begin with, which the filter would take for a fast
// vibration.
bool GeneralizedAlpha::rubs() const { return has_steep_forces_ || !system_.slips().empty(); }

// Nodes that turn in the world are held to their centripetal acceleration in the same way.
bool GeneralizedAlpha::filters() const {
  return !has_absolute_meshes_ && !has_shared_nodes_ && !rubs();
}

// The iteration matrix at `s`, which the step then keeps as its first.
void GeneralizedAlpha::prepare_filter(const State& s, double h) {
  n_.setZero(system_.n_velocities());
  prepare_nodal_tangents(s, h);
  system_.update(s);
  system_.compute_residual(s, r_, phi_);  // G
  refresh_tangent(s, h);
}

// @param s in equilibrium, M a + h + G^T lambda = 0
// @param solve by an iteration matrix at `s` with this factor of M
// @param[in,out] target an acceleration; what constraints prescribe of it remains
void GeneralizedAlpha::filter(const State& s, SaddlePointSolve& solve, double mass, int n_terms,
                              Memory& target) {
  const int n_v = system_.n_velocities();
  State work = s.clone();
  VectorXd left, GX, rhs(system_.n_unknowns()), x, kept = VectorXd::Zero(n_v);
  const VectorXd offset = s.a - target.acceleration;
  // The residual of the accelerations offset + kept is M (kept - target).
  for (std::size_t k = 0; k < s.nodal.size(); ++k)
    SOLIDYN_PETSC(VecAXPY(work.nodal[k].ddu, -1.0, target.nodal[k]));
  for (int i = 0; i < n_terms; ++i) {
    work.a = offset + kept;
    system_.update(work);
    system_.compute_residual(work, r_, phi_);
    system_.multiply_G(target.acceleration - kept, GX);
    rhs << -r_ / mass, GX / mass;
    solve.solve(rhs, x);
    kept += mass * x.head(n_v);
    x_ = x;
    if (!s.nodal.empty()) recover_nodal(s);
    for (std::size_t k = 0; k < s.nodal.size(); ++k)
      SOLIDYN_PETSC(VecAXPY(work.nodal[k].ddu, mass, nodal_increment_[k]));
  }
  for (std::size_t k = 0; k < s.nodal.size(); ++k) {
    SOLIDYN_PETSC(VecAXPY(target.nodal[k], 1.0, work.nodal[k].ddu));
    SOLIDYN_PETSC(VecAXPY(target.nodal[k], -1.0, s.nodal[k].ddu));
  }
  target.acceleration = kept;
  system_.update(s);
}

// Of small systems.
VectorXd GeneralizedAlpha::resolved(const State& s, SaddlePointSolve& solve, int n_terms,
                                    VectorXd target) {
  if (!filters()) return target;
  Memory memory;
  memory.acceleration = std::move(target);
  filter(s, solve, 1.0 / row_scale_, n_terms, memory);
  return memory.acceleration;
}

// A differs from a by a time proportional to the step. A step that is much longer meets motion that
// it does not resolve, and begins anew.
void GeneralizedAlpha::adapt_memory(State& s, double h) {
  const double ratio = h / memory_.step;
  if (std::abs(ratio - 1.0) <= kSameStep) return;
  given_memory_ = copy_of_memory();
  if (filters() && ratio > kGrowth) return begin(s, h);
  memory_.acceleration = s.a + ratio * (memory_.acceleration - s.a);
  for (std::size_t k = 0; k < s.nodal.size(); ++k)
    SOLIDYN_PETSC(VecAXPBY(memory_.nodal[k], 1.0 - ratio, ratio, s.nodal[k].ddu));
  if (!filters()) return;
  prepare_filter(s, h);
  filter(s, *solve_, 1.0 / row_scale_, kFilterTerms, memory_);
}

// What dampers take away within a part of the step: three terms of the filter leave of it what they
// do not keep, order h^3 of slow decays. Kept, it would move the system by h v, against stiffnesses
// that never see it. Empty when nothing decays so fast.
VectorXd GeneralizedAlpha::unresolved_velocities(const State& s, double h) {
  const int n_v = system_.n_velocities();
  if (s.v.isZero(0.0) || !filters()) return {};
  system_.update(s);
  system_.compute_residual(s, r_, phi_);  // G
  const bodies::TangentCoefficients c = step_coefficients(h);
  solvers::BlockMatrix dissipation;
  system_.set_pattern(dissipation);
  system_.assemble_dissipation(s, dissipation);
  const SparseMatrix D = dissipation.sparse();
  if (D.norm() == 0.0) return {};
  system::System::TangentOptions mass_only;
  mass_only.coefficients = {1.0, 0.0, 0.0};
  mass_only.regularization = options_.regularization;
  solvers::BlockMatrix mass;
  system_.set_pattern(mass);
  system_.assemble(s, mass_only, mass);
  const SparseMatrix inertia = mass.sparse(), S = inertia + c.damping / c.mass * D;
  Eigen::SparseLU<SparseMatrix> lu(S);
  if (lu.info() != Eigen::Success) return {};
  VectorXd rest = VectorXd::Zero(system_.n_unknowns()), dropped;
  rest.head(n_v) = s.v;
  double size = 0.0, before = 0.0;
  for (int i = 0; i < kLooks; ++i) {
    // What constraints prescribe of the velocities is in the first solution, and kept.
    rest.head(n_v) -= lu.solve(inertia * rest).head(n_v);
    before = size;
    size = weighted_size(rest.head(n_v));
    if (i + 1 == kTermsOfVelocity) dropped = rest.head(n_v);
  }
  return size > kOverdamped * before && dropped.allFinite() ? dropped : VectorXd();
}

void GeneralizedAlpha::drop_unresolved_velocities(State& s, double h) {
  const VectorXd dropped = unresolved_velocities(s, h);
  if (dropped.size() == 0) return;
  given_ = Given{s.v, s.a, s.lambda};
  s.v -= dropped;
  auto solver = solvers::make_linear_solver(options_.preset, system_.n_unknowns());
  system_.set_pattern(*solver);
  system::AccelerationOptions options;
  options.regularization = options_.regularization;
  system::solve_acceleration_equations(system_, s, options, *solver);
  before_.copy_from(s);
}

}  // namespace solidyn::integrators

// What generalized-alpha keeps of accelerations and velocities where it begins or its step changes:
// what the step resolves. With S = M + c1 h D + c2 h^2 K, the iteration matrix over that of A,
//   n terms of a = S^-1 (M + (S - M)) a:   (I - (I - S^-1 M)^n) x
// is x to order h^n for vibrations and decays slower than the step, and n S^-1 M x for faster ones.
// Begun with the whole acceleration, these would be thrown by h^2 a, with any energy.

#include "integrators/energies_of_islands.h"
#include "integrators/held_contacts.h"
#include "integrators/implicit_stage.h"
#include "integrators/unresolved_velocities.h"
#include "solidyn/bodies/nodal_body.h"
#include "solidyn/integrators/generalized_alpha.h"
#include "solidyn/system/accelerations.h"

namespace solidyn::integrators {
namespace {

using Eigen::VectorXd;
using system::State;

// Of velocities within the step: bodies that turn by more are not followed by it.
constexpr double kTurnOfStep = 0.5;
// Of a step that continues from the last one, over that.
constexpr double kGrowth = 2.0 + 1e-6;

// While it lives, solutions with full-mesh bodies are exact.
class ExactSolutions {
 public:
  explicit ExactSolutions(const system::System& system) : system_(system) { set(true); }
  ~ExactSolutions() { set(false); }
  ExactSolutions(const ExactSolutions&) = delete;
  ExactSolutions& operator=(const ExactSolutions&) = delete;

 private:
  void set(bool yes) {
    for (bodies::NodalBody* body : system_.layout().nodal_bodies()) body->solve_exactly(yes);
  }
  const system::System& system_;
};

}  // namespace

StageCoefficients GeneralizedAlpha::step_coefficients(double h) const {
  return {h, c_.gamma / (c_.beta * h), (1.0 - c_.alpha_m) / ((1.0 - c_.alpha_f) * c_.beta * h * h),
          c_.beta * h * h};
}

bool GeneralizedAlpha::rubs() const {
  return stage_->has_steep_forces() || !system_.slips().empty();
}

// Nodes that turn in the world are held to a centripetal acceleration by stiff forces, and bodies
// that rub to the slip that they begin with: the filter alone would take that for a fast vibration.
bool GeneralizedAlpha::is_held_by_stiff_forces() const { return has_shared_nodes_ || rubs(); }

bool GeneralizedAlpha::filters() const {
  if (has_absolute_meshes_) return false;
  return system_.layout().nodal_bodies().empty() || !is_held_by_stiff_forces();
}

// The iteration matrix at `s`, which the step then keeps as its first.
void GeneralizedAlpha::prepare_filter(const State& s, double h) {
  stage_->prepare(step_coefficients(h), s);
}

// @param s in equilibrium, M a + h + G^T lambda = 0
// @param solve by an iteration matrix at `s` with this factor of M
// @param[in,out] target an acceleration; what constraints prescribe of it remains
void GeneralizedAlpha::filter(const State& s, SaddlePointSolve& solve, double mass, int n_terms,
                              Memory& target) {
  // Nothing corrects later what they leave of the acceleration that the steps begin with.
  const ExactSolutions exact(system_);
  const int n_v = system_.layout().n_velocities();
  State work = s.clone();
  VectorXd left, GX, rhs(system_.layout().n_unknowns()), x, kept = VectorXd::Zero(n_v);
  const VectorXd offset = s.a - target.acceleration;
  // The residual of the accelerations offset + kept is M (kept - target).
  for (std::size_t k = 0; k < s.nodal.size(); ++k)
    SOLIDYN_PETSC(VecAXPY(work.nodal[k].ddu, -1.0, target.nodal[k]));
  std::optional<HeldContacts> held;
  if (contacts_) {
    system_.update(s);
    held.emplace(stage_->contacts().points(), s, stage_->contact_factors(s),
                 system_.layout().n_unknowns());
  }
  for (int i = 0; i < n_terms; ++i) {
    work.a = offset + kept;
    system_.update(work);
    system_.compute_residual(work, stage_->r, stage_->phi);
    system_.multiply_G(target.acceleration - kept, GX);
    rhs << -stage_->r / mass, GX / mass;
    solve.solve(rhs, x);
    if (held) held->hold((target.acceleration - kept) / mass, x);
    kept += mass * x.head(n_v);
    stage_->x = x;
    if (!s.nodal.empty()) stage_->recover_nodal(s);
    for (std::size_t k = 0; k < s.nodal.size(); ++k)
      SOLIDYN_PETSC(VecAXPY(work.nodal[k].ddu, mass, stage_->nodal_increment()[k]));
  }
  for (std::size_t k = 0; k < s.nodal.size(); ++k) {
    SOLIDYN_PETSC(VecAXPY(target.nodal[k], 1.0, work.nodal[k].ddu));
    SOLIDYN_PETSC(VecAXPY(target.nodal[k], -1.0, s.nodal[k].ddu));
  }
  target.acceleration = kept;
  system_.update(s);
}

// What stiff forces demand of bodies that move: along q + h v + h^2 a/2, v + h a they stay as they
// are. Of elastic forces F and damping forces D(q, v), ' along v: (M + c1 h D + c2 h^2 K) a =
// -(c1 h D' + c2 h^2 F''). Slow modes get a part of order h of what the filter would leave anyway.
// Differences over the step itself: whatever is not smooth within it shows.
// @param s of which solve_ has the iteration matrix
// @param otherwise of bodies whose accelerations are larger than a motion that the step resolves
VectorXd GeneralizedAlpha::centripetal(const State& s, double h, const VectorXd& otherwise) {
  const int n_v = system_.layout().n_velocities();
  if (s.v.isZero(0.0)) return VectorXd::Zero(n_v);
  const StageCoefficients c = step_coefficients(h);
  State work = s.clone();
  work.a.setZero();
  const auto forces_at = [&](double dt, double part_of_v) {
    system_.advance(s.q, dt * s.v, work.q);
    work.v = part_of_v * s.v;
    system_.update(work);
    system_.compute_residual(work, stage_->r, stage_->phi);
    return stage_->r;
  };
  const VectorXd ahead = forces_at(h, 0.0), behind = forces_at(-h, 0.0), here = forces_at(0.0, 0.0);
  const VectorXd damped = forces_at(h, 1.0) - forces_at(-h, 1.0) - (ahead - behind);
  const double c1 = c.velocity / (c.acceleration * h), c2 = 1.0 / (c.acceleration * h * h);
  VectorXd rhs = VectorXd::Zero(system_.layout().n_unknowns()), x;
  rhs.head(n_v) = -(0.5 * c1 * damped + c2 * (ahead - 2.0 * here + behind)) * stage_->row_scale();
  system_.update(s);
  system_.compute_residual(s, stage_->r, stage_->phi);  // G
  stage_->solve().solve(rhs, x);
  VectorXd a = x.head(n_v) / stage_->row_scale();
  const VectorXd moves = kTurnOfStep / h * sizes_of_islands(s.v);
  for (const bodies::BodyIndex b : system_.bodies()) {
    const int at = system_.layout().velocity_offset(b), n = system_.body(b).n_velocities();
    const VectorXd weighted = a.segment(at, n).cwiseProduct(stage_->weights().segment(at, n));
    if (!(weighted.lpNorm<Eigen::Infinity>() <= moves[system_.connectivity().island_of_body(b)]))
      a.segment(at, n) = otherwise.segment(at, n);
  }
  return a;
}

// Largest components, as fractions of the mechanism's length.
VectorXd GeneralizedAlpha::sizes_of_islands(const VectorXd& v) const {
  VectorXd sizes = VectorXd::Zero(system_.connectivity().n_islands());
  const VectorXd weighted = v.cwiseProduct(stage_->weights()).cwiseAbs();
  for (const bodies::BodyIndex b : system_.bodies()) {
    const int n = system_.body(b).n_velocities();
    if (n == 0) continue;
    double& size = sizes[system_.connectivity().island_of_body(b)];
    const double of_body = weighted.segment(system_.layout().velocity_offset(b), n).maxCoeff();
    if (!(of_body <= size)) size = of_body;  // not-a-number too
  }
  return sizes;
}

void GeneralizedAlpha::copy_island(int island, const VectorXd& from, VectorXd& to) const {
  for (const bodies::BodyIndex b : system_.bodies()) {
    if (system_.connectivity().island_of_body(b) != island) continue;
    const int at = system_.layout().velocity_offset(b), n = system_.body(b).n_velocities();
    to.segment(at, n) = from.segment(at, n);
  }
}

// @param[in,out] memory_ becomes what the step resolves of it
void GeneralizedAlpha::drop_unresolved_accelerations(const State& s, double h) {
  prepare_filter(s, h);
  VectorXd turn = VectorXd::Zero(system_.layout().n_velocities());
  if (s.nodal.empty())
    turn = centripetal(s, h, is_held_by_stiff_forces() ? memory_.acceleration : turn);
  memory_.acceleration -= turn;
  filter(s, stage_->solve(), 1.0 / stage_->row_scale(), kFilterTerms, memory_);
  memory_.acceleration += turn;
}

// Of small systems.
VectorXd GeneralizedAlpha::resolved(const State& s, SaddlePointSolve& solve, int n_terms,
                                    VectorXd target) {
  if (!filters()) return target;
  Memory memory;
  memory.acceleration = std::move(target);
  filter(s, solve, 1.0 / stage_->row_scale(), n_terms, memory);
  return memory.acceleration;
}

// A differs from a by a time proportional to the step. A step that is much longer meets motion that
// it does not resolve, and begins anew. Where stiff forces hold bodies that turn, A follows them by
// now, and the filter would take it from them.
void GeneralizedAlpha::adapt_memory(State& s, double h) {
  const double ratio = h / memory_.step;
  if (std::abs(ratio - 1.0) <= ImplicitStage::kSameStep) return;
  given_memory_ = copy_of_memory();
  const bool is_filtered = filters() && !is_held_by_stiff_forces();
  if (is_filtered && ratio > kGrowth) return begin(s, h);
  memory_.acceleration = s.a + ratio * (memory_.acceleration - s.a);
  for (std::size_t k = 0; k < s.nodal.size(); ++k)
    SOLIDYN_PETSC(VecAXPBY(memory_.nodal[k], 1.0 - ratio, ratio, s.nodal[k].ddu));
  if (is_filtered) drop_unresolved_accelerations(s, h);
}

void GeneralizedAlpha::drop_unresolved_velocities(State& s, double h) {
  if (!filters()) return;
  const StageCoefficients c = step_coefficients(h);
  const VectorXd dropped = unresolved_velocities(system_, s, {c.velocity, c.acceleration},
                                                 stage_->weights(), stage_->regularization());
  if (dropped.size() == 0) return;
  // Which velocities closed contacts leave to dampers depends on their forces.
  if (contacts_ && !stage_->contacts().points().closed(s).empty()) {
    takes_euler_step_ = true;
    return;
  }
  given_ = Given{s.v, s.a, s.lambda};
  const VectorXd kinetic = kinetic_energies(system_, s);
  s.v -= dropped;
  auto solver = solvers::make_linear_solver(options_.preset, system_.layout().n_unknowns());
  system_.set_pattern(*solver);
  system::AccelerationOptions options;
  options.regularization = stage_->regularization();
  system::solve_acceleration_equations(system_, s, options, *solver);
  corrected_start_ =
      CorrectedStart{kinetic_energies(system_, s) - kinetic, system_.external_powers(s)};
  before_.copy_from(s);
}

}  // namespace solidyn::integrators

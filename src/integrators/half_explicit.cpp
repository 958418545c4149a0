#include "solidyn/integrators/half_explicit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "integrators/contact_step_end.h"
#include "integrators/explicit_limit.h"
#include "integrators/implicit_stage.h"
#include "integrators/refusals.h"
#include "integrators/rethrow_with_time.h"
#include "solidyn/base/error.h"
#include "solidyn/system/accelerations.h"
#include "solidyn/system/velocity_violation.h"

namespace solidyn::integrators {

using Eigen::VectorXd;
using system::State;

namespace {

// Of h^3 d^3x/dt^3: what positions miss in a step.
constexpr double kErrorOfPositions = 1.0 / 6.0;
// The limit of the step is looked at anew after so many steps, ...
constexpr int kStepsOfLimit = 64;
// ... and where accelerations change with the positions more than it explains: by this factor, and
// this much of (h omega)^2.
constexpr double kMoreThanKnown = 1.2, kHardlyMore = 0.1;
// Positions meet joints to this part of the length; or to that, where it is round-off ...
constexpr double kOnJoints = 1e-15, kRoundOffOfJoints = 1e-12;
// ... by so many corrections with the factors of the step's start.
constexpr int kMaxProjections = 20;
// Friction that follows the joints' forces: passes, and where they end.
constexpr int kMaxPassesOfFriction = 20;
constexpr double kSettledFriction = 1e-12;

bool has_friction_of_joints(const system::System& system) {
  for (const forces::ForceIndex i : system.forces())
    if (!system.force(i).constraints().empty()) return true;
  return false;
}

}  // namespace

HalfExplicit::HalfExplicit(system::System& system, const StageOptions& options)
    : system_(system),
      stage_(std::make_unique<ImplicitStage>(system, options)),
      limit_(std::make_unique<ExplicitLimit>(system)),
      solver_(solvers::make_linear_solver(options.preset, system.layout().n_unknowns())),
      rubs_in_joints_(has_friction_of_joints(system)) {
  refuse_full_meshes(system, "half_explicit");
  system_.set_pattern(*solver_);
  if (!stage_->contacts().is_empty())
    contacts_ = std::make_unique<ContactStepEnd>(system, *stage_, options);
}

HalfExplicit::~HalfExplicit() = default;

void HalfExplicit::initialize(const State& state) {
  stage_->begin_anew(state);
  stage_->allocate(state);
  before_ = state.clone();
  has_factors_ = false;
  limit_->forget();
}

void HalfExplicit::forget_history(const State& state) {
  stage_->choose_regularization(state);
  stage_->begin_anew(state);
  system_.set_pattern(*solver_);
  has_factors_ = false;
  limit_->forget();
}

void HalfExplicit::factorise_mass(const State& s, double h) {
  const VectorXd n = stage_->n;
  stage_->prepare({h, 0.0, 1.0, 0.5 * h * h, 0.0}, s);
  stage_->n = n;
}

// Along M^-1 G^T of the step's start, as the forces of joints there.
void HalfExplicit::project_positions(State& s) {
  const int n_v = system_.layout().n_velocities(), n_l = system_.layout().n_constraints();
  double before = 0.0;
  for (int i = 0; n_l > 0; ++i) {
    VectorXd phi, rhs = VectorXd::Zero(n_v + n_l), x;
    system_.update(s);
    system_.compute_constraints(s, phi);
    for (int k = 0; k < n_l; ++k)
      if (!system_.layout().is_velocity_level()[k]) rhs[n_v + k] = -phi[k];
    const double violation = rhs.tail(n_l).lpNorm<Eigen::Infinity>();
    if (violation <= kOnJoints * stage_->length()) return;
    if (i > 0 && violation >= before && violation <= kRoundOffOfJoints * stage_->length()) return;
    if (i == kMaxProjections || !(i < 2 || violation < before)) break;
    before = violation;
    stage_->solve().solve(rhs, x);
    stage_->n += x.head(n_v);
    system_.advance(before_.q, stage_->n, s.q);
  }
  if (n_l > 0)
    throw base::ComputationError(fmt::format(
        "t = {:.6g} s: the positions cannot be brought onto the joints, {:.1e} is left: bodies turn too far within the step of {:.3g} s, or the mechanism reaches a singular position\n  try a smaller `step`, or `adaptive`",
        s.t, before, s.t - before_.t));
}

void HalfExplicit::move(State& s, double h) {
  s.t = before_.t + h;
  stage_->n = h * before_.v + 0.5 * h * h * before_.a;
  predicted_ = before_.v + h * before_.a;
  s.v = predicted_;
  system_.advance(before_.q, stage_->n, s.q);
  project_positions(s);
}

// Where joints are redundant a solution meets them less well than round-off allows.
void HalfExplicit::correct_velocities(State& s) {
  if (stage_->regularization() == 0.0) return;
  const int n_v = system_.layout().n_velocities(), n_l = system_.layout().n_constraints();
  VectorXd rhs = VectorXd::Zero(n_v + n_l), x;
  for (int k = 0; k < 2; ++k) {
    system_.update(s);
    rhs.tail(n_l) = -system::velocity_violation(system_, s);
    stage_->solve().solve(rhs, x);
    s.v += x.head(n_v);
  }
}

// Linear in the forces of joints and contacts, since positions are known and other forces have the
// predicted velocities: one solution, but where friction follows the forces of joints.
// @post s.a: what acted at the end of the step
void HalfExplicit::solve_velocities(State& s, double h) {
  const int n_v = system_.layout().n_velocities(), n_l = system_.layout().n_constraints();
  const VectorXd half = before_.v + 0.5 * h * before_.a;
  const double by_acceleration = 0.5 * h;
  VectorXd r, phi, rhs(n_v + n_l), x, last;
  for (int pass = 0;; ++pass) {
    s.v = predicted_;
    s.a.setZero();
    system_.update(s);
    system_.compute_residual(s, r, phi);
    s.v = half;
    system_.update(s);
    rhs.head(n_v) = -r;
    if (n_l > 0) rhs.tail(n_l) = -system::velocity_violation(system_, s) / by_acceleration;
    stage_->solve().solve(rhs, x);
    stage_->contacts().correct(s, stage_->contact_factors(s), by_acceleration, x);
    ++stage_->statistics().linear_solves;
    if (!x.allFinite() || !stage_->contacts().failure().empty()) break;
    s.lambda += x.tail(n_l);
    const bool has_settled =
        !rubs_in_joints_ ||
        (pass > 0 && (x.head(n_v) - last).norm() <= kSettledFriction * (1.0 + x.head(n_v).norm()));
    last = x.head(n_v);
    if (has_settled) {
      s.v = half + by_acceleration * last;
      s.a = last;
      correct_velocities(s);
      return;
    }
    if (pass == kMaxPassesOfFriction) break;
  }
  const std::string& contacts = stage_->contacts().failure();
  throw base::ComputationError(fmt::format(
      "t = {:.6g} s, step {:.3g} s: no forces of {} satisfy their laws{}{}\n  try a smaller `step`, or another integrator",
      s.t, h, contacts.empty() ? "joints and their friction" : "contacts",
      contacts.empty() ? "" : ": ", contacts));
}

// What contacts do at the start of a step they need not do until its end: friction that has stopped
// a body would have gone on to move it back. There bodies that touch have moved by the mean of the
// velocities at both ends, as explicit forces alone would not: these are resolved.
void HalfExplicit::move_by_mean_velocity(State& s, double h) {
  const ContactForces& contacts = stage_->contacts();
  if (contacts.changed(before_).empty()) return;
  VectorXd change = VectorXd::Zero(s.v.size());
  const Clusters& clusters = contacts.points().clusters();
  const Eigen::SparseMatrix<double> W = contacts.points().directions(contacts.points().closed(s));
  std::vector<bool> touches(clusters.unknowns.size(), false);
  for (int k = 0; k < W.outerSize(); ++k)
    for (Eigen::SparseMatrix<double>::InnerIterator it(W, k); it; ++it)
      touches[clusters.of_unknown[it.row()]] = true;
  for (Eigen::Index i = 0; i < change.size(); ++i)
    if (touches[clusters.of_unknown[i]]) change[i] = 0.5 * h * (s.v[i] - predicted_[i]);
  stage_->n += change;
  system_.advance(before_.q, stage_->n, s.q);
  project_positions(s);
}

// Consistent accelerations to go on with.
void HalfExplicit::finish(State& s, double h) {
  s.lambda -= stage_->solve().null_part(s.lambda);
  if (contacts_) {
    contacts_->finish(before_, s, h, contact_report_, true);
    contact_report_.euler_change.resize(0);
    contact_report_.friction_loss.resize(0);
    return;
  }
  system::AccelerationOptions options;
  options.regularization = stage_->regularization();
  stage_->statistics().linear_solves += solve_acceleration_equations(system_, s, options, *solver_);
}

void HalfExplicit::take_step(State& s, double h) {
  if (!has_factors_) factorise_mass(before_, h);
  if (!limit_->is_known() || stage_->statistics().steps % kStepsOfLimit == 0)
    limit_->estimate(before_, stage_->solve(), stage_->length());
  limit_->require(before_.t, h);
  move(s, h);
  factorise_mass(s, h);
  solve_velocities(s, h);
  const double changed = h * h * stage_->weighted_size(s.a - before_.a),
               moved = stage_->weighted_size(stage_->n);
  if (changed > (kMoreThanKnown * limit_->size(h) + kHardlyMore) * moved) {
    limit_->estimate(s, stage_->solve(), stage_->length());
    limit_->require(s.t, h);
  }
  move_by_mean_velocity(s, h);
  system_.update(s);
  stage_->require_no_rejection(before_, s);
  const VectorXd acted = s.a;
  try {
    finish(s, h);
  } catch (const base::ComputationError&) {
    rethrow_with_time(std::current_exception(), s.t);
  }
  if (!contact_report_.has_impact())
    error_estimate_ = kErrorOfPositions * h * h * stage_->weighted_size(acted - before_.a);
}

void HalfExplicit::step(State& s, double h) {
  require_step(h);
  before_.copy_from(s);
  contact_report_ = {};
  error_estimate_ = 0.0;
  stage_->note_start(s);
  try {
    take_step(s, h);
  } catch (const base::ComputationError&) {
    s.copy_from(before_);
    has_factors_ = false;
    throw;
  }
  has_factors_ = true;
  ++stage_->statistics().steps;
}

void HalfExplicit::reject(State& s) {
  s.copy_from(before_);
  has_factors_ = false;
  --stage_->statistics().steps;
  ++stage_->statistics().rejected_steps;
}

const IntegratorStatistics& HalfExplicit::statistics() const { return stage_->statistics(); }

}  // namespace solidyn::integrators

#include "solidyn/system/projection.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/system/velocity_violation.h"
#include "violation.h"

namespace solidyn::system {
namespace {

using Eigen::VectorXd;

constexpr int kMaxProjections = 20;
// Factors are kept while each solve reduces the violation by at least this much.
constexpr double kGoodReduction = 0.1;
// A violation that no longer falls is round-off below this many tolerances.
constexpr double kStagnates = 1e3;

double largest_of(const VectorXd& v) { return v.size() > 0 ? v.lpNorm<Eigen::Infinity>() : 0.0; }

class Projection {
 public:
  Projection(System& system, State& state, const ProjectionOptions& options,
             solvers::LinearSolver& solver)
      : system_(system),
        state_(state),
        before_(state.clone()),
        options_(options),
        solver_(solver) {}

  void project_positions() {
    const double allowed = std::max(options_.tolerance, position_roundoff(state_));
    iterate(
        allowed, "positions", [this] { return position_violation(); },
        [this](const VectorXd& change) {
          const VectorXd q = state_.q;
          system_.advance(q, change, state_.q);
        });
  }

  void project_velocities() {
    const double allowed = options_.tolerance * std::max(1.0, largest_of(state_.v));
    iterate(
        allowed, "velocities", [this] { return velocity_violation(); },
        [this](const VectorXd& change) { state_.v += change; });
  }

  int n_solves() const { return n_solves_; }

 private:
  VectorXd position_violation() {
    system_.update(state_);
    system_.compute_constraints(state_, phi_);
    for (Eigen::Index i = 0; i < phi_.size(); ++i)
      if (system_.layout().is_velocity_level()[i]) phi_[i] = 0.0;
    return phi_;
  }

  VectorXd velocity_violation() {
    system_.update(state_);
    system_.compute_constraints(state_, phi_);
    return system::velocity_violation(system_, state_);
  }

  template <class Violation, class Change>
  void iterate(double allowed, const char* what, const Violation& violation, const Change& change) {
    VectorXd left = violation(), rhs = VectorXd::Zero(system_.layout().n_unknowns()), x;
    double before = 0.0;
    for (int i = 0; largest_of(left) > allowed; ++i) {
      const double size = largest_of(left);
      const bool is_slow = i > 0 && !(size <= kGoodReduction * before);
      if (is_slow && size <= kStagnates * allowed) return;
      if (i == kMaxProjections || !std::isfinite(size)) fail(what, left);
      if (!is_factorised_ || is_slow)
        factorise_constrained_mass(system_, state_, options_.regularization, options_.rows,
                                   solver_);
      is_factorised_ = true;
      rhs.tail(system_.layout().n_constraints()) = -left;
      options_.rows.leave_out(rhs, system_.layout().n_velocities());
      solver_.solve(rhs, x);
      ++n_solves_;
      change(x.head(system_.layout().n_velocities()));
      before = size;
      left = violation();
    }
  }

  [[noreturn]] void fail(const char* what, const VectorXd& left) {
    const double t = state_.t;
    const std::string rows = worst_rows(system_, left) + driven_by(system_);
    state_.copy_from(before_);
    system_.update(state_);
    throw base::ComputationError(fmt::format(
        "t = {:.6g} s: no {} near those of the step satisfy all constraints; violated: {}\n  drives and joints may contradict each other, or the step is too long",
        t, what, rows));
  }

  System& system_;
  State& state_;
  const State before_;
  const ProjectionOptions& options_;
  solvers::LinearSolver& solver_;
  VectorXd phi_;
  bool is_factorised_ = false;
  int n_solves_ = 0;
};

}  // namespace

int project_onto_constraints(System& system, State& state, const ProjectionOptions& options,
                             solvers::LinearSolver& solver) {
  SOLIDYN_ASSERT(state.nodal.empty());
  state.velocity_correction.resize(0);
  system.update(state);
  if (system.layout().n_constraints() == 0) return 0;
  Projection projection(system, state, options, solver);
  projection.project_positions();
  projection.project_velocities();
  return projection.n_solves();
}

}  // namespace solidyn::system

#include "integrators/index_one_form.h"
#include "solidyn/system/accelerations.h"
#include "solidyn/system/projection.h"

namespace solidyn::integrators {
namespace {

using Eigen::Map;
using Eigen::VectorXd;
using system::State;

// Such forces follow the multipliers of least norm, which only all rows together have.
bool has_multiplier_forces(const system::System& system) {
  for (const forces::ForceIndex i : system.forces())
    if (!system.force(i).constraints().empty()) return true;
  return false;
}

class AbsoluteForm final : public IndexOneForm {
 public:
  AbsoluteForm(system::System& system, const PetscTsOptions& options)
      : system_(system),
        options_(options),
        solver_(solvers::make_linear_solver(options.preset, system.layout().n_unknowns())) {
    system_.set_pattern(*solver_);
    n_positions_ = system.layout().n_configuration();
    n_velocities_ = system.layout().n_velocities();
  }

  void start(State& state, Eigen::Ref<VectorXd> y) override {
    y << state.q, state.v;
    rows_ = has_multiplier_forces(system_) ? system::IndependentRows()
                                           : system::IndependentRows(options_.dependent_rows);
    rows_.improve(system_, state, *solver_);
  }

  void take(const VectorXd& y, State& state) override {
    state.q = y.head(n_positions_);
    state.v = y.segment(n_positions_, n_velocities_);
    for (const bodies::BodyIndex b : system_.bodies())
      if (system_.body(b).n_rigid() > 0)
        state.q.segment<4>(system_.layout().configuration_offset(b) + 3).normalize();
  }

  int evaluate(const double* y, State& state, double* f) override {
    state.q = Map<const VectorXd>(y, n_positions_);
    state.v = Map<const VectorXd>(y + n_positions_, n_velocities_);
    const int n_solves = solve(state, rows_);
    Map<VectorXd>(f + n_positions_, n_velocities_) = state.a;
    for (const bodies::BodyIndex b : system_.bodies()) add_rates(b, state, f);
    return n_solves;
  }

  int fill(const VectorXd& y, State& state) override {
    take(y, state);
    return solve(state, system::IndependentRows());
  }

  int project(VectorXd& y, State& state) override {
    system::ProjectionOptions options;
    options.rows = rows_;
    options.regularization = options_.regularization;
    const int n_solves = project_onto_constraints(system_, state, options, *solver_);
    y.head(n_positions_) = state.q;
    y.segment(n_positions_, n_velocities_) = state.v;
    return n_solves;
  }

  void settle(State& state) override { rows_.improve(system_, state, *solver_); }

  VectorXd tolerances(const VectorXd& velocity, double of_angle) const override {
    VectorXd absolute(size());
    absolute.tail(n_velocities_) = velocity;
    for (const bodies::BodyIndex b : system_.bodies()) {
      const int q = system_.layout().configuration_offset(b),
                v = system_.layout().velocity_offset(b);
      const int n_e = system_.body(b).n_elastic(), n_rigid = system_.body(b).n_rigid();
      absolute.segment(system_.layout().elastic_offset(b), n_e) =
          velocity.segment(v + n_rigid, n_e);
      if (n_rigid == 0) continue;
      absolute.segment<3>(q) = velocity.segment<3>(v);
      absolute.segment<4>(q + 3).setConstant(of_angle);
    }
    return absolute;
  }

 private:
  // From zero, so that f depends on t and y alone.
  int solve(State& state, const system::IndependentRows& rows) {
    state.a.setZero();
    state.lambda.setZero();
    return solve_acceleration_equations(
        system_, state,
        {options_.baumgarte_alpha, options_.baumgarte_beta, options_.regularization, rows},
        *solver_);
  }

  void add_rates(bodies::BodyIndex b, const State& state, double* f) const {
    const int at = system_.layout().configuration_offset(b),
              from = system_.layout().velocity_offset(b);
    const int n_e = system_.body(b).n_elastic(), n_rigid = system_.body(b).n_rigid();
    Map<VectorXd>(f + system_.layout().elastic_offset(b), n_e) =
        state.v.segment(from + n_rigid, n_e);
    if (n_rigid == 0) return;
    const Eigen::Vector4d Q = state.q.segment<4>(at + 3);
    const Eigen::Vector3d w = state.v.segment<3>(from + 3), e = Q.tail<3>();
    Map<Eigen::Vector3d>(f + at) = state.v.segment<3>(from);
    Map<Eigen::Vector4d> dQ(f + at + 3);
    dQ << -0.5 * e.dot(w), 0.5 * (Q[0] * w + e.cross(w));
    dQ += kQuaternionRate * (1.0 - Q.squaredNorm()) * Q;
  }

  system::System& system_;
  PetscTsOptions options_;
  std::unique_ptr<solvers::LinearSolver> solver_;
  system::IndependentRows rows_;
};

}  // namespace

std::unique_ptr<IndexOneForm> make_absolute_form(system::System& system,
                                                 const PetscTsOptions& options) {
  return std::make_unique<AbsoluteForm>(system, options);
}

}  // namespace solidyn::integrators

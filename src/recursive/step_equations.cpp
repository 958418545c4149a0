#include "solidyn/recursive/step_equations.h"

#include "recursive/absolute_part.h"
#include "recursive/branch_exchange.h"
#include "recursive/least_norm.h"
#include "recursive/link_sweeps.h"
#include "recursive/multiplier_forces.h"
#include "solidyn/base/log_stage.h"
#include "solidyn/base/mpi.h"

namespace solidyn::recursive {

using Eigen::Vector3d;
using Eigen::VectorXd;

StepEquations::StepEquations(Mechanism& mechanism)
    : mechanism_(mechanism), tree_(mechanism.tree_), inverse_dynamics_(mechanism.tree_) {
  r_.setZero(tree_.n_speeds());
  phi_.setZero(n_closure_rows());
  has_laws_ = !mechanism.system_.driven_constraints().empty();
  for (int i = 0; i < n_closure_rows(); ++i) has_rate_closures_ |= closures().is_rate(i);
}

StepEquations::~StepEquations() = default;

bool StepEquations::share_branches(MPI_Comm comm, Sharing sharing) {
  std::optional<BranchShares> shares =
      mechanism_.find_shares(base::size(comm), sharing, Mechanism::Sweeps::of_implicit_steps);
  if (!shares) return false;
  exchange_ = std::make_unique<BranchExchange>(tree_, *std::move(shares), comm);
  inverse_dynamics_.share(*exchange_);
  return true;
}

std::string StepEquations::describe_shares(int n_ranks) const {
  return mechanism_.describe_shares(n_ranks, Mechanism::Sweeps::of_implicit_steps);
}

bool StepEquations::has_forces_of_closures() const {
  return multiplier_forces().follows_closures();
}

VectorXd StepEquations::closure_multipliers(const system::State& state) const {
  VectorXd lambda(n_closure_rows());
  int at = 0;
  for (const ConstraintIndex c : tree_.forest().closures) {
    const int n = mechanism_.system_.constraint(c).n_rows();
    lambda.segment(at, n) =
        state.lambda.segment(mechanism_.system_.layout().constraint_offset(c), n);
    at += n;
  }
  return lambda;
}

void StepEquations::set_closure_multipliers(const VectorXd& lambda, system::State& state) const {
  mechanism_.closures_.write(lambda, state.lambda);
}

void StepEquations::find_accelerations(VectorXd& q, VectorXd& u, system::State& state,
                                       VectorXd& du) {
  mechanism_.compute_accelerations(q, u, state, du);
}

// Their forces, and how they are violated: of velocity level by the speeds.
void StepEquations::add_closures(const system::State& state) {
  Closures& closures = mechanism_.closures_;
  if (closures.empty()) return;
  closures.evaluate(state.t);
  lambda_ = closure_multipliers(state);
  closures.add_forces(lambda_);
  phi_ = closures.position_violation();
  if (!has_rate_closures_) return;
  mechanism_.system_.update_accelerations();
  closures.evaluate_rates(state.t);
  const VectorXd rates = closures.velocity_violation(state);
  for (int i = 0; i < phi_.size(); ++i)
    if (closures.is_rate(i)) phi_[i] = rates[i];
}

// What hinges exert without them, and of them what each hinge carries, give the multipliers that
// they follow; those of closures are given. With dependent closures all are the least ones.
void StepEquations::add_multiplier_forces(const VectorXd& du, system::State& state) {
  least_.reset();
  if (mechanism_.closures_.has_dependent_rows()) {
    mechanism_.closures_.set_rows();
    mechanism_.bodies_.factorise();
    least_ = mechanism_.find_least_norm(state);
  }
  std::vector<Link>& links = tree_.links();
  inverse_dynamics_.compute(mechanism_.system_.gravity(), du, r_);
  std::vector<Vector6d> without, of_forces(links.size());
  for (const Link& k : links) without.push_back(k.f);
  const auto find = [&](const MultiplierForces::Residuals& residuals) {
    of_forces.assign(links.size(), Vector6d::Zero());
    multiplier_forces().for_each(residuals, [&](int link, const Eigen::Ref<const VectorXd>& r) {
      of_forces[link].head<3>() += r.head<3>();
      of_forces[link].tail<3>() += links[link].R * r.segment<3>(3);
    });
    for (std::size_t i = links.size(); i-- > 0;) {
      links[i].f = without[i] + of_forces[i];
      if (links[i].parent >= 0) of_forces[links[i].parent] += shifted(links[i], of_forces[i]);
    }
    if (!mechanism_.closures_.empty()) set_closure_multipliers(lambda_, state);
    mechanism_.write_found_multipliers(least_.get(), state);
  };
  mechanism_.add_multiplier_forces(mechanism_.multiplier_forces_->solve(state, find));
}

void StepEquations::spread(VectorXd& c) const {
  if (least_) least_->shorten(c);
}

void StepEquations::evaluate(VectorXd& q, VectorXd& u, VectorXd& du, system::State& state,
                             SweptLinks links) {
  follow_laws(state.t, q, u, du);
  evaluate_as_given(q, u, du, state, links);
}

void StepEquations::follow_laws(double t, VectorXd& q, VectorXd& u, VectorXd& du) {
  mechanism_.follow_laws(t, q, u);
  for (const int i : tree_.driven_links()) {
    const Link& k = tree_.links()[i];
    for (int j = k.n_free; j < k.n_speeds; ++j) {
      const int at = k.u + k.order[j];
      du[at] = mechanism_.laws_[at];
    }
  }
}

void StepEquations::evaluate_as_given(const VectorXd& q, const VectorXd& u, const VectorXd& du,
                                      system::State& state, SweptLinks links) {
  const base::LogStage stage(base::Stage::residual);
  const Vector3d& gravity = mechanism_.system_.gravity();
  du_ = du;
  const bool is_shared = exchange_ && links == SweptLinks::of_rank;
  if (!mechanism_.needs_kinematics_) {
    if (is_shared)
      inverse_dynamics_.compute_alone_shared(q.data(), u.data(), gravity, du, r_);
    else
      inverse_dynamics_.compute_alone(q.data(), u.data(), gravity, du, r_);
  } else {
    tree_.compute_motion(q.data(), u.data());
    mechanism_.update_at_rates(&du, state);
    mechanism_.bodies_.set_forces_to_zero();
    mechanism_.add_forces(state);
    add_closures(state);
    if (!multiplier_forces().empty()) add_multiplier_forces(du, state);
    if (is_shared)
      inverse_dynamics_.compute_shared(gravity, du, r_);
    else
      inverse_dynamics_.compute(gravity, du, r_);
    absolute_part().add_forces(r_);
  }
  for (const int i : tree_.driven_links()) {  // they have no equation
    const Link& k = tree_.links()[i];
    for (int j = k.n_free; j < k.n_speeds; ++j) r_[k.u + k.order[j]] = 0.0;
  }
}

void StepEquations::settle(const VectorXd& q, const VectorXd& u, const VectorXd& du) {
  const base::LogStage stage(base::Stage::residual);
  du_ = du;
  tree_.sweep_outwards(q.data(), u.data(), [&](Link& k) { accelerate(tree_, k, du); });
}

VectorXd StepEquations::closure_accelerations() const {
  VectorXd all(n_closure_rows());
  const Closures& closures = mechanism_.closures_;
  int row = 0;
  for (std::size_t i = 0; i < closures.constraints().size(); ++i) {
    const Eigen::MatrixXd& G = closures.values(static_cast<int>(i)).G;
    VectorXd a(G.cols());
    int at = 0;
    for (const BodyIndex body : mechanism_.system_.constraint(closures.constraints()[i]).bodies()) {
      const Link& k = tree_.link_of(body);
      a.segment<3>(at) = k.a.head<3>();
      a.segment<3>(at + 3) = k.R.transpose() * k.a.tail<3>();
      at += 6;
      if (k.modes < 0) continue;
      const int n = tree_.modes()[k.modes].n;
      a.segment(at, n) = du_.segment(k.u + k.n_speeds, n);
      at += n;
    }
    all.segment(row, G.rows()) = G * a;
    row += static_cast<int>(G.rows());
  }
  return all;
}

void StepEquations::write(system::State& state) {
  tree_.write(state);
  const system::Layout& layout = mechanism_.system_.layout();
  for (const Link& k : tree_.links()) {
    auto a = state.a.segment(layout.velocity_offset(k.body), layout.n_velocities(k.body));
    if (k.modes >= 0) {
      Modes& m = tree_.modes()[k.modes];
      m.ddq = du_.segment(k.u + k.n_speeds, m.n);
    }
    mechanism_.bodies_.write_acceleration(k, a);
  }
  mechanism_.system_.update(state);
  mechanism_.write_drive_multipliers(state);
  // The power of each drive is counted in every step.
  if (has_laws_ && mechanism_.closures_.has_dependent_rows()) write_reactions(state);
}

void StepEquations::write_reactions(system::State& state) {
  mechanism_.hinges_.write(state.lambda);
  if (!mechanism_.closures_.has_dependent_rows()) return;
  // With which hinges were found: those of `state` may be shorter.
  set_closure_multipliers(lambda_, state);
  mechanism_.closures_.evaluate(state.t);
  mechanism_.closures_.set_rows();
  mechanism_.bodies_.factorise();
  mechanism_.find_least_norm(state)->shorten(state.lambda);
}

}  // namespace solidyn::recursive

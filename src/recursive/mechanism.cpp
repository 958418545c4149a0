#include "solidyn/recursive/mechanism.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "recursive/absolute_part.h"
#include "recursive/branch_exchange.h"
#include "recursive/least_norm.h"
#include "recursive/multiplier_forces.h"
#include "solidyn/base/error.h"
#include "solidyn/base/log.h"
#include "solidyn/base/mpi.h"
#include "solidyn/base/petsc.h"
#include "solidyn/base/petsc_options.h"
#include "solidyn/forces/visit_parts.h"

namespace solidyn::recursive {

using Eigen::VectorXd;

namespace {

// As system::ProjectionOptions; a violation that no longer falls is round-off.
constexpr double kTolerance = 1e-12, kStagnates = 1e3;
constexpr int kMaxCorrections = 20;
// Of the largest speed: what speeds of laws miss by the integrator's error, which is no impulse.
constexpr double kNoJump = 1e-9;

// Of accelerations, microseconds and a part of the whole: what branches on ranks must save. Two
// messages take 4 of them where ranks share memory, ten times as much between machines. An
// iteration of an implicit step takes three, and seven tenths of the time of accelerations.
constexpr double kLeastSaved = 100.0, kLeastSavedByIteration = 150.0, kLeastShare = 0.25;

// Dissipation is a form of the velocities that is never negative: it is nothing where it is none of
// each of them alone.
bool is_damped(const Modes& m) {
  VectorXd v = VectorXd::Zero(6 + m.n);
  bodies::BodyState state = m.state;
  new (&state.v) Eigen::Map<const VectorXd>(v.data(), v.size());
  for (int i = 0; i < m.n; ++i) {
    v[6 + i] = 1.0;
    if (m.body->dissipation(state) > 0.0) return true;
    v[6 + i] = 0.0;
  }
  return false;
}

Sharing sharing_of_options() {
  const auto choice =
      base::option_choice("recursive_", "-branches", {"automatic", "always", "never"});
  return std::array{Sharing::automatic, Sharing::always, Sharing::never}[choice.value_or(0)];
}

double largest_of(const VectorXd& v) { return v.size() > 0 ? v.lpNorm<Eigen::Infinity>() : 0.0; }

}  // namespace

Mechanism::Mechanism(system::System& system, Warnings warnings)
    : system_(system),
      tree_(system_),
      absolute_(std::make_unique<AbsolutePart>(tree_)),
      bodies_(tree_),
      closures_(tree_, bodies_),
      hinges_(tree_),
      multiplier_forces_(std::make_unique<MultiplierForces>(tree_)),
      is_to_warn_(warnings == Warnings::log) {
  if (!absolute_->empty()) bodies_.set_absolute_part(absolute_.get());
  needs_kinematics_ = !system.forces().empty() || !closures_.empty() || !absolute_->empty();
  exchanges_energy_ = needs_kinematics_ || !tree_.driven_links().empty();
  for (const Modes& m : tree_.modes()) exchanges_energy_ |= is_damped(m);
  du_.setZero(tree_.n_speeds());
}

Mechanism::~Mechanism() = default;

std::optional<BranchShares> Mechanism::find_shares(int n_ranks, Sharing sharing,
                                                   Sweeps sweeps) const {
  if (sharing == Sharing::automatic) sharing = sharing_of_options();
  if (n_ranks < 2 || sharing == Sharing::never || !closures_.empty() ||
      !multiplier_forces_->empty() || !absolute_->empty())
    return {};
  BranchShares shares = recursive::share_branches(tree_, n_ranks);
  const bool is_explicit = sweeps == Sweeps::of_accelerations;
  const double least = is_explicit ? kLeastSaved : kLeastSavedByIteration;
  double saved = shares.whole - shares.longest;
  // Forces see how all bodies move, and beside accelerations powers do.
  if (is_explicit ? exchanges_energy_ : needs_kinematics_)
    saved -= shares.motion - shares.longest_motion;
  if (sharing == Sharing::automatic && !(saved > std::max(least, kLeastShare * shares.whole)))
    return {};
  return shares;
}

bool Mechanism::share_branches(MPI_Comm comm, Sharing sharing) {
  std::optional<BranchShares> shares =
      find_shares(base::size(comm), sharing, Sweeps::of_accelerations);
  exchange_ = shares ? std::make_unique<BranchExchange>(tree_, *std::move(shares), comm) : nullptr;
  bodies_.share(exchange_.get(), exchanges_energy_ ? ArticulatedBodies::Moving::all_links
                                                   : ArticulatedBodies::Moving::own_links);
  return exchange_ != nullptr;
}

std::string Mechanism::describe_shares(int n_ranks, Sweeps sweeps) const {
  const std::optional<BranchShares> shares = find_shares(n_ranks, Sharing::automatic, sweeps);
  if (shares) return "recursive: " + recursive::describe(*shares, n_ranks);
  const char* why = "";
  if (!closures_.empty())
    why = ", for closures go through several branches";
  else if (!multiplier_forces_->empty())
    why = ", for friction of joints is found by several sweeps";
  else if (!absolute_->empty())
    why = ", for nodes of beams are coupled with each other";
  return fmt::format("recursive: each of the {} ranks sweeps over all bodies{}", n_ranks, why);
}

void Mechanism::place(VectorXd& q, VectorXd& u, system::State& state) {
  follow_laws(state.t, q, u);
  tree_.compute_motion(q.data(), u.data());
  tree_.write(state);
}

void Mechanism::follow_laws(double t, VectorXd& q, VectorXd& u) {
  laws_.setZero(tree_.n_speeds());
  tree_.follow_laws(t, q, u, laws_);
}

// The system at the motion of the links, elements of beams with these rates; null: they are zero.
void Mechanism::update_at_rates(const VectorXd* du, system::State& state) {
  tree_.write(state);
  for (const NodeGroup& nodes : tree_.node_groups())
    for (int i = nodes.begin; i < nodes.end; ++i) {
      const Link& k = tree_.links()[i];
      auto a = state.a.segment<6>(system_.layout().velocity_offset(k.body));
      if (du)
        a = du->segment<6>(k.u);
      else
        a.setZero();
    }
  system_.update(state);
}

// All but those that follow multipliers.
void Mechanism::add_forces(const system::State& state) {
  if (!absolute_->empty()) absolute_->set_forces();
  const auto add = [&](const forces::Force& force) {
    int n = 0;
    for (const BodyIndex body : force.bodies()) n += system_.body(body).n_velocities();
    force_.setZero(n);
    force.add_residual(system_.kinematics(), state.t, force_);
    int column = 0;
    for (const BodyIndex body : force.bodies()) {
      n = system_.body(body).n_velocities();
      bodies_.add_force(tree_.link_of(body), force_.segment(column, n));
      column += n;
    }
  };
  for (const forces::ForceIndex f : system_.forces()) {
    if (multiplier_forces_->contains(f)) continue;
    forces::visit_parts(system_.force(f), add);
  }
}

void Mechanism::add_multiplier_forces(const std::vector<VectorXd>& residuals) {
  multiplier_forces_->for_each(residuals,
                               [this](int link, const Eigen::Ref<const VectorXd>& residual) {
                                 bodies_.add_force(tree_.links()[link], residual);
                               });
}

void Mechanism::compute_accelerations(VectorXd& q, VectorXd& u, system::State& state,
                                      VectorXd& du) {
  follow_laws(state.t, q, u);
  accelerate(q, u, state, du);
}

void Mechanism::compute_accelerations_as_given(const VectorXd& laws, const VectorXd& q,
                                               const VectorXd& u, system::State& state,
                                               VectorXd& du) {
  laws_ = laws;
  accelerate(q, u, state, du);
}

void Mechanism::accelerate(const VectorXd& q, const VectorXd& u, system::State& state,
                           VectorXd& du) {
  bodies_.move(q.data(), u.data(), system_.gravity());
  if (exchanges_energy_) update_at_rates(nullptr, state);
  if (!closures_.empty()) {
    system_.update_accelerations();
    closures_.evaluate(state.t);
    closures_.evaluate_rates(state.t);
    closures_.set_rows();
  }
  add_forces(state);
  if (multiplier_forces_->empty()) {
    du = laws_;
    bodies_.eliminate_and_solve(du);
    if (!closures_.empty()) closures_.write(closures_.multipliers(), state.lambda);
    write_drive_multipliers(state);
  } else {
    solve_with_multiplier_forces(state, du);
  }
  if (!closures_.empty()) warn_once();
  // A trial of a step that is too long tears elements, whose forces are not-a-number then.
  if (!absolute_->empty() && !du.allFinite())
    throw base::ComputationError(fmt::format(
        "t = {:.6g} s: the accelerations are undefined: strains of an element of a beam cannot be found",
        state.t));
}

void Mechanism::warn_once() {
  if (!is_to_warn_) return;
  is_to_warn_ = false;
  if (const std::string warning = closures_.warning(); !warning.empty())
    base::log_warning("{}", warning);
}

void Mechanism::write_drive_multipliers(system::State& state) {
  for (const int i : tree_.driven_links()) {
    const Link& k = tree_.links()[i];
    const auto H = tree_.H(k);
    for (const Branch::Drive& drive : tree_.forest().branches[i].drives)
      for (int j = k.n_free; j < k.n_speeds; ++j)
        if (k.order[j] == drive.speed)
          state.lambda[system_.layout().constraint_offset(drive.constraint)] =
              -H.col(j).dot(k.f) / drive.rate;
  }
}

std::unique_ptr<LeastNorm> Mechanism::find_least_norm(const system::State& state) {
  return std::make_unique<LeastNorm>(tree_, closures_, hinges_, state.lambda.size());
}

// Of hinges by what they exert, those that forces follow; all where those of dependent rows are to
// be the least ones. Those of closures have been written.
void Mechanism::write_found_multipliers(const LeastNorm* least, system::State& state) {
  if (!least) return hinges_.write(multiplier_forces_->links(), state.lambda);
  hinges_.write(state.lambda);
  least->shorten(state.lambda);
}

// Each set of such forces takes a sweep, with the same factors.
void Mechanism::solve_with_multiplier_forces(system::State& state, VectorXd& du) {
  bodies_.eliminate();
  std::unique_ptr<LeastNorm> least;
  if (closures_.has_dependent_rows()) least = find_least_norm(state);
  std::vector<Vector6d> on_links;
  std::vector<VectorXd> on_modes;
  for (const Link& k : tree_.links()) on_links.push_back(k.z);
  for (const Modes& m : tree_.modes()) on_modes.push_back(m.z_f);
  multiplier_forces_->solve(state, [&](const MultiplierForces::Residuals& residuals) {
    for (std::size_t i = 0; i < on_links.size(); ++i) tree_.links()[i].z = on_links[i];
    for (std::size_t i = 0; i < on_modes.size(); ++i) tree_.modes()[i].z_f = on_modes[i];
    add_multiplier_forces(residuals);
    du = laws_;
    bodies_.solve(ArticulatedBodies::Bias::motion, du);
    if (!closures_.empty()) closures_.write(closures_.multipliers(), state.lambda);
    write_found_multipliers(least.get(), state);
  });
  if (!least) write_drive_multipliers(state);
}

void Mechanism::write_motion(const VectorXd& q, const VectorXd& u, system::State& state) {
  if (exchanges_energy_) return;  // the accelerations have needed it
  if (exchange_) tree_.compute_motion(q.data(), u.data());
  tree_.write(state);
  system_.update(state);
}

void Mechanism::complete(const VectorXd& du, system::State& state) {
  bodies_.complete(du);
  for (const Link& k : tree_.links())
    bodies_.write_acceleration(k, state.a.segment(system_.layout().velocity_offset(k.body),
                                                  system_.layout().n_velocities(k.body)));
  system_.update(state);
  const bool has_dependent_rows = closures_.has_dependent_rows();
  // With forces that follow them they are the least ones already.
  if (has_dependent_rows && !multiplier_forces_->empty()) return;
  hinges_.write(state.lambda);
  if (has_dependent_rows) find_least_norm(state)->shorten(state.lambda);
}

void Mechanism::compute_state(VectorXd& q, VectorXd& u, system::State& state) {
  VectorXd du;
  compute_accelerations(q, u, state, du);
  write_motion(q, u, state);
  complete(du, state);
}

void Mechanism::jump_to_laws(double t, const VectorXd& q, VectorXd& u) {
  if (tree_.driven_links().empty()) return;
  VectorXd at_laws = q, speeds = u;
  follow_laws(t, at_laws, speeds);
  if (largest_of(speeds - u) > kNoJump * largest_of(speeds)) jump_as_tree(at_laws, u, speeds);
}

void Mechanism::jump(const VectorXd& q, VectorXd& u, const VectorXd& speeds, system::State& state) {
  jump_as_tree(q, u, speeds);
  if (closures_.empty()) return;
  tree_.compute_motion(q.data(), u.data());
  tree_.write(state);
  system_.update(state);
  system_.update_accelerations();
  closures_.evaluate(state.t);
  closures_.evaluate_rates(state.t);
  const VectorXd left = closures_.velocity_violation(state);
  closures_.set_rows();
  bodies_.factorise();
  closures_.find_correction(left, du_);
  u += du_;
}

// Closures are satisfied afterwards, in the same metric.
void Mechanism::jump_as_tree(const VectorXd& q, VectorXd& u, const VectorXd& speeds) {
  const VectorXd still = VectorXd::Zero(u.size());
  ArticulatedBodies bodies(tree_);
  tree_.compute_motion(q.data(), still.data());
  du_ = still;
  for (const int i : tree_.driven_links()) {
    const Link& k = tree_.links()[i];
    for (int j = k.n_free; j < k.n_speeds; ++j)
      du_[k.u + k.order[j]] = speeds[k.u + k.order[j]] - u[k.u + k.order[j]];
  }
  bodies.factorise();
  bodies.set_forces_to_zero();
  bodies.solve(ArticulatedBodies::Bias::motion, du_);
  u += du_;
}

VectorXd Mechanism::part_along_closures(const VectorXd& q, const VectorXd& x,
                                        system::State& state) {
  const auto violation_at = [&](const VectorXd& u) {  // G u - nu
    tree_.compute_motion(q.data(), u.data());
    tree_.write(state);
    system_.update(state);
    system_.update_accelerations();
    closures_.evaluate(state.t);
    closures_.evaluate_rates(state.t);
    return closures_.velocity_violation(state);
  };
  VectorXd left = -violation_at(x), part = VectorXd::Zero(x.size());
  left += violation_at(part);
  for (int i = 0; i < left.size(); ++i)
    if (closures_.is_rate(i)) left[i] = 0.0;
  closures_.set_rows();
  bodies_.factorise();
  closures_.find_correction(left, part);
  return part;
}

void Mechanism::project(VectorXd& q, VectorXd& u, system::State& state) {
  jump_to_laws(state.t, q, u);
  place(q, u, state);
  if (closures_.empty()) return;
  bool is_of_speeds = false;
  double before = INFINITY;
  for (int i = 0; i <= kMaxCorrections; ++i) {
    system_.update(state);
    closures_.evaluate(state.t);
    if (is_of_speeds) {
      system_.update_accelerations();
      closures_.evaluate_rates(state.t);
    }
    const VectorXd left =
        is_of_speeds ? closures_.velocity_violation(state) : closures_.position_violation();
    const double size = largest_of(left);
    const double allowed =
        is_of_speeds ? kTolerance * std::max(1.0, largest_of(state.v)) : kTolerance;
    if (size <= allowed || (size >= before && size <= kStagnates * allowed)) {
      if (is_of_speeds) return;
      is_of_speeds = true;
      before = INFINITY;
      i = -1;
      continue;
    }
    if (i == kMaxCorrections || !std::isfinite(size))
      throw base::ComputationError(fmt::format(
          "t = {:.6g} s: no {} near those of the step close all loops; violated: {}\n  drives and joints may contradict each other, or the step is too long",
          state.t, is_of_speeds ? "velocities" : "positions", closures_.worst(left)));
    before = size;
    closures_.set_rows();
    bodies_.factorise();
    closures_.find_correction(left, du_);
    if (is_of_speeds)
      u += du_;
    else
      tree_.advance(du_, q);
    place(q, u, state);
  }
}

}  // namespace solidyn::recursive

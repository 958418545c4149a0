#include "relaxation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "solidyn/base/error.h"
#include "solidyn/base/resource_error.h"
#include "solidyn/base/timer.h"
#include "solidyn/bodies/nodal_body.h"
#include "solidyn/math/rotation.h"
#include "solidyn/system/scales.h"

namespace solidyn::analyses {
namespace {

using Eigen::VectorXd;
using system::State;

// Of a step, in lengths or rad: farther, its linearisations say nothing.
constexpr double kLongest = 0.3;
// The first step's.
constexpr double kFirst = 1e-2;
// A step has converged when a correction is this part of it, or of the length.
constexpr double kConverged = 1e-6;
constexpr double kRoundOff = 1e-13;
// The same where only meshes move: slender ones amplify round-off.
constexpr double kRoundOffOfMeshes = 1e-10;
constexpr double kForceRoundOff = 1e-12;  // of the largest stiffness times the length
// Of the largest force: what others leave on a body without a force of its own is not looked at
// more closely.
constexpr double kForceOfLight = 1e-5;
constexpr double kNoForce = 1e-200;  // N, so that nothing is no part of it
constexpr int kMaxIterations = 20;
// A step that took no more iterations lets the next one grow.
constexpr int kFewIterations = 6;
// A step may meet a negative stiffness up to this part of its inertia, so that what grows by itself
// grows by a factor of two a step at most, and an unstable equilibrium repels.
constexpr double kNegative = 0.5;
// Inertia never becomes less than this part of the largest stiffness, so that what nothing holds
// has a regular matrix.
constexpr double kLeastInertia = 1e-9;
// h may shrink to this part of the first one.
constexpr double kShortest = 1e-8;
// At rest: the step in lengths or rad, and the force left, as part of the largest one.
constexpr double kSettled = 1e-6, kBalanced = 1e-7;

}  // namespace

Relaxation::Relaxation(system::System& system, Equilibrium& equilibrium, const State& state,
                       solvers::Preset preset)
    : system_(system),
      equilibrium_(equilibrium),
      solver_(solvers::make_linear_solver(preset, system.layout().n_unknowns())),
      correction_(equilibrium.make_move()) {
  system_.set_pattern(*solver_);
  int n_moving = 0;
  for (const bodies::BodyIndex b : system_.bodies()) n_moving += system_.body(b).n_velocities() > 0;
  if (const double mass = total_mass(system_); mass > 0.0) mass_ = mass / std::max(1, n_moving);
  const double length = equilibrium_.length();
  masses_ = mass_ * (length * equilibrium_.weights()).cwiseAbs2();
  begin_anew(state);
}

// [n_v] N, of all forces but those of constraints, torques over the length.
VectorXd Relaxation::applied_forces(const State& state) {
  State unloaded = state.clone();
  unloaded.lambda.setZero();
  system_.update(unloaded);
  system_.compute_residual(unloaded, r_, phi_);
  system_.update(state);
  return r_.cwiseQuotient(equilibrium_.length() * equilibrium_.weights()).cwiseAbs();
}

// N, on the nodes of meshes that supports alone hold, of the residual evaluated last: no small
// unknown shows them.
double Relaxation::largest_force_on_meshes() const {
  double largest = 0.0;
  for (const bodies::NodalBody* body : system_.layout().nodal_bodies())
    if (body->n_velocities() == 0) largest = std::max(largest, body->nodal_forces());
  return largest;
}

void Relaxation::begin_anew(const State& state) {
  const double length = equilibrium_.length();
  system_.set_coefficients({0.0, 0.0, 1.0});
  forces_ = applied_forces(state);
  force_ = std::max(largest_force_on_meshes(), forces_.size() > 0 ? forces_.maxCoeff() : 0.0);
  const double stiffness = std::max(largest_stiffness(system_, length), force_ / length);
  force_ = std::max(force_, kForceRoundOff * stiffness * length);
  for (const bodies::BodyIndex b : system_.bodies()) {
    auto of_body =
        forces_.segment(system_.layout().velocity_offset(b), system_.body(b).n_velocities());
    if (of_body.size() > 0)
      of_body.setConstant(std::max({of_body.maxCoeff(), kForceOfLight * force_, kNoForce}));
  }
  const double least = stiffness > 0.0 ? kLeastInertia * stiffness : 1.0;
  longest_h_ = std::sqrt(mass_ / least);
  h_ = force_ > 0.0 ? std::sqrt(kFirst * mass_ * length / force_) : longest_h_;
  shortest_h_ = kShortest * h_;
  row_scale_ = 1.0 / std::max(stiffness, mass_ / (h_ * h_));
  size_ = 1.0;
}

// Forces at the end of a move with the accelerations that belong to it.
void Relaxation::evaluate(State& state, const Move& move) {
  const double per_move = 1.0 / (h_ * h_);
  const auto n = move.small.head(system_.layout().n_velocities());
  state.a = per_move * n;
  for (std::size_t k = 0; k < state.nodal.size(); ++k)
    SOLIDYN_PETSC(VecAXPBY(state.nodal[k].ddu, per_move, 0.0, move.nodal[k]));
  system_.update(state);
  system_.compute_residual(state, r_, phi_);
  hold_rates(system_, phi_);
  r_ += per_move * masses_.cwiseProduct(n);
}

void Relaxation::linearise(State& state, const Move& move) {
  system::System::RotationTangents turns(system_.bodies().size(), Eigen::Matrix3d::Identity());
  for (const bodies::BodyIndex b : system_.bodies())
    if (system_.body(b).n_rigid() > 0)
      turns[b] =
          math::right_tangent(move.small.segment<3>(system_.layout().velocity_offset(b) + 3));
  system::System::TangentOptions options;
  options.coefficients = {1.0 / (h_ * h_), 0.0, 1.0};
  options.row_scale = row_scale_;
  options.rotation_tangents = &turns;
  options.regularization = equilibrium_.regularization();
  {
    base::ScopedTimer timer(equilibrium_.assembly_seconds);
    system_.update(state);
    system_.renew_tangents();
    evaluate(state, move);
    system_.assemble(state, options, *solver_);
    for (int i = 0; i < system_.layout().n_velocities(); ++i)
      solver_->add_diagonal(i, row_scale_ * masses_[i] / (h_ * h_));
  }
  base::ScopedTimer timer(equilibrium_.solve_seconds);
  solver_->factor();
}

void Relaxation::find_correction(Move& correction) {
  base::ScopedTimer timer(equilibrium_.solve_seconds);
  VectorXd rhs(system_.layout().n_unknowns());
  rhs << -row_scale_ * r_, -phi_;
  solver_->solve(rhs, correction.small);
  correction.small.tail(system_.layout().n_constraints()) /= row_scale_;
  for (std::size_t k = 0; k < correction.nodal.size(); ++k) {
    bodies::NodalBody* body = system_.layout().nodal_bodies()[k];
    const int at =
        system_.layout().velocity_offset(system_.layout().body_of_nodal(static_cast<int>(k)));
    body->recover(correction.small.segment(at + body->n_rigid(), body->n_elastic()),
                  correction.nodal[k]);
  }
}

// With x the first correction, -r.x is x.((M + F)/h^2 + K) x: constraint forces do no work on it.
bool Relaxation::is_downhill() const {
  const VectorXd x = correction_.small.head(system_.layout().n_velocities());
  return -r_.dot(x) >= kNegative * x.dot(masses_.cwiseProduct(x)) / (h_ * h_);
}

Relaxation::Outcome Relaxation::try_step(State& state, Move& move) {
  const State before = state.clone();
  const double round_off = system_.layout().n_velocities() > 0 ? kRoundOff : kRoundOffOfMeshes;
  move.set_zero();
  system_.set_coefficients({1.0 / (h_ * h_), 0.0, 1.0});
  for (iterations_ = 1; iterations_ <= kMaxIterations; ++iterations_) {
    linearise(state, move);
    find_correction(correction_);
    // What balanced forces leave is round-off, in which there is no downhill.
    if (iterations_ == 1 && !is_downhill())
      return unbalanced(correction_) <= kBalanced ? Outcome::at_rest : Outcome::uphill;
    move.add(1.0, correction_);
    const double size = equilibrium_.size(correction_);
    if (!(equilibrium_.size(move) <= 2.0 * kLongest)) return Outcome::failed;
    equilibrium_.move_bodies(before, 1.0, move, state);
    if (!equilibrium_.is_admissible(state)) return Outcome::failed;
    if (size > std::max(kConverged * equilibrium_.size(move), round_off)) continue;
    return equilibrium_.size(move) <= kLongest ? Outcome::converged : Outcome::failed;
  }
  return Outcome::failed;
}

// Forces are balanced by the constraints' alone.
void Relaxation::stay(State& state, Move& move) {
  const auto n = system_.layout().n_constraints();
  move.set_zero();
  move.small.tail(n) = correction_.small.tail(n);
  state.lambda += move.small.tail(n);
}

// What gives the fictitious masses a move in one step from rest, as part of the forces there.
double Relaxation::unbalanced(const Move& move) const {
  const auto n = system_.layout().n_velocities();
  const double per_size = mass_ * equilibrium_.length() / (h_ * h_);  // N
  const VectorXd sizes = move.small.head(n).cwiseProduct(equilibrium_.weights());
  double largest = n > 0 ? sizes.cwiseQuotient(forces_).lpNorm<Eigen::Infinity>() : 0.0;
  for (const base::Vec& field : move.nodal) {
    PetscReal farthest = 0.0;
    SOLIDYN_PETSC(VecNorm(field, NORM_INFINITY, &farthest));
    largest = std::max(largest, farthest / equilibrium_.length() / std::max(force_, kNoForce));
  }
  return per_size * largest;
}

int Relaxation::step(State& state, Move& move) {
  const State before = state.clone();
  int n_iterations = 0;
  for (;;) {
    Outcome outcome = Outcome::failed;
    try {
      outcome = try_step(state, move);
    } catch (const base::ResourceError&) {
      throw;
    } catch (const base::ComputationError&) {
      // A singular matrix, or a body that is distorted beyond use: a shorter step meets neither.
    }
    n_iterations += iterations_;
    if (outcome == Outcome::converged) break;
    state.copy_from(before);
    if (outcome == Outcome::at_rest) {
      stay(state, move);
      break;
    }
    h_ *= 0.5;
    if (h_ < shortest_h_)
      throw base::ComputationError("not even short steps of the relaxation converge");
  }
  state.a.setZero();
  for (bodies::NodalState& nodal : state.nodal) SOLIDYN_PETSC(VecZeroEntries(nodal.ddu));
  size_ = equilibrium_.size(move);
  unbalanced_ = unbalanced(move);
  if (iterations_ <= kFewIterations) h_ = std::min(2.0 * h_, longest_h_);
  return n_iterations;
}

bool Relaxation::has_settled() const { return size_ <= kSettled && unbalanced_ <= kBalanced; }

}  // namespace solidyn::analyses

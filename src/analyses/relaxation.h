#pragma once
#include <memory>
#include <string>

#include "equilibrium.h"

namespace solidyn::analyses {

/// Dynamic relaxation at fixed loads: the system moves in a fictitious time, from rest in every
/// step, so that all its kinetic energy is taken out all the time (kinetic damping, implicitly):
///   (M + F) n / h^2 + r(q) + G^T lambda = 0,   Phi(q, t) = 0,   q = q_before exp(n)
/// M is the bodies' mass, F a fictitious one, the same for every coordinate scaled as by
/// System::increment_weights(), so that bodies without inertia move too and none is too slow. A
/// step is a minimum of V + |n|^2_{M+F} / (2 h^2): potential energy falls, whatever h, while the
/// sum is convex; where the curvature along the way says that it is not, h is halved. After easy
/// success it doubles, until steps are Newton's for the static equations. All calls are collective.
/// doc/statics.md has the reasons, mpi.program_relaxation the proofs.
class Relaxation {
 public:
  /// Begins at positions that satisfy the constraints. @param equilibrium has been started;
  /// both must outlive this object
  Relaxation(system::System& system, Equilibrium& equilibrium, const system::State& state,
             solvers::Preset preset);

  /// One step. @param[out] move what it did, of size at most 0.3 lengths or rad
  /// @return the Newton iterations that it took
  /// @throws base::ComputationError with `state` as before when even the shortest step fails
  int step(system::State& state, Move& move);

  /// The last step was so short, and left so little of the forces, that nothing moves any more.
  bool has_settled() const;
  /// Shorter steps again, after the state has been changed from outside.
  void begin_anew(const system::State& state);

 private:
  enum class Outcome { converged, failed, uphill, at_rest };
  Outcome try_step(system::State& state, Move& move);
  void linearise(system::State& state, const Move& move);
  void evaluate(system::State& state, const Move& move);
  bool is_downhill() const;
  double unbalanced(const Move& move) const;
  void stay(system::State& state, Move& move);
  void find_correction(Move& correction);
  Eigen::VectorXd applied_forces(const system::State& state);
  double largest_force_on_meshes() const;

  system::System& system_;
  Equilibrium& equilibrium_;
  std::unique_ptr<solvers::LinearSolver> solver_;
  Eigen::VectorXd masses_;  // [n_v] F
  double mass_ = 1.0;       // of F, kg
  double h_ = 1.0, row_scale_ = 1.0, longest_h_ = 1.0, shortest_h_ = 0.0;
  double force_ = 0.0;       // N, the largest
  Eigen::VectorXd forces_;   // [n_v] N, the largest on the coordinate's body
  double size_ = 1.0;        // of the last step, ...
  double unbalanced_ = 0.0;  // ... and the forces left by it, as part of those
  int iterations_ = 0;
  Eigen::VectorXd r_, phi_;
  Move correction_;
};

}  // namespace solidyn::analyses

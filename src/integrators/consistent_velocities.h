#pragma once
#include <memory>
#include <vector>

#include "integrators/saddle_point_solve.h"
#include "solidyn/integrators/stage_options.h"
#include "solidyn/solvers/linear_solver.h"
#include "solidyn/system/system.h"

namespace solidyn::integrators {

/// The velocities that satisfy the constraints, of a step that meets these by positions alone: what
/// rubs in joints slips with them, for after a jump of accelerations v is off by order h, and by
/// more than the slip of joints that come to rest. State::velocity_correction e is the smallest one
/// in the metric of the kinetic energy,
///   min e^T M e,  G (v + e) = nu:   [M G^T; G 0][de; mu] = [0; nu - G (v + e)]
/// with G of the present position and the factors of one before, which are kept while each solution
/// leaves a tenth of the last at most.
///
/// An increment n along the constraints, G n = 0, changes v in proportion and e by what G changes
/// alone, h times less: Newton's matrix needs no derivative of e where the first guess satisfies
/// the constraints (increment()). One that does not, G n = -Phi, changes e by as much as v, and
/// friction that is steep would hold it up. Local. Proved by VelocitiesOfALoop.* and
/// RubbingLoop.*
class ConsistentVelocities {
 public:
  /// @param system must outlive this   @param regularization  of dependent constraints, or 0
  ConsistentVelocities(system::System& system, solvers::Preset preset, double regularization);

  /// @param[in,out] s  e, from the one that it has, or from none
  /// @pre System::update(s), and G is that of s: compute_constraints() or compute_residual()
  /// @return whether e has changed: then System::update(s) has been called, and G is that of s
  bool find(system::State& s);
  /// The smallest increment of positions, in the same metric, that takes the violation `phi` away:
  /// [M G^T; G 0][n; mu] = [0; -phi]. [n_v]   @param phi  [n_constraints]
  Eigen::VectorXd increment(system::State& s, const Eigen::VectorXd& phi);
  /// What follows does not depend on what was before.
  void forget();

  /// Warns once of a step whose accelerations are so far from G a = gamma, as after a jump of
  /// accelerations, that the multipliers by which joints are pressed are wrong by more than half of
  /// the largest so far: [M G^T; G 0][da; dlambda] = [0; gamma - G a].
  /// @param rows  of these multipliers, which are known in s
  /// @param round_off  N, what they may be wrong by in any case   @param remedy  beside shorter
  /// steps
  /// @pre System::update(s), after find()   @post the same
  void warn_of_multipliers(system::State& s, const std::vector<int>& rows, double round_off,
                           const char* remedy);

 private:
  Eigen::VectorXd lacking(const system::State& s);
  void factorise(system::State& s);

  system::System& system_;
  std::unique_ptr<solvers::LinearSolver> factors_;
  SaddlePointSolve solve_;
  double regularization_;
  bool has_factors_ = false, has_warned_ = false;
  double largest_multiplier_ = 0.0;  // so far, without what was wrong of it
  Eigen::VectorXd nu_, gamma_, Gv_, rhs_, x_;
};

}  // namespace solidyn::integrators

#pragma once
#include <memory>

#include "solidyn/recursive/step_equations.h"

namespace solidyn::solvers {
class TangentRenewal;
}

namespace solidyn::recursive {

class Refinement;

/// How speeds and their rates at the end of a step follow an increment n of the coordinates,
/// q = q_before exp(n): du = velocity dn, d(du/dt) = acceleration dn.
struct StepCoefficients {
  double velocity = 0.0;      ///< 1/s
  double acceleration = 0.0;  ///< 1/s^2
};

/// The iteration matrix of StepEquations, d(r, Phi)/d(n, lambda), factorised by one sweep inwards.
/// A link sends inwards how its force depends on the motion of its parent: position, rotation and
/// their first and second rates, six rows by 18 columns, and the parent's modes. Exact, but for
/// closures of velocity level by positions, which are left out. Forces on one body, or on one and
/// what it hangs on, are part of the sweep, and so are rows of closures. What couples others
/// borders it: one solution for each row. Local. Proved by StepTangent.*; doc/theory/recursive.md
class StepTangent {
 public:
  explicit StepTangent(StepEquations& equations);
  ~StepTangent();

  /// @param n  increment of the coordinates since the step began
  /// @pre StepEquations::evaluate() of the same
  /// @throws base::ComputationError where it is singular, naming a body
  void factorise(const StepCoefficients& c, const Eigen::VectorXd& q, const Eigen::VectorXd& u,
                 const Eigen::VectorXd& du, const Eigen::VectorXd& n, const system::State& state);

  /// dn and dlambda with  r + dr = 0, Phi + dPhi = 0. Closures that depend on others keep theirs.
  /// @param r  [n_speeds]   @param phi  [n_closure_rows]
  void solve(const Eigen::VectorXd& r, const Eigen::VectorXd& phi, Eigen::VectorXd& dn,
             Eigen::VectorXd& dlambda);

  /// Takes those multipliers of closures from `before` that solutions do not reach, of rows that
  /// depend on others: continued from step to step, their round-off grows without bound. [closure
  /// rows]
  void keep_idle(const Eigen::VectorXd& before, Eigen::VectorXd& lambda) const;

  /// solve(), better by what corrections since factorise() have shown that the matrix misses
  /// (math::SecantUpdates). The result is taken for applied as a whole, else break_off() follows.
  /// @param weights  [n_speeds] by which corrections are compared
  void correct(const Eigen::VectorXd& weights, const Eigen::VectorXd& r, const Eigen::VectorXd& phi,
               Eigen::VectorXd& dn, Eigen::VectorXd& dlambda);
  /// Whether refine() can: bodies have modes, and no closures or has_couplings().
  bool can_refine() const;
  /// The last solve(), or the one that correct() began with, better where bodies have moved on
  /// since factorise(). A = J0^T K J0, of columns J0 of hinges and modes then and of what forces of
  /// bodies vary by, K, misses in a long chain more than J0 has changed by: for one solution more,
  ///   dn = dn_0 - A^-1 (J - J0)^T K J0 dn_0,   dn_0 = -A^-1 r
  /// @param[out] dn  [n_speeds]   @param[out] change  dn - dn_0
  /// @pre can_refine(); StepEquations::evaluate() where bodies are now
  void refine(Eigen::VectorXd& dn, Eigen::VectorXd& change);
  /// Whether it is worth it, for whoever keeps the matrix over time steps.
  Refinement& refinement();
  /// Whether forces couple bodies that do not hang on each other, or have a coordinate of their
  /// own: such a stiff spring turns in a step by more than what corrections teach is good for.
  bool has_couplings() const;
  /// Before the first correction of a time step too.
  void break_off();
  /// How it has served since factorise(), for whoever keeps it over time steps.
  solvers::TangentRenewal& renewal();

 private:
  class Sweep;
  struct Service;
  std::unique_ptr<Sweep> sweep_;
  std::unique_ptr<Service> service_;
};

}  // namespace solidyn::recursive

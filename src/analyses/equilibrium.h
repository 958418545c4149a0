#pragma once
#include <functional>
#include <memory>
#include <vector>

#include "solidyn/integrators/static_contacts.h"
#include "solidyn/solvers/linear_solver.h"
#include "solidyn/system/initial_conditions.h"

namespace solidyn::analyses {

/// An increment of everything that an equilibrium consists of.
struct Move {
  Eigen::VectorXd small;         ///< [n_unknowns] of bodies, m and rad, then of multipliers
  std::vector<base::Vec> nodal;  ///< of full-mesh bodies, m
  double t = 0.0;                ///< of the load parameter

  /// this += factor * other
  void add(double factor, const Move& other);
  void scale(double factor);
  void set_zero();
};

/// Zeroes what velocity-level constraints leave: where nothing moves, what gives a rate holds the
/// place. @param phi [n_lambda]
void hold_rates(const system::System& system, Eigen::VectorXd& phi);

/// The equations F(x, t) = 0 of a system at rest,
///   h(q, t) + G^T lambda = 0,   Phi(q, t) = 0
/// with their tangent J, and a measure for moves. Displacements are measured relative to the
/// characteristic length, rotations in rad. All calls are collective.
class Equilibrium : public integrators::StaticEquations {
 public:
  /// @param system must outlive this object
  explicit Equilibrium(system::System& system) : system_(system) {}
  ~Equilibrium() override = default;

  /// Lengths, redundant constraints and the pattern at positions that satisfy the constraints.
  virtual void start(const system::State& state, solvers::Preset preset);
  const system::Redundancy& redundancy() const { return redundancy_; }

  Move make_move() const;
  /// J := the consistent tangent at this state. @throws base::ComputationError when it is singular
  virtual void linearise(const system::State& state);
  /// The same of bodies that only set-valued contacts may hold, see integrators::StaticEquations.
  void factor(const system::State& state, double shift) override;
  Eigen::SparseMatrix<double> tangent(const system::State& state, double shift) override;
  void solve(const Eigen::VectorXd& rhs, Eigen::VectorXd& x) override;
  /// J x, with the J of the last linearise().
  Eigen::VectorXd product(const Eigen::VectorXd& x) const { return solver_->product(x); }
  /// move := x, as they have found it with a matrix of this state, nodes included.
  void set_move(const Eigen::VectorXd& x, Move& move);
  /// move := -J^-1 F(state), with the J of the last linearise().
  virtual void find_correction(const system::State& state, Move& move);
  /// move := -J^-1 dF/dt, by central differences over t, or one-sided ones within [0, 1]; exact
  /// where loads are linear in t. Leaves `state` as it was.
  void find_load_response(system::State& state, Move& move);
  /// Forces and constraints of this state, without a correction.
  Eigen::VectorXd evaluate(const system::State& state) override;
  /// |Phi|, largest, of the last correction's or evaluation's state.
  double violation() const;

  /// Largest displacement or rotation in the move.
  double size(const Move& move) const;
  /// Sum over small unknowns, and mean over nodes, of products of displacements.
  double dot(const Move& a, const Move& b) const;
  /// state := before + fraction of the move, which find_correction() has found.
  virtual void apply(const system::State& before, double fraction, const Move& move,
                     system::State& state) {
    move_bodies(before, fraction, move, state);
  }
  /// The same of any move, body by body.
  void move_bodies(const system::State& before, double fraction, const Move& move,
                   system::State& state);
  /// What bodies moved by from one equilibrium to the next, of which `travel` is the sum of the
  /// corrections. [n_velocities]
  virtual Eigen::VectorXd way(const system::State&, const system::State&,
                              const Move& travel) const {
    return travel.small.head(system_.layout().n_velocities());
  }
  /// No element inverted, nothing infinite.
  bool is_admissible(const system::State& state);

  double length() const override { return length_; }  ///< m, the characteristic one
  const Eigen::VectorXd& weights() const override { return weights_; }
  double row_scale() const override { return row_scale_; }
  double regularization() const { return regularization_; }
  /// Full-mesh bodies drop the mass terms set by another method.
  void take_over();
  /// What start() found out about constraints is found out anew at this state, which satisfies
  /// them: a relaxation may have led away from a singular position.
  virtual void renew(const system::State&) {}
  /// Warns of what is doubtful in this state, to which the system has been updated.
  void log_warnings(const system::State& state);

  double assembly_seconds = 0.0, solve_seconds = 0.0;
  std::function<void()> look_up;  ///< Statics::set_look_up()

 protected:
  system::System& system_;

 private:
  void assemble(const system::State& state, double shift, solvers::BlockMatrix& matrix);

  system::Redundancy redundancy_;
  std::unique_ptr<solvers::LinearSolver> solver_;
  double length_ = 1.0, row_scale_ = 1.0, regularization_ = 0.0;
  Eigen::VectorXd weights_, r_, phi_;
  std::vector<bool> is_warned_;
};

}  // namespace solidyn::analyses

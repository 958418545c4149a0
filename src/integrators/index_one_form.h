#pragma once
#include <memory>

#include "solidyn/integrators/petsc_ts.h"
#include "solidyn/solvers/linear_solver.h"
#include "solidyn/system/independent_rows.h"

namespace solidyn::integrators {

/// The motion as PetscTs integrates it: positions and velocities y, dy/dt = f(t, y), with the
/// accelerations of the index-1 form. Quaternions among the positions may have any length; f brings
/// it back to one, slower than what drives the step.
class IndexOneForm {
 public:
  virtual ~IndexOneForm() = default;
  int n_positions() const { return n_positions_; }
  int n_velocities() const { return n_velocities_; }
  int size() const { return n_positions_ + n_velocities_; }

  /// Positions and velocities of a consistent state. @param[out] y [size]
  virtual void start(system::State& state, Eigen::Ref<Eigen::VectorXd> y) = 0;
  /// State::q, with unit quaternions, and State::v of y.
  virtual void take(const Eigen::VectorXd& y, system::State& state) = 0;
  /// f(state.t, y), and whatever System::external_powers() needs of `state`. @param[out] f [size]
  /// @return the number of linear solves
  virtual int evaluate(const double* y, system::State& state, double* f) = 0;
  /// The state of y with accelerations and multipliers; kinematics() are at it. @return as above
  virtual int fill(const Eigen::VectorXd& y, system::State& state) = 0;
  /// Positions and velocities that satisfy the constraints, nearest to y: of y and of `state`.
  /// @return as above
  virtual int project(Eigen::VectorXd& y, system::State& state) = 0;
  /// To be called with each state that satisfies the constraints.
  virtual void settle(system::State&) {}
  /// Absolute tolerances. @param of_velocities  of System's  @param of_angle  rad
  virtual Eigen::VectorXd tolerances(const Eigen::VectorXd& of_velocities,
                                     double of_angle) const = 0;
  /// Whether System::external_powers() may differ from zero.
  virtual bool exchanges_energy() const { return true; }

 protected:
  // 1/s, of |Q| towards one.
  static constexpr double kQuaternionRate = 1.0;
  int n_positions_ = 0, n_velocities_ = 0;
};

/// Bodies in the world, with multipliers of all constraints.
std::unique_ptr<IndexOneForm> make_absolute_form(system::System& system,
                                                 const PetscTsOptions& options);
/// Hinges between bodies.
std::unique_ptr<IndexOneForm> make_relative_form(system::System& system,
                                                 const PetscTsOptions& options);

}  // namespace solidyn::integrators

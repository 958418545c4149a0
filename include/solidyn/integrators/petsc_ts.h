#pragma once
#include <deque>
#include <exception>
#include <limits>
#include <string>

#include "solidyn/base/petsc.h"
#include "solidyn/integrators/generalized_alpha.h"

namespace solidyn::integrators {

class IndexOneForm;

struct PetscTsOptions {
  enum class Type {
    bdf,  ///< Gear's backward differences, variable step and order: stiff mechanisms
    rk    ///< explicit Runge-Kutta: smooth motion to many digits
  };
  Type type = Type::bdf;
  int max_order = 5;                 ///< of bdf, 1..6
  std::string rk_type = "8vr";       ///< PETSc's name: 8vr (Verner), 5dp (Dormand-Prince), ...
  double relative_tolerance = 1e-6;  ///< local error of each component relative to its size ...
  /// ... plus this, relative to the mechanism's length for displacements and length/s for
  /// velocities
  double absolute_tolerance = 1e-9;
  /// Positions and velocities are projected onto the constraints after each step.
  bool projection = true;
  double baumgarte_alpha = 0.0, baumgarte_beta = 0.0;  ///< 1/s, see system::AccelerationOptions
  double initial_step = 0.0;                           ///< s; 0: estimated
  double max_step = std::numeric_limits<double>::infinity();  ///< s
  std::vector<int> dependent_rows;  ///< of the constraints, see system::Redundancy
  double regularization = 0.0;      ///< see system::redundancy_regularization; with dependent rows
  /// Coordinates of hinges in place of the poses of bodies (recursive::Mechanism).
  bool is_relative = false;
  solvers::Preset preset = solvers::Preset::automatic;
};

/// The equations of motion in index-1 form (P-SOLID 2.1), as an ordinary differential equation
/// dy/dt = f(t, y), y = [q; v; W], that PETSc's TS integrates with error control:
///   dp = v,  dQ = 1/2 Q o (0, w) + k (1 - |Q|^2) Q,  dq_e = the elastic velocities,
///   dv = a of system::solve_acceleration_equations at the normalised quaternions Q,
/// or, on relative coordinates, dq and dv of hinges and elastic coordinates (recursive::Mechanism);
///   dW = the power of drives and loads less what is dissipated, which takes no part in the control
/// After each accepted step y is projected onto the constraints (system/projection.h), and what a
/// formula of several steps remembers is the projected solution. Instead of that, or beside it,
/// Baumgarte's terms damp violations. Each rank integrates the same numbers (PETSC_COMM_SELF).
/// Options of TS are those of PETSc, -ts_*
/// (-ts_monitor, -ts_type, -ts_adapt_type ...), and those of its Newton and linear solver
/// -ts_snes_*, -ts_ksp_*, -ts_pc_*; they win over PetscTsOptions. The theory is in
/// doc/theory/time_integration.md; proved by tests/verification/rigid and
/// tests/verification/integrators.
class PetscTs {
 public:
  /// `system` is finalized and must outlive the integrator.
  /// @throws base::InputError when a body has nodal unknowns, or an option is out of range
  PetscTs(system::System& system, const PetscTsOptions& options);
  PetscTs(const PetscTs&) = delete;
  PetscTs& operator=(const PetscTs&) = delete;
  ~PetscTs();

  /// Starts, or starts anew after an event, from consistent positions and velocities.
  void initialize(const system::State& state);

  /// One step of the size that the tolerances allow, never beyond t_end. `state` is what
  /// initialize() was given or the last step left; afterwards it holds positions (with unit
  /// quaternions), velocities, accelerations and multipliers at its new time.
  /// @return the step size; 0 when state.t is not before t_end
  /// @throws base::ComputationError when no acceptable step is found; `state` is then unchanged
  double step(system::State& state, double t_end);

  int order() const;  ///< of the next step; of explicit methods 0
  /// What drives and loads have put into each island of the system since initialize(), less what
  /// was dissipated, J.
  const Eigen::VectorXd& work() const { return work_; }
  const IntegratorStatistics& statistics() const { return statistics_; }
  ::TS ts() const { return ts_; }  ///< for what PETSc offers beyond this interface

 private:
  static constexpr int kMaxRejections = 25;
  struct Callbacks;

  void create(int n);
  void set_tolerances(int n);
  void set_tolerances_of_work(const system::State& state);
  void evaluate(double t, const double* y, double* f);
  void compute_jacobian(double t, const double* y);
  double estimate_step(double t, const Eigen::VectorXd& y, int order);
  double weighted_norm(const Eigen::VectorXd& d, const Eigen::VectorXd& y) const;
  void choose_order(double t, const Eigen::VectorXd& y);
  void take(system::State& state, double t, const Eigen::VectorXd& y);
  void fill(system::State& state, double t, const Eigen::VectorXd& y);
  void project(system::State& state, Eigen::VectorXd& y);
  bool limit_slips(const Eigen::VectorXd& before, Eigen::VectorXd& after);
  void write_solution(const Eigen::VectorXd& y);
  void require_no_rejection(double t, const Eigen::VectorXd& y);
  [[noreturn]] void fail(double t);

  system::System& system_;
  PetscTsOptions options_;
  std::unique_ptr<IndexOneForm> form_;
  system::State scratch_;
  base::Ts ts_;
  base::Vec y_;
  base::Mat matrix_;
  Eigen::VectorXd absolute_;  // [n] absolute tolerance of each component
  double relative_ = 0.0;
  Eigen::MatrixXd jacobian_;  // df/dy at some state not too far away
  bool jacobian_is_stale_ = true, jacobian_is_new_ = false;
  // Whether corrections are limited, and whether this one and the one before were.
  bool has_slips_ = false, is_limited_ = false, was_limited_ = false;
  int n_corrections_ = 0;  // since the Jacobian was computed; where they are limited
  double newton_size_ = 0.0;
  Eigen::VectorXd work_, largest_kinetic_;  // J, of each island
  // The last solutions, newest first, for the choice of the order.
  std::deque<double> times_;
  std::deque<Eigen::VectorXd> solutions_;
  int max_order_ = 0, steps_at_order_ = 0;
  Eigen::VectorXd before_;  // y at the start of a step
  std::exception_ptr pending_error_, last_error_;
  IntegratorStatistics statistics_;
};

}  // namespace solidyn::integrators

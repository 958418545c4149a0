#pragma once
#include <memory>
#include <string>
#include <vector>

#include "integrators/acceleration_forecast.h"
#include "integrators/anderson_acceleration.h"
#include "integrators/consistent_velocities.h"
#include "integrators/contact_forces.h"
#include "integrators/saddle_point_solve.h"
#include "solidyn/integrators/stage_options.h"
#include "solidyn/solvers/linear_solver.h"
#include "solidyn/system/system.h"
#include "solvers/tangent_renewal.h"

namespace solidyn::integrators {

/// How velocities and accelerations at the end of a stage follow an increment n of the positions,
/// q = q_from exp(n): dv = velocity dn, da = acceleration dn.
struct StageCoefficients {
  double h = 0.0;             ///< s, of the step that the stage belongs to
  double velocity = 0.0;      ///< 1/s
  double acceleration = 0.0;  ///< 1/s^2
  double increment = 0.0;     ///< s^2, what an acceleration makes of the positions
  double stiffness = 1.0;     ///< 0 where the iteration matrix is the mass alone
};

/// Accelerations that a scheme keeps beside those of the motion, and how they follow an increment.
struct AlgorithmicAcceleration {
  Eigen::VectorXd* small = nullptr;         ///< [n_v]
  std::vector<base::Vec>* nodal = nullptr;  ///< one per full-mesh body
  double by_increment = 0.0;                ///< 1/s^2
};

/// What is said of a step that fails.
struct NewtonFailure {
  int iterations = 0;
  double increment = 0.0, allowed = 0.0;  ///< of the characteristic length
  const Eigen::VectorXd &r, &phi;         ///< of the last evaluation
  std::string contacts;                   ///< why they have no forces; empty when they have
  std::string snes = {};                  ///< why SNES ended, where it has iterated
  std::string multipliers = {};           ///< that forces follow, where these alone were not found
};
/// Why Newton's iteration has not converged, where, and what to do.
std::string describe(const NewtonFailure& failure, system::System& system,
                     const system::State& before, const system::State& s, double h);

/// Newton's iteration for one stage of an implicit scheme: the equations of motion and constraints
/// at its end, M a + h + G^T lambda = 0, Phi = 0, with v and a linear in the increment of the
/// positions, and the laws of set-valued contacts (ContactForces) between its velocities and their
/// forces. The iteration matrix is kept until convergence slows. All schemes share it. With
/// Nonlinear::snes PETSc's SNES iterates, to the same tolerances.
class ImplicitStage {
 public:
  ImplicitStage(system::System& system, const StageOptions& options);
  ~ImplicitStage();

  /// From an accepted state: sizes of what follows, no tangent, no pivots.
  void begin_anew(const system::State& state);
  /// Buffers of full-mesh bodies. Collective.
  void allocate(const system::State& state);
  /// Of dependent constraints, from what is made of them at `state`.
  void choose_regularization(const system::State& state);
  /// At the start of a step: sizes that tolerances are relative to, and the points of contacts.
  void note_start(const system::State& state);

  enum class Search { none, halves };
  /// @param before  the last accepted state: increments are from its positions
  /// @param[in,out] s  a first guess that `n` leads to; then the solution. Untouched is its time.
  /// @return whether it has converged. Collective with full-mesh bodies.
  bool iterate(const StageCoefficients& c, const system::State& before, system::State& s,
               Search search, const AlgorithmicAcceleration& algorithmic = {});
  /// From now on constraints are G v = nu, and `given` [n_v] is added to M a + h + G^T lambda. It
  /// must outlive the stage.
  void use_velocity_level(const Eigen::VectorXd& given) { given_ = &given; }
  /// Joints slip with velocities as they are, of a scheme whose errors of them die out in a step;
  /// until choose_regularization().
  void keep_slips();
  /// While it is held, residuals and directions of contacts are those of the positions that an
  /// iteration begins with, and n alone follows: whoever holds them moves the bodies afterwards.
  void hold_positions(bool held) { holds_positions_ = held; }
  /// Whether a second try by halved corrections is worth its time.
  bool may_need_halves(const system::State& s) const;
  /// @throws base::ComputationError where a force or an angle objects to the step, on all ranks
  void require_no_rejection(const system::State& before, const system::State& s) const;
  /// Why iterate() has not converged, where, and what to do.
  std::string failure(const system::State& before, const system::State& s, double h);
  /// After a step that failed, where the tangents of full-mesh bodies are those of an iterate
  /// astray. Collective.
  void recover_tangents(const system::State& s);

  /// The iteration matrix at `s`, which the next iterate() keeps as its first.
  void prepare(const StageCoefficients& c, const system::State& s);
  /// Whether that which was made last is still there, with these coefficients.
  bool has_prepared(const StageCoefficients& c) const;
  void recover_nodal(const system::State& s);  ///< nodal_increment() of x

  Eigen::VectorXd n;            ///< [n_v] increment of the positions
  Eigen::VectorXd r, phi, rhs;  ///< of the last evaluation
  Eigen::VectorXd x;            ///< the last solution
  const std::vector<base::Vec>& nodal_increment() const { return nodal_increment_; }
  std::vector<base::Vec>& nodal_increment() { return nodal_increment_; }
  /// Of schemes that keep accelerations of their own; null without meshes in absolute coordinates.
  AccelerationForecast* forecast() { return forecast_.get(); }
  void forget_forecast() {
    if (forecast_) forecast_->forget();
  }
  SaddlePointSolve& solve() { return *solve_; }
  ContactForces& contacts() { return contacts_; }
  /// Those of solve(), for contacts. @param s  the matrix of many contacts is assembled there
  ContactFactors contact_factors(const system::State& s);
  double row_scale() const { return row_scale_; }
  /// Of the stage that was solved last: what an increment makes of the velocities, 1/s.
  double velocity_factor() const { return c_.velocity; }
  bool locates_impacts() const { return options_.locate_impacts; }
  double regularization() const { return options_.regularization; }
  const Eigen::VectorXd& weights() const { return weights_; }
  double weighted_size(const Eigen::VectorXd& v) const;
  /// What round-off of positions makes of multipliers at the last step, N: round_off_of_forces().
  double round_off_of_multipliers() const;
  /// Of the k-th full-mesh body, as a fraction of the length: how far nodes in absolute coordinates
  /// have changed, of which the small unknowns see the ports only; 0 of others. Collective.
  double nodal_change(std::size_t k, ::Vec before, ::Vec now);
  /// Corrections of the positions that need not be followed by others, as a fraction of the length,
  /// and violations of constraints likewise.
  double allowed_increment(const StageCoefficients& c, const system::State& s) const;
  double allowed_violation(double allowed) const;
  /// Whether increments that no longer shrink are as good as round-off lets them become.
  bool is_round_off(double increment, double violation, double allowed) const;
  /// Of a correction whether it leaves multipliers that friction of joints follows as they are,
  /// well enough: positions may be prescribed, and these be off.
  struct MultiplierChange {
    Eigen::VectorXd change;         ///< [n_constraints], by the next correction, estimated
    const Eigen::VectorXd& lambda;  ///< [n_constraints]
    int iterations;                 ///< before this correction
    double acceleration;            ///< 1/s^2, as of StageCoefficients
    bool stagnates;                 ///< the motion is as good as round-off lets it become
  };
  bool has_settled(const MultiplierChange& m) const;
  /// Of an iteration that has found the motion, but not these; else empty.
  std::string describe_unsettled_followers(const MultiplierChange& m) const;
  /// Largest velocity, as a fraction of the mechanism's length per second. Collective.
  double velocity_size(const system::State& s) const;
  double length() const { return length_; }
  void forget_tangent() { tangent_is_stale_ = true; }
  /// See ConsistentVelocities. @pre s is the solution of iterate(), and no contact has changed it
  void warn_of_multipliers(system::State& s);
  bool has_steep_forces() const { return has_steep_forces_; }
  /// Whether forces follow multipliers of dependent constraints, which are of least norm at the
  /// position of the tangent: each step begins with a new one.
  bool follows_dependent_rows() const {
    return options_.regularization != 0.0 && !followed_.empty();
  }
  /// Structures that forces may move within a step by more than what turns these round.
  bool holds_light_structures() const;
  IntegratorStatistics& statistics() { return statistics_; }
  const IntegratorStatistics& statistics() const { return statistics_; }
  static constexpr double kSameStep = 1e-9;  // steps that differ by round-off share a tangent

 private:
  // Of full-mesh bodies (SOLVERS.md: a factor costs 27 to 38 solutions, an iteration about three).
  static constexpr double kCostOfMeshTangent = 10.0;
  class StageEquations;
  enum class Verdict { goes_on, converged, fails };
  void make_snes();
  bool iterate_by_snes(system::State& s);
  std::unique_ptr<SaddlePointSolve> make_solve(solvers::LinearSolver& factors) const;
  SaddlePointSolve& solve_of_clusters(const system::State& s);
  system::System::TangentOptions tangent_options() const;
  enum class Motions { all, needed };  // of elements that move in a plane
  void refresh_tangent(const system::State& s, Motions motions = Motions::needed);
  bool may_leave_out() const;
  bool lacks_what_is_left_out(const system::State& s);
  void prepare_nodal_tangents(const system::State& s);
  bool renew_nodal_tangents();
  void apply(system::State& s, double share);
  void take_half_back(system::State& s);
  void stop_at_reversals(system::State& s);
  bool evaluate(system::State& s);
  void make_consistent_velocities();
  void find_slip_velocities(system::State& s);
  void put_on_constraints(system::State& s);
  Eigen::VectorXd idle_multipliers(const system::State& s);
  bool correct(system::State& s);
  double nodal_size(const system::State& s, base::Vec bodies::NodalState::*field) const;
  double coordinate_size(const system::State& s) const;
  double acceleration_size(const system::State& s) const;
  double interior_increment() const;
  double increment_size() const;
  MultiplierChange multiplier_change(const system::State& s, double rate, bool stagnates) const;
  bool has_stagnated(double allowed, const system::State& s, double rate) const;
  double least_violation() const;
  bool judges_by_corrections(const system::State& s) const;
  bool rests_but_for_round_off() const;
  bool ends_soon(const system::State& s, double reduction) const;
  Verdict judge_correction(const system::State& s) const;
  Verdict judge_residual(const system::State& s, double reduction);

  system::System& system_;
  StageOptions options_;
  std::vector<int> followed_;  // multipliers that friction of joints follows
  bool has_steep_forces_;      // friction of joints, and no full-mesh body
  bool has_absolute_meshes_;   // full meshes without a frame of their own
  std::unique_ptr<solvers::LinearSolver> solver_;
  std::unique_ptr<SaddlePointSolve> solve_;                      // by its factors
  std::unique_ptr<StageEquations> equations_;                    // of SNES; else null
  std::unique_ptr<ConsistentVelocities> consistent_velocities_;  // null where no joint rubs
  std::string failure_of_snes_;                                  // PETSc's word
  // The same of its clusters; null until many contacts need it.
  std::unique_ptr<ClusterFactors> factors_of_clusters_;
  std::unique_ptr<SaddlePointSolve> solve_of_clusters_;
  int number_of_clusters_ = 0, n_factors_ = 0;  // which of them, and how many there have been
  std::unique_ptr<AccelerationForecast> forecast_;
  UnitSolutions units_;
  ContactForces contacts_;
  AndersonAcceleration acceleration_;  // full-mesh bodies only, as the next
  solvers::TangentRenewal renewal_{kCostOfMeshTangent};
  StageCoefficients c_;                    // of the stage under way
  const system::State* before_ = nullptr;  // during iterate()
  AlgorithmicAcceleration algorithmic_;
  const Eigen::VectorXd* given_ = nullptr;  // of use_velocity_level()
  Eigen::VectorXd weights_;
  std::vector<forces::Slip> slips_;  // before the last correction
  system::System::RotationTangents rotation_tangents_;
  std::vector<base::Vec> nodal_increment_;
  StageCoefficients tangent_of_;  // of the factors
  double length_ = 1.0, row_scale_ = 1.0;
  double last_increment_ = 0.0, increment_before_ = 0.0;
  // With full-mesh bodies: the largest part of a correction that the next one was, after the second
  // of the step, in the step before and in the present one.
  double later_rate_ = 0.0, rate_of_step_ = 0.0;
  double violation_ = 0.0, violation_before_ = 0.0;  // of constraints, before the last corrections
  bool is_whole_ = true;                             // the last correction was applied as it is
  double largest_velocity_ = 0.0, largest_acceleration_ = 0.0;  // weighted, so far
  double largest_coordinate_ = 1.0;                             // so far: the scale of round-off
  int last_iterations_ = 0;
  bool tangent_is_stale_ = true;
  bool has_tangent_of_guess_ = false;  // made where the next correction begins
  bool waits_ = false;                 // factors are made as right-hand sides need them
  bool has_left_planes_ = false;       // something has acted across the plane of an element
  bool has_told_of_planes_ = false;
  bool holds_positions_ = false;
  bool renews_ = false;  // full-mesh bodies compute their tangents anew in the next iteration
  IntegratorStatistics statistics_;
};

}  // namespace solidyn::integrators

#pragma once
#include "solidyn/analyses/dynamics.h"

namespace solidyn::analyses {

/// Motion of a mechanism that its drives determine: at each time positions, velocities and
/// accelerations follow from the constraints alone, and the multipliers from the equations of
/// motion, which are then the forces that the drives need (inverse dynamics). Between two times the
/// positions are predicted to second order and corrected by the smallest motion; where a correction
/// is not small, the step is subdivided, so that the mechanism stays on its branch. In inverse
/// dynamics flexible bodies are, at each time, in equilibrium with loads and inertia forces
/// (system::deform_quasi_statically).
/// Proved by Kinematics.* and InverseDynamicsAnalysis.*
class KinematicStepper final : public Stepper {
 public:
  /// @throws base::InputError when motions are left free: how many, and which bodies make them
  KinematicStepper(system::System& system, const DynamicsOptions& options,
                   const system::Redundancy& redundancy);
  void initialize(const system::State& state) override;
  void step(system::State& state, double t_end) override;
  const integrators::IntegratorStatistics& statistics() const override { return statistics_; }
  const char* name() const override { return is_quasi_static_ ? "inverse_dynamics" : "kinematics"; }
  bool integrates() const override { return false; }

 private:
  void advance(system::State& state, double t_end, int n_cuts);
  bool follow(system::State& state, double t_end);
  void require_regular(double t) const;
  bool deform(system::State& state);
  struct Span;
  std::vector<Span> spans() const;
  std::string reversed_since(const std::vector<Span>& before) const;
  double distance(const system::State& from, const Eigen::VectorXd& q) const;

  system::System& system_;
  double h_;
  bool is_quasi_static_;
  system::Redundancy redundancy_;
  std::unique_ptr<solvers::LinearSolver> solver_;
  // Of the step tried last: the joint whose points have passed each other; no shape was found.
  std::string reversed_;
  bool has_no_shape_ = false;
  Eigen::VectorXd weights_;
  integrators::IntegratorStatistics statistics_;
};

}  // namespace solidyn::analyses

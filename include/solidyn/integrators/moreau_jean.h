#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "solidyn/integrators/contact_event.h"
#include "solidyn/integrators/stage_options.h"
#include "solidyn/system/system.h"

namespace solidyn::integrators {

class ImplicitStage;
class MoreauContacts;

struct MoreauJeanOptions : StageOptions {
  double theta = 0.5;  ///< 1/2..1
};

/// The theta scheme of Moreau and Jean (Acary & Brogliato 2008) on the Lie group, with constraints
/// and the laws of set-valued contacts on velocity level, of forces and impulses P alike:
///   M (v1 - v0) = h [theta f1 + (1 - theta) f0] - G1^T P_joints + W1 P
///   q1 = q0 exp(h (theta v1 + (1 - theta) v0)),   G1 v1 = nu
///   0 <= u_N1 + e u_N0, complementary to P_N;  P_T in its cone, against u_T1 + e_T u_T0
/// Afterwards positions and velocities are projected onto the constraints, and contacts that press
/// onto their surfaces. Order one; order two with theta = 1/2 in smooth motion without constraints.
/// Energy does not grow, with theta = 1/2 but by what tumbles (doc/theory/nonsmooth.md).
/// Multipliers and contact forces are P / h, accelerations (v1 - v0) / h: means over the step.
/// Fixed steps. Not with full-mesh bodies. Proved by tests/verification/nonsmooth and MoreauJean.*
class MoreauJean {
 public:
  /// @throws base::InputError when a body has nodal unknowns, or theta is out of range
  MoreauJean(system::System& system, const MoreauJeanOptions& options);
  ~MoreauJean();

  /// From consistent positions and velocities.
  void initialize(const system::State& state);
  void forget_history(const system::State& state);
  /// As GeneralizedAlpha::step().
  void step(system::State& state, double h);
  /// Whether a step that fails from now on is no longer subdivided: then it is taken without
  /// restitution, with a warning, where it has no solution with it. Otherwise such steps fail.
  void set_last_try(bool is_last_try) { is_last_try_ = is_last_try; }
  const IntegratorStatistics& statistics() const;
  /// What set-valued contacts did in the last step, once.
  ContactReport take_contact_report() { return std::exchange(contact_report_, {}); }

 private:
  void solve(system::State& s, double h);
  void solve_with_restitution(system::State& s, double h);
  void solve_as_asked(system::State& s, double h);
  void solve_without_restitution(system::State& s, double h);
  void solve_without_some_restitution(const std::vector<int>& rebounding, system::State& s,
                                      double h);
  void require_plausible_impulses(double h, const system::State& s);
  void take_others(const system::State& from, const Eigen::VectorXd& n,
                   const std::vector<bool>& islands, system::State& s);
  void find_mean_velocity(const system::State& s);
  void find_forces_at_start();
  void take_step(system::State& s, double h, double theta);
  void require_acceptable(const system::State& s);
  void project(system::State& s);
  // J, of each island: of all forces, of set-valued laws (SetValuedPowers), and taken by friction.
  struct Works {
    Eigen::VectorXd whole, of_laws, of_friction;
  };
  Works work_of_forces(const system::State& s, double h);
  void report_contacts(system::State& s, double h, const Eigen::VectorXd& closing);

  system::System& system_;
  MoreauJeanOptions options_;
  std::unique_ptr<ImplicitStage> stage_;
  std::unique_ptr<MoreauContacts> contacts_;
  system::State before_;
  Eigen::VectorXd forces_at_start_;  // [n_v] -f0, N, N m
  Eigen::VectorXd given_;            // its part in the equations of the step
  Eigen::VectorXd theta_of_step_;    // [n_islands]
  Eigen::VectorXd mean_velocity_;    // [n_v] v_theta
  ContactReport contact_report_;
  bool is_last_try_ = false;
  bool holds_directions_ = false;     // of contacts and joints, as the step began with them
  bool has_held_directions_ = false;  // so far, which is said once
};

}  // namespace solidyn::integrators

#pragma once
#include <memory>
#include <utility>

#include "solidyn/integrators/contact_event.h"
#include "solidyn/integrators/stage_options.h"
#include "solidyn/system/system.h"

namespace solidyn::solvers {
class LinearSolver;
}

namespace solidyn::integrators {

class ContactStepEnd;
class ExplicitLimit;
class ImplicitStage;

/// A half-explicit scheme of order two on the Lie group (P-NONSMOOTH compares with one; after
/// Schindler et al. 2015): explicit in all forces, implicit in the impulses of joints and contacts.
/// With accelerations a_n that are consistent with joints and contacts,
///   q_{n+1} = q_n exp(h v_n + h^2 a_n / 2), projected onto Phi = 0 along M_n^-1 G_n^T,
///   M (v_{n+1} - v_n - h a_n / 2) = h/2 [f(q_{n+1}, v_n + h a_n) - G^T lambda + W r],
///   G v_{n+1} = nu, laws of closed contacts between r and W^T v_{n+1}; M, G, W of q_{n+1}.
/// Then gaps that have closed, impacts, and a_{n+1} (ContactStepEnd). Without velocities in the
/// forces this is Verlet's scheme. No iteration but where joints rub. Stable while
/// (h omega)^2 + h c <= 4 and h c <= 2 of the fastest vibration and damper; beyond that steps are
/// refused (ExplicitLimit). Not with full-mesh bodies. doc/theory/nonsmooth.md.
/// Proved by HalfExplicit.* in tests/verification/nonsmooth.
class HalfExplicit {
 public:
  /// @throws base::InputError when a body has nodal unknowns
  HalfExplicit(system::System& system, const StageOptions& options);
  ~HalfExplicit();

  /// From a consistent state (positions, velocities, accelerations, multipliers).
  void initialize(const system::State& state);
  void forget_history(const system::State& state);
  /// As GeneralizedAlpha::step(). @throws base::ComputationError also where h is not stable
  void step(system::State& state, double h);
  void reject(system::State& state);
  /// The last step's local error estimate relative to the characteristic length (O(h^3)).
  double error_estimate() const { return error_estimate_; }
  const IntegratorStatistics& statistics() const;
  /// What set-valued contacts did in the last step, once.
  ContactReport take_contact_report() { return std::exchange(contact_report_, {}); }

 private:
  void factorise_mass(const system::State& s, double h);
  void move(system::State& s, double h);
  void project_positions(system::State& s);
  void correct_velocities(system::State& s);
  void solve_velocities(system::State& s, double h);
  void move_by_mean_velocity(system::State& s, double h);
  void finish(system::State& s, double h);
  void take_step(system::State& s, double h);

  system::System& system_;
  std::unique_ptr<ImplicitStage> stage_;      // its factors, sizes and contacts
  std::unique_ptr<ContactStepEnd> contacts_;  // null without set-valued contacts
  std::unique_ptr<ExplicitLimit> limit_;
  std::unique_ptr<solvers::LinearSolver> solver_;  // of accelerations
  bool rubs_in_joints_;
  bool has_factors_ = false;  // of the mass at before_
  system::State before_;
  Eigen::VectorXd predicted_;  // [n_v] velocities
  ContactReport contact_report_;
  double error_estimate_ = 0.0;
};

}  // namespace solidyn::integrators

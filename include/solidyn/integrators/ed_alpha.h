#pragma once
#include <memory>
#include <utility>

#include "solidyn/integrators/contact_event.h"
#include "solidyn/integrators/stage_options.h"
#include "solidyn/system/system.h"

namespace solidyn::integrators {

class ContactStepEnd;
class CoupledStages;
class ImplicitStage;

struct EdAlphaOptions : StageOptions {
  double rho_infinity = 0.8;    ///< spectral radius at infinite frequency, 0..1
  double alpha_AR = 1.0 / 6.0;  ///< > 0: where damping sets in
};

/// The energy decaying scheme of Bottasso and Borri, Bauchau (P-NONSMOOTH (77)-(84)) on the Lie
/// group. A step begins with a jump from the state i before it to a state j, and leads to the state
/// at its end; the two are found at once. With alpha = (1 - rho_infinity)/(1 + rho_infinity)
///   v_j = v_i + h alpha_AR (alpha (a_j - a_i) - a + a_i),   v = v_i + h/2 (a_j + a)
/// and so with positions and velocities instead. Order two; for linear systems three where alpha_AR
/// is 1/6. Linear systems never get energy from it; stiff parts that turn far within a step may,
/// unless rho_infinity is 0 and alpha_AR 1/2. Joints are met on position and on velocity level at
/// the end of each step; their multipliers are of order two where alpha_AR is 1/6. Not with
/// full-mesh bodies. A contact that is closed at the start of a step has forces at both states of
/// it. Derived in doc/theory/time_integration.md; proved by EdAlpha in tests/unit and verification.
class EdAlpha {
 public:
  /// @throws base::InputError when a body has nodal unknowns, or parameters are out of range
  EdAlpha(system::System& system, const EdAlphaOptions& options);
  ~EdAlpha();

  /// From a consistent state (positions, velocities, accelerations, multipliers).
  void initialize(const system::State& state);
  void forget_history(const system::State& state);
  /// As GeneralizedAlpha::step().
  void step(system::State& state, double h);
  void reject(system::State& state);
  /// The last step's local error estimate relative to the characteristic length (O(h^3)).
  double error_estimate() const { return error_estimate_; }
  const IntegratorStatistics& statistics() const { return statistics_; }
  /// What set-valued contacts did in the last step, once.
  ContactReport take_contact_report() { return std::exchange(contact_report_, {}); }

 private:
  void solve(system::State& s, double h);
  void prepare_end(const system::State& s, double h);
  bool is_in_contact(const system::State& s) const;
  bool finish_contacts(system::State& s, double h, bool again);
  void gather_statistics();

  std::unique_ptr<ImplicitStage> end_;  // scales, tolerances, contacts
  std::unique_ptr<CoupledStages> stages_;
  std::unique_ptr<ContactStepEnd> contacts_;  // null without set-valued contacts
  system::State before_, first_;
  ContactReport contact_report_;
  int end_of_tangent_ = 0;  // number of the step's tangent when that of the end was made
  double error_estimate_ = 0.0;
  IntegratorStatistics statistics_;
};

}  // namespace solidyn::integrators

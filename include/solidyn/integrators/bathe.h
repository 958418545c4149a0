#pragma once
#include <memory>
#include <utility>

#include "solidyn/integrators/contact_event.h"
#include "solidyn/integrators/stage_options.h"
#include "solidyn/system/system.h"

namespace solidyn::integrators {

class ConsistentEnd;
class ContactStepEnd;
class ImplicitStage;

/// Bathe's composite scheme (Bathe & Baig 2005; P-NONSMOOTH (56)-(61)) on the Lie group, with
/// constraints on position level: the trapezoidal rule over the first half of a step, Euler's
/// backward formula of three points over the second. With m the middle and increments n_m, n from
/// the positions of the start:
///   v_m = -v_i + 4 n_m / h,          a_m = -a_i + 4 (v_m - v_i) / h
///   v = (3 n - 4 n_m) / h,           a = (v_i - 4 v_m + 3 v) / h
/// Order two; what a step does not resolve is gone after it. Without parameters. With full-mesh
/// bodies the first part of a step is 2 - sqrt(2) of it, for which both parts have the same
/// iteration matrix, and so share the factor that these bodies keep.
/// Along joints a and multipliers are of order one, which costs the motion nothing: complete()
/// makes those of order two of them. Contacts that are closed at the start of a step have forces at
/// both ends of its parts.
class Bathe {
 public:
  Bathe(system::System& system, const StageOptions& options);
  ~Bathe();

  /// From a consistent state (positions, velocities, accelerations, multipliers).
  void initialize(const system::State& state);
  void forget_history(const system::State& state);
  /// As GeneralizedAlpha::step().
  void step(system::State& state, double h);
  void reject(system::State& state);
  /// Of a copy of the state that the last step left, for output: accelerations, multipliers and
  /// contact forces of order two; with full-mesh bodies, and contacts between groups, they stay.
  /// @pre and after: System::update(state)
  void complete(system::State& state);
  /// The last step's local error estimate relative to the characteristic length (O(h^3)).
  double error_estimate() const { return error_estimate_; }
  const IntegratorStatistics& statistics() const { return statistics_; }
  /// What set-valued contacts did in the last step, once.
  ContactReport take_contact_report() { return std::exchange(contact_report_, {}); }

 private:
  void solve_first_half(system::State& s, double h);
  void solve_second_half(system::State& s, double h);
  void iterate(ImplicitStage& stage, system::State& s, double h, double velocity);
  bool finish_contacts(system::State& s, double h);
  void gather_statistics();
  double change_of_acceleration(const system::State& s);

  system::System& system_;
  std::unique_ptr<ImplicitStage> first_, second_;
  std::unique_ptr<ContactStepEnd> contacts_;  // null without set-valued contacts
  std::unique_ptr<ConsistentEnd> end_;        // null where complete() does nothing
  double first_part_;                         // of a step
  double last_step_ = 0.0;                    // s
  system::State before_;
  Eigen::VectorXd n_m_, v_m_;
  ContactReport contact_report_;
  double error_estimate_ = 0.0;
  IntegratorStatistics statistics_;
};

}  // namespace solidyn::integrators

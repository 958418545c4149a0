#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "solidyn/analyses/statics_options.h"
#include "solidyn/system/initial_conditions.h"

namespace solidyn::integrators {
class StaticContacts;
}

namespace solidyn::analyses {

class ArcLength;
class Equilibrium;
class Relaxation;
struct Move;
struct Stability;

/// Equilibrium of a system whose loads, supports and drives are functions of a load parameter t,
/// from 0 to 1: Newton's method with the consistent tangent, renewed in every iteration, of
///   h(q, t) + G^T lambda = 0,   Phi(q, t) = 0     with velocities and accelerations zero.
/// Where whole corrections fail, Deuflhard's line search for natural levels is tried
/// (doc/statics.md); then the step is halved. It grows again after easy success. Dynamic relaxation
/// (Relaxation) takes over as set by StaticsMethod; the log reports where. All calls are
/// collective. Proved by tests/verification/statics.
class Statics {
 public:
  Statics(system::System& system, const StaticsOptions& options);
  ~Statics();

  /// Called on all ranks before each step of a relaxation, which may take thousands for one
  /// equilibrium. A base::Interrupted that it throws ends what is done at the last equilibrium.
  void set_look_up(std::function<void()> look_up);

  /// Positions that satisfy the constraints, and equilibrium at t = 0.
  /// @throws base::InputError for constraints that cannot be met; base::ComputationError
  void start();
  /// One step. @throws base::ComputationError with state() still the last equilibrium, and with the
  /// name of a free motion where nothing holds one
  void advance();
  bool is_done() const { return is_held_ || state_.t >= 1.0; }
  /// Time stands still at the start: the equilibrium of start() is the result.
  bool is_held() const { return is_held_; }

  const system::State& state() const { return state_; }
  std::int64_t steps() const { return steps_; }
  const system::Redundancy& redundancy() const;

  struct Statistics {
    std::int64_t newton_iterations = 0, rejected_steps = 0, shortened_corrections = 0;
    std::int64_t relaxed_equilibria = 0, relaxation_steps = 0;
    std::int64_t unstable_equilibria = 0;  ///< of those that were kept
    std::optional<double> first_unstable;  ///< load parameter
    double assembly_seconds = 0.0, solve_seconds = 0.0;
    std::vector<double> corrections;  ///< of the last step's iterations, relative to the length
  };
  const Statistics& statistics() const;
  /// Null where there are no set-valued contacts, and before start().
  integrators::StaticContacts* contacts() const {
    return has_contacts() ? contacts_.get() : nullptr;
  }
  double work() const { return work_; }  ///< of loads, supports and drives since t = 0, J
  double constraint_violation() const;   ///< max |Phi| at the last equilibrium

 private:
  class EquilibriumEquations;
  enum class Corrections { whole, searched };
  bool try_newton(const std::function<bool()>& find, std::string& reason);
  double next_t() const;
  void find_first();
  bool varies_with_time();
  void advance_by_newton(const system::State& before);
  bool relaxes() const;
  bool is_adrift() const;
  void judge_newton(const system::State& before);
  bool try_stable(const system::State& before, const Stability& stability);
  void note_instability(const Stability& stability);
  void relax(double t, const std::string& why);
  void relax_to_rest(double t);
  void relax_once(Relaxation& relaxation);
  std::string describe_last_step(const char* does, const char* of_mesh) const;
  enum class Confirmation { confirmed, unstable, unconfirmed };
  Confirmation confirm(Stability& stability);
  void push(const Stability& stability);
  void return_to(const system::State& before);
  void shorten_reactions();
  bool find_equilibrium();
  bool iterate(Corrections corrections);
  bool iterate_by_snes();
  bool meets_constraints() const;
  bool has_contacts() const;
  bool iterate_with_contacts();
  void take_with_contacts(const system::State& before, const Eigen::VectorXd& x);
  void explain_contacts();
  bool is_far(const Move& from) const;
  bool find_admissible_fraction(const system::State& before);
  bool take_whole(const system::State& before, double size);
  bool search(const system::State& before, double size);
  void find_next();
  bool is_small(double size) const;
  bool is_near(double size) const;
  bool may_be_noise(double size) const;
  void take(double fraction, const Move& correction);
  void complete(const Move& travel, Move& correction);
  bool try_step();
  bool try_load_step();
  bool try_path_step();
  void adapt_step();
  std::string describe_what_is_not_held();
  [[noreturn]] void give_up(const std::string& reason);
  void count_work(const system::State& before, const Move& travel);

  system::System& system_;
  StaticsOptions options_;
  system::State state_;
  std::unique_ptr<Equilibrium> equilibrium_;
  std::unique_ptr<integrators::StaticContacts> contacts_;
  std::string contact_reason_;  // why they have no equilibrium
  std::unique_ptr<ArcLength> path_;
  bool on_path_ = false;  // this step is one of the path, not of t
  bool is_started_ = false, has_told_neutral_ = false, is_held_ = false;
  double step_ = 0.0, work_ = 0.0, fraction_ = 1.0, next_size_ = 0.0;
  std::int64_t steps_ = 0;
  // Since t = 0, since the last equilibrium, of this iteration, and the simplified one after it.
  std::unique_ptr<Move> moved_, travel_, correction_, next_;
  mutable Statistics statistics_;
};

}  // namespace solidyn::analyses

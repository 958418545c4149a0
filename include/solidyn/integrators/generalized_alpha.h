#pragma once
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "solidyn/integrators/contact_event.h"
#include "solidyn/integrators/extrapolation.h"
#include "solidyn/integrators/stage_options.h"
#include "solidyn/system/system.h"

namespace solidyn::integrators {

class ContactStepEnd;
class ImplicitStage;
class SaddlePointSolve;
struct StageCoefficients;

struct GeneralizedAlphaOptions : StageOptions {
  double rho_infinity = 0.8;  ///< spectral radius at infinite frequency, 0..1
  /// Hilber, Hughes and Taylor's alpha, -1/3..0, instead of rho_infinity: alpha_m = 0, alpha_f =
  /// -alpha; at infinite frequency (1 + alpha)/(1 - alpha).
  std::optional<double> hht_alpha;
};

/// Lie-group generalized-alpha in index-3 form (Arnold & Bruls 2007; Bruls, Cardona & Arnold 2012)
/// with rows and multipliers scaled so that the iteration matrix stays well conditioned as h -> 0:
///   n = h v_n + h^2 ((1/2 - beta) A_n + beta A_{n+1}),   q_{n+1} = q_n exp(n)
///   v_{n+1} = v_n + h ((1 - gamma) A_n + gamma A_{n+1})
///   (1 - alpha_m) A_{n+1} + alpha_m A_n = (1 - alpha_f) a_{n+1} + alpha_f a_n
/// with M a + h + G^T lambda = 0 and Phi = 0 at t_{n+1}. The iteration matrix is kept until
/// convergence slows. A stands for the acceleration at t + (alpha_m - alpha_f) h; when h changes it
/// is moved along, a + (h / h_before) (A - a), so that order two holds for variable steps. It
/// starts as a + (alpha_m - alpha_f) h da/dt, and v with the error of order two that constraints on
/// position level give it from then on; of both, what a step cannot resolve is left out (there and
/// when h changes), so that no choice of the step creates energy: doc/theory/time_integration.md.
class GeneralizedAlpha {
 public:
  GeneralizedAlpha(system::System& system, const GeneralizedAlphaOptions& options);
  ~GeneralizedAlpha();

  /// Starts from a consistent state (positions, velocities, accelerations, multipliers).
  void initialize(const system::State& state);

  /// Drops what a checkpoint does not hold (kept tangent, pivots, scales of tolerances and of the
  /// regularization), so that a run that continues and one that is restarted here take the same
  /// steps to the last bit.
  void forget_history(const system::State& state);

  /// Advances `state` from t to t + h. On failure, or when a force objects to the step (it passes
  /// over an impact), restores it and throws base::ComputationError
  /// with the time, the state of the iteration, and in which body and constraint the residual is
  /// largest. @throws base::InputError unless h is finite and positive
  void step(system::State& state, double h);

  /// Takes the last step() back, for a step control that finds its error too large. Once per step.
  void reject(system::State& state);

  /// The last step's local error estimate relative to the characteristic length (O(h^3)).
  double error_estimate() const { return error_estimate_; }
  const IntegratorStatistics& statistics() const;
  double characteristic_length() const;
  const Eigen::VectorXd& violation() const;  ///< Phi at the end of the last step

  /// Where the last step began without velocities that it could not resolve: what that did to the
  /// kinetic energy, J, and the power of loads and drives less dissipation then, W.
  struct CorrectedStart {
    Eigen::VectorXd kinetic_energy, power;  // of each island
  };
  const std::optional<CorrectedStart>& corrected_start() const { return corrected_start_; }

  /// What set-valued contacts did in the last step, once.
  ContactReport take_contact_report() { return std::exchange(contact_report_, {}); }

  /// What a checkpoint needs beside the state: the algorithmic accelerations, and the step that
  /// they belong to (0: they are accelerations at the time of the state).
  struct Memory {
    Eigen::VectorXd acceleration;
    std::vector<base::Vec> nodal;
    double step = 0.0;
  };
  const Memory& memory() const { return memory_; }
  Memory& memory() { return memory_; }

 private:
  static constexpr int kFilterTerms = 2;  // of accelerations
  struct Coefficients {
    double alpha_m, alpha_f, beta, gamma;
  };
  void choose_coefficients();
  void begin_anew(const system::State& state);
  StageCoefficients step_coefficients(double h) const;
  bool rubs() const;
  bool is_held_by_stiff_forces() const;
  bool filters() const;
  void prepare_filter(const system::State& state, double h);
  void filter(const system::State& state, SaddlePointSolve& solve, double mass, int n_terms,
              Memory& target);
  Eigen::VectorXd centripetal(const system::State& state, double h,
                              const Eigen::VectorXd& otherwise);
  Eigen::VectorXd sizes_of_islands(const Eigen::VectorXd& v) const;
  void copy_island(int island, const Eigen::VectorXd& from, Eigen::VectorXd& to) const;
  void drop_unresolved_accelerations(const system::State& state, double h);
  Eigen::VectorXd resolved(const system::State& state, SaddlePointSolve& solve, int n_terms,
                           Eigen::VectorXd target);
  void drop_unresolved_velocities(system::State& state, double h);
  Eigen::VectorXd acceleration_rate(const system::State& state, const Eigen::VectorXd& a, double h);
  Eigen::VectorXd velocity_offset(const system::State& state, const Eigen::VectorXd& rate,
                                  double h);
  void begin(system::State& state, double h);
  void filter_about_rotation(const system::State& state, double h);
  void adapt_memory(system::State& state, double h);
  Memory copy_of_memory() const;
  void take_memory_back();
  void restore(system::State& state) const;
  void guess(system::State& state, double h) const;
  void judge_guess(const system::State& state, double h);
  void predict(system::State& state, double h);
  void start_over(system::State& state, double h);
  bool iterate(system::State& state, double h);
  bool finish_contacts(system::State& state, double h);
  void estimate_error(double h);

  system::System& system_;
  GeneralizedAlphaOptions options_;
  bool has_absolute_meshes_, has_shared_nodes_;
  Coefficients c_;
  std::unique_ptr<ImplicitStage> stage_;
  Memory memory_, memory_before_;
  std::optional<Memory> given_memory_;  // before the present step adapted it
  system::State before_;
  Eigen::VectorXd first_offset_;  // of the velocities in the first step; else empty
  // What the first step was given, where it begins without velocities that it cannot resolve.
  struct Given {
    Eigen::VectorXd v, a, lambda;
  };
  std::optional<Given> given_;
  std::optional<CorrectedStart> corrected_start_;
  Extrapolation past_;                        // of accelerations and multipliers
  std::unique_ptr<ContactStepEnd> contacts_;  // null without set-valued contacts
  bool takes_euler_step_ = false;             // the present step, after a start
  ContactReport contact_report_;
  double error_estimate_ = 0.0;
};

}  // namespace solidyn::integrators

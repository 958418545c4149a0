#pragma once
#include <array>
#include <memory>
#include <string>
#include <vector>

#include "integrators/implicit_stage.h"
#include "integrators/saddle_point_solve.h"
#include "solidyn/solvers/linear_solver.h"
#include "solidyn/system/system.h"

namespace solidyn::integrators {

/// Newton's iteration for the two states of an energy decaying step, solved at once: at the start
/// of the step, behind the jump there (`first`), and at its end (`last`). With B of two rows that
/// belong to them, and n the increments from the positions of the state before it,
///   n = h B v + ...,   v = h B a + ...,   M a + h + G^T lambda = 0 at both.
/// Both multipliers of a joint on position level are found from Phi = 0 and G v = nu at the end.
/// One on velocity level has G v = nu there and, with G and gamma of the state before, G a = gamma
/// at the start. Unknowns are h dv of both states, then both multipliers. Without full-mesh bodies.
/// Derived in doc/theory/time_integration.md. Local.
class CoupledStages {
 public:
  /// @param end  whose scales, tolerances and contacts are used
  CoupledStages(system::System& system, const StageOptions& options, double alpha, double alpha_AR,
                ImplicitStage& end);

  /// From an accepted state: no tangent, no pivots.
  void begin_anew();
  void forget_tangent() { is_stale_ = true; }

  /// @param before  the last accepted state
  /// @param[out] first, last  the solution, from a first guess of its own
  /// @return whether it has converged
  bool iterate(const system::State& before, double h, ImplicitStage::Search search,
               system::State& first, system::State& last);
  bool may_need_halves() const { return has_friction_ || end_.holds_light_structures(); }
  /// Why iterate() has not converged, where, and what to do.
  std::string failure(const system::State& before, const system::State& last, double h);

  /// Increments of the positions at the end. [n_v]
  const Eigen::VectorXd& increment() const { return n_[1]; }
  IntegratorStatistics& statistics() { return statistics_; }

 private:
  using Search = ImplicitStage::Search;
  void guess();
  void note_start();
  void set_pattern();
  void assemble(int k);
  void factor();
  void add_motion();
  void add_constraints();
  bool evaluate();
  void evaluate_end_rows();
  void set_right_hand_side();
  Eigen::VectorXd idle_multipliers();
  bool correct();
  void note_contacts_at_start();
  void look_at_contacts(int k, bool renews);
  bool has_compliance() const {
    return kept_.tangent == statistics_.tangents && kept_.closed == closed_;
  }
  void keep_compliance();
  void correct_contacts();
  void apply(double share);
  void move_positions();
  bool has_converged() const;
  ImplicitStage::MultiplierChange multiplier_change(int k, double part, bool stagnates) const;
  bool has_settled_multipliers(bool stagnates) const;
  double rate() const;

  system::System& system_;
  StageOptions options_;
  ImplicitStage& end_;
  Eigen::Matrix2d B_, inverse_;  // of the formulas above
  double alpha_, alpha_AR_;
  bool has_friction_;  // of joints: forces depend on multipliers
  std::unique_ptr<solvers::LinearSolver> solver_;
  std::unique_ptr<SaddlePointSolve> solve_;
  // How the equations of motion of state k depend on the velocities of each.
  std::array<std::array<solvers::BlockMatrix, 2>, 2> of_state_;
  std::array<int, 2> pattern_versions_{};
  system::System::RotationTangents turns_;

  // Of the step under way.
  double h_ = 0.0;
  const system::State* before_ = nullptr;
  std::array<system::State*, 2> s_{};
  std::array<Eigen::VectorXd, 2> n_, r_;
  Eigen::VectorXd phi_, late_;          // at the end; G v - nu there
  Eigen::VectorXd early_;               // G a - gamma at the start, of rows on velocity level
  Eigen::SparseMatrix<double> G_, G0_;  // at the end, and of the state before
  Eigen::VectorXd gamma0_;
  // Of contacts that are closed: at the state before, W, what of an acceleration is not W^T a, and
  // their slips; at both states, W and axes.
  std::vector<int> closed_;
  Eigen::MatrixXd W_before_;
  KnownSlips known_;  // of the contacts there, then of those at the end, of which none is
  Eigen::VectorXd bias_, slip_speeds_;
  std::vector<bool> sticks_;
  std::array<Eigen::MatrixXd, 2> W_;
  // What forces do, of which contacts, and of which tangent. Laws are between the forces and
  // velocities of the states, so that what it is found with does not matter (ContactForces).
  struct Kept {
    ContactCompliance compliance;  // A
    std::vector<int> closed;
    Eigen::MatrixXd X;
    int tangent = 0;
  };
  Kept kept_;
  std::array<std::vector<Eigen::Matrix3d>, 2> axes_;
  Eigen::VectorXd rhs_, x_;
  double increment_ = 0.0, increment_before_ = 0.0, violation_ = 0.0, violation_before_ = 0.0;
  int iterations_ = 0;
  double tangent_step_ = 0.0;
  bool is_stale_ = true, has_tangent_of_guess_ = false;
  IntegratorStatistics statistics_;
};

}  // namespace solidyn::integrators

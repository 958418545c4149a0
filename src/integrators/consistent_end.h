#pragma once
#include <memory>

#include "integrators/contact_points.h"
#include "integrators/implicit_stage.h"

namespace solidyn::integrators {

/// Accelerations, multipliers and forces of closed contacts at the end of a step, of order two, for
/// a scheme whose own are of order one along joints (Bathe). Positions and velocities stay:
///   S da + G^T dlambda = W dr,   G (a + da) = gamma,   r + dr by the laws of its contacts,
/// gamma from the second derivative of Phi = 0, and S the iteration matrix of the step at its end,
/// scaled to accelerations: M but for O(h), and stiff where the step does not resolve what is stiff
/// (doc/theory/nonsmooth.md). Friction in joints follows lambda + dlambda: that is solved by
/// Newton's method. Has factors of its own: nothing of the step is touched. Local.
/// Proved by BatheWithJoints.* in tests/unit/integrators and SliderCrank.HasTheErrorsOfTable4.
class ConsistentEnd {
 public:
  /// @param points  of set-valued contacts, those of the step's last stage; must outlive this
  ConsistentEnd(system::System& system, const StageOptions& options, const ContactPoints& points);

  /// @param last  stage, that the step ended with   @param[in,out] s  as it ended
  /// @param velocity  1/s, what an increment made of velocities there
  /// @param allowed  change of the accelerations, by ImplicitStage::weighted_size()
  /// @return false, and `s` as it was, where that would change the accelerations by more: of what
  /// steps do not resolve (a kink of a drive) the scheme's own are means; or where no forces meet
  /// the laws, of friction in joints with a warning
  /// @pre no full-mesh bodies, points that do not vary; what the step has taken to solve its
  /// contacts has been asked for (ContactSolver::take_totals()); System::update(s)   @post
  /// System::update(s)
  bool find(const ImplicitStage& last, double velocity, double allowed, system::State& s);
  /// Going on is as after a restart: the factors remember no pivots.
  void forget() { has_pattern_ = false; }

 private:
  bool solve(const ImplicitStage& last, double velocity, double allowed, system::State& s);
  Eigen::VectorXd follow_multipliers(const system::State& s, const Eigen::VectorXd& missing,
                                     double round_off, Eigen::VectorXd& x);
  void warn_of(const system::State& s, const Eigen::VectorXd& unsettled);
  double largest_followed(const Eigen::VectorXd& multipliers) const;
  bool renew_contacts(system::State& s);

  system::System& system_;
  const ContactPoints& points_;
  std::vector<int> followed_;  // multipliers, by friction in joints
  double regularization_;
  std::unique_ptr<solvers::LinearSolver> solver_;
  SaddlePointSolve solve_;
  bool has_pattern_ = false, has_warned_ = false;
};

}  // namespace solidyn::integrators

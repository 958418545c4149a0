#pragma once
#include "integrators/contact_transitions.h"
#include "integrators/implicit_stage.h"
#include "solidyn/integrators/contact_event.h"
#include "solidyn/integrators/impact_search.h"

namespace solidyn::integrators {

/// What an integrator does with set-valued contacts at the end of a step. Local.
class ContactStepEnd {
 public:
  /// @param stage  the one whose solution the step ends with
  ContactStepEnd(system::System& system, ImplicitStage& stage, const StageOptions& options);

  /// Whether forces that contacts had at the start of the step have moved the bodies although these
  /// contacts let go, or slip, within it: schemes that take the mean of forces at both ends leave a
  /// part of such a force behind, which the cut end of the law cannot take back. Where stiff parts
  /// press on a contact that would be energy from nothing. @pre System::update(s)
  bool has_left_over_forces(const system::State& before, const system::State& s);

  /// Whether a slip (or spin, or rolling) that its friction ends in a small part of the step begins
  /// it: what the forces there would do in the whole step says nothing of it.
  bool has_brief_slip(const system::State& before, double h);

  /// The step again, by Euler's backward formula, in which forces at its start take no part.
  /// @return whether it has converged
  bool take_euler_step(const system::State& before, system::State& s, double h);

  /// Closes gaps, lets bodies hit each other, and makes accelerations new.
  /// @param begins_anew  after take_euler_step()   @pre System::update(s)
  /// @return whether a scheme begins anew
  /// @throws base::ComputationError where bodies have passed through each other, or no forces or
  /// impulses satisfy the laws
  /// @throws ImpactWithinStep where impacts are located, and the step goes beyond one
  bool finish(const system::State& before, system::State& s, double h, ContactReport& report,
              bool begins_anew = false);

 private:
  // Normals at the end of a step, with which the next one begins where it does so with this state;
  // zero of points that were not there.
  struct Ahead {
    double t = 0.0;
    int version = 0;  // of the points
    Eigen::VectorXd q;
    std::vector<Eigen::Vector3d> normals;
  };
  Eigen::VectorXd gaps_now() const;
  bool is_touching(const system::State& s, const Eigen::VectorXd& gaps) const;
  Eigen::VectorXd ended_slip(const system::State& before, const system::State& s, double h);
  Eigen::Matrix3Xd slips_now() const;
  Eigen::VectorXd loss_by_last_forces(const system::State& s, const Eigen::Matrix3Xd& first,
                                      double h) const;
  ImpactSearch::Gaps gaps_at_start(const system::State& before) const;
  void look_for_impacts(const system::State& before, const system::State& s, double h,
                        ImpactSearch::Gaps gaps);

  system::System& system_;
  ImplicitStage& stage_;
  ContactTransitions transitions_;
  bool projects_;
  std::optional<Ahead> ahead_;
  std::optional<ImpactSearch> search_;
};

}  // namespace solidyn::integrators

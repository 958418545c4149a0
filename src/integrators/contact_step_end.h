#pragma once
#include "integrators/contact_transitions.h"
#include "integrators/implicit_stage.h"
#include "solidyn/integrators/contact_event.h"

namespace solidyn::integrators {

/// What an integrator does with set-valued contacts at the end of a step. Local.
class ContactStepEnd {
 public:
  /// @param stage  the one whose solution the step ends with
  ContactStepEnd(system::System& system, ImplicitStage& stage, solvers::Preset preset);

  /// Whether forces that contacts had at the start of the step have moved the bodies although these
  /// contacts let go, or slip, within it: schemes that take the mean of forces at both ends leave a
  /// part of such a force behind, which the cut end of the law cannot take back. Where stiff parts
  /// press on a contact that would be energy from nothing. @pre System::update(s)
  bool has_left_over_forces(const system::State& before, const system::State& s);

  /// The step again, by Euler's backward formula, in which forces at its start take no part.
  /// @return whether it has converged
  bool take_euler_step(const system::State& before, system::State& s, double h);

  /// Closes gaps, lets bodies hit each other, and makes accelerations new.
  /// @param begins_anew  after take_euler_step()
  /// @return whether a scheme begins anew
  /// @throws base::ComputationError where bodies have passed through each other, or no forces or
  /// impulses satisfy the laws
  bool finish(const system::State& before, system::State& s, double h, ContactReport& report,
              bool begins_anew = false);

 private:
  struct Start {
    ContactStep step;
    std::vector<Eigen::Vector3d> normals;  // zero of points that were not there
  };
  // What the next step begins with, where it begins with this state.
  struct Ahead {
    double t = 0.0;
    int version = 0;  // of the points
    Eigen::VectorXd q, v;
    Start start;
  };
  Start look() const;
  Start look_at_start(const system::State& before, double h);

  system::System& system_;
  ImplicitStage& stage_;
  ContactTransitions transitions_;
  std::optional<Ahead> ahead_;
};

}  // namespace solidyn::integrators

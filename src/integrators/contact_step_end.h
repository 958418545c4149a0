#pragma once
#include "integrators/contact_transitions.h"
#include "integrators/implicit_stage.h"

namespace solidyn::integrators {

/// What every scheme does with set-valued contacts after its own step: gaps of what presses or
/// penetrates are closed, impacts, changes of what is closed and sticks, new accelerations.
class ContactStepEnd {
 public:
  /// @param stage  the last one of the step
  ContactStepEnd(system::System& system, ImplicitStage& stage, solvers::Preset preset);
  /// @return whether velocities or accelerations have jumped
  bool finish(const system::State& before, system::State& s, double h, ContactReport& report);

 private:
  Eigen::VectorXd energies(const system::State& s) const;

  system::System& system_;
  ImplicitStage& stage_;
  ContactTransitions transitions_;
};

}  // namespace solidyn::integrators

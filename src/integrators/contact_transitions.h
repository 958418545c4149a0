#pragma once
#include <memory>
#include <string>
#include <vector>

#include "integrators/contact_points.h"
#include "integrators/saddle_point_solve.h"
#include "solidyn/integrators/contact_event.h"
#include "solidyn/solvers/linear_solver.h"

namespace solidyn::integrators {

/// What becomes of set-valued contacts between steps (P-NONSMOOTH Fig. 4): gaps that have closed
/// hit each other, all closed contacts at once; forces that would pull let go; and after every
/// change of the closed contacts, or of those that stick, accelerations and forces are made new,
/// which the paper leaves out (doc/theory/nonsmooth.md). Local.
class ContactTransitions {
 public:
  /// @param regularization  of dependent joints, see system::redundancy_regularization
  ContactTransitions(system::System& system, const ContactPoints& points, double regularization,
                     solvers::Preset preset);

  /// Of a state that is consistent but for its contacts: those whose gaps are closed, impacts of
  /// those that approach, accelerations and forces.
  void start(system::State& s);

  /// At the end of a step of h, with the forces of its closed contacts in `s`.
  /// @return whether velocities or accelerations have jumped, so that a scheme begins anew
  /// @param gaps  [points] before close_gaps()
  bool finish(const system::State& before, system::State& s, double h, const Eigen::VectorXd& gaps);

  const std::vector<ContactEvent>& events() const { return events_; }  ///< of the last call
  /// Of each island, J: what the last call has done to the kinetic energy.
  const Eigen::VectorXd& energy_change() const { return energy_change_; }

 private:
  std::vector<int> find_closing(const system::State& s) const;
  bool release(system::State& s);
  double restitution(int point, double approach, double h) const;
  void factorise_mass(const system::State& s);
  void hit(system::State& s, const std::vector<int>& closing, double h, ContactEvent::Kind kind);
  void lean_on_contacts(const std::vector<int>& of, Eigen::VectorXd& velocities) const;
  void warn_of_created_energy(double t, const std::vector<int>& of, const Eigen::VectorXd& r,
                              double energy);
  std::string solve_accelerations(system::State& s);
  void renew_accelerations(system::State& s);
  void record(double t, int point, ContactEvent::Kind kind, double before, double after,
              double impulse);

  system::System& system_;
  const ContactPoints& points_;
  double regularization_;
  std::unique_ptr<solvers::LinearSolver> solver_;
  SaddlePointSolve solve_;
  std::vector<ContactEvent> events_;
  Eigen::VectorXd energy_change_;
  bool has_warned_ = false;
  Eigen::VectorXd depth_;  // m, gaps of all points where the step has ended
};

}  // namespace solidyn::integrators

#pragma once
#include <string>

#include "integrators/contact_factors.h"
#include "integrators/contact_solution.h"
#include "integrators/gap_closing.h"

namespace solidyn::integrators {

/// The forces of closed contacts within Newton's iteration of a stage: on velocity level, by laws
/// between the velocities at its end and the forces there (P-NONSMOOTH (27)-(45)). Which contacts
/// are closed is decided between steps (ContactTransitions). Local.
class ContactForces {
 public:
  ContactForces(const system::System& system, std::shared_ptr<ContactSolver> solver)
      : points_(system, std::move(solver)) {}
  ContactForces(const ContactForces&) = delete;  // what closes gaps refers to its points
  ContactForces& operator=(const ContactForces&) = delete;
  const ContactPoints& points() const { return points_; }
  bool is_empty() const { return points_.is_empty(); }
  /// At the start of a step: those of groups. @post System::update(s), where there are groups
  void follow(system::System& system, const system::State& s);

  /// Adds to a correction x, made with the forces that `s` has, what other forces change that meet
  /// the laws after it, and gives `s` those forces. Velocities change by `by_increment` x.
  /// The compliance is kept with the factors while the same contacts are closed, as a tangent is:
  /// laws are between the forces and the velocities of `s`, so that what it converges to is exact.
  /// @pre System::update(s)
  void correct(system::State& s, const ContactFactors& factors, double by_increment,
               Eigen::VectorXd& x);
  /// Of the last correction, what was added to it by other forces: as a right-hand side, its size,
  double change_of_forces() const { return change_of_forces_; }
  /// and m/s, how exactly it meets the laws at least.
  double allowed_speed() const { return allowed_speed_; }
  /// Where that converges slowly: the next correction has a compliance of its own.
  void renew_compliance() { kept_.factors = 0; }
  bool has_closed() const { return !last_points_.empty(); }  ///< in the last correction
  /// Why the last correction found no forces; empty when it did.
  const std::string& failure() const { return failure_; }
  /// The same of a correction that the caller has made, and what these points do after it.
  void note(const std::vector<int>& points, std::vector<solvers::friction::ContactState> states,
            std::string failure);

  /// What the laws demand of velocities at the end of a stage beside 0 <= u: the laws are of
  /// u_N - rebound and u_T + reversed. Of all points; empty: nothing.
  struct Demand {
    double rebound = 0.0;                                ///< m/s
    Eigen::Vector3d reversed = Eigen::Vector3d::Zero();  ///< m/s, in W
  };
  std::vector<Demand> demands;
  double unit = 1.0;  ///< N, of forces where the stage has others than those of the motion

  /// Of the last stage: what closed contacts did, for the phase that follows.
  /// @return whether that is another than `s` had
  bool note_sticking(system::State& s) const;

  /// Points of the last correction that had a force in `before`, the start of the step, and do
  /// otherwise now: let go, stick or slip.
  std::vector<int> changed(const system::State& before) const;

  /// Of the same points.
  GapClosing& gap_closing() { return gap_closing_; }

 private:
  // Compliance, and of which factors.
  struct Kept {
    ContactCompliance compliance;
    int factors = 0;
    double by_increment = 0.0;
  };
  // @return whether it has been made new
  bool keep_compliance(const std::vector<int>& closed, const ContactFactors& factors,
                       double by_increment, Eigen::Index n_unknowns);
  bool may_keep(const std::vector<int>& closed) const;
  ContactSolution solve(const system::State& s, double by_increment, const Eigen::VectorXd& x,
                        const Eigen::VectorXd& r) const;

  ContactPoints points_;
  GapClosing gap_closing_{points_};
  std::string failure_;
  Kept kept_;
  std::vector<int> last_points_;
  std::vector<solvers::friction::ContactState> last_states_;
  double change_of_forces_ = 0.0, allowed_speed_ = 0.0;
};

}  // namespace solidyn::integrators

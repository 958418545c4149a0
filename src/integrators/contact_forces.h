#pragma once
#include <string>

#include "integrators/contact_points.h"

namespace solidyn::integrators {

/// The forces of closed contacts within Newton's iteration of a stage: on velocity level, by laws
/// between the velocities at its end and the forces there (P-NONSMOOTH (27)-(45)). Which contacts
/// are closed is decided between steps (ContactTransitions). Local.
class ContactForces {
 public:
  explicit ContactForces(const system::System& system) : points_(system) {}
  const ContactPoints& points() const { return points_; }
  bool is_empty() const { return points_.is_empty(); }

  /// Adds to a correction x, made with the forces that `s` has, what other forces change that meet
  /// the laws after it, and gives `s` those forces. Velocities change by `by_increment` x.
  /// @param solve by the factors of the iteration matrix with rows scaled by row_scale
  /// @pre System::update(s)
  void correct(system::State& s, SaddlePointSolve& solve, double row_scale, double by_increment,
               Eigen::VectorXd& x);
  /// Why the last correction found no forces; empty when it did.
  const std::string& failure() const { return failure_; }
  /// The same of a correction that the caller has made, and what these points do after it.
  void note(const std::vector<int>& points, std::vector<solvers::friction::ContactState> states,
            std::string failure);
  void start_stage() { failure_.clear(); }

  /// Of the last stage: what closed contacts did, for the phase that follows.
  void note_sticking(system::State& s) const;

  /// Changes the increment n of the positions so that contacts which press, or penetrate, have no
  /// gap. @return whether it has changed anything
  bool close_gaps(system::System& system, const Eigen::VectorXd& q_before, system::State& s,
                  SaddlePointSolve& solve, double row_scale, double length, Eigen::VectorXd& n);

 private:
  struct Touching {
    std::vector<int> points;
    Eigen::VectorXd gaps;
    double largest = 0.0;  // size of a gap
  };
  Touching find_touching(const system::State& s, std::vector<bool>& has_touched) const;

  ContactPoints points_;
  std::string failure_;
  std::vector<int> last_points_;
  std::vector<solvers::friction::ContactState> last_states_;
};

}  // namespace solidyn::integrators

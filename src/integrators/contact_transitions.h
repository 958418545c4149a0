#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "integrators/impact_laws.h"
#include "integrators/nodal_jumps.h"
#include "integrators/saddle_point_solve.h"
#include "solidyn/integrators/contact_event.h"
#include "solidyn/integrators/multiple_impacts.h"
#include "solidyn/solvers/linear_solver.h"

namespace solidyn::integrators {

/// Velocities below this part of the largest are none: round-off of what has been brought to zero.
constexpr double kNoSpeed = 1e-10;
/// Gaps below this, m, are closed: round-off of what has been brought to zero.
constexpr double kTouching = 1e-12;
/// Of the slow speed of a law: what is slower is at rest.
constexpr double kRests = 1e-6;
/// SetValuedPoint::crowding from which on impacts have no restitution: they come faster than every
/// third step, for several steps.
constexpr double kCrowded = 6.0, kCrowdingOfImpact = 3.0;
/// Of the kinetic energy: what an impact creates beyond that is not round-off.
constexpr double kCreated = 1e-9;

/// What an impact at the end of a step must know of that step.
struct ContactStep {
  double h = 0.0;               ///< s
  Eigen::VectorXd gaps;         ///< m, [points] where it has ended, before they were closed
  Eigen::VectorXd first_rates;  ///< m/s, [points] of the gaps where it began
  double way = 0.0;             ///< m, of what moves fastest in the mechanism
  Eigen::VectorXd energies;     ///< J, [islands] all that there was before they were closed
  Move closing;                 ///< of positions, that closed them
};

/// What becomes of set-valued contacts between steps (P-NONSMOOTH Fig. 4): gaps that have closed
/// hit each other, all closed contacts of an island at once; forces that would pull let go; and
/// after every change of the closed contacts, or of those that stick, accelerations and forces are
/// made new, which the paper leaves out (doc/theory/nonsmooth.md). Local.
class ContactTransitions {
 public:
  /// @param regularization  of dependent joints, see system::redundancy_regularization
  ContactTransitions(system::System& system, const ContactPoints& points, double regularization,
                     solvers::Preset preset, MultipleImpacts multiple);

  /// Of a state that is consistent but for its contacts: those whose gaps are closed, impacts of
  /// those that approach, accelerations and forces. At rest with forces that meet the laws (after
  /// statics) these stay: of redundant points others would do as well.
  /// @throws base::InputError where bodies overlap, with all of them
  /// @return what that does to the kinetic energy of each island, J
  Eigen::VectorXd start(system::State& s);

  /// At the end of a step, first of all. @return whether any has changed
  /// @param steps  of them, that the step counts for
  bool count_down_crowding(system::State& s, double steps) const;
  /// Then: points that are no more, or that have become others of their pair, are open.
  /// @pre System::update(s)   @return whether any had a force
  bool drop_lost_points(const system::State& before, system::State& s, const ContactStep& step);
  /// Then, of rigid and modal bodies: takes those whose points are hit, all of them at one time,
  /// back to that time, with what touches them.
  /// @return whether it has taken back any   @pre and after: System::update(s)
  bool go_back(const system::State& before, system::State& s, double h);
  /// Those points: their gaps are closed, but for the error of the way back.
  const std::vector<int>& met() const { return met_; }
  /// Then, with the forces of its closed contacts in `s`. Points that close without a speed, and
  /// that the accelerations do not press on, and what points without a force do, change neither
  /// velocities nor accelerations.
  /// @param begins_anew  whether the scheme does so anyway, with velocities that meet the joints
  /// @return whether velocities or accelerations have jumped, so that a scheme begins anew
  /// @pre System::update(s)
  bool finish(const system::State& before, system::State& s, ContactStep& step, bool begins_anew);

  /// Last, after go_back(): brings those bodies to the end of the step again.
  /// @param close_gaps  and joints, of positions that have moved
  /// @return whether it has; else they are left where they met   @pre and after: System::update(s)
  bool go_on(system::State& s, const std::function<void(system::State&)>& close_gaps);

  const std::vector<ContactEvent>& events() const { return events_; }  ///< of the last call
  /// Of each island, W: external powers at the velocities before the impacts of the last call;
  /// empty where there were none.
  const Eigen::VectorXd& powers_before_impacts() const { return powers_; }
  /// Likewise, without those of set-valued laws.
  const Eigen::VectorXd& loads_before_impacts() const { return loads_; }
  /// J, of joints that drives move, by their impulses in the last call.
  double work_of_drives() const { return total_work_of_drives_; }

 private:
  using Kind = ContactEvent::Kind;
  // Of closed contacts and those that close, under way.
  struct Impact {
    Kind kind;
    std::vector<int> of;
    std::vector<bool> is_new;
    Eigen::VectorXd before;   // [3 n] velocities, m/s
    Eigen::VectorXd rebound;  // [n] of the gap, that the law demands, m/s
    Eigen::VectorXd added;    // [3 n] to velocities before and after: what the laws are about
    Eigen::VectorXd more;     // [n] squared speed where surfaces met beyond that at the end
    double part = 1.0;        // of the restitution
    void scale(double by) {
      rebound *= by;
      added *= by;
      part *= by;
    }
    bool is_stuck(int k) const { return added.segment<2>(3 * k + 1).isZero(0.0); }
  };
  // How much of the impact law is applied.
  enum class Restitution {
    where_surfaces_met,  // with the speed there
    at_the_end,          // with that at the end of the step
    none
  };

  std::vector<int> find_closing(const system::State& s, const ContactStep* step) const;
  // Bodies that touch each other, of which some are hit.
  struct Meeting {
    std::vector<int> points;    // that are hit
    std::vector<int> unknowns;  // velocities
    double time = 0.0;          // s, since then
    bool is_known = false;
  };
  std::vector<Meeting> find_meetings(const system::State& s) const;
  bool is_smooth(const Meeting& meeting, const system::State& before, const system::State& s,
                 double h, const Eigen::VectorXd& weights) const;
  void move_in_time(const system::State& from, const Eigen::VectorXd& times, system::State& s);
  bool has_foreign_energy() const;
  bool keep_energy(system::State& s, double allowed, const Eigen::VectorXd& rebound);
  // What points have done of themselves.
  struct Changes {
    bool any = false;
    bool of_forces = false;  // of points that had one at the start of the step, or have one
  };
  bool rests(system::State& s);
  bool has_force(const system::State& before, const system::State& s, int point) const;
  void release(const system::State& before, system::State& s, Changes& changes);
  void note_sticking(const system::State& before, const system::State& s, Changes& changes);
  void stick_moments(system::State& s, int point, double nothing);
  double speed_at_rest(const system::State& s, int point) const;
  bool are_at_rest(const system::State& s, const std::vector<int>& closing) const;
  bool touch(system::State& s, const std::vector<int>& closing, double h);
  Eigen::VectorXd first_rates(const system::State& before, const system::State& s);
  void factorise_mass(const system::State& s);
  void satisfy_joints(system::State& s);
  void hit(system::State& s, const std::vector<int>& closing, const ContactStep& step, Kind kind);
  Impact describe(const system::State& s, const std::vector<int>& closing, Kind kind) const;
  void demand(const system::State& s, const ContactStep& step, Restitution restitution,
              Impact& impact) const;
  double approach(int point, const ContactStep& step, double now) const;
  double restitution(const system::State& s, int point, double approach, double h) const;
  bool is_poissons(const Impact& impact) const;
  bool is_sequence(const Impact& impact) const;
  ImpactSolution solve_laws(const system::State& s, const Impact& impact,
                            const Eigen::VectorXd& before, const ContactCompliance& c,
                            double h) const;
  ImpactSolution solve_impact(system::State& s, const Impact& impact, const ContactCompliance& c,
                              double h);
  ImpactSolution solve_impact_of_meshes(system::State& s, const Impact& impact,
                                        const ContactCompliance& c, double h);
  // J: what leaves the sum of energies as it was before gaps were closed, and what is allowed.
  struct KineticEnergies {
    double conserved, allowed;
  };
  std::optional<ImpactSolution> find_impulses(system::State& s, const ContactStep& step,
                                              const ContactCompliance& c,
                                              const KineticEnergies& energies, Impact& impact);
  void restore_velocities(system::State& s, const Velocities& v);
  double own_energy(const system::State& s) const;
  bool has_friction(const Impact& impact) const;
  bool has_moving_surface(const Impact& impact) const;
  bool is_met(const system::State& s, const Impact& impact, const ContactSolution& solution,
              double energy_allowed) const;
  void apply(system::State& s, const Impact& impact, const ContactSolution& solution);
  void apply_to_moment(system::State& s, const Impact& impact, const ContactSolution& solution,
                       int k, double nothing);
  void note_friction_after_impact(system::State& s, double nothing);
  void lean_on_contacts(const std::vector<int>& of, Eigen::VectorXd& velocities) const;
  void warn_of_created_energy(double t, const std::vector<int>& of, const Eigen::VectorXd& r,
                              double energy);
  void warn_of_refused_restitution(double t, int point);
  void warn_of_smallest_restitution(double t, int point);
  std::string solve_accelerations(system::State& s);
  std::vector<bool> islands_of(const Impact& impact) const;
  double left_of_closing(const system::State& s, const ContactStep& step,
                         const Eigen::VectorXd& by_closing, const std::vector<bool>& islands);
  void pay_for_closing(system::State& s, const ContactStep& step, const Eigen::VectorXd& by_closing,
                       const Impact& impact, const ContactCompliance& c);
  void slow_down(system::State& s, const ContactStep& step, const Eigen::VectorXd& by_closing,
                 const Impact& impact);
  void slow_down_without_impact(system::State& s, const ContactStep& step);
  Velocities held_by_contacts(system::State& s, const ContactStep& step,
                              const std::vector<bool>& islands, const Impact& impact,
                              const ContactCompliance& c);
  void correct_accelerations(system::State& s, const ContactCompliance& c, const KnownSlips& known,
                             ContactSolution& solution);
  void renew_accelerations(system::State& s);
  void record(double t, int point, ContactEvent::Kind kind, double before, double after,
              double impulse);
  void record_sticking(double t, int point, bool sticks);

  system::System& system_;
  const ContactPoints& points_;
  double regularization_;
  MultipleImpacts multiple_;
  std::unique_ptr<solvers::LinearSolver> solver_;
  SaddlePointSolve solve_;
  std::vector<ContactEvent> events_;
  Eigen::VectorXd powers_, loads_;
  Eigen::VectorXd rest_;  // s, [n_v] what is left of the step since bodies have met; or empty
  std::vector<int> met_;
  Eigen::VectorXd driven_rates_;  // nu of G v = nu, in the impact under way
  double work_of_drives_ = 0.0, total_work_of_drives_ = 0.0;  // J
  bool has_warned_ = false, has_warned_of_smallest_ = false, has_refused_restitution_ = false;
};

}  // namespace solidyn::integrators

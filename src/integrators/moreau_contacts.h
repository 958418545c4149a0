#pragma once
#include <vector>

#include "integrators/implicit_stage.h"
#include "solidyn/integrators/contact_event.h"

namespace solidyn::integrators {

/// Set-valued contacts in a step of the theta scheme of Moreau and Jean: which are active, what
/// their laws demand, and what becomes of them at its end. Local.
class MoreauContacts {
 public:
  MoreauContacts(system::System& system, ImplicitStage& stage, double theta);
  bool is_empty() const { return points_.is_empty(); }

  /// Gaps, velocities and restitution of the step that begins; which points are predicted to close
  /// in it. @post System::update(before)
  void begin(const system::State& before, double h);
  /// Restitution is of the speeds that the velocities at the start have along the directions at the
  /// end, where these are slower: bodies turn within the step, and impulses along directions that
  /// have turned would do work; where they are not, of so much less that `excess` is not done.
  /// Nothing of islands without excess.
  /// @param theta of the step  @param excess work(), J  @pre as work()
  /// @return whether there is any to lower
  bool lower_restitution(const system::State& before, const system::State& s, double theta,
                         const Eigen::VectorXd& excess);
  /// Impacts of these islands have no restitution in this step. The active points stay.
  void leave_out_restitution(const std::vector<bool>& islands);
  /// What prepare() and add_missed() have made of the points.
  struct Active {
    std::vector<bool> is_active;
    std::vector<ContactForces::Demand> demands;
  };
  Active active() const { return {is_active_, stage_.contacts().demands}; }
  /// Takes that back but of points of these islands.
  void keep_of(const std::vector<bool>& islands, const Active& others);
  /// At most `theta`, and so that active contacts with restitution take energy: 1/(1 + e).
  double theta_of_step() const;
  /// Where anything is hit in this step that has restitution.
  std::vector<int> islands_with_rebounds() const;
  /// Whether the last acceleration is a guess of that of this step: it hardly changed in the last
  /// one, and nothing is hit. @pre begin()
  bool goes_on() const;
  /// Of accelerations, in a step from `before` to `s`.
  void note_change(const system::State& before, const system::State& s);
  void forget_changes() { is_smooth_ = false; }
  /// Phases of `s`, and what the stage demands. @param theta of the step
  void prepare(system::State& s, double theta) const;
  /// Makes those active that would penetrate at the end of the step, or be too close and fast for
  /// the next one. @pre System::update(s)  @return whether there were any
  bool add_missed();
  /// J, of each island: what impulses of the step have done on the bodies, beyond round-off: those
  /// of contacts, and of joints that turn within the step, where something is hit, or contacts jam
  /// the bodies. What these take, as they do in every step, does not make up for what contacts do.
  /// @pre System::update(s), forces of `s` are P / h
  Eigen::VectorXd work(const system::State& before, const system::State& s, double theta) const;
  /// @throws base::ComputationError where impulses are none that a motion can have
  /// @param of_forces J, at most, of what forces without impulses do in the step
  /// @pre System::update(s), forces of `s` are P / h
  void require_bounded_impulses(const system::State& s, double of_forces) const;
  void require_no_passage(const system::State& before, const system::State& s) const;
  /// J, of each island: by how much it has more energy than at the start beyond this part of its
  /// kinetic energy there, without what acts on it; 0 where it has no more, or no contact is
  /// active. Exact impulses give none. @pre System::update(s)
  Eigen::VectorXd suspicious_gain(const system::State& s, double part) const;
  /// W, of each island, of external forces where the step began.
  const Eigen::VectorXd& first_powers() const { return first_powers_; }
  /// Likewise, without those of set-valued laws.
  const Eigen::VectorXd& first_loads() const { return first_loads_; }

  /// Phases at the end, of points whose gaps may still be open. @pre System::update(s)
  void settle(system::State& s) const;
  /// Whether the energy of any island is more than that, beyond round-off. @pre System::update(s)
  bool gains(const system::State& s, const Eigen::VectorXd& before) const;
  /// Takes it from the velocities of what fixed bodies hold up; not where drives or moving surfaces
  /// give energy. @return whether these have as much
  bool pay_for(system::State& s, const Eigen::VectorXd& before) const;
  /// Which have a gap that is not to be closed are open.
  void open_gaps(system::State& s) const;
  /// Brings velocities onto the joints, and those of closed contacts to zero where they are held.
  void make_velocities_consistent(system::State& s) const;
  /// Where this step had to do without, once.
  void warn_of_refused_restitution(double t);
  /// Phases, impulses and events. @return islands with impacts
  std::vector<bool> finish(const system::State& before, system::State& s, ContactReport& report);

 private:
  // Of the slow speed of a law: below it a contact is not hit, and rests.
  static constexpr double kHeld = 1e-6;

  struct Start {
    bool exists, is_closed, sticks;
    double gap;
    Eigen::Vector3d u;     // m/s
    Eigen::Matrix3d axes;  // in W
    double restitution;    // of an impact in this step, ...
    double speed;          // ... and what it is of, m/s
    bool is_hit;           // by its speed, if it is active
    bool comes_back;       // likewise, but it moves away at first
    bool is_refused;       // it has an impulse, and not the restitution of its law
  };
  double approach(int i) const { return std::max(0.0, -start_[i].u[0]); }
  bool rebounds(int i) const;
  double speed_scale(const system::State& s) const;
  bool presses(const system::State& s, int i) const;
  Eigen::VectorXd work_of_joints(const system::State& before, const system::State& s,
                                 double theta) const;
  std::vector<bool> islands_that_are_hit() const;

  system::System& system_;
  ImplicitStage& stage_;
  const ContactPoints& points_;
  double theta_, reach_, h_ = 0.0;                 // gaps below reach h |u_N| close
  Eigen::VectorXd kinetic_before_, total_before_;  // of each island, J
  bool is_smooth_ = false, has_warned_ = false;
  std::vector<bool> has_restitution_;  // of each island
  std::vector<Start> start_;
  std::vector<Eigen::Vector3d> normals_;
  Eigen::VectorXd first_powers_, first_loads_;
  std::vector<bool> is_active_;
};

}  // namespace solidyn::integrators

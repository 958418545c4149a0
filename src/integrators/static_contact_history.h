#pragma once
#include <string>
#include <vector>

#include "integrators/contact_points.h"
#include "integrators/static_contact_newton.h"
#include "solidyn/integrators/static_contacts.h"

namespace solidyn::integrators {

/// What the points of set-valued contacts have done since the last equilibrium of statics, and what
/// the last correction foresaw of them. Local.
class StaticContactHistory {
 public:
  /// @param system, points  must outlive this
  StaticContactHistory(system::System& system, const ContactPoints& points)
      : system_(system), points_(points) {}
  /// A load step begins here: what is closed sticks where it is. @param length m, of the mechanism
  void begin(const system::State& s, double length);

  /// Points have become others than those of these names: what stays keeps what it has done.
  void follow(const std::vector<std::string>& before);

  /// Points that take part in an iteration. @pre System::update(s)
  StaticContactSet find_set(const system::State& s) const;
  /// What the last correction has found for them.
  StaticContactForces guess(const StaticContactSet& set) const;
  void keep(const StaticContactSet& set, const StaticContactForces& found);

  /// Part `fraction` of the correction x of `before` has led to `s`. @post System::update() of
  /// another state
  void add_travel(const system::State& before, double fraction, const Eigen::VectorXd& x,
                  const system::State& s);
  /// That part of the change of the forces too.
  void give_forces(const StaticContactSet& set, const StaticContactForces& found, double fraction,
                   system::State& s) const;

  /// What touches is closed, also where others carry its share of the load.
  /// @pre System::update(s)
  void finish(system::State& s, StaticContacts::Totals& totals) const;
  /// What has come from far, slips, or is squeezed, see StaticContacts::describe().
  /// @pre System::update(s)
  std::string describe(const system::State& s) const;

 private:
  void resize(int n);
  bool is_near(int point) const;
  std::string describe_squeezed(const system::State& s) const;
  std::string describe_slipping() const;
  std::string describe_far() const;

  system::System& system_;
  const ContactPoints& points_;
  double length_ = 1.0;
  std::vector<solvers::friction::ContactState> states_;  // of all points
  Eigen::VectorXd coefficients_;
  std::vector<Eigen::Vector3d> foreseen_;  // offsets, as the last correction foresaw them
  std::vector<bool> has_slipped_;          // since the last equilibrium
  std::vector<Eigen::Vector3d> travel_;    // in W, since the last equilibrium
};

}  // namespace solidyn::integrators

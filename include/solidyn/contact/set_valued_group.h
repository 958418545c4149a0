#pragma once
#include "solidyn/contact/group_contact.h"
#include "solidyn/contact/near_pairs.h"
#include "solidyn/contact/set_valued_contact.h"

namespace solidyn::contact {

/// Set-valued contact of all pairs of a group: a SetValuedContact for each that is near.
///
/// Its points are those of the pairs that were near in the last accepted state, in their order,
/// which NearPairs knows; so they come and go between steps only, and a step in which another pair
/// has met is rejected. Which they are, and what is kept of each, is all in what the force
/// remembers: another system, rank or run that is given it goes on alike. Local.
/// Proved by SetValuedGroup.* in tests/unit/contact and tests/verification/nonsmooth.
class SetValuedGroup final : public GroupContact, public forces::SetValued {
 public:
  struct Options {
    forces::SetValuedLaw law;
    std::string label;                 ///< what the model calls the contact, ...
    std::vector<std::string> members;  ///< ... and the bodies (or places) of the members
    /// m/s, of the surface of each member of the first set against its material, in its axes; none:
    /// surfaces stand still
    std::vector<Eigen::Vector3d> surface_velocities = {};
    double first_step = 0.0;  ///< s, for which pairs are looked for before there was a step
  };
  SetValuedGroup(std::string name, std::shared_ptr<const ContactGroup> group, Options options);

  const forces::SetValued* as_set_valued() const override { return this; }
  ContactState state(const bodies::Kinematics& kinematics) const override;
  int n_near() const { return static_cast<int>(near_.size()); }

  /// Those of pairs with closed points: only they have a force.
  const std::vector<const Force*>& parts() const override { return parts_; }
  bool follow(const bodies::Kinematics& kinematics) override;
  double power(const bodies::Kinematics& kinematics, double t) const override;

  void recall(const Eigen::Ref<const Eigen::VectorXd>& memory) override;
  void append_memory(const bodies::Kinematics& kinematics, double t,
                     std::vector<double>& memory) const override;
  std::string rejection(const bodies::Kinematics& kinematics, double t) const override;

  int n_points() const override { return static_cast<int>(points_.size()); }
  const forces::SetValuedLaw& law() const override { return o_.law; }
  const forces::SetValuedLaw& law_of(int point) const override;
  int contact_of(int point) const override;
  forces::SetValuedPoint kept(int point) const override;
  std::string label() const override { return o_.label; }
  std::string name_of(int point) const override;
  int number(int point) const override { return contact(point).number(points_[point].number); }
  std::string between(int point) const override;
  int version() const override { return version_; }
  int memory_offset(int point) const override;
  const std::vector<bodies::BodyIndex>* bodies_of(int point) const override;

  using GroupContact::gap;
  bool exists(const bodies::Kinematics& k, int point) const override;
  bool moves() const override { return !o_.surface_velocities.empty(); }
  double gap(const bodies::Kinematics& k, int point) const override;
  Eigen::Matrix3d axes(const bodies::Kinematics& k, int point) const override;
  Eigen::Vector3d normal(const bodies::Kinematics& k, int point) const override;
  Eigen::Vector3d velocity(const bodies::Kinematics& k, int point) const override;
  Eigen::Vector3d acceleration(const bodies::Kinematics& k, int point) const override;
  void directions(const bodies::Kinematics& k, int point,
                  Eigen::Ref<Eigen::MatrixXd> W) const override;

 private:
  using Pair = ContactGroup::Pair;
  struct Near {
    Pair pair;
    std::unique_ptr<SetValuedContact> contact;
  };
  struct Point {
    int near;    // of near_
    int number;  // of the points of its pair
  };
  const SetValuedContact& contact(int point) const { return *near_[points_[point].near].contact; }
  std::unique_ptr<SetValuedContact> make_contact(Pair pair) const;
  void set_near();
  bool acts(const SetValuedContact& contact) const;
  std::vector<Pair> pairs_that_stay(const std::vector<Pair>& near) const;
  Eigen::Index size_of_head() const;

  Options o_;
  Eigen::VectorXd memory_;           // as it was given last
  NearPairs remembered_;             // what its head says, ...
  double horizon_ = 0.0;             // ... and how long a step it looked ahead, s
  std::vector<Near> near_;           // of these pairs
  std::vector<Point> points_;        // of near_, one after the other
  std::vector<const Force*> parts_;  // of near_
  int version_ = 0, followed_ = 0;   // of near_; that of parts_
};

}  // namespace solidyn::contact

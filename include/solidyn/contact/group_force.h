#pragma once
#include "solidyn/contact/group_contact.h"
#include "solidyn/contact/near_pairs.h"

namespace solidyn::contact {

/// Penalty contact of all pairs of a group: a ContactForce for each that is near, while it is near.
///
/// Which pairs are near is known of the last accepted state, for boxes that are larger than the
/// shapes by a margin and by what they may go in the next step; while a shape stays in its box no
/// other pair can touch. It is part of what the force remembers, so that a run that is restarted
/// goes on alike. Local. Proved by tests/verification/contact/group_force_test.cpp.
class GroupForce final : public GroupContact {
 public:
  GroupForce(std::string name, std::shared_ptr<const ContactGroup> group, const NormalLaw& law,
             const Friction& friction, double resolution);

  ContactState state(const bodies::Kinematics& kinematics) const override;
  int n_near() const { return static_cast<int>(near_.size()); }

  const std::vector<const Force*>& parts() const override { return parts_; }
  bool follow(const bodies::Kinematics& kinematics) override;

  double energy(const bodies::Kinematics& kinematics, double t) const override;
  double power(const bodies::Kinematics& kinematics, double t) const override;
  void add_slips(const bodies::Kinematics& kinematics,
                 std::vector<forces::Slip>& slips) const override;

  void recall(const Eigen::Ref<const Eigen::VectorXd>& memory) override;
  void append_memory(const bodies::Kinematics& kinematics, double t,
                     std::vector<double>& memory) const override;
  std::string rejection(const bodies::Kinematics& kinematics, double t) const override;

 private:
  using Pair = ContactGroup::Pair;
  struct Near {
    Pair pair;
    std::unique_ptr<ContactForce> force;
  };
  std::unique_ptr<ContactForce> make_force(Pair pair) const;
  bool set_near(const std::vector<Pair>& pairs);

  NormalLaw law_;
  Friction friction_;
  double resolution_;
  Eigen::VectorXd memory_;           // as it was given last
  NearPairs remembered_;             // what it says
  std::vector<Near> near_;           // these pairs, and others that have come near since
  std::vector<const Force*> parts_;  // of near_
};

}  // namespace solidyn::contact

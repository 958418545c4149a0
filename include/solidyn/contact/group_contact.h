#pragma once
#include <cmath>

#include "solidyn/contact/contact_force.h"
#include "solidyn/contact/contact_group.h"

namespace solidyn::contact {

/// Contact of all pairs of a group, by any law: a force that consists of those of the pairs that
/// are near each other.
class GroupContact : public forces::Force {
 public:
  GroupContact(std::string name, std::shared_ptr<const ContactGroup> group)
      : Force(std::move(name), group->bodies()), group_(std::move(group)) {}

  const ContactGroup& group() const { return *group_; }
  /// Over all pairs.
  virtual ContactState state(const bodies::Kinematics& kinematics) const = 0;

  bool has_parts() const final { return true; }
  /// Nothing: the parts do.
  void add_residual(const bodies::Kinematics&, double, Eigen::Ref<Eigen::VectorXd>) const final {}
  void add_tangent(const bodies::Kinematics&, double, const bodies::TangentCoefficients&,
                   Eigen::Ref<Eigen::MatrixXd>, Eigen::Ref<Eigen::MatrixXd>) const final {}
  std::optional<double> gap(const bodies::Kinematics& kinematics) const final {
    const double smallest = group_->smallest_gap(kinematics);
    if (!std::isfinite(smallest)) return {};
    return smallest;
  }

 private:
  std::shared_ptr<const ContactGroup> group_;
};

}  // namespace solidyn::contact
